/*
 * A model within a project: names, keys, state (MMD.md 1.7, part 2).
 *
 * Version 0001 has one name of 20 bytes, no list of bones, morphs, IK or
 * outside parents (they are the model file's), no switch of physics in bone
 * keys, four more bytes in a bone's state, and ends with the states (nanoem,
 * MikuMiku.PMM, pymeshio; MMDSceneKit has the same sizes). nanoem and
 * MikuMiku.PMM read the model's file for the counts; see pmm_counts.c.
 */
#include "pmm_io.h"

/* Bytes that a bone and a morph take at least: names, first keys, states. */
enum { BONE_MIN = 1 + 58 + 31, MORPH_MIN = 1 + 17 + 4, PARENT_SIZE = 8, PARENT_STATE_SIZE = 16 };

#define M(member) PMM_FIELD(mmd_project_model, member)

static const pmm_field order_fields[] = {M(draw_order), M(visible), M(selected_bone), M(selected_morphs)};
static const pmm_field pane_fields[] = {M(scroll), M(last_frame)};
static const pmm_field look_fields[] = {M(add_blend), M(edge_width), M(self_shadow), M(calc_order)};

#define B(member) PMM_FIELD(mmd_project_bone, member)

static const pmm_field bone_state_fields[] = {B(translation), B(rotation), B(unregistered), B(physics_off),
                                              B(row_selected)};
static const pmm_field bone_state_fields_1[] = {B(translation), B(rotation), B(unknown), B(unregistered),
                                                B(row_selected)};

#define K(member) PMM_FIELD(mmd_project_bone_key, member)

static const pmm_field bone_key_fields[] = {K(curves), K(translation), K(rotation), K(selected),
                                            K(physics_off)};

static const pmm_field morph_key_fields[] = {PMM_FIELD(mmd_project_morph_key, weight),
                                             PMM_FIELD(mmd_project_morph_key, selected)};

static void bone_key_payload(pmm_io *io, void *key)
{
    pmm_fields(io, bone_key_fields, sizeof bone_key_fields / sizeof *bone_key_fields - (io->version == 1),
               key); /* physics_off is the last one */
}

static void morph_key_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, morph_key_fields, key);
}

static void config_payload(pmm_io *io, void *memory)
{
    mmd_project_config_key *key = memory;
    uint32_t ik = io->model->ik_count, parents = io->version == 1 ? 0 : io->model->parent_count;
    pmm_bytes(io, &key->visible, 1);
    key->ik = pmm_room(io, key->ik, &ik, sizeof *key->ik);
    pmm_bytes(io, key->ik, ik * sizeof *key->ik);
    key->parents = pmm_room(io, key->parents, &parents, sizeof *key->parents);
    pmm_bytes(io, key->parents, parents * sizeof *key->parents);
    pmm_bytes(io, &key->selected, 1);
}

static void bone_keys(pmm_io *io, mmd_project_model *model)
{
    static const pmm_key_kind kind_2 = {"bone key", sizeof(mmd_project_bone_key), 46, bone_key_payload};
    static const pmm_key_kind kind_1 = {"bone key", sizeof(mmd_project_bone_key), PMM_BONE_PAYLOAD_1,
                                        bone_key_payload};
    pmm_list *lists = pmm_scratch(io, model->bone_count, sizeof *lists);
    for (uint32_t i = 0; lists && i < model->bone_count; i++)
        lists[i] = (pmm_list){model->bones[i].key_count, model->bones[i].keys};
    if (lists)
        pmm_keys(io, io->version == 1 ? &kind_1 : &kind_2, lists, model->bone_count);
    for (uint32_t i = 0; pmm_ok(io) && !io->out && i < model->bone_count; i++) {
        model->bones[i].key_count = lists[i].count;
        model->bones[i].keys = lists[i].keys;
    }
}

static void morph_keys(pmm_io *io, mmd_project_model *model)
{
    static const pmm_key_kind kind = {"morph key", sizeof(mmd_project_morph_key), 5, morph_key_payload};
    pmm_list *lists = pmm_scratch(io, model->morph_count, sizeof *lists);
    for (uint32_t i = 0; lists && i < model->morph_count; i++)
        lists[i] = (pmm_list){model->morphs[i].key_count, model->morphs[i].keys};
    if (lists)
        pmm_keys(io, &kind, lists, model->morph_count);
    for (uint32_t i = 0; pmm_ok(io) && !io->out && i < model->morph_count; i++) {
        model->morphs[i].key_count = lists[i].count;
        model->morphs[i].keys = lists[i].keys;
    }
}

static void config_keys(pmm_io *io, mmd_project_model *model)
{
    const pmm_key_kind kind = {"configuration key", sizeof(mmd_project_config_key),
                               (size_t)2 + model->ik_count +
                                   (io->version == 1 ? 0 : (size_t)PARENT_SIZE * model->parent_count),
                               config_payload};
    pmm_list list = {model->config_count, model->configs};
    io->model = model;
    pmm_keys(io, &kind, &list, 1);
    model->config_count = list.count;
    model->configs = list.keys;
}

