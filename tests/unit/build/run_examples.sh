#!/bin/sh
# run_examples.sh DOCUMENT ODORI: runs the examples of a manual, so that they stay true.
#
# Every block marked ```sh is run in the order of the document, by `sh -eu`, in a temporary folder of the document.
# A comment line directly above a block gives further expectations:
#
#   <!-- example: exit 1 -->          its last command exits with this code, which is 0 by default
#   <!-- output -->                   above a ```text block: what the sh block before it prints, on stdout and stderr;
#                                     a line of ... alone matches any number of lines, and ... at the end of
#                                     a line matches the rest of the line
#   <!-- file: suite.json -->         the block is written to this file, in the order of the document
#   <!-- not run: why -->             the sh block is only counted, not run
#
# The folder has substitutes for the reader's files, made from the bundled dancer (prepare, below). `odori play`
# loads everything, runs its commands and quits before a window opens. Prints how many commands were run.
# EXAMPLES_VERBOSE=1 prints each block before it is run.
set -eu
document=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
ODORI_REAL=$(CDPATH='' cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
export ODORI_REAL
dancer=$(dirname -- "$ODORI_REAL")/dancer
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$folder/bin" "$folder/blocks" "$folder/place" "$folder/home"

# Ignores the user's settings, but uses the user's cache of compiled shaders.
export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$HOME/.cache}"
export HOME="$folder/home" XDG_CONFIG_HOME="$folder/home/config" XDG_STATE_HOME="$folder/home/state"
export LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY 2>/dev/null || true

echo quit >"$folder/quit.txt"
cat >"$folder/bin/odori" <<WRAPPER
#!/bin/sh
case " \$* " in
*" --help "*) ;;
" play "*) exec "\$ODORI_REAL" "\$@" --exec "$folder/quit.txt" ;;
esac
exec "\$ODORI_REAL" "\$@"
WRAPPER
chmod +x "$folder/bin/odori"
PATH="$folder/bin:$PATH"
export PATH

# pack ARCHIVE FILE...: packs files, following links.
pack() {
    if command -v zip >/dev/null 2>&1; then zip -q -0 -r "$@"; else tar -chf "$@"; fi
}

# prepare: makes the files that the manuals use as the reader's own. They are copies, because a suite names no file
# outside of its folder.
prepare() {
    ln -s "$source" odori
    cp -R "$dancer/tex" tex
    cp -R "$dancer/dancer.pmx" miku.pmx
    cp -R "$dancer/dancer.pmx" rin.pmx
    cp -R "$dancer/dancer.pmx" theatre.pmx
    cp -R "$dancer/dance.vmd" dance.vmd
    cp -R "$dancer/dance.vmd" curtains.vmd
    cp -R "$dancer/dance.vmd" smile.vmd
    cp -R "$dancer/camera.vmd" camera.vmd
    cp -R "$dancer/music.wav" song.wav
    mkdir models dances
    for name in miku rin; do
        mkdir "models/$name"
        cp -R "$dancer/tex" "models/$name/tex"
        cp -R "$dancer/dancer.pmx" "models/$name/$name.pmx"
    done
    cp -R "$dancer/dance.vmd" dances/dance.vmd
    # An accessory: a square.
    cat >theatre.x <<'ACCESSORY'
xof 0302txt 0064
Mesh {
  4;
  -20.0;0.0;-20.0;, -20.0;0.0;20.0;, 20.0;0.0;20.0;, 20.0;0.0;-20.0;;
  1;
  4;0,1,2,3;;
  MeshMaterialList {
    1; 1; 0;;
    Material { 0.7;0.6;0.5;1.0;; 5.0; 0.0;0.0;0.0;; 0.2;0.2;0.2;; }
  }
}
ACCESSORY
    cp theatre.x fan.x
    # A project of the format that MMD saves.
    cat >project.json <<'SUITE'
{"scenes": [{"name": "scene", "model": "miku.pmx", "motion": "dance.vmd", "camera": "camera.vmd", "size": [320, 240]}]}
SUITE
    odori capture-kit project.json -o kit >/dev/null
    mv kit/01-scene.pmm scene.pmm
    rm -r kit project.json
    # zip is not installed everywhere. odori reads tar files of any name, too.
    (cd models && pack ../miku.zip miku)
    pack dance.zip dance.vmd
}
(cd "$folder/place" && prepare)

