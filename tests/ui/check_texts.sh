#!/usr/bin/env bash
# Every text of the program stands in the Spanish file, translated: check_texts.sh LUPDATE SOURCE_FOLDER WORK_FOLDER
set -euo pipefail
lupdate=$1 source=$2 work=$3
mkdir -p "$work"
cp "$source/ui/i18n/poplens_es.ts" "$work/poplens_es.ts"
"$lupdate" -silent -locations none -I "$source" "$source/ui" -ts "$work/poplens_es.ts"
if grep -B8 -E '<translation( type="unfinished"|></translation>)' "$work/poplens_es.ts"; then
  echo "ui/i18n/poplens_es.ts: the texts above are not translated (lupdate -I . ui -ts ui/i18n/poplens_es.ts)" >&2
  exit 1
fi
if grep -B8 -E '<translation type="(vanished|obsolete)"' "$work/poplens_es.ts"; then
  echo "ui/i18n/poplens_es.ts: the program no longer has the texts above" >&2
  exit 1
fi
