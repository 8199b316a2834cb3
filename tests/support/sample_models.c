#include "sample_models.h"

#include "mmd/cursor.h"
#include "mmd/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *make(mmd_model *model, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&model->arena, count, size);
    if (!memory)
        abort();
    return memory;
}

/* Fills values with numbers that are all different, exact in binary and never 0. */
static void fill(float *values, size_t count, float *next)
{
    for (size_t i = 0; i < count; i++, *next += 0.125f)
        values[i] = *next;
}

static void start(mmd_model *model, float version)
{
    *model = (mmd_model){.version = version,
                         .name = "見本",
                         .name_en = "sample",
                         .comment = "一行目\r\n二行目",
                         .comment_en = ""};
}

void sample_finish(mmd_model *model)
{
    mmd_arena_finish(&model->arena);
}

static void make_vertices(mmd_model *model, uint32_t count, uint32_t uv_count, uint32_t sdef_count)
{
    mmd_vertices *v = &model->vertices;
    v->count = count;
    v->additional_uv_count = uv_count;
    v->position = make(model, count, sizeof *v->position);
    v->normal = make(model, count, sizeof *v->normal);
    v->uv = make(model, count, sizeof *v->uv);
    for (uint32_t i = 0; i < uv_count; i++)
        v->additional_uv[i] = make(model, count, sizeof *v->additional_uv[i]);
    v->deform = make(model, count, sizeof *v->deform);
    v->bone = make(model, count, sizeof *v->bone);
    v->weight = make(model, count, sizeof *v->weight);
    v->edge_scale = make(model, count, sizeof *v->edge_scale);
    if (sdef_count) {
        v->sdef_index = make(model, count, sizeof *v->sdef_index);
        v->sdef = make(model, sdef_count, sizeof *v->sdef);
        v->sdef_count = sdef_count;
        for (uint32_t i = 0; i < count; i++)
            v->sdef_index[i] = -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        v->bone[i][1] = v->bone[i][2] = v->bone[i][3] = -1;
        v->weight[i][0] = 1;
        v->normal[i][2] = -1;
        v->edge_scale[i] = 1;
    }
}

static mmd_material plain_material(const char *name, uint32_t first, uint32_t count)
{
    return (mmd_material){
        .name = name,
        .name_en = "",
        .memo = "",
        .diffuse = {1, 1, 1, 1},
        .edge_color = {0, 0, 0, 1},
        .edge_size = 1,
        .texture = -1,
        .sphere = -1,
        .toon = -1,
        .first_index = first,
        .index_count = count,
    };
}

static mmd_bone plain_bone(const char *name, int32_t parent, uint16_t flags)
{
    return (mmd_bone){
        .name = name,
        .name_en = "",
        .parent = parent,
        .flags = flags | MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
        .tail_bone = -1,
        .append_source = -1,
        .ik_target = -1,
    };
}

/* ---- everything ---- */

static void everything_vertices(mmd_model *model, float *next)
{
    static const uint8_t deforms[] = {MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF2, MMD_DEFORM_BDEF4,
                                      MMD_DEFORM_SDEF,  MMD_DEFORM_QDEF,  MMD_DEFORM_SDEF};
    make_vertices(model, 6, 4, 2);
    mmd_vertices *v = &model->vertices;
    int32_t sdef = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        fill(v->position[i], 3, next);
        fill(v->normal[i], 3, next);
        fill(v->uv[i], 2, next);
        for (int k = 0; k < 4; k++)
            fill(v->additional_uv[k][i], 4, next);
        fill(&v->edge_scale[i], 1, next);
        v->deform[i] = deforms[i];
        int bones = deforms[i] == MMD_DEFORM_BDEF1                                    ? 1
                    : deforms[i] == MMD_DEFORM_BDEF4 || deforms[i] == MMD_DEFORM_QDEF ? 4
                                                                                      : 2;
        for (int k = 0; k < bones; k++) {
            v->bone[i][k] = (int32_t)((i + (uint32_t)k) % 8);
            v->weight[i][k] = bones == 1 ? 1.0f : bones == 2 ? (k ? 0.75f : 0.25f) : 0.125f * (float)(k + 1);
        }
        if (deforms[i] == MMD_DEFORM_SDEF) {
            fill(v->sdef[sdef].c, 3, next);
            fill(v->sdef[sdef].r0, 3, next);
            fill(v->sdef[sdef].r1, 3, next);
            v->sdef_index[i] = sdef++;
        }
    }
    /* An unused bone slot, as in real files. */
    v->bone[4][3] = -1;
    v->weight[4][3] = 0;
}

