/* Tests the lines that bring a scene back to its state: visibility and shadows of dancers, accessories and
 * stages. */
#include "command/command_group.h"
#include "command/commands.h"
#include "edit/session.h"
#include "edit/state_lines.h"
#include "hair_model.h"
#include "scene/scene.h"
#include "support.h"

enum { DANCER, PROP, STAGE, MODELS };

typedef struct shown_scene {
    odori_scene scene;
    odori_session session;
    hair_model parts[MODELS];
    mmd_texture_location textures;
} shown_scene;

/* material: of all models, or NULL. */
static void open_scene_with(shown_scene *s, mmd_material *material)
{
    const mmd_view_options view = mmd_default_view_options();
    s->textures = mmd_textures_beside("model.pmx", MMD_NAMED_PICTURES);
    assert_true(s->textures.source && scene_init(&s->scene));
    for (int i = 0; i < MODELS; i++) {
        hair_model_make(&s->parts[i]);
        s->parts[i].model.materials = material;
        s->parts[i].model.material_count = material != NULL;
        s->parts[i].model.origin = i == PROP ? MMD_ORIGIN_X : MMD_ORIGIN_PMX;
        const scene_model what = {.path = "model.pmx",
                                  .model = &s->parts[i].model,
                                  .textures = s->textures,
                                  .is_lent = true,
                                  .is_backdrop = i == STAGE};
        assert_true(scene_add_model(&s->scene, &what));
    }
    session_init(&s->session, &s->scene, &view);
}

static void open_scene(shown_scene *s)
{
    open_scene_with(s, NULL);
}

static void close_scene(shown_scene *s)
{
    session_finish(&s->session);
    scene_finish(&s->scene);
    mmd_source_destroy(s->textures.source);
    for (int i = 0; i < MODELS; i++)
        hair_model_finish(&s->parts[i]);
}

static void run(shown_scene *s, const char *lines)
{
    char refused[REFUSAL_MAX];
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        if (!command_run(&s->session, lines, length, refused))
            fail_msg("%.*s: %s", (int)length, lines, refused);
        lines += length + (lines[length] == '\n');
    }
}

/* Returns the lines of the state, to be freed with mmd_free. */
static char *told(const shown_scene *s)
{
    mmd_buffer out = {0};
    assert_true(state_lines_write(&s->session, &out));
    mmd_write_u8(&out, '\0');
    assert_false(out.failed);
    return (char *)out.data;
}

static void assert_same_staging(const shown_scene *a, const shown_scene *b)
{
    for (size_t i = 0; i < MODELS; i++) {
        const mmd_staging *x = mmd_stage_staging(a->scene.stage, i),
                          *y = mmd_stage_staging(b->scene.stage, i);
        assert_int_equal(x->visible, y->visible);
        assert_int_equal(x->self_shadow, y->self_shadow);
        assert_int_equal(x->ground_shadow, y->ground_shadow);
        assert_int_equal(x->draw_order, y->draw_order);
    }
}

/* Each change is repeated on a scene that was just opened; without changes nothing of it is told. */
static void visibility_and_shadows_of_all_models_are_told(void **state)
{
    (void)state;
    static const char *const changes[] = {"", "model.visible off\n", "model.shadow off\n",
                                          "model.shadow on\n",
                                          "model.visible off\nmodel.visible on\nmodel.shadow off\n"};
    for (int model = 0; model < MODELS; model++) {
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            shown_scene one, two;
            char line[128];
            open_scene(&one);
            open_scene(&two);
            snprintf(line, sizeof line, "model.select %d\n%s", model, changes[i]);
            run(&one, line);
            char *lines = told(&one);
            assert_int_equal(strstr(lines, "model.visible") != NULL, i == 1);
            assert_int_equal(strstr(lines, "model.shadow off") != NULL, i == 2 || i == 4);
            assert_int_equal(strstr(lines, "model.shadow on") != NULL, i == 3 && model != DANCER);
            run(&two, lines);
            assert_same_staging(&one, &two);
            mmd_free(lines);
            close_scene(&one);
            close_scene(&two);
        }
    }
}

/* A scene that is being read again follows changes that are taken back meanwhile. */
static void what_is_taken_back_later_is_taken_back(void **state)
{
    (void)state;
    static const char *const changes[] = {"model.select 0\nmodel.visible off\n",
                                          "model.select 0\nmodel.shadow off\n",
                                          "model.select 0\nmodel.delay 7\n",
                                          "model.select 0\nmodel.mirror on\n",
                                          "model.select 0\nmotion.weight 0 0.5\n",
                                          "model.select 1\nmodel.visible off\n",
                                          "play.mirror on\n",
                                          "physics on\n",
                                          "physics.gravity 0 5 0\n",
                                          "physics.ground off\n"};
    mmd_material material = {.name = "skin"};
    hair_motion *motion = mmd_alloc(sizeof *motion);
    assert_non_null(motion);
    hair_motion_make(motion, 20);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        shown_scene s;
        const scene_motion what = {.path = "a.vmd", .motion = &motion->motion, .is_lent = true};
        open_scene_with(&s, &material);
        assert_true(scene_add_motion(&s.scene, &what, EVERY_MODEL));
        char *before = told(&s);
        run(&s, changes[i]);
        char *changed = told(&s);
        mmd_buffer back = {0};
        assert_string_not_equal(before, changed);
        state_lines_back(&s.session, &back);
        mmd_write_u8(&back, '\0');
        assert_false(back.failed);
        run(&s, (const char *)back.data);
        run(&s, before);
        char *after = told(&s);
        assert_string_equal(before, after);
        mmd_buffer_finish(&back);
        mmd_free(before);
        mmd_free(changed);
        mmd_free(after);
        close_scene(&s);
    }
    mmd_free(motion);
    shown_scene s;
    mmd_buffer back = {0};
    open_scene_with(&s, &material);
    mmd_actor_hide_material(s.scene.models[0].actor, 0, true);
    state_lines_back(&s.session, &back);
    mmd_write_u8(&back, '\0');
    assert_non_null(strstr((const char *)back.data, "model.select 0\nmaterial.show 0 on\n"));
    mmd_buffer_finish(&back);
    close_scene(&s);
}

