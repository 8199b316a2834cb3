/*
 * check --repeat: what is not the same in all rounds. Every round is compared with the first one, by the
 * hashes of all stages that lead to a picture. A round that does not differ leaves nothing behind.
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "mmd/cursor.h"

/* Returns the frame of a scene with a number, or NULL. */
static json_t *frame_of(const json_t *scene, const json_t *number)
{
    const json_t *frames = json_object_get(scene, "frames");
    for (size_t i = 0; i < json_array_size(frames); i++)
        if (json_equal(json_object_get(json_array_get(frames, i), "frame"), number) == 1)
            return json_array_get(frames, i);
    return NULL;
}

void repeat_join(json_t *scene, const json_t *again, uint32_t round)
{
    const json_t *frames = json_object_get(again, "frames");
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *one = json_array_get(frames, i);
        json_t *frame = frame_of(scene, json_object_get(one, "frame"));
        if (frame && !json_object_get(frame, "unrepeatable"))
            json_object_set_new(frame, "unrepeatable",
                                json_pack("{si ss ss}", "round", (int)round, "stage",
                                          check_text(one, "stage"), "detail", check_text(one, "detail")));
    }
    if (strcmp(check_text(again, "status"), "pass") != 0 && !json_object_get(scene, "unrepeatable"))
        json_object_set_new(
            scene, "unrepeatable",
            json_pack("{si ss}", "round", (int)round, "message", check_text(again, "message")));
}

void repeat_describe(const json_t *frame, mmd_buffer *text)
{
    const json_t *found = json_object_get(frame, "unrepeatable");
    if (!found)
        return;
    mmd_write_format(text, "round %lld differs, first step that differs: %s",
                     (long long)json_integer_value(json_object_get(found, "round")),
                     check_text(found, "stage"));
    if (*check_text(found, "detail"))
        mmd_write_format(text, " (%s)", check_text(found, "detail"));
}

/* Describes a scene that is not repeatable, by its first frame: "not repeatable: 2 of 3 frames, first 20:
 * round 2 …". */
static void describe_scene(const json_t *scene, mmd_buffer *text)
{
    const json_t *frames = json_object_get(scene, "frames"), *whole = json_object_get(scene, "unrepeatable"),
                 *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        if (json_object_get(frame, "unrepeatable") && count++ == 0)
            first = frame;
    }
    if (first) {
        const double number = json_number_value(json_object_get(first, "frame"));
        mmd_write_format(text, "not repeatable: ");
        if (json_array_size(frames) > 1)
            mmd_write_format(text, "%zu of %zu frames, first %.9g: ", count, json_array_size(frames), number);
        else
            mmd_write_format(text, "frame %.9g: ", number);
        repeat_describe(first, text);
    }
    if (whole)
        mmd_write_format(text, "%s in round %lld it could not be drawn: %s", first ? ";" : "not repeatable:",
                         (long long)json_integer_value(json_object_get(whole, "round")),
                         check_text(whole, "message"));
}

void repeat_end(json_t *scene)
{
    const json_t *frames = json_object_get(scene, "frames");
    mmd_buffer text = {0};
    for (size_t i = 0; i < json_array_size(frames); i++)
        json_object_del(json_array_get(frames, i), "pipeline");
    describe_scene(scene, &text);
    if (text.size && strcmp(check_text(scene, "status"), "error") != 0) {
        if (*check_text(scene, "message"))
            mmd_write_format(&text, "; %s", check_text(scene, "message"));
        json_object_set_new(scene, "status", json_string("fail"));
        json_object_set_new(scene, "message", json_stringn((const char *)text.data, text.size));
        json_object_set_new(scene, "repeatable", json_false());
    }
    mmd_buffer_finish(&text);
}
