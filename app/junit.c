/* JUnit XML, as CI systems read it: a test case a scene. No times: they would differ from run to run. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "output.h"

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

static void put_frame(FILE *out, const json_t *frame)
{
    const char *status = text_of(frame, "status");
    if (strcmp(status, "fail") != 0 && strcmp(status, "no baseline") != 0)
        return;
    fprintf(out, "frame %.9g: ", json_number_value(json_object_get(frame, "frame")));
    put_escaped(out, *text_of(frame, "why") ? text_of(frame, "why") : status);
    if (*text_of(frame, "stage")) {
        fputs("; first stage that differs: ", out);
        put_escaped(out, text_of(frame, "stage"));
        if (*text_of(frame, "detail")) {
            fputs(", ", out);
            put_escaped(out, text_of(frame, "detail"));
        }
    }
    putc('\n', out);
}

/* <failure> where pictures differ, <error> where there are none. */
static void put_trouble(FILE *out, const json_t *scene)
{
    const char *status = text_of(scene, "status"), *error = text_of(scene, "message");
    bool is_error = strcmp(status, "error") == 0;
    const json_t *frames = json_object_get(scene, "frames");
    fprintf(out, ">\n    <%s", is_error ? "error" : "failure");
    put_attribute(out, "message", is_error ? error : status);
    putc('>', out);
    for (size_t i = 0; i < json_array_size(frames); i++)
        put_frame(out, json_array_get(frames, i));
    fprintf(out, "</%s>\n  </testcase>\n", is_error ? "error" : "failure");
}

static void put_case(FILE *out, const char *class_name, const json_t *scene)
{
    const char *status = text_of(scene, "status");
    fputs("  <testcase", out);
    put_attribute(out, "classname", class_name);
    put_attribute(out, "name", text_of(scene, "name"));
    if (strcmp(status, "pass") == 0 || strcmp(status, "accepted") == 0)
        fputs("/>\n", out);
    else
        put_trouble(out, scene);
}

bool junit_write(const char *folder, const json_t *whole)
{
    char path[PATH_MAX];
    output out;
    const json_t *scenes = json_object_get(whole, "scenes"), *summary = json_object_get(whole, "summary");
    const char *name = text_of(whole, "suite");
    if (!output_open(&out, check_path(path, folder, "junit.xml")))
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
