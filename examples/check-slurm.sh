#!/bin/sh
# check-slurm.sh SUITE.json REPORT [SHARDS]
#
# Checks a suite in shards as a Slurm array job and joins their reports to one. Run it on a machine with sbatch, in a
# folder that the nodes can access. It waits for the job to end.
# Exit code: 0 all scenes passed, 1 a picture differs, 3 or 4 a scene could not be drawn.
#
# ODORI is the program (default: odori). Set further options of sbatch in the environment (SBATCH_PARTITION,
# SBATCH_GRES=gpu:1, SBATCH_TIMELIMIT). A shard that is preempted and requeued continues where it was.
set -eu
odori=${ODORI:-odori}

if [ "${1:-}" = --shard ]; then # on a node
    exec "$odori" check "$2" --shard "$SLURM_ARRAY_TASK_ID/$4" --report "$3/shards/$SLURM_ARRAY_TASK_ID"
fi

[ $# -ge 2 ] || {
    echo "usage: $0 SUITE.json REPORT [SHARDS]" >&2
    exit 2
}
suite=$1
report=$2
shards=${3:-8}
mkdir -p "$report/shards"

# The exit code of a shard is in its report. The script returns that of the joined report.
sbatch --wait --requeue --job-name=odori-check --array="1-$shards" --output="$report/shards/%a.log" \
    --export=ALL "$0" --shard "$suite" "$report" "$shards" >&2 || true

set --
for shard in $(seq "$shards"); do
    [ ! -f "$report/shards/$shard/results.json" ] || set -- "$@" "$report/shards/$shard"
done
[ $# -gt 0 ] || {
    echo "no shard wrote a report: look for the cause in the logs, $report/shards/*.log" >&2
    exit 4
}
exec "$odori" check --merge "$@" --report "$report"
