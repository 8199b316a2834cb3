#!/bin/sh
# install.sh [LIST...]: installs the missing Debian packages of packages.txt and of the other lists, as root or with
# sudo. If neither is possible, prints the command that installs them and exits with 1.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

missing=
names=$(cat "$here/packages.txt" "$@" | sed 's/#.*//; s/[[:space:]].*//')
for package in $names; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ]; then
    sh -c "$install" >&2
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 2 ]; }; then
    echo "Installing with sudo:$missing" >&2
    sudo sh -c "$install" >&2
else
    echo "Some packages are missing. Install them as root with:" >&2
    echo "  $install" >&2
    exit 1
fi
