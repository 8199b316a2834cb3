/*
 * Which files a subcommand without a window keeps when it enters the sandbox (base/sandbox.h). The files that
 * recipes, pictures, commands and the command line name are known before the first of them is opened;
 * recipes, suites and pictures themselves are therefore read before entering.
 */
#ifndef ODORI_CONFINE_H
#define ODORI_CONFINE_H

#include "recipe.h"

/* Begins the sandbox, unless --sandbox is off. draws: the subcommand opens OpenGL, which keeps the sandbox
 * away from drivers that have not been tried in it, unless --sandbox is on. */
void confine_begin(const common_options *common, bool draws);

/* Adds a model, project, motion or sound, or an archive or folder of them. */
void confine_file(const char *path);

/* Adds the same, and for a folder what the first project in it may name. */
void confine_scene(const char *path);

/* Adds all files that a recipe names. */
void confine_recipe(const recipe *r);

/* Adds the files that a picture made by odori names, searched for as the picture is opened. A file that is no
 * such picture adds nothing. */
void confine_picture(const char *path, const text_list *folders);

/*
 * Adds the files of --plugin and --exec, and those that the commands of --exec read and write. Reads stdin
 * for --exec -, whose text commands_begin then takes from there.
 */
void confine_commands(common_options *common);

/* Enters the sandbox if it was begun. */
void confine_enter(const common_options *common);

/* Does all of it for a subcommand that opens a recipe and writes one file or stdout ("-"); NULL: nothing. */
void confine(const recipe *r, common_options *common, const char *output, bool draws);

#endif