/* The keyframes of a project's accessory move and show it; hiding it by hand keeps them. */
static void a_keyed_accessory_is_hidden_and_shown(void **state)
{
    (void)state;
    shown_scene s;
    mmd_staging_key keys[3];
    open_scene(&s);
    for (uint32_t k = 0; k < 3; k++)
        keys[k] = (mmd_staging_key){.frame = 10 * k, .staging = mmd_default_staging()};
    keys[1].staging.position[0] = 4;
    keys[2].staging.visible = false;
    s.scene.models[PROP].project = s.scene.models[PROP].project_given = "a.pmm";
    mmd_stage_set_staging_keys(s.scene.stage, PROP, keys, 3);
    session_go(&s.session, 20); /* hidden by its key, which is not told */
    char *lines = told(&s);
    assert_null(strstr(lines, "model.visible"));
    mmd_free(lines);
    session_go(&s.session, 5);
    run(&s, "model.select 1\nmodel.visible off\n");
    assert_false(mmd_stage_actor_visible(s.scene.stage, PROP));
    lines = told(&s);
    assert_non_null(strstr(lines, "model.select 1\nmodel.visible off\n"));
    mmd_free(lines);
    run(&s, "model.visible on\n");
    for (int frame = 0; frame <= 20; frame += 5) {
        session_go(&s.session, frame);
        assert_int_equal(mmd_stage_actor_visible(s.scene.stage, PROP), frame < 20);
        if (frame == 5)
            assert_float_equal(mmd_stage_staging(s.scene.stage, PROP)->position[0], 2, 1e-6);
    }
    close_scene(&s);
}

/* What is set by hand of such an accessory holds at all frames, is told, and leaves the other keyframes. */
static void a_keyed_accessory_keeps_its_other_keyframes(void **state)
{
    (void)state;
    shown_scene one, two;
    shown_scene *const both[] = {&one, &two};
    mmd_staging_key keys[2];
    for (uint32_t k = 0; k < 2; k++)
        keys[k] = (mmd_staging_key){.frame = 10 * k, .staging = mmd_default_staging()};
    keys[1].staging.position[0] = 4;
    keys[1].staging.opacity = 0.5f;
    for (int i = 0; i < 2; i++) {
        open_scene(both[i]);
        both[i]->scene.models[PROP].project = both[i]->scene.models[PROP].project_given = "a.pmm";
        mmd_stage_set_staging_keys(both[i]->scene.stage, PROP, keys, 2);
        session_go(&both[i]->session, 5);
    }
    char line[256];
    snprintf(line, sizeof line, "model.select %d\nmodel.attach 0 \"%s\"\n%s", PROP,
             one.parts[0].model.bones[1].name, "model.opacity 0.25\nmodel.order 7\nmodel.additive on\n");
    run(&one, line);
    char *lines = told(&one);
    run(&two, lines);
    mmd_free(lines);
    for (int i = 0; i < 2; i++)
        for (int frame = 0; frame <= 10; frame += 5) {
            session_go(&both[i]->session, frame);
            const mmd_staging *staging = mmd_stage_staging(both[i]->scene.stage, PROP);
            assert_float_equal(staging->position[0], 0.4 * frame, 1e-6);
            assert_float_equal(staging->opacity, 0.25, 0);
            assert_int_equal(staging->draw_order, 7);
            assert_true(staging->additive);
            assert_ptr_equal(staging->parent, both[i]->scene.models[DANCER].actor);
            assert_int_equal(staging->parent_bone, 1);
        }
    close_scene(&one);
    close_scene(&two);
}

static int setup(void **state)
{
    (void)state;
    static const command_group *const groups[] = {&commands_of_actor, &commands_of_motion, &commands_of_play,
                                                  &commands_of_physics};
    commands_register(groups, sizeof groups / sizeof *groups);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_back_later_is_taken_back),
        cmocka_unit_test(visibility_and_shadows_of_all_models_are_told),
        cmocka_unit_test(a_keyed_accessory_is_hidden_and_shown),
        cmocka_unit_test(a_keyed_accessory_keeps_its_other_keyframes),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
