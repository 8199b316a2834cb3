#include "sample_projects.h"
#include "sample_motions.h"
#include "support.h"

#include "mmd/cursor.h"
#include "mmd/text.h"

void sample_project_model(mmd_model *model)
{
    static const char *const names[SAMPLE_BONES] = {
        "センター", "左腕", "左腕捩", "左足ＩＫ", "右足ＩＫ", "とても長い名前のボーン１", "左腕"};
    static const char *const morphs[3] = {"まばたき", "あ", "あ"};
    *model = (mmd_model){.name = "見本", .name_en = "sample", .comment = "", .comment_en = ""};
    model->bones = mmd_arena_alloc(&model->arena, SAMPLE_BONES, sizeof *model->bones);
    model->morphs = mmd_arena_alloc(&model->arena, 3, sizeof *model->morphs);
    assert_true(model->bones && model->morphs);
    model->bone_count = SAMPLE_BONES;
    for (int i = 0; i < SAMPLE_BONES; i++)
        model->bones[i] = (mmd_bone){.name = names[i],
                                     .name_en = "",
                                     .parent = i - 1,
                                     .tail_bone = -1,
                                     .append_source = -1,
                                     .ik_target = -1};
    model->bones[SAMPLE_TWIST].flags = MMD_BONE_FIXED_AXIS;
    model->bones[SAMPLE_TWIST].fixed_axis[0] = 2.0f;
    model->bones[SAMPLE_IK_LEFT].flags = model->bones[SAMPLE_IK_RIGHT].flags = MMD_BONE_IK;
    model->bones[SAMPLE_IK_LEFT].ik_target = model->bones[SAMPLE_IK_RIGHT].ik_target = SAMPLE_CENTER;
    model->bones[SAMPLE_LONG].flags = MMD_BONE_MOVABLE | MMD_BONE_VISIBLE;
    model->morph_count = 3;
    for (int i = 0; i < 3; i++)
        model->morphs[i] = (mmd_morph){.name = morphs[i], .name_en = "", .panel = 1};
    assert_int_equal(mmd_model_prepare(model, NULL), MMD_OK);
}

void sample_project_model_finish(mmd_model *model)
{
    mmd_arena_finish(&model->arena);
}

/* ---- a whole project ---- */

static void add_models(mmd_project *project, const mmd_motion *motion)
{
    mmd_model model;
    sample_project_model(&model);
    assert_int_equal(mmd_project_add_model(project, &model, motion, "C:/MMD/UserFile/Model/見本.pmx", NULL),
                     MMD_OK);
    assert_int_equal(mmd_project_add_model(project, &model, NULL, "C:\\二人目.pmx", NULL), MMD_OK);
    model.origin = MMD_ORIGIN_PMD;
    model.bone_count = 2;
    assert_int_equal(mmd_project_add_model(project, &model, motion, "old.pmd", NULL), MMD_OK);
    sample_project_model_finish(&model);

    /* The second model is attached to the first. */
    mmd_project_model *second = &project->models[1];
    static uint8_t open[3] = {1, 0, 1};
    second->configs[0].parents[1] = second->parents[1].parent = (mmd_project_parent){0, SAMPLE_ARM};
    second->parents[1].end = 30;
    second->row_count = second->frame_count = 3;
    second->frame_open = open;
    second->selected_bone = 2;
    second->selected_morphs[1] = 1;
    second->scroll = 4;
    second->add_blend = 1;
    second->edge_width = 0.5f;
    second->self_shadow = 0;
    second->selector = 7;
    second->bones[3].unregistered = second->bones[3].row_selected = 1;
    second->visible = 0;
    project->models[0].draw_order = 3;
    project->models[2].draw_order = 1;
    project->models[2].calc_order = 2;
}

static void add_accessory(mmd_project *project, const char *name, const char *path, uint32_t key_count)
{
    mmd_project_accessory_key keys[3];
    for (int i = 0; i < 3; i++)
        keys[i] = (mmd_project_accessory_key){.at.frame = (uint32_t)(5 * i),
                                              .visibility = (uint8_t)(1 + 2 * 25 * i),
                                              .parent = {i - 1, 1},
                                              .position = {1.0f, 2.0f, (float)i},
                                              .rotation = {0.1f, 0.2f * (float)i, 0.3f},
                                              .scale = 1.0f + (float)i,
                                              .shadow = 1,
                                              .selected = i == 2};
    assert_int_equal(mmd_project_add_accessory(project, name, path, keys, key_count, NULL), MMD_OK);
}

