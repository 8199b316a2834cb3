/*
 * The layout of a project (docs/mmd.md 1.7, parts 1 and 3 to 6), shared by reader and writer.
 *
 * Version 0001 is an earlier form. MikuMiku.PMM and nanoem agree on it, and pymeshio and MMDSceneKit as far
 * as they go: the header lacks the panel of self shadow; names of 20 bytes precede the models; cameras do not
 * follow bones; accessories do not blend; gravity, self shadow and everything after them are missing. Files
 * of MikuMiku.PMM end after the capture mode; nanoem reads up to the brightness of ground shadows and ignores
 * the rest, of which MMDSceneKit interprets parts. The rest was determined from MMD's own sample projects of
 * versions 7 and 8.11, which end at three places, and from what MMD 9.31 saves when it has opened them
 * (end_of_version_1). A sample also shows the order of an
 * accessory's state as in MikuMiku.PMM and files of MMD 9.32: rotation, size, position; nanoem has another
 * order.
 */
#include "load.h"
#include "pmm_io.h"

#include <assert.h>
#include <string.h>

/* ---- a model ---- */

/*
 * A model in a project: names, keys, state (docs/mmd.md 1.7, part 2).
 *
 * Version 0001 has one name of 20 bytes, no lists of bones, morphs, IK and outside parents (they are in the
 * model's file), no physics switch in bone keys, four more bytes in a bone's state, and ends with the states
 * (nanoem, MikuMiku.PMM, pymeshio; MMDSceneKit has the same sizes). nanoem and MikuMiku.PMM read the model's
 * file for the counts; see pmm_counts.c.
 */

/* Smallest size of a bone and a morph: names, first keys, states. */
enum { BONE_MIN = 1 + 58 + 31, MORPH_MIN = 1 + 17 + 4, PARENT_SIZE = 8, PARENT_STATE_SIZE = 16 };

#define M(member) PMM_FIELD(mmd_project_model, member)

static const pmm_field model_order_fields[] = {M(draw_order), M(visible), M(selected_bone),
                                               M(selected_morphs)};
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
               key); /* the last byte is physics_off */
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

/*
 * Creates the lists that a file of version 0001 lacks: nameless bones and morphs, as many as its keys show.
 */
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

static void pmm_model(pmm_io *io, mmd_project_model *model)
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
    PMM_FIELDS(io, model_order_fields, model);
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

/* ---- around the models ---- */

/* Smallest size of a model and an accessory. */
enum { MODEL_MIN = 340, MODEL_MIN_1 = 20 + 347, ACCESSORY_MIN = 100 + 1 + 100 + 256 + 1 + 51 + 4 + 39 };

#define P(member) PMM_FIELD(mmd_project, member)

static const pmm_field header_fields[] = {P(view_width), P(view_height), P(pane_width), P(edit_fov),
                                          P(editing_camera)};
static const pmm_field frame_fields[] = {P(frame),   P(frame_scroll), P(frame_thumb), P(bone_operation),
                                         P(look_at), P(repeat),       P(from_on),     P(to_on),
                                         P(from),    P(to),           P(wave_on)};
static const pmm_field view_fields[] = {P(show_information), P(show_axis), P(show_ground_shadow),
                                        P(fps_limit), P(capture_mode)};
static const pmm_field order_fields[] = {P(accessories_after_models), P(ground_shadow_brightness)};
static const pmm_field physics_fields[] = {P(ground_shadow_transparent), P(physics_mode)};
static const pmm_field shadow_fields[] = {P(self_shadow_on), P(self_shadow_distance)};
static const pmm_field end_fields[] = {P(edge_color),         P(black_background), P(camera_follow.model),
                                       P(camera_follow.bone), P(unknown_matrix),   P(view_follow),
                                       P(unknown_flag),       P(physics_ground),   P(frame_box)};
static const pmm_field end_fields_1[] = {P(unknown_matrix), P(view_follow), P(unknown_flag),
                                         P(physics_ground)};
static const pmm_field camera_state_fields[] = {P(camera.target), P(camera.eye), P(camera.rotation),
                                                P(camera.orthographic)};
static const pmm_field light_state_fields[] = {P(light.color), P(light.direction)};
static const pmm_field gravity_state_fields[] = {P(gravity.acceleration), P(gravity.noise),
                                                 P(gravity.direction), P(gravity.noise_on)};

