/* Lists the contents of models and motions that were read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contents_internal.h"
#include "mmd/text.h"

/* More offsets of morphs than these are not listed one by one. */
enum { OFFSETS_MOST = 1 << 20 };

/* Keys are told apart by their frames as long as there are at most so many in a motion. Else keys of
 * neighbouring frames are listed together in the tracks with most keys, so that the text of a picture stays
 * small. */
enum { KEYS_MOST = 4096, SPANS = 32 };

/* Where the next cell of a row goes. */
typedef struct cell_writer {
    uint32_t *at;
} cell_writer;

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return 0x7fc00000;
    return bits == 0x80000000 ? 0 : bits;
}

static uint64_t mix_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = contents_mix(hash, float_bits(values[i]));
    return hash;
}

static void put(cell_writer *w, uint32_t value)
{
    *w->at++ = value;
}

static void put_floats(cell_writer *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(w, float_bits(values[i]));
}

static void put_float(cell_writer *w, float value)
{
    put(w, float_bits(value));
}

/* Puts an item: a row, or none if it is negative. */
static void put_item(cell_writer *w, int32_t row)
{
    put(w, row < 0 ? 0 : (uint32_t)row + 1);
}

static cell_writer row_of(const contents *c, contents_id table, uint32_t row)
{
    return (cell_writer){contents_row(c, table, row)};
}

/* --- Materials and bones --- */

/* Sums over the vertices of a material. whole: of all values of a vertex together, which tells when vertices
 * exchange some of them. */
typedef struct surface {
    uint32_t vertices;
    uint64_t positions, normals, uv, edges, whole, corners;
} surface;

static uint64_t hash_uv(const mmd_vertices *v, uint32_t i)
{
    uint64_t hash = mix_floats(3, v->uv[i], 2);
    for (uint32_t k = 0; k < v->additional_uv_count; k++)
        hash = mix_floats(hash, v->additional_uv[k][i], 4);
    return contents_mixed(hash);
}

static uint64_t hash_place(const mmd_vertices *v, uint32_t i)
{
    return contents_mixed(mix_floats(1, v->position[i], 3));
}

static uint64_t hash_normal(const mmd_vertices *v, uint32_t i)
{
    return contents_mixed(mix_floats(2, v->normal[i], 3));
}

static uint64_t hash_edge(const mmd_vertices *v, uint32_t i)
{
    return contents_mixed(mix_floats(4, &v->edge_scale[i], 1));
}

/* Adds up the vertices of a material. ordinals: two numbers for each vertex, the last material that used it
 * and its number there. Triangles are hashed by these numbers, so that vertices may have others in the file.
 */
static surface add_surface(const mmd_model *model, uint32_t material, uint32_t (*ordinals)[2])
{
    const mmd_vertices *v = &model->vertices;
    const mmd_material *m = &model->materials[material];
    surface s = {0};
    for (uint32_t i = 0; i < m->index_count; i++) {
        const uint32_t vertex = model->indices[m->first_index + i];
        uint32_t *seen = ordinals[vertex];
        if (seen[0] != material + 1) {
            seen[0] = material + 1;
            seen[1] = s.vertices++;
            const uint64_t hashes[] = {hash_place(v, vertex), hash_normal(v, vertex), hash_uv(v, vertex),
                                       hash_edge(v, vertex)};
            s.positions += hashes[0];
            s.normals += hashes[1];
            s.uv += hashes[2];
            s.edges += hashes[3];
            s.whole += contents_mixed(hashes[0] + 3 * hashes[1] + 5 * hashes[2] + 7 * hashes[3]);
        }
        s.corners = contents_mix(s.corners, seen[1]);
    }
    return s;
}

