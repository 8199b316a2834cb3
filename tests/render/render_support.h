/* Shared helpers of the tests that draw: a context, a stage with one model, images. */
#ifndef ODORI_RENDER_SUPPORT_H
#define ODORI_RENDER_SUPPORT_H

#include "support.h"

#include "mmd/format.h"
#include "mmd/render.h"
#include "mmd/view.h"

#define ASSERT_OK(call)                                                                                      \
    do {                                                                                                     \
        mmd_error error_ = {0};                                                                              \
        mmd_error *error = &error_;                                                                          \
        if ((call) != MMD_OK) {                                                                              \
            char sentence_[1024];                                                                            \
            fail_msg("%s: %s", #call, mmd_error_sentence(error, sentence_, sizeof sentence_));               \
        }                                                                                                    \
    } while (0)

/* A log that counts warnings and keeps the last one. */
typedef struct test_log {
    int warnings;
    char last[1024];
} test_log;

static inline void test_log_write(void *user, mmd_log_level level, const char *text)
{
    test_log *log = user;
    if (level <= MMD_LOG_WARNING) {
        log->warnings++;
        snprintf(log->last, sizeof log->last, "%s", text);
    }
}

/* One model on a stage with a context. */
typedef struct test_scene {
    test_log log;
    mmd_gpu *gpu;
    mmd_view *view;
    mmd_source *source;
    mmd_model *model;
    mmd_actor *actor;
    mmd_stage *stage;
    bool borrowed; /* the caller owns the model */
} test_scene;

static inline void test_scene_open_gpu(test_scene *scene)
{
    memset(scene, 0, sizeof *scene);
    mmd_log log = {.write = test_log_write, .user = &scene->log, .level = MMD_LOG_WARNING};
    ASSERT_OK(mmd_gpu_create_headless(&log, &scene->gpu, error));
    ASSERT_OK(mmd_view_create(scene->gpu, &log, &scene->view, error));
}

static inline void test_scene_stage(test_scene *scene)
{
    scene->actor = mmd_actor_create(scene->model);
    scene->stage = mmd_stage_create();
    assert_non_null(scene->actor);
    assert_non_null(scene->stage);
    ASSERT_OK(mmd_stage_add_actor(scene->stage, scene->actor, error));
    mmd_stage_set_frame(scene->stage, 0.0);
}

/* Opens a model of the shared data with the textures from its folder. name is "data/…". */
static inline void test_scene_open(test_scene *scene, const char *name)
{
    test_scene_open_gpu(scene);
    mmd_bytes bytes = shared_read(name);
    ASSERT_OK(mmd_model_read(bytes.data, bytes.size, &scene->model, error));
    mmd_bytes_finish(&bytes);
    char path[4096], folder[4096];
    mmd_path_folder(shared_path(name, path, sizeof path), folder, sizeof folder);
    scene->source = mmd_source_folder(folder);
    assert_non_null(scene->source);
    ASSERT_OK(mmd_view_add_model(scene->view, scene->model, scene->source, "", error));
    test_scene_stage(scene);
}

/* Opens a model of the caller with files from memory. */
static inline void test_scene_open_made(test_scene *scene, mmd_model *model, const mmd_memory_file *files,
                                        size_t count)
{
    test_scene_open_gpu(scene);
    scene->model = model;
    scene->borrowed = true;
    scene->source = mmd_source_memory(files, count);
    assert_non_null(scene->source);
    ASSERT_OK(mmd_view_add_model(scene->view, scene->model, scene->source, "", error));
    test_scene_stage(scene);
}

static inline void test_scene_close(test_scene *scene)
{
    mmd_stage_destroy(scene->stage);
    mmd_actor_destroy(scene->actor);
    mmd_view_destroy(scene->view);
    mmd_source_destroy(scene->source);
    mmd_gpu_destroy(scene->gpu);
    if (!scene->borrowed)
        mmd_model_destroy(scene->model);
}

#endif
