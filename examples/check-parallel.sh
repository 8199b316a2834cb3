#!/bin/sh
# check-parallel.sh SUITE.json REPORT [SHARDS]
#
# Checks a suite in shards with GNU parallel (Debian package: parallel) and joins their reports to one.
# Exit code: 0 all scenes passed, 1 a picture differs, 3 or 4 a scene could not be drawn.
#
# To use several machines with a shared file system, set PARALLEL="--sshloginfile hosts --workdir .".
# ODORI is the program (default: odori). After an interruption, run the script again: it continues
# incomplete shards.
set -eu
[ $# -ge 2 ] || {
    echo "usage: $0 SUITE.json REPORT [SHARDS]" >&2
    exit 2
}
suite=$1
report=$2
shards=${3:-$(nproc)}
odori=${ODORI:-odori}

# The exit code of a shard is in its report. The script returns that of the joined report.
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