static bool list_materials(contents *c, const mmd_model *model)
{
    uint32_t(*ordinals)[2] = mmd_arena_alloc(&c->arena, model->vertices.count, sizeof *ordinals);
    if (!ordinals || !contents_add_table(c, CONTENTS_MATERIALS, model->material_count))
        return false;
    for (uint32_t i = 0; i < model->material_count; i++) {
        const mmd_material *m = &model->materials[i];
        const surface s = add_surface(model, i, ordinals);
        cell_writer w = row_of(c, CONTENTS_MATERIALS, i);
        put(&w, s.vertices);
        put(&w, m->index_count / 3);
        const uint64_t hashes[] = {s.positions, s.normals, s.uv, s.edges};
        for (size_t k = 0; k < sizeof hashes / sizeof *hashes; k++)
            put(&w, (uint32_t)(hashes[k] >> 32));
        put(&w, (uint32_t)(contents_mixed(s.corners) >> 48) << 16 | (uint32_t)(s.whole >> 48));
        put_floats(&w, m->diffuse, 4);
        put_floats(&w, m->specular, 3);
        put_float(&w, m->specular_power);
        put_floats(&w, m->ambient, 3);
        put_floats(&w, m->edge_color, 4);
        put_float(&w, m->edge_size);
        put(&w, m->flags);
        put(&w, m->sphere_mode);
        put_item(&w, m->texture);
        put_item(&w, m->sphere);
        put_item(&w, m->shared_toon ? -1 : m->toon);
        put(&w, m->shared_toon ? (uint32_t)m->toon + 1 : 0);
        put_float(&w, m->cuts_alpha ? m->alpha_cutoff : 0);
        if (!contents_set_name(c, CONTENTS_MATERIALS, i, 0, m->name))
            return false;
    }
    return true;
}

static bool list_textures(contents *c, const mmd_model *model)
{
    bool ok = contents_add_table(c, CONTENTS_TEXTURES, model->texture_count);
    for (uint32_t i = 0; i < model->texture_count && ok; i++)
        ok = contents_set_name(c, CONTENTS_TEXTURES, i, 0, model->textures[i]);
    return ok;
}

/* Returns a bone's flags that pictures depend on, in the order of contents_tables. */
static uint32_t bone_flags(const mmd_bone *b)
{
    static const uint16_t bits[] = {
        MMD_BONE_IK,         MMD_BONE_APPEND_LOCAL, MMD_BONE_APPEND_ROTATION, MMD_BONE_APPEND_TRANSLATION,
        MMD_BONE_FIXED_AXIS, MMD_BONE_LOCAL_AXIS,   MMD_BONE_AFTER_PHYSICS,   MMD_BONE_EXTERNAL_PARENT};
    uint32_t flags = 0;
    for (uint32_t i = 0; i < sizeof bits / sizeof *bits; i++)
        flags |= b->flags & bits[i] ? 1u << i : 0;
    return flags;
}

static const char *bone_name(const mmd_model *model, int32_t bone)
{
    return bone < 0 ? "" : model->bones[bone].name;
}

/* Puts the links of an IK bone: their number, and hashes of their bones and of their limits. */
static void put_links(cell_writer *w, const mmd_model *model, const mmd_bone *b, bool is_ik)
{
    uint64_t bones = 0, limits = 0;
    for (uint32_t i = 0; is_ik && i < b->ik_link_count; i++) {
        const mmd_ik_link *link = &b->ik_links[i];
        bones = contents_mix_text(bones, bone_name(model, link->bone));
        limits = contents_mix(limits, link->has_limit);
        if (link->has_limit)
            limits = mix_floats(mix_floats(limits, link->lower, 3), link->upper, 3);
    }
    put(w, is_ik ? b->ik_link_count : 0);
    put(w, (uint32_t)(contents_mixed(bones) >> 48));
    put(w, (uint32_t)(contents_mixed(limits) >> 48));
}

static void list_bone(contents *c, const mmd_model *model, uint32_t i)
{
    static const float zeros[3] = {0};
    const mmd_bone *b = &model->bones[i];
    const bool appends = b->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION),
               is_ik = b->flags & MMD_BONE_IK, has_axes = b->flags & MMD_BONE_LOCAL_AXIS;
    cell_writer w = row_of(c, CONTENTS_BONES, i);
    put_floats(&w, b->position, 3);
    put_item(&w, b->parent);
    put(&w, (uint32_t)b->layer);
    put(&w, bone_flags(b));
    put_item(&w, appends ? b->append_source : -1);
    put_float(&w, appends ? b->append_ratio : 0);
    put_floats(&w, b->flags & MMD_BONE_FIXED_AXIS ? b->fixed_axis : zeros, 3);
    put_floats(&w, has_axes ? b->local_x : zeros, 3);
    put_floats(&w, has_axes ? b->local_z : zeros, 3);
    put(&w, b->flags & MMD_BONE_EXTERNAL_PARENT ? (uint32_t)b->external_key : 0);
    put_item(&w, is_ik ? b->ik_target : -1);
    put(&w, is_ik ? (uint32_t)b->ik_loops : 0);
    put_float(&w, is_ik ? b->ik_limit : 0);
    put_links(&w, model, b, is_ik);
}