static void everything_materials(mmd_model *model, float *next)
{
    static const char *const names[] = {"tex\\顔.png", "sphere.sph", "toon.bmp"};
    model->texture_count = 3;
    model->textures = make(model, 3, sizeof *model->textures);
    for (int i = 0; i < 3; i++)
        model->textures[i] = names[i];
    model->index_count = 12;
    model->indices = make(model, 12, sizeof *model->indices);
    for (uint32_t i = 0; i < 12; i++)
        model->indices[i] = (i * 5) % 6;
    model->material_count = 4;
    model->materials = make(model, 4, sizeof *model->materials);
    for (uint32_t i = 0; i < 4; i++) {
        mmd_material *material = &model->materials[i];
        *material = plain_material("材質", 3 * i, 3);
        material->name_en = "material";
        material->memo = i ? "" : "memo\r\nメモ";
        fill(material->diffuse, 4, next);
        fill(material->specular, 3, next);
        fill(&material->specular_power, 1, next);
        fill(material->ambient, 3, next);
        fill(material->edge_color, 4, next);
        fill(&material->edge_size, 1, next);
        material->flags = (uint8_t)(i ? 1 << i : 0xff);
        material->sphere_mode = (uint8_t)i;
        material->texture = (int32_t)i - 1;
        material->sphere = i ? 1 : -1;
        material->shared_toon = i % 2;
        material->toon = i == 0 ? -1 : i == 2 ? 2 : (int32_t)i * 3;
    }
}

static void everything_ik(mmd_model *model, mmd_bone *bone, float *next)
{
    mmd_ik_link *links = make(model, 2, sizeof *links);
    links[0] = (mmd_ik_link){.bone = 2, .has_limit = true};
    fill(links[0].lower, 3, next);
    fill(links[0].upper, 3, next);
    links[1] = (mmd_ik_link){.bone = 1};
    bone->ik_target = 3;
    bone->ik_loops = 40;
    fill(&bone->ik_limit, 1, next);
    bone->ik_links = links;
    bone->ik_link_count = 2;
}

static void everything_bones(mmd_model *model, float *next)
{
    static const uint16_t flags[8] = {
        MMD_BONE_TAIL_IS_BONE | MMD_BONE_MOVABLE,
        MMD_BONE_TAIL_IS_BONE,
        0,
        MMD_BONE_FIXED_AXIS | MMD_BONE_LOCAL_AXIS,
        MMD_BONE_IK | MMD_BONE_MOVABLE,
        MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_LOCAL,
        MMD_BONE_APPEND_TRANSLATION | MMD_BONE_AFTER_PHYSICS | MMD_BONE_EXTERNAL_PARENT,
        MMD_BONE_TAIL_IS_BONE | MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION | MMD_BONE_FIXED_AXIS |
            MMD_BONE_LOCAL_AXIS | MMD_BONE_EXTERNAL_PARENT | MMD_BONE_IK,
    };
    static const char *const names[8] = {"センター", "左足", "左ひざ", "左足首",
                                         "左足ＩＫ", "左目", "腰",     "全部"};
    model->bone_count = 8;
    model->bones = make(model, 8, sizeof *model->bones);
    for (int32_t i = 0; i < 8; i++) {
        mmd_bone *bone = &model->bones[i];
        *bone = plain_bone(names[i], i < 4 ? i - 1 : 0, flags[i]);
        bone->name_en = i % 2 ? "bone" : "";
        bone->layer = i - 3;
        fill(bone->position, 3, next);
        if (flags[i] & MMD_BONE_TAIL_IS_BONE)
            bone->tail_bone = i + 1 < 8 ? i + 1 : -1;
        else
            fill(bone->tail_offset, 3, next);
        if (flags[i] & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) {
            bone->append_source = i - 4;
            fill(&bone->append_ratio, 1, next);
        }
        if (flags[i] & MMD_BONE_FIXED_AXIS)
            fill(bone->fixed_axis, 3, next);
        if (flags[i] & MMD_BONE_LOCAL_AXIS) {
            fill(bone->local_x, 3, next);
            fill(bone->local_z, 3, next);
        }
        if (flags[i] & MMD_BONE_EXTERNAL_PARENT)
            bone->external_key = 1000 + i;
        if (flags[i] & MMD_BONE_IK)
            everything_ik(model, bone, next);
    }
}

