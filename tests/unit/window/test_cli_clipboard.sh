#!/bin/sh
# test_cli_clipboard.sh ODORI: tests copying from the player's window and pasting into it by keys: pictures, poses,
# files. Uses xclip if it is installed, and a stub of it in any case. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert identify
theirs_here

mkdir -p config/odori fake empty 'two words'
printf 'window.size 480 360\n' >config/odori/settings.conf
cat >fake/xclip <<EOF
#!/bin/sh
echo "\$@" >"$folder/arguments"
exec cat >"$folder/copied.png"
EOF
chmod +x fake/xclip
start_display
printf 'panels.timeline off\npause\nframe.set 599\n' >still.txt
all_path=$PATH

# The window shows no clipboard, so the stub writes what it gets to files.
is_picture() { [ -s copied.png ] && [ "$(identify -format '%m %wx%h' copied.png 2>/dev/null)" = "PNG 480x360" ]; }
start_still() {
    start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec still.txt
    wait_for "frame 599" title_has 'frame 599 '
    key Right
    wait_for "a still picture" picture_is_drawn
}

# --- A picture, by the stub ---
PATH="$folder/fake:$all_path"
start_still
cp after.png six.png
key ctrl+shift+c
wait_for "a picture in the clipboard" is_picture
wait_for "a message" log_has 'picture of frame 600 was copied to the clipboard'
[ "$(cat arguments)" = "-selection clipboard -t image/png" ] || fail "arguments: $(cat arguments)"
[ "$(far_apart copied.png six.png)" -lt 4000 ] || fail "another picture than is seen"
stop

# --- No clipboard program ---
PATH=$all_path
old=$odori
printf '#!/bin/sh\nPATH=%s exec %s "$@"\n' "$folder/empty" "$old" >without
chmod +x without
odori=$folder/without
start_still
key ctrl+shift+c
wait_for "a sentence" log_has 'install wl-copy (Wayland) or xclip'
stop
odori=$old

# --- A pose, pasted at another frame and undone ---
start_still
cp after.png six.png
key ctrl+c
wait_for "a pose in the clipboard" log_has 'pose of frame 600 was copied to the clipboard'
key Home
wait_for "frame 0" title_has 'frame 0 '
settled zero.png
[ "$(far_apart zero.png six.png)" -gt 2000 ] || fail "frames 0 and 600 are alike"
key ctrl+v
taken_over() { picture now.png && [ "$(far_apart now.png six.png)" -lt 200 ]; }
given_back() { picture now.png && [ "$(far_apart now.png zero.png)" -lt 200 ]; }
wait_for "frame 600's pose at frame 0" taken_over
key ctrl+z
wait_for "frame 0's own after one step back" given_back

# --- Contents from other programs ---
if command -v xclip >/dev/null 2>&1; then
    key ctrl+c
    wait_for "a pose of frame 0" log_has 'pose of frame 0 was copied to the clipboard'
    xclip -selection clipboard -o >pose.vpd
    head -1 pose.vpd | grep -q '^Vocaloid Pose Data file' || fail "no pose: $(head -1 pose.vpd)"
    grep -q '{センター' pose.vpd || fail "no bones: $(head -5 pose.vpd)"
    key ctrl+shift+c
    wait_for "a picture" log_has 'picture of frame 0 was copied to the clipboard'
    xclip -selection clipboard -o -t image/png >copied.png
    is_picture || fail "no picture in the clipboard: $(identify copied.png)"
    cp theirs/dance.vmd 'two words/another%.vmd'
    printf 'copy\nfile://%s/two%%20words/another%%25.vmd\n' "$folder" | xclip -selection clipboard
    key shift+Right
    wait_for "frame 10" title_has 'frame 10 '
    key ctrl+v
    wait_for "a motion pasted as a URI, which begins" title_has 'frame 0 '
    printf 'neither here nor there' | xclip -selection clipboard
    key ctrl+v
    wait_for "what is pasted is told" log_has 'neither a pose (VPD) nor paths of existing files'
    printf 'Vocaloid Pose Data file\r\n\r\nbroken' | xclip -selection clipboard
    key ctrl+v
    wait_for "a broken pose is told" log_has 'the pose:'
else
    echo "not looked at: what others copied, for want of xclip"
fi
stop
