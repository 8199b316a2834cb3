/*
 * Reads materials and pictures of a glTF (glTF 2.0, 3.8 and 3.9).
 *
 * MMD's colour is texture * (diffuse * light + ambient) with a light of 0.6 (docs/mmd.md 6.1, 6.3). With
 * diffuse = c and ambient = 0.4 c a material has its base colour c. Base colours are linear, MMD's are sRGB.
 * Lights, roughness and metalness are not shown. Shading is MMD's first toon, as on the shapes of files
 * without a mesh; unlit materials have no toon.
 *
 * Embedded and external pictures are offered as one source, whose names are those in model->textures.
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

enum { IMAGES_MAX = 65536, UV_SETS_MAX = 16 };

static const float ambient_share = 0.4F; /* 1 minus MMD's light */

/* A picture: bytes in the document, or a file of its source. */
typedef struct gltf_image {
    const char *name;
    const uint8_t *data;
    size_t size;
    const char *path;    /* path in the source; NULL: embedded, or missing */
    const char *refusal; /* why the source refuses the file; NULL: it does not */
} gltf_image;

/* ---------------------------------------------------------------- source */

typedef struct image_source {
    const gltf_image *images;
    size_t count;
    mmd_source *source;
} image_source;

static mmd_status read_image(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    const image_source *images = self;
    for (size_t i = 0; i < images->count; i++) {
        const gltf_image *image = &images->images[i];
        if (strcmp(image->name, name) != 0)
            continue;
        if (image->path)
            return mmd_source_read(images->source, image->path, bytes, error);
        if (image->refusal)
            return mmd_error_set(error, MMD_ERROR_REFUSED, "", MMD_NO_OFFSET, "%s", image->refusal);
        if (!image->data)
            break;
        uint8_t *copy = mmd_alloc(image->size);
        if (!copy)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the picture");
        if (image->size)
            memcpy(copy, image->data, image->size);
        *bytes = (mmd_bytes){copy, image->size};
        return MMD_OK;
    }
    return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "no such picture in the file");
}

/*
 * Lists the entries of a folder. A subfolder with several pictures appears several times, which searches for
 * names tolerate.
 */
static bool list_images(void *self, const char *folder,
                        bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    const image_source *images = self;
    size_t length = strlen(folder);
    bool found = length == 0, more = true;
    for (size_t i = 0; i < images->count && more; i++) {
        const char *name = images->images[i].name;
        if (length > 0 && (strncmp(name, folder, length) != 0 || name[length] != '/'))
            continue;
        found = true;
        const char *rest = name + length + (length > 0);
        char entry[MMD_PATH_MAX];
        size_t part = strcspn(rest, "/");
        if (part == 0 || part >= sizeof entry)
            continue;
        memcpy(entry, rest, part);
        entry[part] = '\0';
        more = visit(user, entry, rest[part] == '/');
    }
    return found;
}

/* Creates document->textures. */
static mmd_status make_source(gltf_scene *scene, const gltf_image *images, size_t count)
{
    static const mmd_source_ops ops = {read_image, list_images, mmd_free};
    gltf_file *file = scene->file;
    image_source *self = mmd_alloc(sizeof *self);
    if (self)
        *self = (image_source){images, count, file->source};
    file->document->textures = self ? mmd_source_create(&ops, self) : NULL;
    if (file->document->textures)
        return MMD_OK;
    mmd_free(self);
    return json_ref_fail(&file->reader, &file->root, MMD_ERROR_MEMORY, "no memory for pictures");
}

/* ---------------------------------------------------------------- images */

/* Returns the file extension of a picture, from its first bytes, else its MIME type. */
static const char *file_extension(const gltf_image *image, const char *mime)
{
    static const struct {
        const char *mime, *magic, *file_extension;
    } kinds[] = {{"image/png", "\x89PNG", "png"},
                 {"image/jpeg", "\xFF\xD8\xFF", "jpg"},
                 {"image/webp", "RIFF", "webp"},
                 {"image/bmp", "BM", "bmp"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].magic);
        if (image->size >= length && memcmp(image->data, kinds[i].magic, length) == 0)
            return kinds[i].file_extension;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(mime, kinds[i].mime) == 0)
            return kinds[i].file_extension;
    return "png";
}