static void group_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_group_offset *offsets = make(model, 2, sizeof *offsets);
    for (int32_t i = 0; i < 2; i++) {
        offsets[i].morph = i ? 1 : 2;
        fill(&offsets[i].ratio, 1, next);
    }
    morph->offsets.group = offsets;
    morph->count = 2;
}

static void vertex_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_vertex_offset *offsets = make(model, 3, sizeof *offsets);
    for (int32_t i = 0; i < 3; i++) {
        offsets[i].vertex = 5 - i;
        fill(offsets[i].offset, 3, next);
    }
    morph->offsets.vertex = offsets;
    morph->count = 3;
}

static void bone_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_bone_offset *offsets = make(model, 1, sizeof *offsets);
    offsets->bone = 7;
    fill(offsets->translation, 3, next);
    fill(offsets->rotation, 4, next);
    morph->offsets.bone = offsets;
    morph->count = 1;
}

static void uv_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_uv_offset *offsets = make(model, 1, sizeof *offsets);
    offsets->vertex = morph->kind % 6;
    fill(offsets->offset, 4, next);
    morph->offsets.uv = offsets;
    morph->count = 1;
}

static void material_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_material_offset *offsets = make(model, 2, sizeof *offsets);
    for (uint8_t i = 0; i < 2; i++) {
        mmd_material_values *values = &offsets[i].values;
        offsets[i].material = i ? 3 : -1;
        offsets[i].operation = i;
        fill(values->diffuse, 4, next);
        fill(values->specular, 3, next);
        fill(&values->specular_power, 1, next);
        fill(values->ambient, 3, next);
        fill(values->edge_color, 4, next);
        fill(&values->edge_size, 1, next);
        fill(values->texture_factor, 4, next);
        fill(values->sphere_factor, 4, next);
        fill(values->toon_factor, 4, next);
    }
    morph->offsets.material = offsets;
    morph->count = 2;
}

static void impulse_morph(mmd_model *model, mmd_morph *morph, float *next)
{
    mmd_impulse_offset *offsets = make(model, 2, sizeof *offsets);
    for (int32_t i = 0; i < 2; i++) {
        offsets[i].body = i ? -1 : 2;
        offsets[i].local = i;
        fill(offsets[i].velocity, 3, next);
        fill(offsets[i].torque, 3, next);
    }
    morph->offsets.impulse = offsets;
    morph->count = 2;
}

static void everything_morphs(mmd_model *model, float *next)
{
    void (*const makers[])(mmd_model *, mmd_morph *, float *) = {
        group_morph, vertex_morph, bone_morph,     uv_morph,    uv_morph,     uv_morph,
        uv_morph,    uv_morph,     material_morph, group_morph, impulse_morph};
    model->morph_count = 11;
    model->morphs = make(model, 11, sizeof *model->morphs);
    for (uint8_t i = 0; i < 11; i++) {
        model->morphs[i] =
            (mmd_morph){.name = i ? "あ" : "まばたき", .name_en = "m", .panel = i % 5, .kind = i};
        makers[i](model, &model->morphs[i], next);
    }
}

