/*
 * Writes the contents of models, of placements of accessories (.vac), and of archives and folders.
 */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/hashes.h"
#include "indices.h"
#include "mmd/image.h"
#include "mmd/text.h"
#include "mmd/view.h"

/*
 * --- Counts by kind ---
 *
 * Tables of names, and one function that writes any of them. Text leaves out kinds without items, JSON has
 * all.
 */

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

/* Counts a kind. Numbers without a name, which broken files can contain, are ignored. */
static void count_kind(uint32_t counts[KINDS_MAX], uint32_t kind)
{
    if (kind < KINDS_MAX)
        counts[kind]++;
}

/* Counts the flags that are set, flag k of the list in counts[k]. */
static void count_flags(uint32_t counts[KINDS_MAX], const uint16_t *flags, size_t flag_count, uint16_t set)
{
    for (size_t k = 0; k < flag_count; k++)
        counts[k] += (set & flags[k]) != 0;
}

/* Writes the number of all items, and of vertices by deform. */
static void write_counts(facts *f, const mmd_model *m)
{
    static const kind_name deforms[] = {
        {"BDEF1", "BDEF1"}, {"BDEF2", "BDEF2"}, {"BDEF4", "BDEF4"}, {"SDEF", "SDEF"}, {"QDEF", "QDEF"}};
    uint32_t counts[KINDS_MAX] = {0};
    facts_open(f, "counts", "counts");
    facts_whole(f, "vertices", "vertices", m->vertices.count);
    facts_whole(f, "triangles", "triangles", m->index_count / 3);
    facts_whole(f, "textures", "textures", m->texture_count);
    facts_whole(f, "materials", "materials", m->material_count);
    facts_whole(f, "bones", "bones", m->bone_count);
    facts_whole(f, "morphs", "morphs", m->morph_count);
    facts_whole(f, "display_frames", "display frames", m->frame_count);
    facts_whole(f, "rigid_bodies", "rigid bodies", mmd_model_body_count(m));
    facts_whole(f, "joints", "joints", m->physscene ? m->physscene->joint_count : m->joint_count);
    facts_whole(f, "soft_bodies", "soft bodies", m->soft_body_count);
    facts_whole(f, "additional_uvs", "additional UVs", m->vertices.additional_uv_count);
    facts_close(f);
    for (uint32_t i = 0; i < m->vertices.count; i++)
        count_kind(counts, m->vertices.deform[i]);
    WRITE_KINDS(f, "deforms", "vertices by deform", deforms, counts);
}

/* Writes materials by flag and sphere mode. */
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

/* Writes bones by flag, and the IK chains. */
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
    static const kind_name ik_names[] = {
        {"chains", "chains"}, {"links", "links"}, {"limited_links", "links with limits"}};
    uint32_t counts[KINDS_MAX] = {0}, ik_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->bone_count; i++) {
        const mmd_bone *bone = &m->bones[i];
        count_flags(counts, flags, sizeof flags / sizeof *flags, bone->flags);
        counts[13] += bone->internal;
        if (!(bone->flags & MMD_BONE_IK))
            continue;
        ik_counts[0]++;
        ik_counts[1] += bone->ik_link_count;
        for (uint32_t k = 0; k < bone->ik_link_count; k++)
            ik_counts[2] += bone->ik_links[k].has_limit;
    }
    WRITE_KINDS(f, "bone_kinds", "bones by kind", names, counts);
    WRITE_KINDS(f, "ik", "IK", ik_names, ik_counts);
}

