/* Writes the contents of motions and poses, and what a motion moves that a model lacks. */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indices.h"
#include "mmd/text.h"

/* Decodes a name field of a VMD, which is CP932 up to a NUL, to UTF-8. Returns buffer. */
static const char *field_text(const uint8_t *field, size_t size, char *buffer, size_t capacity)
{
    const uint8_t *end = memchr(field, 0, size);
    size_t length =
        mmd_utf8_from_cp932(field, end ? (size_t)(end - field) : size, buffer, capacity - 1, NULL);
    buffer[length < capacity ? length : capacity - 1] = '\0';
    return buffer;
}

/* --- IK switches: each name once, with the number of keyframes that switch it on and off --- */

typedef struct ik_summary {
    const uint8_t *name; /* 20 bytes, up to a NUL */
    size_t first;        /* index of the first switch with the name */
    uint32_t on, off;
} ik_summary;

typedef struct ik_summaries {
    ik_summary *items;
    size_t count;
} ik_summaries;

/* Compares two name fields of 20 bytes up to a NUL. */
static int compare_field(const uint8_t *a, const uint8_t *b)
{
    return strncmp((const char *)a, (const char *)b, 20);
}

/* Orders switches by name, then by their order in the motion. */
static int compare_summaries(const void *a, const void *b)
{
    const ik_summary *x = a, *y = b;
    int order = compare_field(x->name, y->name);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* Orders switches by their order in the motion. */
static int compare_first(const void *a, const void *b)
{
    const ik_summary *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Returns the switches by name, in the order of the motion, by sorting them by name, merging equal names and
 * sorting them back. Out of memory: the list is empty. */
static ik_summaries summarise_switches(const mmd_motion *m)
{
    ik_summaries list = {0};
    size_t total = 0, last_unique = 0;
    for (uint32_t k = 0; k < m->property_key_count; k++)
        total += m->property_keys[k].switch_count;
    list.items = total ? mmd_alloc(total * sizeof *list.items) : NULL;
    if (!list.items)
        return list;
    for (uint32_t k = 0; k < m->property_key_count; k++) {
        for (uint32_t i = 0; i < m->property_keys[k].switch_count; i++) {
            const mmd_ik_switch *s = &m->property_keys[k].switches[i];
            list.items[list.count] = (ik_summary){s->name, list.count, s->on != 0, s->on == 0};
            list.count++;
        }
    }
    qsort(list.items, list.count, sizeof *list.items, compare_summaries);
    for (size_t i = 1; i < list.count; i++) {
        ik_summary *last = &list.items[last_unique], *next = &list.items[i];
        if (compare_field(last->name, next->name) == 0) {
            last->on += next->on;
            last->off += next->off;
        } else {
            list.items[++last_unique] = *next;
        }
    }
    list.count = last_unique + 1;
    qsort(list.items, list.count, sizeof *list.items, compare_first);
    return list;
}

/* Writes the IK switches. */
static void write_switches(facts *f, const mmd_motion *m)
{
    ik_summaries list = summarise_switches(m);
    char name[128];
    if (f->as_json) {
        emitter *j = &f->json;
        emit_key(j, "ik_switches");
        emit_open(j, '[');
        for (size_t i = 0; i < list.count; i++) {
            emit_open(j, '{');
            emit_member_text(j, "name", field_text(list.items[i].name, 20, name, sizeof name));
            emit_member_whole(j, "on", list.items[i].on);
            emit_member_whole(j, "off", list.items[i].off);
            emit_close(j, '}');
        }
        emit_close(j, ']');
    } else if (list.count) {
        facts_open(f, NULL, "IK switches");
        for (size_t i = 0; i < list.count; i++) {
            char counts[64];
            snprintf(counts, sizeof counts, "on in %u keyframe%s, off in %u", list.items[i].on,
                     list.items[i].on == 1 ? "" : "s", list.items[i].off);
            facts_text(f, NULL, counts, field_text(list.items[i].name, 20, name, sizeof name));
        }
        facts_close(f);
    }
    mmd_free(list.items);
}

/* --- Bones whose keyframes switch physics off and on. It is on at first. --- */

/* Returns the index of the next keyframe from i on that changes the state, or the number of keyframes. Of
 * several at one frame the last applies. */
static uint32_t next_switch(const mmd_bone_track *track, uint32_t i, bool off)
{
    for (; i < track->count; i++) {
        bool counts = i + 1 == track->count || track->frames[i + 1] != track->frames[i];
        if (counts && track->keys[i].physics_off != off)
            break;
    }
    return i;
}

/* Lists the keyframes that switch physics, in text as "name: off at 10, on at 30". Long lists end in dots. */
static void write_physics_switches(facts *f, const mmd_motion *m)
{
    enum { SHOWN = 12 };
    emitter *j = &f->json;
    indices switched = {0}; /* bone tracks */
    for (uint32_t i = 0; i < m->bone_track_count; i++)
        if (next_switch(&m->bone_tracks[i], 0, false) < m->bone_tracks[i].count)
            indices_add(&switched, i);
    facts_list_open(f, "physics_switches", "bones that switch physics", switched.count);
    for (size_t k = 0; k < switched.count; k++) {
        const mmd_bone_track *track = &m->bone_tracks[switched.items[k]];
        char name[128], keys[512];
        bool off = false;
        size_t at = 0;
        uint32_t shown = 0;
        field_text(track->name, 15, name, sizeof name);
        if (f->as_json) {
            emit_open(j, '{');
            emit_member_text(j, "bone", name);
            emit_key(j, "keys");
            emit_open(j, '[');
        }
        for (uint32_t i = next_switch(track, 0, off); i < track->count;
             i = next_switch(track, i + 1, off), shown++) {
            off = !off;
            if (f->as_json) {
                emit_open(j, '{');
                emit_member_whole(j, "frame", track->frames[i]);
                emit_member_bool(j, "physics", !off);
                emit_close(j, '}');
            } else if (shown < SHOWN) {
                at += (size_t)snprintf(keys + at, sizeof keys - at, "%s %s at %u", shown ? "," : "",
                                       off ? "off" : "on", track->frames[i]);
            } else {
                snprintf(keys + at, sizeof keys - at, ", ...");
                break;
            }
        }
        if (f->as_json) {
            emit_close(j, ']');
            emit_close(j, '}');
        } else {
            facts_item(f, "%s:%s", name, keys);
        }
    }
    facts_list_close(f);
    indices_finish(&switched);
}

void info_motion(facts *f, const mmd_motion *m)
{
    char name[128];
    facts_text(f, "kind", "kind", "VMD");
    facts_text(f, "model_name", "model name",
               field_text(m->model_name, m->model_name_size, name, sizeof name));
    facts_whole(f, "last_frame", "last frame", m->last_frame);
    facts_bool(f, "cut", "truncated", m->cut);
    facts_open(f, "counts", "counts");
    facts_whole(f, "bone_keys", "bone keyframes", m->bone_key_count);
    facts_whole(f, "bone_tracks", "bone tracks", m->bone_track_count);
    facts_whole(f, "morph_keys", "morph keyframes", m->morph_key_count);
    facts_whole(f, "morph_tracks", "morph tracks", m->morph_track_count);
    facts_whole(f, "camera_keys", "camera keyframes", m->camera_key_count);
    facts_whole(f, "light_keys", "light keyframes", m->light_key_count);
    facts_whole(f, "self_shadow_keys", "self shadow keyframes", m->self_shadow_key_count);
    facts_whole(f, "property_keys", "property keyframes", m->property_key_count);
    facts_whole(f, "trailing_bytes", "bytes after the end", m->trailing_size);
    facts_close(f);
    write_switches(f, m);
    write_physics_switches(f, m);
}

void info_pose(facts *f, const mmd_vpd *pose)
{
    facts_text(f, "kind", "kind", "VPD");
    facts_text(f, "model_name", "model name", pose->model);
    facts_open(f, "counts", "counts");
    facts_whole(f, "bones", "bones", pose->bone_count);
    facts_whole(f, "morphs", "morphs", pose->morph_count);
    facts_close(f);
}

/* --- Matching a motion with a model --- */

/* The sorted names of bones or morphs of a model. */
typedef struct key_set {
    uint8_t (*keys)[MMD_NAME_KEY_SIZE];
    size_t count;
} key_set;

static int compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, MMD_NAME_KEY_SIZE);
}