#define C(member) PMM_FIELD(mmd_project_camera_key, member)

static const pmm_field camera_place_fields[] = {C(distance), C(position), C(rotation)};
static const pmm_field camera_follow_fields[] = {C(follow.model), C(follow.bone)};
static const pmm_field camera_look_fields[] = {C(curves), C(orthographic), C(fov), C(selected)};

#define L(member) PMM_FIELD(mmd_project_light_key, member)

static const pmm_field light_key_fields[] = {L(color), L(direction), L(selected)};

#define A(member) PMM_FIELD(mmd_project_accessory_key, member)

static const pmm_field accessory_key_fields[] = {A(visibility), A(parent.model), A(parent.bone), A(position),
                                                 A(rotation),   A(scale),        A(shadow),      A(selected)};

/* Unlike in keys, the position comes last (mmd-cli, from a file of MMD 9.32). */
#define S(member) PMM_FIELD(mmd_project_accessory, member)

static const pmm_field accessory_state_fields[] = {
    S(state.visibility), S(state.parent.model), S(state.parent.bone), S(state.rotation),
    S(state.scale),      S(state.position),     S(state.shadow)};

#define G(member) PMM_FIELD(mmd_project_gravity_key, member)

static const pmm_field gravity_key_fields[] = {G(noise_on), G(noise), G(acceleration), G(direction),
                                               G(selected)};

#define D(member) PMM_FIELD(mmd_project_shadow_key, member)

static const pmm_field shadow_key_fields[] = {D(mode), D(distance), D(selected)};

static void camera_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, camera_place_fields, key);
    if (io->version > 1)
        PMM_FIELDS(io, camera_follow_fields, key);
    else if (!io->out)
        ((mmd_project_camera_key *)key)->follow = (mmd_project_parent){-1, 0};
    PMM_FIELDS(io, camera_look_fields, key);
}

static void light_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, light_key_fields, key);
}

static void accessory_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, accessory_key_fields, key);
}

static void gravity_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, gravity_key_fields, key);
}

static void shadow_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, shadow_key_fields, key);
}

static const pmm_key_kind camera_kind = {"camera key", sizeof(mmd_project_camera_key), 66, camera_payload};
static const pmm_key_kind camera_kind_1 = {"camera key", sizeof(mmd_project_camera_key), PMM_CAMERA_PAYLOAD_1,
                                           camera_payload};
static const pmm_key_kind light_kind = {"light key", sizeof(mmd_project_light_key), 25, light_payload};
static const pmm_key_kind accessory_kind = {"accessory key", sizeof(mmd_project_accessory_key), 39,
                                            accessory_payload};
static const pmm_key_kind gravity_kind = {"gravity key", sizeof(mmd_project_gravity_key), 22,
                                          gravity_payload};
static const pmm_key_kind shadow_kind = {"self shadow key", sizeof(mmd_project_shadow_key), 6,
                                         shadow_payload};

/* Processes a single list. Returns its keys. */
static void *single_list(pmm_io *io, const pmm_key_kind *kind, void *keys, uint32_t *count)
{
    pmm_list list = {*count, keys};
    pmm_keys(io, kind, &list, 1);
    *count = list.count;
    return list.keys;
}

static void header(pmm_io *io)
{
    static const char magic[] = "Polygon Movie maker 000";
    enum { VERSION = 20, DIGIT = 23 };
    mmd_project *project = io->project;
    const mmd_cursor *cursor = &io->cursor;
    pmm_section(io, "header", -1);
    if (io->out && !project->magic[0])
        memcpy(project->magic, "Polygon Movie maker 0002", DIGIT + 1);
    if (!io->out && (mmd_cursor_left(cursor) < VERSION || memcmp(cursor->data, magic, VERSION) != 0))
        pmm_fail(io, MMD_ERROR_MAGIC, "no `Polygon Movie maker' at the start");
    pmm_bytes(io, project->magic, PMM_MAGIC_SIZE);
    io->version = mmd_project_version(project);
    if (pmm_ok(io) && (memcmp(project->magic, magic, DIGIT) != 0 || io->version == 0))
        pmm_fail(io, MMD_ERROR_VERSION,
                 "only projects of versions 0001 and 0002 are known; save it in MMD 9");
    if (pmm_ok(io) && !io->out && io->version == 1 && !pmm_fill_defaults(project))
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the project");
    PMM_FIELDS(io, header_fields, project);
    pmm_bytes(io, project->panels_open, sizeof project->panels_open - (io->version == 1));
    pmm_bytes(io, &project->selected_model, 1);
}