static void everything_frames(mmd_model *model)
{
    static const char *const names[3] = {"Root", "表情", "体"};
    model->frame_count = 3;
    model->frames = make(model, 3, sizeof *model->frames);
    for (uint32_t i = 0; i < 3; i++) {
        mmd_frame_item *items = make(model, i + 1, sizeof *items);
        for (uint32_t k = 0; k <= i; k++)
            items[k] = (mmd_frame_item){.kind = i == 1, .index = (int32_t)(2 * i + k)};
        model->frames[i] = (mmd_display_frame){.name = names[i],
                                               .name_en = i ? "Exp" : "Root",
                                               .special = i < 2,
                                               .count = i + 1,
                                               .items = items};
    }
}

static void everything_bodies(mmd_model *model, float *next)
{
    model->body_count = 3;
    model->bodies = make(model, 3, sizeof *model->bodies);
    for (uint8_t i = 0; i < 3; i++) {
        mmd_rigid_body *body = &model->bodies[i];
        *body =
            (mmd_rigid_body){.name = "剛体", .name_en = "body", .bone = i - 1, .group = i * 7, .shape = i};
        body->mask = (uint16_t)(0xfffeu << i);
        body->mode = 2 - i;
        fill(body->size, 3, next);
        fill(body->position, 3, next);
        fill(body->rotation, 3, next);
        fill(&body->mass, 1, next);
        fill(&body->linear_damping, 1, next);
        fill(&body->angular_damping, 1, next);
        fill(&body->restitution, 1, next);
        fill(&body->friction, 1, next);
    }
    model->joint_count = 6;
    model->joints = make(model, 6, sizeof *model->joints);
    for (uint8_t i = 0; i < 6; i++) {
        mmd_joint *joint = &model->joints[i];
        *joint = (mmd_joint){.name = "関節", .name_en = "", .kind = i, .body_a = i % 3, .body_b = i % 4 - 1};
        fill(joint->position, 3, next);
        fill(joint->rotation, 3, next);
        fill(joint->linear_lower, 3, next);
        fill(joint->linear_upper, 3, next);
        fill(joint->angular_lower, 3, next);
        fill(joint->angular_upper, 3, next);
        fill(joint->linear_spring, 3, next);
        fill(joint->angular_spring, 3, next);
    }
}

static void make_soft_body(mmd_model *model, mmd_soft_body *soft, uint8_t i, float *next)
{
    mmd_soft_anchor *anchors = make(model, i + 1u, sizeof *anchors);
    int32_t *pins = make(model, i + 1u, sizeof *pins);
    for (int32_t k = 0; k <= i; k++) {
        anchors[k] = (mmd_soft_anchor){.body = k, .vertex = k, .near_mode = (uint8_t)k};
        pins[k] = k + 1;
    }
    *soft = (mmd_soft_body){
        .name = "布",
        .name_en = "cloth",
        .shape = i,
        .material = i - 1,
        .group = 3,
        .mask = 0x1234,
        .flags = 7,
        .link_distance = 2,
        .cluster_count = 5,
        .aero_model = 4,
        .iterations = {1, 2, 3, 4},
        .anchor_count = i + 1u,
        .pin_count = i + 1u,
        .anchors = anchors,
        .pins = pins,
    };
    fill(&soft->mass, 1, next);
    fill(&soft->margin, 1, next);
    fill(soft->config, 12, next);
    fill(soft->cluster, 6, next);
    fill(soft->material_config, 3, next);
}

static void everything_soft_bodies(mmd_model *model, float *next)
{
    model->soft_body_count = 2;
    model->soft_bodies = make(model, 2, sizeof *model->soft_bodies);
    for (uint8_t i = 0; i < 2; i++)
        make_soft_body(model, &model->soft_bodies[i], i, next);
}

