/* Reads channels of OpenEXR files with the library, without any help of the program. */
#ifndef ODORI_TEST_EXR_CHANNEL_H
#define ODORI_TEST_EXR_CHANNEL_H

#include <openexr.h>

#include "support.h"

typedef struct exr_memory {
    const uint8_t *data;
    size_t size;
} exr_memory;

static inline int64_t exr_fetch(exr_const_context_t context, void *user, void *bytes, uint64_t size,
                                uint64_t offset, exr_stream_error_func_ptr_t report)
{
    const exr_memory *file = user;
    (void)context, (void)report;
    if (offset >= file->size)
        return 0;
    if (size > file->size - offset)
        size = file->size - offset;
    memcpy(bytes, file->data + offset, size);
    return (int64_t)size;
}

static inline int64_t exr_tell_size(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const exr_memory *)user)->size;
}

/* Opens a file; exr_finish closes it. */
static inline exr_context_t exr_open_memory(exr_memory *file)
{
    exr_context_t context = NULL;
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.user_data = file;
    how.read_fn = exr_fetch;
    how.size_fn = exr_tell_size;
    assert_int_equal(exr_start_read(&context, "sample.exr", &how), EXR_ERR_SUCCESS);
    return context;
}

/* Reads a channel of 32-bit values from a file of ZIP, which has 16 rows in a chunk. */
static inline void exr_read_channel(exr_context_t context, const char *name, exr_pixel_type_t type,
                                    void *values)
{
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_attr_box2i_t window;
    bool found = false;
    assert_int_equal(exr_get_data_window(context, 0, &window), EXR_ERR_SUCCESS);
    int width = window.max.x + 1;
    for (int y = 0; y <= window.max.y; y += 16) {
        exr_chunk_info_t chunk;
        assert_int_equal(exr_read_scanline_chunk_info(context, 0, y, &chunk), EXR_ERR_SUCCESS);
        assert_int_equal(y ? exr_decoding_update(context, 0, &chunk, &decoder)
                           : exr_decoding_initialize(context, 0, &chunk, &decoder),
                         EXR_ERR_SUCCESS);
        for (int c = 0; c < decoder.channel_count; c++) {
            exr_coding_channel_info_t *channel = &decoder.channels[c];
            if (strcmp(channel->channel_name, name) != 0)
                continue;
            assert_int_equal(channel->data_type, type);
            channel->decode_to_ptr = (uint8_t *)values + (size_t)4 * (size_t)width * (size_t)y;
            channel->user_pixel_stride = 4;
            channel->user_line_stride = 4 * width;
            found = true;
        }
        if (y == 0)
            assert_int_equal(exr_decoding_choose_default_routines(context, 0, &decoder), EXR_ERR_SUCCESS);
        assert_int_equal(exr_decoding_run(context, 0, &decoder), EXR_ERR_SUCCESS);
    }
    assert_true(found);
    exr_decoding_destroy(context, &decoder);
}

#endif
