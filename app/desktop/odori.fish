# Completes subcommands, options and values from the output of `odori SUBCOMMAND --help`, so that it always fits the
# installed program.

function __odori_words
    commandline -opc
end

function __odori_subcommands
    set -l words (__odori_words)
    $words[1] --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*) +([a-z].*)' '$1\t$2'
end

function __odori_options
    set -l words (__odori_words)
    for line in ($words[1] $words[2] --help 2>/dev/null | string match -r '^  -.*')
        set -l help (string replace -rf '^  .*?  +(.*)' '$1' -- $line)
        for name in (string match -ra -- '(?<=^  |, )--?[A-Za-z][A-Za-z0-9-]*' (string replace -r '  +[^ -].*|(?<=\S)  +.*' '' -- $line))
            printf '%s\t%s\n' $name "$help"
        end
    end
end

# Prints the values that the option before the cursor accepts, or nothing when any text is accepted.
function __odori_values
    set -l words (__odori_words)
    set -l before $words[-1]
    string match -q -- '-*' $before; or return 1
    set -l found ($words[1] $words[2] --help 2>/dev/null | string replace -a '[' '' | string replace -a ']' '' |
        string replace -rf -- "^  (?:-[A-Za-z], )?$before ([a-z0-9-]*\|[a-z0-9|-]*)(?: .*)?\$" '$1')
    test -n "$found"; and string split '|' -- $found[1]
end

function __odori_at_subcommand
    test (count (__odori_words)) -eq 1
end

complete -c odori -n __odori_at_subcommand -f -a '(__odori_subcommands)'
complete -c odori -n __odori_at_subcommand -f -a '--help --version'
complete -c odori -n 'not __odori_at_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__odori_options)'
complete -c odori -n 'not __odori_at_subcommand; and __odori_values >/dev/null' -f -a '(__odori_values)'
