#!/usr/bin/env bash
# Asks the bundled model about pictures that its training never saw the like of: drawn by ImageMagick (the training draws
# with Pillow), lettered in Linux Libertine and Inter (neither is among the training's fonts). Every question is answered
# full and with POP at depth L/3, boundary `text`.
#
#   tests/benchmarks/foreign_pictures.sh [build/release/bin/poplens-cli] [MODEL]
#
# Needs Debian's imagemagick, fonts-linuxlibertine, fonts-inter and jq.
set -euo pipefail
cli=${1:-build/release/bin/poplens-cli}
model=${2:-demo-qwen3-vl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

font() { fc-match -f '%{file}' "$1"; }
serif=$(font 'Linux Libertine O:bold')
sans=$(font 'Inter:semibold')
layers=$("$cli" inspect "$model" --json | jq .layers)
depth=$(((layers + 1) / 3))

right_full=0 right_pop=0 asked=0
ask() { # NAME QUESTION EXPECTED
  local report full pop
  report=$("$cli" compare --model "$model" --image "$work/$1.png" --prompt "$2" --temperature 0 --pop-depth "$depth" \
    --pop-boundary text --runs 1 --json)
  full=$(jq -r .full.text <<<"$report")
  pop=$(jq -r .pop.text <<<"$report")
  asked=$((asked + 1))
  [ "${full,,}" != "${3,,}" ] || right_full=$((right_full + 1))
  [ "${pop,,}" != "${3,,}" ] || right_pop=$((right_pop + 1))
  printf '%-9s %-34s expected %-9s full %-9s POP %s\n' "$1" "$2" "$3" "${full//$'\n'/ }" "${pop//$'\n'/ }"
}

draw() { convert -size "$2" "xc:$3" "${@:4}" "$work/$1.png"; }

draw disc 240x240 '#f4f1ea' -fill '#2a56c8' -draw 'circle 120,120 120,68'
ask disc 'What colour is the circle?' blue
ask disc 'What shape is the blue object?' circle
draw pair 320x240 white -fill '#c8201e' -draw 'rectangle 40,80 120,160' -fill '#2f9a3c' -draw 'polygon 240,70 290,165 190,165'
ask pair 'What colour is the square?' red
ask pair 'What shape is the green object?' triangle
ask pair 'How many shapes are there?' 2
draw four 320x320 '#eef3f7' -fill '#f0a000' -draw 'circle 70,80 70,48' -fill '#7a3fb0' -draw 'rectangle 200,50 262,112' \
  -fill '#151515' -draw 'polygon 90,200 130,270 50,270' -fill '#c8201e' -draw 'circle 240,235 240,200'
ask four 'How many shapes are there?' 4
ask four 'What colour is the triangle?' black
draw number1 256x192 white -font "$serif" -pointsize 64 -fill '#202020' -gravity center -annotate 0 '4071'
ask number1 'What number is written?' 4071
draw number2 288x224 '#fbf6e4' -font "$sans" -pointsize 56 -fill '#1d3fa8' -gravity center -annotate 0 '936'
ask number2 'Read the number.' 936
draw word1 288x192 white -font "$sans" -pointsize 56 -fill black -gravity center -annotate 0 'LAMP'
ask word1 'What word is written?' LAMP
draw word2 320x192 '#f0f0f0' -font "$serif" -pointsize 60 -fill '#8a1c1c' -gravity center -annotate 0 'RIVER'
ask word2 'Read the word.' RIVER
draw word3 256x256 white -font "$serif" -pointsize 64 -fill '#14532d' -gravity center -annotate 0 'SUN'
ask word3 'Which word do you see?' SUN

echo "right: full $right_full of $asked, POP (depth $depth of $layers, boundary text) $right_pop of $asked"
