#!/bin/sh
# drivers.sh [BUILD [TEST...]]: runs the tests that draw (or those named, as test_golden), draws a few pictures and checks
# a suite with every OpenGL implementation of this machine, and prints a table: how many tests pass, how many scenes of
# the suite pass with llvmpipe's baselines, and the share of pixels in percent that differ by over 2 levels from
# llvmpipe's. Then come the parts of tests that were skipped, and the tests that failed, and why. Logs and pictures are
# in BUILD/drivers. Ends with 1 if a test or a scene failed.
#
# It takes a quarter of an hour on two cores, so it is not one of the tests of run.sh. zink needs Debian's
# mesa-vulkan-drivers, or VK_ICD_FILENAMES with the file of an unpacked lavapipe. The driver that the machine has
# without any variable is tried, too, if it is another one.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$(CDPATH='' cd -- "${1:-$root/build}" && pwd) || exit 2
[ $# -gt 0 ] && shift
tests=${*:-$(cd "$root/tests/render" && for file in test_*.c; do echo "${file%.c}"; done | grep -v '^test_cli_')}
out=$build/drivers
odori=$build/odori
export LP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0 XDG_CACHE_HOME="$build/test-cache"
rm -rf "$out"
mkdir -p "$out"

# shot ARGS...: draws one picture. The sandbox would not let drivers in from unusual folders.
shot() {
    "$odori" shot --sandbox off "$@"
}

# draw FOLDER: draws the pictures that are compared.
draw() {
    dancer=$build/dancer/dancer.pmx dance="--motion $build/dancer/dance.vmd --frame 660 --physics off --size 480x360"
    echo 'view.wireframe on' >"$1/wire.txt"
    # shellcheck disable=SC2086 # options
    {
        shot "$dancer" $dance --grid on --ground-shadow on -o "$1/grid.png"
        shot "$dancer" $dance --self-shadow on --msaa 4 -o "$1/msaa.png"
        shot "$dancer" $dance --self-shadow on --shading smooth --supersample 2 -o "$1/smooth.png"
        shot "$dancer" $dance --exec "$1/wire.txt" -o "$1/wire.png"
        shot "$dancer" $dance --actors 9 --ground-shadow on -o "$1/crowd.png"
        shot "$root/tests/scenes/robot.gltf" --frame 30 --size 480x360 --show bodies -o "$1/robot.png"
    } >"$1/pictures.log" 2>&1
}
pictures='grid msaa smooth wire crowd robot'

# make_suite: makes a suite of the dancer and the robot.
make_suite() {
    mkdir -p "$out/suite"
    cp -r "$build/dancer/." "$root/tests/scenes/robot.gltf" "$out/suite"
    cat >"$out/suite/suite.json" <<'END'
{"baselines": "baselines",
 "defaults": {"model": "dancer.pmx", "motion": "dance.vmd", "frames": [0, 660], "size": [320, 240], "physics": false},
 "scenes": [{"name": "plain"},
            {"name": "transparent", "view": {"background": "transparent", "edge": false}},
            {"name": "shadows", "view": {"ground_shadow": true, "self_shadow": true},
             "tolerance": {"share": 0.01, "threshold": 24}},
            {"name": "near", "cameras": [{"name": "face", "target": [0, 17, 0], "distance": 12}]},
            {"name": "robot", "model": "robot.gltf", "motion": [], "frames": 30}]}
END
}

# check_suite FOLDER [OPTION...]: checks the suite, and writes how many of its scenes pass to FOLDER/suite.
check_suite() {
    result=$1/suite
    shift
    "$odori" check "$out/suite/suite.json" --sandbox off "$@" >"$result.log" 2>&1
    sed -n 's/^\([0-9]*\) scenes: \([0-9]*\) passed.*/\2 of \1/p' "$result.log" >"$result"
}

# share REFERENCE PICTURE: prints the share of pixels over 2 levels in percent, or "none" without a picture.
share() {
    if ! [ -f "$1" ] || ! [ -f "$2" ]; then
        echo none
        return
    fi
    "$odori" diff "$1" "$2" --ids none --metric share --json 2>/dev/null |
        sed -n 's/.*"share": *\([0-9.e-]*\).*/\1/p' | head -n 1 | awk '{ printf "%.3f\n", 100 * $1 }'
}

# Runs one test and notes whether it passed; for xargs. 77 says that it skipped something, of which it prints why.
# shellcheck disable=SC2016 # the inner shell's arguments
run_test='LC_ALL=C timeout 900 "$0/$2" >"$1/$2.log" 2>&1
case $? in 0 | 77) echo "$2" >>"$1/passed" ;; *) echo "$2" >>"$1/failed" ;; esac'

