#include "mmd/source.h"
#include "mmd/memory.h"

#include <assert.h>

struct mmd_source {
    const mmd_source_ops *ops;
    void *self;
};

mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self)
{
    assert(ops && ops->read && ops->list);
    mmd_source *source = mmd_alloc(sizeof *source);
    if (source)
        *source = (mmd_source){ops, self};
    return source;
}

void mmd_source_destroy(mmd_source *source)
{
    if (source && source->ops->destroy)
        source->ops->destroy(source->self);
    mmd_free(source);
}

mmd_status mmd_source_read(mmd_source *source, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    assert(source && bytes);
    *bytes = (mmd_bytes){0};
    mmd_status status = source->ops->read(source->self, name, bytes, error);
    if (status != MMD_OK) {
        mmd_bytes_finish(bytes);
        if (error)
            error->file[0] = '\0';
        mmd_error_set_file(error, name);
    }
    return status;
}

bool mmd_source_list(mmd_source *source, const char *folder,
                     bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    assert(source);
    return source->ops->list(source->self, folder, visit, user);
}
