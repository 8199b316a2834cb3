#include "mutations.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mmd/text.h"

/* Sets what is to be said, in either case. */
static bool say(mutated *m, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

static bool say(mutated *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->said[0], sizeof m->said[0], format, arguments);
    va_end(arguments);
    memcpy(m->said[1], m->said[0], sizeof m->said[1]);
    return true;
}

/* Writes a number with a comma at thousands. */
static const char *number(uint32_t n, char text[16])
{
    if (n < 1000)
        snprintf(text, 16, "%" PRIu32, n);
    else
        snprintf(text, 16, "%" PRIu32 ",%03" PRIu32, n / 1000, n % 1000);
    return text;
}

/* --- Physics --- */

static mmd_rigid_body *simulated_body(const mutated *m)
{
    for (uint32_t i = 0; i < m->model->body_count; i++)
        if (m->model->bodies[i].mode != 0)
            return &m->model->bodies[i];
    return NULL;
}

static bool change_damping(mutated *m)
{
    mmd_rigid_body *b = simulated_body(m);
    if (!b)
        return false;
    say(m, "body %s: linear damping %.6g → 0.125", b->name, (double)b->linear_damping);
    b->linear_damping = 0.125f;
    return true;
}

static bool change_collision(mutated *m)
{
    mmd_rigid_body *b = simulated_body(m);
    if (!b)
        return false;
    say(m, "body %s: group %d → %d, shape ", b->name, b->group, b->group ^ 1);
    b->group ^= 1;
    b->shape = (uint8_t)((b->shape + 1) % 3);
    return true;
}

static bool change_joint_limit(mutated *m)
{
    if (!m->model->joint_count)
        return false;
    mmd_joint *j = &m->model->joints[m->model->joint_count / 2];
    j->angular_upper[0] = 1.5707964f;
    return say(m, "joint %s: upper angular limit ", j->name);
}

static bool change_joint_spring(mutated *m)
{
    if (!m->model->joint_count)
        return false;
    mmd_joint *j = &m->model->joints[0];
    say(m, "joint %s: angular spring %.6g, ", j->name, (double)j->angular_spring[0]);
    j->angular_spring[0] += 7;
    return true;
}

static bool change_soft_body(mutated *m)
{
    if (!m->model->soft_body_count)
        return false;
    mmd_soft_body *s = &m->model->soft_bodies[0];
    say(m, "soft body %s: PR %.6g → 0.75", s->name, (double)s->config[4]);
    s->config[4] = 0.75f;
    return true;
}

/* --- Vertices --- */

/* Returns a vertex with two bones whose weights are not equal. */
static bool find_two_bones(const mmd_model *model, uint32_t *found)
{
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = v->count / 2; i < v->count; i++)
        if (v->deform[i] == MMD_DEFORM_BDEF2 && v->bone[i][0] >= 0 && v->bone[i][1] >= 0 &&
            v->bone[i][0] != v->bone[i][1] && v->weight[i][0] > 0.55f && v->weight[i][0] < 0.95f) {
            *found = i;
            return true;
        }
    return false;
}

static bool names_two(const mmd_model *model, int32_t a, int32_t b, mutated *m, const char *counted,
                      int which)
{
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    snprintf(m->said[which], sizeof m->said[which], "weights of %s under %s and %s", counted,
             model->bones[first].name, model->bones[second].name);
    return true;
}

/* Returns whether a vertex hangs on two bones and no others. */
static bool hangs_on(const mmd_vertices *v, uint32_t i, int32_t a, int32_t b)
{
    bool has_a = false, has_b = false;
    for (int k = 0; k < 4; k++) {
        if (v->bone[i][k] < 0 || v->weight[i][k] == 0)
            continue;
        if (v->bone[i][k] != a && v->bone[i][k] != b)
            return false;
        has_a = has_a || v->bone[i][k] == a;
        has_b = has_b || v->bone[i][k] == b;
    }
    return has_a && has_b;
}

