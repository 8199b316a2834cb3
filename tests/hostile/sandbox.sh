#!/bin/sh
# sandbox.sh ODORI REACH_OUT [SHARED]: runs the subcommands with --sandbox on and off. They have to write the same bytes
# and print the same, for the bundled dancer, an archive, a project's folder, a suite with all of them, and every model
# of SHARED where it exists. Then a plug-in that tries to read a planted file and to make a network socket takes the
# place of a stranger's code: it has to fail with the sandbox, and to succeed without. Exit code 77: the kernel has no
# Landlock, so nothing of that could be tried.
odori=$1 reach_out=$2 shared=${3:-}
. "$(dirname "$0")/../support/hostile.sh"
mkdir runs dance

# same CODE ARGUMENTS: runs odori in an empty folder with the sandbox on, and in another with it off, and compares
# everything that it wrote and printed. With $at_home the folder is the home folder, and with $first a command that
# runs before.
at_home=
first=true
same() {
    wanted=$1
    shift
    rm -rf runs/on runs/off
    for sandbox in on off; do
        mkdir "runs/$sandbox"
        (cd "runs/$sandbox" && $first || exit 1
            [ -z "$at_home" ] || export HOME="$PWD"
            timeout 120 "$odori" "$@" --sandbox $sandbox >out 2>err </dev/null; echo $? >code
            sed -i "s,/runs/$sandbox,/runs,g" out err)
    done
    [ "$(cat runs/on/code)" = "$wanted" ] || fail "$*: exit code $(cat runs/on/code): $(tail -1 runs/on/err)"
    diff -r runs/on runs/off >differences || fail "$*: the sandbox changes $(head -3 differences)"
}

# --- The bundled dancer, as a scene of its own and from a folder and an archive ---
dancer=$(dirname "$odori")/dancer
[ -f "$dancer/dancer.pmx" ] || { echo "skipped: the build did not generate the dancer"; exit 77; }
mkdir dance/model
cp "$dancer/dance.vmd" dance
cp -r "$dancer/dancer.pmx" "$dancer/tex" dance/model
tar -czf dance.tar.gz dance
small="--size 64x64 --physics off"
# shellcheck disable=SC2086
{
    same 0 shot dancer --frame 30 $small --ids -o out.png
    same 0 shot ../../dance --frame 30 $small -o out.png
    same 0 shot ../../dance.tar.gz --frame 30 $small -o out.png
    same 0 thumbnail dancer --size 64 -o out.png
    same 0 thumbnail ../../dance --size 64 -o out.png
    same 0 thumbnail ../../dance.tar.gz --size 64 -o out.png
    same 0 thumbnail ../../dance/dance.vmd --size 64 -o out.png
    same 3 thumbnail missing.pmx -o out.png
    same 0 render dancer --frames 0:2 $small -o made/deep/%02d.png
    same 3 render missing.pmx --frames 0:2 $small -o made/%02d.png
    same 4 shot dancer --frame 0 $small -o missing/out.png
    same 0 bake dancer --motion ../../dance/dance.vmd --frames 0:9 -o out.vmd
    same 0 dump dancer --frames 0:3 -o out.json
    same 0 info --json dancer ../../dance ../../dance.tar.gz ../../dance/dance.vmd
    same 0 convert ../../dance/model/dancer.pmx out.gltf --report lost.json
    if command -v ffmpeg >/dev/null; then
        same 0 render dancer --frames 0:4 $small --audio "$dancer/music.wav" -o made/out.mp4
        same 0 render dancer --frames 0:4 $small -o out.mkv --resume
        (cd "$dancer" && tar -czf "$work/sound.tar.gz" music.wav)
        same 0 render dancer --frames 0:4 $small --audio ../../sound.tar.gz/music.wav -o out.mp4
    fi
}

# --- Commands that write, from a file and from stdin; several programs read what they wrote ---
mkdir saved
printf 'bone.rotate 頭 0 30 0\nkey.set\nmotion.save "%s/saved/file.vmd"\n' "$work" >commands
# shellcheck disable=SC2086
same 0 shot dancer --frame 0 $small --exec "$work/commands" -o out.png
[ -s saved/file.vmd ] || fail "motion.save of --exec wrote nothing"
sed 's/file.vmd/stdin.vmd/' commands | "$odori" dump dancer --frames 0 --exec - --sandbox on >dumped || fail "--exec -"
cmp -s saved/file.vmd saved/stdin.vmd || fail "--exec - saved another motion"

# --- Pictures, suites, kits ---
for frame in 0 60; do
    # shellcheck disable=SC2086
    "$odori" shot dance/model/dancer.pmx --motion dance/dance.vmd --frame $frame $small -o $frame.png || fail "shot"
done
same 0 check ../../0.png ../../60.png
same 0 check ../../0.png -o again.png
same 1 diff ../../0.png ../../60.png --report report/ --json=out.json
cat >suite.json <<END
{"defaults": {"size": [64, 64], "frames": [0, 10]}, "scenes": [
 {"name": "bundled", "model": "dancer"}, {"name": "folder", "model": "dance/model/dancer.pmx", "motion": "dance/dance.vmd"},
 {"name": "archive", "model": "dance.tar.gz"}]}