/* Names an embedded picture "image N.png". */
static mmd_status name_image(gltf_file *file, const json_ref *ref, size_t index, const char *mime,
                             gltf_image *image)
{
    char name[64];
    snprintf(name, sizeof name, "image %zu.%s", index, file_extension(image, mime));
    image->name = mmd_arena_text(file->reader.arena, name, strlen(name));
    return image->name ? MMD_OK : json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for a name");
}

/* Opens a picture in a data: URI. */
static mmd_status embedded_image(gltf_file *file, const json_ref *ref, const char *uri, gltf_image *image)
{
    uint8_t *stored;
    const size_t most = strlen(uri) / 4 * 3 + 3;
    gltf_alloc(file, ref, file->reader.arena, most, 1, &stored);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    mmd_buffer bytes = {.data = stored, .capacity = most}; /* so large that it need not grow */
    gltf_data_uri(file, ref, uri, &bytes);
    image->data = stored;
    image->size = json_reader_ok(&file->reader) ? bytes.size : 0;
    return file->reader.status;
}

/* Opens an external picture. If it is missing or refused, that is reported and the material has no texture.
 */
static mmd_status external_image(gltf_file *file, const json_ref *ref, const char *uri, gltf_image *image)
{
    char name[MMD_PATH_MAX], path[MMD_PATH_MAX];
    bool is_file = gltf_file_name(uri, name);
    const char *own = path_in_source(is_file ? name : uri);
    mmd_error wrong = {0};
    mmd_status status = MMD_ERROR_NOT_FOUND;
    image->name = mmd_arena_text(file->reader.arena, own, strlen(own));
    if (!image->name)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for a name");
    if (is_file && file->source)
        status = mmd_source_look_up(file->source, file->folder, name, path, &wrong);
    if (status == MMD_ERROR_NOT_FOUND || status == MMD_ERROR_REFUSED)
        losses_add_at(&file->document->losses, MMD_LOSS_DROPPED, MMD_EXCHANGE_GLTF, "ref.dangling", ref,
                      "uri", status == MMD_ERROR_REFUSED ? wrong.message : "");
    if (status == MMD_ERROR_NOT_FOUND)
        return MMD_OK;
    const char *kept = status == MMD_OK ? path : wrong.message;
    const char **to = status == MMD_OK ? &image->path : &image->refusal;
    *to = mmd_arena_text(file->reader.arena, kept, strlen(kept));
    return *to ? MMD_OK : json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for a name");
}

/* Opens a picture: external, in a data: URI or in a buffer view. */
static mmd_status open_image(gltf_file *file, const json_ref *list, size_t index, gltf_image *image)
{
    json_reader *reader = &file->reader;
    json_ref ref, uri_ref;
    const char *mime, *uri;
    int32_t view;
    gltf_element(file, list, index, &ref);
    json_read_text(reader, &ref, "mimeType", &mime);
    json_view_text(reader, &ref, "uri", &uri);
    json_read_index(reader, &ref, "bufferView", INT32_MAX, &view);
    if (!json_reader_ok(reader))
        return reader->status;
    uri_ref = json_ref_member(&ref, "uri");
    bool inner = strncmp(uri, "data:", 5) == 0;
    if (view < 0 && uri_ref.value && !inner)
        return external_image(file, &uri_ref, uri, image);
    if (view >= 0) {
        json_ref where = json_ref_member(&ref, "bufferView");
        gltf_read_view(file, &where, view, &image->data, &image->size);
    } else if (inner) {
        embedded_image(file, &uri_ref, uri, image);
    }
    return name_image(file, &ref, index, mime, image);
}

