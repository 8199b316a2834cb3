#!/bin/sh
# regular.sh ODORI FAULT [--table]: gives pipes, devices, folders and files of /proc to every option that reads a
# file. Each has to end with exit code 3 and one sentence that names the kind, without waiting for anything. With
# --table, prints the exit code and the time of each run.
odori=$1 table=${3:-}
. "$(dirname "$0")/../support/hostile.sh"
runs=0

# expect CODE TEXT ARGUMENTS...: runs the program. It has to end with the code within 10 seconds (some milliseconds, when
# nothing is waited for) and with a message that contains the text.
expect() {
    wanted=$1
    text=$2
    shift 2
    runs=$((runs + 1))
    begun=$(date +%s%N)
    timeout 10 "$odori" "$@" >out 2>err </dev/null
    code=$?
    took=$((($(date +%s%N) - begun) / 1000000))
    bad=
    [ $code -eq "$wanted" ] || bad="exit code $code, not $wanted;"
    grep -qs "$text" err out || bad="$bad nothing about \"$text\";"
    [ -z "$table" ] || echo "$kind: odori $*: exit $code, $took ms: $(cat out err | grep -a "$text" | tail -1)"
    [ -z "$bad" ] || fail "$kind: odori $*: $bad $(cat err out | head -c 2000)"
}

# suite SCENE: writes a suite of one scene.
suite() {
    printf '{"baselines": "base", "defaults": {"size": [32, 32], "frames": 0}, "scenes": [{"name": "a", %s}]}\n' \
        "$1" >suite.json
}

"$odori" shot dancer --frame 0 --size 32x32 -o good.png || exit 1

# What a stranger may put in place of a file, as links with every ending that is asked for.
mkfifo pipe
mkdir folder
what_is() {
    case $1 in
    */pipe) echo "it is a pipe" ;;
    /dev/*) echo "it is a device" ;;
    */folder) echo "" ;; # a folder may stand for the files in it
    *) echo "it is made up by the system" ;;
    esac
}
for kind in "$work/pipe" /dev/zero "$work/folder" /proc/self/environ; do
    said=$(what_is "$kind")
    for ending in pmx pmd x vac gltf glb vmd vpd wav png json so list pmm zip mkv; do
        rm -f "h.$ending"
        ln -s "$kind" "h.$ending"
    done
    [ "$kind" = "$work/folder" ] || expect 3 "$said" info h.pmx
    [ "$kind" = "$work/folder" ] || expect 3 "$said" info "$odori" h.vmd
    expect 3 "$said" shot h.pmx --frame 0 -o x.png
    expect 3 "$said" shot h.zip --frame 0 -o x.png
    expect 3 "$said" shot h.pmm --frame 0 -o x.png
    expect 3 "$said" shot dancer h.x --frame 0 -o x.png
    expect 3 "$said" shot dancer --stage h.x --frame 0 -o x.png
    expect 3 "$said" shot dancer --motion h.vmd --frame 0 -o x.png
    expect 3 "$said" shot dancer --own-motion h.vmd --frame 0 -o x.png
    expect 3 "$said" shot dancer --stage dancer --stage-motion h.vmd --frame 0 -o x.png
    expect 3 "$said" shot dancer --pose h.vpd --frame 0 -o x.png
    expect 3 "$said" shot dancer --camera h.vmd --frame 0 -o x.png
    expect 3 "$said" shot dancer --exec h.list --frame 0 -o x.png
    expect 3 "$said" shot dancer --plugin h.so --frame 0 -o x.png
    expect 3 "$said" dump h.pmx --frames 0
    expect 3 "$said" bake h.pmx --motion h.vmd -o x.vmd
    expect 3 "$said" bench h.pmx
    expect 3 "$said" convert h.glb x.pmx
    expect 3 "$said" convert h.pmx x.glb
    expect 3 "$said" check h.json
    expect 3 "$said" check h.png
    expect 3 "$said" check good.png --exec h.list
    expect 3 "$said" check good.png h.png
    expect 3 "$said" diff good.png h.png
    expect 3 "$said" diff h.png good.png
    expect 3 "$said" diff good.png good.png --mask h.png
    expect 3 "$said" diff good.png good.png --ids h.png
    expect 3 "$said" render dancer --frames 0:1 --size 32x32 --audio h.wav -o x.mp4
    expect 3 "$said" render --join h.mkv h.mkv -o x.mp4
    expect 3 "$said" play h.png
    expect 3 "$said" play dancer --audio h.wav
    expect 3 "$said" play --playlist h.list
    printf '"%s"\n' h.pmx h.pmm >both.list
    expect 3 "$said" play --playlist both.list
    expect 3 "$said" capture-kit h.json -o kit
    suite '"model": "h.pmx"'
    expect 3 "$said" check suite.json --root /
    expect 3 "$said" capture-kit suite.json --suite-root / -o kit
    suite '"model": "dancer", "motion": "h.vmd"'
    expect 3 "$said" check suite.json --root /
    suite '"model": "dancer", "mask": [{"picture": "h.png"}]'
    expect 3 "$said" check suite.json --accept --root /
    mkdir -p report && ln -sf "$kind" report/results.json
    expect 3 "$said" check --merge report --report merged
    rm -rf report
done

# Pipes that only a listing of a folder finds, or that other files name.
kind=found
mkdir models
mkfifo models/a.pmx "models/a.vmd" texture.png buffer.bin
expect 3 "it is a pipe" shot models --frame 0 -o x.png
suite '"model": "models/*.pmx"'
expect 3 "it is a pipe" check suite.json
gltf='{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
 "textures": [{"source": 0}], "images": [{"uri": "texture.png"}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "URI"}]}'
echo "$gltf" | sed 's/URI/buffer.bin/' >buffer.gltf
expect 3 "buffer.bin" info buffer.gltf
echo "$gltf" | sed 's|URI|data:application/octet-stream;base64,'"$(head -c 36 /dev/zero | base64)"'|' >texture.gltf
expect 0 "texture.png" shot texture.gltf --frame 0 --size 32x32 -o x.png

# The stored results of an unfinished run, and the baseline and its hashes.
suite '"model": "dancer"'
mkdir report
mkfifo report/state.jsonl
expect 4 "not a regular file" check suite.json --report report
rm report/state.jsonl
ln -s "$work/victim" report/state.jsonl
expect 4 "symbolic links" check suite.json --report report
[ ! -e victim ] || fail "results were written through a link"
rm report/state.jsonl
# Another run holds the lock.
kind=locked
: >report/state.jsonl
mkdir x.mp4.parts
exec 9<report/state.jsonl
flock -n 9 || fail "no lock"
expect 4 "another run is writing this report" check suite.json --report report
exec 9<x.mp4.parts
flock -n 9 || fail "no lock"
expect 4 "another run is drawing these parts" render dancer --frames 0:1 --size 32x32 --resume -o x.mp4
exec 9<&-
kind=found
"$odori" check suite.json --accept >out 2>&1 || cat out >&2
for file in base/*/a/0.json base/*/a/0.png; do
    rm -f "$file"
    mkfifo "$file"
done
expect 3 "it is a pipe" check suite.json
[ -z "$table" ] || echo "$runs runs, $failures failed"
finish
