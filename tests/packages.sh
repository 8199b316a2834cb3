#!/bin/sh
# packages.sh FOLDER ROOT: installs the packages of a folder (where cpack wrote them) by apt in a root folder, such as
# `debootstrap --variant=minbase bookworm ROOT` makes, and uses them there: draws the dancer, also in Python, compiles a
# program with libodori-dev and runs it, links it with libodori.a, and removes them. As root, not a test of ctest: apt
# downloads what the packages depend on. Leaves ROOT with these packages.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
packages=$(realpath "$1")
root=$(realpath "$2")
begin=$(date +%s)

# inside COMMAND...: runs a command in the root folder.
inside() {
    unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# step TEXT: tells what was done, and after how many seconds.
step() { echo "$(($(date +%s) - begin)) s: $1"; }
install() { inside apt-get install -qq -y --no-install-recommends "$@" >"$root/tmp/apt.log" 2>&1 || {
    cat "$root/tmp/apt.log" >&2
    exit 1
}; }

cp "$packages"/odori_*.deb "$packages"/libodori*.deb "$packages"/python3-odori*.deb \
    "$source/tests/unit/build/installed.c" "$root/tmp"
inside apt-get update -qq
inside sh -c 'command -v gcc pkg-config' && {
    echo "$root has a compiler already: use a fresh root folder" >&2
    exit 1
}
install $(cd "$root" && printf '/%s ' tmp/odori_*.deb)
step "installed odori"
inside odori --version
dance=/usr/share/odori/dancer/dance.vmd
inside odori shot dancer --motion "$dance" --frame 300 --size 320x240 -o /tmp/dancer.png
step "drew the dancer to $root/tmp/dancer.png"
inside odori dump dancer --motion "$dance" --frames 300 --what bones -o /tmp/bones.json

install $(cd "$root" && printf '/%s ' tmp/libodori0*.deb tmp/python3-odori*.deb)
step "installed libodori0 and python3-odori"
cat >"$root/tmp/use.py" <<'PY'
import odori
dancer = "/usr/share/odori/dancer/"
picture = odori.shot(dancer + "dancer.pmx", dancer + "dance.vmd", frame=300, size=(320, 240))
result = odori.compare("/tmp/plain.png", picture)
assert result.equal, result.why
PY
dancer=/usr/share/odori/dancer
inside odori shot $dancer/dancer.pmx --motion $dancer/dance.vmd --frame 300 --size 320x240 -o /tmp/plain.png
inside python3 /tmp/use.py
step "drew the same picture in Python"

install $(cd "$root" && printf '/%s ' tmp/libodori*.deb) gcc libc6-dev pkg-config
step "installed libodori0, libodori-dev and gcc"
cat >"$root/tmp/compile.sh" <<'SH'
set -eu
cd /tmp
dancer=/usr/share/odori/dancer
echo "flags: $(pkg-config --cflags --libs odori)"
gcc -std=c17 installed.c $(pkg-config --cflags --libs odori) -o shared
./shared $dancer/dancer.pmx $dancer/dance.vmd 300 頭 >bone
[ "$(wc -c <bone)" -gt 50 ]
grep -qF "$(cat bone)" bones.json
SH
inside sh /tmp/compile.sh
step "compiled and ran a program with the shared library"

suggested=$(inside dpkg-query -W -f '${Suggests}' libodori-dev | tr -d ',')
install $suggested
inside sh -euc 'cd /tmp
    gcc -std=c17 installed.c $(pkg-config --cflags --static --libs odori | sed s/-lodori/-l:libodori.a/) -o static
    dancer=/usr/share/odori/dancer
    ./static $dancer/dancer.pmx $dancer/dance.vmd 300 頭 | cmp - bone
    ! ldd static | grep libodori'
step "linked it with libodori.a and what libodori-dev suggests"

inside apt-get purge -qq -y odori libodori0 libodori-dev python3-odori >"$root/tmp/apt.log" 2>&1
inside sh -c '! ldconfig -p | grep libodori' || {
    echo "libodori is still there" >&2
    exit 1
}
inside sh -c "! [ -e /usr/lib/python3/dist-packages/odori ]"
step "removed the packages"