static void models(pmm_io *io)
{
    mmd_project *project = io->project;
    pmm_count8(io, &project->model_count, io->version == 1 ? MODEL_MIN_1 : MODEL_MIN);
    project->models = pmm_room(io, project->models, &project->model_count, sizeof *project->models);
    for (uint32_t i = 0; i < project->model_count && io->version == 1; i++) {
        mmd_project_model *model = &project->models[i];
        bool is_made = io->out && !model->list_name.text;
        pmm_fixed(io, is_made ? &model->name : &model->list_name, PMM_LIST_NAME_SIZE);
    }
    for (uint32_t i = 0; i < project->model_count && pmm_ok(io); i++) {
        io->owner = (int32_t)i;
        pmm_section(io, "model", i);
        pmm_model(io, &project->models[i]);
    }
    io->owner = -1;
}

static void camera_and_light(pmm_io *io)
{
    mmd_project *project = io->project;
    project->camera_keys = single_list(io, io->version == 1 ? &camera_kind_1 : &camera_kind,
                                       project->camera_keys, &project->camera_count);
    PMM_FIELDS(io, camera_state_fields, project);
    project->light_keys = single_list(io, &light_kind, project->light_keys, &project->light_count);
    PMM_FIELDS(io, light_state_fields, project);
}

static void accessory(pmm_io *io, mmd_project_accessory *accessory)
{
    pmm_bytes(io, &accessory->number, 1);
    pmm_fixed(io, &accessory->name, PMM_ACCESSORY_NAME_SIZE);
    pmm_fixed(io, &accessory->path, PMM_PATH_SIZE);
    pmm_bytes(io, &accessory->draw_order, 1);
    accessory->keys = single_list(io, &accessory_kind, accessory->keys, &accessory->key_count);
    PMM_FIELDS(io, accessory_state_fields, accessory);
    if (io->version > 1)
        pmm_bytes(io, &accessory->add_blend, 1);
}

static void accessories(pmm_io *io)
{
    mmd_project *project = io->project;
    pmm_section(io, "accessory", -1);
    pmm_bytes(io, &project->selected_accessory, 1);
    pmm_bytes(io, &project->accessory_scroll, sizeof project->accessory_scroll);
    pmm_count8(io, &project->accessory_count, ACCESSORY_MIN);
    project->accessories =
        pmm_room(io, project->accessories, &project->accessory_count, sizeof *project->accessories);
    for (uint32_t i = 0; i < project->accessory_count; i++)
        pmm_fixed(io, &project->accessories[i].list_name, PMM_ACCESSORY_NAME_SIZE);
    for (uint32_t i = 0; i < project->accessory_count && pmm_ok(io); i++) {
        io->owner = (int32_t)i;
        pmm_section(io, "accessory", i);
        accessory(io, &project->accessories[i]);
    }
    io->owner = -1;
}

static void background(pmm_io *io, mmd_project_background *background)
{
    pmm_bytes(io, &background->x, sizeof background->x);
    pmm_bytes(io, &background->y, sizeof background->y);
    pmm_bytes(io, &background->scale, sizeof background->scale);
    pmm_fixed(io, &background->path, PMM_PATH_SIZE);
}

static bool has_left(const pmm_io *io, size_t size)
{
    return pmm_ok(io) && mmd_cursor_left(&io->cursor) >= size;
}

/* ---- the end of version 0001 ---- */

/* Successive versions of MMD appended to the file. These are the places where it can end (end_1). */
enum { END_NONE, END_ORDER, END_WHOLE, END_SHADOW, END_FOLLOW };

enum { ORDER_SIZE = 8, FOLLOW_SIZE = 12, SHADOW_KEY_SIZE = 22, LAST_SIZE = 1 + 64 + 4 };

/* Finds where the file ends, by its length and, with followed bones, by whether there is one for every camera
 * key. */
