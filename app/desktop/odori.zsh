#compdef odori
# Completes subcommands, options and values from the output of `odori SUBCOMMAND --help`, so that it always fits the
# installed program.

# Prints NAME:HELP for each subcommand.
_odori_subcommands() {
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\([a-z].*\)/\1:\2/p'
}

# Prints OPTION:HELP for each option of a subcommand.
_odori_options() {
    "$1" "$2" --help 2>/dev/null | sed -n '/^  -/{
        s/:/ -/g
        s/   *\([^ ]\)/\t\1/2
        s/^  \(-[A-Za-z]\), \(--[A-Za-z][A-Za-z0-9-]*\)\(.*\)/  \1\3\n  \2\3/
        p
    }' | sed -n 's/^  \(--*[A-Za-z][A-Za-z0-9-]*\)[^\t]*\t*\(.*\)/\1:\2/p'
}

# Prints the values that an option accepts, or nothing when any text is accepted.
_odori_values() {
    "$1" "$2" --help 2>/dev/null | tr -d '[]' |
        sed -n "s/^  \(-[A-Za-z], \)*$3 \([a-z0-9-]*|[a-z0-9|-]*\)\( .*\)*\$/\2/p" | tr '|' ' '
}

_odori() {
    local program=${words[1]} subcommand=${words[2]} before=${words[CURRENT-1]}
    local -a found
    if (( CURRENT == 2 )); then
        found=("${(@f)$(_odori_subcommands $program)}" '--help:lists them' '--version:prints the version')
        _describe 'subcommand' found
    elif [[ ${words[CURRENT]} == -* ]]; then
        found=("${(@f)$(_odori_options $program $subcommand)}")
        _describe -o 'option' found
    else
        [[ $before == -* ]] && found=(${=$(_odori_values $program $subcommand $before)})
        if (( $#found )); then
            compadd -a found
        else
            _files
        fi
    fi
}

# Loaded from fpath, this file is the function itself. When it is sourced, it only registers the function.
if [[ ${funcstack[1]} == _odori ]]; then
    _odori "$@"
elif (( $+functions[compdef] )); then
    compdef _odori odori
fi
