#include "player_options.h"

#include "base/message.h"

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

static const option player_table[] = {
    {0, "playlist", "FILE",
     "dances one after another; a line an entry: MODEL... [--motion M] [--camera C] [--audio A]",
     set_playlist},
    {0, "no-settings", NULL, "leaves the user's keys, settings and recent files alone", set_no_settings},
};

option_group group_of_player(player_options *options)
{
    return (option_group){"player", player_table, sizeof player_table / sizeof *player_table, options};
}

static bool copy_list(const text_list *from, text_list *to)
{
    for (size_t i = 0; i < from->count; i++)
        if (!text_list_add(to, from->items[i]))
            return false;
    return true;
}

static bool take_entry(const playlist_entry *entry, scene_options *scene, const char **audio)
{
    if (!*audio)
        *audio = entry->audio ? entry->audio : "none";
    if (!scene->camera)
        scene->camera = entry->files.camera;
    if (!scene->stage)
        scene->stage = entry->files.stage;
    return copy_list(&entry->files.files, &scene->files) &&
           copy_list(&entry->files.motions, &scene->motions) && copy_list(&entry->files.poses, &scene->poses);
}

int player_read_playlist(player_options *options, scene_options *scene, const char **audio)
{
    mmd_error error = {0};
    if (!options->playlist)
        return EXIT_DONE;
    if (playlist_read(options->playlist, &options->list, &error) != MMD_OK)
        return report(&error);
    if (scene->files.count) {
        options->list.at = options->list.count - 1; /* the next one is the first */
        return EXIT_DONE;
    }
    if (take_entry(&options->list.entries[0], scene, audio))
        return EXIT_DONE;
    message("out of memory");
    return EXIT_FACILITY;
}

void player_options_finish(player_options *options)
{
    playlist_finish(&options->list);
}