static uint8_t find_end(const pmm_io *io)
{
    const mmd_project *p = io->project;
    const uint8_t *end = io->cursor.data + io->cursor.at;
    size_t left = pmm_ok(io) ? mmd_cursor_left(&io->cursor) : 0;
    size_t at = ORDER_SIZE + p->model_count + p->accessory_count + 6 + (size_t)4 * p->model_count + 2 + 21 +
                2 + 4 + p->model_count + 1 + 18;
    if (left < at + 4)
        return left < ORDER_SIZE ? END_NONE : END_ORDER;
    uint32_t shadow_keys = load_u32(end + at);
    at += 4 + (size_t)SHADOW_KEY_SIZE * shadow_keys + 15;
    if (left <= at)
        return left == at ? END_SHADOW : END_ORDER;
    const size_t follow_at = at + 1 + 8,
                 size = follow_at + 4 + (size_t)FOLLOW_SIZE * (p->camera_count - 1) + 8;
    if ((left != size && left != size + LAST_SIZE) || load_u32(end + follow_at) != p->camera_count - 1)
        return END_ORDER;
    for (uint32_t i = 1; i < p->camera_count; i++) {
        const mmd_project_key *key = &p->camera_keys[i].at;
        const uint8_t *follow = end + follow_at + 4 + (size_t)FOLLOW_SIZE * key->record;
        if (key->record >= p->camera_count - 1 || (int32_t)load_u32(follow) != key->number)
            return END_ORDER;
    }
    return left == size ? END_FOLLOW : END_WHOLE;
}

static void pass_unknown(pmm_io *io, uint32_t *at, size_t size)
{
    pmm_bytes(io, io->project->unknown_1 + *at, size);
    *at += (uint32_t)size;
}

static void pass_follow(pmm_io *io, mmd_project_parent *follow)
{
    pmm_bytes(io, &follow->model, sizeof follow->model);
    pmm_bytes(io, &follow->bone, sizeof follow->bone);
}

/* Reads or writes the bone that each camera key follows, in the order of the records; for new keys, in the
 * order and with the numbers that their records get. */
static void camera_follows(pmm_io *io)
{
    mmd_project *p = io->project;
    uint32_t count = p->camera_count - 1, placed = 0;
    uint32_t *by_record = pmm_scratch(io, count, sizeof *by_record);
    if (!by_record)
        return;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t record = p->camera_keys[i].at.record;
        placed += record < count && by_record[record] == 0;
        if (record < count)
            by_record[record] = i;
    }
    pass_follow(io, &p->camera_keys[0].follow);
    pmm_count(io, &count, FOLLOW_SIZE);
    for (uint32_t record = 0; record < count; record++) {
        uint32_t i = placed == count ? by_record[record] : record + 1;
        int32_t number = placed == count ? p->camera_keys[i].at.number : (int32_t)i;
        pmm_bytes(io, &number, sizeof number);
        pass_follow(io, &p->camera_keys[i].follow);
    }
    pass_follow(io, &p->camera_follow);
}

/* Processes what successive versions of MMD appended. An unknown end is kept for the writer, and its values
 * are those of an empty project. The meaning of some bytes is unknown. */
static void end_of_version_1(pmm_io *io)
{
    mmd_project *p = io->project;
    uint32_t unknown = 0;
    if (!io->out)
        p->end_1 = find_end(io);
    if (p->end_1 > END_NONE)
        PMM_FIELDS(io, order_fields, p);
    if (p->end_1 <= END_ORDER)
        return;
    for (uint32_t i = 0; i < p->model_count; i++)
        pmm_bytes(io, &p->models[i].add_blend, 1);
    for (uint32_t i = 0; i < p->accessory_count; i++)
        pmm_bytes(io, &p->accessories[i].add_blend, 1);
    pass_unknown(io, &unknown, 6);
    for (uint32_t i = 0; i < p->model_count; i++)
        pmm_bytes(io, &p->models[i].edge_width, sizeof p->models[i].edge_width);
    PMM_FIELDS(io, physics_fields, p);
    PMM_FIELDS(io, gravity_state_fields, p);
    pass_unknown(io, &unknown, 1);
    PMM_FIELDS(io, shadow_fields, p);
    for (uint32_t i = 0; i < p->model_count; i++)
        pmm_bytes(io, &p->models[i].self_shadow, 1);
    pass_unknown(io, &unknown, 1);
    p->shadow_keys = single_list(io, &shadow_kind, p->shadow_keys, &p->shadow_count);
    pass_unknown(io, &unknown, 15);
    if (p->end_1 != END_SHADOW) {
        pass_unknown(io, &unknown, 1);
        camera_follows(io);
    }
    if (p->end_1 == END_WHOLE) {
        pass_unknown(io, &unknown, 1);
        PMM_FIELDS(io, end_fields_1, p);
        pass_unknown(io, &unknown, 1);
    }
    if (io->out || !pmm_ok(io))
        return;
    mmd_project_gravity_key *key = &p->gravity_keys[0]; /* there are no gravity keys yet */
    key->acceleration = p->gravity.acceleration;
    key->noise = p->gravity.noise;
    key->noise_on = p->gravity.noise_on;
    memcpy(key->direction, p->gravity.direction, sizeof key->direction);
}

