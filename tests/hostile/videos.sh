#!/bin/sh
# videos.sh ODORI FAULT: playlists that name other files, under the endings of videos and sounds. ffmpeg would open what
# they name. They have to end with exit code 3 and one sentence. A program in place of ffmpeg and ffprobe records how
# they are called: always with a demuxer and with -protocol_whitelist file,pipe, and never with the name of a file.
odori=$1
. "$(dirname "$0")/../support/hostile.sh"
# Below a folder of its own: in the sandbox, the program in place of ffmpeg cannot write beside the home folder.
mkdir files && cd files || exit 1
for program in ffmpeg ffprobe; do
    real=$(command -v $program) || {
        echo "skipped: no $program"
        exit 77
    }
    mkdir -p bin
    printf '#!/bin/sh\nprintf "%%s\\n" "$(basename "$0") $*" >>"%s/calls"\nexec %s "$@"\n' "$PWD" "$real" >bin/$program
    chmod +x bin/$program
done
PATH="$PWD/bin:$PATH"

# expect CODE TEXT ARGUMENTS...
expect() {
    wanted=$1 text=$2
    shift 2
    timeout 60 "$odori" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -ne "$wanted" ] || { [ -n "$text" ] && ! grep -q "$text" err out; }; then
        fail "odori $*: exit code $code, not $wanted, or nothing about \"$text\": $(cat err)"
    fi
}

"$odori" render dancer --frames 0:2 --size 32x32 -o secret.avi --codec ffv1 >out 2>err || cat err >&2
"$odori" render dancer --frames 0:2 --size 32x32 -o good.mkv --codec ffv1 >out 2>err || cat err >&2
"$odori" shot dancer --frame 0 --size 32x32 -o good.png || exit 1
head -c 4000 /dev/zero >silence
{
    printf 'RIFF\244\017\000\000WAVEfmt \020\000\000\000\001\000\001\000\100\037\000\000\200\076\000\000\002\000\020\000data\240\017\000\000'
    cat silence
} >secret.wav
for ending in avi mp4 mkv wav mp3 ogg; do
    secret=secret.avi
    case $ending in wav | mp3 | ogg) secret=secret.wav ;; esac
    printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n' $secret >hls.$ending
    printf 'ffconcat version 1.0\nfile %s\n' $secret >concat.$ending
    printf '<?xml version="1.0"?>\n<MPD><Period><AdaptationSet><Representation><BaseURL>%s</BaseURL></Representation></AdaptationSet></Period></MPD>\n' \
        $secret >dash.$ending
done

# The playlists are good ones: ffmpeg itself follows them.
"$PWD/bin/ffmpeg" -v error -f concat -i concat.avi -f null - 2>err || fail "the playlist is not one: $(cat err)"
: >calls
for kind in hls concat dash; do
    for ending in avi mp4 mkv; do
        expect 3 "$kind.$ending: " diff $kind.$ending good.png
        expect 3 "$kind.$ending: not a part of a video" render --join $kind.$ending $kind.$ending -o x.mp4
    done
    for ending in wav mp3 ogg; do
        expect 3 "$kind.$ending: .*not a supported sound" render dancer --frames 0:2 --size 32x32 --audio $kind.$ending -o x.mp4
    done
done
! grep -q secret calls || fail "what the playlists name was opened: $(cat calls)"

# What is a video and a sound works, and is passed safely.
expect 0 "" diff good.mkv good.mkv
expect 0 "" diff secret.avi good.mkv
expect 0 "" render dancer --frames 0:2 --size 32x32 --audio secret.wav -o x.mp4
# Samples that are no numbers, infinite or beyond reason are silence, as in play: 32-bit floats 7fc00000, 7f800000, 7f000000.
for sample in '\000\000\300\177' '\000\000\200\177' '\000\000\000\177'; do
    {
        printf 'RIFF\264\017\000\000WAVEfmt \020\000\000\000\003\000\001\000\100\037\000\000\000\175\000\000\004\000\040\000data\220\017\000\000'
        i=0
        while [ $((i += 1)) -le 996 ]; do printf "$sample"; done
    } >float.wav
    expect 0 "" render dancer --frames 0:2 --size 32x32 --audio float.wav -o x.mp4
done
expect 0 "" render dancer --frames 0:5 --size 32x32 --shard 1/2 -o 1.mkv
expect 0 "" render dancer --frames 0:5 --size 32x32 --shard 2/2 -o 2.mkv
expect 0 "" render --join 1.mkv 2.mkv -o x.mp4
# Each input has the two options before it.
awk '
    / -encoders/ { next }
    {
        safe = forced = 0
        inputs = 0
        for (i = 2; i <= NF; i++) {
            if ($i == "-protocol_whitelist" && $(i + 1) == "file,pipe") safe = 1
            if ($i == "-f") forced = 1
            input = $i == "-i" ? $(i + 1) : $1 == "ffprobe" && i == NF ? $i : ""
            if (input == "") continue
            inputs++
            if (!safe || !forced || (input != "-" && input !~ /^file:\/dev\/fd\/[0-9]+$/)) { print "FAILED: " $0; bad = 1 }
            safe = forced = 0
        }
        if (!inputs) { print "FAILED: no input: " $0; bad = 1 }
        calls++
    }
    END { if (calls < 8) print "FAILED: only " calls " calls"; exit bad || calls < 8 }' calls >&2 || fail "calls of ffmpeg"
finish