static uint32_t count_hanging(const mmd_vertices *v, int32_t a, int32_t b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++)
        count += hangs_on(v, i, a, b);
    return count;
}

static bool change_weight(mutated *m)
{
    mmd_vertices *v = &m->model->vertices;
    char counted[16], text[64];
    uint32_t i;
    if (!find_two_bones(m->model, &i))
        return false;
    v->weight[i][0] -= 0.25f;
    v->weight[i][1] += 0.25f;
    names_two(m->model, v->bone[i][0], v->bone[i][1], m, "1 vertex", 0);
    const uint32_t count = count_hanging(v, v->bone[i][0], v->bone[i][1]);
    snprintf(text, sizeof text, "up to %s %s", number(count, counted), count == 1 ? "vertex" : "vertices");
    return names_two(m->model, v->bone[i][0], v->bone[i][1], m, text, 1);
}

static bool invert_weights(mutated *m)
{
    mmd_vertices *v = &m->model->vertices;
    char counted[16], text[64];
    uint32_t found, count = 0;
    if (!find_two_bones(m->model, &found))
        return false;
    const int32_t a = v->bone[found][0], b = v->bone[found][1];
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->deform[i] != MMD_DEFORM_BDEF2 || !hangs_on(v, i, a, b) || v->weight[i][0] == v->weight[i][1])
            continue;
        const float weight = v->weight[i][0];
        v->weight[i][0] = v->weight[i][1];
        v->weight[i][1] = weight;
        count++;
    }
    snprintf(text, sizeof text, "%s %s", number(count, counted), count == 1 ? "vertex" : "vertices");
    names_two(m->model, a, b, m, text, 0);
    count = count_hanging(v, a, b);
    snprintf(text, sizeof text, "up to %s %s", number(count, counted), count == 1 ? "vertex" : "vertices");
    return names_two(m->model, a, b, m, text, 1);
}

/* Returns the number of vertices of the material in the middle, which no earlier one uses, and marks them. */
static uint32_t mark_vertices(const mmd_model *model, const mmd_material **material, bool *marks)
{
    const mmd_material *last = &model->materials[model->material_count / 2];
    uint32_t count = 0;
    for (uint32_t k = 0; k < last->index_count; k++) {
        const uint32_t i = model->indices[last->first_index + k];
        count += !marks[i];
        marks[i] = true;
    }
    for (uint32_t k = 0; k < last->first_index; k++) {
        const uint32_t i = model->indices[k];
        count -= marks[i];
        marks[i] = false;
    }
    *material = last;
    return count;
}

/* Changes all vertices of a material in one respect. */
static bool change_vertices(mutated *m, const char *what, void (*change)(mmd_vertices *v, uint32_t i))
{
    char counted[16];
    bool *marks = mmd_arena_alloc(&m->model->arena, m->model->vertices.count, sizeof *marks);
    const mmd_material *material;
    const uint32_t count = marks ? mark_vertices(m->model, &material, marks) : 0;
    for (uint32_t i = 0; i < m->model->vertices.count && count; i++)
        if (marks[i])
            change(&m->model->vertices, i);
    if (count)
        snprintf(m->said[0], sizeof m->said[0], "%s of %s vertices in material %s", what,
                 number(count, counted), material->name);
    if (count)
        snprintf(m->said[1], sizeof m->said[1], "%s of up to ", what);
    return count;
}

static void move_uv(mmd_vertices *v, uint32_t i)
{
    v->uv[i][0] += 0.125f;
}

static void flip_normal(mmd_vertices *v, uint32_t i)
{
    for (int k = 0; k < 3; k++)
        v->normal[i][k] = -v->normal[i][k] + 0.001f; /* also those of 0 change */
}

static void move_vertex(mmd_vertices *v, uint32_t i)
{
    v->position[i][1] += 0.5f;
}

