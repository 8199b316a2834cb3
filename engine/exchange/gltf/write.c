/*
 * gltf_write: writes the parts of a glTF in order, then the file: one .glb (glTF 2.0, 4), or a .gltf with one
 * .bin and separate pictures.
 *
 * All buffers of the document are joined into one: those of the document that is extended, then the new one.
 */
#include <assert.h>
#include <string.h>

#include "reader.h"
#include "writer.h"
#include "roundtrip/keep.h"

#define GLB_MAGIC  0x46546C67U
#define CHUNK_JSON 0x4E4F534AU
#define CHUNK_BIN  0x004E4942U

enum { GLB_VERSION = 2, GLB_HEADER = 12, CHUNK_HEADER = 8 };

static mmd_status out_of_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "glTF", MMD_NO_OFFSET, "no memory for the file");
}

/* --------------------------------------------------------------- pictures */

/* Returns a picture's path inside the document's folder, or "" when it leads out of the folder. */
static const char *name_inside_folder(const char *name)
{
    name = path_in_source(name);
    for (const char *at = strstr(name, ".."); at; at = strstr(at + 2, ".."))
        if (at == name || at[-1] == '/')
            return "";
    return *name == '/' || strpbrk(name, "\\:") ? "" : name;
}

/* Writes a file name for a URI: reserved characters become %20 and so on (RFC 3986). */
static void escape(const char *name, mmd_buffer *uri)
{
    static const char plain[] = "-._~/!$&'()*+,;=@";
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        bool unreserved = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                          c >= 0x80 || strchr(plain, c) != NULL;
        if (unreserved)
            mmd_write_u8(uri, c);
        else
            mmd_write_format(uri, "%%%02X", c);
    }
}

void gltf_put_uri(gltf_builder *builder, json_t *object, const char *name)
{
    assert(builder);
    mmd_buffer uri = {0};
    escape(name, &uri);
    gltf_put(builder, object, "uri", uri.failed ? NULL : json_stringn((const char *)uri.data, uri.size));
    mmd_buffer_finish(&uri);
}

/* Returns the MIME type of a picture from its first bytes; NULL: unknown. */
static const char *mime_of(const mmd_bytes *bytes)
{
    static const struct {
        const char *mime, *magic;
    } kinds[] = {{"image/png", "\x89PNG"}, {"image/jpeg", "\xFF\xD8\xFF"}, {"image/webp", "RIFF"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].magic);
        if (bytes->size >= length && memcmp(bytes->data, kinds[i].magic, length) == 0)
            return kinds[i].mime;
    }
    return NULL;
}

/* Returns whether the output has a file of this name already. */
static bool is_written(const mmd_exchange_output *output, const char *name)
{
    for (uint32_t i = 0; i < output->count; i++)
        if (strcmp(output->files[i].name, name) == 0)
            return true;
    return false;
}

void gltf_put_file(gltf_builder *builder, const char *name, const void *data, size_t size)
{
    assert(builder);
    mmd_exchange_file *file = builder->failed ? NULL : output_add(builder->job->output, name);
    if (file)
        mmd_write_bytes(&file->data, data, size);
    builder->failed = builder->failed || !file || file->data.failed;
}

/*
 * Copies an external picture of base into the output: into the .glb or as a file. One that cannot be decoded
 * keeps its URI and is reported.
 */
