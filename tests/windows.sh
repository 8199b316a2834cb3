#!/bin/sh
# windows.sh: builds odori for Windows (app/windows.sh) and for this machine, then runs the Windows program under Wine
# with Xvfb: the unit tests that apply, and the program from the archive, unpacked in a folder with a Japanese name. What
# it prints, draws and decides is compared with the program of this machine, byte by byte. Models and motions are the
# bundled dancer and, where they exist, those of ../shared. Ends with 1 after the first difference.
#
# The files that it makes are in build/windows/test; screenshots of the player are in build/windows/test/screenshots.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build="$root/build/windows"
test="$build/test"
native="$root/build/odori"
shared="$root/../shared/data"

archive=$(sh "$root/app/windows.sh")
cd "$root"
cmake --build build --target odori screen drop_files both_sides --parallel "$(nproc)" >&2
cmake --build "$build" --parallel "$(nproc)" >&2

chmod -R u+w "$test" 2>/dev/null || :
rm -rf "$test"
mkdir -p "$test/踊り 配布" "$test/bin"
(cd "$test/踊り 配布" && unzip -q "$archive")
folder_of_program=$(echo "$test/踊り 配布"/odori-*)
odori="$test/bin/odori"
cat >"$odori" <<END
#!/bin/sh
exec wine "$folder_of_program/odori.exe" "\$@"
END
chmod +x "$odori"
export WINEPREFIX="$build/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' # no offers to install these

. "$root/tests/support/window.sh" # a temporary folder, and functions for the player's window
screen="$root/build/screen"
ODORI_KEEP_SCREENSHOTS="$test/screenshots"
trap 'wineserver -k || :; finish' EXIT
need_tools wine Xvfb xdotool import compare script
start_display
wineboot -u >/dev/null 2>&1
step() { echo "ok: $*"; }

# both CODE NAME ARGUMENTS...: runs both programs with the same arguments, each in a folder of its own. Both must end with
# the exit code; what they print and write must be equal.
mkdir native windows
both() {
    expected=$1 name=$2
    shift 2
    for system in native windows; do
        program=$native
        [ "$system" = native ] || program=$odori
        code=0
        (cd "$system" && "$program" "$@" >"$name.out" 2>"$name.err" </dev/null) || code=$?
        [ "$code" = "$expected" ] || {
            cat "$system/$name.err" >&2
            fail "$name, $system: exit code $code, not $expected"
        }
    done
    diff -r native windows >&2 || fail "$name: the programs differ"
}

# Wine's desktop is a process that lives as long as a window does. A test that started it would seem to run on, because it
# keeps the test's output open; so another program has a window meanwhile.
wine winver >/dev/null 2>&1 &
window_keeper=$!
xdotool search --sync --onlyvisible --name 'About Wine' >/dev/null
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" >"$test/unit.log" 2>&1 || {
    cat "$test/unit.log" >&2
    fail "unit tests"
}
kill "$window_keeper"
step "unit tests: $(grep 'tests passed' "$test/unit.log")"

# --- Numbers and pictures: models, each with a motion, with physics. ---
cp -R "$root/build/dancer" dancer
ln -s "$shared" shared
{
    echo ../dancer/dancer.pmx ../dancer/dance.vmd
    for model in miku/初音ミク.pmx alicia/Alicia_solid.pmx tda/Tda式初音ミク_デフォ服ver.pmx ganyu/甘雨.pmx \
        pmd/Miku_Hatsune_Ver2.pmd tumi/ミクさん.pmx; do
        [ ! -e "shared/models/$model" ] || echo "../shared/models/$model ../dancer/dance.vmd"
    done
} >models.txt
number=0
while read -r model motion; do
    number=$((number + 1))
    both 0 "info$number" info "$model" --json
    both 0 "dump$number" dump "$model" --motion "$motion" --physics on --frames 0:120:20,300 -o "dump$number.json"
    both 0 "hash$number" dump "$model" --motion "$motion" --physics on --frames 0:300 --hash
    both 0 "shot$number" shot "$model" --motion "$motion" --physics on --frame 120 --size 640x360 -o "shot$number.png"
    step "$model: info, dump, hash and picture"
done <models.txt
both 3 missing info "足りない.pmx"
both 0 render render ../dancer/dancer.pmx --motion ../dancer/dance.vmd --frames 0:4 --size 160x120 -o '動画/%05d.png'
both 0 bake bake ../dancer/dancer.pmx --motion ../dancer/dance.vmd --frames 0:60 -o baked.vmd
both 0 convert convert ../dancer/dancer.pmx dancer.glb
step "render, bake, convert"

# --- check with two jobs: a suite that passes, and one that does not. ---
cat >suite.json <<'END'
{"scenes": [
  {"name": "踊り", "model": "dancer/dancer.pmx", "motion": "dancer/dance.vmd", "frames": [30, 60], "size": [160, 120]},
  {"name": "standing", "model": "dancer/dancer.pmx", "physics": true, "frames": "0:30:15", "size": [160, 120]}]}