/* Collects the names of all bones, of the IK bones, or of all morphs. Empty names are left out, since nothing
 * can refer to them. Out of memory: the set is empty. */
static key_set collect_keys(const mmd_model *m, bool morphs, bool only_ik)
{
    static const uint8_t nameless[MMD_NAME_KEY_SIZE] = {0};
    uint32_t count = morphs ? m->morph_count : m->bone_count;
    key_set set = {.keys = count ? mmd_alloc(count * sizeof *set.keys) : NULL};
    for (uint32_t i = 0; set.keys && i < count; i++) {
        const uint8_t *key = morphs ? m->morph_key[i] : m->bone_key[i];
        bool wanted = !only_ik || (m->bones[i].flags & MMD_BONE_IK);
        if (wanted && compare_keys(key, nameless) != 0)
            memcpy(set.keys[set.count++], key, MMD_NAME_KEY_SIZE);
    }
    if (set.count)
        qsort(set.keys, set.count, sizeof *set.keys, compare_keys);
    return set;
}

/* Returns whether the set contains a name. */
static bool has_key(const key_set *set, const uint8_t name[MMD_NAME_KEY_SIZE])
{
    return set->count && bsearch(name, set->keys, set->count, sizeof *set->keys, compare_keys);
}

/* Writes the number of tracks that match a bone or morph of the model, and lists the others. */
static void write_unmatched(facts *f, const mmd_model *model, const mmd_motion *motion, bool morphs)
{
    indices list = {0};
    uint32_t count = morphs ? motion->morph_track_count : motion->bone_track_count;
    key_set set = collect_keys(model, morphs, false);
    for (uint32_t i = 0; i < count; i++) {
        bool known = has_key(&set, morphs ? motion->morph_tracks[i].name : motion->bone_tracks[i].name);
        if (!known)
            indices_add(&list, i);
    }
    const char *key = morphs ? "unmatched_morphs" : "unmatched_bones";
    const char *title = morphs ? "morphs not in the model" : "bones not in the model";
    facts_whole(f, morphs ? "matched_morphs" : "matched_bones", morphs ? "morphs matched" : "bones matched",
                (int64_t)(count - list.count));
    if (!f->as_json && list.count == 0)
        facts_whole(f, key, title,
                    0); /* a list that is empty is written here, because it is the good result */
    facts_list_open(f, key, title, list.count);
    for (size_t i = 0; i < list.count; i++) {
        uint32_t track = list.items[i];
        char name[1024];
        facts_item_text(
            f, field_text(morphs ? motion->morph_tracks[track].name : motion->bone_tracks[track].name, 15,
                          name, sizeof name));
    }
    facts_list_close(f);
    indices_finish(&list);
    mmd_free(set.keys);
}

/* Lists the IK switches whose name is not that of an IK bone of the model. */
static void write_unmatched_switches(facts *f, const mmd_model *model, const mmd_motion *motion)
{
    ik_summaries list = summarise_switches(motion);
    key_set set = collect_keys(model, false, true);
    size_t unknown = 0;
    for (size_t i = 0; i < list.count; i++) {
        uint8_t key[MMD_NAME_KEY_SIZE];
        mmd_name_key_from_field(list.items[i].name, 20, key);
        if (!has_key(&set, key))
            list.items[unknown++] = list.items[i];
    }
    facts_list_open(f, "unmatched_ik_switches", "IK switches not in the model", unknown);
    for (size_t i = 0; i < unknown; i++) {
        char name[1024];
        facts_item_text(f, field_text(list.items[i].name, 20, name, sizeof name));
    }
    facts_list_close(f);
    mmd_free(set.keys);
    mmd_free(list.items);
}

void info_match(facts *f, const mmd_model *model, const mmd_motion *motion)
{
    write_unmatched(f, model, motion, false);
    write_unmatched(f, model, motion, true);
    write_unmatched_switches(f, model, motion);
}
