#!/bin/sh
# citations.sh SOURCE_FOLDER: checks that what the repository cites is there. It fails if
# - a tracked file cites a section, choice or part of a document in docs/ that the document does not have, or a
#   document that is not there;
# - a tracked file cites a document that is not part of the repository;
# - a relative link or picture of the documentation leads nowhere;
# - the loss codes of engine/exchange and of docs/formats.md differ.
set -eu
cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >>"$folder/failures"
}

# The files to look at: what git tracks, or in an unpacked archive everything but build folders.
if git ls-files --error-unmatch README.md >"$folder/files" 2>/dev/null; then
    git -c core.quotePath=false ls-files >"$folder/files"
else
    find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sed 's,^\./,,' >"$folder/files"
fi
grep -vE '^third_party/|^tests/fuzz/corpus/' "$folder/files" >"$folder/own"
for file in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md; do
    if [ -f "$file" ]; then
        echo "$file"
    fi
done >"$folder/documents"

# Headings of all documents: file, number ("4.5", "choice 3", or "-"), anchor as GitHub makes it, text. The items of
# a numbered list below heading 4 are 4.1, 4.2 and so on.
while read -r file; do
    awk -v file="$file" '
        /^ *```/ { fenced = !fenced }
        fenced { next }
        /^#+ / {
            text = $0
            sub(/^#+ +/, "", text)
            gsub(/`/, "", text)
            while (match(text, /\]\([^)]*\)/))
                text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
            gsub(/\[/, "", text)
            number = "-"
            if (match(text, /^[0-9]+(\.[0-9]+)*/))
                number = substr(text, RSTART, RLENGTH)
            else if (match(text, /^Choice [0-9]+/))
                number = "choice " substr(text, 8, RLENGTH - 7)
            anchor = tolower(text)
            gsub(/[]!-,.\/:-@^[{-~\\]/, "", anchor)
            gsub(/ /, "-", anchor)
            seen[anchor]++
            if (seen[anchor] > 1)
                anchor = anchor "-" (seen[anchor] - 1)
            print file "\t" number "\t" anchor "\t" text
        }
        /^[0-9]+\. / && number ~ /^[0-9]/ {
            print file "\t" number "." substr($1, 1, length($1) - 1) "\t-\t-"
        }
        /^\|/ { print file "\t-\t-\t" $0 }
    ' "$file"
done <"$folder/documents" >"$folder/headings"

# Citations. A comment may go on in the next lines, and what follows a document's name may be a list:
# "3.2, 3.4 and choice 7", "5.2 to 5.4", "1.5 (names), 3.2 (curves)", "4, Shapes".
tr '\n' '\0' <"$folder/own" | xargs -0 grep -IlsE 'docs/[A-Za-z0-9_-]+[.]md' >"$folder/citing" || true
while read -r file; do
    awk -v file="$file" '
        function stripped(line) {
            sub(/^[ \t]*(\/\*+|\*|\/\/+|#+|;)?[ \t]*/, "", line)
            sub(/[ \t]*(\*\/)?[ \t]*$/, "", line)
            return line
        }
        function cite(document, number) {
            print file ":" at "\t" document "\t" number
        }
        # Reads the numbers behind the name of a document.
        function numbers(document, rest,    kind, found) {
            kind = ""
            cite(document, "-")
            for (found = 0;; found++) {
                if (match(rest, /^ *,? *(and |to |or )?choices? [0-9]+/)) {
                    number = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    sub(/.* /, "", number)
                    kind = "choice "
                } else if (match(rest, found ? next_number : first_number)) {
                    number = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    sub(/.* /, "", number)
                    if (number ~ /\./)
                        kind = ""
                } else if (found && match(rest, /^ (\([^)]*\)|[a-z0-9 ]+), [0-9]+\.[0-9]+/)) {
                    number = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    sub(/.* /, "", number)
                    kind = ""
                } else
                    break
                cite(document, kind number)
            }
            if (file !~ /\.md$/ && match(rest, /^, [A-Z][A-Za-z0-9_]*/))
                cite(document, "name " substr(rest, 3, RLENGTH - 2))
        }
        BEGIN {
            first_number = "^ [0-9]+([.][0-9]+)*"
            next_number = "^ *(,|, and|and|to|or) +[0-9]+([.][0-9]+)*"
        }
        { lines[NR] = $0 }
        END {
            for (at = 1; at <= NR; at++) {
                text = lines[at]
                if (text !~ /docs\/[A-Za-z0-9_-]+\.md/)
                    continue
                text = text " " stripped(lines[at + 1]) " " stripped(lines[at + 2])
                sub(/^[ \t]*/, "", text)
                from = 1
                size = length(stripped(lines[at]))
                while (match(substr(text, from), /docs\/[A-Za-z0-9_-]+\.md/)) {
                    start = from + RSTART - 1
                    document = substr(text, start, RLENGTH)
                    from = start + RLENGTH
                    before = substr(text, 1, start - 1)
                    if (index(lines[at], document) == 0 || before ~ /[A-Za-z0-9_-]\/$/)
                        continue # of a later line, or of another place
                    numbers(document, substr(text, from))
                }
            }
        }
    ' "$file"
done <"$folder/citing" | sort -u >"$folder/citations"
tab=$(printf '\t')
while IFS="$tab" read -r where document number; do
    case $number in
    -) [ -f "$document" ] || fail "$where: cites $document, which is not there" ;;
    name\ *)
        [ ! -f "$document" ] || awk -F '\t' -v file="$document" -v word="${number#name }" '
            $1 == file && index(tolower($4), tolower(word)) { found = 1 }
            END { exit !found }
        ' "$folder/headings" || fail "$where: $document has no heading or table with ${number#name }"
        ;;
    *)
        [ ! -f "$document" ] || awk -F '\t' -v file="$document" -v number="$number" '
            $1 == file && $2 == number { found = 1 }
            END { exit !found }
        ' "$folder/headings" || fail "$where: $document has no section $number"
        ;;
    esac