void sample_everything(mmd_model *model, uint8_t encoding, uint8_t index_size)
{
    static const uint8_t extra[2] = {9, 10};
    start(model, 2.1f);
    /* A character outside the basic plane, an embedded NUL, and in UTF-16 half a surrogate pair. */
    model->comment_en =
        encoding ? "\xf0\x9f\x92\x83 a\xc0\x80z" : "\xf0\x9f\x92\x83 a\xc0\x80z \xed\xa0\xbd.";
    model->layout = (mmd_pmx_layout){
        .encoding = encoding,
        .vertex_index_size = index_size,
        .texture_index_size = index_size,
        .material_index_size = index_size,
        .bone_index_size = index_size,
        .morph_index_size = index_size,
        .body_index_size = index_size,
        .globals_count = 10,
        .extra_globals = extra,
    };
    float next = 0.125f;
    everything_vertices(model, &next);
    everything_materials(model, &next);
    everything_bones(model, &next);
    everything_morphs(model, &next);
    everything_frames(model);
    everything_bodies(model, &next);
    everything_soft_bodies(model, &next);
}

/* ---- tiny ---- */

void sample_tiny(mmd_model *model, float version)
{
    start(model, version);
    bool newer = version > 2.05f;
    model->comment = "";
    make_vertices(model, 3, 0, 0);
    model->vertices.position[1][0] = 1;
    model->vertices.position[2][1] = 1;
    model->index_count = 3;
    model->indices = make(model, 3, sizeof *model->indices);
    for (uint32_t i = 0; i < 3; i++)
        model->indices[i] = i;
    model->material_count = 1;
    model->materials = make(model, 1, sizeof *model->materials);
    model->materials[0] = plain_material("面", 0, 3);
    model->bone_count = 1;
    model->bones = make(model, 1, sizeof *model->bones);
    model->bones[0] = plain_bone("骨", -1, MMD_BONE_TAIL_IS_BONE);
    model->morph_count = newer ? 2 : 1;
    model->morphs = make(model, 2, sizeof *model->morphs);
    mmd_vertex_offset *offset = make(model, 1, sizeof *offset);
    *offset = (mmd_vertex_offset){.vertex = 2, .offset = {0, 0.5f, 0}};
    model->morphs[0] = (mmd_morph){.name = "あ",
                                   .name_en = "a",
                                   .panel = 3,
                                   .kind = MMD_MORPH_VERTEX,
                                   .count = 1,
                                   .offsets.vertex = offset};
    if (!newer)
        return;
    float next = 1;
    model->vertices.deform[2] = MMD_DEFORM_QDEF;
    mmd_group_offset *flip = make(model, 1, sizeof *flip);
    *flip = (mmd_group_offset){.morph = 0, .ratio = 1};
    model->morphs[1] = (mmd_morph){
        .name = "い", .name_en = "i", .panel = 4, .kind = MMD_MORPH_FLIP, .count = 1, .offsets.group = flip};
    model->soft_body_count = 1;
    model->soft_bodies = make(model, 1, sizeof *model->soft_bodies);
    make_soft_body(model, &model->soft_bodies[0], 0, &next);
    model->soft_bodies[0].material = 0;
    ((mmd_soft_anchor *)(uintptr_t)model->soft_bodies[0].anchors)->body = -1;
}

/* ---- chain ---- */

void sample_chain(mmd_model *model, uint32_t bone_count, uint32_t vertex_count)
{
    assert(bone_count > 0 && vertex_count >= 3);
    start(model, 2.0f);
    make_vertices(model, vertex_count, 0, 0);
    for (uint32_t i = 0; i < vertex_count; i++)
        model->vertices.bone[i][0] = (int32_t)(i % bone_count);
    model->index_count = 3;
    model->indices = make(model, 3, sizeof *model->indices);
    for (uint32_t i = 0; i < 3; i++)
        model->indices[i] = vertex_count - 1 - i;
    model->material_count = 1;
    model->materials = make(model, 1, sizeof *model->materials);
    model->materials[0] = plain_material("面", 0, 3);
    model->bone_count = bone_count;
    model->bones = make(model, bone_count, sizeof *model->bones);
    for (uint32_t i = 0; i < bone_count; i++)
        model->bones[i] = plain_bone("鎖", (int32_t)i - 1, 0);
}