static void copy_picture(gltf_builder *builder, json_t *image, uint32_t number)
{
    char name[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    const char *uri = json_string_value(json_object_get(image, "uri"));
    if (!uri || strncmp(uri, "data:", 5) == 0)
        return;
    mmd_source *source = builder->base ? builder->base->textures : NULL;
    const char *inner = gltf_file_name(uri, name) ? name_inside_folder(name) : "";
    if (!source || !inner[0] || !read_whole_picture(source, inner, &bytes)) {
        gltf_loss(builder, MMD_LOSS_DROPPED, "texture.missing", "image", number, uri, "uri", "", "");
        return;
    }
    const char *mime = mime_of(&bytes);
    if (builder->job->options->binary && mime) {
        gltf_put(builder, image, "bufferView",
                 json_integer(gltf_add_view(builder, bytes.data, bytes.size, 0)));
        gltf_put(builder, image, "mimeType", json_string(mime));
        json_object_del(image, "uri");
    } else {
        if (!is_written(builder->job->output, inner))
            gltf_put_file(builder, inner, bytes.data, bytes.size);
        gltf_put_uri(builder, image, inner);
    }
    mmd_bytes_finish(&bytes);
}

static void copy_pictures(gltf_builder *builder)
{
    json_t *images = json_object_get(builder->root, "images");
    for (size_t i = 0; builder->base && !builder->failed && i < json_array_size(images); i++)
        copy_picture(builder, json_array_get(images, i), (uint32_t)i);
}

/* ----------------------------------------------------------------- buffer */

/* Joins all buffers; starts[i] receives the offset of buffer i. */
static void concatenate_buffers(const gltf_builder *builder, mmd_buffer *all, size_t *starts)
{
    for (uint32_t i = 0; i <= builder->buffer; i++) {
        const mmd_buffer *part = i < builder->buffer ? &builder->base->kept->buffers[i] : &builder->bytes;
        mmd_write_zeros(all, (4 - all->size % 4) % 4);
        starts[i] = all->size;
        if (part->size)
            mmd_write_bytes(all, part->data, part->size);
    }
}

/* Adjusts buffer and offset of a view, or of an extension that replaces them. Nobody has checked the offset
 * of an extension; one that cannot be right stays as it is. */
static void move_view(gltf_builder *builder, json_t *view, const size_t *starts)
{
    const double most = 1e15;
    double offset = json_number_value(json_object_get(view, "byteOffset"));
    json_int_t buffer = json_integer_value(json_object_get(view, "buffer"));
    if (!json_object_get(view, "buffer") || buffer < 0 || (uint64_t)buffer > builder->buffer ||
        !(offset >= 0 && offset <= most))
        return;
    bool has_offset = json_object_get(view, "byteOffset") != NULL;
    if (starts[buffer] || has_offset)
        gltf_put(builder, view, "byteOffset", json_integer((json_int_t)offset + (json_int_t)starts[buffer]));
    gltf_put(builder, view, "buffer", json_integer(0));
}

/* Adjusts all views to the joined buffer. */
static void move_views(gltf_builder *builder, const size_t *starts)
{
    json_t *views = json_object_get(builder->root, "bufferViews");
    for (size_t i = 0; i < json_array_size(views); i++) {
        json_t *view = json_array_get(views, i), *value;
        const char *key;
        move_view(builder, view, starts);
        json_object_foreach(json_object_get(view, "extensions"), key, value)
            move_view(builder, value, starts);
    }
}

/* Writes buffers[0], which keeps other members of the document's first buffer. */
static void put_buffer(gltf_builder *builder, size_t size, const char *name)
{
    json_t *list = json_object_get(builder->root, "buffers"), *first = json_array_get(list, 0);
    if (size == 0 || builder->failed) {
        json_object_del(builder->root, "buffers");
        return;
    }
    first = first ? json_incref(first) : json_object();
    json_object_del(first, "uri");
    gltf_put(builder, first, "byteLength", json_integer((json_int_t)size));
    if (name)
        gltf_put_uri(builder, first, name);
    gltf_put(builder, builder->root, "buffers", json_array());
    gltf_append(builder, "buffers", first);
}

/* -------------------------------------------------------------------- out */

/* Writes a chunk, padded to four bytes. */
static void put_chunk(mmd_buffer *out, uint32_t kind, const mmd_buffer *bytes, uint8_t padding)
{
    size_t pad = (4 - bytes->size % 4) % 4;
    mmd_write_u32(out, (uint32_t)(bytes->size + pad));
    mmd_write_u32(out, kind);
    mmd_write_bytes(out, bytes->data, bytes->size);
    while (pad-- > 0)
        mmd_write_u8(out, padding);
}

/* Writes a .glb. */
static mmd_status put_glb(const gltf_builder *builder, const mmd_buffer *all, mmd_buffer *out,
                          mmd_error *error)
{
    mmd_buffer text = {0};
    mmd_status status = json_append(builder->root, false, &text, error);
    size_t json = CHUNK_HEADER + (text.size + 3) / 4 * 4;
    size_t binary = all->size ? CHUNK_HEADER + (all->size + 3) / 4 * 4 : 0, size = GLB_HEADER + json + binary;
    if (status == MMD_OK && size > UINT32_MAX)
        status = mmd_error_set(error, MMD_ERROR_LIMIT, "glTF", MMD_NO_OFFSET, "a .glb of %zu bytes", size);
    if (status == MMD_OK) {
        mmd_write_u32(out, GLB_MAGIC);
        mmd_write_u32(out, GLB_VERSION);
        mmd_write_u32(out, (uint32_t)size);
        put_chunk(out, CHUNK_JSON, &text, ' ');
        if (all->size)
            put_chunk(out, CHUNK_BIN, all, 0);
        if (out->failed)
            status = out_of_memory(error);
    }
    mmd_buffer_finish(&text);
    return status;
}

static const char *name_of(const gltf_builder *builder)
{
    const char *name = builder->job->options->name;
    return name ? name : builder->job->options->binary ? "scene.glb" : "scene.gltf";
}

/* Derives the buffer's file name: "a/b.gltf" → "b.bin". */
static void binary_name(const gltf_builder *builder, char name[MMD_PATH_MAX])
{
    const char *main = mmd_path_name(name_of(builder)), *dot = strrchr(main, '.');
    snprintf(name, MMD_PATH_MAX, "%.*s.bin", (int)(dot && dot > main ? dot - main : (int)strlen(main)), main);
}

mmd_status gltf_put_out(gltf_builder *builder, mmd_error *error)
{
    assert(builder);
    const write_job *job = builder->job;
    char beside[MMD_PATH_MAX];
    mmd_buffer all = {0};
    size_t *starts = mmd_alloc((builder->buffer + (size_t)1) * sizeof *starts);
    mmd_exchange_file *main =
        job->output->count ? job->output->files : output_add(job->output, name_of(builder));
    builder->failed = builder->failed || !starts || !main;
    copy_pictures(builder);
    if (!builder->failed) {
        concatenate_buffers(builder, &all, starts);
        move_views(builder, starts);
        binary_name(builder, beside);
        put_buffer(builder, all.size, job->options->binary ? NULL : beside);
    }
    if (!job->options->binary && all.size && !all.failed)
        gltf_put_file(builder, beside, all.data, all.size);
    mmd_status status = builder->failed || all.failed ? out_of_memory(error)
                        : job->options->binary        ? put_glb(builder, &all, &main->data, error)
                                                      : json_append(builder->root, true, &main->data, error);
    mmd_buffer_finish(&all);
    mmd_free(starts);
    return status;
}

/* ------------------------------------------------------------------ parts */

/*
 * Finds the glTF to extend: the input itself, or a kept one unless the mesh was edited. The mesh of a Ragdoll
 * is made from its shapes and so never differs.
 */
static void find_base(gltf_builder *builder)
{
    const write_job *job = builder->job;
    const mmd_exchange_kept *kept = job->kept;
    if (job->source == MMD_EXCHANGE_GLTF) {
        builder->base = job->input->document;
        return;
    }
    if (!kept || kept->format != MMD_EXCHANGE_GLTF || !kept->source)
        return;
    if (job->source != MMD_EXCHANGE_RAGDOLL && (!job->model || kept->mesh_stamp != stamp_mesh(job->model)))
        return;
    mmd_buffer text = {0};
    if (json_append(kept->source, false, &text, NULL) == MMD_OK)
        mmd_exchange_read(text.data, text.size, NULL, NULL, &builder->read, NULL);
    mmd_buffer_finish(&text);
    if (builder->read && builder->read->format == MMD_EXCHANGE_GLTF)
        builder->base = builder->read;
}

/* Returns the target's dialect: the option, else that of base, else the default. */
static mmd_dialect dialect_of(const gltf_builder *builder)
{
    mmd_dialect dialect = builder->job->options->dialect;
    if (dialect == MMD_DIALECT_NONE && builder->base)
        dialect = builder->base->dialect;
    return dialect == MMD_DIALECT_NONE ? MMD_DIALECT_KHR_COLLISION_SHAPES : dialect;
}

/*
 * Writes the source for the way back into extras.mmd. A PMX is stored as base64: programs that load and save
 * a glTF keep extras, but drop buffer bytes that only extras refer to.
 */
static void put_kept(gltf_builder *builder)
{
    const write_job *job = builder->job;
    json_t *source = NULL;
    if (builder->failed)
        return;
    if (job->pmx && job->pmx->size)
        source = keep_base64(job->pmx->data, job->pmx->size);
    else if (job->document)
        source = json_deep_copy(job->document);
    else
        return;
    builder->failed = builder->failed || !source;
    if (source)
        gltf_put(builder, gltf_object(builder, builder->root, "extras"), "mmd", keep_json(job, source));
}

/* Returns the nodes of bodies and joints to the caller. */
static void report_items(const gltf_builder *builder)
{
    const write_job *job = builder->job;
    for (uint32_t i = 0; job->body_items && i < job->scene->body_count; i++)
        job->body_items[i] = builder->node_of_body[i];
    for (uint32_t i = 0; job->joint_items && i < job->scene->joint_count; i++)
        job->joint_items[i] = builder->node_of_joint[i];
}

static void builder_finish(gltf_builder *builder)
{
    json_decref(builder->root);
    json_decref(builder->names);
    mmd_buffer_finish(&builder->bytes);
    mmd_free(builder->transforms);
    mmd_free(builder->node_of_bone);
    mmd_free(builder->node_of_body);
    mmd_free(builder->node_of_joint);
    mmd_exchange_destroy(builder->read);
}

mmd_status gltf_write(const write_job *job, mmd_error *error)
{
    assert(job);
    gltf_builder builder = {.job = job};
    builder.failed = !output_add(job->output, name_of(&builder)); /* the main file comes first */
    find_base(&builder);
    gltf_write_layout(&builder);
    if (!builder.failed && builder.base)
        gltf_strip_physics(&builder);
    if (!builder.failed && !builder.base)
        gltf_write_model(&builder);
    if (!builder.failed)
        gltf_write_physics(&builder, dialect_of(&builder));
    if (!builder.failed) {
        report_items(&builder);
        put_kept(&builder);
    }
    mmd_status status = builder.failed ? out_of_memory(error) : gltf_put_out(&builder, error);
    builder_finish(&builder);
    return status;
}