mmd_status gltf_read_images(gltf_scene *scene)
{
    assert(scene);
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    json_ref list;
    gltf_image *images = NULL;
    gltf_list(file, "images", &list);
    size_t count = json_ref_count(&list);
    if (count > IMAGES_MAX)
        json_ref_fail(&file->reader, &list, MMD_ERROR_LIMIT, "%zu pictures are too many", count);
    gltf_alloc(file, &list, file->reader.arena, count, sizeof *images, &images);
    gltf_alloc(file, &list, file->reader.arena, count, sizeof *scene->texture_of_image,
               &scene->texture_of_image);
    gltf_alloc(file, &list, &model->arena, count, sizeof *model->textures, &model->textures);
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        scene->texture_of_image[i] = -1;
        open_image(file, &list, i, &images[i]);
    }
    scene->images = images;
    return json_reader_ok(&file->reader) ? make_source(scene, images, count) : file->reader.status;
}

/* ------------------------------------------------------------- materials */

/* Converts a linear colour component to sRGB (IEC 61966-2-1). */
float gltf_screen_color(float linear)
{
    if (!(linear > 0))
        return 0;
    if (linear >= 1)
        return 1;
    return linear <= 0.0031308F ? 12.92F * linear : 1.055F * mmd_powf(linear, 1 / 2.4F) - 0.055F;
}

/*
 * Reads KHR_texture_transform: scale, rotation, offset and another set of UVs. A positive angle turns U
 * towards minus V, as the extension's examples and all implementations do. The formula in its text turns the
 * other way (KhronosGroup/glTF issue 1563).
 */
static mmd_status read_uv_transform(json_reader *reader, const json_ref *info, gltf_uv *uv)
{
    json_ref extensions, ref;
    float offset[2], scale[2], angle;
    json_read_kind(reader, info, "extensions", JSON_OBJECT, &extensions);
    json_read_kind(reader, &extensions, "KHR_texture_transform", JSON_OBJECT, &ref);
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    json_read_u32(reader, &ref, "texCoord", uv->set, UV_SETS_MAX - 1, &uv->set);
    json_read_floats(reader, &ref, "offset", 2, (const float[2]){0, 0}, offset);
    json_read_floats(reader, &ref, "scale", 2, (const float[2]){1, 1}, scale);
    json_read_float(reader, &ref, "rotation", 0, -FLT_MAX, FLT_MAX, &angle);
    if (!json_reader_ok(reader))
        return reader->status;
    float c, s;
    mmd_sincosf(angle, &s, &c);
    const float matrix[6] = {c * scale[0], -s * scale[0], s * scale[1], c * scale[1], offset[0], offset[1]};
    memcpy(uv->matrix, matrix, sizeof matrix);
    return MMD_OK;
}

/* Resolves a texture reference to a texture of the model, which is added on first use. */
static mmd_status find_texture(gltf_scene *scene, const json_ref *info, int32_t *texture, gltf_uv *uv)
{
    gltf_file *file = scene->file;
    json_ref textures, ref, images;
    int32_t index = -1, image = -1;
    gltf_list(file, "textures", &textures);
    gltf_list(file, "images", &images);
    json_read_index(&file->reader, info, "index", json_ref_count(&textures), &index);
    json_read_u32(&file->reader, info, "texCoord", 0, UV_SETS_MAX - 1, &uv->set);
    read_uv_transform(&file->reader, info, uv);
    if (!json_reader_ok(&file->reader) || index < 0)
        return file->reader.status;
    gltf_element(file, &textures, (size_t)index, &ref);
    json_read_index(&file->reader, &ref, "source", json_ref_count(&images), &image);
    if (!json_reader_ok(&file->reader) || image < 0)
        return file->reader.status;
    mmd_model *model = scene->model;
    if (scene->texture_of_image[image] < 0) {
        scene->texture_of_image[image] = (int32_t)model->texture_count;
        model->textures[model->texture_count++] = scene->images[image].name;
    }
    *texture = scene->texture_of_image[image];
    return MMD_OK;
}

