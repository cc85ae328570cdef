#!/usr/bin/env bash
# Makes the README's pictures from the running program with the bundled model, light and dark: packaging/screenshots.sh [FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages "${build_packages[@]}" "${desktop_packages[@]}"
configure OFF
switch_desktop_on
build_targets poplens
folder=${1:-$root/assets/screenshots}
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software QT_SCALE_FACTOR=${QT_SCALE_FACTOR:-1} "$build/bin/poplens" \
  --data "$data" --screenshots "$folder" --picture "$root/assets/samples/mixed.png"