/* Lists a link of an IK bone, by the names of both. */
static bool list_link(contents *c, const mmd_model *model, const mmd_bone *b, uint32_t i, uint32_t row)
{
    static const float zeros[3] = {0};
    const mmd_ik_link *link = &b->ik_links[i];
    const char *name = bone_name(model, link->bone);
    const size_t size = strlen(name) + strlen(b->name) + sizeof " of ";
    char *text = mmd_arena_alloc(&c->arena, size, 1);
    cell_writer w = row_of(c, CONTENTS_LINKS, row);
    put(&w, link->has_limit);
    put_floats(&w, link->has_limit ? link->lower : zeros, 3);
    put_floats(&w, link->has_limit ? link->upper : zeros, 3);
    if (!text)
        return false;
    snprintf(text, size, "%s of %s", name, b->name);
    return contents_set_name(c, CONTENTS_LINKS, row, 0, text);
}

static uint32_t link_count(const mmd_bone *b)
{
    return b->flags & MMD_BONE_IK ? b->ik_link_count : 0;
}

static bool list_links(contents *c, const mmd_model *model)
{
    uint32_t count = 0, row = 0;
    for (uint32_t i = 0; i < model->bone_count; i++)
        count += link_count(&model->bones[i]);
    bool ok = contents_add_table(c, CONTENTS_LINKS, count);
    for (uint32_t i = 0; i < model->bone_count; i++)
        for (uint32_t k = 0; k < link_count(&model->bones[i]) && ok; k++)
            ok = list_link(c, model, &model->bones[i], k, row++);
    return ok;
}

static bool list_bones(contents *c, const mmd_model *model)
{
    bool ok = contents_add_table(c, CONTENTS_BONES, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count && ok; i++) {
        list_bone(c, model, i);
        ok = contents_set_name(c, CONTENTS_BONES, i, 0, model->bones[i].name);
    }
    return ok;
}

/* --- Physics --- */

static bool list_bodies(contents *c, const mmd_model *model)
{
    bool ok = contents_add_table(c, CONTENTS_BODIES, model->body_count);
    for (uint32_t i = 0; i < model->body_count && ok; i++) {
        const mmd_rigid_body *b = &model->bodies[i];
        cell_writer w = row_of(c, CONTENTS_BODIES, i);
        put_item(&w, b->bone);
        put(&w, b->group);
        put(&w, b->mask);
        put(&w, b->shape);
        put_floats(&w, b->size, 3);
        put_floats(&w, b->position, 3);
        put_floats(&w, b->rotation, 3);
        put_float(&w, b->mass);
        put_float(&w, b->linear_damping);
        put_float(&w, b->angular_damping);
        put_float(&w, b->restitution);
        put_float(&w, b->friction);
        put(&w, b->mode);
        ok = contents_set_name(c, CONTENTS_BODIES, i, 0, b->name);
    }
    return ok;
}

static bool list_joints(contents *c, const mmd_model *model)
{
    bool ok = contents_add_table(c, CONTENTS_JOINTS, model->joint_count);
    for (uint32_t i = 0; i < model->joint_count && ok; i++) {
        const mmd_joint *j = &model->joints[i];
        const float *const triples[] = {j->position,      j->rotation,      j->linear_lower,
                                        j->linear_upper,  j->angular_lower, j->angular_upper,
                                        j->linear_spring, j->angular_spring};
        cell_writer w = row_of(c, CONTENTS_JOINTS, i);
        put(&w, j->kind);
        put_item(&w, j->body_a);
        put_item(&w, j->body_b);
        for (size_t k = 0; k < sizeof triples / sizeof *triples; k++)
            put_floats(&w, triples[k], 3);
        ok = contents_set_name(c, CONTENTS_JOINTS, i, 0, j->name);
    }
    return ok;
}

