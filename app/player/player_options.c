/* Parses the options of `play` alone, and opens its playlist. */
#include "player_options.h"

#include "base/message.h"
#include "base/parse.h"

static bool set_playlist(void *target, const char *value, option_error *error)
{
    (void)error;
    ((player_options *)target)->playlist = value;
    return true;
}

static bool set_no_settings(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((player_options *)target)->no_settings = true;
    return true;
}

static bool set_first_page(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((player_options *)target)->first_page = true;
    return true;
}

static bool set_max_models(void *target, const char *value, option_error *error)
{
    return scene_set_max_models(&((player_options *)target)->max_models, value, error);
}

static bool set_mascot(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((player_options *)target)->mascot.wanted = true;
}

static bool set_size(void *target, const char *value, option_error *error)
{
    return set_picture_size(&((player_options *)target)->mascot.size, value, error);
}

static bool set_fps(void *target, const char *value, option_error *error)
{
    return parse_whole(value, 1, 240, &((player_options *)target)->mascot.fps) ||
           option_fail(error, EXIT_USAGE,
                       "\"%.60s\" is not a whole number of pictures a second from 1 to 240", value);
}

static const option player_table[] = {
    {0, "playlist", "FILE",
     "plays the entries of a file; each line: MODEL... [--motion M] [--pose P] [--camera C] [--audio A] "
     "[--stage S [--stage-motion M]]",
     set_playlist},
    {0, "max-models", "N", "the most models that a picture or an entry of a playlist may bring (256)",
     set_max_models},
    {0, "first-page", NULL,
     "without a file, or if it cannot be opened, shows a page with files to open, as odori without arguments "
     "does",
     set_first_page},
    {0, "mascot", NULL,
     "shows the dancer on the desktop, in a transparent window that takes the mouse only where she is",
     set_mascot},
    {0, "size", "WxH", "with --mascot: size of her window in pixels (fitted to the dance and the monitor)",
     set_size},
    {0, "fps", "N", "with --mascot: the most pictures a second (30)", set_fps},
    {0, "no-settings", NULL, "neither reads nor writes the user's key bindings, settings and recent files",
     set_no_settings},
};

option_group group_of_player(player_options *options)
{
    return (option_group){"player", player_table, sizeof player_table / sizeof *player_table, options};
}

int player_options_check(const player_options *options, const command_line *line)
{
    if ((options->mascot.size.width || options->mascot.fps) && !options->mascot.wanted)
        return options_usage(line, "--size and --fps of play are for a --mascot");
    if (options->mascot.wanted && options->first_page)
        return options_usage(line, "--mascot has no panels, so it cannot show the --first-page");
    return OPTIONS_PARSED;
}

mmd_status player_read_playlist(player_options *options, recipe *wanted, mmd_error *error)
{
    if (!options->playlist)
        return MMD_OK;
    mmd_status status = playlist_read(options->playlist, &options->list, error);
    if (status != MMD_OK)
        return status;
    if (wanted->scene.files.count) {
        options->list.at = options->list.count - 1; /* so that the next entry is the first one */
        return MMD_OK;
    }
    const recipe *first = &options->list.entries[0];
    if (!wanted->scene.most_models)
        wanted->scene.most_models = SCENE_MODELS_MOST;
    if (!wanted->sound.path)
        wanted->sound.path = first->sound.path ? first->sound.path : "none";
    return recipe_add_files(wanted, first) ? MMD_OK : mmd_error_memory(error);
}

void player_options_finish(player_options *options)
{
    playlist_finish(&options->list);
}
