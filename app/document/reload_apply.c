/*
 * Bones, morphs and bodies of a model are all over a stage, and so are motions:
 * the scene is built anew of its own files, and what was done to it done again
 * (open.h), in a window beside the dance (open_work.h). Textures are exchanged
 * where they are.
 */
#include "reload_apply.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "document.h"
#include "open_work.h"
#include "open.h"
#include "rebuild.h"
#include "watch.h"
#include "edit/state_lines.h"

void watch_tell(odori_session *s, const char *error)
{
    panel_log_tell(s->messages, "%s", error);
    if (document_of(s)->opener)
        snprintf(document_of(s)->opener->trouble, sizeof document_of(s)->opener->trouble, "%.255s", error);
    s->changed = true;
}

static bool refuse(char *error, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(error, REFUSAL_MAX, "%.200s (the scene is as it was)",
             mmd_error_sentence(why, sentence, sizeof sentence));
    return false;
}

static bool out_of_memory(char *error)
{
    snprintf(error, REFUSAL_MAX, "out of memory");
    return false;
}

/* --- At once, for a session without a window --- */

/* Edits hold from the first frame on, as they did, and so does what physics makes of them. */
static bool reload_at_once(odori_session *s, const char *path, char *error)
{
    odori_scene scene = {0};
    mmd_error why = {0};
    mmd_buffer lines = {0};
    state_lines_write(s, &lines);
    bool put = reopen_scene(s->scene, document_of(s)->opener->pose, &document_of(s)->opener->log, &scene, &why) &&
               open_put(s, &scene, &lines, &why);
    if (put) {
        session_restart(s);
        session_go(s, s->frame);
    }
    mmd_buffer_finish(&lines);
    scene_finish(&scene);
    return put || (why.code == MMD_OK ? out_of_memory(error) : refuse(error, &why, path));
}

/* --- Beside the dance --- */

bool watch_read_again(odori_session *s, const reload_files *files, char error[REFUSAL_MAX])
{
    open_work *l = document_of(s)->opener->work;
    switch (files->kind) {
    case WATCH_TEXTURES:
        return open_work_textures(l, files->model, files->paths, files->count, error);
    case WATCH_SOUND:
        return open_work_files(l, files->paths, 1, error);
    case WATCH_SCENE:
        break;
    }
    return open_work_reopen(l, files->paths[0], error);
}

bool watch_read_all(odori_session *s, char *error)
{
    if (s->scene->model_count == 0 || !document_of(s)->opener) {
        snprintf(error, REFUSAL_MAX, "there is nothing to read again");
        return false;
    }
    const char *path = s->scene->models[0].path;
    return document_of(s)->opener->work ? open_work_reopen(document_of(s)->opener->work, path, error)
                             : reload_at_once(s, path, error);
}