static void list_soft_body(contents *c, const mmd_model *model, uint32_t i)
{
    const mmd_soft_body *s = &model->soft_bodies[i];
    const int32_t wholes[] = {s->shape,         s->group,         s->mask,      s->flags,
                              s->link_distance, s->cluster_count, s->aero_model};
    cell_writer w = row_of(c, CONTENTS_SOFT_BODIES, i);
    put_item(&w, s->material);
    for (size_t k = 0; k < sizeof wholes / sizeof *wholes; k++)
        put(&w, (uint32_t)wholes[k]);
    put_float(&w, s->mass);
    put_float(&w, s->margin);
    put_floats(&w, s->config, 12);
    put_floats(&w, s->cluster, 6);
    for (int k = 0; k < 4; k++)
        put(&w, (uint32_t)s->iterations[k]);
    put_floats(&w, s->material_config, 3);
    uint64_t anchors = 0, pins = 0;
    for (uint32_t k = 0; k < s->anchor_count; k++) {
        const mmd_soft_anchor *a = &s->anchors[k];
        anchors = contents_mix_text(anchors, a->body < 0 ? "" : model->bodies[a->body].name);
        anchors = contents_mix(contents_mix(anchors, (uint32_t)a->vertex), a->near_mode);
    }
    for (uint32_t k = 0; k < s->pin_count; k++)
        pins = contents_mix(pins, (uint32_t)s->pins[k]);
    put(&w, s->anchor_count);
    put(&w, s->pin_count);
    put(&w, (uint32_t)(contents_mixed(anchors) >> 48));
    put(&w, (uint32_t)(contents_mixed(pins) >> 48));
}

static bool list_soft_bodies(contents *c, const mmd_model *model)
{
    bool ok = contents_add_table(c, CONTENTS_SOFT_BODIES, model->soft_body_count);
    for (uint32_t i = 0; i < model->soft_body_count && ok; i++) {
        list_soft_body(c, model, i);
        ok = contents_set_name(c, CONTENTS_SOFT_BODIES, i, 0, model->soft_bodies[i].name);
    }
    return ok;
}

/* --- Vertices by their bones --- */

/* The bones of a vertex that have a weight, ascending, as items; and hashes of the weights. */
typedef struct hanging {
    uint32_t bones[4];
    uint64_t weights, by_place;
} hanging;

static uint64_t hash_weights(const mmd_vertices *v, uint32_t i, const float weights[4])
{
    const uint8_t deform = v->deform[i] >= MMD_DEFORM_SDEF ? v->deform[i] : MMD_DEFORM_BDEF1;
    uint64_t hash = mix_floats(contents_mix(5, deform), weights, 4);
    if (deform == MMD_DEFORM_SDEF && v->sdef_index && v->sdef_index[i] >= 0) {
        const mmd_sdef *s = &v->sdef[v->sdef_index[i]];
        hash = mix_floats(mix_floats(mix_floats(hash, s->c, 3), s->r0, 3), s->r1, 3);
    }
    return hash;
}

static hanging hanging_of(const mmd_vertices *v, uint32_t i)
{
    hanging h = {0};
    float weights[4] = {0};
    uint32_t count = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t bone = (uint32_t)v->bone[i][k] + 1;
        const float weight = v->weight[i][k];
        if (v->bone[i][k] < 0 || float_bits(weight) == 0)
            continue;
        uint32_t at = 0;
        while (at < count && h.bones[at] < bone)
            at++;
        if (at < count && h.bones[at] == bone) {
            weights[at] += weight;
            continue;
        }
        memmove(&h.bones[at + 1], &h.bones[at], (count - at) * sizeof *h.bones);
        memmove(&weights[at + 1], &weights[at], (count - at) * sizeof *weights);
        h.bones[at] = bone;
        weights[at] = weight;
        count++;
    }
    const uint64_t hash = hash_weights(v, i, weights);
    h.weights = contents_mixed(hash);
    h.by_place = contents_mixed(mix_floats(hash, v->position[i], 3));
    return h;
}

/* A growing list of groups, found by a hash of their bones. */
typedef struct group_list {
    uint32_t (*bones)[4];
    uint64_t (*sums)[2]; /* of weights and weights by place */
    uint32_t *counts, *slots, *of_vertex;
    uint32_t count, mask;
} group_list;

static uint32_t find_group(group_list *l, const uint32_t bones[4])
{
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++)
        hash = contents_mix(hash, bones[k]);
    uint32_t at = (uint32_t)(contents_mixed(hash) >> 32) & l->mask;
    for (; l->slots[at]; at = (at + 1) & l->mask)
        if (memcmp(l->bones[l->slots[at] - 1], bones, sizeof *l->bones) == 0)
            return l->slots[at] - 1;
    memcpy(l->bones[l->count], bones, sizeof *l->bones);
    l->slots[at] = ++l->count;
    return l->count - 1;
}

