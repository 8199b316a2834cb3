#!/bin/sh
# test_cli_recovery.sh ODORI: tests unsaved keys and poses: the title has a star, and closing the window stores them
# in the state folder; what was saved is not stored. Exits 77 (skipped) if Xvfb or xdotool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool
start_display
theirs_here

edits='frame.set 12
key.mode on
edit.select /models/#0/bones/右腕
edit.rotate 0 0 30
key.mode off
edit.clear
bone.rotate 頭 0 20 0
'
kept() { ls state/odori/recovered | grep -v '^2000' | grep -c "\.$1\$" || true; }
mkdir -p state/odori/recovered
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    : >"state/odori/recovered/2000-01-$i old.vmd"
done

# The oldest is a draft of another player that still runs: it holds a lock on it.
flock -n "state/odori/recovered/2000-01-01 old.vmd" sh -c 'until [ -e ends ]; do sleep 0.1; done' &
other=$!

printf '%spause\n' "$edits" >edits.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec edits.txt
wait_for "a star in the title" title_has '^dancer.pmx[*] - frame 12'
stop
[ -e "state/odori/recovered/2000-01-01 old.vmd" ] || fail "a draft of a player that still runs is deleted"
rm "state/odori/recovered/2000-01-01 old.vmd"
: >ends
wait $other
[ "$(kept vmd)" = 1 ] && [ "$(kept vpd)" = 1 ] || fail "what was not saved is not kept"
[ "$(ls state/odori/recovered | wc -l)" = 20 ] || fail "old ones stay for ever"
[ "$(grep -c 'unsaved edits were written to' log)" = 2 ] || fail "what is kept is not told"

# A note beside each says where it comes from.
note="$(cat state/odori/recovered/.2*' dance'*.vmd.of)"
[ "$note" = "model \"$folder/theirs/dancer.pmx\" file \"$folder/theirs/dance.vmd\" " ] || fail "another note: $note"
note="$(cat state/odori/recovered/.2*.vpd.of)"
[ "$note" = "model \"$folder/theirs/dancer.pmx\" " ] || fail "another note about a pose: $note"

# The same edits, saved: the file has the stored bytes, and nothing more is stored.
printf '%smotion.save saved.vmd\npose.save saved.vpd\npause\n' "$edits" >edits.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec edits.txt
wait_for "a title without it" title_has '^dancer.pmx - frame 12'
stop
[ "$(kept vmd)" = 1 ] && [ "$(kept vpd)" = 1 ] || fail "what was saved is kept once more"
cmp "state/odori/recovered/$(ls state/odori/recovered | grep vmd | tail -1)" saved.vmd || fail "other keys are kept than were edited"
cmp state/odori/recovered/*.vpd saved.vpd || fail "another pose is kept"

# Two models from one file, both edited: each is stored in a file of its own.
printf 'model.select 0\nbone.rotate 頭 0 20 0\nmodel.select 1\nbone.rotate 頭 0 30 0\npause\n' >edits.txt
start theirs/dancer.pmx theirs/dancer.pmx --physics off --exec edits.txt
stop
[ "$(kept vpd)" = 3 ] || fail "of two dancers one is kept"

# Drafts outlive a player that is killed.
rm -r state/odori/recovered
printf '%spause\n' "$edits" >edits.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec edits.txt
are_kept() { [ "$(kept vmd) $(kept vpd)" = "1 1" ]; }
is_locked() { are_kept && ! flock -n state/odori/recovered/*.vmd true; }
wait_for "drafts" is_locked
kill -9 "$player"
wait "$player" 2>/dev/null || true
player=
flock -n state/odori/recovered/*.vmd true || fail "a draft of a player that was killed is locked"
are_kept || fail "the drafts are gone"
cmp "state/odori/recovered/$(ls state/odori/recovered | grep vmd)" saved.vmd || fail "other keys are kept"

# They stay when what takes their place cannot be written: files must not grow any more, as on a full disk.
rm -r state/odori/recovered
trap '' XFSZ
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec edits.txt
wait_for "drafts" are_kept
prlimit --pid "$player" --fsize=16
stop
are_kept || fail "the drafts are gone, and nothing is there in their place"
cmp "state/odori/recovered/$(ls state/odori/recovered | grep vmd)" saved.vmd || fail "other keys are kept"
echo "what was edited and not saved is kept"