/* Writes morphs by kind and panel, and the display frames with their entries. */
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
    static const kind_name frames[] = {{"special", "special frames"},
                                       {"bone_entries", "bones in them"},
                                       {"morph_entries", "morphs in them"}};
    uint32_t counts[KINDS_MAX] = {0}, panel_counts[KINDS_MAX] = {0}, frame_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->morph_count; i++) {
        count_kind(counts, m->morphs[i].kind);
        count_kind(panel_counts, m->morphs[i].panel);
    }
    for (uint32_t i = 0; i < m->frame_count; i++) {
        frame_counts[0] += m->frames[i].special != 0;
        for (uint32_t k = 0; k < m->frames[i].count; k++)
            frame_counts[m->frames[i].items[k].kind == 0 ? 1 : 2]++;
    }
    WRITE_KINDS(f, "morph_kinds", "morphs by kind", names, counts);
    WRITE_KINDS(f, "morph_panels", "morphs by panel", panels, panel_counts);
    WRITE_KINDS(f, "display_frame_kinds", "display frames", frames, frame_counts);
}

/* Writes rigid bodies, joints and soft bodies by kind. */
static void write_bodies(facts *f, const mmd_model *m)
{
    static const kind_name modes[] = {{"follows_bone", "follow their bone"},
                                      {"physics", "physics"},
                                      {"physics_with_bone", "physics, position of their bone"}};
    static const kind_name shapes[] = {{"sphere", "spheres"}, {"box", "boxes"}, {"capsule", "capsules"}};
    static const kind_name joints[] = {
        {"spring_6dof", "6DOF with springs"}, {"6dof", "6DOF"},     {"point_to_point", "point to point"},
        {"cone_twist", "cone twist"},         {"slider", "slider"}, {"hinge", "hinge"}};
    static const kind_name soft[] = {
        {"cloth", "cloth"}, {"ropes", "ropes"}, {"anchors", "anchors"}, {"pins", "pinned vertices"}};
    uint32_t mode_counts[KINDS_MAX] = {0}, shape_counts[KINDS_MAX] = {0};
    uint32_t joint_counts[KINDS_MAX] = {0}, soft_counts[KINDS_MAX] = {0};
    for (uint32_t i = 0; i < m->body_count; i++) {
        count_kind(mode_counts, m->bodies[i].mode);
        count_kind(shape_counts, m->bodies[i].shape);
    }
    for (uint32_t i = 0; i < m->joint_count; i++)
        count_kind(joint_counts, m->joints[i].kind);
    for (uint32_t i = 0; i < m->soft_body_count; i++) {
        soft_counts[m->soft_bodies[i].shape == 0 ? 0 : 1]++;
        soft_counts[2] += m->soft_bodies[i].anchor_count;
        soft_counts[3] += m->soft_bodies[i].pin_count;
    }
    WRITE_KINDS(f, "body_modes", "rigid bodies by mode", modes, mode_counts);
    WRITE_KINDS(f, "body_shapes", "rigid bodies by shape", shapes, shape_counts);
    WRITE_KINDS(f, "joint_kinds", "joints by kind", joints, joint_counts);
    WRITE_KINDS(f, "soft_body_kinds", "soft bodies", soft, soft_counts);
}

