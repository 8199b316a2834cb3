/* JUnit XML, as CI systems read it: a test case a scene. No times: they would differ from run to run. */
#include <stdio.h>
#include <string.h>

#include "base/paths.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "base/output.h"

enum { FRAMES_SAID = 20 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* XML 1.0 knows no control characters but tab and line ends, not even as entities. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *entity = c == '&'   ? "&amp;"
                             : c == '<' ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (entity)
            fputs(entity, out);
        else if (c >= 0x20 && c != 0x7f)
            putc(c, out);
        else
            putc(c == '\n' ? '\n' : ' ', out);
    }
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    put_escaped(out, text);
    putc('"', out);
}

/* As check_tell_frame and check_tell_fold tell it. */
static void put_buffer(FILE *out, mmd_buffer *text)
{
    mmd_write_u8(text, '\0');
    if (!text->failed)
        put_escaped(out, (const char *)text->data);
    mmd_buffer_finish(text);
}

static bool is_trouble(const json_t *frame)
{
    const char *status = text_of(frame, "status");
    return strcmp(status, "fail") == 0 || strcmp(status, "no baseline") == 0;
}

static void put_frame(FILE *out, const json_t *frame)
{
    mmd_buffer text = {0};
    fprintf(out, "frame %.9g: ", json_number_value(json_object_get(frame, "frame")));
    check_tell_frame(frame, &text);
    put_buffer(out, &text);
    putc('\n', out);
}

/* Frames in their order, as many as one wants to read there; which is the worst, the message says. */
static void put_frames(FILE *out, const json_t *frames)
{
    size_t said = 0, left = 0;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        if (is_trouble(frame) && said++ < FRAMES_SAID)
            put_frame(out, frame);
        else
            left += is_trouble(frame);
    }
    if (left)
        fprintf(out, "and %zu more frame%s\n", left, left == 1 ? "" : "s");
}

/* What the scene comes down to, as an attribute. */
static void put_message(FILE *out, const json_t *scene)
{
    const char *message = text_of(scene, "message"), *status = text_of(scene, "status");
    mmd_buffer text = {0};
    if (strcmp(status, "no baseline") == 0)
        mmd_write_format(&text, "no baseline: ");
    if (*message)
        mmd_write_format(&text, "%s", message);
    else
        check_tell_fold(scene, status, &text);
    fputs(" message=\"", out);
    put_buffer(out, &text);
    putc('"', out);
}

/* <failure> where pictures differ, <error> where there are none. */
static void put_trouble(FILE *out, const json_t *scene)
{
    const char *kind = strcmp(text_of(scene, "status"), "error") == 0 ? "error" : "failure";
    fprintf(out, "    <%s", kind);
    put_message(out, scene);
    putc('>', out);
    put_frames(out, json_object_get(scene, "frames"));
    fprintf(out, "</%s>\n", kind);
}

static void put_warnings(FILE *out, const json_t *warnings)
{
    fputs("    <system-out>", out);
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        fputs("warning: ", out);
        put_escaped(out, json_string_value(json_array_get(warnings, i)));
        putc('\n', out);
    }
    fputs("</system-out>\n", out);
}

static void put_case(FILE *out, const char *class_name, const json_t *scene)
{
    const char *status = text_of(scene, "status");
    const json_t *warnings = json_object_get(scene, "warnings");
    bool fine = strcmp(status, "pass") == 0 || strcmp(status, "accepted") == 0;
    fputs("  <testcase", out);
    put_attribute(out, "classname", class_name);
    put_attribute(out, "name", text_of(scene, "name"));
    if (fine && !warnings) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (!fine)
        put_trouble(out, scene);
    if (warnings)
        put_warnings(out, warnings);
    fputs("  </testcase>\n", out);
}

bool junit_write(const char *folder, const json_t *whole)
{
    char path[PATH_MAX];
    output out;
    const json_t *scenes = json_object_get(whole, "scenes"), *summary = json_object_get(whole, "summary");
    const char *name = text_of(whole, "suite");
    if (!output_open(&out, path_join(path, folder, "junit.xml")))
        return false;
    json_int_t failures = json_integer_value(json_object_get(summary, "failed")) +
                          json_integer_value(json_object_get(summary, "no_baseline"));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite", out.stream);
    put_attribute(out.stream, "name", name);
    fprintf(out.stream, " tests=\"%zu\" failures=\"%lld\" errors=\"%lld\">\n", json_array_size(scenes),
            (long long)failures, (long long)json_integer_value(json_object_get(summary, "errors")));
    for (size_t i = 0; i < json_array_size(scenes); i++)
        put_case(out.stream, name, json_array_get(scenes, i));
    fputs("</testsuite>\n", out.stream);
    return output_commit(&out);
}
