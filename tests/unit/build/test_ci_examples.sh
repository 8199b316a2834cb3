#!/bin/sh
# test_ci_examples.sh PACKAGE [ROOT]: runs the jobs of examples/ci by the commands that their files have. A project
# without baselines fails, its pictures are accepted from the report, and it passes; a changed model fails with its cause
# in the summary, is accepted, and passes again.
#
# PACKAGE is a .deb, or a build folder, which is packed by cpack. With ROOT, a root folder such as `debootstrap
# --variant=minbase bookworm ROOT` makes, the commands run in it by chroot as root, and install the package and what it
# needs by apt. Without it, the package is unpacked to a temporary folder by a substitute for apt-get.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
package=$(realpath "$1")
root=${2:+$(realpath "$2")}
outside=$(mktemp -d "$root/tmp/ci-examples.XXXXXX") # where the folder is for us, and for the commands
folder=${outside#"$root"}
branch='a"change' # git allows it, and so may be a tag of this name
trap 'rm -rf "$outside"' EXIT
trap 'exit 130' HUP INT TERM
unset DISPLAY WAYLAND_DISPLAY 2>/dev/null || true
fail() {
    echo "failed: $1" >&2
    cat "$outside/log" >&2
    exit 1
}
if [ -d "$package" ]; then
    (cd "$outside" && cpack --config "$package/CPackConfig.cmake" -G DEB -D CPACK_COMPONENTS_ALL=program \
        -B "$outside/packed") >"$outside/log" 2>&1 ||
        fail "cpack"
    package=$(echo "$outside"/packed/*.deb)
fi

programs=
if [ -z "$root" ]; then
    mkdir "$outside/bin"
    cat >"$outside/bin/apt-get" <<APT
#!/bin/sh
for last; do :; done
case \$last in *.deb) [ -d "$folder/installed" ] || dpkg-deb -x "\$last" "$folder/installed" ;; esac
APT
    chmod +x "$outside/bin/apt-get"
    programs=$folder/bin:$folder/installed/usr/bin
fi

git_here() { git -C "$outside/project" -c user.name=Somebody -c user.email=somebody@example.org "$@"; }

# commit TEXT: commits all of the project to the branch of the change.
commit() {
    git_here add -A
    git_here commit -q -m "$1"
    git_here push -q origin "HEAD:refs/heads/$branch"
}

# job CODE FILE JOB RUN [ARGUMENT...]: runs a job, which has to end with the code.
job() {
    wanted=$1 file=$2 name=$3 run=$4
    shift 4
    code=0
    python3 "$source/tests/support/ci_job.py" "$source/examples/ci/$file" "$name" --run "$run" --branch "$branch" \
        --work "$folder/job" --origin "$folder/origin" --artifacts "$outside/artifacts" --package "$package" \
        ${root:+--root "$root"} ${programs:+--path "$programs"} "$@" >"$outside/log" 2>&1 || code=$?
    [ "$code" = "$wanted" ] || fail "job $name of run $run: exit code $code, expected $wanted"
}
said() { grep -qF -- "$1" "$outside/log" || fail "it is not said: $1"; }
head_of_change() { git -C "$outside/origin" rev-parse "refs/heads/$branch"; }

git init -q --bare "$outside/origin"
mkdir "$outside/project"
git_here init -q
git_here remote add origin "$outside/origin"
cp "$source/tests/scenes/robot.gltf" "$source/tests/scenes/water_wheel.gltf" "$outside/project"
cat >"$outside/project/suite.json" <<'SUITE'
{"defaults": {"size": [160, 120], "frames": 0},
 "scenes": [{"name": "robot", "model": "robot.gltf"}, {"name": "wheel", "model": "water_wheel.gltf"}]}
SUITE
commit "The project, without baselines"
git_here push -q origin "HEAD:refs/tags/$branch"

# check CODE RUN, accept CODE RUN SCENES RUN_OF_THE_REPORT: the two workflows of GitHub.
check() { job "$1" github/pictures.yml pictures "$2"; }
accept() {
    job "$1" github/accept-pictures.yml accept "$2" --value "inputs.only=$3" --value "inputs.run=$4" \
        --value github.token=secret --value "github.ref=refs/heads/$branch"
}

check 1 1
summary=$outside/job/step-summary.md
grep -q 'robot' "$summary" && grep -q 'wheel' "$summary" || fail "the summary lacks a scene without baseline"
accept 0 2 "" 1
said 'POST /repos/team/pictures/actions/workflows/pictures.yml/dispatches {"ref": "a\"change"}'
check 0 3
[ "$(wc -l <"$summary")" -eq 1 ] || fail "the summary of a passed run is more than a line"

# A changed colour is named. It is accepted for the scenes that were asked for, and only from the run that drew it.
git_here pull -q origin "refs/heads/$branch"
sed -i 's/0\.85,/0.15,/' "$outside/project/robot.gltf"
commit "Another colour"
before=$(head_of_change)
check 1 4
said 'material shell: diffuse'
grep -q 'robot.*material shell: diffuse' "$summary" || fail "the summary lacks the cause"
! grep -q 'wheel.*' "$summary" || fail "the summary names what passed"
[ -s "$outside/artifacts/4/pictures-report/index.html" ] || fail "no report was kept"
accept 1 5 "wheel" 4 # nothing of it differs
accept 1 6 "" 1      # drawn before the change
said 'refused'
[ "$(head_of_change)" = "$before" ] || fail "a refused report was pushed"
accept 0 7 "rob* whee?" 4
git_here pull -q origin "refs/heads/$branch"
[ "$(git_here diff --name-only "$before" HEAD | grep -vc '^baselines/.*/robot/')" = 0 ] || fail "more was committed"
check 0 8

# The same on GitLab. The token goes to the address of the project and nowhere else.
merge_request() { job "$1" gitlab/pictures.gitlab-ci.yml "$2" "$3" --set ODORI_PUSH_TOKEN=secret \
    --set GIT_CONFIG_COUNT=1 --set "GIT_CONFIG_KEY_0=url.$folder/origin.insteadOf" \
    --set GIT_CONFIG_VALUE_0=https://odori:secret@gitlab.example/team/pictures.git; }
sed -i 's/0\.15,/0.45,/' "$outside/project/robot.gltf"
commit "A third colour"
merge_request 0 pictures 9
merge_request 1 verdict 9
said 'material shell: diffuse'
grep -q '<failure' "$outside/artifacts/9/pictures/report/junit.xml" || fail "junit.xml has no failure"
merge_request 0 accept 9
merge_request 0 pictures 10
merge_request 0 verdict 10
mkdir "$outside/artifacts/10/pictures/public" # as if an earlier pipeline had left it
merge_request 0 pages 10
[ -s "$outside/artifacts/10/pages/public/index.html" ] || fail "no page"
git_here pull -q origin "refs/heads/$branch"
echo '{' >"$outside/project/suite.json"
commit "A suite that cannot be read"
merge_request 1 pictures 11
check 1 12
echo "examples/ci: $(dpkg-deb -f "$package" Package Version | tr '\n' ' ')checked, failed, accepted and passed"