/* Writes the bodies and joints that are not simulated or have no effect. */
static void write_physics(facts *f, const mmd_model *m)
{
    static const kind_name names[] = {{"bodies", "bodies not simulated, with numbers that are not finite"},
                                      {"joints", "joints not simulated, without two simulated bodies"},
                                      {"sizeless", "bodies of size 0, which collide with nothing"},
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

/* --- Names of bones and morphs, and problems with them in VMD files --- */

/* Returns the name of a bone or a morph. */
static const char *name_at(const mmd_model *m, bool morphs, uint32_t i)
{
    return morphs ? m->morphs[i].name : m->bones[i].name;
}

/* Lists the names of the given bones or morphs. */
static void write_names(facts *f, const char *key, const char *title, const mmd_model *m, bool morphs,
                        const indices *list)
{
    facts_list_open(f, key, title, list->count);
    for (size_t i = 0; i < list->count; i++)
        facts_item_text(f, name_at(m, morphs, list->items[i]));
    facts_list_close(f);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists names that a VMD truncates, names that it cannot encode, and names that are used more than once. */
static void write_name_problems(facts *f, const mmd_model *m, bool morphs)
{
    uint32_t count = morphs ? m->morph_count : m->bone_count, found = 0;
    indices cut = {0}, lossy = {0};
    const char **names = mmd_alloc(count * sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t key[MMD_NAME_KEY_SIZE];
        bool is_lossy, is_cut;
        mmd_name_key_from_utf8(name_at(m, morphs, i), key, &is_lossy, &is_cut);
        if (is_cut)
            indices_add(&cut, i);
        if (is_lossy)
            indices_add(&lossy, i);
    }
    write_names(f, "cut_names", "names over 15 bytes", m, morphs, &cut);
    write_names(f, "unencodable_names", "names not in CP932", m, morphs, &lossy);
    indices_finish(&cut);
    indices_finish(&lossy);
    if (!names)
        return;
    for (uint32_t i = 0; i < count; i++)
        names[i] = name_at(m, morphs, i);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(names[i], names[i - 1]) == 0 && (found == 0 || strcmp(names[found - 1], names[i]) != 0))
            names[found++] = names[i];
    facts_list_open(f, "duplicate_names", "names used twice", found);
    for (uint32_t i = 0; i < found; i++)
        facts_item_text(f, names[i]);
    facts_list_close(f);
    mmd_free(names);
}

/* --- Textures and references --- */

/* A picture with a header. */
typedef struct picture {
    digest content;
    uint32_t texture;
    mmd_image_info info;
} picture;

static int compare_contents(const void *a, const void *b)
{
    const picture *x = a, *y = b;
    int contents = strcmp(x->content.text, y->content.text);
    return contents ? contents : x->texture < y->texture ? -1 : x->texture > y->texture;
}

/* Reads the headers of all files. Those with equal bytes become the same file. Returns their number. */
static uint32_t read_headers(mmd_texture_files *files, const mmd_texture_location *location,
                             picture *pictures)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        uint32_t texture = files->order[i];
        const char *path = files->items[texture].path;
        mmd_bytes bytes = {0};
        if (path && files->items[texture].first == texture &&
            mmd_source_read(location->source, path, &bytes, NULL) == MMD_OK &&
            mmd_image_read_info(bytes.data, bytes.size, path, &pictures[count].info, NULL) == MMD_OK) {
            pictures[count].content = digest_of(bytes.data, bytes.size);
            pictures[count++].texture = texture;
        }
        mmd_bytes_finish(&bytes);
    }
    if (count)
        qsort(pictures, count, sizeof *pictures, compare_contents);
    for (uint32_t i = 1; i < count; i++)
        if (digest_equal(&pictures[i].content, &pictures[i - 1].content))
            files->items[pictures[i].texture].first = files->items[pictures[i - 1].texture].first;
    for (uint32_t i = 0; i < files->count; i++)
        files->items[i].first = files->items[files->items[i].first].first;
    return count;
}

/* Sets why a texture is not a picture, or not decoded. Returns false if out of memory. */
static bool set_why(mmd_texture_files *files, uint32_t texture, const mmd_error *error)
{
    mmd_texture_file *file = &files->items[texture];
    file->why = mmd_arena_text(&files->arena, error->message, strlen(error->message));
    file->is_refused = error->code == MMD_ERROR_REFUSED;
    file->is_too_large = error->code == MMD_ERROR_LIMIT;
    return file->why != NULL;
}

/* Sets which pictures are not opened in a scene of this model alone. Returns false if out of memory. */
static bool leave_out_largest(mmd_texture_files *files, const mmd_texture_location *location)
{
    mmd_texture_memory memory = mmd_texture_memory_of((uint64_t)MMD_TEXTURE_MEMORY_MIB << 20);
    picture *pictures = mmd_alloc(files->count * sizeof *pictures);
    uint32_t count = pictures ? read_headers(files, location, pictures) : 0;
    bool ok = pictures != NULL;
    for (uint32_t i = 0; i < count; i++)
        if (files->items[pictures[i].texture].first == pictures[i].texture)
            mmd_texture_memory_add(&memory, &pictures[i].info);
    for (uint32_t i = 0; ok && i < count; i++) {
        mmd_error error = {0};
        if (mmd_texture_memory_check(&memory, &pictures[i].info, &error) != MMD_OK)
            ok = set_why(files, pictures[i].texture, &error);
    }
    mmd_free(pictures);
    return ok;
}

