/* Model files of any kind, and the files beside them that they are made of. */
#include <stdio.h>
#include <string.h>

#include "mmd/archive.h"
#include "mmd/assemble.h"

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

void mmd_model_file_destroy_model(mmd_model *model, mmd_exchange *document)
{
    if (document)
        mmd_exchange_destroy(document);
    else
        mmd_model_destroy(model);
}

void mmd_model_file_finish(mmd_model_file *file)
{
    mmd_model_file_destroy_model(file->model, file->document);
    mmd_source_destroy(file->textures.source);
    mmd_vac_destroy(file->vac);
    *file = (mmd_model_file){0};
}

/*
 * Names a model after its file, because .x files contain no name. Leaves it without a name if out of memory.
 */
static void name_accessory(mmd_model *model, const char *path)
{
    const char *file = mmd_path_name(path);
    char *name = model->name[0] ? NULL : mmd_arena_text(&model->arena, file, strlen(file));
    if (name)
        model->name = name;
}

/* Reads the .x file of a .vac. Its textures are beside it, not beside the .vac. */
static mmd_status read_accessory(const char *path, mmd_model_file *file, mmd_error *error)
{
    char found[MMD_PATH_MAX], name[MMD_ERROR_FILE_MAX];
    mmd_bytes bytes = {0};
    mmd_error why = {0};
    mmd_status status = mmd_textures_find(&file->textures, file->vac->file, found, &why);
    if (status == MMD_ERROR_REFUSED)
        return mmd_error_set(error, status, "", MMD_NO_OFFSET, "the accessory \"%.80s\" that it names is %s",
                             file->vac->file, why.message);
    if (status != MMD_OK)
        return mmd_error_set(error, status, "", MMD_NO_OFFSET,
                             "the accessory \"%.150s\" that it names was not found", file->vac->file);
    status = mmd_source_read(file->textures.source, found, &bytes, error);
    if (status == MMD_OK)
        status = mmd_x_read(bytes.data, bytes.size, &file->model, error);
    mmd_bytes_finish(&bytes);
    mmd_path_folder(found, file->textures.folder, sizeof file->textures.folder);
    if (status == MMD_OK)
        name_accessory(file->model, found);
    if (status != MMD_OK && error) {
        snprintf(name, sizeof name, "%.100s (named by %.120s)", mmd_path_name(found), mmd_path_name(path));
        error->file[0] = '\0';
        mmd_error_set_file(error, name);
    }
    return status;
}

/* Pictures of a document: embedded ones, and files beside it. */
typedef struct document_pictures {
    mmd_source *of_document, *beside;
} document_pictures;

static mmd_status read_picture(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    return mmd_source_read(((document_pictures *)self)->of_document, name, bytes, error);
}

static bool list_pictures(void *self, const char *folder,
                          bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    return mmd_source_list(((document_pictures *)self)->of_document, folder, visit, user);
}

static void destroy_pictures(void *self)
{
    mmd_source_destroy(((document_pictures *)self)->beside);
    mmd_free(self);
}

/* Makes the document's pictures available as textures. The original source stays alive inside of the new one,
 * because the document reads files through it. */
static bool take_pictures(mmd_model_file *file)
{
    static const mmd_source_ops ops = {read_picture, list_pictures, destroy_pictures};
    document_pictures *self = mmd_alloc(sizeof *self);
    mmd_source *source = self ? mmd_source_create(&ops, self) : NULL;
    if (!source) {
        mmd_free(self);
        return false;
    }
    *self = (document_pictures){file->document->textures, file->textures.source};
    file->textures.source = source;
    file->textures.folder[0] = '\0';
    return true;
}

static mmd_status read_exchange(const mmd_bytes *bytes, mmd_model_file *file, mmd_error *error)
{
    mmd_status status = mmd_exchange_read(bytes->data, bytes->size, file->textures.source,
                                          file->textures.folder, &file->document, error);
    if (status != MMD_OK)
        return status;
    file->model = file->document->model;
    return !file->document->textures || take_pictures(file) ? MMD_OK : no_memory(error);
}

static mmd_status parse(const char *path, const mmd_bytes *bytes, mmd_model_file *file, mmd_error *error)
{
    mmd_status status;
    switch (mmd_file_detect(bytes->data, bytes->size)) {
    case MMD_FILE_VAC:
        status = mmd_vac_read(bytes->data, bytes->size, &file->vac, error);
        return status == MMD_OK ? read_accessory(path, file, error) : status;
    case MMD_FILE_PMM:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "a project instead of a model; use play, shot, dump or check to open it");
    default:
        if (mmd_exchange_detect(bytes->data, bytes->size) != MMD_EXCHANGE_UNKNOWN)
            return read_exchange(bytes, file, error);
        status = mmd_model_read(bytes->data, bytes->size, &file->model, error);
    }
    if (status == MMD_OK && file->model->origin == MMD_ORIGIN_X)
        name_accessory(file->model, path);
    return status;
}

mmd_status mmd_model_file_parse(const char *path, const mmd_bytes *bytes, mmd_model_file *file,
                                mmd_error *error)
{
    bool is_vac = mmd_file_detect(bytes->data, bytes->size) == MMD_FILE_VAC;
    bool is_exchange = mmd_exchange_detect(bytes->data, bytes->size) != MMD_EXCHANGE_UNKNOWN;
    mmd_named_files also = is_vac        ? MMD_NAMED_ACCESSORY
                           : is_exchange ? MMD_NAMED_BUFFERS
                                         : MMD_NAMED_PICTURES;
    *file = (mmd_model_file){.textures = mmd_textures_beside(path, also)};
    mmd_status status = file->textures.source ? parse(path, bytes, file, error) : no_memory(error);
    mmd_error_set_file(error, path);
    if (status != MMD_OK)
        mmd_model_file_finish(file);
    return status;
}

mmd_status mmd_model_file_choose(const char *path, const mmd_log *log, mmd_model_file *file, mmd_error *error)
{
    char chosen[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    *file = (mmd_model_file){0};
    mmd_archives_hold();
    mmd_status status = mmd_locate_choose(path, MMD_LOCATE_MODEL, log, chosen, error);
    if (status == MMD_OK)
        status = mmd_locate_read(chosen, &bytes, error);
    if (status == MMD_OK)
        status = mmd_model_file_parse(chosen, &bytes, file, error);
    mmd_archives_release();
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, path);
    return status;
}

mmd_status mmd_model_file_read(const char *path, mmd_model_file *file, mmd_error *error)
{
    return mmd_model_file_choose(path, NULL, file, error);
}
