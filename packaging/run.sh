#!/usr/bin/env bash
# Installs what is missing, builds the release preset and starts PopLens: the desktop program where there is a display;
# otherwise a question about a bundled picture is answered by the bundled model, full and with POP. With arguments, they
# go to poplens-cli instead.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages "${build_packages[@]}"
if [ $# -eq 0 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  install_packages "${desktop_packages[@]}"
  configure OFF
  switch_desktop_on
  build_targets poplens
  exec "$build/bin/poplens"
fi
configure OFF
build_targets poplens-cli
program=$build/bin/poplens-cli
if [ $# -gt 0 ]; then exec "$program" "$@"; fi
exec "$program" compare --model demo-qwen3-vl --image "$root/assets/samples/mixed.png" \
  --prompt "Describe this image."