/* Decodes the textures that have a file, each once, unless that takes too long. Sets `why` of those that are
 * not pictures, or not decoded. Returns false if out of memory. */
static bool decode_textures(mmd_texture_files *files, const mmd_texture_location *location)
{
    bool ok = leave_out_largest(files, location);
    for (uint32_t i = 0; ok && i < files->count; i++) {
        const mmd_texture_file *file = &files->items[files->order[i]];
        mmd_error error = {0};
        if (file->path && !file->why && file->first == files->order[i] &&
            !mmd_textures_decode(location, file->path, &error))
            ok = set_why(files, files->order[i], &error);
    }
    for (uint32_t i = 0; i < files->count; i++) {
        mmd_texture_file *file = &files->items[i];
        const mmd_texture_file *first = &files->items[file->first];
        if (file->path) {
            file->why = first->why;
            file->is_refused = first->is_refused;
            file->is_too_large = first->is_too_large;
        }
    }
    return ok;
}

typedef enum texture_state {
    TEXTURE_FOUND,
    TEXTURE_MISSING,
    TEXTURE_REFUSED,
    TEXTURE_TOO_LARGE,
    TEXTURE_UNREADABLE
} texture_state;

static texture_state state_of(const mmd_texture_file *file)
{
    return !file->why           ? TEXTURE_FOUND
           : file->is_refused   ? TEXTURE_REFUSED
           : file->is_missing   ? TEXTURE_MISSING
           : file->is_too_large ? TEXTURE_TOO_LARGE
                                : TEXTURE_UNREADABLE;
}

/* Lists the textures of a state, with the reasons unless they are missing. */
static void list_textures(facts *f, const mmd_model *m, const mmd_texture_files *files, texture_state state,
                          const char *key, const char *title)
{
    size_t count = 0;
    for (uint32_t i = 0; i < files->count; i++)
        count += state_of(&files->items[i]) == state;
    facts_list_open(f, key, title, count);
    for (uint32_t i = 0; i < files->count; i++) {
        if (state_of(&files->items[i]) != state)
            continue;
        if (state == TEXTURE_MISSING)
            facts_item_text(f, m->textures[i]);
        else
            facts_item(f, "%.500s: %s", m->textures[i], files->items[i].why);
    }
    facts_list_close(f);
}

/* Lists textures that are missing, refused or cannot be read. */
static void write_textures(facts *f, const mmd_model *m, const mmd_texture_location *location)
{
    mmd_texture_files files;
    size_t found = 0;
    if (mmd_texture_files_find(&files, m, location) && decode_textures(&files, location)) {
        for (uint32_t i = 0; i < files.count; i++) {
            texture_state state = state_of(&files.items[i]);
            found += state == TEXTURE_FOUND || state == TEXTURE_TOO_LARGE || state == TEXTURE_UNREADABLE;
        }
        facts_open(f, "textures", "textures");
        facts_whole(f, "found", "found", (int64_t)found);
        list_textures(f, m, &files, TEXTURE_MISSING, "missing", "missing");
        list_textures(f, m, &files, TEXTURE_REFUSED, "refused", "refused");
        list_textures(f, m, &files, TEXTURE_TOO_LARGE, "too_large", "too large to decode");
        list_textures(f, m, &files, TEXTURE_UNREADABLE, "unreadable", "not pictures");
        facts_close(f);
    }
    mmd_texture_files_finish(&files);
}

/* Lists references to items that do not exist. */
static void write_broken(facts *f, const mmd_model *m)
{
    facts_whole(f, "broken_reference_count", "broken references", m->broken_reference_count);
    facts_list_open(f, "broken_references", "first broken references", m->broken_reference_listed);
    for (size_t i = 0; i < m->broken_reference_listed; i++) {
        const mmd_broken_reference *r = &m->broken_references[i];
        facts_item(f, "%s %u: %s %lld", r->section, r->item, r->field, (long long)r->value);
    }
    facts_list_close(f);
}