# row NAME VARIABLE=VALUE...: tries an implementation, and prints its row of the table.
row() {
    name=$1
    shift
    folder=$out/$(echo "$name" | tr ' ,' '__')
    mkdir -p "$folder"
    : >"$folder/passed"
    : >"$folder/failed"
    (
        for variable in "$@"; do
            export "${variable?}"
        done
        shot "$root/tests/scenes/robot.gltf" --frame 0 --size 16x16 --log info -o "$folder/probe.png" 2>&1 |
            sed -n 's/^odori: \(OpenGL .*\)/\1/p' | head -n 1 >"$folder/driver"
        draw "$folder"
        [ "$name" = llvmpipe ] && check_suite "$folder" --accept
        check_suite "$folder"
        # shellcheck disable=SC2086 # names
        printf '%s\n' $tests | xargs -P "$(nproc)" -n 1 sh -c "$run_test" "$build" "$folder"
    )
    printf '%-28s %3d of %-3d %7s' "$name" "$(wc -l <"$folder/passed")" \
        "$(cat "$folder/passed" "$folder/failed" | wc -l)" "$(cat "$folder/suite")"
    for picture in $pictures; do
        printf ' %8s' "$(share "$out/llvmpipe/$picture.png" "$folder/$picture.png")"
    done
    printf '  %s\n' "$(cat "$folder/driver")"
}

small=$build/tests/libsmall_gpu.so
# shellcheck disable=SC2012 # names of packages
lavapipe=${VK_ICD_FILENAMES:-$(ls /usr/share/vulkan/icd.d/lvp_icd.*.json 2>/dev/null | head -n 1)}
make_suite
printf '%-28s %10s %7s' implementation tests suite
# shellcheck disable=SC2086 # names
printf ' %8s' $pictures
printf '  driver\n'
software=LIBGL_ALWAYS_SOFTWARE=1
row llvmpipe $software
for version in 3.3 4.1; do
    glsl=MESA_GLSL_VERSION_OVERRIDE=$(echo "$version" | tr -d .)0
    row "llvmpipe, $version" $software "MESA_GL_VERSION_OVERRIDE=$version" "$glsl"
    row "llvmpipe, $version forward" $software "MESA_GL_VERSION_OVERRIDE=${version}FC" "$glsl"
done
row 'llvmpipe, 65536 texels' $software "LD_PRELOAD=$small" ODORI_TEST_TEXELS=65536
row 'llvmpipe, 1024 textures' $software "LD_PRELOAD=$small" ODORI_TEST_TEXTURES=1024
if [ -n "$lavapipe" ]; then
    row 'zink on lavapipe' $software MESA_LOADER_DRIVER_OVERRIDE=zink "VK_ICD_FILENAMES=$lavapipe"
else
    echo 'zink on lavapipe: not tried, because mesa-vulkan-drivers is not installed'
fi
row softpipe $software GALLIUM_DRIVER=softpipe
own=$(shot "$root/tests/scenes/robot.gltf" --frame 0 --size 16x16 --log info -o "$out/own.png" 2>&1 |
    sed -n 's/^odori: \(OpenGL .*\)/\1/p' | head -n 1)
[ "$own" = "$(cat "$out/llvmpipe/driver")" ] || row 'without variables' ODORI_OWN_DRIVER=1

status=0
for failed in "$out"/*/failed; do
    folder=${failed%/failed}
    row=$(basename "$folder")
    grep -aH '^skipped: ' "$folder"/test_*.log | sort | uniq -c | while read -r times where; do
        printf '%s: %s (%s times)\n' "$row" "$(echo "${where#"$folder"/}" | sed 's/\.log:skipped:/ skipped:/')" "$times"
    done
    if [ "$(cat "$folder/suite")" != '5 of 5' ]; then
        status=1
        printf '\n%s: suite\n' "$row"
        grep -aE '^(fail|error)' "$folder/suite.log"
    fi
    while read -r test; do
        status=1
        printf '\n%s: %s\n' "$row" "$test"
        grep -aE 'ERROR|FAILED|rror:' "$folder/$test.log" | head -n 6
    done <"$failed"
done
exit $status