static bool list_groups(contents *c, const mmd_vertices *v, group_list *l)
{
    uint32_t slots = 16;
    while (slots < 2 * (uint64_t)v->count)
        slots *= 2;
    *l = (group_list){.bones = mmd_arena_alloc(&c->arena, v->count, sizeof *l->bones),
                      .sums = mmd_arena_alloc(&c->arena, v->count, sizeof *l->sums),
                      .counts = mmd_arena_alloc(&c->arena, v->count, sizeof *l->counts),
                      .slots = mmd_arena_alloc(&c->arena, slots, sizeof *l->slots),
                      .of_vertex = mmd_arena_alloc(&c->arena, v->count, sizeof *l->of_vertex),
                      .mask = slots - 1};
    if (!l->bones || !l->sums || !l->counts || !l->slots || !l->of_vertex)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const hanging h = hanging_of(v, i);
        const uint32_t group = find_group(l, h.bones);
        l->of_vertex[i] = group;
        l->counts[group]++;
        l->sums[group][0] += h.weights;
        l->sums[group][1] += h.by_place;
    }
    if (!contents_add_table(c, CONTENTS_GROUPS, l->count))
        return false;
    for (uint32_t i = 0; i < l->count; i++) {
        cell_writer w = row_of(c, CONTENTS_GROUPS, i);
        for (int k = 0; k < 4; k++)
            put(&w, l->bones[i][k]);
        put(&w, l->counts[i]);
        put(&w, (uint32_t)(l->sums[i][0] >> 48));
        put(&w, (uint32_t)(l->sums[i][1] >> 48));
    }
    return true;
}

/* Lists all vertices, each with the first material that uses it. */
static bool list_vertices(contents *c, const mmd_model *model, const group_list *groups)
{
    const mmd_vertices *v = &model->vertices;
    if (!contents_add_table(c, CONTENTS_VERTICES, v->count))
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const uint64_t hashes[] = {hash_place(v, i), hash_normal(v, i), hash_uv(v, i), hash_edge(v, i),
                                   hanging_of(v, i).weights};
        cell_writer w = row_of(c, CONTENTS_VERTICES, i);
        put(&w, 0);
        put(&w, groups->of_vertex[i] + 1);
        for (size_t k = 0; k < sizeof hashes / sizeof *hashes; k++)
            put(&w, (uint32_t)(hashes[k] >> 48));
    }
    for (uint32_t m = model->material_count; m-- > 0;)
        for (uint32_t i = 0; i < model->materials[m].index_count; i++)
            *row_of(c, CONTENTS_VERTICES, model->indices[model->materials[m].first_index + i]).at = m + 1;
    return true;
}

/* --- Morphs --- */

/* Returns the hash of an offset without its target, which *target receives: its number, and a hash of what it
 * is apart from its number. */
static uint64_t hash_offset(const mmd_model *model, const mmd_morph *m, uint32_t i, int32_t *target,
                            uint64_t *place)
{
    switch (m->kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        *target = m->offsets.group[i].morph;
        *place = contents_mix_text(0, *target < 0 ? "" : model->morphs[*target].name);
        return mix_floats(0, &m->offsets.group[i].ratio, 1);
    case MMD_MORPH_VERTEX:
        *target = m->offsets.vertex[i].vertex;
        *place = hash_place(&model->vertices, (uint32_t)*target);
        return mix_floats(0, m->offsets.vertex[i].offset, 3);
    case MMD_MORPH_BONE: {
        const mmd_bone_offset *o = &m->offsets.bone[i];
        *target = o->bone;
        *place = contents_mix_text(0, bone_name(model, o->bone));
        return mix_floats(mix_floats(0, o->translation, 3), o->rotation, 4);
    }
    case MMD_MORPH_MATERIAL: {
        const mmd_material_offset *o = &m->offsets.material[i];
        *target = o->material;
        *place = contents_mix_text(0, *target < 0 ? "" : model->materials[*target].name);
        float values[sizeof o->values / sizeof(float)]; /* which it consists of */
        memcpy(values, &o->values, sizeof values);
        return mix_floats(contents_mix(0, o->operation), values, sizeof values / sizeof *values);
    }
    case MMD_MORPH_IMPULSE: {
        const mmd_impulse_offset *o = &m->offsets.impulse[i];
        *target = o->body;
        *place = contents_mix_text(0, *target < 0 ? "" : model->bodies[*target].name);
        return mix_floats(mix_floats(contents_mix(0, o->local), o->velocity, 3), o->torque, 3);
    }
    default:
        *target = m->offsets.uv[i].vertex;
        *place = hash_place(&model->vertices, (uint32_t)*target);
        return mix_floats(0, m->offsets.uv[i].offset, 4);
    }
}

