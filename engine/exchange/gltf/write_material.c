/*
 * Writes materials and pictures of a model, the inverse of material.c: the base colour is what MMD shows
 * under its own light (docs/mmd.md 6.1, 6.3: diffuse times 0.6 plus ambient), made linear. A material without
 * toon is flat, which glTF calls unlit. The complete PMX material is stored in extras.mmd.
 *
 * MMD blends every material, which other programs do badly. So alphaMode is chosen by the alpha of the
 * picture where triangles of the material use it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "writer.h"
#include "mmd/image.h"

static const float light = 0.6F; /* MMD's light */

enum { PLAIN_ALPHA = 250, CLEAR_ALPHA = 16, SAMPLES_MAX = 2000000, STEPS_MAX = 16 };

/* A texture of the model. */
typedef struct picture {
    bool used;
    uint32_t same;       /* index of the first texture with the same file */
    const char *path;    /* path in the source; NULL: missing */
    const char *refusal; /* why the source refuses the file; NULL: it does not */
    int32_t texture;     /* index in the glTF; -1: missing */
    char name[GLTF_NAME_BYTES + 16];
} picture;

typedef struct material_writer {
    gltf_builder *builder;
    const mmd_model *model;
    picture *pictures;
    const char **modes; /* alphaMode per material */
    mmd_arena *arena;
} material_writer;

/* ----------------------------------------------------------------- alpha */

/* Texels that triangles use: all, transparent ones, translucent ones. */
typedef struct alpha_counts {
    uint64_t all, clear, veiled;
} alpha_counts;

/* Counts the texel at a position; UVs repeat. */
static void count_texel(const mmd_image *image, double u, double v, alpha_counts *counts)
{
    u -= floor(u);
    v -= floor(v);
    uint32_t x = (uint32_t)(u * image->width), y = (uint32_t)(v * image->height);
    x = x < image->width ? x : image->width - 1;
    y = y < image->height ? y : image->height - 1;
    uint8_t alpha = image->pixels[((size_t)y * image->width + x) * 4 + 3];
    counts->all++;
    counts->clear += alpha < CLEAR_ALPHA;
    counts->veiled += alpha >= CLEAR_ALPHA && alpha < PLAIN_ALPHA;
}

/* Samples a triangle at about one point per texel, at most STEPS_MAX along a side. */
static void sample_triangle(const mmd_image *image, const float (*uv)[2], const uint32_t *corner,
                            alpha_counts *counts)
{
    const float *a = uv[corner[0]], *b = uv[corner[1]], *c = uv[corner[2]];
    double ab[2], ac[2], size = 0;
    for (int k = 0; k < 2; k++) {
        double texels = k ? image->height : image->width;
        ab[k] = (double)b[k] - (double)a[k];
        ac[k] = (double)c[k] - (double)a[k];
        size = mmd_max(size, texels * mmd_max(fabs(ab[k]), fabs(ac[k])));
    }
    if (!isfinite(size) || !(fabs((double)a[0]) + fabs((double)a[1]) < 1e9))
        return;
    int steps = size < STEPS_MAX ? (int)size + 1 : STEPS_MAX;
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < steps - i; k++) {
            double s = (i + 1 / 3.0) / steps, t = (k + 1 / 3.0) / steps;
            count_texel(image, (double)a[0] + s * ab[0] + t * ac[0], (double)a[1] + s * ab[1] + t * ac[1],
                        counts);
        }
}

/*
 * Returns the alphaMode of a material: OPAQUE when almost no texel is transparent, BLEND when more texels are
 * translucent than transparent, else MASK. Soft rims and a few texels shared with other parts so have no
 * effect.
 */
static const char *mode_for(const mmd_model *model, const mmd_material *material, const mmd_image *image)
{
    alpha_counts counts = {0};
    const uint32_t *indices = model->indices + material->first_index;
    for (uint32_t i = 0; i + 2 < material->index_count && counts.all < SAMPLES_MAX; i += 3)
        sample_triangle(image, (const float(*)[2])model->vertices.uv, indices + i, &counts);
    if ((counts.clear + counts.veiled) * 200 < counts.all)
        return "OPAQUE";
    return counts.veiled > counts.clear ? "BLEND" : "MASK";
}

/* -------------------------------------------------------------- pictures */