# Cuts the document into blocks/NNN.{sh,text,file,skip}, with the line number and the expectation in NNN.about.
awk -v blocks="$folder/blocks" '
    function about() { return blocks "/" sprintf("%03d", n) }
    /^```/ && !inside {
        language = substr($0, 4)
        kind = ""
        if (mark ~ /^file: /) { kind = "file"; value = substr(mark, 7) }
        else if (mark ~ /^not run: / && language == "sh") { kind = "skip"; value = substr(mark, 10) }
        else if (mark == "output") { kind = "text"; value = "" }
        else if (language == "sh") {
            kind = "sh"; value = 0
            if (mark ~ /^example: exit [0-9]+$/) value = substr(mark, 15)
            else if (mark != "") { print FILENAME ":" NR ": unknown mark: " mark > "/dev/stderr"; bad = 1 }
        }
        if (kind != "") {
            n++
            body = about() "." kind
            printf "%s", "" > body
            print NR " " value > (about() ".about")
        }
        inside = 1; mark = ""
        next
    }
    /^```/ { inside = 0; if (kind != "") close(body); next }
    inside { if (kind != "") print > body; next }
    /^<!-- .* -->$/ { mark = substr($0, 6, length($0) - 9); next }
    /./ { mark = "" }
    END { exit bad }' "$document"

# commands FILE: prints the number of commands, without comments and continuation lines.
commands() {
    awk '!on && !/^[ \t]*(#|$)/ { n++ } { on = /\\$/ } END { print n + 0 }' "$1"
}

# matches WANTED GOT: tests whether the output is as the document shows it.
matches() {
    awk '
        NR == FNR { want[++wants] = $0; next }
        { got[++gots] = $0 }
        function is_line(w, g) {
            if (w !~ /[.][.][.]$/) return w == g
            return index(g, substr(w, 1, length(w) - 3)) == 1
        }
        function same(w, g,    i) {
            for (; w <= wants; w++) {
                if (want[w] == "...") {
                    for (i = g; i <= gots + 1; i++)
                        if (same(w + 1, i)) return 1
                    return 0
                }
                if (g > gots || !is_line(want[w], got[g])) return 0
                g++
            }
            return g > gots
        }
        END { exit !same(1, 1) }' "$1" "$2"
}

fail() {
    echo "$document:$line: $1" >&2
    [ ! -f "$folder/output" ] || cat "$folder/output" >&2
    exit 1
}

ran=0 left_out=0 compared=0
: >"$folder/output"
cd "$folder/place"
for block in "$folder"/blocks/*.about; do
    [ -f "$block" ] || break
    read -r line value <"$block"
    stem=${block%.about}
    if [ -f "$stem.file" ]; then
        mkdir -p "$(dirname -- "$value")"
        cp "$stem.file" "$value"
    elif [ -f "$stem.skip" ]; then
        left_out=$((left_out + $(commands "$stem.skip")))
    elif [ -f "$stem.sh" ]; then
        code=0
        [ -z "${EXAMPLES_VERBOSE:-}" ] || { date +%T.%N; cat "$stem.sh"; } >&2
        sh -eu "$stem.sh" >"$folder/output" 2>&1 </dev/null || code=$?
        [ "$code" = "$value" ] || fail "exit code $code, expected $value"
        ran=$((ran + $(commands "$stem.sh")))
    else
        matches "$stem.text" "$folder/output" || fail "the output is another one:"
        compared=$((compared + 1))
    fi
done
echo "$(basename -- "$document"): $ran commands run, $left_out not run, $compared outputs compared"