static bool change_uv(mutated *m)
{
    return change_vertices(m, "UV", move_uv);
}

static bool flip_normals(mutated *m)
{
    return change_vertices(m, "normals", flip_normal);
}

static bool move_vertices(mutated *m)
{
    return change_vertices(m, "positions", move_vertex);
}

/* --- Morphs --- */

static mmd_morph *vertex_morph(const mutated *m)
{
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        if (m->model->morphs[i].kind == MMD_MORPH_VERTEX && m->model->morphs[i].count > 8)
            return &m->model->morphs[i];
    return NULL;
}

static bool move_morph(mutated *m)
{
    char changed[16], all[16];
    mmd_morph *morph = vertex_morph(m);
    if (!morph)
        return false;
    for (uint32_t i = 0; i < morph->count / 2; i++)
        ((mmd_vertex_offset *)(uintptr_t)morph->offsets.vertex)[i].offset[1] += 0.25f;
    snprintf(m->said[0], sizeof m->said[0], "morph %s: %s of %s vertices", morph->name,
             number(morph->count / 2, changed), number(morph->count, all));
    snprintf(m->said[1], sizeof m->said[1], "morph %s: some of its %s vertices", morph->name, all);
    return true;
}

static bool rename_morph(mutated *m)
{
    mmd_morph *morph = vertex_morph(m);
    if (!morph)
        return false;
    say(m, "morph %s is called 別の名", morph->name);
    morph->name = "別の名";
    return true;
}

/* --- Materials --- */

static bool change_color(mutated *m)
{
    mmd_material *material = &m->model->materials[0];
    say(m, "material %s: diffuse colour %.6g, %.6g, %.6g → 0.125, ", material->name,
        (double)material->diffuse[0], (double)material->diffuse[1], (double)material->diffuse[2]);
    material->diffuse[0] = 0.125f;
    return true;
}

static bool change_edge(mutated *m)
{
    mmd_material *material = &m->model->materials[m->model->material_count - 1];
    const bool edge = material->flags & MMD_MATERIAL_EDGE;
    say(m, "material %s: edge size %.6g → 3.5, edge %s → %s", material->name, (double)material->edge_size,
        edge ? "on" : "off", edge ? "off" : "on");
    material->edge_size = 3.5f;
    material->flags ^= MMD_MATERIAL_EDGE;
    return true;
}

static bool change_texture(mutated *m)
{
    mmd_model *model = m->model;
    for (uint32_t i = 0; i < model->material_count; i++) {
        mmd_material *material = &model->materials[i];
        const int32_t other = material->texture == 0 ? 1 : 0;
        if (material->texture < 0 || other >= (int32_t)model->texture_count)
            continue;
        say(m, "material %s: texture %s → %s", material->name, model->textures[material->texture],
            model->textures[other]);
        material->texture = other;
        return true;
    }
    return false;
}

static bool reorder_materials(mutated *m)
{
    mmd_model *model = m->model;
    if (model->material_count < 3)
        return false;
    const mmd_material first = model->materials[0];
    memmove(model->materials, model->materials + 1, (model->material_count - 1) * sizeof first);
    model->materials[model->material_count - 1] = first;
    /* In a file, the triangles of the materials follow each other. */
    uint32_t *indices = mmd_arena_alloc(&model->arena, model->index_count, sizeof *indices);
    if (!indices)
        return false;
    memcpy(indices, model->indices + first.index_count,
           (model->index_count - first.index_count) * sizeof *indices);
    memcpy(indices + model->index_count - first.index_count, model->indices,
           first.index_count * sizeof *indices);
    model->indices = indices;
    for (uint32_t i = 0, at = 0; i < model->material_count; at += model->materials[i++].index_count)
        model->materials[i].first_index = at;
    /* What names materials by number follows. */
    for (uint32_t i = 0; i < model->morph_count; i++)
        for (uint32_t k = 0; model->morphs[i].kind == MMD_MORPH_MATERIAL && k < model->morphs[i].count; k++) {
            int32_t *of = &((mmd_material_offset *)(uintptr_t)model->morphs[i].offsets.material)[k].material;
            *of = *of < 0 ? *of : *of == 0 ? (int32_t)model->material_count - 1 : *of - 1;
        }
    for (uint32_t i = 0; i < model->soft_body_count; i++)
        model->soft_bodies[i].material = model->soft_bodies[i].material <= 0
                                             ? (int32_t)model->material_count - 1
                                             : model->soft_bodies[i].material - 1;
    return say(m, "the materials are in another order: %s moved", first.name);
}