static void settings(pmm_io *io)
{

    mmd_project *project = io->project;
    pmm_section(io, "settings", -1);
    PMM_FIELDS(io, frame_fields, project);
    pmm_fixed(io, &project->wave, PMM_PATH_SIZE);
    background(io, &project->avi);
    pmm_bytes(io, &project->avi_on, sizeof project->avi_on);
    background(io, &project->image);
    pmm_bytes(io, &project->image_on, 1);
    PMM_FIELDS(io, view_fields, project);
    if (io->version == 1) {
        end_of_version_1(io);
        return;
    }
    PMM_FIELDS(io, order_fields, project);
    PMM_FIELDS(io, physics_fields, project);
    PMM_FIELDS(io, gravity_state_fields, project);
    project->gravity_keys = single_list(io, &gravity_kind, project->gravity_keys, &project->gravity_count);
    PMM_FIELDS(io, shadow_fields, project);
    project->shadow_keys = single_list(io, &shadow_kind, project->shadow_keys, &project->shadow_count);
    pmm_section(io, "settings", -1);
    PMM_FIELDS(io, end_fields, project);
}

/* Processes what MMD 9.24 added, and anything after it. */
static void selectors(pmm_io *io)
{
    mmd_project *project = io->project;
    pmm_section(io, "selectors", -1);
    if (!io->out)
        project->has_selectors = io->version > 1 && has_left(io, 1);
    bool has_selectors = io->version > 1 && project->has_selectors;
    if (has_selectors)
        pmm_bytes(io, &project->selectors_on, 1);
    for (uint32_t i = 0; i < project->model_count && has_selectors && project->selectors_on; i++) {
        pmm_bytes(io, &project->models[i].selector_number, 1);
        pmm_bytes(io, &project->models[i].selector, sizeof project->models[i].selector);
    }
    if (io->out) {
        mmd_write_bytes(io->out, project->trailing, project->trailing_size);
        return;
    }
    project->trailing_size = (uint32_t)mmd_cursor_left(&io->cursor);
    project->trailing = mmd_read_bytes(&io->cursor, project->trailing_size);
}

static void pmm_project(pmm_io *io)
{
    header(io);
    models(io);
    camera_and_light(io);
    accessories(io);
    settings(io);
    selectors(io);
}

/* ---- reading: a walk over a copy of the file, which the project keeps ---- */

uint32_t mmd_project_version(const mmd_project *project)
{
    assert(project);
    enum { DIGIT = 23 };
    uint32_t version = (uint32_t)project->magic[DIGIT] - '0';
    return version == 1 || version == 2 ? version : 0;
}

/* Creates a project in an arena of its own, with a copy of the bytes. NULL if out of memory. */
static mmd_project *start(const void *data, size_t size, uint8_t **copy)
{
    mmd_arena arena = {0};
    mmd_project *project = mmd_arena_alloc(&arena, 1, sizeof *project);
    *copy = mmd_arena_alloc(&arena, size, 1);
    if (!project || !*copy) {
        mmd_arena_finish(&arena);
        return NULL;
    }
    if (size)
        memcpy(*copy, data, size);
    project->arena = arena;
    return project;
}