/* Compares names ignoring the case of ASCII letters. */
static bool equal_names(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a, y = *b >= 'A' && *b <= 'Z' ? *b + 32 : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

/* Returns whether one of the first pictures has a name. */
static bool name_taken(const material_writer *w, uint32_t before, const char *name)
{
    for (uint32_t i = 0; i < before; i++)
        if (w->pictures[i].name[0] && equal_names(w->pictures[i].name, name))
            return true;
    return false;
}

void gltf_plain_name(const char *path, char name[GLTF_NAME_BYTES])
{
    assert(name);
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *from = slash && (!back || slash > back) ? slash + 1 : back ? back + 1 : path;
    const char *dot = strrchr(from, '.');
    size_t length = dot && dot > from ? (size_t)(dot - from) : strlen(from);
    if (length >= GLTF_NAME_BYTES)
        for (length = GLTF_NAME_BYTES - 1; length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80;
             length--)
            ;
    for (size_t i = 0; i < length; i++)
        name[i] = strchr("<>:\"|?*%#", from[i]) || (unsigned char)from[i] < 32 ? '_' : from[i];
    name[length] = 0;
    if (!name[0] || name[0] == '.')
        memcpy(name, "picture", sizeof "picture");
}

/* Gives a picture a unique name. */
static void name_picture(material_writer *w, uint32_t number)
{
    char name[GLTF_NAME_BYTES];
    gltf_plain_name(w->model->textures[number], name);
    picture *made = &w->pictures[number];
    snprintf(made->name, sizeof made->name, "%s", name);
    for (uint32_t i = 2; name_taken(w, number, made->name); i++)
        snprintf(made->name, sizeof made->name, "%s_%u", name, i);
}

/* Finds the file of a texture, and the first texture with the same file. */
static void find_picture(material_writer *w, uint32_t number)
{
    const mmd_exchange_input *input = w->builder->job->input;
    picture *made = &w->pictures[number];
    char path[MMD_PATH_MAX];
    mmd_error error = {0};
    mmd_status status = MMD_ERROR_NOT_FOUND;
    if (input->textures)
        status = mmd_source_look_up(input->textures, input->folder ? input->folder : "",
                                    w->model->textures[number], path, &error);
    if (status == MMD_ERROR_REFUSED) {
        made->refusal = mmd_arena_text(w->arena, error.message, strlen(error.message));
        w->builder->failed = w->builder->failed || !made->refusal;
    }
    if (status != MMD_OK)
        return;
    made->path = mmd_arena_text(w->arena, path, strlen(path));
    w->builder->failed = w->builder->failed || !made->path;
    for (uint32_t i = 0; made->path && i < number && made->same == number; i++)
        if (w->pictures[i].path && strcmp(w->pictures[i].path, path) == 0)
            made->same = i;
}

/* Returns how often a picture is halved for choosing alphaMode by its texels: until it has SIDE_MAX at most.
 */
static uint32_t halvings_for(const mmd_image_info *info)
{
    enum { SIDE_MAX = 4096 };
    uint32_t longer = info->width > info->height ? info->width : info->height, halvings = 0;
    while (longer >> halvings > SIDE_MAX)
        halvings++;
    return halvings;
}

/*
 * Makes a picture's PNG and decodes it, possibly smaller. A PNG that any program reads is copied. The first
 * pass is only read for stamps, which do not depend on pixels, so it gets just a PNG signature. Returns false
 * if it is no picture, or too large to decode.
 */
static bool encode(const material_writer *w, uint32_t number, mmd_image *image, mmd_buffer *out)
{
    static const uint8_t head[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    const char *path = w->pictures[number].path;
    mmd_bytes bytes = {0};
    mmd_image_info info;
    bool done = path && mmd_source_read(w->builder->job->input->textures, path, &bytes, NULL) == MMD_OK &&
                mmd_image_read_info(bytes.data, bytes.size, path, &info, NULL) == MMD_OK;
    bool copied = done && mmd_png_decode_strictly(bytes.data, bytes.size, path, halvings_for(&info), image,
                                                  NULL) == MMD_OK;
    done = copied || (done && mmd_image_decode(bytes.data, bytes.size, path, image, NULL) == MMD_OK);
    const mmd_png_options options = {.alpha = image->has_alpha};
    if (done && !w->builder->job->second_pass)
        mmd_write_bytes(out, head, sizeof head);
    else if (copied)
        mmd_write_bytes(out, bytes.data, bytes.size);
    else if (done && mmd_png_write(image, &options, out, NULL) != MMD_OK)
        w->builder->failed = true;
    w->builder->failed = w->builder->failed || out->failed;
    mmd_bytes_finish(&bytes);
    return done;
}

/* Writes a picture: into the buffer or as a file. */
static void put_picture(material_writer *w, picture *made, const mmd_buffer *png)
{
    gltf_builder *builder = w->builder;
    json_t *image = json_pack("{s:o, s:s}", "name", json_text(made->name), "mimeType", "image/png");
    if (builder->job->options->binary) {
        gltf_put(builder, image, "bufferView", json_integer(gltf_add_view(builder, png->data, png->size, 0)));
    } else {
        char name[sizeof made->name + 16];
        snprintf(name, sizeof name, "textures/%s.png", made->name);
        gltf_put_file(builder, name, png->data, png->size);
        if (image)
            gltf_put_uri(builder, image, name);
        json_object_del(image, "mimeType");
    }
    int32_t source = gltf_append(builder, "images", image);
    made->texture =
        gltf_append(builder, "textures", json_pack("{s:i, s:i}", "source", (int)source, "sampler", 0));
}

/* Chooses the alphaMode of the materials that use a picture, while its pixels are decoded. */
static void choose_modes(material_writer *w, uint32_t number, const mmd_image *image)
{
    for (uint32_t i = 0; i < w->model->material_count && image->has_alpha; i++) {
        const mmd_material *material = &w->model->materials[i];
        if (material->texture >= 0 && w->pictures[material->texture].same == number)
            w->modes[i] = mode_for(w->model, material, image);
    }
}

/* Writes a texture, or reports that it is missing. */
static void write_picture(material_writer *w, uint32_t number)
{
    mmd_image image = {0};
    mmd_buffer png = {0};
    picture *made = &w->pictures[number];
    const char *name = w->model->textures[number];
    if (made->same != number) {
        made->texture = w->pictures[made->same].texture;
    } else if (!encode(w, number, &image, &png)) {
        gltf_loss(w->builder, MMD_LOSS_DROPPED, "texture.missing", "texture", number, name, "path",
                  made->refusal ? name : "", made->refusal ? made->refusal : "");
    } else {
        name_picture(w, number);
        choose_modes(w, number, &image);
        if (!w->builder->failed)
            put_picture(w, made, &png);
    }
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
}

/* Writes all textures that materials use. */
static void write_pictures(material_writer *w)
{
    const mmd_model *model = w->model;
    bool any = false;
    for (uint32_t i = 0; i < model->texture_count; i++)
        w->pictures[i] = (picture){.texture = -1, .same = i};
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].texture >= 0)
            w->pictures[model->materials[i].texture].used = any = true;
    if (any) /* linear, with mipmaps, repeated: as MMD draws them (docs/mmd.md 6.1) */
        gltf_append(w->builder, "samplers",
                    json_pack("{s:i, s:i, s:i, s:i}", "magFilter", 9729, "minFilter", 9987, "wrapS", 10497,
                              "wrapT", 10497));
    for (uint32_t i = 0; i < model->texture_count && !w->builder->failed; i++)
        if (w->pictures[i].used)
            find_picture(w, i);
    for (uint32_t i = 0; i < model->texture_count && !w->builder->failed; i++)
        if (w->pictures[i].used)
            write_picture(w, i);
}