END
# accept SUITE [OPTIONS]: compares the baselines that are made with the sandbox on and off.
accept() {
    suite=$1
    shift
    rm -rf baselines made.on made.off
    for sandbox in on off; do
        "$odori" check "$suite" --accept --jobs 2 "$@" --sandbox $sandbox >"said.$sandbox" 2>&1 || fail "$suite: $(tail -1 "said.$sandbox")"
        sort -o "said.$sandbox" "said.$sandbox" # two workers warn in any order
        mv baselines made.$sandbox || fail "$suite: no baselines"
    done
    diff -r made.on made.off >/dev/null || fail "$suite: the sandbox changes the baselines"
    cmp -s said.on said.off || fail "$suite: the sandbox changes what is printed"
}
accept suite.json

# --- Baselines that are links into another folder of the repository; folders that stay empty ---
mkdir repository repository/.git repository/suite
cp suite.json repository/suite
cp -r dance dance.tar.gz repository/suite
"$odori" check repository/suite/suite.json --accept >/dev/null 2>&1 || fail "check in a repository"
mkdir repository/kept
mv repository/suite/baselines/* repository/kept
for kept in repository/kept/*; do ln -s "../../kept/${kept##*/}" repository/suite/baselines; done
"$odori" check repository/suite/suite.json --sandbox on >linked 2>&1 || fail "linked baselines: $(tail -1 linked)"
for limit in --time-limit=0.5 --log=error; do
    timeout 1.5 "$odori" render dancer --frames 60000:60001 --size 32x32 -o "empty/deep/%d.png" $limit --sandbox on 2>/dev/null
    [ ! -e empty ] || fail "render with $limit leaves an empty folder"
done

# --- Files in the home folder: a helper writes them, and nothing else there can be written or read ---
at_home=yes
small="--size 64x64 --physics off"
before() { # files that are replaced, and one that must not be
    mkdir .ssh && echo key >.ssh/id_rsa && echo old >out.png && echo old >out.json && chmod 600 out.png && echo old >02.png
}
first=before
# shellcheck disable=SC2086
{
    same 0 shot dancer --frame 30 $small -o out.png
    same 0 render dancer --frames 0:3 $small -o %02d.png --resume
    same 0 bake dancer --motion ../../dance/dance.vmd --frames 0:9 -o out.vmd
    same 0 convert ../../dance/model/dancer.pmx out.gltf --report lost.json
    same 1 diff ../../0.png ../../60.png --report ./ --json=out.json
    if command -v ffmpeg >/dev/null; then
        same 0 render dancer --frames 0:4 $small --audio "$dancer/music.wav" -o out.mp4
        same 0 render dancer --frames 0:9 $small -o out.mkv --resume
    fi
}
first=true
same 0 check ../../0.png -o again.png
same 3 render missing.pmx --frames 0:2 -o made/deep/%02d.png
sed 's,".*/saved/,",' commands >twice
sed -n '$p' twice >>twice # replaces its own file
same 0 dump dancer --frames 0 --exec ../../twice -o out.json
[ -s runs/on/file.vmd ] || fail "motion.save of --exec wrote nothing to the home folder"
[ "$(cat runs/on/err)" = "" ] || fail "a warning: $(cat runs/on/err)"
at_home=
# What a run like the one before left beside the target is replaced; what convert did not write is not.
mkdir home/textures && echo old >home/out.gltf && echo old >home/out.bin && echo kept >home/textures/white.png
(cd home && "$odori" convert ../dance/model/dancer.pmx out.gltf >/dev/null 2>&1) || fail "convert over old files"
[ "$(cat home/textures/white.png)" = kept ] || fail "convert replaced a picture in the home folder"
[ "$(head -c 3 home/out.bin)" != old ] || fail "convert did not replace its own file in the home folder"
rm -rf home/*
# is_clear: waits until the home folder is empty; the helper of a killed run ends a moment after it.
is_clear() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(ls -A home)" = "" ] && return
        sleep 0.2
    done
    return 1
}
for target in empty/deep/%d.png %d.png out.mkv; do
    for how in TERM HUP KILL limit; do
        limit=60
        [ $how != limit ] || limit=0.5
        (cd home && exec "$odori" render dancer --frames 60000:60001 --size 32x32 -o $target --resume --sandbox on \
            --time-limit $limit) >said 2>&1 &
        [ $how = limit ] || { sleep 0.7 && kill -$how $!; }
        wait $! && fail "render into the home folder was not ended by $how: $(cat said)"
        [ $how = KILL ] || [ "$(ls -A home)" = "" ] || fail "render of $target leaves after $how: $(find home)"
        is_clear || fail "render of $target leaves after $how: $(find home)"
    done
done
[ -e /dev/nvidiactl ] || [ ! -e home/.cache ] || fail "a cache where Mesa has none"
# Where a folder was named that is the home folder, all of it is open, and a warning says so.
(cd home && "$odori" capture-kit ../suite.json --only folder -o . --sandbox on) >/dev/null 2>said || fail "capture-kit to the home folder"
grep -q "warning: the sandbox leaves $work/home open, hidden files too" said || fail "no warning: $(cat said)"
rm -rf home/*

same 0 capture-kit ../../suite.json --only folder --copy --render -o kit

# --- A project whose model is two folders above, named and found in its folder ---
mkdir -p tree/a/b
cp -r runs/on/kit/models runs/on/kit/motions tree
cp runs/on/kit/01-*.pmm tree/a/b/scene.pmm
same 0 shot ../../tree/a/b/scene.pmm --frame 5 --size 64x64 -o out.png
same 0 shot ../../tree/a/b --frame 5 --size 64x64 -o out.png
same 0 info --json ../../tree/a/b/scene.pmm

# --- Shared models ---
if [ -d "$shared/data/models" ]; then
    find "$shared/data/models" -name '*.pm[xd]' | sort >models
    {
        echo '{"defaults": {"size": [32, 32], "frames": [0]}, "scenes": ['
        sed 's/.*/{"name": "{model}", "model": "&"},/' models
        echo '{"name": "bundled", "model": "dancer"}]}'
    } >shared.json
    accept shared.json --root "$shared"
    echo "shared models: $(wc -l <models)"
