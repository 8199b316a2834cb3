/* What `odori info` says of a model. */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indices.h"
#include "mmd/text.h"

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
    facts_whole(f, "rigid_bodies", "rigid bodies", m->body_count);
    facts_whole(f, "joints", "joints", m->joint_count);
    facts_whole(f, "soft_bodies", "soft bodies", m->soft_body_count);
    facts_whole(f, "additional_uvs", "additional UVs", m->vertices.additional_uv_count);
    facts_close(f);
}

static void write_deforms(facts *f, const mmd_model *m)
{
    static const char *const names[] = {"BDEF1", "BDEF2", "BDEF4", "SDEF", "QDEF"};
    uint32_t counts[5] = {0};
    for (uint32_t i = 0; i < m->vertices.count; i++)
        counts[m->vertices.deform[i]]++;
    facts_open(f, "deforms", "vertices by deform");
    for (int i = 0; i < 5; i++)
        if (counts[i] || f->as_json)
            facts_whole(f, names[i], names[i], counts[i]);
    facts_close(f);
}

static void write_bone_kinds(facts *f, const mmd_model *m)
{
    static const struct {
        uint16_t flag;
        const char *key, *title;
    } kinds[] = {
        {MMD_BONE_IK, "ik", "IK"},
        {MMD_BONE_APPEND_ROTATION, "append_rotation", "rotation append"},
        {MMD_BONE_APPEND_TRANSLATION, "append_translation", "translation append"},
        {MMD_BONE_APPEND_LOCAL, "append_local", "local append"},
        {MMD_BONE_FIXED_AXIS, "fixed_axis", "fixed axis"},
        {MMD_BONE_LOCAL_AXIS, "local_axis", "local axes"},
        {MMD_BONE_AFTER_PHYSICS, "after_physics", "after physics"},
        {MMD_BONE_EXTERNAL_PARENT, "external_parent", "external parent"},
    };
    facts_open(f, "bone_kinds", "bones by kind");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < m->bone_count; i++)
            count += (m->bones[i].flags & kinds[k].flag) != 0;
        if (count || f->as_json)
            facts_whole(f, kinds[k].key, kinds[k].title, count);
    }
    uint32_t internal = 0;
    for (uint32_t i = 0; i < m->bone_count; i++)
        internal += m->bones[i].internal;
    if (internal || f->as_json)
        facts_whole(f, "internal", "added by odori", internal);
    facts_close(f);
}

static void write_morph_kinds(facts *f, const mmd_model *m)
{
    static const char *const names[] = {
        "group",          "vertex",         "bone",     "uv",   "additional_uv1", "additional_uv2",
        "additional_uv3", "additional_uv4", "material", "flip", "impulse"};
    uint32_t counts[11] = {0};
    for (uint32_t i = 0; i < m->morph_count; i++)
        counts[m->morphs[i].kind]++;
    facts_open(f, "morph_kinds", "morphs by kind");
    for (int i = 0; i < 11; i++)
        if (counts[i] || f->as_json)
            facts_whole(f, names[i], names[i], counts[i]);
    facts_close(f);
}

/* Names of bones and morphs and what VMD does to them. */

typedef struct name_table {
    const mmd_model *model;
    bool morphs;
} name_table;

static uint32_t name_count(const name_table *t)
{
    return t->morphs ? t->model->morph_count : t->model->bone_count;
}

static const char *name_at(const name_table *t, uint32_t i)
{
    return t->morphs ? t->model->morphs[i].name : t->model->bones[i].name;
}

typedef struct indexed_names {
    const name_table *table;
    const indices *list;
} indexed_names;

static const char *indexed_name(const void *user, size_t index, char *buffer, size_t capacity)
{
    const indexed_names *names = user;
    (void)buffer, (void)capacity;
    return name_at(names->table, names->list->items[index]);
}

