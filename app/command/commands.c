/* Parses lines of the command table, looks commands up and runs them. The commands themselves are in
 * commands_*.c, here and in the rooms above. */
#include "commands.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "command_group.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/simulation.h"
#include "base/parse.h"
#include "edit/plugins.h"
#include "edit/refusals.h"
#include "scene/options.h"
#include "base/tokenize.h"

static bool help(odori_session *s, const command_arguments *a, char *error);

static const command commands[] = {
    {"help", "", "", "prints this table of commands", help, .replay = REPLAY_SKIPS},
};

static const command_group own_commands = {commands, sizeof commands / sizeof *commands};

/* The table, set once before any command runs. */
static const command_group *const *registered;
static size_t registered_count;

void commands_register(const command_group *const *groups, size_t count)
{
    registered = groups;
    registered_count = count;
}

/* Returns the group at an index; `help` comes last. NULL behind the last one. */
static const command_group *group_of(size_t i)
{
    return i < registered_count ? registered[i] : i == registered_count ? &own_commands : NULL;
}

static bool help(odori_session *s, const command_arguments *a, char *error)
{
    (void)s, (void)a, (void)error;
    const command_group *group;
    for (size_t g = 0; (group = group_of(g)); g++)
        for (size_t i = 0; i < group->count; i++) {
            const command *c = &group->commands[i];
            char usage[80];
            snprintf(usage, sizeof usage, "%s %s", c->name, c->arguments);
            fprintf(stderr, "%-46s %s\n", usage, c->help);
        }
    return true;
}

/* Reports a wrong number of arguments, with the usage of the command. wanted: the highest number allowed.
 * Returns false. */
static bool refuse_count(const command *c, size_t wanted, size_t count, char *error)
{
    const char *suffix = strchr(c->spec, '?') ? " or less" : c->spec[0] == '+' ? " or more" : "";
    if (!wanted)
        return refuse_with(error, "%s takes no arguments, not %zu", c->name, count);
    return refuse_with(error, "%s takes %zu argument%s%s, not %zu: %s %s", c->name, wanted,
                       wanted == 1 ? "" : "s", suffix, count, c->name, c->arguments);
}

/* Returns whether a command has files or folders among its arguments, by the names that help shows. */
static bool has_paths(const command *c)
{
    return strstr(c->arguments, "FILE") || strstr(c->arguments, "FOLDER") || strstr(c->arguments, "PATH...");
}

/* Reads the words after a command's name as its spec says. Returns false with the reason in error. */
static bool read_arguments(const command *c, char *const *words, size_t count, command_arguments *a,
                           char *error)
{
    size_t needed = strcspn(c->spec, "?"), wanted = needed;
    bool is_list = c->spec[0] == '+';
    if (c->spec[needed] == '?')
        wanted = strlen(c->spec) - 1;
    if (is_list ? count == 0 : count < needed || count > wanted)
        return refuse_count(c, wanted, count, error);
    a->count = count;
    for (size_t i = 0; i < count; i++) {
        char kind = is_list ? 'w' : c->spec[i < needed ? i : i + 1];
        if (has_paths(c))
            platform_path_tidy(words[i]);
        a->word[i] = words[i];
        if (kind == 'r' && (!parse_real(words[i], &a->number[i]) || fabs(a->number[i]) > 1e30))
            return refuse_with(error, "%s: \"%.40s\" is not a number", c->name, words[i]);
        if (kind == 's' && !parse_switch(words[i], &a->on[i]))
            return refuse_with(error, "%s: \"%.40s\" is not on or off", c->name, words[i]);
    }
    return true;
}

/* Finds a command by its name. NULL if there is none. */
static const command *find(const char *name)
{
    const command_group *group;
    for (size_t g = 0; (group = group_of(g)); g++)
        for (size_t i = 0; i < group->count; i++)
            if (strcmp(group->commands[i].name, name) == 0)
                return &group->commands[i];
    return NULL;
}