/* ---------------------------------------------------------------- record */

static json_t *texture_path(const mmd_model *model, int32_t texture)
{
    return texture < 0 ? json_string("") : json_text(model->textures[texture]);
}

/* Returns the PMX material as JSON. */
static json_t *record(const mmd_model *model, const mmd_material *m)
{
    json_t *toon = m->shared_toon ? json_integer(m->toon) : texture_path(model, m->toon);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:i, s:b, s:o}", "name",
                     json_text(m->name), "nameEnglish", json_text(m->name_en), "memo", json_text(m->memo),
                     "diffuse", json_from_floats(m->diffuse, 4), "specular", json_from_floats(m->specular, 3),
                     "specularPower", json_from_float(m->specular_power), "ambient",
                     json_from_floats(m->ambient, 3), "edgeColor", json_from_floats(m->edge_color, 4),
                     "edgeSize", json_from_float(m->edge_size), "flags", (int)m->flags, "texture",
                     texture_path(model, m->texture), "sphere", texture_path(model, m->sphere), "sphereMode",
                     (int)m->sphere_mode, "sharedToon", (int)m->shared_toon, "toon", toon);
}

/* ------------------------------------------------------------- materials */

/* Returns the linear base colour; *mode becomes BLEND for a translucent one. */
static json_t *base_color(const mmd_material *material, const char **mode)
{
    float color[4];
    for (int k = 0; k < 3; k++)
        color[k] = gltf_linear_color(light * material->diffuse[k] + material->ambient[k]);
    float alpha = material->diffuse[3];
    color[3] = alpha > 0 ? mmd_minf(alpha, 1) : 0;
    if (color[3] < 1)
        *mode = "BLEND";
    return json_from_floats(color, 4);
}