static void add_gravity(mmd_project *project)
{
    mmd_project_gravity_key *keys = mmd_arena_alloc(&project->arena, 2, sizeof *keys);
    assert_non_null(keys);
    for (uint32_t i = 0; i < 2; i++)
        keys[i] = (mmd_project_gravity_key){.at = {12 * i, MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD},
                                            .noise_on = (uint8_t)i,
                                            .noise = 20,
                                            .acceleration = 4.9f * (float)i,
                                            .direction = {0.5f, -1.0f, 0.25f},
                                            .selected = 1};
    project->gravity_keys = keys;
    project->gravity_count = 2;
    project->gravity = (mmd_project_gravity_state){
        .acceleration = 3.0f, .noise = 40, .direction = {1.0f, 0.0f, 0.0f}, .noise_on = 1};
}

static void change_settings(mmd_project *project)
{
    static const int32_t color[3] = {1, 128, 255};
    project->view_width = 640;
    project->view_height = 360;
    project->pane_width = 300;
    project->edit_fov = 45.0f;
    project->editing_camera = 0;
    project->panels_open[2] = 0;
    project->selected_model = 1;
    project->selected_accessory = 1;
    project->accessory_scroll = 2;
    project->frame = 10;
    project->frame_scroll = 3;
    project->frame_thumb = 400;
    project->bone_operation = 2;
    project->look_at = 1;
    project->repeat = project->from_on = project->to_on = 1;
    project->from = 5;
    project->to = 25;
    project->wave_on = 1;
    project->wave = (mmd_project_text){.text = "C:\\曲.wav"};
    project->avi = (mmd_project_background){10, -20, 0.5f, {.text = "背景.avi"}};
    project->avi_on = 1;
    project->image = (mmd_project_background){-1, 2, 3.0f, {.text = "背景.bmp"}};
    project->image_on = 1;
    project->show_information = 1;
    project->show_axis = project->show_ground_shadow = 0;
    project->fps_limit = 30.0f;
    project->capture_mode = 2;
    project->accessories_after_models = 1;
    project->ground_shadow_brightness = 0.25f;
    project->ground_shadow_transparent = 1;
    project->physics_mode = MMD_PROJECT_PHYSICS_TRACED;
    project->self_shadow_on = 0;
    memcpy(project->edge_color, color, sizeof color);
    project->black_background = 1;
    project->camera_follow = (mmd_project_parent){1, 2};
    project->unknown_matrix[7] = 8.0f;
    project->view_follow = project->unknown_flag = 1;
    project->physics_ground = 0;
    project->frame_box = 11;
    project->trailing = (const uint8_t *)"more";
    project->trailing_size = 4;
}

mmd_project *sample_project(void)
{
    mmd_project *project = mmd_project_create();
    mmd_motion motion;
    assert_non_null(project);
    sample_motion(&motion);
    add_models(project, &motion);
    add_accessory(project, "ネギ.x", "UserFile/Accessory/ネギ.x", 3);
    add_accessory(project, "stage", "D:/stage.x", 1);
    project->accessories[1].add_blend = 1;
    project->accessories[1].draw_order = 9;
    assert_int_equal(mmd_project_set_scene(project, &motion, NULL), MMD_OK);
    sample_motion_finish(&motion);
    project->camera_keys[1].follow = (mmd_project_parent){0, SAMPLE_CENTER};
    project->camera_keys[2].selected = project->light_keys[1].selected = project->shadow_keys[1].selected = 1;
    add_gravity(project);
    change_settings(project);
    return project;
}

mmd_project *sample_small_project(void)
{
    mmd_project *project = mmd_project_create();
    mmd_motion motion;
    mmd_model model;
    assert_non_null(project);
    sample_motion(&motion);
    sample_project_model(&model);
    assert_int_equal(mmd_project_add_model(project, &model, &motion, "m.pmx", NULL), MMD_OK);
    assert_int_equal(mmd_project_set_scene(project, &motion, NULL), MMD_OK);
    sample_project_model_finish(&model);
    sample_motion_finish(&motion);
    add_accessory(project, "a.x", "a.x", 2);
    add_gravity(project);
    return project;
}

