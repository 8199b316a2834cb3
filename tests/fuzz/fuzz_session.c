#include "fuzz_session.h"

#include <string.h>

#include "base/tokenize.h"
#include "document/commands_document.h"
#include "fuzz.h"
#include "fuzz_folder.h"
#include "player/player.h"
#include "sample_models.h"
#include "sample_motions.h"

/* All groups of the program, as in main.c. */
static const command_group *const groups[] = {
    &commands_of_actor,  &commands_of_camera, &commands_of_play,     &commands_of_physics,
    &commands_of_panels, &commands_of_view,   &commands_of_audio,    &commands_of_edit,
    &commands_of_key,    &commands_of_place,  &commands_of_plugin,   &commands_of_handles,
    &commands_of_input,  &commands_of_file,   &commands_of_pictures, &commands_of_program,
    &commands_of_motion,
};

static mmd_model *model;
static mmd_texture_location textures;
static mmd_motion *motion;

void fuzz_session_prepare(void)
{
    mmd_model made;
    mmd_motion made_motion;
    mmd_buffer bytes = {0};
    commands_register(groups, sizeof groups / sizeof *groups);
    sample_everything(&made, 1, 1);
    made.soft_body_count = 0; /* no command is about them, and they take most of the time */
    REQUIRE(mmd_pmx_write(&made, &bytes, NULL) == MMD_OK);
    REQUIRE(mmd_pmx_read(bytes.data, bytes.size, &model, NULL) == MMD_OK);
    fuzz_folder_write("model.pmx", bytes.data, bytes.size);
    textures = mmd_textures_beside("model.pmx", MMD_NAMED_PICTURES);
    REQUIRE(textures.source);
    sample_finish(&made);
    mmd_buffer_finish(&bytes);
    sample_motion(&made_motion);
    REQUIRE(mmd_vmd_write(&made_motion, &bytes, NULL) == MMD_OK);
    REQUIRE(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL) == MMD_OK);
    sample_motion_finish(&made_motion);
    mmd_buffer_finish(&bytes);
}

void fuzz_session_open(fuzz_session *f, bool has_models)
{
    const mmd_view_options view = mmd_default_view_options();
    const scene_model what = {
        .path = "model.pmx", .given = "model.pmx", .model = model, .textures = textures, .is_lent = true};
    const scene_motion dance = {.path = "dance.vmd", .given = "dance.vmd", .motion = motion, .is_lent = true};
    REQUIRE(scene_init(&f->scene));
    REQUIRE(!has_models || (scene_add_model(&f->scene, &what) && scene_add_copy(&f->scene, 0)));
    REQUIRE(scene_add_motion(&f->scene, &dance, EVERY_MODEL));
    session_init(&f->session, &f->scene, &view);
    f->session.budget_s = 1e-3;
}

void fuzz_session_close(fuzz_session *f)
{
    session_finish(&f->session);
    scene_finish(&f->scene);
}

/* Tests whether a command reaches out of the scene. */
static bool reaches_out(const char *line, size_t length)
{
    static const char *const names[] = {"plugin.load", "pose.save",  "motion.save",  "camera.save",
                                        "screenshot",  "audio.open", "picture.copy", "pose.copy",
                                        "file.open",   "pixel.copy", "help",         "paste"};
    char storage[COMMAND_LINE_MAX + 2], *word;
    size_t count;
    if (length > COMMAND_LINE_MAX || memchr(line, '\0', length))
        return false;
    tokenize(line, length, storage, &word, 1, &count);
    return count && token_find(names, sizeof names / sizeof *names, word) < sizeof names / sizeof *names;
}

void fuzz_session_run(fuzz_session *f, const uint8_t *text, size_t size)
{
    enum { LINES_MAX = 20, COST_OF_PHYSICS = 8 };
    const char *at = (const char *)text, *end = at + size;
    for (int cost = 0; at < end && cost < LINES_MAX;) {
        char error[REFUSAL_MAX] = "";
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!reaches_out(at, length)) {
            bool ran = command_run(&f->session, at, length, error);
            REQUIRE(ran || (error[0] && strlen(error) < REFUSAL_MAX));
        }
        at += length + (stop != NULL);
        cost += mmd_stage_physics(f->scene.stage) ? COST_OF_PHYSICS : 1;
    }
}
