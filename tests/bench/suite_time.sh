#!/bin/sh
# Measures how long `odori check` takes for a suite of 31 pictures of 480x360 within 600 frames of physics, as one scene
# (one), as a scene for each picture (frames), as 31 views of the last frame (views), and as 31 scenes with a gravity of
# their own (apart), which can share no simulation, with one and with two jobs. Several programs are measured in turn, so that
# other load on the machine concerns all of them. Prints medians.
#
# usage: suite_time.sh MODEL.pmx MOTION.vmd ODORI...
# The model's folder is copied with its textures. RUNS (3) is the number of runs. The first program draws the baselines;
# the others have to judge them in the same way, also when every picture fails for lack of its edges.
set -eu
[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
model=$(realpath "$1") motion=$(realpath "$2")
shift 2
for odori; do
  set -- "$@" "$(realpath "$odori")"
  shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$(dirname "$model")" "$work/model"
chmod -R u+w "$work/model"
cp "$motion" "$work/motion.vmd"
cd "$work"

# Writes the suite of a kind.
write_suite() {
  echo '{"defaults": {"model": "model/'"$(basename "$model")"'", "motion": "motion.vmd", "size": [480, 360]}, "scenes": ['
  case $1 in
  one) echo '{"name": "dance", "frames": "0:600:20"}' ;;
  frames) seq 0 20 600 | sed 's/.*/{"name": "frame-&", "frames": &},/; $s/,$//' ;;
  views) seq 0 10 300 | sed 's/.*/{"name": "view-&", "frames": 600, "cameras": [{"name": "c", "target": [0, 10, 0], "distance": 45, "angle": [0, &, 0]}]},/; $s/,$//' ;;
  apart) seq 0 1 30 | sed 's/.*/{"name": "apart-&", "frames": 600, "physics": {"gravity": [0, -&, 0]}},/; $s/,$//' ;;
  esac
  echo ']}'
}

# Runs a command; prints seconds of wall time and of CPU time.
measure() {
  began=$(date +%s.%N)
  cpu=$(sh -c '"$@" >/dev/null 2>&1 || exit 1; times' sh "$@" | sed -n '2s/[ms]/ /gp')
  [ -n "$cpu" ] || { echo "it failed: $*" >&2; exit 1; }
  echo "$began $(date +%s.%N) $cpu" | awk '{print $2 - $1, 60 * $3 + $4 + 60 * $5 + $6}'
}

# Prints the median of a column of a file.
median() {
  awk -v c="$1" '{print $c}' "$2" | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

printf '%-8s %-5s %8s %8s  %s\n' suite jobs wall cpu program
for kind in one frames views apart; do
  write_suite "$kind" >"$kind.json"
  "$1" check "$kind.json" --baselines "base-$kind" --accept >/dev/null 2>&1
  for jobs in 1 2; do
    run=0
    while [ "$run" -lt "${RUNS:-3}" ]; do
      number=0
      for odori in "$@"; do
        number=$((number + 1))
        measure "$odori" check "$kind.json" --baselines "base-$kind" --jobs "$jobs" >>"$kind-$jobs-$number"
      done
      run=$((run + 1))
    done
    number=0
    for odori in "$@"; do
      number=$((number + 1))
      printf '%-8s %-5s %8.2f %8.2f  %s\n' "$kind" "$jobs" "$(median 1 "$kind-$jobs-$number")" \
        "$(median 2 "$kind-$jobs-$number")" "$odori"
    done
  done
done

# A program may be faster, but not judge any picture otherwise.
[ $# -gt 1 ] || exit 0
number=0
for odori in "$@"; do
  number=$((number + 1))
  "$odori" check frames.json --baselines base-frames --jobs "$number" --edge off --report "report-$number" \
    >/dev/null 2>&1 || true
  grep -E '"(name|status|max|mean|p99|share|pixels|psnr|why|stage)":' "report-$number/results.json" >"judged-$number"
  diff judged-1 "judged-$number" || { echo "$odori judges otherwise" >&2; exit 1; }
done
echo "the judgements are equal"
