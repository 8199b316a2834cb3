#!/bin/sh
# test_cli_strangers.sh ODORI: opens a stranger's picture in the window: it changes neither the user's settings nor the
# stored states of models, and its pose and keys are not recovered. What the user does with it is. Exits 77 (skipped)
# if Xvfb or xdotool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool
start_display
theirs_here

# The user's own settings, and a state of the model.
mkdir -p config/odori
printf 'panels.language en\nplay.count-in 2\ninput.preset left\n' >config/odori/settings.conf
printf 'morph.set 笑い 0.5\nmaterial.show 1 off\npause\n' >own.txt
start theirs/dancer.pmx --physics off --exec own.txt
stop
[ "$(ls state/odori/models | wc -l)" = 1 ] || fail "the state of a model is not stored"
rm -rf state/odori/recovered
mkdir state/odori/recovered

cat >edits.txt <<'EDITS'
bone.rotate 頭 0 30 0
morph.set 笑い 1
material.show 0 off
camera.orbit 20 0
key.mode on
edit.select /models/#0/bones/右腕
edit.rotate 0 0 30
camera.set -20 0 10 0 0 0 0 30
key.mode off
edit.clear
EDITS
"$odori" shot theirs/dancer.pmx --motion theirs/dance.vmd --frame 12 --physics off --size 64x48 --exec edits.txt -o a.png

# Compares what is stored with the user's, except for the recent files.
cp -r config config.was
cp -r state state.was
is_unchanged() {
    rm -f state/odori/recent state.was/odori/recent
    diff -r config.was config && diff -r state.was state || fail "$1 changes what is stored"
}
start a.png
wait_for "the picture" title_has ' - frame 12'
stop
[ "$(sed -n 1p state/odori/recent)" = "$PWD/a.png" ] || fail "not the picture is the last file"
is_unchanged "a picture"
printf 'file.open a.png\n' >open.txt
start theirs/dancer.pmx --physics off --exec open.txt
wait_for "the picture" title_has ' - frame 12'
stop
is_unchanged "a picture that was opened later"

# What the user does is kept: one pose, and the state of a model that was added.
printf 'bone.rotate 頭 0 20 0\nfile.open theirs/dancer21.pmx\nbone.rotate 頭 0 10 0\n' >mine.txt
start a.png --exec mine.txt
wait_for "the picture" title_has ' - frame 12'
stop
[ "$(ls state/odori/recovered | grep -c vpd)" = 2 ] || fail "the user's own edits are not kept"
[ "$(ls state/odori/models | wc -l)" = 2 ] || fail "the state of an added model is not stored"

# Pipes in place of the user's own files are neither waited for nor replaced.
rm -f state/odori/recent config/odori/settings.conf config/odori/keys.conf
mkfifo state/odori/recent config/odori/settings.conf config/odori/keys.conf
start theirs/dancer.pmx --physics off
wait_for "a frame" title_has ' fps'
stop
[ -p state/odori/recent ] && [ -p config/odori/settings.conf ] || fail "a pipe was replaced"
echo "a picture leaves no traces"
