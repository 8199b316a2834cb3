/*
 * What `odori info` counts in a model: how many there are of every kind of
 * thing that a PMX can hold. Tables of names, and one function that writes any
 * of them; people read only what is there, JSON has every count.
 */
#include "info.h"

#include <string.h>

enum { KINDS_MAX = 16 };

void info_write_kinds(facts *f, const char *key, const char *title, const kind_name *names,
                      const uint32_t *counts, size_t kind_count)
{
    uint32_t sum = 0;
    for (size_t k = 0; k < kind_count; k++)
        sum += counts[k];
    if (!sum && !f->as_json)
        return;
    facts_open(f, key, title);
    for (size_t k = 0; k < kind_count; k++)
        if (counts[k] || f->as_json)
            facts_whole(f, names[k].key, names[k].title, counts[k]);
    facts_close(f);
}

#define WRITE_KINDS(f, key, title, names, counts)                                                            \
    info_write_kinds(f, key, title, names, counts, sizeof(names) / sizeof *(names))

/* What is beyond the names is not counted: a file may say anything. */
static void count_kind(uint32_t counts[KINDS_MAX], uint32_t kind)
{
    if (kind < KINDS_MAX)
        counts[kind]++;
}

/* One count a flag: flag k of the list is in counts[k]. */
static void count_flags(uint32_t counts[KINDS_MAX], const uint16_t *flags, size_t flag_count, uint16_t set)
{
    for (size_t k = 0; k < flag_count; k++)
        counts[k] += (set & flags[k]) != 0;
}

static void write_counts(facts *f, const mmd_model *m)
{
    facts_open(f, "counts", "counts");
    facts_whole(f, "vertices", "vertices", m->vertices.count);
    facts_whole(f, "triangles", "triangles", m->index_count / 3);
    facts_whole(f, "textures", "textures", m->texture_count);
    facts_whole(f, "materials", "materials", m->material_count);
    facts_whole(f, "bones", "bones", m->bone_count);
    facts_whole(f, "morphs", "morphs", m->morph_count);
    facts_whole(f, "display_frames", "display frames", m->frame_count);
    facts_whole(f, "rigid_bodies", "rigid bodies", model_body_count(m));
    facts_whole(f, "joints", "joints", m->physscene ? m->physscene->joint_count : m->joint_count);
    facts_whole(f, "soft_bodies", "soft bodies", m->soft_body_count);
    facts_whole(f, "additional_uvs", "additional UVs", m->vertices.additional_uv_count);
    facts_close(f);
}

static void write_deforms(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {
        {"BDEF1", "BDEF1"}, {"BDEF2", "BDEF2"}, {"BDEF4", "BDEF4"}, {"SDEF", "SDEF"}, {"QDEF", "QDEF"}};
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->vertices.count; i++)
        count_kind(counts, m->vertices.deform[i]);
    WRITE_KINDS(f, "deforms", "vertices by deform", names, counts);
}

static void write_materials(facts *f, const mmd_model *m)
{
    static const uint16_t flags[] = {MMD_MATERIAL_TWO_SIDED,    MMD_MATERIAL_GROUND_SHADOW,
                                     MMD_MATERIAL_CASTS_SHADOW, MMD_MATERIAL_RECEIVES_SHADOW,
                                     MMD_MATERIAL_EDGE,         MMD_MATERIAL_VERTEX_COLOR,
                                     MMD_MATERIAL_POINTS,       MMD_MATERIAL_LINES};
    static const kind_name names[] = {{"two_sided", "two-sided"},
                                      {"ground_shadow", "ground shadow"},
                                      {"casts_shadow", "cast shadow"},
                                      {"receives_shadow", "receive shadow"},
                                      {"edge", "edge"},
                                      {"vertex_color", "vertex colours"},
                                      {"points", "points"},
                                      {"lines", "lines"},
                                      {"textured", "with a texture"},
                                      {"shared_toon", "with a shared toon"},
                                      {"own_toon", "with its own toon"}};
    static const kind_name spheres[] = {
        {"none", "none"}, {"multiply", "multiply"}, {"add", "add"}, {"sub_texture", "sub-texture"}};
    uint32_t counts[KINDS_MAX] = {0}, sphere_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->material_count; i++) {
        const mmd_material *material = &m->materials[i];
        count_flags(counts, flags, 8, material->flags);
        counts[8] += material->texture >= 0;
        counts[9] += material->shared_toon;
        counts[10] += !material->shared_toon && material->toon >= 0;
        count_kind(sphere_counts, material->sphere_mode);
    }
    WRITE_KINDS(f, "material_kinds", "materials by kind", names, counts);
    WRITE_KINDS(f, "sphere_modes", "materials by sphere", spheres, sphere_counts);
}

