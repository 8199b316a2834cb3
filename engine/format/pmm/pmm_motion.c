/* A model's keys in a project as a motion. */
#include "pmm_made.h"

#include "mmd/format.h"
#include "mmd/text.h"
#include "vmd_records.h"

#include <assert.h>
#include <string.h>

void pmm_vmd_start(mmd_buffer *vmd, const char *model_name)
{
    uint8_t header[50] = "Vocaloid Motion Data 0002";
    mmd_cp932_from_utf8(model_name, strlen(model_name), header + VMD_MAGIC_SIZE, 20, NULL);
    mmd_write_bytes(vmd, header, sizeof header);
}

mmd_motion *pmm_vmd_end(mmd_buffer *vmd)
{
    mmd_motion *motion = NULL;
    if (!vmd->failed)
        mmd_vmd_read(vmd->data, vmd->size, &motion, NULL);
    mmd_buffer_finish(vmd);
    return motion;
}

/* Names of which each counts once: of several bones with one name the first. */
typedef struct name_set {
    vmd_names names;
    mmd_arena arena;
} name_set;

static bool set_init(name_set *set, uint32_t count)
{
    *set = (name_set){0};
    set->names.names = mmd_arena_alloc(&set->arena, count, sizeof *set->names.names);
    set->names.nodes = mmd_arena_alloc(&set->arena, count, sizeof *set->names.nodes);
    return set->names.names && set->names.nodes;
}

static bool first_of_name(name_set *set, const uint8_t key[VMD_NAME_SIZE])
{
    uint32_t before = set->names.count;
    return vmd_names_add(&set->names, vmd_name_load(key)) == before;
}

/* The count of a section is known once its records are written. */
static size_t begin_section(mmd_buffer *vmd)
{
    mmd_write_u32(vmd, 0);
    return vmd->size;
}

static void end_section(mmd_buffer *vmd, size_t start, uint32_t count)
{
    if (!vmd->failed)
        memcpy(vmd->data + start - sizeof count, &count, sizeof count);
}

/* Of version 0001, and its model's file was not there or is another one. */
static bool is_nameless(const mmd_project_text *name)
{
    return !name->raw && !*name->text;
}

static bool bone_rests(const mmd_project_bone *bone)
{
    const mmd_project_bone_key *key = &bone->keys[0];
    if (bone->key_count > 1 || key->physics_off)
        return false;
    for (int i = 0; i < 3; i++)
        if (key->translation[i] != 0.0f || key->rotation[i] != 0.0f)
            return false;
    return true;
}

static void write_bone_key(mmd_buffer *vmd, const uint8_t name[VMD_NAME_SIZE],
                           const mmd_project_bone_key *key)
{
    uint8_t record[111];
    mmd_bone_key as = {.physics_off = key->physics_off != 0};
    memcpy(as.translation, key->translation, sizeof as.translation);
    memcpy(as.rotation, key->rotation, sizeof as.rotation);
    memcpy(as.curve, key->curves, sizeof as.curve);
    vmd_bone_blank(record);
    vmd_bone_patch(record, name, key->at.frame, &as);
    mmd_write_bytes(vmd, record, sizeof record);
}

static bool write_bones(mmd_buffer *vmd, const mmd_project_model *model)
{
    name_set names;
    bool room = set_init(&names, model->bone_count);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->bone_count && room; i++) {
        const mmd_project_bone *bone = &model->bones[i];
        uint8_t name[VMD_NAME_SIZE];
        mmd_name_key_from_utf8(bone->name.text, name, NULL, NULL);
        if (is_nameless(&bone->name) || !first_of_name(&names, name) || bone_rests(bone))
            continue;
        for (uint32_t k = 0; k < bone->key_count; k++)
            write_bone_key(vmd, name, &bone->keys[k]);
        count += bone->key_count;
    }
    end_section(vmd, start, count);
    mmd_arena_finish(&names.arena);
    return room;
}

static bool write_morphs(mmd_buffer *vmd, const mmd_project_model *model)
{
    name_set names;
    bool room = set_init(&names, model->morph_count);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->morph_count && room; i++) {
        const mmd_project_morph *morph = &model->morphs[i];
        uint8_t name[VMD_NAME_SIZE], record[23];
        mmd_name_key_from_utf8(morph->name.text, name, NULL, NULL);
        if (is_nameless(&morph->name) || !first_of_name(&names, name) ||
            (morph->key_count == 1 && morph->keys[0].weight == 0.0f))
            continue;
        for (uint32_t k = 0; k < morph->key_count; k++) {
            memset(record, 0, sizeof record);
            vmd_morph_patch(record, name, morph->keys[k].at.frame, morph->keys[k].weight);
            mmd_write_bytes(vmd, record, sizeof record);
        }
        count += morph->key_count;
    }
    end_section(vmd, start, count);
    mmd_arena_finish(&names.arena);
    return room;
}

static bool always_on(const mmd_project_model *model)
{
    const mmd_project_config_key *key = &model->configs[0];
    bool on = model->config_count == 1 && key->visible;
    for (uint32_t i = 0; i < model->ik_count; i++)
        on = on && key->ik[i];
    return on;
}

static void write_config(mmd_buffer *vmd, const mmd_project_model *model, const mmd_project_config_key *key)
{
    mmd_write_u32(vmd, key->at.frame);
    mmd_write_u8(vmd, key->visible);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->ik_count; i++) {
        if (model->ik_bones[i] < 0 || (uint32_t)model->ik_bones[i] >= model->bone_count)
            continue;
        const char *bone = model->bones[model->ik_bones[i]].name.text;
        uint8_t name[20] = {0};
        mmd_cp932_from_utf8(bone, strlen(bone), name, sizeof name, NULL);
        mmd_write_bytes(vmd, name, sizeof name);
        mmd_write_u8(vmd, key->ik[i]);
        count++;
    }
    end_section(vmd, start, count);
}

static void write_configs(mmd_buffer *vmd, const mmd_project_model *model)
{
    uint32_t count = always_on(model) ? 0 : model->config_count;
    mmd_write_u32(vmd, count);
    for (uint32_t i = 0; i < count; i++)
        write_config(vmd, model, &model->configs[i]);
}

mmd_motion *mmd_project_model_motion(const mmd_project_model *model)
{
    assert(model);
    mmd_buffer vmd = {0};
    pmm_vmd_start(&vmd, model->name.text);
    if (write_bones(&vmd, model) && write_morphs(&vmd, model)) {
        mmd_write_zeros(&vmd, 3 * sizeof(uint32_t)); /* no camera, light, self shadow */
        write_configs(&vmd, model);
        return pmm_vmd_end(&vmd);
    }
    mmd_buffer_finish(&vmd);
    return NULL;
}
