/* Reads and writes planes of pictures (exr.h) in memory, with OpenEXR's C interface. */
#include "exr.h"

#include <math.h>
#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/cursor.h"
#include "mmd/source.h"

/* CHUNK_MAX: bytes of a chunk. The library takes several times as much while it decodes one. */
enum { CHANNELS_MAX = 64, CHUNK_MAX = 16 << 20 };

static const char names_attribute[] = "odori.ids", origin_attribute[] = "odori.scene";
static const char *const id_channels[] = {"id.model", "id.material", "id.bone"};
static const char *const normal_channels[] = {"N.X", "N.Y", "N.Z"};

/* Keeps the library from printing; its codes are reported instead. */
static void say_nothing(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context, (void)code, (void)text;
}

static mmd_status fail(mmd_error *error, mmd_status code, const char *text)
{
    return mmd_error_set(error, code, "EXR", MMD_NO_OFFSET, "%s", text);
}

/* Converts a result of the library. */
static mmd_status status_of(exr_result_t code, mmd_error *error)
{
    if (code == EXR_ERR_SUCCESS)
        return MMD_OK;
    if (code == EXR_ERR_OUT_OF_MEMORY)
        return fail(error, MMD_ERROR_MEMORY, "out of memory");
    return mmd_error_set(error, MMD_ERROR_SYNTAX, "EXR", MMD_NO_OFFSET, "the file is damaged: %s",
                         exr_get_default_error_message(code));
}

/* --- Writing --- */

/* A channel's first value, and the bytes from one pixel to the next. */
typedef struct channel_source {
    const void *first;
    int32_t stride;
} channel_source;

/* Stores bytes at any offset of a buffer (exr_write_func_ptr_t). */
static int64_t store(exr_const_context_t context, void *user, const void *bytes, uint64_t size,
                     uint64_t offset, exr_stream_error_func_ptr_t report)
{
    mmd_buffer *buffer = user;
    (void)context, (void)report;
    if (offset + size > buffer->size)
        mmd_write_zeros(buffer, (size_t)(offset + size) - buffer->size);
    if (buffer->failed)
        return -1;
    memcpy(buffer->data + offset, bytes, (size_t)size);
    return (int64_t)size;
}

/* Finds what a channel is written from. */
static channel_source source_of(const exr_planes *planes, const char *name)
{
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, id_channels[k]) == 0)
            return (channel_source){&planes->ids->ids[0][k], sizeof *planes->ids->ids};
        if (strcmp(name, normal_channels[k]) == 0)
            return (channel_source){&planes->surfaces->normal[k], sizeof *planes->surfaces};
    }
    return (channel_source){&planes->surfaces->depth, sizeof *planes->surfaces};
}

static exr_result_t add_channel(exr_context_t context, const char *name, exr_pixel_type_t type)
{
    return exr_add_channel(context, 0, name, type, EXR_PERCEPTUALLY_LINEAR, 1, 1);
}

static exr_result_t add_channels(exr_context_t context, unsigned kinds)
{
    exr_result_t code = EXR_ERR_SUCCESS;
    if (kinds & EXR_DEPTH)
        code = add_channel(context, "Z", EXR_PIXEL_FLOAT);
    for (int k = 0; k < 3 && code == EXR_ERR_SUCCESS; k++) {
        if (kinds & EXR_NORMALS)
            code = add_channel(context, normal_channels[k], EXR_PIXEL_FLOAT);
        if ((kinds & EXR_IDS) && code == EXR_ERR_SUCCESS)
            code = add_channel(context, id_channels[k], EXR_PIXEL_UINT);
    }
    return code;
}

/* Writes the header: size, channels, and what the ids mean. */
static exr_result_t write_header(exr_context_t context, const exr_planes *planes, const char *names)
{
    int part;
    exr_result_t code = exr_add_part(context, "planes", EXR_STORAGE_SCANLINE, &part);
    if (code == EXR_ERR_SUCCESS)
        code = exr_initialize_required_attr_simple(context, 0, (int32_t)planes->ids->width,
                                                   (int32_t)planes->ids->height, EXR_COMPRESSION_ZIP);
    if (code == EXR_ERR_SUCCESS)
        code = add_channels(context, planes->kinds);
    if (code == EXR_ERR_SUCCESS && names)
        code = exr_attr_set_string(context, 0, names_attribute, names);
    if (code == EXR_ERR_SUCCESS && planes->origin)
        code = exr_attr_set_string(context, 0, origin_attribute, planes->origin);
    return code == EXR_ERR_SUCCESS ? exr_write_header(context) : code;
}

