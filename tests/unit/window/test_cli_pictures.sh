#!/bin/sh
# test_cli_pictures.sh ODORI: F12 writes to the desktop's folder for pictures, or to the one that was chosen, which is
# kept; to the current folder where there is none. A picture elsewhere is opened again from any folder.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool
start_display
mkdir -p config "my pictures" other work # the pictures are not below the folder of the model
cd work
mkdir chosen
theirs_here
printf 'pause\n' >still.txt

# taken FILE: takes a picture by F12 and waits for it. It has to be the only new one.
taken() {
    before=$(find "$folder" -name 'dancer-0*.png' | wc -l)
    key F12
    wait_for "the picture $1" test -s "$1"
    [ "$(find "$folder" -name 'dancer-0*.png' | wc -l)" -eq $((before + 1)) ] || fail "more pictures than $1"
}
look="--physics off --exec still.txt"

# --- The desktop's folder; the message says where ---
printf '# as xdg-user-dirs writes it\nXDG_MUSIC_DIR="$HOME/Music"\nXDG_PICTURES_DIR="%s/my pictures"\n' "$folder" \
    >../config/user-dirs.dirs
# shellcheck disable=SC2086
start theirs/dancer.pmx $look
taken "../my pictures/dancer-0.png"
taken "../my pictures/dancer-0-2.png"
grep -q "$folder/my pictures/dancer-0.png: picture of frame 0 written" out log || fail "no message says where it is"
stop
code=0
(cd ../other && "$odori" check "$folder/my pictures/dancer-0.png" >checked 2>&1) || code=$?
[ "$code" -le 1 ] || fail "it cannot be opened from another folder: $(cat ../other/checked)"

# --- A stage without a model, where the bundled dancer stands ---
printf 'xof 0303txt 0032\nMesh {\n3;\n-9;0;9;, 9;0;9;, 0;9;9;;\n1;\n3;0,1,2;;\n}\n' >board.x
# shellcheck disable=SC2086
start --stage board.x $look
key F12
wait_for "the picture of the stage" test -s "../my pictures/odori-0.png"
stop
grep -q 'without provenance' log && fail "the stage of a picture is not told"
"$odori" check "../my pictures/odori-0.png" >checked 2>&1 || fail "a stage without a model: $(cat checked)"

# --- A folder of the user's own is kept, and given up ---
echo 'screenshot.folder chosen' >chosen.txt
# shellcheck disable=SC2086
start theirs/dancer.pmx $look --exec chosen.txt
taken chosen/dancer-0.png
stop
# shellcheck disable=SC2086
start theirs/dancer.pmx $look
taken chosen/dancer-0-2.png
stop
echo 'screenshot.folder' >given-up.txt
# shellcheck disable=SC2086
start theirs/dancer.pmx $look --exec given-up.txt
taken "../my pictures/dancer-0-3.png"
stop
code=0
echo 'screenshot.folder missing' | "$odori" shot theirs/dancer.pmx --exec - --size 16x16 -o out.png 2>log || code=$?
[ "$code" -eq 2 ] && grep -q "missing is not a folder" log || fail "a folder that is missing: exit code $code"

# --- The home folder stands for none ---
printf 'XDG_PICTURES_DIR="$HOME/"\n' >../config/user-dirs.dirs
# shellcheck disable=SC2086
start theirs/dancer.pmx $look
taken dancer-0.png
stop
