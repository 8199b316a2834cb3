#!/bin/sh
# test_cli_load.sh ODORI DROP_FILES: tests files opened during playback, stopped by Escape, and read again when they
# change. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1 drop_files=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert tar

theirs_here
printf 'this is no model\n' >bad.pmx
cp theirs/dancer.pmx theirs/second.pmx
mkdir -p config/odori
cat >config/odori/keys.conf <<EOT
F2 model.replace 0 theirs/second.pmx
F3 model.replace 0 bad.pmx
F4 motion.fade-out 0 0 0 30
F5 model.select 0
F6 model.select 1
EOT
start_display
drop() { "$drop_files" "$window" "$@" || fail "dropping $*"; }
loads() { title_has 'loading: .*(Esc cancels)'; }
is_done() { ! loads; }
frame() { title | sed -n 's/.* - frame \([0-9]*\).*/\1/p'; }

# --- Opening during playback: late in the dance, a second dancer's physics takes long ---
printf 'panels.timeline off\nframe.set 1500\n' >far.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --exec far.txt
wait_for "playing" title_has ' fps'
drop theirs/second.pmx
wait_for "how far it is" loads
picture before.png
wait_for "a dance that goes on meanwhile" picture_changed
key Escape
wait_for "the end of it" is_done
wait_for "what was stopped" log_has 'second.pmx: loading was cancelled'
kill -0 "$player" || fail "Escape ended the program"
wait_for "a frame" title_has ' - frame '
at=$(frame)

drop theirs/second.pmx
wait_for "how far it is" loads
key F3 F4 # nothing else is loaded meanwhile, and the list of motions does not change
wait_for "that only one is loaded at a time" log_has 'another file is being loaded'
wait_for "that a motion cannot fade out now" log_has 'a file is being loaded; try again'
wait_for "the second dancer" is_done
wait_for "a frame" title_has ' - frame '
[ "$(frame)" -ge "$at" ] || fail "the dance went back from frame $at to $(frame)"
drop bad.pmx
wait_for "the reason" log_has 'bad.pmx: '

# --- Closing the window while a file is opened ---
drop theirs/second.pmx
wait_for "how far it is" loads
stop

# --- A half-written texture is not shown ---
printf 'panels.timeline off\npause\nframe.set 0\ncamera.reset\nmorph.set 笑い 1\nbone.rotate 右腕 0 0 30\n' >still.txt
printf 'material.show 0 off\n' >>still.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --exec still.txt
wait_for "a picture that stands" picture_is_drawn
settled whole.png
cp theirs/tex/hair.png hair.png
sleep 1.2 # changes are noticed from the second check of the file on
head -c 60 hair.png >theirs/tex/hair.png
wait_for "that it is not whole" log_has 'hair.png.*the old texture is kept'
settled half.png
different whole.png half.png && fail "half a texture is shown"
convert hair.png -modulate 40,100,100 theirs/tex/hair.png
wait_for "other colours" picture_changed
settled painted.png

# --- A file in the place of a model is read in the background, too. A broken one leaves the model, and says why. ---
key F3
wait_for "the reason" log_has 'bad.pmx: .*(the scene is unchanged)'
settled kept.png
different painted.png kept.png && fail "a broken file changed the picture"
replaced() { key F5 && log_has 'model 0 was removed'; }
key F2
wait_for "the model in the place of another" replaced
settled replaced.png
[ "$(far_apart painted.png replaced.png)" -lt 500 ] || fail "the model in the place of another looks different"
key ctrl+z F6
wait_for "the model before" log_has 'model 1 was removed'

# --- A model that is saved again keeps its edits ---
cp theirs/dancer.pmx copy.pmx
cp copy.pmx theirs/dancer.pmx
wait_for "the model" log_has 'dancer.pmx: reloaded'
settled again.png
[ "$(far_apart painted.png again.png)" -lt 500 ] || fail "a model that was saved again looks different"
key ctrl+z
wait_for "the arm where it was" picture_changed
settled undone.png
key ctrl+z
wait_for "the face as it was" picture_changed
stop

# --- Archives are watched, and audio is read from them ---
mkdir pack
cp -r theirs/dancer.pmx theirs/tex pack
music=$(find theirs -name '*.ogg' -o -name '*.wav' -o -name '*.flac' | head -1)
cp "$music" pack
tar -cf packed.tar pack
start packed.tar --audio packed.tar --no-settings --exec still.txt
wait_for "a picture that stands" picture_is_drawn
settled packed.png
sleep 1.2
for texture in pack/tex/*.png; do
    convert "$texture" -modulate 60,60,100 other.png
    cp other.png "$texture"
done
tar -cf new.tar pack
mv new.tar packed.tar
wait_for "other colours out of the archive" picture_changed
wait_for "the archive" log_has 'packed.tar: reloaded'
stop

# --- A texture that grows leaves less memory for those of the other model, which are drawn smaller, too ---
cp -r theirs others
needed=$("$odori" shot theirs/dancer.pmx others/dancer.pmx --frame 0 --physics off --size 32x32 --texture-memory 1 \
    -o small.png 2>&1 | sed -n 's/.* need \([0-9]*\) MiB.*/\1/p')
start theirs/dancer.pmx others/dancer.pmx --place 8,0,0 --texture-memory $((needed + 2)) --physics off --no-settings \
    --exec still.txt
wait_for "a picture that stands" picture_is_drawn
log_has 'drawn smaller' && fail "the textures have no memory from the beginning"
sleep 1.2
convert others/tex/white.png -resize '1024x1024!' grown.png
cp grown.png others/tex/white.png
wait_for "the texture" log_has 'white.png: reloaded'
log_has 'sides of up to 512 pixels' || fail "the textures have enough memory"
picture before.png
key F12
wait_for "a picture by F12" test -s dancer-0.png
stop
"$odori" check dancer-0.png >checked 2>&1 || fail "the picture of F12 is drawn again with other textures: $(cat checked)"
