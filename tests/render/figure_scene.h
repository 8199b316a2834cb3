/* The test figure and her dance on a stage. */
#ifndef ODORI_FIGURE_SCENE_H
#define ODORI_FIGURE_SCENE_H

#include "render_support.h"

#include "figure.h"

/* The figure with everything that she needs. Close it with close_figure. */
typedef struct figure_scene {
    test_scene scene;
    mmd_motion *motion;
    mmd_buffer textures[FIGURE_TEXTURES];
} figure_scene;

static inline void open_figure(figure_scene *figure)
{
    test_scene *scene = &figure->scene;
    mmd_buffer pmx = {0}, vmd = {0};
    mmd_memory_file files[FIGURE_TEXTURES];
    memset(figure, 0, sizeof *figure);
    test_scene_open_gpu(scene);
    assert_true(figure_make_model(&pmx) && figure_make_dance(&vmd));
    ASSERT_OK(mmd_pmx_read(pmx.data, pmx.size, &scene->model, error));
    ASSERT_OK(mmd_vmd_read(vmd.data, vmd.size, &figure->motion, error));
    mmd_buffer_finish(&pmx);
    mmd_buffer_finish(&vmd);
    for (int i = 0; i < FIGURE_TEXTURES; i++) {
        assert_true(figure_make_texture(i, &figure->textures[i]));
        files[i] =
            (mmd_memory_file){figure_texture_names[i], figure->textures[i].data, figure->textures[i].size};
    }
    scene->source = mmd_source_memory(files, FIGURE_TEXTURES);
    assert_non_null(scene->source);
    ASSERT_OK(mmd_view_add_model(scene->view, scene->model, scene->source, "", error));
    test_scene_stage(scene);
    ASSERT_OK(mmd_actor_add_motion(scene->actor, figure->motion, error));
    ASSERT_OK(mmd_stage_add_scene_motion(scene->stage, figure->motion, error));
}

static inline void close_figure(figure_scene *figure)
{
    test_scene_close(&figure->scene);
    mmd_motion_destroy(figure->motion);
    for (int i = 0; i < FIGURE_TEXTURES; i++)
        mmd_buffer_finish(&figure->textures[i]);
}

#endif