static void list_morph(contents *c, const mmd_model *model, uint32_t i)
{
    const mmd_morph *m = &model->morphs[i];
    uint64_t by_number = 0, by_place = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        int32_t target;
        uint64_t place, value = hash_offset(model, m, k, &target, &place);
        by_number += contents_mixed(contents_mix(value, (uint32_t)target));
        by_place += contents_mixed(value ^ place);
    }
    cell_writer w = row_of(c, CONTENTS_MORPHS, i);
    put(&w, m->kind);
    put(&w, m->count);
    put(&w, (uint32_t)(by_number >> 32));
    put(&w, (uint32_t)(by_place >> 32));
}

static bool list_morphs(contents *c, const mmd_model *model, bool full)
{
    uint64_t offsets = 0;
    bool ok = contents_add_table(c, CONTENTS_MORPHS, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count && ok; i++) {
        list_morph(c, model, i);
        offsets += model->morphs[i].count;
        ok = contents_set_name(c, CONTENTS_MORPHS, i, 0, model->morphs[i].name);
    }
    if (!ok || !full || offsets > OFFSETS_MOST)
        return ok;
    ok = contents_add_table(c, CONTENTS_OFFSETS, (uint32_t)offsets);
    for (uint32_t i = 0, row = 0; i < model->morph_count && ok; i++)
        for (uint32_t k = 0; k < model->morphs[i].count; k++, row++) {
            int32_t target;
            uint64_t place;
            const uint64_t value = hash_offset(model, &model->morphs[i], k, &target, &place);
            cell_writer w = row_of(c, CONTENTS_OFFSETS, row);
            put(&w, i + 1);
            put(&w, (uint32_t)target);
            put(&w, (uint32_t)(contents_mixed(value) >> 48));
        }
    return ok;
}

bool contents_of_model(contents *c, const mmd_model *model, bool full)
{
    group_list groups;
    *c = (contents){0};
    c->whole = !model->physscene && !model->has_scale && model->origin != MMD_ORIGIN_GLTF;
    return list_textures(c, model) && list_materials(c, model) && list_bones(c, model) &&
           list_links(c, model) && list_morphs(c, model, full) && list_bodies(c, model) &&
           list_joints(c, model) && list_soft_bodies(c, model) && list_groups(c, &model->vertices, &groups) &&
           (!full || list_vertices(c, model, &groups));
}

/* --- Motions --- */

/* The key that is being listed. */
typedef struct listed_key {
    uint32_t frame;
    uint64_t hash;
} listed_key;

/* The number of blocks that the keys of a track make with each span. */
typedef struct track_blocks {
    uint32_t counts[SPANS];
    uint32_t span; /* that is chosen */
} track_blocks;

/* Receives the keys of one track after the other, first to count them, then to list them. */
typedef struct key_lister {
    contents *c;
    uint32_t track, row;  /* the number of those that came */
    track_blocks *blocks; /* of each track; NULL: tracks are counted */
    bool fills;
    uint32_t last; /* frame of the last key of the track */
    bool has_last;
    uint64_t hash; /* of the track */
} key_lister;

/* Begins a track of `count` keys. */
static bool begin_track(key_lister *l, char kind, const char *name, uint32_t count, uint32_t first,
                        uint32_t last)
{
    l->track++;
    l->has_last = false;
    l->hash = 0;
    if (!l->fills)
        return true;
    cell_writer w = row_of(l->c, CONTENTS_TRACKS, l->track - 1);
    put(&w, count);
    put(&w, first);
    put(&w, last);
    put(&w, 0);
    put(&w, l->blocks[l->track - 1].span);
    return contents_set_name(l->c, CONTENTS_TRACKS, l->track - 1, kind, name);
}