done <"$folder/citations"

# Documents that are not part of the repository.
tr '\n' '\0' <"$folder/own" |
    xargs -0 grep -InHsE '(^|[^A-Za-z0-9_-])(MMD|FORMATS|DESIGN|HOUSE|STYLE|PACKAGES)[.]md|(^|[^A-Za-z0-9_/-])see[d]s/' |
    cut -c1-160 | sed 's/$/ (no document of the repository)/' >>"$folder/failures" || true

# Relative links and pictures.
while read -r file; do
    awk -v file="$file" '
        function out(target) {
            sub(/^</, "", target)
            sub(/>$/, "", target)
            sub(/ +".*$/, "", target)
            if (target !~ /^[a-z]+:/ && target != "")
                print file "\t" FNR "\t" target
        }
        /^ *```/ { fenced = !fenced }
        fenced { next }
        {
            gsub(/`[^`]*`/, "")
            line = $0
            while (match(line, /\]\([^)]*\)/)) {
                out(substr(line, RSTART + 2, RLENGTH - 3))
                line = substr(line, RSTART + RLENGTH)
            }
            line = $0
            while (match(line, /(src|href)="[^"]*"/)) {
                target = substr(line, RSTART, RLENGTH - 1)
                sub(/^[a-z]*="/, "", target)
                out(target)
                line = substr(line, RSTART + RLENGTH)
            }
            if (match($0, /^\[[^]^][^]]*\]: +/))
                out(substr($0, RLENGTH + 1))
        }
    ' "$file"
done <"$folder/documents" >"$folder/links"
while IFS="$tab" read -r file line target; do
    path=${target%%#*}
    case $path in
    "") path=$file ;;
    /*) path=.$path ;;
    *) path=$(dirname "$file")/$path ;;
    esac
    path=$(printf '%s' "$path" | sed 's,%20, ,g; s,^\./,,; :a
        s,/\./,/,; s,[^/][^/]*/\.\./,,; ta')
    if [ ! -e "$path" ]; then
        fail "$file:$line: $target: there is no $path"
        continue
    fi
    case $target in
    *.md\#* | \#*)
        awk -F '\t' -v file="$path" -v anchor="${target#*#}" '
            $1 == file && $3 == anchor { found = 1 }
            END { exit !found }
        ' "$folder/headings" || fail "$file:$line: $target: $path has no such heading"
        ;;
    esac
done <"$folder/links"

# Loss codes: what engine/exchange names, and the rows of the table in docs/formats.md.
if [ -f docs/formats.md ]; then
    grep -rhoE --include='*.c' '"[a-z_]+[.][a-z_]+"' engine/exchange | tr -d '"' | sort -u |
        grep -vE '[.](h|pmx|gltf|glb|json|bin|mmd)$|^mmd[.]' >"$folder/emitted"
    sed -n '/^### Losses/,/^### /s/^| `\([a-z_]*[.][a-z_]*\)` .*/\1/p' docs/formats.md | sort -u >"$folder/listed"
    comm -3 "$folder/emitted" "$folder/listed" | tr -d '\t' |
        sed 's/$/: a loss code that only engine\/exchange or only docs\/formats.md has/' >>"$folder/failures"
fi

# A test that reads nothing would pass.
[ "$(wc -l <"$folder/citations")" -ge 50 ] || fail "only $(wc -l <"$folder/citations") citations were found"
[ "$(wc -l <"$folder/links")" -ge 10 ] || fail "only $(wc -l <"$folder/links") links were found"
if [ -s "$folder/failures" ]; then
    sort -u "$folder/failures" >&2
    exit 1
fi
echo "$(wc -l <"$folder/citations") citations, $(wc -l <"$folder/links") links, $(wc -l <"$folder/listed") loss codes"
