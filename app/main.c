/* The entry point of the program: the table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/system.h"
#include "check/check.h"
#include "diff/diff.h"
#include "document/chooser.h"
#include "document/commands_document.h"
#include "player/player.h"
#include "tools/tools.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"play", "plays models and motions in a window", play_main},
    {"shot", "draws one frame to a PNG file (needs no display)", shot_main},
    {"thumbnail", "draws a small picture that stands for a file (needs no display)", thumbnail_main},
    {"render", "draws many frames to PNG files or a video (needs no display)", render_main},
    {"dump", "writes bones, morphs, vertices, camera, light and bodies of frames as JSON", dump_main},
    {"info", "prints the contents of files, and the problems in them", info_main},
    {"diff", "compares pictures, frames or videos, and locates differences in the model", diff_main},
    {"check", "draws the scenes of a test suite and compares them with their baselines", check_main},
    {"capture-kit", "writes MMD projects, with which MMD can draw the pictures of a test suite", capture_kit_main},
    {"convert", "converts models and their physics between PMX, glTF and Ragdoll JSON", convert_main},
    {"bake", "writes a motion in which keyframes replace IK and physics", bake_main},
    {"bench", "measures the speed of loading, posing, physics and drawing", bench_main},
    {"register", "shows the program in the desktop's menu and in \"Open with\", for this user", register_main},
    {"unregister", "takes that back", unregister_main},
};

static void print_help(void)
{
    printf("usage: odori [SUBCOMMAND [arguments]]\n\nPlays, draws, compares and converts MikuMikuDance models "
           "and motions.\nWithout a subcommand the player opens at its first page, if there is a display.\n\n");
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        printf("  %-12s%s\n", subcommands[i].name, subcommands[i].summary);
    printf(
        "\n  odori SUBCOMMAND --help   lists its options\n"
        "  odori --version           prints the version\n\n"
        "Exit codes: 0 success; 1 the answer is no (pictures differ, a check failed); 2 wrong usage;\n"
        "3 an input file cannot be read; 4 no OpenGL, no memory, or an output that cannot be written.\n"
        "Messages go to stderr, data to stdout.\n");
}

/* The groups of the command table, in the order in which the command `help` prints them. */
static const command_group *const command_groups[] = {
    &commands_of_actor,  &commands_of_camera, &commands_of_play,     &commands_of_physics,
    &commands_of_panels, &commands_of_view,   &commands_of_audio,    &commands_of_edit,
    &commands_of_key,    &commands_of_place,  &commands_of_plugin,   &commands_of_handles,
    &commands_of_input,  &commands_of_file, &commands_of_files,   &commands_of_pictures, &commands_of_program,
    &commands_of_chooser, &commands_of_motion,
};

int main(int argc, char **argv)
{
    system_begin(&argc, &argv);
    commands_register(command_groups, sizeof command_groups / sizeof *command_groups);
    if (argc < 2)
        return play_first_page(0, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        printf("odori %s\n", ODORI_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_help();
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 2, argv + 2);
    if (play_is_handed(argv[1])) /* names of subcommands come first: a script without a console may run one */
        return play_first_page(argc - 1, argv + 1);
    message("unknown %s %s (see odori --help)", argv[1][0] == '-' ? "option" : "subcommand", argv[1]);
    return EXIT_USAGE;
}