/* Points the encoder to the rows of a chunk that begins at row y. */
static void set_rows(exr_encode_pipeline_t *encoder, const exr_planes *planes, uint32_t y)
{
    for (int16_t c = 0; c < encoder->channel_count; c++) {
        exr_coding_channel_info_t *channel = &encoder->channels[c];
        const channel_source source = source_of(planes, channel->channel_name);
        size_t row = (size_t)source.stride * planes->ids->width;
        channel->encode_from_ptr = (const uint8_t *)source.first + y * row;
        channel->user_pixel_stride = source.stride;
        channel->user_line_stride = (int32_t)row;
        channel->user_bytes_per_element = 4;
        channel->user_data_type = channel->data_type;
    }
}

static exr_result_t write_chunks(exr_context_t context, const exr_planes *planes)
{
    exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines = 1;
    exr_result_t code = exr_get_scanlines_per_chunk(context, 0, &lines);
    for (uint32_t y = 0; y < planes->ids->height && code == EXR_ERR_SUCCESS; y += (uint32_t)lines) {
        exr_chunk_info_t chunk = {0};
        code = exr_write_scanline_chunk_info(context, 0, (int)y, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code = y ? exr_encoding_update(context, 0, &chunk, &encoder)
                     : exr_encoding_initialize(context, 0, &chunk, &encoder);
        if (code == EXR_ERR_SUCCESS)
            set_rows(&encoder, planes, y);
        if (code == EXR_ERR_SUCCESS && y == 0)
            code = exr_encoding_choose_default_routines(context, 0, &encoder);
        if (code == EXR_ERR_SUCCESS)
            code = exr_encoding_run(context, 0, &encoder);
    }
    exr_encoding_destroy(context, &encoder);
    return code;
}

mmd_status exr_write(const exr_planes *planes, mmd_buffer *exr, mmd_error *error)
{
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = say_nothing;
    how.alloc_fn = mmd_alloc;
    how.free_fn = mmd_free;
    how.user_data = exr;
    how.write_fn = store;
    exr_context_t context = NULL;
    char *names = planes->kinds & EXR_IDS ? ids_names(planes->ids) : NULL;
    if ((planes->kinds & EXR_IDS) && !names)
        return fail(error, MMD_ERROR_MEMORY, "out of memory");
    exr_result_t code = exr_start_write(&context, "planes.exr", EXR_WRITE_FILE_DIRECTLY, &how);
    if (code == EXR_ERR_SUCCESS)
        code = write_header(context, planes, names);
    if (code == EXR_ERR_SUCCESS)
        code = write_chunks(context, planes);
    exr_result_t ended = context ? exr_finish(&context) : EXR_ERR_SUCCESS;
    free(names);
    if (exr->failed)
        return fail(error, MMD_ERROR_MEMORY, "out of memory");
    return status_of(code == EXR_ERR_SUCCESS ? ended : code, error);
}

bool exr_path_beside(const char *picture, char *path, size_t capacity)
{
    const char *name = mmd_path_name(picture), *dot = strrchr(name, '.');
    int length = (int)(dot && dot != name ? dot - picture : (ptrdiff_t)strlen(picture));
    int size = snprintf(path, capacity, "%.*s.exr", length, picture);
    return size > 0 && (size_t)size < capacity && strcmp(path, picture) != 0;
}

/* --- Reading --- */

/* A file in memory, and what is known of it once it is open. */
typedef struct exr_file {
    const uint8_t *data;
    size_t size;
    exr_context_t context;
    uint32_t width, height;
    int32_t top, lines; /* the first row's number; rows of a chunk */
    size_t channel_count;
    mmd_error *error;
} exr_file;

/* Receives a row of a channel: uint32_t if is_whole, else float. */
typedef void exr_take_row(void *user, const char *channel, bool is_whole, uint32_t y, const void *values);

/* Copies bytes of the file (exr_read_func_ptr_t). */
static int64_t fetch(exr_const_context_t context, void *user, void *bytes, uint64_t size, uint64_t offset,
                     exr_stream_error_func_ptr_t report)
{
    const exr_file *file = user;
    (void)context, (void)report;
    if (offset >= file->size)
        return 0;
    if (size > file->size - offset)
        size = file->size - offset;
    memcpy(bytes, file->data + offset, (size_t)size);
    return (int64_t)size;
}

static int64_t tell_size(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const exr_file *)user)->size;
}