/* Sets diffuse and ambient from linear base and emissive colours. */
static void set_colors(mmd_material *material, const float base[4], const float glow[3])
{
    for (int k = 0; k < 3; k++) {
        float color = gltf_screen_color(base[k]);
        material->diffuse[k] = color;
        material->ambient[k] = mmd_minf(1, ambient_share * color + gltf_screen_color(glow[k]));
    }
    material->diffuse[3] = mmd_maxf(0, mmd_minf(1, base[3]));
}

/* Applies the alpha mode. The alpha of the base colour is folded into the cutoff. */
static mmd_status read_alpha(json_reader *reader, const json_ref *ref, float base, mmd_material *material)
{
    const char *mode;
    float cutoff = 0;
    json_read_text(reader, ref, "alphaMode", &mode);
    if (json_reader_ok(reader) && strcmp(mode, "MASK") == 0)
        json_read_float(reader, ref, "alphaCutoff", 0.5F, 0, FLT_MAX, &cutoff);
    if (!json_reader_ok(reader) || strcmp(mode, "BLEND") == 0)
        return reader->status;
    material->cuts_alpha = true;
    material->alpha_cutoff = !(cutoff > 0) ? 0 : base > 0 ? cutoff / base : 2;
    material->diffuse[3] = material->alpha_cutoff <= 1 ? 1 : 0;
    return MMD_OK;
}

/* Reads a material of the list. */
static mmd_status read_material_object(gltf_scene *scene, const json_ref *ref, mmd_material *material,
                                       gltf_uv *uv)
{
    json_reader *reader = &scene->file->reader;
    json_ref metal, info;
    float base[4], glow[3];
    bool two_sided;
    json_read_kind(reader, ref, "pbrMetallicRoughness", JSON_OBJECT, &metal);
    json_read_kind(reader, &metal, "baseColorTexture", JSON_OBJECT, &info);
    json_read_floats(reader, &metal, "baseColorFactor", 4, (const float[4]){1, 1, 1, 1}, base);
    json_read_floats(reader, ref, "emissiveFactor", 3, (const float[3]){0, 0, 0}, glow);
    json_read_bool(reader, ref, "doubleSided", false, &two_sided);
    json_read_text(reader, ref, "name", &material->name);
    if (!json_reader_ok(reader))
        return reader->status;
    set_colors(material, base, glow);
    read_alpha(reader, ref, material->diffuse[3], material);
    if (!json_reader_ok(reader))
        return reader->status;
    material->flags |= two_sided ? MMD_MATERIAL_TWO_SIDED : 0;
    if (json_object_get(json_object_get(ref->value, "extensions"), "KHR_materials_unlit")) {
        material->shared_toon = false;
        material->toon = -1;
    }
    return find_texture(scene, &info, &material->texture, uv);
}

mmd_status gltf_read_material(gltf_scene *scene, int32_t index, mmd_material *material, gltf_uv *uv)
{
    assert(scene && material && uv);
    gltf_file *file = scene->file;
    json_ref list, ref;
    *uv = (gltf_uv){.matrix = {1, 0, 0, 1, 0, 0}};
    *material = (mmd_material){
        .name = "",
        .name_en = "",
        .memo = "",
        .edge_color = {0, 0, 0, 1},
        .edge_size = 1,
        .flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW,
        .texture = -1,
        .sphere = -1,
        .shared_toon = true, /* toon01: shaded from below, so that faces can be distinguished */
        .toon = 0,
    };
    set_colors(material, (const float[4]){1, 1, 1, 1}, (const float[3]){0, 0, 0});
    if (index < 0)
        return MMD_OK;
    gltf_list(file, "materials", &list);
    gltf_element(file, &list, (size_t)index, &ref);
    return read_material_object(scene, &ref, material, uv);
}
