/* Copies motions, with all memory in the copy's arena. */
#include "mmd/keying.h"

#include <assert.h>
#include <string.h>

/* Replaces an array by a copy in the arena. array is the address of the pointer, of any type. */
static bool own(mmd_arena *arena, void *array, size_t count, size_t size)
{
    void *source, *made = mmd_arena_alloc(arena, count, size);
    memcpy(&source, array, sizeof source);
    if (made && count)
        memcpy(made, source, count * size);
    memcpy(array, &made, sizeof made);
    return made != NULL;
}

/* Replaces the tracks and their arrays by copies. Shared arrays stay with the original motion. */
static bool own_bones(mmd_motion *m)
{
    if (!own(&m->arena, &m->bone_tracks, m->bone_track_count, sizeof *m->bone_tracks))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < m->bone_track_count; i++) {
        mmd_bone_track *t = &m->bone_tracks[i];
        t->room = 0;
        done = own(&m->arena, &t->frames, t->count, sizeof *t->frames) &&
               own(&m->arena, &t->keys, t->count, sizeof *t->keys) &&
               (!t->records || own(&m->arena, &t->records, t->count, sizeof *t->records));
    }
    return done;
}

static bool own_morphs(mmd_motion *m)
{
    if (!own(&m->arena, &m->morph_tracks, m->morph_track_count, sizeof *m->morph_tracks))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < m->morph_track_count; i++) {
        mmd_morph_track *t = &m->morph_tracks[i];
        t->room = 0;
        done = own(&m->arena, &t->frames, t->count, sizeof *t->frames) &&
               own(&m->arena, &t->weights, t->count, sizeof *t->weights) &&
               (!t->records || own(&m->arena, &t->records, t->count, sizeof *t->records));
    }
    return done;
}

/* Replaces the property keys and their switches by copies. */
static bool own_properties(mmd_motion *m)
{
    if (!own(&m->arena, &m->property_keys, m->property_key_count, sizeof *m->property_keys))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < m->property_key_count; i++) {
        mmd_property_key *key = &m->property_keys[i];
        done = own(&m->arena, &key->switches, key->switch_count, sizeof *key->switches);
    }
    return done;
}

static bool own_scene(mmd_motion *m)
{
    return own(&m->arena, &m->camera_keys, m->camera_key_count, sizeof *m->camera_keys) &&
           own(&m->arena, &m->light_keys, m->light_key_count, sizeof *m->light_keys) &&
           own(&m->arena, &m->self_shadow_keys, m->self_shadow_key_count, sizeof *m->self_shadow_keys);
}

/* Copies the records of all sections with fixed sizes. Property records vary in size and are contained in the
 * keys. */
static bool own_records(mmd_motion *m)
{
    const struct {
        mmd_vmd_records *records;
        size_t size;
    } sections[] = {{&m->bone_records, 111},
                    {&m->morph_records, 23},
                    {&m->camera_records, 61},
                    {&m->light_records, 28},
                    {&m->self_shadow_records, 9}};
    bool done = true;
    for (size_t i = 0; done && i < sizeof sections / sizeof *sections; i++)
        done = own(&m->arena, &sections[i].records->bytes, sections[i].records->count, sections[i].size);
    return done && own(&m->arena, &m->trailing, m->trailing_size, 1);
}

mmd_status mmd_motion_copy(const mmd_motion *motion, mmd_motion **result, mmd_error *error)
{
    assert(result);
    mmd_arena arena = {0};
    mmd_motion *m = mmd_arena_alloc(&arena, 1, sizeof *m);
    *result = NULL;
    if (m) {
        *m = motion ? *motion : (mmd_motion){.model_name_size = 20};
        m->arena = arena;
        m->bone_track_capacity = m->morph_track_capacity = 0;
        m->camera_capacity = m->light_capacity = m->self_shadow_capacity = m->property_capacity = 0;
        if (own_bones(m) && own_morphs(m) && own_properties(m) && own_scene(m) && own_records(m)) {
            *result = m;
            return MMD_OK;
        }
        arena = m->arena;
    }
    mmd_arena_finish(&arena);
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}