bool exr_is(const void *data, size_t size)
{
    static const uint8_t magic[] = {0x76, 0x2f, 0x31, 0x01};
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

/* Checks that a file is of a kind that is read: one part of scan lines, in a compression that zlib undoes. */
static mmd_status check_kind(exr_file *file)
{
    int parts = 0;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    mmd_status status = status_of(exr_get_count(file->context, &parts), file->error);
    if (status == MMD_OK && parts != 1)
        return fail(file->error, MMD_ERROR_UNSUPPORTED,
                    "the file has several parts; write one part to a file");
    if (status == MMD_OK)
        status = status_of(exr_get_storage(file->context, 0, &storage), file->error);
    if (status == MMD_OK && storage != EXR_STORAGE_SCANLINE)
        return fail(file->error, MMD_ERROR_UNSUPPORTED,
                    "the file has tiles or deep pixels; write flat scan lines");
    if (status == MMD_OK)
        status = status_of(exr_get_compression(file->context, 0, &compression), file->error);
    if (status == MMD_OK && compression > EXR_COMPRESSION_ZIP)
        return fail(file->error, MMD_ERROR_UNSUPPORTED,
                    "this compression is not read; write the file with ZIP, RLE or none");
    return status;
}

/* Reads size and number of channels, and checks them. */
static mmd_status check_size(exr_file *file)
{
    exr_attr_box2i_t window = {0};
    const exr_attr_chlist_t *channels = NULL;
    mmd_status status = status_of(exr_get_data_window(file->context, 0, &window), file->error);
    if (status == MMD_OK)
        status = status_of(exr_get_channels(file->context, 0, &channels), file->error);
    if (status == MMD_OK)
        status = status_of(exr_get_scanlines_per_chunk(file->context, 0, &file->lines), file->error);
    if (status != MMD_OK)
        return status;
    int64_t width = (int64_t)window.max.x - window.min.x + 1,
            height = (int64_t)window.max.y - window.min.y + 1;
    if (width < 1 || height < 1 || width > MMD_IMAGE_SIZE_MAX || height > MMD_IMAGE_SIZE_MAX)
        return mmd_error_set(file->error, MMD_ERROR_LIMIT, "EXR", MMD_NO_OFFSET,
                             "the picture has %lld x %lld pixels, and at most %d x %d are read",
                             (long long)width, (long long)height, MMD_IMAGE_SIZE_MAX, MMD_IMAGE_SIZE_MAX);
    if (channels->num_channels < 1 || channels->num_channels > CHANNELS_MAX || file->lines < 1)
        return mmd_error_set(file->error, MMD_ERROR_LIMIT, "EXR", MMD_NO_OFFSET,
                             "the file has %d channels, and 1 to %d are read", channels->num_channels,
                             CHANNELS_MAX);
    if (4 * width * file->lines * channels->num_channels > CHUNK_MAX)
        return mmd_error_set(file->error, MMD_ERROR_LIMIT, "EXR", MMD_NO_OFFSET,
                             "%d channels of %lld pixels in a row are too many; write fewer channels",
                             channels->num_channels, (long long)width);
    for (int c = 0; c < channels->num_channels; c++)
        if (channels->entries[c].x_sampling != 1 || channels->entries[c].y_sampling != 1)
            return fail(file->error, MMD_ERROR_UNSUPPORTED, "a channel has fewer samples than pixels");
    file->width = (uint32_t)width, file->height = (uint32_t)height;
    file->top = window.min.y;
    file->channel_count = (size_t)channels->num_channels;
    return MMD_OK;
}

static mmd_status open_file(exr_file *file)
{
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = say_nothing;
    how.alloc_fn = mmd_alloc;
    how.free_fn = mmd_free;
    how.user_data = file;
    how.read_fn = fetch;
    how.size_fn = tell_size;
    how.max_image_width = how.max_image_height = MMD_IMAGE_SIZE_MAX;
    how.max_tile_width = how.max_tile_height = MMD_IMAGE_SIZE_MAX;
    how.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    if (!exr_is(file->data, file->size))
        return fail(file->error, MMD_ERROR_MAGIC, "not an OpenEXR file");
    mmd_status status = status_of(exr_start_read(&file->context, "planes.exr", &how), file->error);
    if (status == MMD_OK)
        status = check_kind(file);
    return status == MMD_OK ? check_size(file) : status;
}

/* Points the decoder to the rows of a chunk, channel after channel. */
static void aim_rows(exr_decode_pipeline_t *decoder, const exr_file *file, uint8_t *room)
{
    size_t row = 4 * (size_t)file->width, plane = row * (size_t)file->lines;
    for (int16_t c = 0; c < decoder->channel_count; c++) {
        exr_coding_channel_info_t *channel = &decoder->channels[c];
        channel->decode_to_ptr = room + (size_t)c * plane;
        channel->user_pixel_stride = 4;
        channel->user_line_stride = (int32_t)row;
        channel->user_bytes_per_element = 4;
        channel->user_data_type = channel->data_type == EXR_PIXEL_UINT ? EXR_PIXEL_UINT : EXR_PIXEL_FLOAT;
    }
}

/* Passes on the rows of a decoded chunk that begins at row y of the picture. */
static void pass_rows(const exr_decode_pipeline_t *decoder, const exr_file *file, const uint8_t *room,
                      uint32_t y, exr_take_row *take, void *user)
{
    size_t row = 4 * (size_t)file->width;
    for (int16_t c = 0; c < decoder->channel_count; c++) {
        const exr_coding_channel_info_t *channel = &decoder->channels[c];
        for (uint32_t i = 0; i < (uint32_t)file->lines && y + i < file->height; i++)
            take(user, channel->channel_name, channel->data_type == EXR_PIXEL_UINT, y + i,
                 room + ((size_t)c * (size_t)file->lines + i) * row);
    }
}

/* Decodes all rows of an open file. */
static mmd_status read_rows(exr_file *file, exr_take_row *take, void *user)
{
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    size_t room_size = 4 * (size_t)file->width * (size_t)file->lines * file->channel_count;
    uint8_t *room = mmd_alloc(room_size);
    if (!room)
        return fail(file->error, MMD_ERROR_MEMORY, "out of memory");
    exr_result_t code = EXR_ERR_SUCCESS;
    for (uint32_t y = 0; y < file->height && code == EXR_ERR_SUCCESS; y += (uint32_t)file->lines) {
        exr_chunk_info_t chunk = {0};
        code = exr_read_scanline_chunk_info(file->context, 0, file->top + (int)y, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code = y ? exr_decoding_update(file->context, 0, &chunk, &decoder)
                     : exr_decoding_initialize(file->context, 0, &chunk, &decoder);
        if (code == EXR_ERR_SUCCESS && (size_t)decoder.channel_count != file->channel_count)
            code = EXR_ERR_BAD_CHUNK_LEADER;
        if (code == EXR_ERR_SUCCESS)
            aim_rows(&decoder, file, room);
        if (code == EXR_ERR_SUCCESS && y == 0)
            code = exr_decoding_choose_default_routines(file->context, 0, &decoder);
        if (code == EXR_ERR_SUCCESS)
            code = exr_decoding_run(file->context, 0, &decoder);
        if (code == EXR_ERR_SUCCESS)
            pass_rows(&decoder, file, room, y, take, user);
    }
    exr_decoding_destroy(file->context, &decoder);
    mmd_free(room);
    return status_of(code, file->error);
}

static void close_file(exr_file *file)
{
    if (file->context)
        exr_finish(&file->context);
}

/* --- Reading ids --- */

/* Stores a row of ids (exr_take_row). */
static void take_ids(void *user, const char *channel, bool is_whole, uint32_t y, const void *values)
{
    ids_picture *ids = user;
    for (int k = 0; k < 3; k++)
        for (uint32_t x = 0; is_whole && strcmp(channel, id_channels[k]) == 0 && x < ids->width; x++)
            ids->ids[(size_t)y * ids->width + x][k] = ((const uint32_t *)values)[x];
}

/* Returns whether a file has all channels of ids, as whole numbers. */
static bool has_ids(const exr_file *file)
{
    const exr_attr_chlist_t *channels = NULL;
    int found = 0;
    if (exr_get_channels(file->context, 0, &channels) != EXR_ERR_SUCCESS)
        return false;
    for (int c = 0; c < channels->num_channels; c++)
        for (int k = 0; k < 3; k++)
            found += channels->entries[c].pixel_type == EXR_PIXEL_UINT &&
                     strcmp(channels->entries[c].name.str, id_channels[k]) == 0;
    return found == 3;
}

/* Returns a copy of the names in the header, for mmd_free; NULL: there are none, or out of memory. */
static char *copy_names(const exr_file *file)
{
    int32_t length = 0;
    const char *text = NULL;
    if (exr_attr_get_string(file->context, 0, names_attribute, &length, &text) != EXR_ERR_SUCCESS || !text ||
        length < 0)
        return NULL;
    char *copy = mmd_alloc((size_t)length + 1);
    if (copy) {
        memcpy(copy, text, (size_t)length);
        copy[length] = '\0';
    }
    return copy;
}

static mmd_status read_ids(exr_file *file, ids_picture *ids)
{
    if (file->width != ids->width || file->height != ids->height)
        return fail(file->error, MMD_ERROR_VALUE, "the size is not that of the picture");
    if (!has_ids(file))
        return fail(file->error, MMD_ERROR_MAGIC, "the file has no ids, which `odori shot --aov ids` writes");
    ids->ids = mmd_arena_alloc(&ids->arena, (size_t)ids->width * ids->height, sizeof *ids->ids);
    if (!ids->ids)
        return fail(file->error, MMD_ERROR_MEMORY, "out of memory");
    char *names = copy_names(file);
    if (!names)
        return fail(file->error, MMD_ERROR_MAGIC, "the names of the ids are missing");
    mmd_status status = read_rows(file, take_ids, ids);
    if (status == MMD_OK)
        status = ids_apply_names(ids, names, file->error);
    mmd_free(names);
    return status;
}

mmd_status exr_read_ids(const void *data, size_t size, uint32_t width, uint32_t height, ids_picture *ids,
                        mmd_error *error)
{
    exr_file file = {.data = data, .size = size, .error = error};
    *ids = (ids_picture){.width = width, .height = height};
    mmd_status status = open_file(&file);
    if (status == MMD_OK)
        status = read_ids(&file, ids);
    close_file(&file);
    return status;
}

/* --- Reading masks --- */

/* Returns whether a channel has this name, within any layer. */
static bool is_channel(const char *channel, const char *name)
{
    const char *dot = strrchr(channel, '.');
    return strcmp(dot ? dot + 1 : channel, name) == 0;
}

/* While rows are read, red is not 0 where a channel shows something, and alpha is 0 where a channel A is
 * (exr_take_row). */
static void take_mask(void *user, const char *channel, bool is_whole, uint32_t y, const void *values)
{
    mmd_image *image = user;
    bool is_alpha = is_channel(channel, "A"), is_depth = strcmp(channel, "Z") == 0;
    for (uint32_t x = 0; x < image->width; x++) {
        uint8_t *pixel = image->pixels + 4 * ((size_t)y * image->width + x);
        float value = is_whole ? (float)((const uint32_t *)values)[x] : ((const float *)values)[x];
        bool shows = !isnan(value) && value != 0.0f && !(is_depth && value >= EXR_NO_DEPTH);
        if (is_alpha)
            pixel[3] = shows ? pixel[3] : 0;
        else if (shows)
            pixel[0] = 255;
        pixel[1] = is_alpha ? pixel[1] : 255; /* green: a channel other than A */
    }
}

/* Makes pixels black where nothing is shown, else white. */
static void finish_mask(mmd_image *image)
{
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        uint8_t *pixel = image->pixels + 4 * i;
        bool shows = pixel[3] && (pixel[0] || !pixel[1]);
        memset(pixel, shows ? 255 : 0, 3);
        pixel[3] = 255;
    }
    image->has_alpha = false;
}

mmd_status exr_read_mask(const void *data, size_t size, mmd_image *image, mmd_error *error)
{
    exr_file file = {.data = data, .size = size, .error = error};
    *image = (mmd_image){0};
    mmd_status status = open_file(&file);
    if (status == MMD_OK)
        status = mmd_image_init(image, file.width, file.height, error);
    for (size_t i = 0; status == MMD_OK && i < (size_t)file.width * file.height; i++)
        memcpy(image->pixels + 4 * i, (const uint8_t[]){0, 0, 0, 255}, 4);
    if (status == MMD_OK)
        status = read_rows(&file, take_mask, image);
    if (status == MMD_OK)
        finish_mask(image);
    close_file(&file);
    return status;
}
