/* register, unregister: make the program known to the desktop of this user, and take that back. */
#include "register.h"

#include "base/message.h"
#include "base/options.h"
#include "tools/tools.h"

static bool set_trial(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    *(bool *)target = true;
    return true;
}

static bool refuse_file(void *target, const char *value, option_error *error)
{
    (void)target, (void)value;
    return option_fail(error, EXIT_USAGE, "no file is needed");
}

static int run(const char *name, const char *summary, bool adds, int argc, char **argv)
{
    static const option table[] = {
        {0, "dry-run", NULL, "prints what would be changed, and changes nothing", set_trial},
    };
    bool is_trial = false;
    const option_group group = {name, table, sizeof table / sizeof *table, &is_trial};
    const command_line line = {.name = name,
                               .usage = "[--dry-run]",
                               .summary = summary,
                               .groups = &group,
                               .group_count = 1,
                               .positional = refuse_file};
    int result = options_parse(&line, argc, argv);
    return result == OPTIONS_PARSED ? register_change(adds, is_trial) : result;
}

int register_main(int argc, char **argv)
{
    return run("register", register_summary, true, argc, argv);
}

int unregister_main(int argc, char **argv)
{
    return run("unregister", unregister_summary, false, argc, argv);
}
