/*
 * The sandbox of the subcommands without a window. Before a stranger's model is read, the process gives up
 * all files but those that were named and those that drivers and ffmpeg need, and all network sockets. What
 * it starts afterwards, threads and ffmpeg alike, is bound by the same rules. Where the system offers no
 * such thing, every function does nothing.
 *
 * Call sandbox_begin, name the files, then call sandbox_enter while the process has one thread.
 */
#ifndef ODORI_SANDBOX_H
#define ODORI_SANDBOX_H

#include <stdbool.h>

/* Begins the list of files that stay accessible, with those of the system. draws: with those of OpenGL
 * drivers, for which it creates the folder of compiled shaders. */
void sandbox_begin(bool draws);

/* Returns whether the machine has a driver that has not been tried in the sandbox: NVIDIA's own. */
bool sandbox_has_untried_driver(void);

/* Adds a file for reading, or a folder with all that is in it. */
void sandbox_read(const char *path);

/*
 * Adds the folder of a model for reading, and the folder above, because textures may lie beside the model's
 * folder. The folder above is left out where the user's folders are gathered: in the root, the home folder,
 * Downloads, Desktop and the like. Of the home folder and those above it, only what does not begin with a dot
 * is added. A path may lead into an archive.
 */
void sandbox_read_beside(const char *path);

/* Adds the folder of a project and the two above, except the root, in which the files of projects are
 * searched. */
void sandbox_read_around(const char *path);

/*
 * Adds a file that will be written (output.h), which means everything in its folder, if there is one. In the
 * home folder and those above it, it means the file alone: see sandbox_helper.h. "-" is stdout.
 */
void sandbox_write(const char *path);

/* Adds files with a number between the beginning of their path and the end of their name. Their folder is
 * created as sandbox_create_folder does. In the home folder and those above it, only these can be written. */
void sandbox_write_numbered(const char *begin, const char *end);

/* Adds new files in the folder of a file that was added, and in folders there, whose names nobody knows yet.
 * Call it last. In the home folder and those above it, none is replaced, none is hidden, and what does not
 * begin with a dot can be read, to compare what is there already. */
void sandbox_write_new_beside(const char *path);

/* Adds a folder in which files will be written, with all that is in it, and creates it. Of the home folder
 * and those above it that includes hidden files, of which it warns. */
void sandbox_write_folder(const char *folder);

/* Adds a folder in the same way that may be removed when it is empty, even if it was there before. */
void sandbox_write_temporary(const char *folder);

/* Creates a folder if it is missing, its parents too. It is removed when the program ends if nothing was
 * written. */
void sandbox_create_folder(const char *folder);

/* Creates a folder in the same way, but only if its parent exists. */
void sandbox_create_subfolder(const char *folder);

/* Gives up everything else. Returns how: "Landlock 7, seccomp", or "" if nothing was given up. */
const char *sandbox_enter(void);

#endif
