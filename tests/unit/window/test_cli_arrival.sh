#!/bin/sh
# test_cli_arrival.sh ODORI HOLD_TEXTURES: a model is shown before its textures are decoded, which HOLD_TEXTURES delays.
# The window ends up as without a delay, and a picture that is taken meanwhile is complete. Exits 77 (skipped) if a tool
# is missing.
set -eu
odori=$1 hold=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool compare
theirs_here
start_display
printf 'panels.timeline off\npause\nframe.set 0\n' >still.txt
plain=$odori odori="$folder/held"
cat >held <<EOT
#!/bin/sh
exec env LD_PRELOAD="$hold" ODORI_TEST_GO="$folder/go" "$plain" "\$@"
EOT
chmod +x held
play() { start theirs/dancer.pmx --physics off --no-settings --log info --exec still.txt; }
shown() { log_has 'first picture after'; }
complete() { log_has 'all textures after'; }

# --- Without a delay ---
: >go
play
wait_for "all textures" complete
settled whole.png
key F12
wait_for "a picture" test -s dancer-0.png
mv dancer-0.png wanted.png
stop
[ "$(grep -c 'all textures after' log)" -eq 1 ] || fail "textures arrived more than once"

# --- The window shows the model without textures, and then with them ---
rm go
play
wait_for "the first picture" shown
settled bare.png
complete && fail "textures are there although they are held"
[ "$(colors_of bare.png)" -gt 2 ] || fail "the model is not shown before its textures"
[ "$(far_apart bare.png whole.png)" -gt 1000 ] || fail "the model has its textures already"
: >go
wait_for "all textures" complete
settled late.png
different late.png whole.png && fail "the window is different where textures came later"
stop

# --- A picture that is taken meanwhile waits ---
rm go
play
wait_for "the first picture" shown
key F12
sleep 0.5
[ ! -e dancer-0.png ] || fail "a picture was taken before the textures were there"
: >go
wait_for "the picture" test -s dancer-0.png
complete || fail "the picture did not wait for the textures"
cmp dancer-0.png wanted.png || fail "a picture that waited for textures is different"
settled late.png
different late.png whole.png && fail "the window is different after a picture"
stop

# --- A second dancer that is opened meanwhile ---
rm go dancer-0.png
mkdir -p config/odori
cp theirs/dancer.pmx theirs/second.pmx
echo 'F2 file.open theirs/second.pmx' >config/odori/keys.conf
start theirs/dancer.pmx --physics off --log info --exec still.txt
wait_for "the first picture" shown
key F2
(sleep 0.5 && : >go) &
wait_for "all textures" complete
has_both() { settled both.png && [ "$(far_apart both.png whole.png)" -gt 10000 ]; }
wait_for "the second dancer" has_both
stop