/* Counts a key for each span, or adds it to the block of its frame and to the hash of its track. */
static void add_key(key_lister *l, listed_key key)
{
    track_blocks *blocks = l->blocks ? &l->blocks[l->track - 1] : NULL;
    for (uint32_t span = 0; blocks && !l->fills && span < SPANS; span++) {
        if (l->has_last && key.frame >> span == l->last >> span)
            break; /* and so for all longer spans */
        blocks->counts[span]++;
    }
    if (l->fills) {
        l->row += !l->has_last || key.frame >> blocks->span != l->last >> blocks->span;
        const uint64_t hash = contents_mixed(contents_mix(key.hash, key.frame));
        uint32_t *cells = row_of(l->c, CONTENTS_KEYS, l->row - 1).at;
        cells[KEY_TRACK] = l->track;
        cells[KEY_BLOCK] = key.frame >> blocks->span;
        cells[KEY_COUNT]++;
        cells[KEY_HASH] = (cells[KEY_HASH] + (uint32_t)(hash >> 48)) & 0xffff;
        l->hash += hash;
        row_of(l->c, CONTENTS_TRACKS, l->track - 1).at[TRACK_HASH] = (uint32_t)(l->hash >> 32);
    }
    l->last = key.frame;
    l->has_last = true;
}

static uint64_t mix_curves(uint64_t hash, const mmd_curve *curves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = contents_mix(hash, (uint32_t)curves[i].x1 << 24 | (uint32_t)curves[i].y1 << 16 |
                                      (uint32_t)curves[i].x2 << 8 | curves[i].y2);
    return hash;
}

static const char *name_of(const uint8_t *field, size_t size, char name[64])
{
    size_t length = mmd_utf8_from_cp932(field, strnlen((const char *)field, size), name, 63, NULL);
    name[length < 63 ? length : 63] = '\0';
    return name;
}

static bool list_bone_tracks(key_lister *l, const mmd_motion *m)
{
    char name[64];
    bool ok = true;
    for (uint32_t i = 0; i < m->bone_track_count && ok; i++) {
        const mmd_bone_track *t = &m->bone_tracks[i];
        if (t->count == 0)
            continue;
        ok = begin_track(l, TRACK_BONE, name_of(t->name, sizeof t->name, name), t->count, t->frames[0],
                         t->frames[t->count - 1]);
        for (uint32_t k = 0; k < t->count; k++) {
            const mmd_bone_key *key = &t->keys[k];
            uint64_t hash = mix_floats(mix_floats(0, key->translation, 3), key->rotation, 4);
            hash = contents_mix(mix_curves(hash, key->curve, 4), key->physics_off);
            add_key(l, (listed_key){t->frames[k], hash});
        }
    }
    for (uint32_t i = 0; i < m->morph_track_count && ok; i++) {
        const mmd_morph_track *t = &m->morph_tracks[i];
        if (t->count == 0)
            continue;
        ok = begin_track(l, TRACK_MORPH, name_of(t->name, sizeof t->name, name), t->count, t->frames[0],
                         t->frames[t->count - 1]);
        for (uint32_t k = 0; k < t->count; k++)
            add_key(l, (listed_key){t->frames[k], mix_floats(0, &t->weights[k], 1)});
    }
    return ok;
}

static bool list_stage_tracks(key_lister *l, const mmd_motion *m)
{
    const uint32_t cameras = m->camera_key_count, lights = m->light_key_count,
                   shadows = m->self_shadow_key_count;
    if (cameras && !begin_track(l, TRACK_CAMERA, "", cameras, m->camera_keys[0].frame,
                                m->camera_keys[cameras - 1].frame))
        return false;
    for (uint32_t i = 0; i < cameras; i++) {
        const mmd_camera_key *key = &m->camera_keys[i];
        const mmd_camera *v = &key->value;
        uint64_t hash = mix_floats(mix_floats(0, v->position, 3), v->rotation, 3);
        hash = contents_mix(mix_floats(mix_floats(hash, &v->distance, 1), &v->fov, 1), v->perspective);
        add_key(l, (listed_key){key->frame, mix_curves(hash, key->curve, MMD_CAMERA_CHANNELS)});
    }
    if (lights &&
        !begin_track(l, TRACK_LIGHT, "", lights, m->light_keys[0].frame, m->light_keys[lights - 1].frame))
        return false;
    for (uint32_t i = 0; i < lights; i++) {
        const mmd_light *v = &m->light_keys[i].value;
        add_key(
            l, (listed_key){m->light_keys[i].frame, mix_floats(mix_floats(0, v->color, 3), v->direction, 3)});
    }
    if (shadows && !begin_track(l, TRACK_SHADOW, "", shadows, m->self_shadow_keys[0].frame,
                                m->self_shadow_keys[shadows - 1].frame))
        return false;
    for (uint32_t i = 0; i < shadows; i++) {
        const mmd_self_shadow *v = &m->self_shadow_keys[i].value;
        add_key(l, (listed_key){m->self_shadow_keys[i].frame, mix_floats(v->mode, &v->distance, 1)});
    }
    return true;
}

