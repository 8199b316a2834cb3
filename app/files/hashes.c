#include "hashes.h"

#include <stdio.h>
#include <string.h>

#include "mmd/assemble.h"
#include "mmd/image.h"
#include "mmd/memory.h"

digest file_digest(const char *path)
{
    mmd_bytes bytes = {0};
    digest d = {""};
    if (mmd_locate_read(path, &bytes, NULL) == MMD_OK)
        d = digest_of(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return d;
}

/* Hashing pictures, one after another. */
typedef struct picture_hasher {
    mmd_source *source;
    uint64_t budget; /* bytes that decoding further pictures may take */
    digest last;     /* of the previous file, and whether that is a picture */
    bool last_is_picture;
} picture_hasher;

/* Hashes a file if it is a picture; "" otherwise. */
static digest picture_digest(picture_hasher *h, const char *path)
{
    mmd_bytes bytes = {0};
    if (mmd_source_read(h->source, path, &bytes, NULL) != MMD_OK)
        return (digest){""};
    digest d = digest_of(bytes.data, bytes.size);
    bool is_known = h->last_is_picture && digest_equal(&d, &h->last);
    h->last_is_picture = is_known || mmd_image_is_picture(bytes.data, bytes.size, path, &h->budget);
    h->last = d;
    mmd_bytes_finish(&bytes);
    return h->last_is_picture ? d : (digest){""};
}

bool texture_digests_read(texture_digests *digests, const mmd_model *model,
                          const mmd_texture_location *location)
{
    digest_stream stream = digest_begin();
    picture_hasher hasher = {.source = location->source, .budget = TEXTURES_DECODED_MAX};
    mmd_texture_files files;
    *digests = (texture_digests){.items = mmd_alloc(model->texture_count * sizeof *digests->items)};
    bool found = mmd_texture_files_find(&files, model, location) && digests->items;
    for (uint32_t i = 0; found && i < model->texture_count; i++) {
        uint32_t next = files.order[i];
        if (files.items[next].path && files.items[next].first == next)
            digests->items[next] = picture_digest(&hasher, files.items[next].path);
    }
    for (uint32_t i = 0; found && i < model->texture_count; i++) {
        const mmd_texture_file *file = &files.items[i];
        if (!file->path)
            digests->items[i] = (digest){""};
        else if (file->first < i)
            digests->items[i] = digests->items[file->first];
        digest_add_text(&stream, model->textures[i]);
        digest_add_text(&stream, digests->items[i].text);
        digests->count++;
    }
    digests->all = digest_end(&stream);
    mmd_texture_files_finish(&files);
    return found;
}

void texture_digests_finish(texture_digests *digests)
{
    mmd_free(digests->items);
    *digests = (texture_digests){0};
}

digest accessory_digest(const char *path, const mmd_vac *vac)
{
    char found[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    digest d = {""};
    mmd_texture_location location = mmd_textures_beside(path, MMD_NAMED_ACCESSORY);
    if (location.source && mmd_textures_find(&location, vac->file, found, NULL) == MMD_OK &&
        mmd_source_read(location.source, found, &bytes, NULL) == MMD_OK)
        d = digest_of(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(location.source);
    return d;
}

digest model_digest(const mmd_model *model)
{
    mmd_buffer pmx = {0};
    digest d = {""};
    if (mmd_pmx_write(model, &pmx, NULL) == MMD_OK)
        d = digest_of(pmx.data, pmx.size);
    mmd_buffer_finish(&pmx);
    return d;
}
