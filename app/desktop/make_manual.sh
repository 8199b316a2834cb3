#!/bin/sh
# make_manual.sh PROGRAM TEMPLATE OUT: writes the manual page from the template. The help of all subcommands replaces its
# line OPTIONS, and the command table replaces its line COMMANDS.
set -eu
program=$1 template=$2 out=$3

# Converts the output of --help to roff: titles of groups, options, and everything else verbatim.
write_help() {
    "$program" "$1" --help | awk -v name="$1" '
        function plain(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            return text ~ /^[.\x27]/ ? "\\&" text : text
        }
        function end_verbatim() {
            if (verbatim) print ".fi"
            verbatim = 0
        }
        function begin_verbatim() {
            if (!verbatim) print ".PP\n.nf"
            verbatim = 1
        }
        { lines[NR] = $0 }
        END {
            print ".SS odori " plain(name)
            for (i = 1; i <= NR; i++) {
                line = lines[i]
                if (line ~ /^  -/ && !notes) {
                    end_verbatim()
                    option = substr(line, 3); help = ""
                    at = match(option, /  +/)
                    if (at) { help = substr(option, at + RLENGTH); option = substr(option, 1, at - 1) }
                    if (!at) { help = lines[++i]; sub(/^ +/, "", help) }
                    print ".TP\n.B \"" plain(option) "\"\n" plain(help)
                    options = 1
                } else if (line == "") {
                    if (verbatim) print ""
                } else if (line ~ /^[^ ]/ && lines[i + 1] ~ /^  -/ && !notes) {
                    end_verbatim()
                    print ".PP\n.I " plain(line)
                } else {
                    notes = options
                    begin_verbatim()
                    print plain(line)
                }
            }
            end_verbatim()
        }'
}

# Converts the command table to roff. Its lines are 46 columns of command and arguments, a blank, and the help.
write_commands() {
    printf 'help\nquit\n' | "$program" play --no-settings --physics off --exec - 2>&1 | awk '
        function plain(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            return text ~ /^[.\x27]/ ? "\\&" text : text
        }
        substr($0, 47, 1) == " " {
            command = substr($0, 1, 46)
            sub(/ +$/, "", command)
            print ".TP\n.B \"" plain(command) "\"\n" plain(substr($0, 48))
            next
        }
        { print ".PP\n" plain($0) } # the command is longer than its column'
}

while IFS= read -r line; do
    if [ "$line" = COMMANDS ]; then
        write_commands
    elif [ "$line" = OPTIONS ]; then
        echo .SH OPTIONS
        for name in $("$program" --help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p'); do
            write_help "$name"
        done
    else
        printf '%s\n' "$line"
    fi
done <"$template" >"$out.new"
mv "$out.new" "$out"
