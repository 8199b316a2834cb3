/* Running the program from a test: arguments in, exit code and both outputs back. */
#ifndef ODORI_TEST_CLI_H
#define ODORI_TEST_CLI_H

#include <jansson.h>

#include "mmd/image.h"
#include "support.h"

/* A folder of this test program's own, gone when it ends. */
const char *cli_folder(void);

typedef struct cli_result {
    int code;
    char *out, *err; /* NUL-terminated */
    size_t out_size;
} cli_result;

/*
 * Runs `odori ARGUMENTS` in the folder, without a display; arguments as a
 * shell reads them (`<file` too). Free with cli_finish.
 */
cli_result cli_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_finish(cli_result *result);

/* Runs and wants this exit code; 2 and more want exactly one line on stderr that contains text. */
void cli_expect(int code, const char *text, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs, wants exit code 0 and JSON on stdout; the caller owns it. */
json_t *cli_json(const char *arguments);

/* Writes a file of the folder. */
void cli_write(const char *name, const void *data, size_t size);
void cli_write_text(const char *name, const char *text);

/* Runs a line of the shell in the folder; it has to succeed. */
void cli_shell(const char *command);

/* Skips the test where the build made no dancer: one without the program that makes her. */
void cli_need_dancer(void);

/* Skips the test where there is no program of this name (ffmpeg). */
void cli_need(const char *program);

/* A file of the folder, and one that is a picture. */
mmd_bytes cli_read(const char *name);
mmd_image cli_picture(const char *name);

/* Whether two files have the same bytes; two pictures the same pixels, whatever they say of themselves. */
bool cli_same_files(const char *a, const char *b);
bool cli_same_pictures(const char *a, const char *b);

/* What a picture says of itself, from malloc; and a picture that says something. */
char *cli_picture_scene(const char *name);
void cli_write_picture(const char *name, const mmd_image *image, const char *scene);

/* Makes the folder and puts the figure's model, textures and dance in it: odori.pmx, odori.vmd. A group
 * setup. */
int cli_setup(void **state);

#endif
