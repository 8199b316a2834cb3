# Completes subcommands, and the options that `odori SUBCOMMAND --help` lists.
_odori() {
    local word=${COMP_WORDS[COMP_CWORD]} subcommand=${COMP_WORDS[1]-}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(odori --help 2>/dev/null | sed -n 's/^  \([a-z-]*\)  .*/\1/p') --help --version" -- "$word")
    elif [ "${word#-}" != "$word" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(odori "$subcommand" --help 2>/dev/null | grep -o -e '--[a-z][a-z0-9-]*' | sort -u)" -- "$word")
    fi
}
complete -o default -F _odori odori