/* Returns whether an earlier key, or an earlier switch of the same key, mentions the IK bone of a switch. */
static bool is_mentioned(const mmd_motion *m, uint32_t key, uint32_t which)
{
    const uint8_t *name = m->property_keys[key].switches[which].name;
    for (uint32_t i = 0; i <= key; i++)
        for (uint32_t k = 0; k < (i == key ? which : m->property_keys[i].switch_count); k++)
            if (memcmp(m->property_keys[i].switches[k].name, name,
                       sizeof m->property_keys[i].switches[k].name) == 0)
                return true;
    return false;
}

/* Lists the switches of one IK bone, the one of a key that mentions it first. */
static bool list_ik_track(key_lister *l, const mmd_motion *m, uint32_t first, uint32_t which)
{
    const uint8_t *name = m->property_keys[first].switches[which].name;
    char text[64];
    uint32_t count = 0, last = first;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !begin_track(l, TRACK_IK, name_of(name, 20, text), count,
                                      m->property_keys[first].frame, m->property_keys[last].frame))
            return false;
        for (uint32_t i = first; i < m->property_key_count; i++)
            for (uint32_t k = 0; k < m->property_keys[i].switch_count; k++) {
                const mmd_ik_switch *s = &m->property_keys[i].switches[k];
                if (memcmp(s->name, name, sizeof s->name) != 0)
                    continue;
                if (pass == 1)
                    add_key(l, (listed_key){m->property_keys[i].frame, s->on});
                count++;
                last = i;
            }
    }
    return true;
}

/* More switches of IK than these are not listed, because each is compared with all before. */
enum { SWITCHES_MOST = 8192 };

static bool list_property_tracks(key_lister *l, const mmd_motion *m)
{
    const uint32_t count = m->property_key_count;
    if (count && !begin_track(l, TRACK_VISIBLE, "", count, m->property_keys[0].frame,
                              m->property_keys[count - 1].frame))
        return false;
    for (uint32_t i = 0; i < count; i++)
        add_key(l, (listed_key){m->property_keys[i].frame, m->property_keys[i].visible});
    uint64_t switches = count;
    for (uint32_t i = 0; i < count; i++)
        switches += m->property_keys[i].switch_count;
    if (switches > SWITCHES_MOST) {
        l->c->whole = false;
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < m->property_keys[i].switch_count; k++)
            if (!is_mentioned(m, i, k) && !list_ik_track(l, m, i, k))
                return false;
    return true;
}

/* Counts the tracks, or counts or lists their keys. */
static bool list_tracks(key_lister *l, const mmd_motion *m)
{
    l->track = l->row = 0;
    return list_bone_tracks(l, m) && list_stage_tracks(l, m) && list_property_tracks(l, m);
}

/* Chooses the shortest span of each track with which it has at most so many blocks. Returns the blocks of
 * all. */
static uint32_t choose_spans(track_blocks *blocks, uint32_t tracks, uint32_t most)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < tracks; i++) {
        blocks[i].span = 0;
        while (blocks[i].counts[blocks[i].span] > most && blocks[i].span + 1 < SPANS)
            blocks[i].span++;
        all += blocks[i].counts[blocks[i].span];
    }
    return all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
}

bool contents_of_motion(contents *c, const mmd_motion *motion, bool full)
{
    *c = (contents){.is_motion = true, .whole = true};
    key_lister l = {.c = c};
    list_tracks(&l, motion);
    l.blocks = mmd_arena_alloc(&c->arena, l.track, sizeof *l.blocks);
    if (!l.blocks)
        return false;
    list_tracks(&l, motion);
    uint32_t most = UINT32_MAX, all = choose_spans(l.blocks, l.track, most);
    for (most = KEYS_MOST; !full && all > KEYS_MOST && most > 1; most -= most / 8 + 1)
        all = choose_spans(l.blocks, l.track, most);
    l.fills = true;
    return contents_add_table(c, CONTENTS_TRACKS, l.track) && contents_add_table(c, CONTENTS_KEYS, all) &&
           list_tracks(&l, motion);
}