static bool has_toon(const mmd_material *material)
{
    return material->shared_toon || material->toon >= 0;
}

/* Writes a material and returns its index. */
static int32_t write_material(material_writer *w, uint32_t number)
{
    gltf_builder *builder = w->builder;
    const mmd_material *material = &w->model->materials[number];
    const char *mode = w->modes[number];
    int32_t texture = material->texture >= 0 ? w->pictures[material->texture].texture : -1;
    json_t *base = base_color(material, &mode);
    json_t *pbr =
        json_pack("{s:o, s:i, s:i}", "baseColorFactor", base, "metallicFactor", 0, "roughnessFactor", 1);
    if (texture >= 0)
        gltf_put(builder, pbr, "baseColorTexture", json_pack("{s:i}", "index", (int)texture));
    json_t *made = json_pack("{s:o}", "pbrMetallicRoughness", pbr);
    if (material->name[0])
        gltf_put(builder, made, "name", json_text(material->name));
    if (material->flags & MMD_MATERIAL_TWO_SIDED)
        gltf_put(builder, made, "doubleSided", json_true());
    if (strcmp(mode, "OPAQUE") != 0)
        gltf_put(builder, made, "alphaMode", json_string(mode));
    gltf_put(builder, gltf_object(builder, made, "extras"), "mmd", record(w->model, material));
    if (!has_toon(material))
        gltf_extension(builder, made, "KHR_materials_unlit");
    return gltf_append(builder, "materials", made);
}

static bool shines(const mmd_material *m)
{
    return m->specular_power > 0 && (m->specular[0] > 0 || m->specular[1] > 0 || m->specular[2] > 0);
}

static bool has_sphere(const mmd_material *m)
{
    return m->sphere >= 0 && m->sphere_mode != MMD_SPHERE_NONE;
}

static bool has_edge(const mmd_material *m)
{
    return m->flags & MMD_MATERIAL_EDGE;
}

/* Reports how many materials use what glTF cannot express. */
static void report_losses(const material_writer *w)
{
    static const struct {
        const char *field;
        bool (*has)(const mmd_material *material);
    } kinds[] = {{"specular", shines}, {"sphere", has_sphere}, {"toon", has_toon}, {"edge", has_edge}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < w->model->material_count; i++)
            count += kinds[k].has(&w->model->materials[i]);
        if (count > 0)
            gltf_count_loss(w->builder, MMD_LOSS_APPROXIMATED, "material.approximated", "materials",
                            kinds[k].field, count);
    }
}

void gltf_write_materials(gltf_builder *builder, int32_t *material_of)
{
    assert(builder);
    const mmd_model *model = builder->job->model;
    mmd_arena arena = {0};
    material_writer w = {.builder = builder, .model = model, .arena = &arena};
    w.pictures = mmd_arena_alloc(&arena, model->texture_count, sizeof *w.pictures);
    w.modes = mmd_arena_alloc(&arena, model->material_count, sizeof *w.modes);
    builder->failed = builder->failed || !w.pictures || !w.modes;
    for (uint32_t i = 0; i < model->material_count && !builder->failed; i++)
        w.modes[i] = "OPAQUE";
    if (!builder->failed)
        write_pictures(&w);
    for (uint32_t i = 0; i < model->material_count && !builder->failed; i++)
        material_of[i] = write_material(&w, i);
    if (!builder->failed)
        report_losses(&w);
    mmd_arena_finish(&arena);
}