/* Deals with a command that a picture or suite may not run: notes its name if it is left out, otherwise
 * refuses it. Returns whether it is left out. */
static bool refuse_replayed(odori_session *s, const command *c, char *error)
{
    char listed[64];
    if (c->replay == REPLAY_REFUSES)
        return refuse_with(
            error, "%s is not allowed in a picture or suite, whose commands may only change what is shown",
            c->name);
    snprintf(listed, sizeof listed, "%s, ", c->name);
    if (!strstr(s->left_out, listed) && strlen(s->left_out) + strlen(listed) < sizeof s->left_out)
        strcat(s->left_out, listed);
    return true;
}

bool command_run(odori_session *s, const char *line, size_t length, char *error)
{
    char storage[COMMAND_LINE_MAX + 2], *words[COMMAND_ARGUMENTS_MAX + 1];
    size_t count;
    if (length > COMMAND_LINE_MAX)
        return refuse_with(error, "that is too long: a command with its file names has at most %d bytes",
                           COMMAND_LINE_MAX);
    if (memchr(line, '\0', length))
        return refuse_with(error, "the line contains a NUL byte");
    tokenize_result result = tokenize(line, length, storage, words, COMMAND_ARGUMENTS_MAX + 1, &count);
    if (result == TOKENIZE_TOO_MANY)
        return refuse_with(error, "the line has more than %d words", COMMAND_ARGUMENTS_MAX + 1);
    if (result != TOKENIZE_DONE)
        return refuse_with(error, "a quote is not closed");
    if (count == 0)
        return true;
    const command *c = find(words[0]);
    if (!c)
        return refuse_with(error, "unknown command \"%.60s\"; `help` lists them", words[0]);
    if (s->is_replayed && c->replay != REPLAY_RUNS)
        return refuse_replayed(s, c, error);
    command_arguments arguments = {.name = c->name};
    bool ran = read_arguments(c, words + 1, count - 1, &arguments, error) && c->run(s, &arguments, error);
    if (ran && s->record && c->replay == REPLAY_RUNS && !strchr(c->spec, 'c')) {
        mmd_write_bytes(s->record, line, length);
        mmd_write_u8(s->record, '\n');
    }
    return ran;
}

void command_format(odori_session *s, const char *format, ...)
{
    char line[COMMAND_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    command_by_hand(s, line);
}

/* Returns whether a line acts on files, so that something is lost when it is refused. */
static bool is_of_files(const char *line)
{
    char name[64];
    size_t length = strcspn(line, " \t");
    if (strncmp(line, "file.", 5) == 0)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    const command *c = find(name);
    return c && strpbrk(c->spec, "io");
}

void command_by_hand(odori_session *s, const char *line)
{
    char error[REFUSAL_MAX] = "";
    const mmd_edit *edit = s->history.edit;
    bool ran = command_run(s, line, strlen(line), error);
    if (!ran || s->refused[0])
        s->changed = true;
    const char *why = edit && strcmp(error, mmd_edit_refusal(edit)) == 0 ? mmd_edit_refusal(edit) : error;
    refusal_offer(s, ran ? "" : why, NULL, s->refused, sizeof s->refused);
    if (!ran)
        message("%s", error);
    if (!ran && s->messages)
        panel_log_put(s->messages, is_of_files(line) ? MESSAGE_ERROR : MESSAGE_REFUSAL,
                      strlen(s->refused) + 1 < sizeof s->refused ? s->refused : error);
}

/* Runs all lines of a text. Reports the first refusal with the name and line number, and stops there. */
static int execute_text(odori_session *s, const char *name, const char *text, size_t size)
{
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* byte order mark, which some editors write */
    for (unsigned number = 1; text < end; number++) {
        char error[REFUSAL_MAX];
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop)
            stop = end;
        if (!command_run(s, text, (size_t)(stop - text), error)) {
            message("%s:%u: %s", name, number, error);
            return EXIT_USAGE;
        }
        text = stop < end ? stop + 1 : end;
    }
    return EXIT_DONE;
}

