#!/usr/bin/env bash
# Installs what is missing, builds the release preset and starts PopLens on the bundled model and a bundled picture: the
# question is answered by the full model and with POP. With arguments, they go to poplens-cli instead.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages "${build_packages[@]}"
configure OFF
build_targets poplens-cli
program=$build/bin/poplens-cli
if [ $# -gt 0 ]; then exec "$program" "$@"; fi
exec "$program" compare --model demo-qwen3-vl --image "$root/assets/samples/chart.png" \
  --prompt "What is the highest bar?"