static void write_names(facts *f, const char *key, const char *title, const name_table *table, indices *list)
{
    indexed_names names = {table, list};
    facts_write_list(f, &(facts_list){key, title, list->count, indexed_name, &names});
    indices_finish(list);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *listed_name(const void *user, size_t index, char *buffer, size_t capacity)
{
    (void)buffer, (void)capacity;
    return ((const char *const *)user)[index];
}

/* Each name that more than one has, once. */
static void write_duplicates(facts *f, const char *key, const char *title, const name_table *table)
{
    uint32_t count = name_count(table), found = 0;
    const char **names = mmd_alloc(count * sizeof *names);
    if (!names)
        return;
    for (uint32_t i = 0; i < count; i++)
        names[i] = name_at(table, i);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(names[i], names[i - 1]) == 0 && (found == 0 || strcmp(names[found - 1], names[i]) != 0))
            names[found++] = names[i];
    facts_write_list(f, &(facts_list){key, title, found, listed_name, names});
    mmd_free(names);
}

static void write_name_problems(facts *f, const mmd_model *m, bool morphs)
{
    name_table table = {m, morphs};
    indices cut = {0}, lossy = {0};
    for (uint32_t i = 0; i < name_count(&table); i++) {
        uint8_t key[MMD_NAME_KEY_SIZE];
        bool is_lossy, is_cut;
        mmd_name_key_from_utf8(name_at(&table, i), key, &is_lossy, &is_cut);
        if (is_cut)
            indices_add(&cut, i);
        if (is_lossy)
            indices_add(&lossy, i);
    }
    write_names(f, "cut_names", "names over 15 bytes", &table, &cut);
    write_names(f, "unencodable_names", "names not in CP932", &table, &lossy);
    write_duplicates(f, "duplicate_names", "names used twice", &table);
}

/* Textures. */

static const char *texture_name(const void *user, size_t index, char *buffer, size_t capacity)
{
    const mmd_model *m = ((const indexed_names *)user)->table->model;
    (void)buffer, (void)capacity;
    return m->textures[((const indexed_names *)user)->list->items[index]];
}

static void write_textures(facts *f, const mmd_model *m, const texture_place *place)
{
    name_table table = {m, false};
    indices missing = {0};
    indexed_names names = {&table, &missing};
    for (uint32_t i = 0; i < m->texture_count; i++) {
        char path[MMD_PATH_MAX];
        if (!textures_find(place, m->textures[i], path))
            indices_add(&missing, i);
    }
    facts_open(f, "textures", "textures");
    facts_whole(f, "found", "found", (int64_t)(m->texture_count - missing.count));
    facts_write_list(f, &(facts_list){"missing", "missing", missing.count, texture_name, &names});
    facts_close(f);
    indices_finish(&missing);
}

static const char *broken_reference(const void *user, size_t index, char *buffer, size_t capacity)
{
    const mmd_broken_reference *r = &((const mmd_model *)user)->broken_references[index];
    snprintf(buffer, capacity, "%s %u: %s %lld", r->section, r->item, r->field, (long long)r->value);
    return buffer;
}

static void write_broken(facts *f, const mmd_model *m)
{
    if (f->as_json || m->broken_reference_count)
        facts_whole(f, "broken_reference_count", "broken references", m->broken_reference_count);
    facts_write_list(f, &(facts_list){"broken_references", "the first of them", m->broken_reference_kept,
                                      broken_reference, m});
}

void info_model(facts *f, const mmd_model *m, const texture_place *place)
{
    facts_text(f, "kind", "kind", m->origin == MMD_ORIGIN_PMD ? "PMD" : "PMX");
    facts_real(f, "version", "version", (double)m->version);
    if (m->origin == MMD_ORIGIN_PMX)
        facts_text(f, "encoding", "encoding", m->layout.encoding ? "UTF-8" : "UTF-16");
    else
        facts_text(f, "encoding", "encoding", "CP932");
    facts_text(f, "name", "name", m->name);
    facts_text(f, "name_en", "English name", m->name_en);
    facts_text(f, "comment", "comment", m->comment);
    write_counts(f, m);
    write_deforms(f, m);
    write_bone_kinds(f, m);
    write_morph_kinds(f, m);
    facts_open(f, "bone_names", "bone names");
    write_name_problems(f, m, false);
    facts_close(f);
    facts_open(f, "morph_names", "morph names");
    write_name_problems(f, m, true);
    facts_close(f);
    write_textures(f, m, place);
    write_broken(f, m);
}
