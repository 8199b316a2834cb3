#!/bin/sh
# Shows what `odori check` says of changed models and motions: accepts a scene, puts one mutated file after the other
# in its place, and prints a line for each with ok or NOT, whether the change is named.
#
# usage: causes.sh ODORI TEST_CONTENTS MODEL.pmx MOTION.vmd [--keep-inputs]
# ODORI and TEST_CONTENTS are programs of a build. The model is used without its textures.
set -eu
[ $# -ge 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
odori=$(realpath "$1") test=$(realpath "$2") model=$(realpath "$3") motion=$(realpath "$4") keep=${5:-}
said=usual
[ -z "$keep" ] || said=full
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/mutated" "$work/suite"
"$test" "$model" "$motion" "$work/mutated" >/dev/null || true
cd "$work/suite"
cp "$model" model.pmx
cp "$motion" motion.vmd
# Vertices that differ are drawn at another place, so a tolerance of 0 fails all that is seen.
echo '{"scenes": [{"name": "s", "model": "model.pmx", "motion": "motion.vmd", "frames": 40, "size": [160, 160]}]}' \
  >suite.json
"$odori" check suite.json --accept $keep >/dev/null 2>&1
all=0 named=0
for expected in "$work"/mutated/*."$said"; do
  number=$(basename "$expected" ".$said")
  cp "$model" model.pmx
  cp "$motion" motion.vmd
  for kind in pmx vmd; do
    [ ! -e "$work/mutated/$number.$kind" ] || cp "$work/mutated/$number.$kind" "$([ $kind = pmx ] && echo model.pmx || echo motion.vmd)"
  done
  line=$("$odori" check suite.json 2>&1 | grep -E '^(fail|note)' || true)
  all=$((all + 1))
  if printf '%s' "$line" | grep -qF -- "$(cat "$expected")"; then
    named=$((named + 1))
    echo "ok   $number $line"
  else
    echo "NOT  $number (expected: $(cat "$expected")) $line"
  fi
done
echo "$named of $all mutations are named"
[ "$named" -eq "$all" ]
