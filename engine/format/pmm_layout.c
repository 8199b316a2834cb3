/* The layout of a project around its models (MMD.md 1.7, parts 1 and 3 to 6), walked by reader and writer. */
#include "pmm_io.h"

#include <string.h>

/* Bytes that a model and an accessory take at least. */
enum { MODEL_MIN = 340, ACCESSORY_MIN = 100 + 1 + 100 + 256 + 1 + 51 + 4 + 39 };

#define P(member) PMM_FIELD(mmd_project, member)

static const pmm_field header_fields[] = {P(view_width),     P(view_height), P(pane_width),    P(edit_fov),
                                          P(editing_camera), P(panels_open), P(selected_model)};
static const pmm_field frame_fields[] = {P(frame),   P(frame_scroll), P(frame_thumb), P(bone_operation),
                                         P(look_at), P(repeat),       P(from_on),     P(to_on),
                                         P(from),    P(to),           P(wave_on)};
static const pmm_field view_fields[] = {P(show_information),
                                        P(show_axis),
                                        P(show_ground_shadow),
                                        P(fps_limit),
                                        P(capture_mode),
                                        P(accessories_after_models),
                                        P(ground_shadow_brightness),
                                        P(ground_shadow_transparent),
                                        P(physics_mode)};
static const pmm_field shadow_fields[] = {P(self_shadow_on), P(self_shadow_distance)};
static const pmm_field end_fields[] = {P(edge_color),         P(black_background), P(camera_follow.model),
                                       P(camera_follow.bone), P(unknown_matrix),   P(view_follow),
                                       P(unknown_flag),       P(physics_ground),   P(frame_box)};
static const pmm_field camera_state_fields[] = {P(camera.eye), P(camera.target), P(camera.rotation),
                                                P(camera.orthographic)};
static const pmm_field light_state_fields[] = {P(light.color), P(light.direction)};
static const pmm_field gravity_state_fields[] = {P(gravity.acceleration), P(gravity.noise),
                                                 P(gravity.direction), P(gravity.noise_on)};

#define C(member) PMM_FIELD(mmd_project_camera_key, member)

static const pmm_field camera_key_fields[] = {C(distance),     C(position),    C(rotation),
                                              C(follow.model), C(follow.bone), C(curves),
                                              C(orthographic), C(fov),         C(selected)};

#define L(member) PMM_FIELD(mmd_project_light_key, member)

static const pmm_field light_key_fields[] = {L(color), L(direction), L(selected)};

#define A(member) PMM_FIELD(mmd_project_accessory_key, member)

static const pmm_field accessory_key_fields[] = {A(visibility), A(parent.model), A(parent.bone), A(position),
                                                 A(rotation),   A(scale),        A(shadow),      A(selected)};

/* Unlike in keys, the place comes last (read from a file of MMD 9.32 by mmd-cli). */
#define S(member) PMM_FIELD(mmd_project_accessory, member)

static const pmm_field accessory_state_fields[] = {
    S(state.visibility), S(state.parent.model), S(state.parent.bone), S(state.rotation),
    S(state.scale),      S(state.position),     S(state.shadow),      S(add_blend)};

#define G(member) PMM_FIELD(mmd_project_gravity_key, member)

static const pmm_field gravity_key_fields[] = {G(noise_on), G(noise), G(acceleration), G(direction),
                                               G(selected)};

#define D(member) PMM_FIELD(mmd_project_shadow_key, member)

static const pmm_field shadow_key_fields[] = {D(mode), D(distance), D(selected)};

static void camera_payload(pmm_io *io, void *key)
{
    PMM_FIELDS(io, camera_key_fields, key);
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
static const pmm_key_kind light_kind = {"light key", sizeof(mmd_project_light_key), 25, light_payload};
static const pmm_key_kind accessory_kind = {"accessory key", sizeof(mmd_project_accessory_key), 39,
                                            accessory_payload};
static const pmm_key_kind gravity_kind = {"gravity key", sizeof(mmd_project_gravity_key), 22,
                                          gravity_payload};
static const pmm_key_kind shadow_kind = {"self shadow key", sizeof(mmd_project_shadow_key), 6,
                                         shadow_payload};

/* One list alone. Returns its keys. */
static void *single_list(pmm_io *io, const pmm_key_kind *kind, void *keys, uint32_t *count)
{
    pmm_list list = {*count, keys};
    pmm_keys(io, kind, &list, 1);
    *count = list.count;
    return list.keys;
}

static void header(pmm_io *io)
{
    static const char magic[] = "Polygon Movie maker 0002";
    enum { VERSION = 20 };
    mmd_project *project = io->project;
    const mmd_cursor *cursor = &io->cursor;
    pmm_section(io, "header", -1);
    if (io->out && !project->magic[0])
        memcpy(project->magic, magic, sizeof magic);
    if (!io->out && (mmd_cursor_left(cursor) < VERSION || memcmp(cursor->data, magic, VERSION) != 0))
        pmm_fail(io, MMD_ERROR_MAGIC, "no `Polygon Movie maker' at the start");
    pmm_bytes(io, project->magic, PMM_MAGIC_SIZE);
    if (pmm_ok(io) && memcmp(project->magic + VERSION, magic + VERSION, 4) != 0)
        pmm_fail(io, MMD_ERROR_VERSION, "only projects of version 0002 are known; save it in MMD 9");
    PMM_FIELDS(io, header_fields, project);
}

static void models(pmm_io *io)
{
    mmd_project *project = io->project;
    pmm_count8(io, &project->model_count, MODEL_MIN);
    project->models = pmm_room(io, project->models, &project->model_count, sizeof *project->models);
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
    project->camera_keys = single_list(io, &camera_kind, project->camera_keys, &project->camera_count);
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
    PMM_FIELDS(io, gravity_state_fields, project);
    project->gravity_keys = single_list(io, &gravity_kind, project->gravity_keys, &project->gravity_count);
    PMM_FIELDS(io, shadow_fields, project);
    project->shadow_keys = single_list(io, &shadow_kind, project->shadow_keys, &project->shadow_count);
    pmm_section(io, "settings", -1);
    PMM_FIELDS(io, end_fields, project);
}

/* What MMD 9.24 added, and whatever follows it. */
static void selectors(pmm_io *io)
{
    mmd_project *project = io->project;
    pmm_section(io, "selectors", -1);
    if (!io->out)
        project->has_selectors = pmm_ok(io) && mmd_cursor_left(&io->cursor) > 0;
    if (project->has_selectors)
        pmm_bytes(io, &project->selectors_on, 1);
    for (uint32_t i = 0; i < project->model_count && project->has_selectors && project->selectors_on; i++) {
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

void pmm_project(pmm_io *io)
{
    header(io);
    models(io);
    camera_and_light(io);
    accessories(io);
    settings(io);
    selectors(io);
}