/* ---- PMD ---- */

/* Writes a text into a field of size bytes, with the garbage after its NUL that real files have. */
static void pmd_field(mmd_buffer *out, const char *text, size_t size)
{
    uint8_t field[256];
    memset(field, 0xfd, sizeof field);
    size_t length = mmd_cp932_from_utf8(text, strlen(text), field, size, NULL);
    if (length < size)
        field[length] = 0;
    mmd_write_bytes(out, field, size);
}

static void pmd_floats(mmd_buffer *out, size_t count, float *next)
{
    for (size_t i = 0; i < count; i++, *next += 0.25f)
        mmd_write_f32(out, *next);
}

static void pmd_mesh(mmd_buffer *out, float *next)
{
    static const uint8_t weights[5] = {100, 0, 30, 200, 50};
    static const uint16_t faces[12] = {0, 1, 2, 0, 2, 3, 3, 4, 0, 1, 3, 4};
    mmd_write_u32(out, 5);
    for (uint16_t i = 0; i < 5; i++) {
        pmd_floats(out, 8, next);
        mmd_write_u16(out, 1);
        mmd_write_u16(out, i == 4 ? 1 : 2);
        mmd_write_u8(out, weights[i]);
        mmd_write_u8(out, i == 1);
    }
    mmd_write_u32(out, 12);
    for (int i = 0; i < 12; i++)
        mmd_write_u16(out, faces[i]);
}

static void pmd_materials(mmd_buffer *out)
{
    static const struct {
        float alpha;
        uint8_t toon, edge;
        const char *texture;
    } materials[4] = {
        {1, 0, 1, "a.bmp*b.sph"}, {0.98f, 1, 0, "c.SPA"}, {0.5f, 0xff, 0, "b.sph*顔.bmp"}, {1, 2, 1, ""}};
    mmd_write_u32(out, 4);
    for (int i = 0; i < 4; i++) {
        mmd_write_floats(
            out, (float[]){0.25f, 0.5f, 0.75f, materials[i].alpha, 5, 0.125f, 0.25f, 0.375f, 1, 2, 3}, 11);
        mmd_write_u8(out, materials[i].toon);
        mmd_write_u8(out, materials[i].edge);
        mmd_write_u32(out, 3);
        pmd_field(out, materials[i].texture, 20);
    }
}

static void pmd_bones(mmd_buffer *out, float *next)
{
    static const struct {
        const char *name;
        int16_t parent, tail;
        uint8_t kind;
        uint16_t number;
    } bones[13] = {
        {"センター", -1, 1, 1, 0}, {"上半身", 0, -1, 0, 0},  {"左足", 0, 3, 4, 6},
        {"左ひざ", 2, 4, 4, 6},    {"左足首", 3, 5, 4, 6},   {"左つま先", 4, 0, 6, 6},
        {"左足ＩＫ", -1, 7, 2, 0}, {"ＩＫの子", 6, 0, 0, 0}, {"左目", 1, 0, 5, 2},
        {"左目光", 8, 0, 3, 0},    {"左腕捩", 1, 11, 8, 0},  {"左腕捩先", 10, 0, 7, 0},
        {"左腕捩1", 1, 10, 9, 50},
    };
    mmd_write_u16(out, 13);
    for (int i = 0; i < 13; i++) {
        pmd_field(out, bones[i].name, 20);
        mmd_write_u16(out, (uint16_t)bones[i].parent);
        mmd_write_u16(out, (uint16_t)bones[i].tail);
        mmd_write_u8(out, bones[i].kind);
        mmd_write_u16(out, bones[i].number);
        pmd_floats(out, 3, next);
    }
    mmd_write_u16(out, 2);
    const uint16_t entries[2][6] = {{6, 4, 2, 40, 3, 2}, {6, 5, 1, 3, 4, 0}};
    for (int i = 0; i < 2; i++) {
        mmd_write_u16(out, entries[i][0]);
        mmd_write_u16(out, entries[i][1]);
        mmd_write_u8(out, (uint8_t)entries[i][2]);
        mmd_write_u16(out, entries[i][3]);
        mmd_write_f32(out, 0.5f);
        for (int k = 0; k < entries[i][2]; k++)
            mmd_write_u16(out, entries[i][4 + k]);
    }
}

