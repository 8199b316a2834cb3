/* The figure on the stage: its files in memory, read like any others. */
#include "figure.h"

#include <string.h>

#include "app.h"
#include "figure_internal.h"

/* A source of the textures that owns them. */
typedef struct texture_source {
    mmd_buffer files[FIGURE_TEXTURES];
} texture_source;

static mmd_status read_texture(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    int index = figure_texture_index(name);
    if (index < 0)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "no such file");
    const mmd_buffer *file = &((texture_source *)self)->files[index];
    uint8_t *copy = mmd_alloc(file->size);
    if (!copy)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    memcpy(copy, file->data, file->size);
    *bytes = (mmd_bytes){copy, file->size};
    return MMD_OK;
}

static bool list_textures(void *self, const char *folder, bool (*visit)(void *, const char *, bool),
                          void *user)
{
    (void)self;
    if (*folder)
        return false;
    for (int i = 0; i < FIGURE_TEXTURES && visit(user, figure_texture_names[i], false); i++)
        continue;
    return true;
}

static void destroy_textures(void *self)
{
    texture_source *source = self;
    for (int i = 0; i < FIGURE_TEXTURES; i++)
        mmd_buffer_finish(&source->files[i]);
    mmd_free(source);
}

static mmd_source *make_source(void)
{
    static const mmd_source_ops ops = {read_texture, list_textures, destroy_textures};
    texture_source *self = mmd_alloc(sizeof *self);
    if (!self)
        return NULL;
    *self = (texture_source){0};
    for (int i = 0; i < FIGURE_TEXTURES; i++)
        if (!figure_make_texture(i, &self->files[i])) {
            destroy_textures(self);
            return NULL;
        }
    mmd_source *source = mmd_source_create(&ops, self);
    if (!source)
        destroy_textures(self);
    return source;
}

static int add_dance(odori_scene *s)
{
    mmd_buffer vmd = {0};
    mmd_motion *motion = NULL;
    mmd_error error = {0};
    if (!figure_make_dance(&vmd)) {
        mmd_buffer_finish(&vmd);
        message("out of memory");
        return EXIT_FACILITY;
    }
    mmd_status status = mmd_vmd_read(vmd.data, vmd.size, &motion, &error);
    mmd_buffer_finish(&vmd);
    if (status != MMD_OK)
        return report(&error);
    return scene_add_motion(s, "odori.vmd", motion) ? EXIT_DONE : EXIT_FACILITY;
}

int figure_add(odori_scene *s, bool with_dance)
{
    mmd_buffer pmx = {0};
    mmd_model *model = NULL;
    mmd_error error = {0};
    mmd_pose_options pose = mmd_default_pose_options();
    if (!figure_make_model(&pmx)) {
        mmd_buffer_finish(&pmx);
        message("out of memory");
        return EXIT_FACILITY;
    }
    mmd_status status = mmd_pmx_read(pmx.data, pmx.size, &model, &error);
    mmd_buffer_finish(&pmx);
    if (status != MMD_OK)
        return report(&error);
    texture_place textures = {.source = make_source()};
    if (!scene_add_model(s, "odori.pmx", model, &textures, &pose))
        return EXIT_FACILITY;
    return with_dance ? add_dance(s) : EXIT_DONE;
}
