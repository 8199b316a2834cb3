/* What `odori info` says of a model. */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indices.h"
#include "mmd/text.h"

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

typedef struct texture_report {
    const mmd_model *model;
    const texture_place *place;
    indices missing, unreadable;
} texture_report;

static const char *missing_texture(const void *user, size_t index, char *buffer, size_t capacity)
{
    const texture_report *r = user;
    (void)buffer, (void)capacity;
    return r->model->textures[r->missing.items[index]];
}

/* The name, and why it cannot be read. */
static const char *unreadable_texture(const void *user, size_t index, char *buffer, size_t capacity)
{
    const texture_report *r = user;
    const char *name = r->model->textures[r->unreadable.items[index]];
    char path[MMD_PATH_MAX];
    mmd_error error = {0};
    bool found = textures_find(r->place, name, path);
    if (found)
        textures_decode(r->place, path, &error);
    snprintf(buffer, capacity, "%.500s: %s", name, error.message);
    return buffer;
}

static void write_textures(facts *f, const mmd_model *m, const texture_place *place)
{
    texture_report r = {.model = m, .place = place};
    for (uint32_t i = 0; i < m->texture_count; i++) {
        char path[MMD_PATH_MAX];
        if (!textures_find(place, m->textures[i], path))
            indices_add(&r.missing, i);
        else if (!textures_decode(place, path, NULL))
            indices_add(&r.unreadable, i);
    }
    facts_open(f, "textures", "textures");
    facts_whole(f, "found", "found", (int64_t)(m->texture_count - r.missing.count));
    facts_write_list(f, &(facts_list){"missing", "missing", r.missing.count, missing_texture, &r});
    facts_write_list(f,
                     &(facts_list){"unreadable", "not pictures", r.unreadable.count, unreadable_texture, &r});
    facts_close(f);
    indices_finish(&r.missing);
    indices_finish(&r.unreadable);
}

static const char *broken_reference(const void *user, size_t index, char *buffer, size_t capacity)
{
    const mmd_broken_reference *r = &((const mmd_model *)user)->broken_references[index];
    snprintf(buffer, capacity, "%s %u: %s %lld", r->section, r->item, r->field, (long long)r->value);
    return buffer;
}

static void write_broken(facts *f, const mmd_model *m)
{
    facts_whole(f, "broken_reference_count", "broken references", m->broken_reference_count);
    facts_write_list(f, &(facts_list){"broken_references", "the first of them", m->broken_reference_kept,
                                      broken_reference, m});
}

void info_model(facts *f, const mmd_model *m, const texture_place *place)
{
    static const char *const kinds[] = {"PMX", "PMX", "PMD", "X", "glTF", "Ragdoll"}; /* by origin */
    bool is_pmx = m->origin == MMD_ORIGIN_PMX;
    facts_text(f, "kind", "kind", kinds[m->origin]);
    facts_real(f, "version", "version", (double)m->version);
    facts_text(f, "encoding", "encoding",
               is_pmx && !m->layout.encoding    ? "UTF-16"
               : is_pmx || m->physscene != NULL ? "UTF-8"
                                                : "CP932");
    facts_text(f, "name", "name", m->name);
    facts_text(f, "name_en", "English name", m->name_en);
    facts_text(f, "comment", "comment", m->comment);
    info_features(f, m);
    if (m->physscene)
        info_scene(f, m->physscene, m);
    else
        info_physics(f, m);
    facts_open(f, "bone_names", "bone names");
    write_name_problems(f, m, false);
    facts_close(f);
    facts_open(f, "morph_names", "morph names");
    write_name_problems(f, m, true);
    facts_close(f);
    write_textures(f, m, place);
    write_broken(f, m);
}
