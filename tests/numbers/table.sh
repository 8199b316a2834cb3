#!/bin/sh
# table.sh EXPECTED RESULT...: prints a table of scenes and platforms from files that hashes.sh made, which are named after
# their platforms. A cell has the first digits of the hash of all parts, or of the files of all scenes; a platform that
# cannot open a scene has "-" there. Names the parts that are not those of the file EXPECTED. Exit code 1: some differ.
set -eu
awk '
function short(platform, scene) { return (platform, scene) in all ? substr(all[platform, scene], 1, 8) : "-" }
FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.txt$/, "", name); names[platforms++] = name }
/^#/ || NF != 3 { next }
{ value[name, $1, $2] = $3 }
name == names[0] { order[lines++] = $1 " " $2 }
$2 == "file" { if (!("files" in seen)) { seen["files"]; scenes[count++] = "files" }
               if (!((name, "files") in all)) all[name, "files"] = "equal" }
$2 == "file" && $3 != value[names[0], $1, $2] { all[name, "files"] = "differ" }
$2 == "all" { if (!($1 in seen)) { seen[$1]; scenes[count++] = $1 }; all[name, $1] = $3 }
END {
    printf "%-12s", "scene"
    for (p = 0; p < platforms; p++) printf " %-12s", names[p]
    print ""
    for (s = 0; s < count; s++) {
        printf "%-12s", scenes[s]
        for (p = 0; p < platforms; p++) printf " %-12s", short(names[p], scenes[s])
        print ""
    }
    for (p = 1; p < platforms; p++)
        for (i = 0; i < lines; i++) {
            split(order[i], of)
            has = (names[p], of[1], of[2]) in value
            if (has) compared++
            if (has && value[names[p], of[1], of[2]] != value[names[0], of[1], of[2]]) {
                print names[p] ": " of[1] ": " of[2] " differ"
                different++
            }
        }
    print compared + 0 " hashes on " platforms - 1 " platforms, " different + 0 " of them not as expected"
    exit different || !compared
}' "$@"
