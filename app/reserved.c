#include "reserved.h"

#include <string.h>

static const struct {
    const char *subcommand, *option; /* option NULL: the subcommand itself */
} reserved[] = {
    {"play", "audio"},
    {"shot", "audio"},
    {"render", "audio"},
    {"dump", "audio"},
};

bool is_reserved(const char *subcommand, const char *option, size_t length)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        const char *name = reserved[i].option;
        if (strcmp(reserved[i].subcommand, subcommand) != 0 || !name != !option)
            continue;
        if (!name || (strlen(name) == length && memcmp(name, option, length) == 0))
            return true;
    }
    return false;
}