static void pmd_morph(mmd_buffer *out, const char *name, uint8_t kind, const uint32_t indices[3], float *next)
{
    pmd_field(out, name, 20);
    mmd_write_u32(out, 3);
    mmd_write_u8(out, kind);
    for (int i = 0; i < 3; i++) {
        mmd_write_u32(out, indices[i]);
        pmd_floats(out, 3, next);
    }
}

static void pmd_morphs(mmd_buffer *out, float *next)
{
    mmd_write_u16(out, 3);
    pmd_morph(out, "base", 0, (const uint32_t[]){4, 0, 2}, next);
    pmd_morph(out, "まばたき", 2, (const uint32_t[]){2, 1, 0}, next);
    pmd_morph(out, "あ", 3, (const uint32_t[]){0, 3, 1}, next); /* the base has no entry 3 */
    mmd_write_u8(out, 3);
    mmd_write_u16(out, 2);
    mmd_write_u16(out, 1);
    mmd_write_u16(out, 0); /* the base morph, which panels do not list */
    mmd_write_u8(out, 2);
    pmd_field(out, "ＩＫ\n", 50);
    pmd_field(out, "体", 50);
    mmd_write_u32(out, 3);
    const uint8_t items[3][2] = {{3, 2}, {6, 1}, {2, 2}};
    for (int i = 0; i < 3; i++) {
        mmd_write_u16(out, items[i][0]);
        mmd_write_u8(out, items[i][1]);
    }
}

static void pmd_english(mmd_buffer *out)
{
    mmd_write_u8(out, 1);
    pmd_field(out, "model", 20);
    pmd_field(out, "comment", 256);
    for (int i = 0; i < 13; i++)
        pmd_field(out, (const char[]){'b', (char)('a' + i), 0}, 20);
    pmd_field(out, "blink", 20);
    pmd_field(out, "a", 20);
    pmd_field(out, "IK\n", 50);
    pmd_field(out, "body", 50);
}

static void pmd_toons(mmd_buffer *out)
{
    static const char *const toons[10] = {"toon01.bmp", "mine.bmp", "TOON05.BMP", "", "",
                                          "",           "",         "",           "", "toon11.bmp"};
    for (int i = 0; i < 10; i++)
        pmd_field(out, toons[i], 100);
}

static void pmd_physics(mmd_buffer *out, bool joints, float *next)
{
    mmd_write_u32(out, 2);
    for (uint16_t i = 0; i < 2; i++) {
        pmd_field(out, "剛体", 20);
        mmd_write_u16(out, i ? 0xffff : 3);
        mmd_write_u8(out, 2);
        mmd_write_u16(out, 0xfffb);
        mmd_write_u8(out, (uint8_t)(1 + i));
        pmd_floats(out, 14, next);
        mmd_write_u8(out, (uint8_t)(1 + i));
    }
    if (!joints)
        return;
    mmd_write_u32(out, 1);
    pmd_field(out, "関節", 20);
    mmd_write_u32(out, 0);
    mmd_write_u32(out, 1);
    pmd_floats(out, 24, next);
}

void sample_pmd(mmd_buffer *out, int tail_blocks)
{
    float next = 0.25f;
    mmd_write_bytes(out, "Pmd", 3);
    mmd_write_f32(out, 1);
    pmd_field(out, "見本", 20);
    pmd_field(out, "一行目\n二行目", 256);
    pmd_mesh(out, &next);
    pmd_materials(out);
    pmd_bones(out, &next);
    pmd_morphs(out, &next);
    if (tail_blocks >= 1)
        pmd_english(out);
    if (tail_blocks >= 2)
        pmd_toons(out);
    if (tail_blocks >= 3)
        pmd_physics(out, tail_blocks >= 4, &next);
}