mmd_status mmd_pmm_read(const void *data, size_t size, mmd_project **result, mmd_error *error)
{
    assert(result);
    assert(data || size == 0);
    *result = NULL;
    if (size > INT32_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", 0, "a project of over two gigabytes");
    uint8_t *copy;
    mmd_project *project = start(data, size, &copy);
    if (!project)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", 0, "no memory for the project");
    pmm_io io = {.cursor = mmd_cursor_make(copy, size, error), .project = project, .owner = -1};
    pmm_project(&io);
    mmd_arena_finish(&io.scratch);
    if (pmm_ok(&io))
        *result = project;
    else
        mmd_project_destroy(project);
    return io.cursor.status;
}

void mmd_project_destroy(mmd_project *project)
{
    if (!project)
        return;
    /* Copy the arena first, because the struct is allocated in it. */
    mmd_arena arena = project->arena;
    mmd_arena_finish(&arena);
}

/* ---- writing: the same walk, over a copy of the project's outermost struct ---- */

mmd_status mmd_pmm_write(const mmd_project *project, mmd_buffer *out, mmd_error *error)
{
    assert(project && out);
    assert(project->model_count <= MMD_PROJECT_MODEL_MAX &&
           project->accessory_count <= MMD_PROJECT_MODEL_MAX);
    mmd_project copy = *project;
    pmm_io io = {.out = out, .cursor = mmd_cursor_make(NULL, 0, error), .project = &copy, .owner = -1};
    pmm_project(&io);
    mmd_arena_finish(&io.scratch);
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", MMD_NO_OFFSET, "no memory for the file");
    if (pmm_ok(&io) && io.lossy)
        return mmd_error_set(error, MMD_ERROR_TEXT, "header", MMD_NO_OFFSET,
                             "names with characters that CP932 lacks have `?' in their place");
    return io.cursor.status;
}

/* ---- names from a model's own file ---- */

/* Gives a name that the project does not have. Returns false if out of memory. */
static bool set_name(mmd_project *project, mmd_project_text *name, const char *text)
{
    if (*name->text)
        return true;
    const char *copy = mmd_arena_text(&project->arena, text, strlen(text));
    if (copy)
        name->text = copy;
    return copy != NULL;
}

/* Writes the IK bones of a model to list (may be NULL). Returns their number. */
static uint32_t list_ik(const mmd_model *model, int32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->pmd_ik_count; i++, count++)
        if (list)
            list[count] = model->pmd_ik_bones[i];
    for (uint32_t i = 0; model->origin != MMD_ORIGIN_PMD && i < model->bone_count; i++) {
        if (!(model->bones[i].flags & MMD_BONE_IK))
            continue;
        if (list)
            list[count] = (int32_t)i;
        count++;
    }
    return count;
}

mmd_status mmd_project_set_names(mmd_project *project, uint32_t number, const mmd_model *model,
                                 mmd_error *error)
{
    assert(project && model && number < project->model_count);
    mmd_project_model *to = &project->models[number];
    uint32_t bones = 0, ik = list_ik(model, NULL);
    while (bones < model->bone_count && !model->bones[bones].internal)
        bones++;
    /* The PMD reader drops `base`, the first morph. */
    uint32_t base = model->origin == MMD_ORIGIN_PMD && to->morph_count == model->morph_count + 1;
    bool same_bones = to->bone_count == bones, same_morphs = to->morph_count == model->morph_count + base;
    bool has_room = true;
    for (uint32_t i = 0; same_bones && i < bones && has_room; i++)
        has_room = set_name(project, &to->bones[i].name, model->bones[i].name);
    for (uint32_t i = 0; same_morphs && i < to->morph_count && has_room; i++)
        has_room = set_name(project, &to->morphs[i].name, i < base ? "base" : model->morphs[i - base].name);
    if (!has_room)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "model", MMD_NO_OFFSET, "no memory for the names");
    if (same_bones && to->ik_count == ik && mmd_project_version(project) == 1)
        list_ik(model, to->ik_bones);
    if (same_bones && same_morphs && to->ik_count == ik)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_COUNT, "model", MMD_NO_OFFSET,
                         "it has %u bones, %u morphs and %u IK, where the project has keys for %u, %u and %u",
                         bones, model->morph_count + base, ik, to->bone_count, to->morph_count, to->ik_count);
}
