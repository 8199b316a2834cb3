/* Options that several subcommands share, as groups for the option parser. */
#ifndef ODORI_SCENE_OPTIONS_H
#define ODORI_SCENE_OPTIONS_H

#include "mmd/view.h"
#include "base/options.h"
#include "load.h"

/* The value of --sandbox. By default it is on, except with drivers that have not been tried in it. */
typedef enum sandbox_choice { SANDBOX_DEFAULT, SANDBOX_ON, SANDBOX_OFF } sandbox_choice;

/* Options of all subcommands, and three of those that several have. */
typedef struct common_options {
    mmd_log_level log_level;
    uint64_t seed;
    uint32_t threads;
    bool has_threads;
    double time_limit; /* seconds; 0: none */
    sandbox_choice sandbox;
    const char *gpu; /* the argument of --gpu; NULL: none was given */
    text_list exec;
    text_list plugins;
    mmd_buffer stdin_text; /* commands of --exec -, if has_stdin; otherwise they are read when they run */
    bool has_stdin;
} common_options;

typedef struct view_options {
    mmd_view_options view;
    mmd_light light;
    /* Which of the options were given. */
    bool light_color, light_direction, background, grid, self_shadow, ground_shadow, samples;
    uint64_t texture_memory; /* MiB that textures may take */
} view_options;

/* Positional arguments are handled by scene_files. */
option_group group_of_scene(scene_options *options);
option_group group_of_choice(scene_options *options); /* for subcommands that look at one model */
option_group group_of_view(view_options *options);
option_group group_of_sdef(mmd_sdef_variant *sdef); /* for subcommands without view options */
option_group group_of_all(common_options *options);
option_group group_of_time(common_options *options);    /* for subcommands that go through frames */
option_group group_of_sandbox(common_options *options); /* for subcommands without a window */
option_group group_of_gpu(common_options *options);     /* for subcommands that draw without a window */
bool scene_files(void *scene, const char *value, option_error *error);

/* The size of a picture, in pixels ("1280x720"). */
typedef struct picture_size {
    uint32_t width, height;
} picture_size;
bool set_picture_size(picture_size *size, const char *value, option_error *error);

/* Reads the value of --max-models. */
bool scene_set_max_models(size_t *most, const char *value, option_error *error);

/* Parses options for a subcommand that needs a model; a missing file is a usage error, too. */
int options_parse_with_model(const command_line *line, int argc, char **argv, const scene_options *scene);

void view_options_init(view_options *options);
common_options default_common_options(void);

/* Starts the clock of --time-limit. Beyond it the program ends with the exit code for bad files. */
void start_time_limit(const common_options *options);

/* Warns that --exec has no effect, for subcommands without a scene, which accept it like all others. */
void warn_exec_has_no_effect(const common_options *options, const char *subcommand);

void common_options_finish(common_options *options);

/* Returns the view options: as given on the command line, otherwise as a project of the scene sets them. */
mmd_view_options view_options_seen(const view_options *options, const odori_scene *s);

/* Applies the light options over the light of the stage. */
void view_options_apply(const view_options *options, mmd_stage *stage);

#endif
