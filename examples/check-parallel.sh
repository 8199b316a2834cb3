#!/bin/sh
# check-parallel.sh SUITE.json REPORT [SHARDS]
#
# A suite in shards by GNU parallel (Debian: parallel), joined to one report.
# The exit code is that of the whole: 0 all passed, 1 something differs, 3 or 4
# something could not be drawn.
#
# On several machines with one file system: PARALLEL="--sshloginfile hosts --workdir ."
# ODORI names the program. Interrupted, it is simply run again: shards that are
# done in part go on where they were.
set -eu
[ $# -ge 2 ] || {
    echo "usage: $0 SUITE.json REPORT [SHARDS]" >&2
    exit 2
}
suite=$1
report=$2
shards=${3:-$(nproc)}
odori=${ODORI:-odori}

# A shard's exit code is in its report; what counts is the whole.
seq "$shards" | parallel --no-notice --bar --halt never --quote \
    "$odori" check "$suite" --shard "{}/$shards" --report "$report/shards/{}" >"$report.log" 2>&1 || true

set --
for shard in $(seq "$shards"); do
    [ ! -f "$report/shards/$shard/results.json" ] || set -- "$@" "$report/shards/$shard"
done
[ $# -gt 0 ] || {
    cat "$report.log" >&2
    exit 4
}
rm -f "$report.log"
exec "$odori" check --merge "$@" --report "$report"