END
sed 's/"standing", /&"exec": "bone.rotate 頭 0 20 0", /' suite.json >changed.json
"$native" check suite.json --accept >/dev/null
both 0 check-suite check ../suite.json --jobs 2 --report passed
both 1 check-changed check ../changed.json --jobs 2 --report failed
step "check with two jobs: $(tail -n 1 windows/check-suite.out), then $(tail -n 1 windows/check-changed.out)"

# --- The console has its code page back, after an error, too. ---
(
    cd "$folder_of_program"
    script -qc 'wine cmd /c "chcp & odori.exe info missing.pmx > nul 2> nul & odori.exe --version > nul & chcp"' \
        /dev/null </dev/null
) | tr -d '\r' | grep -a -o 'page: [0-9]*' >pages.txt || :
[ "$(wc -l <pages.txt)" = 2 ] && [ "$(sort -u pages.txt | wc -l)" = 1 ] || fail "code pages: $(cat pages.txt)"
step "code page of the console"

# --- "Open with" in the registry, and back; a plug-in. ---
registry() {
    for key in Classes RegisteredApplications odori; do
        wine reg query "HKCU\\Software\\$key" /s 2>/dev/null | tr -d '\r' | sed '/^ *$/d' || :
    done
}
wine reg add 'HKCU\Software\Classes\.pmx' /ve /d theirs /f >/dev/null
wine reg add 'HKCU\Software\Classes\.pmx\OpenWithProgids' /v theirs /f >/dev/null
wine reg add 'HKCU\Software\Classes\.vmd' /f >/dev/null # empty keys stay, too
wine reg add 'HKCU\Software\Classes\.vpd\OpenWithProgids' /f >/dev/null
wine reg add 'HKCU\Software\RegisteredApplications' /v theirs /d nothing /f >/dev/null
registry >registry.before
"$odori" register >register.out 2>&1 || fail "register"
registry >registry.registered
"$odori" register --dry-run >register.out 2>&1
grep -q 'everything is registered already' register.out || fail "registering is not idempotent: $(cat register.out)"
grep -q 'odori\.pmx *REG_SZ' registry.registered || fail "no class in OpenWithProgids"
grep -q 'odori.exe" play --first-page "%1"$' registry.registered || fail "no command"
grep -q '(Default) *REG_SZ *theirs$' registry.registered || fail "the default program of .pmx is another"
"$odori" unregister >register.out 2>&1 || fail "unregister"
registry >registry.after
cmp registry.before registry.after || fail "unregister leaves something"
step "register, unregister: $(diff registry.before registry.registered | grep -c '^>') lines of the registry and back"
printf 'edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\n' >turn.txt
set -- dump dancer/dancer.pmx --frames 0 --what bones --exec turn.txt
"$native" "$@" --plugin "$root/build/tests/both_sides.so" >plugin.native
"$odori" "$@" --plugin "$build/tests/both_sides.dll" >plugin.windows 2>plugin.err || fail "plug-in: $(cat plugin.err)"
"$odori" "$@" >plugin.without
cmp plugin.native plugin.windows || fail "the plug-in does something else"
cmp -s plugin.windows plugin.without && fail "the plug-in does nothing"
step "plug-in"

# --- The player: a dance, a file that is dropped, a pose that is saved. ---
rm -rf "$WINEPREFIX"/drive_c/users/*/AppData/*/odori # settings and recovered changes of earlier runs
printf 'panels.timeline off\npause\nframe.set 300\nbone.rotate 頭 0 20 0\n' >still.txt
start dancer/dancer.pmx --motion dancer/dance.vmd --exec still.txt
wait_for "a picture that stands" picture_is_drawn
wait_for "a title with the frame and a star" title_has '^dancer.pmx[*] - frame 300'
import -window "$window" play.png
settled paused.png
key ctrl+s
wait_for "the question what to save" picture_changed
settled asked.png
key Return
wait_for "a saved pose" test -s dancer/dancer.vpd
wait_for "a title without a star" title_has '^dancer.pmx - frame 300'
both 0 saved info ../dancer/dancer.vpd --json
wait_for "a picture that stands" picture_is_drawn
cp before.png alone.png
"$root/build/drop_files" "$window" "$folder/dancer/dancer21.pmx" || fail "dropping a model"
wait_for "the dropped model" picture_changed
wait_for "a picture that stands" picture_is_drawn
[ "$(far_apart before.png alone.png)" -gt 10000 ] || fail "the dropped model is not drawn"
key Tab
wait_for "panels" picture_changed
wait_for "a picture that stands" picture_is_drawn
import -window "$window" panels.png
stop
step "play, save, drop; look at $ODORI_KEEP_SCREENSHOTS"
