#!/bin/sh
# test_cli_choose.sh ODORI MOCK_PORTAL: tests opening files by the desktop's dialog (Ctrl+O), for which MOCK_PORTAL stands
# in on a session bus of its own, and files that another program has put into the clipboard (Ctrl+V), for which xclip
# stands in. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1 mock_portal=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool dbus-daemon xclip import compare convert

bus='' mock='' owner=''
finish_all() {
    [ -z "$owner" ] || kill -KILL "$owner" 2>/dev/null || true
    [ -z "$mock" ] || kill "$mock" 2>/dev/null || true
    [ -z "$bus" ] || kill "$bus" 2>/dev/null || true
    finish
}
trap finish_all EXIT

mkdir -p config/odori 'two words'
printf 'window.size 320 240\n' >config/odori/settings.conf
printf 'panels.timeline off\npause\nkey.mode on\n' >still.txt
printf 'F2 model.replace 0\nF3 camera.set 45 0 10 0 0 0 0 30\nF4 camera.set 45 0 12 0 0 0 0 30\n' >config/odori/keys.conf
cat >board.x <<'END'
xof 0303txt 0032
Mesh {
 4;
 -2;0;0;, 2;0;0;, 2;3;0;, -2;3;0;;
 2;
 4;0,1,2,3;, 4;3,2,1,0;;
}
END
for name in 'two words/ミク 50%.x' second.x third.x fourth.x fifth.x sixth.x; do cp board.x "$name"; done
cat >bus.conf <<END
<busconfig><type>session</type><listen>unix:path=$folder/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
END
export DBUS_SESSION_BUS_ADDRESS="unix:path=$folder/bus"

# opened FILE: tests whether a file was opened, by the list of recent files.
opened() { grep -qxF "$folder/$1" state/odori/recent 2>/dev/null; }
asked() { grep -q -e "$1" portal.log; }
asked_times() { [ "$(grep -c '^OpenFile' portal.log)" -ge "$1" ]; }
# portal MODE [URI...]: puts another mock in the place of the portal.
portal() {
    if [ -n "$mock" ]; then
        kill "$mock"
        wait "$mock" 2>/dev/null || true
    fi
    : >ready
    "$mock_portal" "$1" portal.log ${2+"$2"} ${3+"$3"} >ready 2>>log &
    mock=$!
    wait_for "the mock" grep -q ready ready
}

# The button "..." beside the only name on the list of what is unsaved, in a window of 320x240.
dots='275 115'
start_display
start board.x --exec still.txt
wait_for "the title" title_has 'board.x - frame 0 - paused'

# --- No bus, no portal ---
# The player's own page covers most of the window.
settled plain.png
page_is_there() { picture now.png && [ "$(far_apart now.png plain.png)" -gt 20000 ]; }
page_is_gone() { ! page_is_there; }
key ctrl+o
wait_for "the player's own page" page_is_there
key Escape
wait_for "no page" page_is_gone
dbus-daemon --config-file=bus.conf --nofork 2>bus.log &
bus=$!
wait_for "a bus" [ -S bus ]
key ctrl+o
wait_for "the player's own page without a portal" page_is_there
key Escape
wait_for "no page" page_is_gone

# --- Files are chosen ---
portal answer "file://$folder/two%20words/%E3%83%9F%E3%82%AF%2050%25.x" "file://$folder/second.x"
key ctrl+o
wait_for "the first chosen file" opened 'two words/ミク 50%.x'
wait_for "the second chosen file" opened second.x
asked "^parent: x11:$(printf '%x' "$window")\$" || fail "another parent: $(grep parent portal.log)"
asked '^multiple: 1$' || fail "one file only"
asked "^current_folder: $folder\\\\0\$" || fail "another folder: $(grep folder portal.log)"
asked '\*\.\[pP\]\[mM\]\[xX\]' || fail "no filter"

# --- Nothing is chosen, or it fails ---
portal cancel
key ctrl+o
wait_for "another question" asked_times 2
portal refuse
key ctrl+o
wait_for "why it failed" log_has 'file chooser failed: not today'

# --- A name for saving. One that has got an ending since is asked about, on the list of what is unsaved. ---
asked_for_names() { [ "$(grep -c '^SaveFile' portal.log)" -ge "$1" ]; }
portal answer "file://$folder/pose.vpd"
key ctrl+shift+s
wait_for "a pose, although everything is saved" [ -s pose.vpd ]
portal answer "file://$folder/two%20words/mine"
key F3
wait_for "a star after an edit" title_has '^[^ ]*[*] - frame'
settled plain.png
key ctrl+shift+s
wait_for "a saved camera" [ -s 'two words/mine.vmd' ]
wait_for "a title without a star" title_has '^[^*]* - frame'
asked '^current_name: camera.vmd$' || fail "another name: $(grep current_name portal.log)"
asked '^filters: .*\[vV\]\[mM\]\[dD\]' || fail "no filter of motions"
cp 'two words/mine.vmd' first.vmd
key F4
wait_for "a star after another edit" title_has '^[^ ]*[*] - frame'
key ctrl+shift+s
wait_for "the list, because the file exists" page_is_there
cmp -s first.vmd 'two words/mine.vmd' || fail "a file is replaced that nobody was asked about"
settled list.png
portal answer "file://$folder/two%20words/another.vmd"
click $dots
wait_for "the desktop's dialog for the item" asked_for_names 4
settled named.png
different list.png named.png || fail "the name on the list is the old one"
[ ! -e 'two words/another.vmd' ] || fail "choosing a name saves"
key Return
wait_for "a file of the chosen name" [ -s 'two words/another.vmd' ]
cmp -s first.vmd 'two words/mine.vmd' || fail "another file is saved to"

# --- A model is replaced ---
questions=$(grep -c '^OpenFile' portal.log)
portal answer "file://$folder/sixth.x"
key F2
wait_for "the model that takes the other's place" opened sixth.x
asked '^title: Replace the model$' || fail "another title: $(grep title portal.log)"
tail -8 portal.log | grep -q '^multiple' && fail "several files for one model"

# --- Files that another program has copied ---
printf '# from a file manager\r\nfile://%s/third.x\r\n' "$folder" | xclip -selection clipboard -t text/uri-list
key ctrl+v
wait_for "a file pasted as text/uri-list" opened third.x
printf 'copy\nfile://%s/fourth.x' "$folder" | xclip -selection clipboard -t x-special/gnome-copied-files
key ctrl+v
wait_for "a file pasted from Nautilus" opened fourth.x

# --- An owner of the clipboard that does not answer ---
printf 'file://%s/second.x\r\n' "$folder" >uris
xclip -quiet -selection clipboard -t text/uri-list uris 2>/dev/null &
owner=$!
serves_uris() { xclip -selection clipboard -t TARGETS -o 2>/dev/null | grep -q text/uri-list; }
wait_for "an owner" serves_uris
kill -STOP "$owner"
key ctrl+v
wait_for "that it does not answer" log_has 'owns the clipboard does not answer'
kill -KILL "$owner"
wait "$owner" 2>/dev/null || true
owner=
printf 'file://%s/fifth.x' "$folder" | xclip -selection clipboard -t text/uri-list
key ctrl+v
wait_for "a file pasted after that" opened fifth.x

# --- A dialog that is open when the program ends ---
portal wait
key ctrl+o
wait_for "a dialog" asked_times $((questions + 2))
key ctrl+o
wait_for "that it is open" log_has 'file chooser is open already'
! asked '^Close' || fail "the dialog was closed"
stop
wait_for "the dialog to be closed" asked '^Close'