/* --- Bones --- */

static bool move_bone(mutated *m)
{
    mmd_bone *b = &m->model->bones[m->model->bone_count / 2];
    say(m, "bone %s: position %.6g, ", b->name, (double)b->position[0]);
    b->position[0] += 0.25f;
    return true;
}

static mmd_bone *find_bone(const mutated *m, uint16_t flags)
{
    for (uint32_t i = 0; i < m->model->bone_count; i++)
        if (m->model->bones[i].flags & flags)
            return &m->model->bones[i];
    return NULL;
}

static bool change_loops(mutated *m)
{
    mmd_bone *b = find_bone(m, MMD_BONE_IK);
    if (!b)
        return false;
    say(m, "bone %s: IK loop count %d → %d", b->name, b->ik_loops, b->ik_loops + 3);
    b->ik_loops += 3;
    return true;
}

static bool change_link_limit(mutated *m)
{
    static mmd_ik_link links[64];
    for (uint32_t i = 0; i < m->model->bone_count; i++) {
        mmd_bone *b = &m->model->bones[i];
        for (uint32_t k = 0; b->flags & MMD_BONE_IK && k < b->ik_link_count && b->ik_link_count <= 64; k++) {
            if (!b->ik_links[k].has_limit)
                continue;
            memcpy(links, b->ik_links, b->ik_link_count * sizeof *links);
            links[k].lower[0] = -1.5707964f;
            b->ik_links = links;
            return say(m, "IK link %s of %s: lower angle limit ", m->model->bones[links[k].bone].name,
                       b->name);
        }
    }
    return false;
}

static bool change_append(mutated *m)
{
    mmd_bone *b = find_bone(m, MMD_BONE_APPEND_ROTATION);
    if (!b)
        return false;
    say(m, "bone %s: append ratio %.6g → 0.375", b->name, (double)b->append_ratio);
    b->append_ratio = 0.375f;
    return true;
}

static bool add_bone(mutated *m)
{
    mmd_model *model = m->model;
    mmd_bone *bones = mmd_arena_alloc(&model->arena, model->bone_count + 1, sizeof *bones);
    if (!bones)
        return false;
    memcpy(bones, model->bones, model->bone_count * sizeof *bones);
    bones[model->bone_count++] = (mmd_bone){.name = "追加",
                                            .name_en = "",
                                            .parent = 0,
                                            .flags = MMD_BONE_ROTATABLE,
                                            .tail_bone = -1,
                                            .append_source = -1,
                                            .ik_target = -1};
    model->bones = bones;
    return say(m, "bone 追加 was added");
}

/* Replaces the last bone by its parent. */
static void replace(int32_t *bone, int32_t last, int32_t parent)
{
    *bone = *bone == last ? parent : *bone;
}

