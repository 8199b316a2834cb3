#include "input_hashes.h"

#include "mmd/memory.h"
#include "place.h"

digest file_digest(const char *path)
{
    mmd_bytes bytes = {0};
    digest d = {""};
    if (place_read(path, &bytes, NULL) == MMD_OK)
        d = digest_of(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return d;
}

static digest texture_digest(const texture_place *place, const char *name)
{
    char path[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    digest d = {""};
    if (textures_find(place, name, path) && mmd_source_read(place->source, path, &bytes, NULL) == MMD_OK)
        d = digest_of(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return d;
}

bool texture_digests_read(texture_digests *digests, const mmd_model *model, const texture_place *place)
{
    digest_stream stream = digest_begin();
    *digests = (texture_digests){.items = mmd_alloc(model->texture_count * sizeof *digests->items)};
    for (uint32_t i = 0; digests->items && i < model->texture_count; i++) {
        digests->items[i] = texture_digest(place, model->textures[i]);
        digest_add_text(&stream, model->textures[i]);
        digest_add_text(&stream, digests->items[i].text);
        digests->count++;
    }
    digests->all = digest_end(&stream);
    return digests->items != NULL;
}

void texture_digests_finish(texture_digests *digests)
{
    mmd_free(digests->items);
    *digests = (texture_digests){0};
}

digest accessory_digest(const char *path, const mmd_vac *vac)
{
    texture_place place = textures_beside(path);
    digest d = place.source ? texture_digest(&place, vac->file) : (digest){""};
    mmd_source_destroy(place.source);
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
