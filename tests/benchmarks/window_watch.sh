#!/usr/bin/env bash
# Is the window quick while a large model reads a picture? Asks one question, off screen, of a model with the sizes of
# Qwen3-VL 2B (shaped_model.py), and prints how long the window's thread was busy at a time and how late it came, from
# sending to the first token. Goals: 16 ms busy, 100 ms late.
#
#   tests/benchmarks/window_watch.sh [build/release/bin/poplens] [PICTURE]
#
# Needs about 6 GB of memory; takes a minute or so on eight cores. QT_QPA_PLATFORM chooses a real display instead.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:-build/release/bin/poplens}
picture=${2:-$here/../../assets/samples/mixed.png}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$here/shaped_model.py" "$work/qwen3-vl-2b-shape"
QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} "$program" --data "$work/data" --model "$work/qwen3-vl-2b-shape" \
  --picture "$picture" --picture-tokens 1024 --ask "Describe this image."