static void write_bones(facts *f, const mmd_model *m)
{
    static const uint16_t flags[] = {MMD_BONE_IK,
                                     MMD_BONE_APPEND_ROTATION,
                                     MMD_BONE_APPEND_TRANSLATION,
                                     MMD_BONE_APPEND_LOCAL,
                                     MMD_BONE_FIXED_AXIS,
                                     MMD_BONE_LOCAL_AXIS,
                                     MMD_BONE_AFTER_PHYSICS,
                                     MMD_BONE_EXTERNAL_PARENT,
                                     MMD_BONE_TAIL_IS_BONE,
                                     MMD_BONE_ROTATABLE,
                                     MMD_BONE_MOVABLE,
                                     MMD_BONE_VISIBLE,
                                     MMD_BONE_OPERABLE};
    static const kind_name names[] = {
        {"ik", "IK"},
        {"append_rotation", "rotation append"},
        {"append_translation", "translation append"},
        {"append_local", "local append"},
        {"fixed_axis", "fixed axis"},
        {"local_axis", "local axes"},
        {"after_physics", "after physics"},
        {"external_parent", "external parent"},
        {"tail_is_bone", "tail at a bone"},
        {"rotatable", "rotatable"},
        {"movable", "movable"},
        {"visible", "visible"},
        {"operable", "operable"},
        {"internal", "added by odori"},
    };
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->bone_count; i++) {
        count_flags(counts, flags, sizeof flags / sizeof *flags, m->bones[i].flags);
        counts[13] += m->bones[i].internal;
    }
    WRITE_KINDS(f, "bone_kinds", "bones by kind", names, counts);
}

static void write_ik(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {
        {"chains", "chains"}, {"links", "links"}, {"limited_links", "links with limits"}};
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->bone_count; i++) {
        const mmd_bone *bone = &m->bones[i];
        if (!(bone->flags & MMD_BONE_IK))
            continue;
        counts[0]++;
        counts[1] += bone->ik_link_count;
        for (uint32_t k = 0; k < bone->ik_link_count; k++)
            counts[2] += bone->ik_links[k].has_limit;
    }
    WRITE_KINDS(f, "ik", "IK", names, counts);
}

static void write_morphs(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {
        {"group", "group"},
        {"vertex", "vertex"},
        {"bone", "bone"},
        {"uv", "UV"},
        {"additional_uv1", "additional UV 1"},
        {"additional_uv2", "additional UV 2"},
        {"additional_uv3", "additional UV 3"},
        {"additional_uv4", "additional UV 4"},
        {"material", "material"},
        {"flip", "flip"},
        {"impulse", "impulse"},
    };
    static const kind_name panels[] = {
        {"system", "system"}, {"brow", "brows"}, {"eye", "eyes"}, {"mouth", "mouth"}, {"other", "other"}};
    uint32_t counts[KINDS_MAX] = {0}, panel_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->morph_count; i++) {
        count_kind(counts, m->morphs[i].kind);
        count_kind(panel_counts, m->morphs[i].panel);
    }
    WRITE_KINDS(f, "morph_kinds", "morphs by kind", names, counts);
    WRITE_KINDS(f, "morph_panels", "morphs by panel", panels, panel_counts);
}

