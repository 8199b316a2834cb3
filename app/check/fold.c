/* A scene's frames as one sentence: a motion that went wrong fails in hundreds of them for one reason. */
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "mmd/cursor.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double mean_of(const json_t *frame)
{
    const json_t *metrics = json_object_get(frame, "metrics");
    return metrics ? json_number_value(json_object_get(metrics, "mean"))
                   : 256; /* of other sizes: more than all */
}

bool check_is_worse(const json_t *frame, const json_t *than)
{
    return mean_of(frame) > mean_of(than);
}

frame_fold check_fold(const json_t *scene, const char *status)
{
    const json_t *frames = json_object_get(scene, "frames");
    frame_fold fold = {.all = json_array_size(frames)};
    for (size_t i = 0; i < fold.all; i++) {
        const json_t *frame = json_array_get(frames, i);
        if (strcmp(text_of(frame, "status"), status) != 0)
            continue;
        if (fold.of_status++ == 0 || check_is_worse(frame, fold.worst))
            fold.worst = frame;
    }
    return fold;
}

/* "(largest 12, mean 0.31, 1.2 % of the pixels by more than 2 levels)"; what a metric lacks was not asked
 * for. */
static void tell_numbers(const json_t *metrics, mmd_buffer *text)
{
    const json_t *flip = json_object_get(metrics, "flip");
    mmd_write_format(text, " (largest %lld, mean %.3g, %.3g %% of the pixels by more than %g levels",
                     (long long)json_integer_value(json_object_get(metrics, "max")),
                     json_number_value(json_object_get(metrics, "mean")),
                     100 * json_number_value(json_object_get(metrics, "share")),
                     json_number_value(json_object_get(metrics, "threshold")));
    if (flip)
        mmd_write_format(text, ", FLIP %.3g", json_number_value(flip));
    mmd_write_format(text, ")");
}

static void tell_changes(const json_t *changes, mmd_buffer *text)
{
    if (changes && json_array_size(changes) == 0)
        mmd_write_format(text, "; no file and no setting has changed");
    for (size_t i = 0; i < json_array_size(changes); i++)
        mmd_write_format(text, "; %s", json_string_value(json_array_get(changes, i)));
}

void check_tell_frame(const json_t *frame, mmd_buffer *text)
{
    mmd_write_format(text, "%s", *text_of(frame, "why") ? text_of(frame, "why") : text_of(frame, "status"));
    if (json_object_get(frame, "metrics"))
        tell_numbers(json_object_get(frame, "metrics"), text);
    if (*text_of(frame, "stage"))
        mmd_write_format(text, "; first stage that differs: %s", text_of(frame, "stage"));
    if (*text_of(frame, "detail"))
        mmd_write_format(text, " (%s)", text_of(frame, "detail"));
    tell_changes(json_object_get(frame, "changes"), text);
}

void check_tell_fold(const json_t *scene, const char *status, mmd_buffer *text)
{
    frame_fold fold = check_fold(scene, status);
    bool failed = strcmp(status, "fail") == 0;
    if (!fold.worst)
        return;
    double frame = json_number_value(json_object_get(fold.worst, "frame"));
    if (fold.all == 1)
        mmd_write_format(text, "frame %.9g%s", frame, failed ? ": " : "");
    else if (failed)
        mmd_write_format(text, "%zu of %zu frames failed, worst %.9g: ", fold.of_status, fold.all, frame);
    else
        mmd_write_format(text, "%zu of %zu frames", fold.of_status, fold.all);
    if (failed)
        check_tell_frame(fold.worst, text);
    mmd_write_u8(text, '\0');
}
