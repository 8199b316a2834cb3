/*
 * Prepares a model for PMX programs: non-empty, unique names of bones and morphs, tails to draw bones, and
 * display frames, without which MMD shows neither bones nor morphs. Everything else stays as its reader made
 * it.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "mmd/elementary.h"
#include "mmd/image.h"
#include "mmd/memory.h"
#include "write.h"

/* ----------------------------------------------------------------- names */

typedef struct named {
    const char *name;
    uint32_t number;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Returns whether a sorted list has a name. */
static bool is_taken(const named *sorted, uint32_t count, const char *name)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(sorted[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Numbers all but the first of equal names. */
static void make_unique(pmx_target *target, named *sorted, uint32_t count, const char **names)
{
    unsigned next = 2;
    for (uint32_t i = 1; i < count && !target->failed; i++) {
        char text[512];
        bool same = strcmp(sorted[i].name, sorted[i - 1].name) == 0;
        next = same ? next : 2;
        if (!same)
            continue;
        do {
            snprintf(text, sizeof text, "%.480s %u", sorted[i].name, next++);
        } while (is_taken(sorted, count, text));
        names[sorted[i].number] = target_text(target, text);
    }
}

/* Makes names unique. */
static void make_names_unique(pmx_target *target, const char **names, uint32_t count)
{
    named *sorted = target_alloc(target, count, sizeof *sorted);
    for (uint32_t i = 0; sorted && i < count; i++)
        sorted[i] = (named){names[i], i};
    if (!sorted || count == 0)
        return;
    qsort(sorted, count, sizeof *sorted, compare_named);
    make_unique(target, sorted, count, names);
}

int32_t target_find_bone(pmx_target *target, const char *name)
{
    assert(target);
    const mmd_model *model = &target->model;
    if (!target->bones_by_name) {
        named *sorted = target_alloc(target, model->bone_count, sizeof *sorted);
        uint32_t *order = target_alloc(target, model->bone_count, sizeof *order);
        if (target->failed)
            return -1;
        for (uint32_t i = 0; i < model->bone_count; i++)
            sorted[i] = (named){model->bones[i].name, i};
        if (model->bone_count)
            qsort(sorted, model->bone_count, sizeof *sorted, compare_named);
        for (uint32_t i = 0; i < model->bone_count; i++)
            order[i] = sorted[i].number;
        target->bones_by_name = order;
    }
    uint32_t low = 0, high = model->bone_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(model->bones[target->bones_by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < model->bone_count && strcmp(model->bones[target->bones_by_name[low]].name, name) == 0;
    return found ? (int32_t)target->bones_by_name[low] : -1;
}

/* ----------------------------------------------------------------- bones */

static bool same_position(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Sets the tail of each parent to its first child. */
static void point_to_children(mmd_model *model)
{
    for (uint32_t i = model->bone_count; i-- > 0;) {
        int32_t number = model->bones[i].parent;
        mmd_bone *parent = number < 0 ? NULL : &model->bones[number];
        if (!parent || same_position(parent->position, model->bones[i].position))
            continue;
        parent->flags |= MMD_BONE_TAIL_IS_BONE;
        parent->tail_bone = (int32_t)i;
    }
}

static void write_bones(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_bone *bones = target_alloc(target, model->bone_count, sizeof *bones);
    const char **names = target_alloc(target, model->bone_count, sizeof *names);
    if (target->failed)
        return;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        bones[i] = model->bones[i];
        names[i] = target_name(target, bones[i].name, "node", i);
    }
    model->bones = bones;
    make_names_unique(target, names, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i].name = names[i];
    if (model->origin == MMD_ORIGIN_GLTF)
        point_to_children(model);
}

static void write_morphs(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_morph *morphs = target_alloc(target, model->morph_count, sizeof *morphs);
    const char **names = target_alloc(target, model->morph_count, sizeof *names);
    if (target->failed)
        return;
    for (uint32_t i = 0; i < model->morph_count; i++) {
        morphs[i] = model->morphs[i];
        names[i] = target_name(target, morphs[i].name, "morph", i);
    }
    model->morphs = morphs;
    make_names_unique(target, names, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count; i++)
        morphs[i].name = names[i];
}

static void write_materials(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_material *materials = target_alloc(target, model->material_count, sizeof *materials);
    for (uint32_t i = 0; materials && i < model->material_count; i++) {
        materials[i] = model->materials[i];
        materials[i].name = target_name(target, materials[i].name, "material", i);
    }
    if (materials)
        model->materials = materials;
}

/* ---------------------------------------------------------------- frames */

/* Returns the items of a display frame. */
static const mmd_frame_item *items_of(pmx_target *target, uint8_t kind, uint32_t first, uint32_t count)
{
    mmd_frame_item *items = target_alloc(target, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++)
        items[i] = (mmd_frame_item){.kind = kind, .index = (int32_t)(first + i)};
    return items;
}

/* Makes display frames: the two special ones, and one with all bones but the first. */
static void write_frames(pmx_target *target)
{
    mmd_model *model = &target->model;
    uint32_t bones = model->bone_count;
    if (model->frame_count)
        return;
    mmd_display_frame *frames = target_alloc(target, 3, sizeof *frames);
    if (!frames)
        return;
    frames[0] = (mmd_display_frame){"Root", "Root", 1, bones > 0, items_of(target, 0, 0, bones > 0)};
    frames[1] =
        (mmd_display_frame){"表情", "Exp", 1, model->morph_count, items_of(target, 1, 0, model->morph_count)};
    if (bones > 1)
        frames[2] = (mmd_display_frame){"ボーン", "Bones", 0, bones - 1, items_of(target, 0, 1, bones - 1)};
    model->frames = frames;
    model->frame_count = bones > 1 ? 3 : 2;
}

/* ------------------------------------------------------------------- all */

/* Returns the file's name without extension. */
static const char *stem_of(pmx_target *target)
{
    const mmd_exchange_options *options = target->job->options;
    const char *name = options && options->name && options->name[0] ? options->name : "model.pmx";
    char text[256];
    const char *end = strrchr(name, '.');
    int length = end && end > name ? (int)(end - name) : (int)strlen(name);
    snprintf(text, sizeof text, "%.*s", length, name);
    return target_text(target, text);
}

void target_write_model(pmx_target *target)
{
    assert(target);
    mmd_model *model = &target->model;
    const char *stem = stem_of(target);
    if (target->job->model)
        *model = *target->job->model;
    else
        *model = (mmd_model){.name = "", .name_en = "", .comment = "", .comment_en = ""};
    if (!model->name[0])
        model->name = stem;
    model->physscene = NULL;
    model->body_count = model->joint_count = 0;
    if (target->job->source != MMD_EXCHANGE_PMX)
        model->layout = (mmd_pmx_layout){.encoding = 0};
    write_bones(target);
    write_morphs(target);
    write_materials(target);
    write_frames(target);
}

/* ----------------------------------------------------------------- pictures */

/*
 * Pictures of a model: PNGs are copied, others converted to PNG, into the folder textures under portable
 * names. In an extended PMX they keep the PMX's names, whatever the extension, because programs detect a
 * picture's format. Names that lead out of the folder are not written.
 */

static void picture_loss(pmx_target *target, uint32_t texture, const char *name, const char *why)
{
    target_loss(target, MMD_LOSS_DROPPED, "ref.dangling", "texture", texture, name, "uri", "a picture", why);
}

/* Returns the source of the input's pictures. */
static mmd_source *source_of(const pmx_target *target, const char **folder)
{
    const mmd_exchange_input *input = target->job->input;
    *folder = "";
    if (!input)
        return NULL;
    if (input->document)
        return input->document->textures;
    *folder = input->folder ? input->folder : "";
    return input->textures;
}

/*
 * Returns whether all materials with a texture cut off its alpha (glTF's OPAQUE and MASK), and the highest
 * cutoff. MMD's materials always blend, so the alpha must be cut in the picture. False: a material blends.
 */
static bool is_cut(const mmd_model *model, uint32_t texture, float *cutoff)
{
    bool cut = false;
    *cutoff = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        const mmd_material *material = &model->materials[i];
        if (material->texture != (int32_t)texture)
            continue;
        if (!material->cuts_alpha)
            return false;
        *cutoff = mmd_maxf(*cutoff, material->alpha_cutoff);
        cut = true;
    }
    return cut;
}

/* Makes each pixel opaque or transparent. */
static void cut_alpha(mmd_image *image, float cutoff)
{
    size_t count = (size_t)image->width * image->height;
    image->has_alpha = false;
    for (size_t i = 0; i < count; i++) {
        bool there = (float)image->pixels[4 * i + 3] >= 255 * cutoff;
        image->pixels[4 * i + 3] = there ? 255 : 0;
        image->has_alpha = image->has_alpha || !there;
    }
}

/* Encodes a picture as PNG. A PNG that any program reads is copied, unless its alpha has to be cut. Returns
 * false if it is no picture, or too large to decode. */
static bool encode(const mmd_bytes *bytes, const char *name, bool cut, float cutoff, mmd_buffer *out)
{
    enum { SMALLEST = 14 }; /* halvings to one pixel: only whether it can be read matters */
    mmd_image image = {0};
    bool is_sound =
        mmd_png_decode_strictly(bytes->data, bytes->size, name, cut ? 0 : SMALLEST, &image, NULL) == MMD_OK;
    bool done = is_sound || mmd_image_decode(bytes->data, bytes->size, name, &image, NULL) == MMD_OK;
    if (is_sound && !(cut && image.has_alpha)) {
        mmd_write_bytes(out, bytes->data, bytes->size);
    } else if (done) {
        if (cut)
            cut_alpha(&image, cutoff);
        mmd_png_options options = {.alpha = image.has_alpha, .level = MMD_PNG_FAST};
        done = mmd_png_write(&image, &options, out, NULL) == MMD_OK;
    }
    mmd_image_finish(&image);
    return done && !out->failed;
}

/* Reads a picture as PNG. Returns false when that fails; why receives the reason. */
static bool read_picture(const pmx_target *target, uint32_t texture, const char *name, mmd_buffer *out,
                         char why[MMD_ERROR_MESSAGE_MAX])
{
    const char *folder;
    char path[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_source *source = source_of(target, &folder);
    mmd_error error = {0};
    mmd_status status = source ? mmd_source_look_up(source, folder, name, path, &error) : MMD_ERROR_NOT_FOUND;
    if (status == MMD_OK)
        status = mmd_source_read(source, path, &bytes, &error);
    snprintf(why, MMD_ERROR_MESSAGE_MAX, "%s",
             status == MMD_ERROR_REFUSED ? error.message
             : status == MMD_OK          ? "not written: not a picture, or too large"
                                         : "not written: not found");
    if (status != MMD_OK)
        return false;
    float cutoff = 0;
    bool cut = !target->keeps_mesh && is_cut(&target->model, texture, &cutoff);
    bool done = encode(&bytes, name, cut, cutoff, out);
    mmd_bytes_finish(&bytes);
    return done;
}

static bool equal_ignoring_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Returns whether the output has a file of this name, ignoring case. */
static bool is_written(const pmx_target *target, const char *name)
{
    const mmd_exchange_output *output = target->job->output;
    for (uint32_t i = 0; i < output->count; i++)
        if (equal_ignoring_case(output->files[i].name, name))
            return true;
    return false;
}

/* Writes a picture, or reports that it is missing. */
static bool put_picture(pmx_target *target, uint32_t texture, const char *from, const char *to)
{
    mmd_buffer bytes = {0};
    char why[MMD_ERROR_MESSAGE_MAX];
    if (!read_picture(target, texture, from, &bytes, why)) {
        mmd_buffer_finish(&bytes);
        picture_loss(target, texture, from, why);
        return false;
    }
    mmd_exchange_file *file = output_add(target->job->output, to);
    if (!file) {
        mmd_buffer_finish(&bytes);
        target->failed = true;
        return false;
    }
    file->data = bytes;
    return true;
}

/* ----------------------------------------------------------------- names */

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/*
 * Returns the last part of a name without extension, with characters replaced that file names must not
 * contain.
 */
static void picture_stem(const char *name, uint32_t number, char *out, size_t capacity)
{
    const char *start = name + strlen(name);
    while (start > name && !is_separator(start[-1]))
        start--;
    const char *end = strrchr(start, '.');
    size_t length = end && end > start ? (size_t)(end - start) : strlen(start);
    int used = snprintf(out, capacity, "%.*s", (int)(length < 100 ? length : 100), start);
    for (int i = 0; i < used; i++)
        if ((unsigned char)out[i] < 32 || strchr("<>:\"|?*", out[i]))
            out[i] = '_';
    while (used > 0 && (unsigned char)out[used - 1] >= 0x80 &&
           length > 100) /* truncated inside a character */
        out[--used] = '\0';
    if (used <= 0 || strcmp(out, ".") == 0)
        snprintf(out, capacity, "texture %u", number);
}

/* Returns "textures/NAME.png", numbered when another texture has that name. */
static const char *name_picture(pmx_target *target, const char *name, uint32_t number, const char **taken)
{
    char stem[160], text[200];
    picture_stem(name, number, stem, sizeof stem);
    for (uint32_t round = 1;; round++) {
        bool free = true;
        if (round == 1)
            snprintf(text, sizeof text, "textures/%s.png", stem);
        else
            snprintf(text, sizeof text, "textures/%s %u.png", stem, round > 9 ? number + 10 : round);
        for (uint32_t i = 0; i < number && free; i++)
            free = !equal_ignoring_case(taken[i], text);
        if (free || round > 9)
            return target_text(target, text);
    }
}

/* ---------------------------------------------------------- a new model */

enum { TEXTURES_MAX = 4000 };

/* Writes the pictures of a new model. */
static void put_all(pmx_target *target)
{
    mmd_model *model = &target->model;
    const char **names = target_alloc(target, model->texture_count, sizeof *names);
    for (uint32_t i = 0; names && i < model->texture_count && !target->failed; i++) {
        const char *from = model->textures[i];
        names[i] = from;
        if (i >= TEXTURES_MAX)
            continue;
        const char *to = name_picture(target, from, i, names);
        if (put_picture(target, i, from, to))
            names[i] = to;
    }
    if (!target->failed)
        model->textures = names;
}

/* ------------------------------------------------------- extending a PMX */

/*
 * Returns whether a name may be written: relative, inside the folder, no .json. path receives it with `/` as
 * separator.
 */
static bool is_safe(const char *name, char *path, size_t capacity)
{
    size_t length = strlen(name);
    if (length < 5 || length >= capacity || is_separator(name[0]) ||
        equal_ignoring_case(name + length - 5, ".json"))
        return false;
    for (size_t i = 0; i <= length; i++) {
        path[i] = name[i] == '\\' ? '/' : name[i];
        if (name[i] == ':' || (name[i] && (unsigned char)name[i] < 32))
            return false;
    }
    return path_stays_inside(path);
}

/* Returns the document's name of a texture of the kept PMX: that of a material which uses it in both. */
static const char *name_in_document(const pmx_target *target, uint32_t texture)
{
    const mmd_model *kept = &target->model, *model = target->job->model;
    if (target->job->merge)
        return target->job->merge->pictures[texture];
    for (uint32_t i = 0; i < kept->material_count && i < model->material_count; i++) {
        int32_t own = model->materials[i].texture;
        if (kept->materials[i].texture == (int32_t)texture && own >= 0)
            return model->textures[own];
    }
    return NULL;
}

/* Writes the pictures of an extended PMX. */
static void put_kept(pmx_target *target)
{
    const mmd_model *model = &target->model;
    for (uint32_t i = 0; i < model->texture_count && i < TEXTURES_MAX && !target->failed; i++) {
        char path[MMD_PATH_MAX];
        const char *from = name_in_document(target, i);
        if (!from)
            picture_loss(target, i, model->textures[i], "not written: not in this file");
        else if (!is_safe(model->textures[i], path, sizeof path))
            picture_loss(target, i, model->textures[i], "not written: outside of the folder");
        else if (!is_written(target, path))
            put_picture(target, i, from, path);
    }
}

void target_write_pictures(pmx_target *target)
{
    assert(target);
    if (!target->keeps_mesh)
        put_all(target);
    else if (target->job->source == MMD_EXCHANGE_GLTF)
        put_kept(target);
}
