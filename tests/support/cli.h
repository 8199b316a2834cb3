/* Runs the program from a test: passes arguments, returns the exit code and both outputs. */
#ifndef ODORI_TEST_CLI_H
#define ODORI_TEST_CLI_H

#include <jansson.h>

#include "mmd/image.h"
#include "support.h"

/* Returns the temporary folder of this test program. The folder is removed when the program ends. */
const char *cli_folder(void);

typedef struct cli_result {
    int code;
    char *out, *err; /* NUL-terminated */
    size_t out_size;
} cli_result;

/* Runs `odori ARGUMENTS` in the folder, without a display. The shell parses the arguments, so `<file` works.
 * Free the result with cli_finish. */
cli_result cli_run(const char *format, ...) __attribute__((format(__printf__, 1, 2)));
void cli_finish(cli_result *result);

/* Runs the program and requires this exit code. Codes of 2 and more also require exactly one line on stderr,
 * which must contain the text. */
void cli_expect(int code, const char *text, const char *format, ...) __attribute__((format(__printf__, 3, 4)));

/* Runs the program and requires exit code 0 and JSON on stdout. The caller owns the result. */
json_t *cli_json(const char *arguments);

/* Write a file into the folder. */
void cli_write(const char *name, const void *data, size_t size);
void cli_write_text(const char *name, const char *text);

/* Runs a shell command in the folder. It must succeed. */
void cli_shell(const char *command);

/* Skips the test if the build did not generate the dancer, as in builds without the program that generates
 * her. */
void cli_need_dancer(void);

/* Skips the test if this program (for example ffmpeg) is not installed. */
void cli_need(const char *program);

/* Read a file of the folder as bytes or as an image. */
mmd_bytes cli_read(const char *name);
mmd_image cli_picture(const char *name);

/* Return whether two files have the same bytes, or two images the same pixels (metadata is ignored). */
bool cli_same_files(const char *a, const char *b);
bool cli_same_pictures(const char *a, const char *b);

/* cli_picture_scene returns the scene that an image file carries, allocated with malloc. cli_write_picture
 * writes an image that carries a scene. */
char *cli_picture_scene(const char *name);
void cli_write_picture(const char *name, const mmd_image *image, const char *scene);

/* Group setup: creates the folder and writes the figure's model, textures and dance into it (odori.pmx,
 * odori.vmd). */
int cli_setup(void **state);

#endif