void write_project(const mmd_project *project, mmd_buffer *out)
{
    mmd_error error = {0};
    if (mmd_pmm_write(project, out, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
}

/* ---- version 0001 ---- */

static void put_text(mmd_buffer *out, const char *text, size_t size)
{
    uint8_t field[256] = {0};
    assert_true(mmd_cp932_from_utf8(text, strlen(text), field, size, NULL) < size);
    mmd_write_bytes(out, field, size);
}

/* Writes the frame of a keyframe and its links. Key 0 of a list lies in the list itself; the others are
 * numbered from `first` on. */
static void put_links(mmd_buffer *out, uint32_t frame, uint32_t list, uint32_t key, uint32_t count,
                      uint32_t first)
{
    if (key)
        mmd_write_u32(out, first + key - 1);
    mmd_write_u32(out, frame);
    mmd_write_u32(out, key == 0 ? 0 : key == 1 ? list : first + key - 2);
    mmd_write_u32(out, key + 1 < count ? first + key : 0);
}

static void put_curves(mmd_buffer *out, const mmd_curve *curves, int count)
{
    for (int i = 0; i < count; i++) {
        mmd_write_u8(out, curves[i].x1);
        mmd_write_u8(out, curves[i].y1);
        mmd_write_u8(out, curves[i].x2);
        mmd_write_u8(out, curves[i].y2);
    }
}

/* Writes the first keyframes of all bones and then the others, as the file format orders them. */
static void put_bones(mmd_buffer *out, const mmd_project_model *m)
{
    for (uint32_t further = 0; further < 2; further++) {
        uint32_t first = m->bone_count, total = 0;
        for (uint32_t i = 0; i < m->bone_count; i++)
            total += m->bones[i].key_count - 1;
        if (further)
            mmd_write_u32(out, total);
        for (uint32_t i = 0; i < m->bone_count; first += m->bones[i].key_count - 1, i++)
            for (uint32_t k = further; k < (further ? m->bones[i].key_count : 1); k++) {
                const mmd_project_bone_key *key = &m->bones[i].keys[k];
                put_links(out, key->at.frame, i, k, m->bones[i].key_count, first);
                put_curves(out, key->curves, 4);
                mmd_write_floats(out, key->translation, 3);
                mmd_write_floats(out, key->rotation, 4);
                mmd_write_u8(out, key->selected);
            }
    }
}

/* Writes the first keyframes of all morphs and then the others. */
static void put_morphs(mmd_buffer *out, const mmd_project_model *m)
{
    for (uint32_t further = 0; further < 2; further++) {
        uint32_t first = m->morph_count, total = 0;
        for (uint32_t i = 0; i < m->morph_count; i++)
            total += m->morphs[i].key_count - 1;
        if (further)
            mmd_write_u32(out, total);
        for (uint32_t i = 0; i < m->morph_count; first += m->morphs[i].key_count - 1, i++)
            for (uint32_t k = further; k < (further ? m->morphs[i].key_count : 1); k++) {
                put_links(out, m->morphs[i].keys[k].at.frame, i, k, m->morphs[i].key_count, first);
                mmd_write_f32(out, m->morphs[i].keys[k].weight);
                mmd_write_u8(out, m->morphs[i].keys[k].selected);
            }
    }
}

/* Writes the number of further keyframes, which single lists have after their first keyframe. */
static void put_count(mmd_buffer *out, uint32_t key, uint32_t count)
{
    if (key == 0)
        mmd_write_u32(out, count - 1);
}

static void put_model(mmd_buffer *out, const mmd_project_model *m)
{
    mmd_write_u8(out, m->number);
    put_text(out, m->name.text, 20);
    put_text(out, m->path.text, 256);
    mmd_write_u8(out, m->draw_order);
    mmd_write_u8(out, m->visible);
    mmd_write_i32(out, m->selected_bone);
    for (int i = 0; i < 4; i++)
        mmd_write_i32(out, m->selected_morphs[i]);
    mmd_write_u8(out, m->frame_count);
    mmd_write_bytes(out, m->frame_open, m->frame_count);
    mmd_write_i32(out, m->scroll);
    mmd_write_i32(out, m->last_frame);
    put_bones(out, m);
    put_morphs(out, m);
    for (uint32_t k = 0; k < m->config_count; k++) {
        put_links(out, m->configs[k].at.frame, 0, k, m->config_count, 1);
        mmd_write_u8(out, m->configs[k].visible);
        mmd_write_bytes(out, m->configs[k].ik, m->ik_count);
        mmd_write_u8(out, m->configs[k].selected);
        put_count(out, k, m->config_count);
    }
    for (uint32_t i = 0; i < m->bone_count; i++) {
        mmd_write_floats(out, m->bones[i].translation, 3);
        mmd_write_floats(out, m->bones[i].rotation, 4);
        mmd_write_bytes(out, m->bones[i].unknown, 4);
        mmd_write_u8(out, m->bones[i].unregistered);
        mmd_write_u8(out, m->bones[i].row_selected);
    }
    for (uint32_t i = 0; i < m->morph_count; i++)
        mmd_write_f32(out, m->morphs[i].weight);
    mmd_write_bytes(out, m->ik, m->ik_count);
}

static void put_camera_and_light(mmd_buffer *out, const mmd_project *p)
{
    for (uint32_t k = 0; k < p->camera_count; k++) {
        const mmd_project_camera_key *key = &p->camera_keys[k];
        put_links(out, key->at.frame, 0, k, p->camera_count, 1);
        mmd_write_f32(out, key->distance);
        mmd_write_floats(out, key->position, 3);
        mmd_write_floats(out, key->rotation, 3);
        put_curves(out, key->curves, 6);
        mmd_write_u8(out, key->orthographic);
        mmd_write_i32(out, key->fov);
        mmd_write_u8(out, key->selected);
        put_count(out, k, p->camera_count);
    }
    mmd_write_floats(out, p->camera.target, 3);
    mmd_write_floats(out, p->camera.eye, 3);
    mmd_write_floats(out, p->camera.rotation, 3);
    mmd_write_u8(out, p->camera.orthographic);
    for (uint32_t k = 0; k < p->light_count; k++) {
        put_links(out, p->light_keys[k].at.frame, 0, k, p->light_count, 1);
        mmd_write_floats(out, p->light_keys[k].color, 3);
        mmd_write_floats(out, p->light_keys[k].direction, 3);
        mmd_write_u8(out, p->light_keys[k].selected);
        put_count(out, k, p->light_count);
    }
    mmd_write_floats(out, p->light.color, 3);
    mmd_write_floats(out, p->light.direction, 3);
}

static void put_accessory(mmd_buffer *out, const mmd_project_accessory *a)
{
    mmd_write_u8(out, a->number);
    put_text(out, a->name.text, 100);
    put_text(out, a->path.text, 256);
    mmd_write_u8(out, a->draw_order);
    for (uint32_t k = 0; k < a->key_count; k++) {
        const mmd_project_accessory_key *key = &a->keys[k];
        put_links(out, key->at.frame, 0, k, a->key_count, 1);
        mmd_write_u8(out, key->visibility);
        mmd_write_i32(out, key->parent.model);
        mmd_write_i32(out, key->parent.bone);
        mmd_write_floats(out, key->position, 3);
        mmd_write_floats(out, key->rotation, 3);
        mmd_write_f32(out, key->scale);
        mmd_write_u8(out, key->shadow);
        mmd_write_u8(out, key->selected);
        put_count(out, k, a->key_count);
    }
    mmd_write_u8(out, a->state.visibility);
    mmd_write_i32(out, a->state.parent.model);
    mmd_write_i32(out, a->state.parent.bone);
    mmd_write_floats(out, a->state.rotation, 3);
    mmd_write_f32(out, a->state.scale);
    mmd_write_floats(out, a->state.position, 3);
    mmd_write_u8(out, a->state.shadow);
}

static void put_background(mmd_buffer *out, const mmd_project_background *b)
{
    mmd_write_i32(out, b->x);
    mmd_write_i32(out, b->y);
    mmd_write_f32(out, b->scale);
    put_text(out, b->path.text, 256);
}

/* Writes the end of the file with the fields that the sample projects of MMD 7 and 8.11 have. */
static void put_end(mmd_buffer *out, const mmd_project *p)
{
    for (uint32_t i = 0; i < p->model_count; i++)
        mmd_write_u8(out, p->models[i].add_blend);
    for (uint32_t i = 0; i < p->accessory_count; i++)
        mmd_write_u8(out, p->accessories[i].add_blend);
    mmd_write_bytes(out, p->unknown_1, 6);
    for (uint32_t i = 0; i < p->model_count; i++)
        mmd_write_f32(out, p->models[i].edge_width);
    mmd_write_u8(out, p->ground_shadow_transparent);
    mmd_write_u8(out, p->physics_mode);
    mmd_write_f32(out, p->gravity.acceleration);
    mmd_write_i32(out, p->gravity.noise);
    mmd_write_floats(out, p->gravity.direction, 3);
    mmd_write_u8(out, p->gravity.noise_on);
    mmd_write_u8(out, p->unknown_1[6]);
    mmd_write_u8(out, p->self_shadow_on);
    mmd_write_f32(out, p->self_shadow_distance);
    for (uint32_t i = 0; i < p->model_count; i++)
        mmd_write_u8(out, p->models[i].self_shadow);
    mmd_write_u8(out, p->unknown_1[7]);
    for (uint32_t k = 0; k < p->shadow_count; k++) {
        put_links(out, p->shadow_keys[k].at.frame, 0, k, p->shadow_count, 1);
        mmd_write_u8(out, p->shadow_keys[k].mode);
        mmd_write_f32(out, p->shadow_keys[k].distance);
        mmd_write_u8(out, p->shadow_keys[k].selected);
        put_count(out, k, p->shadow_count);
    }
    mmd_write_bytes(out, p->unknown_1 + 8, 15);
    if (p->end_1 == 3)
        return;
    mmd_write_u8(out, p->unknown_1[23]);
    for (uint32_t k = 0; k < p->camera_count; k++) {
        if (k)
            mmd_write_u32(out, k);
        mmd_write_i32(out, p->camera_keys[k].follow.model);
        mmd_write_i32(out, p->camera_keys[k].follow.bone);
        put_count(out, k, p->camera_count);
    }
    mmd_write_i32(out, p->camera_follow.model);
    mmd_write_i32(out, p->camera_follow.bone);
    if (p->end_1 == 4)
        return;
    mmd_write_u8(out, p->unknown_1[24]);
    mmd_write_floats(out, p->unknown_matrix, 16);
    mmd_write_u8(out, p->view_follow);
    mmd_write_u8(out, p->unknown_flag);
    mmd_write_u8(out, p->physics_ground);
    mmd_write_u8(out, p->unknown_1[25]);
}

void write_project_1(const mmd_project *p, mmd_buffer *out)
{
    put_text(out, "Polygon Movie maker 0001", 30);
    mmd_write_i32(out, p->view_width);
    mmd_write_i32(out, p->view_height);
    mmd_write_i32(out, p->pane_width);
    mmd_write_f32(out, p->edit_fov);
    mmd_write_u8(out, p->editing_camera);
    mmd_write_bytes(out, p->panels_open, 5);
    mmd_write_u8(out, p->selected_model);
    mmd_write_u8(out, (uint8_t)p->model_count);
    for (uint32_t i = 0; i < p->model_count; i++)
        put_text(out, p->models[i].name.text, 20);
    for (uint32_t i = 0; i < p->model_count; i++)
        put_model(out, &p->models[i]);
    put_camera_and_light(out, p);
    mmd_write_u8(out, p->selected_accessory);
    mmd_write_i32(out, p->accessory_scroll);
    mmd_write_u8(out, (uint8_t)p->accessory_count);
    for (uint32_t i = 0; i < p->accessory_count; i++)
        put_text(out, p->accessories[i].list_name.text, 100);
    for (uint32_t i = 0; i < p->accessory_count; i++)
        put_accessory(out, &p->accessories[i]);
    mmd_write_i32(out, p->frame);
    mmd_write_i32(out, p->frame_scroll);
    mmd_write_i32(out, p->frame_thumb);
    mmd_write_i32(out, p->bone_operation);
    mmd_write_u8(out, p->look_at);
    mmd_write_u8(out, p->repeat);
    mmd_write_u8(out, p->from_on);
    mmd_write_u8(out, p->to_on);
    mmd_write_i32(out, p->from);
    mmd_write_i32(out, p->to);
    mmd_write_u8(out, p->wave_on);
    put_text(out, p->wave.text, 256);
    put_background(out, &p->avi);
    mmd_write_i32(out, p->avi_on);
    put_background(out, &p->image);
    mmd_write_u8(out, p->image_on);
    mmd_write_u8(out, p->show_information);
    mmd_write_u8(out, p->show_axis);
    mmd_write_u8(out, p->show_ground_shadow);
    mmd_write_f32(out, p->fps_limit);
    mmd_write_i32(out, p->capture_mode);
    if (p->end_1 > 0) {
        mmd_write_i32(out, p->accessories_after_models);
        mmd_write_f32(out, p->ground_shadow_brightness);
    }
    if (p->end_1 > 1)
        put_end(out, p);
    mmd_write_bytes(out, p->trailing, p->trailing_size);
}

static void strip_model(mmd_project_model *m, uint8_t number, bool whole)
{
    static const mmd_project_text none = {.text = ""};
    m->name_en = none;
    m->row_count = 0;
    for (uint32_t i = 0; i < m->bone_count; i++) {
        m->bones[i].name = none;
        m->bones[i].physics_off = 0;
        for (uint32_t k = 0; k < m->bones[i].key_count; k++)
            m->bones[i].keys[k].physics_off = 0;
    }
    for (uint32_t i = 0; i < m->morph_count; i++)
        m->morphs[i].name = none;
    for (uint32_t i = 0; i < m->ik_count; i++)
        m->ik_bones[i] = -1;
    m->parent_count = 0;
    m->calc_order = number + 1;
    m->selector_number = number;
    m->selector = 0;
    if (whole)
        return;
    m->add_blend = 0;
    m->edge_width = 1.0f;
    m->self_shadow = 1;
}

/* Resets the fields that the end of the file does not store where it ends at end_1. */
static void strip_end(mmd_project *project, const mmd_project *rest)
{
    const bool follows = project->end_1 == 2 || project->end_1 == 4;
    for (uint32_t i = 0; i < project->camera_count && !follows; i++)
        project->camera_keys[i].follow = (mmd_project_parent){-1, 0};
    if (!follows)
        project->camera_follow = rest->camera_follow;
    const size_t known = (const size_t[]){0, 0, 26, 23, 24}[project->end_1];
    memset(project->unknown_1 + known, 0, sizeof project->unknown_1 - known);
    if (project->end_1 != 2) {
        memcpy(project->unknown_matrix, rest->unknown_matrix, sizeof project->unknown_matrix);
        project->view_follow = rest->view_follow;
        project->unknown_flag = rest->unknown_flag;
        project->physics_ground = rest->physics_ground;
    }
    if (project->end_1 > 1)
        return;
    for (uint32_t i = 0; i < project->accessory_count; i++)
        project->accessories[i].add_blend = 0;
    project->ground_shadow_transparent = rest->ground_shadow_transparent;
    project->physics_mode = rest->physics_mode;
    project->gravity = rest->gravity;
    project->shadow_count = 1;
    *project->shadow_keys = *rest->shadow_keys;
    project->self_shadow_on = rest->self_shadow_on;
    project->self_shadow_distance = rest->self_shadow_distance;
}

void strip_to_version_1(mmd_project *project)
{
    mmd_project *rest = mmd_project_create();
    bool whole = project->end_1 > 1;
    assert_non_null(rest);
    for (uint32_t i = 0; i < project->model_count; i++)
        strip_model(&project->models[i], (uint8_t)i, whole);
    strip_end(project, rest);
    if (project->end_1 == 0) {
        project->accessories_after_models = rest->accessories_after_models;
        project->ground_shadow_brightness = rest->ground_shadow_brightness;
    }
    project->magic[23] = '1';
    project->panels_open[5] = 1;
    project->gravity_count = 1;
    project->gravity_keys[0].acceleration = project->gravity.acceleration;
    project->gravity_keys[0].noise = project->gravity.noise;
    project->gravity_keys[0].noise_on = project->gravity.noise_on;
    project->gravity_keys[0].selected = 0;
    memcpy(project->gravity_keys[0].direction, project->gravity.direction, sizeof project->gravity.direction);
    memcpy(project->edge_color, rest->edge_color, sizeof project->edge_color);
    project->black_background = rest->black_background;
    project->frame_box = rest->frame_box;
    project->has_selectors = false;
    project->selectors_on = rest->selectors_on;
    mmd_project_destroy(rest);
}

/* ---- comparing ---- */

#define SAME(member)      assert_memory_equal(&a->member, &b->member, sizeof a->member)
#define SAME_TEXT(member) assert_string_equal(a->member.text, b->member.text)
#define SAME_ARRAY(member, count)                                                                            \
    do {                                                                                                     \
        SAME(count);                                                                                         \
        if (a->count)                                                                                        \
            assert_memory_equal(a->member, b->member, a->count * sizeof *a->member);                         \
    } while (0)

/* Compares two bones with their keyframes, except for the numbers of the keyframes. */
static void compare_bone(const mmd_project_bone *x, const mmd_project_bone *y)
{
    const mmd_project_bone_key *a, *b;
    assert_string_equal(x->name.text, y->name.text);
    assert_memory_equal(x->translation, y->translation, sizeof x->translation);
    assert_memory_equal(x->rotation, y->rotation, sizeof x->rotation);
    assert_memory_equal(x->unknown, y->unknown, sizeof x->unknown);
    assert_int_equal(x->unregistered, y->unregistered);
    assert_int_equal(x->physics_off, y->physics_off);
    assert_int_equal(x->row_selected, y->row_selected);
    assert_int_equal(x->key_count, y->key_count);
    for (uint32_t i = 0; i < x->key_count; i++) {
        a = &x->keys[i];
        b = &y->keys[i];
        SAME(at.frame);
        SAME(curves);
        SAME(translation);
        SAME(rotation);
        SAME(selected);
        SAME(physics_off);
    }
}

static void compare_morph(const mmd_project_morph *a, const mmd_project_morph *b)
{
    SAME_TEXT(name);
    SAME(weight);
    SAME(key_count);
    for (uint32_t i = 0; i < a->key_count; i++) {
        SAME(keys[i].at.frame);
        SAME(keys[i].weight);
        SAME(keys[i].selected);
    }
}

static void compare_config(const mmd_project_model *model, const mmd_project_config_key *a,
                           const mmd_project_config_key *b)
{
    SAME(at.frame);
    SAME(visible);
    SAME(selected);
    assert_memory_equal(a->ik, b->ik, model->ik_count);
    assert_memory_equal(a->parents, b->parents, model->parent_count * sizeof *a->parents);
}

static void compare_models(const mmd_project_model *a, const mmd_project_model *b)
{
    SAME(number);
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME_TEXT(path);
    SAME(row_count);
    SAME(bone_count);
    SAME(morph_count);
    SAME_ARRAY(ik_bones, ik_count);
    SAME_ARRAY(parent_bones, parent_count);
    SAME(draw_order);
    SAME(visible);
    SAME(selected_bone);
    SAME(selected_morphs);
    SAME_ARRAY(frame_open, frame_count);
    SAME(scroll);
    SAME(last_frame);
    SAME(config_count);
    for (uint32_t i = 0; i < a->bone_count; i++)
        compare_bone(&a->bones[i], &b->bones[i]);
    for (uint32_t i = 0; i < a->morph_count; i++)
        compare_morph(&a->morphs[i], &b->morphs[i]);
    for (uint32_t i = 0; i < a->config_count; i++)
        compare_config(a, &a->configs[i], &b->configs[i]);
    SAME_ARRAY(ik, ik_count);
    SAME_ARRAY(parents, parent_count);
    SAME(add_blend);
    SAME(edge_width);
    SAME(self_shadow);
    SAME(calc_order);
    SAME(selector_number);
    SAME(selector);
}

static void compare_accessory(const mmd_project_accessory *a, const mmd_project_accessory *b)
{
    SAME_TEXT(list_name);
    SAME(number);
    SAME_TEXT(name);
    SAME_TEXT(path);
    SAME(draw_order);
    SAME(key_count);
    for (uint32_t i = 0; i < a->key_count; i++) {
        SAME(keys[i].at.frame);
        SAME(keys[i].visibility);
        SAME(keys[i].parent);
        SAME(keys[i].position);
        SAME(keys[i].rotation);
        SAME(keys[i].scale);
        SAME(keys[i].shadow);
        SAME(keys[i].selected);
    }
    SAME(state.visibility);
    SAME(state.parent);
    SAME(state.rotation);
    SAME(state.scale);
    SAME(state.position);
    SAME(state.shadow);
    SAME(add_blend);
}

static void compare_scene(const mmd_project *a, const mmd_project *b)
{
    SAME(camera_count);
    for (uint32_t i = 0; i < a->camera_count; i++) {
        SAME(camera_keys[i].at.frame);
        SAME(camera_keys[i].distance);
        SAME(camera_keys[i].position);
        SAME(camera_keys[i].rotation);
        SAME(camera_keys[i].follow);
        SAME(camera_keys[i].curves);
        SAME(camera_keys[i].orthographic);
        SAME(camera_keys[i].fov);
        SAME(camera_keys[i].selected);
    }
    SAME(camera.eye);
    SAME(camera.target);
    SAME(camera.rotation);
    SAME(camera.orthographic);
    SAME(light_count);
    for (uint32_t i = 0; i < a->light_count; i++) {
        SAME(light_keys[i].at.frame);
        SAME(light_keys[i].color);
        SAME(light_keys[i].direction);
        SAME(light_keys[i].selected);
    }
    SAME(light);
}

static void compare_physics_and_shadow(const mmd_project *a, const mmd_project *b)
{
    SAME(gravity.acceleration);
    SAME(gravity.noise);
    SAME(gravity.direction);
    SAME(gravity.noise_on);
    SAME(gravity_count);
    for (uint32_t i = 0; i < a->gravity_count; i++) {
        SAME(gravity_keys[i].at.frame);
        SAME(gravity_keys[i].noise_on);
        SAME(gravity_keys[i].noise);
        SAME(gravity_keys[i].acceleration);
        SAME(gravity_keys[i].direction);
        SAME(gravity_keys[i].selected);
    }
    SAME(self_shadow_on);
    SAME(self_shadow_distance);
    SAME(shadow_count);
    for (uint32_t i = 0; i < a->shadow_count; i++) {
        SAME(shadow_keys[i].at.frame);
        SAME(shadow_keys[i].mode);
        SAME(shadow_keys[i].distance);
        SAME(shadow_keys[i].selected);
    }
}

static void compare_background(const mmd_project_background *a, const mmd_project_background *b)
{
    SAME(x);
    SAME(y);
    SAME(scale);
    SAME_TEXT(path);
}

static void compare_settings(const mmd_project *a, const mmd_project *b)
{
    SAME(frame);
    SAME(frame_scroll);
    SAME(frame_thumb);
    SAME(bone_operation);
    SAME(look_at);
    SAME(repeat);
    SAME(from_on);
    SAME(to_on);
    SAME(from);
    SAME(to);
    SAME(wave_on);
    SAME_TEXT(wave);
    compare_background(&a->avi, &b->avi);
    SAME(avi_on);
    compare_background(&a->image, &b->image);
    SAME(image_on);
    SAME(show_information);
    SAME(show_axis);
    SAME(show_ground_shadow);
    SAME(fps_limit);
    SAME(capture_mode);
    SAME(end_1);
    SAME(unknown_1);
    SAME(accessories_after_models);
    SAME(ground_shadow_brightness);
    SAME(ground_shadow_transparent);
    SAME(physics_mode);
    SAME(edge_color);
    SAME(black_background);
    SAME(camera_follow);
    SAME(unknown_matrix);
    SAME(view_follow);
    SAME(unknown_flag);
    SAME(physics_ground);
    SAME(frame_box);
    SAME(has_selectors);
    SAME(selectors_on);
    SAME_ARRAY(trailing, trailing_size);
}

void compare_projects(const mmd_project *a, const mmd_project *b)
{
    SAME(magic);
    SAME(view_width);
    SAME(view_height);
    SAME(pane_width);
    SAME(edit_fov);
    SAME(editing_camera);
    SAME(panels_open);
    SAME(selected_model);
    SAME(model_count);
    for (uint32_t i = 0; i < a->model_count; i++)
        compare_models(&a->models[i], &b->models[i]);
    compare_scene(a, b);
    SAME(selected_accessory);
    SAME(accessory_scroll);
    SAME(accessory_count);
    for (uint32_t i = 0; i < a->accessory_count; i++)
        compare_accessory(&a->accessories[i], &b->accessories[i]);
    compare_settings(a, b);
    compare_physics_and_shadow(a, b);
}