/* --- Models --- */

void info_model(facts *f, const mmd_model *m, const mmd_texture_location *location)
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
    write_counts(f, m);
    write_materials(f, m);
    write_bones(f, m);
    write_morphs(f, m);
    if (!m->physscene) /* otherwise info_scene writes bodies and joints */
        write_bodies(f, m);
    write_physics(f, m);
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
    write_textures(f, m, location);
    write_broken(f, m);
}

/* --- Placements of accessories (.vac) --- */

#define DEGREES (180.0 / 3.14159265358979323846)

/* Writes three values, each multiplied by a factor. */
static void write_triple(facts *f, const char *key, const char *title, const float values[3], double factor)
{
    static const char *const axes[] = {"x", "y", "z"};
    facts_open(f, key, title);
    for (int k = 0; k < 3; k++)
        facts_real(f, axes[k], axes[k], (double)values[k] * factor);
    facts_close(f);
}

void info_vac(facts *f, const mmd_vac *vac, const mmd_texture_location *location)
{
    char path[MMD_PATH_MAX];
    facts_text(f, "kind", "kind", "VAC");
    facts_text(f, "name", "name", vac->name);
    facts_text(f, "accessory", "accessory", vac->file);
    mmd_error error = {0};
    mmd_status status = mmd_textures_find(location, vac->file, path, &error);
    facts_bool(f, "accessory_found", "found", status == MMD_OK);
    if (status == MMD_ERROR_REFUSED)
        facts_text(f, "accessory_refused", "refused", error.message);
    facts_text(f, "bone", "bone", vac->bone);
    facts_real(f, "scale", "scale", (double)vac->scale);
    write_triple(f, "position", "position", vac->position, 1);
    write_triple(f, "rotation_degrees", "rotation, degrees", vac->rotation, DEGREES);
}

/* --- Archives and folders --- */

/* Writes a size with its unit: "512 bytes", "87 kB", "12 MB". */
static void describe_size(uint64_t size, char *text, size_t capacity)
{
    if (size < 10000)
        snprintf(text, capacity, "%u bytes", (unsigned)size);
    else if (size < 10000000)
        snprintf(text, capacity, "%.0f kB", (double)size / 1e3);
    else
        snprintf(text, capacity, "%.0f MB", (double)size / 1e6);
}

void info_container(facts *f, const mmd_locate_contents *contents)
{
    uint64_t total = 0;
    char size[32];
    for (size_t i = 0; i < contents->count; i++)
        total += contents->files[i].size;
    facts_text(f, "kind", "kind", contents->is_archive ? "archive" : "folder");
    if (f->as_json) {
        emitter *j = &f->json;
        emit_member_whole(j, "size", (int64_t)total);
        emit_key(j, "contents");
        emit_open(j, '[');
        for (size_t i = 0; i < contents->count; i++) {
            emit_open(j, '{');
            emit_member_text(j, "name", contents->files[i].name);
            emit_member_whole(j, "size", (int64_t)contents->files[i].size);
            if (contents->files[i].encrypted)
                emit_member_bool(j, "encrypted", true);
            emit_close(j, '}');
        }
        emit_close(j, ']');
    } else {
        describe_size(total, size, sizeof size);
        facts_text(f, "size", "unpacked size", size);
        facts_list_open(f, "contents", "files", contents->count);
        for (size_t i = 0; i < contents->count; i++) {
            describe_size(contents->files[i].size, size, sizeof size);
            facts_item(f, "%.900s (%s%s)", contents->files[i].name, size,
                       contents->files[i].encrypted ? ", encrypted" : "");
        }
        facts_list_close(f);
    }
    if (contents->left_out)
        facts_whole(f, "left_out", "entries with invalid names", (int64_t)contents->left_out);
}
