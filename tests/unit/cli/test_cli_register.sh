#!/bin/sh
# test_cli_register.sh ODORI: `odori register` writes a menu entry, file types, an entry for thumbnails and an icon with the
# path of the program; the second time it changes nothing; it leaves the files of others alone; `odori unregister`
# leaves nothing behind.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "failed: $1" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}

# The programs that read the files only note how they were called.
mkdir "$folder/home" "$folder/fake" "$folder/two  words\$\`\"\\%"
for name in update-mime-database update-desktop-database; do
    printf '#!/bin/sh\necho "${0##*/} $*" >>"%s/called"\n' "$folder" >"$folder/fake/$name"
    chmod +x "$folder/fake/$name"
done
: >"$folder/called"
cp "$1" "$folder/two  words\$\`\"\\%/odori"
odori="$folder/two  words\$\`\"\\%/odori"
export HOME="$folder/home" PATH="$folder/fake:$PATH"
unset XDG_DATA_HOME XDG_DATA_DIRS
data=$HOME/.local/share

run() {
    wanted=$1
    shift
    code=0
    "$odori" "$@" >"$folder/out" 2>"$folder/err" || code=$?
    [ "$code" -eq "$wanted" ] || fail "$* ended with $code"
}
files() {
    (cd "$HOME" && find . ! -type d | sort)
}
[ "$(files)" = "" ] || fail "the home folder is not empty"

# --- Trials change nothing ---
run 0 register --dry-run
grep -qF "$data/applications/odori.desktop: would be written" "$folder/out" || fail "the trial does not tell"
[ -z "$(ls -A "$HOME")" ] || fail "the trial wrote something"

# --- Registering ---
run 0 register
[ "$(files)" = "./.local/share/applications/odori.desktop
./.local/share/icons/hicolor/scalable/apps/odori.svg
./.local/share/mime/packages/odori.xml
./.local/share/thumbnailers/odori.thumbnailer" ] || fail "files: $(files)"
[ "$(grep -c ': written$' "$folder/out")" -eq 4 ] || fail "not four files were told"
[ "$(cat "$folder/called")" = "update-mime-database $data/mime
update-desktop-database $data/applications" ] || fail "called: $(cat "$folder/called")"
# In a value, backslashes are doubled; in a quoted word, " ` $ and \ have a backslash; % is doubled.
grep -qxF "Exec=\"$folder/two  words\\\\\$\\\\\`\\\\\"\\\\\\\\%%/odori\" play --first-page %F" \
    "$data/applications/odori.desktop" || fail "$(grep Exec "$data/applications/odori.desktop")"
grep -qxF "TryExec=$folder/two  words\$\`\"\\\\%/odori" "$data/thumbnailers/odori.thumbnailer" ||
    fail "$(grep TryExec "$data/thumbnailers/odori.thumbnailer")"
grep -q '^Exec="/.*" thumbnail --size %s ' "$data/thumbnailers/odori.thumbnailer" || fail "no command for thumbnails"
# Desktops take the backslashes of values away, then read words as a shell does, then replace %%.
value=$(sed -n 's/^Exec=//p' "$data/applications/odori.desktop" | sed 's/\\\(.\)/\1/g')
eval "set -- $value"
[ "$(printf '%s' "$1" | sed 's/%%/%/g')" = "$odori" ] && [ "$2 $3 $4" = 'play --first-page %F' ] || fail "a command of $*"
if command -v desktop-file-validate >/dev/null 2>&1; then
    desktop-file-validate "$data/applications/odori.desktop" >"$folder/err" 2>&1 || fail "desktop-file-validate"
fi

# --- Again ---
rm "$folder/fake/update-desktop-database"
PATH="$folder/fake" run 0 register
[ "$(grep -c ': registered already$' "$folder/out")" -eq 4 ] || fail "the second time something was written"
grep -q 'install desktop-file-utils' "$folder/err" || fail "a missing program is not told"
cp "$folder/fake/update-mime-database" "$folder/fake/update-desktop-database"

# --- The program was moved ---
mkdir "$folder/moved"
mv "$odori" "$folder/moved/odori"
odori=$folder/moved/odori
run 0 register
[ "$(grep -c ': written$' "$folder/out")" -eq 2 ] || fail "not two files were written anew"
grep -qxF "Exec=\"$odori\" play --first-page %F" "$data/applications/odori.desktop" || fail "another command"

# --- Taking it back ---
run 0 unregister --dry-run
[ "$(files | wc -l)" -eq 4 ] || fail "the trial removed something"
: >"$folder/called"
# What update-mime-database (2.2) and update-desktop-database leave when no file is left that they read.
mkdir "$data/mime/application" "$data/mime/model"
for list in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do
    echo made >"$data/mime/$list"
done
echo made >"$data/applications/mimeinfo.cache"
run 0 unregister
[ -z "$(files)" ] && [ ! -e "$data/mime" ] && [ ! -e "$data/applications" ] || fail "left: $(find "$HOME")"
[ "$(wc -l <"$folder/called")" -eq 2 ] || fail "databases were not updated"
run 0 unregister
grep -q 'nothing is registered' "$folder/out" || fail "nothing is told"

# --- Files of others, and another folder ---
export XDG_DATA_HOME="$folder/other"
mkdir -p "$XDG_DATA_HOME/applications" "$XDG_DATA_HOME/mime/packages"
echo 'their own' >"$XDG_DATA_HOME/applications/odori.desktop"
echo 'their own' >"$XDG_DATA_HOME/mime/packages/theirs.xml"
echo made >"$XDG_DATA_HOME/mime/mime.cache"
run 4 register
grep -q 'odori.desktop: not written by' "$folder/err" || fail "the reason is not told"
[ "$(find "$XDG_DATA_HOME" -type f | wc -l)" -eq 3 ] || fail "something was written beside it"
run 0 unregister
[ "$(cat "$XDG_DATA_HOME/applications/odori.desktop")" = 'their own' ] || fail "the file of others was changed"
rm "$XDG_DATA_HOME/applications/odori.desktop"
run 0 register
run 0 unregister
[ "$(find "$XDG_DATA_HOME" -type f | sort)" = "$XDG_DATA_HOME/mime/mime.cache
$XDG_DATA_HOME/mime/packages/theirs.xml" ] || fail "left: $(find "$XDG_DATA_HOME")"

# --- An installed program needs nothing ---
mkdir -p "$folder/usr/bin" "$folder/usr/share/applications"
mv "$odori" "$folder/usr/bin/odori"
odori=$folder/usr/bin/odori
: >"$folder/usr/share/applications/odori.desktop"
export XDG_DATA_DIRS="/nowhere:$folder/usr/share/"
run 0 register
grep -q 'this program is installed' "$folder/out" || fail "an installed program was registered"
[ "$(find "$XDG_DATA_HOME" -type f | wc -l)" -eq 2 ] || fail "an installed program wrote files"
run 2 register somewhere