else
    echo "shared models: none"
fi

# --- A stranger's code ---
how=$("$odori" info dancer --sandbox on --log debug 2>&1 >/dev/null | sed -n 's/^odori: debug: sandbox: //p')
echo "sandbox: $how"
mkdir planted
echo secret >planted/file
# reaches SANDBOX: prints what the plug-in could do.
reaches() {
    ODORI_PLANTED="$work/planted/file" "$odori" dump dance/model/dancer.pmx --frames 0 -o saved/reached.json \
        --plugin "$reach_out" --sandbox "$1" 2>&1
}
reaches off | grep -q '^planted file: read$' || fail "without the sandbox the planted file is not read"
case $how in
*seccomp*) reaches on | grep -q '^socket: Operation not permitted$' || fail "a socket: $(reaches on)" ;;
*) echo "not tried: this kernel has no seccomp" ;;
esac
case $how in
*Landlock*) reaches on | grep -q '^planted file: Permission denied$' || fail "a planted file: $(reaches on)" ;;
*) skipped=77 && echo "skipped: this kernel has no Landlock" ;;
esac
# The same with its output in the home folder.
mkdir -p home/.ssh
echo key >home/.ssh/id_rsa
# reaches_home SANDBOX FILE: prints what the plug-in could do with a file.
reaches_home() {
    (cd home && ODORI_PLANTED="$PWD/$2" ODORI_CHANGED="$PWD/$2" timeout 60 "$odori" dump ../dance/model/dancer.pmx --frames 0 \
        -o reached.json --plugin "$reach_out" --sandbox "$1" 2>&1)
}
for file in .ssh/id_rsa .bashrc other.json; do
    echo >>home/$file
    [ "$(reaches_home off $file | grep -c '^[a-z]* file: \(read\|written\)$')" = 2 ] || fail "$file without the sandbox"
    [ -n "${skipped:-}" ] || [ "$(reaches_home on $file | grep -c '^[a-z]* file: Permission denied$')" = 2 ] ||
        fail "$file: $(reaches_home on $file)"
done
# What Landlock leaves alone, and the helper that writes outside of the sandbox: a process inside can neither change
# permissions and lengths, nor send datagrams, nor reach the helper or make it wait for ever.
if [ -z "${skipped:-}" ]; then
    echo key >home/.ssh/id_rsa && rm -f home/reached.json
    reaches_home on .ssh/id_rsa >said || fail "reach_out in the home folder: $(cat said)"
    for what in permissions length datagrams "memory of the helper" "signal to the helper" "limits of the helper"; do
        case "$what $how" in
        *seccomp*) ;;
        [pld]* | *limits*) continue ;; # the filter holds these
        esac
        case "$what $how" in
        "signal"*Landlock\ [1-5],*) continue ;; # signals are held since version 6
        esac
        grep -q "^$what: \(Operation not permitted\|Permission denied\)$" said || fail "$what: $(cat said)"
    done
    grep -q '^messages: taken$' said || fail "the helper was not tried: $(cat said)"
    [ -s home/reached.json ] || fail "after messages were taken away, the helper writes nothing"
    [ "$(cat home/.ssh/id_rsa)" = key ] || fail "a process inside emptied a file"
    for what in permissions length datagrams; do
        reaches_home off other.json | grep -q "^$what: \(changed\|made\)$" || fail "$what without the sandbox"
    done
fi

# --- Compiled shaders are kept, too ---
for sandbox in on off; do
    mkdir cache.$sandbox
    XDG_CACHE_HOME="$work/cache.$sandbox" "$odori" shot dancer --frame 0 --size 32x32 --physics off -o cached.png \
        --sandbox $sandbox || fail "shot"
done
if [ -n "$(find cache.off -type f)" ]; then
    [ -n "$(find cache.on -type f)" ] || fail "the driver cannot keep compiled shaders"
else
    echo "not looked at: the driver keeps no compiled shaders"
fi
finish "${skipped:-0}"