static void names(pmm_io *io, mmd_project_model *model)
{
    pmm_count(io, &model->bone_count, BONE_MIN);
    model->bones = pmm_room(io, model->bones, &model->bone_count, sizeof *model->bones);
    for (uint32_t i = 0; i < model->bone_count; i++)
        pmm_string(io, &model->bones[i].name);
    pmm_count(io, &model->morph_count, MORPH_MIN);
    model->morphs = pmm_room(io, model->morphs, &model->morph_count, sizeof *model->morphs);
    for (uint32_t i = 0; i < model->morph_count; i++)
        pmm_string(io, &model->morphs[i].name);
}

static void bone_lists(pmm_io *io, mmd_project_model *model)
{
    pmm_count(io, &model->ik_count, sizeof *model->ik_bones);
    model->ik_bones = pmm_room(io, model->ik_bones, &model->ik_count, sizeof *model->ik_bones);
    pmm_bytes(io, model->ik_bones, model->ik_count * sizeof *model->ik_bones);
    pmm_count(io, &model->parent_count, sizeof *model->parent_bones);
    model->parent_bones =
        pmm_room(io, model->parent_bones, &model->parent_count, sizeof *model->parent_bones);
    pmm_bytes(io, model->parent_bones, model->parent_count * sizeof *model->parent_bones);
}

/* What the file of version 0001 says nothing of: nameless bones and morphs, as many as its keys show. */
static void find_lists(pmm_io *io, mmd_project_model *model)
{
    if (!pmm_ok(io))
        return;
    pmm_section(io, "model", io->owner);
    if (!pmm_find_counts(io, model)) {
        pmm_fail(io, MMD_ERROR_COUNT,
                 "the keys that begin here fit no number of bones, morphs and IK; the project is damaged or "
                 "cut short (version 0001 does not say the numbers)");
        return;
    }
    model->bones = pmm_room(io, NULL, &model->bone_count, sizeof *model->bones);
    model->morphs = pmm_room(io, NULL, &model->morph_count, sizeof *model->morphs);
    model->ik_bones = pmm_room(io, NULL, &model->ik_count, sizeof *model->ik_bones);
    model->name_en.text = "";
    for (uint32_t i = 0; i < model->bone_count; i++)
        model->bones[i].name.text = "";
    for (uint32_t i = 0; i < model->morph_count; i++)
        model->morphs[i].name.text = "";
    for (uint32_t i = 0; i < model->ik_count; i++)
        model->ik_bones[i] = -1;
    model->edge_width = 1.0f;
    model->self_shadow = 1;
    model->calc_order = (uint8_t)(io->owner + 1);
    model->selector_number = (uint8_t)io->owner;
}

static void frame_pane(pmm_io *io, mmd_project_model *model)
{
    uint32_t frames = model->frame_count;
    pmm_count8(io, &frames, 1);
    model->frame_open = pmm_room(io, model->frame_open, &frames, 1);
    model->frame_count = (uint8_t)frames;
    pmm_bytes(io, model->frame_open, frames);
    PMM_FIELDS(io, pane_fields, model);
}

static void states(pmm_io *io, mmd_project_model *model)
{
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (io->version == 1)
            PMM_FIELDS(io, bone_state_fields_1, &model->bones[i]);
        else
            PMM_FIELDS(io, bone_state_fields, &model->bones[i]);
    for (uint32_t i = 0; i < model->morph_count; i++)
        pmm_bytes(io, &model->morphs[i].weight, sizeof model->morphs[i].weight);
    model->ik = pmm_room(io, model->ik, &model->ik_count, 1);
    pmm_bytes(io, model->ik, model->ik_count);
    if (io->version == 1)
        return;
    model->parents = pmm_room(io, model->parents, &model->parent_count, sizeof *model->parents);
    pmm_bytes(io, model->parents, model->parent_count * sizeof *model->parents);
}

void pmm_model(pmm_io *io, mmd_project_model *model)
{
    pmm_bytes(io, &model->number, 1);
    if (io->version == 1) {
        pmm_fixed(io, &model->name, PMM_LIST_NAME_SIZE);
        pmm_fixed(io, &model->path, PMM_PATH_SIZE);
    } else {
        pmm_string(io, &model->name);
        pmm_string(io, &model->name_en);
        pmm_fixed(io, &model->path, PMM_PATH_SIZE);
        pmm_bytes(io, &model->row_count, 1);
        names(io, model);
        bone_lists(io, model);
    }
    PMM_FIELDS(io, order_fields, model);
    frame_pane(io, model);
    if (io->version == 1 && !io->out)
        find_lists(io, model);
    bone_keys(io, model);
    morph_keys(io, model);
    config_keys(io, model);
    pmm_section(io, "model", io->owner);
    states(io, model);
    if (io->version > 1)
        PMM_FIELDS(io, look_fields, model);
}
