#include "cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "figure.h"
#include "pictures.h"

const char *cli_folder(void)
{
    static char folder[512];
    if (!*folder)
        snprintf(folder, sizeof folder, "%s/cli-%ld", ODORI_BINARY, (long)getpid());
    return folder;
}

static char *read_whole(const char *name, size_t *size)
{
    char path[1024];
    mmd_bytes bytes = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    char *text = malloc(bytes.size + 1);
    assert_non_null(text);
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    if (size)
        *size = bytes.size;
    mmd_bytes_finish(&bytes);
    return text;
}

/* Runs the program without a display, with its settings in the test's folder, and reads both outputs. */
static cli_result run_arguments(const char *arguments)
{
    char command[8192], output[1024];
    cli_result result = {0};
    snprintf(command, sizeof command,
             "cd '%s' && env -u DISPLAY -u WAYLAND_DISPLAY XDG_CONFIG_HOME='%s/.config' "
             "XDG_STATE_HOME='%s/.state' "
             "'%s/odori' %s >.out 2>.err",
             cli_folder(), cli_folder(), cli_folder(), ODORI_BINARY, arguments);
    snprintf(output, sizeof output, "%s/.out", cli_folder());
    unlink(output); /* truncating an existing file waits for the disk, creating a new one does not */
    int status = system(command);
    assert_true(WIFEXITED(status));
    result.code = WEXITSTATUS(status);
    result.out = read_whole(".out", &result.out_size);
    result.err = read_whole(".err", NULL);
    return result;
}

cli_result cli_run(const char *format, ...)
{
    char arguments[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    return run_arguments(arguments);
}

void cli_finish(cli_result *result)
{
    free(result->out);
    free(result->err);
    *result = (cli_result){0};
}

void cli_expect(int code, const char *text, const char *format, ...)
{
    char arguments[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    cli_result result = run_arguments(arguments);
    if (result.code != code)
        fail_msg("odori %s: exit code %d, not %d: %s", arguments, result.code, code, result.err);
    if (text && !strstr(code >= 2 ? result.err : result.out, text))
        fail_msg("odori %s: no \"%s\" in: %s", arguments, text, code >= 2 ? result.err : result.out);
    if (code >= 2) {
        const char *end = strchr(result.err, '\n');
        if (!end || end[1])
            fail_msg("odori %s: not one line: %s", arguments, result.err);
        assert_int_equal(result.out_size, 0);
    }
    cli_finish(&result);
}

json_t *cli_json(const char *arguments)
{
    json_error_t error;
    cli_result result = cli_run("%s", arguments);
    if (result.code != 0)
        fail_msg("odori %s: %d %s", arguments, result.code, result.err);
    json_t *root = json_loads(result.out, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("odori %s: %s at line %d", arguments, error.text, error.line);
    cli_finish(&result);
    return root;
}

void cli_write(const char *name, const void *data, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

void cli_write_text(const char *name, const char *text)
{
    cli_write(name, text, strlen(text));
}

void cli_shell(const char *command)
{
    char line[4096];
    int size = snprintf(line, sizeof line, "cd '%s' && { %s; }", cli_folder(), command);
    assert_true(size > 0 && (size_t)size < sizeof line);
    if (system(line) != 0)
        fail_msg("%s", line);
}

void cli_need_dancer(void)
{
    struct stat status;
    if (stat(ODORI_BINARY "/dancer/dance.vmd", &status) != 0)
        test_skip("the build made no dancer");
}

void cli_need(const char *program)
{
    char command[256];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    if (system(command) != 0)
        test_skip("no %s", program);
}

mmd_bytes cli_read(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    return bytes;
}

mmd_image cli_picture(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    return picture_read(path);
}

bool cli_same_files(const char *a, const char *b)
{
    mmd_bytes x = cli_read(a), y = cli_read(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    mmd_bytes_finish(&x);
    mmd_bytes_finish(&y);
    return same;
}

bool cli_same_pictures(const char *a, const char *b)
{
    mmd_image x = cli_picture(a), y = cli_picture(b);
    bool same = x.width == y.width && x.height == y.height &&
                memcmp(x.pixels, y.pixels, (size_t)4 * x.width * x.height) == 0;
    mmd_image_finish(&x);
    mmd_image_finish(&y);
    return same;
}

char *cli_picture_scene(const char *name)
{
    static const char key[] = "odori.scene";
    mmd_bytes file = cli_read(name);
    char *text = NULL;
    for (size_t at = 8; !text && at + sizeof key < file.size; at++) {
        const uint8_t *p = file.data + at;
        if (memcmp(p, key, sizeof key) != 0)
            continue;
        size_t length = ((size_t)p[-7] << 16 | (size_t)p[-6] << 8 | p[-5]) - sizeof key;
        text = calloc(1, length + 1);
        assert_true(text && at + sizeof key + length <= file.size);
        memcpy(text, p + sizeof key, length);
    }
    if (!text)
        fail_msg("%s has no %s", name, key);
    mmd_bytes_finish(&file);
    return text;
}

void cli_write_picture(const char *name, const mmd_image *image, const char *scene)
{
    const mmd_image_text text = {"odori.scene", scene};
    mmd_buffer png = {0};
    assert_int_equal(mmd_png_write(image, &(mmd_png_options){.texts = &text, .text_count = 1}, &png, NULL),
                     MMD_OK);
    cli_write(name, png.data, png.size);
    mmd_buffer_finish(&png);
}

static void remove_folder(void)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", cli_folder());
    if (system(command) != 0)
        fprintf(stderr, "%s was left behind\n", cli_folder());
}

int cli_setup(void **state)
{
    (void)state;
    mmd_buffer file = {0};
    if (mkdir(cli_folder(), 0777) != 0 && errno != EEXIST)
        return -1;
    atexit(remove_folder);
    assert_true(figure_make_model(&file));
    cli_write("odori.pmx", file.data, file.size);
    mmd_buffer_finish(&file);
    assert_true(figure_make_dance(&file));
    cli_write("odori.vmd", file.data, file.size);
    mmd_buffer_finish(&file);
    for (int i = 0; i < FIGURE_TEXTURES; i++) {
        assert_true(figure_make_texture(i, &file));
        cli_write(figure_texture_names[i], file.data, file.size);
        mmd_buffer_finish(&file);
    }
    return 0;
}
