#!/bin/sh
# check-slurm.sh SUITE.json REPORT [SHARDS]
#
# A suite in shards as a Slurm array job, joined to one report. Run it where
# sbatch is, in a folder that the nodes see too. It waits for the job; the exit
# code is that of the whole: 0 all passed, 1 something differs, 3 or 4
# something could not be drawn.
#
# ODORI names the program. Further options of sbatch come from its environment
# (SBATCH_PARTITION, SBATCH_GRES=gpu:1, SBATCH_TIMELIMIT). A shard that is
# preempted and requeued goes on where it was.
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

# A shard's exit code is in its report; what counts is the whole.
sbatch --wait --requeue --job-name=odori-check --array="1-$shards" --output="$report/shards/%a.log" \
    --export=ALL "$0" --shard "$suite" "$report" "$shards" >&2 || true

set --
for shard in $(seq "$shards"); do
    [ ! -f "$report/shards/$shard/results.json" ] || set -- "$@" "$report/shards/$shard"
done
[ $# -gt 0 ] || {
    echo "no shard wrote a report; their logs are $report/shards/*.log" >&2
    exit 4
}
exec "$odori" check --merge "$@" --report "$report"