bool commands_read_stdin(mmd_buffer *text)
{
    char bytes[4096];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stdin)) > 0;)
        mmd_write_bytes(text, bytes, got);
    return !text->failed;
}

/* Runs the lines of stdin, which may have been read before. Returns an exit code. */
static int execute_stdin(odori_session *s, const struct common_options *common)
{
    mmd_buffer own = {0};
    if (common->has_stdin)
        return execute_text(s, "stdin", (const char *)common->stdin_text.data, common->stdin_text.size);
    int result = EXIT_FACILITY;
    if (commands_read_stdin(&own))
        result = execute_text(s, "stdin", (const char *)own.data, own.size);
    else
        message("out of memory");
    mmd_buffer_finish(&own);
    return result;
}

/* Runs the lines of a file. Returns an exit code. */
static int execute_file(odori_session *s, const char *path)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_file_read(path, &bytes, &error) != MMD_OK) {
        mmd_error_set_file(&error, path);
        return report(&error);
    }
    int result = execute_text(s, path, (const char *)bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return result;
}

/* Calls visit for the files that a line names. */
static void list_files_of_line(const char *line, size_t length,
                               void (*visit)(void *user, const char *path, bool is_written), void *user)
{
    char storage[COMMAND_LINE_MAX + 2], *words[COMMAND_ARGUMENTS_MAX + 1];
    size_t count;
    if (length > COMMAND_LINE_MAX || memchr(line, '\0', length) ||
        tokenize(line, length, storage, words, COMMAND_ARGUMENTS_MAX + 1, &count) != TOKENIZE_DONE ||
        count < 2)
        return;
    const command *c = find(words[0]);
    const char *spec = c ? c->spec + strspn(c->spec, "?+") : "";
    for (size_t i = 1; i < count && *spec; i++) {
        if (*spec == 'i' || *spec == 'o') {
            platform_path_tidy(words[i]);
            visit(user, words[i], *spec == 'o');
        }
        spec += 1 + strspn(spec + 1, "?+");
    }
}

void commands_list_files(const char *text, size_t size,
                         void (*visit)(void *user, const char *path, bool is_written), void *user)
{
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        list_files_of_line(text, (size_t)(stop - text), visit, user);
        text = stop < end ? stop + 1 : end;
    }
}

bool commands_apply_from_start(odori_session *s, char error[REFUSAL_MAX])
{
    return !mmd_stage_physics(s->scene->stage) || command_start_physics(s, true, error);
}

/* Runs the files of --exec ("-": stdin). Returns EXIT_DONE, or the exit code of the reported error. */
static int execute_files(odori_session *s, const struct common_options *common)
{
    const text_list *files = &common->exec;
    int result = EXIT_DONE;
    bool took_stdin = false;
    /* Commands act on the evaluated scene, its camera included. */
    session_go(s, s->frame);
    /* Record what command-line options did as commands, too. */
    if (s->record && s->scene->opening)
        mmd_write_bytes(s->record, s->scene->opening, strlen(s->scene->opening));
    for (size_t i = 0; i < files->count && result == EXIT_DONE; i++) {
        if (strcmp(files->items[i], "-") != 0)
            result = execute_file(s, files->items[i]);
        else if (!took_stdin)
            result = execute_stdin(s, common);
        took_stdin = took_stdin || strcmp(files->items[i], "-") == 0;
    }
    char error[REFUSAL_MAX];
    if (files->count && result == EXIT_DONE && !commands_apply_from_start(s, error)) {
        message("%s", error);
        result = EXIT_FACILITY;
    }
    return result;
}

int commands_begin(odori_session *s, const struct common_options *common)
{
    int result = plugins_use(&s->history, &common->plugins);
    return result == EXIT_DONE ? execute_files(s, common) : result;
}
