#!/bin/sh
# record.sh FOLDER_OF_MMD [CASE...]: makes the models and their projects, plays them in MikuMikuDance 9.31 (x64) under
# Wine, and writes MMD's bones to answers/ and its pictures to pictures/. ODORI_MMD_TOOLS is the folder of the runner (mmd.sh, front.c, control.c,
# read.py; ../shared/tools/mmd), ODORI the program (build/odori), MMD_HOME the runner's folder (/tmp/mmd-home).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=${ODORI_MMD_TOOLS:-$root/../shared/tools/mmd}
odori=${ODORI:-$root/build/odori}
MMD_HOME=${MMD_HOME:-/tmp/mmd-home}
export MMD_HOME
[ $# -ge 1 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
mmd=$1
shift
[ -f "$tools/mmd.sh" ] || {
    echo "record.sh: there is no mmd.sh in $tools: name the folder of the runner in ODORI_MMD_TOOLS" >&2
    exit 2
}
[ -x "$odori" ] || {
    echo "record.sh: there is no $odori: build it, or name the program in ODORI" >&2
    exit 2
}
[ -f "$MMD_HOME/control.exe" ] || bash "$tools/mmd.sh" setup "$mmd"

folder=$(mktemp -d)
: >"$folder/list"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
bones='' pictures=''
for case in "$@"; do
    if grep -q "^def $case(s):" "$here/scenes.py"; then pictures="$pictures $case"; else bones="$bones $case"; fi
done
if [ $# -eq 0 ] || [ -n "$bones" ]; then
    /usr/bin/python3 "$here/models.py" "$folder" $bones
    "$odori" capture-kit "$folder/suite.json" -o "$folder/kit" --copy --root "Z:$(echo "$folder/kit" | tr / '\\')"
fi
for project in "$folder"/kit/*.pmm; do
    [ -f "$project" ] || continue
    case $project in # physics is compared while the motion stands still at frame 0, a step of 1/60 s at a time
    *physics_*) last=3 step=16.6667 ;;
    *slow*) last=29 step=33.3333 ;;
    *) last=26 step=125 ;; # a time that a float holds exactly
    esac
    timeout 170 bash "$tools/mmd.sh" bones "$project" "$folder/bones.npz" $last $step
    /usr/bin/python3 "$here/answers.py" "$MMD_HOME/dump.bin" "$here/answers"
done
if [ $# -eq 0 ] || [ -n "$pictures" ]; then
    /usr/bin/python3 "$here/scenes.py" "$odori" "$folder/scenes" $pictures >"$folder/list"
fi
while read -r case antialiasing frames; do
    MMD_MIPMAPS=on MMD_ANTIALIASING=$antialiasing \
        timeout 170 bash "$tools/mmd.sh" shot "$folder/scenes/$case.pmm" "$folder/shots" $frames </dev/null
    for frame in $frames; do
        mv "$folder/shots/$frame.png" "$here/pictures/${case}_$frame.png"
    done
done <"$folder/list"
echo "Now run: python3 tests/mmd/parity.py build/odori write docs/parity.md"
