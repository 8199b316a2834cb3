#!/bin/sh
# test_cli_files.sh ODORI: tests the player's own page of files, which Ctrl+O shows where the desktop has no dialog: folders
# and archives are entered, typing filters, several files are opened together, and Escape changes nothing; small pictures
# of files come from the desktop's cache, or are made. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert zip
start_display
theirs_here
export HOME="$folder/home"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
export MESA_SHADER_CACHE_DIR="${XDG_CACHE_HOME:-$HOME/.cache}" XDG_CACHE_HOME="$folder/cache"
mkdir -p home/Downloads/miku home/Music config/odori
cp -r theirs/dancer.pmx theirs/tex home/Downloads/miku
mv home/Downloads/miku/dancer.pmx home/Downloads/miku/初音ミク.pmx
for i in 1 2 10; do cp theirs/dance.vmd home/Downloads/dance$i.vmd; done
cp theirs/music.wav home/Downloads/song.wav
touch home/Downloads/readme.txt
# cached FILE: the path of its picture in the desktop's cache.
cached() { echo "cache/thumbnails/normal/$(printf 'file://%s/%s' "$folder" "$1" | md5sum | cut -d ' ' -f 1).png"; }
mkdir -p cache/thumbnails/normal
# A red picture, as if another program had made it for a motion.
cat >board.x <<'END'
xof 0303txt 0032
Mesh {
 4;
 -2;0;0;, 2;0;0;, 2;3;0;, -2;3;0;;
 2;
 4;0,1,2,3;, 4;3,2,1,0;;
 MeshMaterialList { 1; 2; 0,0; Material { 1;0;0;1;; 5; 0;0;0;; 1;0;0;; } }
}
END
touch -r home/Downloads/dance2.vmd board.x
"$odori" thumbnail board.x --size 128 --uri "file://$folder/home/Downloads/dance2.vmd" -o "$(cached home/Downloads/dance2.vmd)"
(cd home/Downloads && zip -qr models.zip miku)
printf 'F2 pause\nF3 model.replace 0\n' >config/odori/keys.conf
printf 'panels.timeline off\npause\nframe.set 0\n' >still.txt

# The page is dark where the list of places ends, left of the dancer, where the background is pale.
page_is_there() { picture now.png && convert ppm:now.png -crop 1x1+225+600 -depth 8 txt: | grep -q '#[0-3]'; }
page_is_gone() { ! page_is_there; }
# typed TEXT: types into the filter and waits until the rows have followed.
typed() {
    xdotool type --delay 50 "$1"
    seen
}

# --- By keys: into Downloads, into the archive, and the model in it. ---
start --exec still.txt
wait_for "a picture that stands" picture_is_drawn
key ctrl+o
wait_for "the page of files" page_is_there
settled home.png
key Escape
wait_for "no page after Escape" page_is_gone
key ctrl+o
wait_for "the page again" page_is_there
typed down
settled filtered.png
different home.png filtered.png || fail "typing does not filter"
key Return
# A picture is made for a file, and the one that was there is shown below it.
part_is_red() { picture now.png && convert ppm:now.png -crop 40x440+404+156 -depth 8 txt: | grep -qi '#f.[0-3].[0-3]'; }
made=$(cached home/Downloads/dance1.vmd)
wait_for "a picture that is made" test -s "$made"
wait_for "a picture from the desktop's cache" part_is_red
[ "$(identify -format '%wx%h' "$made")" = 128x128 ] || fail "a picture of another size"
[ "$(stat -c %a "$made")" = 600 ] || fail "others may read the picture"
typed models
key Return # the only folder in the archive opens with it
seen
settled inside.png
different filtered.png inside.png || fail "the archive is not entered"
typed 初音
seen
key Return
wait_for "the model in the archive" title_has '^初音ミク.pmx - frame'
wait_for "no page after opening" page_is_gone
key F2

# --- Two motions, picked with Down and Shift, in the folder above the archive, where the page was. ---
key ctrl+o
wait_for "the page of files" page_is_there
key BackSpace BackSpace
seen
settled downloads.png
key Down Down shift+Down
seen
settled picked.png
different downloads.png picked.png || fail "nothing is picked"
key Return
wait_for "no page after opening" page_is_gone
wait_for "the motions among the recent files" grep -qs 'home/Downloads/dance2.vmd' state/odori/recent
grep -q 'home/Downloads/dance1.vmd' state/odori/recent || fail "only one of two is opened"

# --- A model that takes the place of another one, in the folder where the page was. ---
wait_for "a pause" title_has 'paused'
key F3
wait_for "the page for replacing" page_is_there
typed miku
key Return
seen
typed 初音
key Return
wait_for "no page after replacing" page_is_gone
replaced() { grep -qx "$folder/home/Downloads/miku/初音ミク.pmx" state/odori/recent; }
wait_for "the model in place of that of the archive" replaced
stop

# --- The same by commands, and what they refuse. ---
start --exec still.txt
wait_for "a picture that stands" picture_is_drawn
stop
refused() {
    printf '%s\n' "$1" >wrong.txt
    code=0
    "$odori" shot dancer --exec wrong.txt --size 32x32 -o x.png 2>told || code=$?
    [ $code = 2 ] && grep -q "only a window" told || fail "$1: $code, $(cat told)"
}
refused 'files on'
refused 'files.go /'
echo "the page of files opens what is picked"
