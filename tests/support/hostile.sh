# hostile.sh: what the scripts of tests/hostile share. They source it with the program's path in $odori. It makes a
# temporary folder with a home folder in it, goes there, and lets nothing of the user's have an effect. $failures counts
# what failed.
set -u
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir home
unset DISPLAY WAYLAND_DISPLAY
export HOME="$work/home" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" EGL_LOG_LEVEL=fatal
failures=0

# fail TEXT...: counts and tells.
fail() {
    failures=$((failures + 1))
    echo "FAILED: $*" >&2
}

# finish [CODE]: ends the script: with 1 if anything failed, else with the code (0).
finish() {
    [ $failures -eq 0 ] || {
        echo "$failures failed" >&2
        exit 1
    }
    exit "${1:-0}"
}
