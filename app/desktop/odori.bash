# Completes subcommands, options and values from the output of `odori SUBCOMMAND --help`, so that it always fits the
# installed program.
_odori_help() {
    "${COMP_WORDS[0]}" "$@" --help 2>/dev/null
}

_odori_subcommands() {
    _odori_help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p'
}

# Prints "OPTION VALUES" for each option of the help. VALUES is the argument, a list separated by | or a name.
_odori_options() {
    _odori_help "$1" | sed -n 's/^  \(-.*\)/\1/p' | sed 's/   *.*//' |
        sed -n 's/^\(-[A-Za-z]\), \(--.*\)/\2\n\1/;p' |
        sed -n 's/^\(--*[A-Za-z][A-Za-z0-9-]*\) *\[*\([^] ]*\).*/\1 \2/p'
}

_odori() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} subcommand=${COMP_WORDS[1]-}
    local options values
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_odori_subcommands) --help --version" -- "$word")
        return
    fi
    case $word$before in -*) ;; *-*) ;; *) return ;; esac
    options=$(_odori_options "$subcommand")
    if [ "${word#-}" != "$word" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(echo "$options" | cut -d' ' -f1 | sort -u)" -- "$word")
    else
        values=$(echo "$options" | sed -n "s/^$before \([a-z0-9-]*|[a-z0-9|-]*\)\$/\1/p" | tr '|' ' ')
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    fi
}
complete -o default -F _odori odori