static bool remove_bone(mutated *m)
{
    mmd_model *model = m->model;
    const int32_t last = (int32_t)model->bone_count - 1, parent = model->bones[last].parent;
    if (parent < 0)
        return false;
    say(m, "bone %s was removed", model->bones[last].name);
    for (uint32_t i = 0; i < model->vertices.count; i++)
        for (int k = 0; k < 4; k++)
            replace(&model->vertices.bone[i][k], last, parent);
    for (int32_t i = 0; i < last; i++) {
        mmd_bone *b = &model->bones[i];
        replace(&b->parent, last, parent);
        replace(&b->tail_bone, last, parent);
        replace(&b->append_source, last, parent);
        replace(&b->ik_target, last, parent);
        for (uint32_t k = 0; k < b->ik_link_count; k++)
            replace(&((mmd_ik_link *)(uintptr_t)b->ik_links)[k].bone, last, parent);
    }
    for (uint32_t i = 0; i < model->body_count; i++)
        replace(&model->bodies[i].bone, last, parent);
    for (uint32_t i = 0; i < model->morph_count; i++)
        for (uint32_t k = 0; model->morphs[i].kind == MMD_MORPH_BONE && k < model->morphs[i].count; k++)
            replace(&((mmd_bone_offset *)(uintptr_t)model->morphs[i].offsets.bone)[k].bone, last, parent);
    for (uint32_t i = 0; i < model->frame_count; i++)
        for (uint32_t k = 0; k < model->frames[i].count; k++) {
            mmd_frame_item *item = &((mmd_frame_item *)(uintptr_t)model->frames[i].items)[k];
            if (item->kind == 0)
                replace(&item->index, last, parent);
        }
    model->bone_count--;
    return true;
}

/* --- Motions --- */

static bool change_keys(mutated *m)
{
    for (uint32_t i = 0; i < m->motion->bone_track_count; i++) {
        mmd_bone_track *t = &m->motion->bone_tracks[i];
        char name[64] = "";
        if (t->count < 4)
            continue;
        for (uint32_t k = 1; k < 4; k++)
            t->keys[k].translation[0] += 0.5f;
        mmd_utf8_from_cp932(t->name, strnlen((const char *)t->name, sizeof t->name), name, sizeof name - 1,
                            NULL);
        snprintf(m->said[0], sizeof m->said[0], "motion: 3 keys of %s between %u and %u", name, t->frames[1],
                 t->frames[3]);
        snprintf(m->said[1], sizeof m->said[1], "keys of %s between ", name);
        return true;
    }
    return false;
}

static bool change_camera_key(mutated *m)
{
    if (!m->motion->camera_key_count)
        return false;
    m->motion->camera_keys[0].value.distance -= 3;
    return say(m, "motion: 1 key of the camera at %u", m->motion->camera_keys[0].frame);
}

static bool change_light_key(mutated *m)
{
    if (!m->motion->light_key_count)
        return false;
    m->motion->light_keys[0].value.color[0] *= 0.5f;
    return say(m, "motion: 1 key of the light at %u", m->motion->light_keys[0].frame);
}

const mutation mutations[] = {
    {"damping of a body", false, change_damping},
    {"group and shape of a body", false, change_collision},
    {"a joint limit", false, change_joint_limit},
    {"a spring of a joint", false, change_joint_spring},
    {"a value of a soft body", false, change_soft_body},
    {"a weight", false, change_weight},
    {"an inverted group of weights", false, invert_weights},
    {"UV moved", false, change_uv},
    {"normals flipped", false, flip_normals},
    {"vertices moved", false, move_vertices},
    {"a moved morph", false, move_morph},
    {"a renamed morph", false, rename_morph},
    {"a colour of a material", false, change_color},
    {"edges of a material", false, change_edge},
    {"another texture", false, change_texture},
    {"materials in another order", false, reorder_materials},
    {"a bone moved", false, move_bone},
    {"IK loop count", false, change_loops},
    {"an angle limit of an IK link", false, change_link_limit},
    {"append ratio", false, change_append},
    {"a bone added", false, add_bone},
    {"a bone removed", false, remove_bone},
    {"keys of a bone", true, change_keys},
    {"a key of the camera", true, change_camera_key},
    {"a key of the light", true, change_light_key},
};
const size_t mutation_count = sizeof mutations / sizeof *mutations;
