/*
 * Pictures of a model beside its PMX: PNG as they are, others decoded and
 * written as PNG, in the folder textures, under names that every system can
 * do with. Those of a PMX that goes on get the names that it has for them:
 * programs look at what a picture is, not at its ending. Names that lead out
 * of the folder are not written.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/image.h"
#include "mmd/memory.h"
#include "merge.h"
#include "write.h"

static void lose(pmx_target *target, uint32_t texture, const char *name, const char *why)
{
    target_loss(target, MMD_LOSS_DROPPED, "ref.dangling", "texture", texture, name, "uri", "a picture", why);
}

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
 * Where all materials that have a texture cut it off (glTF's OPAQUE and MASK),
 * its alpha is there or not: MMD's materials blend. False: somebody blends it.
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
        *cutoff = fmaxf(*cutoff, material->alpha_cutoff);
        cut = true;
    }
    return cut;
}

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

static bool encode(const mmd_bytes *bytes, const char *name, bool cut, float cutoff, mmd_buffer *out)
{
    static const char magic[8] = "\x89PNG\r\n\x1a\n";
    bool png = bytes->size > sizeof magic && memcmp(bytes->data, magic, sizeof magic) == 0, done = false;
    mmd_image image = {0};
    if (!png || cut)
        done = mmd_image_decode(bytes->data, bytes->size, name, &image, NULL) == MMD_OK;
    if (png && (!done || !image.has_alpha)) {
        mmd_write_bytes(out, bytes->data, bytes->size);
        done = true;
    } else if (done) {
        if (cut)
            cut_alpha(&image, cutoff);
        mmd_png_options options = {.alpha = image.has_alpha, .fast = true};
        done = mmd_png_write(&image, &options, out, NULL) == MMD_OK;
    }
    mmd_image_finish(&image);
    return done && !out->failed;
}

/* The bytes of a picture as PNG. False: there is none, and `why` says so. */
static bool read_picture(const pmx_target *target, uint32_t texture, const char *name, mmd_buffer *out,
                         const char **why)
{
    const char *folder;
    char path[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_source *source = source_of(target, &folder);
    *why = "none: not found";
    if (!source || !mmd_source_find_from(source, folder, name, path) ||
        mmd_source_read(source, path, &bytes, NULL) != MMD_OK)
        return false;
    *why = "none: not a picture";
    float cutoff = 0;
    bool cut = !target->holds_mesh && is_cut(&target->model, texture, &cutoff);
    bool done = encode(&bytes, name, cut, cutoff, out);
    mmd_bytes_finish(&bytes);
    return done;
}

static bool same_but_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static bool is_out(const pmx_target *target, const char *name)
{
    const mmd_exchange_output *output = target->job->output;
    for (uint32_t i = 0; i < output->count; i++)
        if (same_but_case(output->files[i].name, name))
            return true;
    return false;
}

static bool put_picture(pmx_target *target, uint32_t texture, const char *from, const char *to)
{
    mmd_buffer bytes = {0};
    const char *why;
    if (!read_picture(target, texture, from, &bytes, &why)) {
        mmd_buffer_finish(&bytes);
        lose(target, texture, from, why);
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

static bool ends_part(char c)
{
    return c == '/' || c == '\\';
}

/* The last part without its ending, and without what file names may not have. */
static void stem_of(const char *name, uint32_t number, char *out, size_t capacity)
{
    const char *start = name + strlen(name);
    while (start > name && !ends_part(start[-1]))
        start--;
    const char *end = strrchr(start, '.');
    size_t length = end && end > start ? (size_t)(end - start) : strlen(start);
    int used = snprintf(out, capacity, "%.*s", (int)(length < 100 ? length : 100), start);
    for (int i = 0; i < used; i++)
        if ((unsigned char)out[i] < 32 || strchr("<>:\"|?*", out[i]))
            out[i] = '_';
    while (used > 0 && (unsigned char)out[used - 1] >= 0x80 && length > 100) /* cut within a letter */
        out[--used] = '\0';
    if (used <= 0 || strcmp(out, ".") == 0)
        snprintf(out, capacity, "texture %u", number);
}

/* "textures/NAME.png", with a number where another texture has that already. */
static const char *name_picture(pmx_target *target, const char *name, uint32_t number, const char **taken)
{
    char stem[160], text[200];
    stem_of(name, number, stem, sizeof stem);
    for (uint32_t round = 1;; round++) {
        bool free = true;
        if (round == 1)
            snprintf(text, sizeof text, "textures/%s.png", stem);
        else
            snprintf(text, sizeof text, "textures/%s %u.png", stem, round > 9 ? number + 10 : round);
        for (uint32_t i = 0; i < number && free; i++)
            free = !same_but_case(taken[i], text);
        if (free || round > 9)
            return target_text(target, text);
    }
}

/* ---------------------------------------------------------- a new model */

enum { TEXTURES_MAX = 4000 };

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

/* ----------------------------------------------------- a PMX that goes on */

/* Relative, nowhere above, and no sidecar's name; `/` between parts. */
static bool is_safe(const char *name, char *path, size_t capacity)
{
    size_t length = strlen(name);
    if (length < 5 || length >= capacity || ends_part(name[0]) || same_but_case(name + length - 5, ".json"))
        return false;
    for (size_t i = 0; i <= length; i++) {
        path[i] = name[i] == '\\' ? '/' : name[i];
        if (name[i] == ':' || (name[i] && (unsigned char)name[i] < 32))
            return false;
    }
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t size = strcspn(part, "/");
        if (size == 0 || strncmp(part, "..", size < 2 ? 2 : size) == 0)
            return false;
    }
    return true;
}

/* What the document calls a texture of the kept PMX: that of a material which has it in both. */
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

static void put_kept(pmx_target *target)
{
    const mmd_model *model = &target->model;
    for (uint32_t i = 0; i < model->texture_count && i < TEXTURES_MAX && !target->failed; i++) {
        char path[MMD_PATH_MAX];
        const char *from = name_in_document(target, i);
        if (!from)
            lose(target, i, model->textures[i], "none: not in this file");
        else if (!is_safe(model->textures[i], path, sizeof path))
            lose(target, i, model->textures[i], "none: outside of the folder");
        else if (!is_out(target, path))
            put_picture(target, i, from, path);
    }
}

void target_write_pictures(pmx_target *target)
{
    if (!target->holds_mesh)
        put_all(target);
    else if (target->job->source == MMD_EXCHANGE_GLTF)
        put_kept(target);
}