static void write_display_frames(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {{"special", "special frames"},
                                      {"bone_entries", "bones in them"},
                                      {"morph_entries", "morphs in them"}};
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->frame_count; i++) {
        counts[0] += m->frames[i].special != 0;
        for (uint32_t k = 0; k < m->frames[i].count; k++)
            counts[m->frames[i].items[k].kind == 0 ? 1 : 2]++;
    }
    WRITE_KINDS(f, "display_frame_kinds", "display frames", names, counts);
}

static void write_bodies(facts *f, const mmd_model *m)
{
    static const kind_name modes[] = {{"follows_bone", "follow their bone"},
                                      {"physics", "physics"},
                                      {"physics_with_bone", "physics, at their bone"}};
    static const kind_name shapes[] = {{"sphere", "spheres"}, {"box", "boxes"}, {"capsule", "capsules"}};
    uint32_t mode_counts[KINDS_MAX] = {0}, shape_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->body_count; i++) {
        count_kind(mode_counts, m->bodies[i].mode);
        count_kind(shape_counts, m->bodies[i].shape);
    }
    WRITE_KINDS(f, "body_modes", "rigid bodies by mode", modes, mode_counts);
    WRITE_KINDS(f, "body_shapes", "rigid bodies by shape", shapes, shape_counts);
}

static void write_joints(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {
        {"spring_6dof", "6DOF with springs"}, {"6dof", "6DOF"},     {"point_to_point", "point to point"},
        {"cone_twist", "cone twist"},         {"slider", "slider"}, {"hinge", "hinge"}};
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->joint_count; i++)
        count_kind(counts, m->joints[i].kind);
    WRITE_KINDS(f, "joint_kinds", "joints by kind", names, counts);
}

static void write_soft_bodies(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {
        {"cloth", "cloth"}, {"ropes", "ropes"}, {"anchors", "anchors"}, {"pins", "pinned vertices"}};
    uint32_t counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->soft_body_count; i++) {
        counts[m->soft_bodies[i].shape == 0 ? 0 : 1]++;
        counts[2] += m->soft_bodies[i].anchor_count;
        counts[3] += m->soft_bodies[i].pin_count;
    }
    WRITE_KINDS(f, "soft_body_kinds", "soft bodies", names, counts);
}

/* What the simulation leaves out, and what is in it without doing anything. */
static void write_physics(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {{"bodies", "bodies left out: numbers that are not finite"},
                                      {"joints", "joints left out: of no two bodies, or of such"},
                                      {"sizeless", "bodies of size zero, which touch nothing"},
                                      {"massless", "moving bodies without mass, which no force moves"}};
    uint32_t counts[KINDS_MAX] = {0};
    mmd_physscene scene;
    if (mmd_model_physscene(m, &scene, NULL) != MMD_OK)
        return;
    for (uint32_t i = 0; i < scene.body_count; i++) {
        const mmd_phys_body *body = &scene.bodies[i];
        bool moves = body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
        counts[0] += body->disabled;
        counts[2] += !body->disabled && body->shape_count && !scene.shapes[body->first_shape].solid;
        counts[3] += !body->disabled && moves && body->mass <= 0;
    }
    for (uint32_t i = 0; i < scene.joint_count; i++)
        counts[1] += scene.joints[i].disabled;
    WRITE_KINDS(f, "physics_problems", "physics", names, counts);
    mmd_physscene_destroy(&scene);
}

void info_features(facts *f, const mmd_model *m)
{
    write_counts(f, m);
    write_deforms(f, m);
    write_materials(f, m);
    write_bones(f, m);
    write_ik(f, m);
    write_morphs(f, m);
    write_display_frames(f, m);
    if (!m->physscene) { /* which has bodies and joints of other kinds: info_scene */
        write_bodies(f, m);
        write_joints(f, m);
        write_soft_bodies(f, m);
    }
    write_physics(f, m);
}
