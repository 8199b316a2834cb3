/*
 * Measures a drag of the gizmo, from the pointer event to the new pose, with physics off.
 *
 *   drag_bench MODEL.pmx [MOTION.vmd [FRAME]]
 *
 * A thousand events rotate a bone by its ring, and a thousand move an IK goal. Prints the median and the
 * maximum in microseconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edit/gizmo_edit.h"
#include "mmd/format.h"
#include "mmd/simulation.h"
#include "mmd/source.h"

enum { EVENTS = 1000 };

typedef struct bench {
    mmd_model *model;
    mmd_motion *motion;
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
    double frame;
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool open_files(bench *b, int argc, char **argv)
{
    mmd_error error = {0};
    mmd_bytes pmx = {0}, vmd = {0};
    bool opened = mmd_file_read(argv[1], &pmx, &error) == MMD_OK &&
                  mmd_pmx_read(pmx.data, pmx.size, &b->model, &error) == MMD_OK &&
                  (argc < 3 || (mmd_file_read(argv[2], &vmd, &error) == MMD_OK &&
                                mmd_vmd_read(vmd.data, vmd.size, &b->motion, &error) == MMD_OK));
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
    if (!opened)
        fprintf(stderr, "%s\n", error.message);
    return opened;
}

static bool set_up(bench *b)
{
    b->actor = mmd_actor_create(b->model);
    b->stage = mmd_stage_create();
    if (!b->actor || !b->stage || (b->motion && mmd_actor_add_motion(b->actor, b->motion, NULL) != MMD_OK) ||
        mmd_stage_add_actor(b->stage, b->actor, NULL) != MMD_OK)
        return false;
    mmd_stage_set_frame(b->stage, b->frame);
    b->edit = mmd_edit_create(b->stage, NULL);
    return b->edit != NULL;
}

static gizmo_camera front(void)
{
    const mmd_camera camera = {
        .distance = -45, .position = {0, 10, 0}, .rotation = {0.3f, 0.4f, 0}, .fov = 30, .perspective = true};
    float view[16], projection[16];
    gizmo_camera seen = {.width = 1280, .height = 720};
    mmd_camera_matrices(&camera, 1280.0f / 720.0f, view, projection, NULL);
    for (int k = 0; k < 16; k++) {
        seen.view[k] = (double)view[k];
        seen.projection[k] = (double)projection[k];
    }
    return seen;
}

/* Handles a pointer event as the player does, without drawing, and returns the time it took. */
static double one_event(bench *b, gizmo_hold *hold, gizmo_drag *drag, int i)
{
    gizmo_change change = {0};
    const double angle = 0.05 * i,
                 pixel[2] = {drag->start[0] + 40 * sin(angle), drag->start[1] + 30 * (1 - cos(angle))};
    double started = now();
    if (gizmo_drag_to(drag, pixel, NULL, &change))
        gizmo_hold_change(hold, &change);
    mmd_stage_settle(b->stage);
    mmd_stage_set_frame(b->stage, b->frame);
    return now() - started;
}

static void measure(bench *b, const char *name, gizmo_mode mode, gizmo_handle handle)
{
    double seconds[EVENTS];
    char path[256];
    gizmo_placement place;
    gizmo g;
    gizmo_hold hold;
    gizmo_drag drag;
    const gizmo_request wish = {.mode = mode};
    gizmo_camera camera = front();
    snprintf(path, sizeof path, "/models/#0/bones/%s", name);
    mmd_item item = mmd_edit_find(b->edit, path);
    if (!item.kind || !gizmo_placement_of(b->edit, item, &place) ||
        !gizmo_make(&camera, &place, mode, GIZMO_LOCAL, 1, &g) ||
        !gizmo_hold_begin(&hold, b->edit, &item, 1, &wish)) {
        printf("%s: not editable\n", name);
        return;
    }
    gizmo_drag_begin(&drag, &g, handle, (const double[2]){g.center[0] + 90, g.center[1]});
    for (int i = 0; i < EVENTS; i++)
        seconds[i] = one_event(b, &hold, &drag, i + 1);
    gizmo_hold_end(&hold, false, false);
    qsort(seconds, EVENTS, sizeof *seconds, compare);
    printf("%s, %s: median %.0f us, 99 %% %.0f us, worst %.0f us of %d events\n", name,
           mode == GIZMO_ROTATE ? "turned" : "moved", 1e6 * seconds[EVENTS / 2],
           1e6 * seconds[EVENTS * 99 / 100], 1e6 * seconds[EVENTS - 1], EVENTS);
}

int main(int argc, char **argv)
{
    bench b = {.frame = argc > 3 ? atof(argv[3]) : 0};
    if (argc < 2) {
        fprintf(stderr, "drag_bench MODEL.pmx [MOTION.vmd [FRAME]]\n");
        return 2;
    }
    if (!open_files(&b, argc, argv) || !set_up(&b))
        return 3;
    printf("%u bones, %u vertices\n", b.model->bone_count, b.model->vertices.count);
    measure(&b, "右腕", GIZMO_ROTATE, GIZMO_CENTER);
    measure(&b, "センター", GIZMO_TRANSLATE, GIZMO_CENTER);
    measure(&b, "右足ＩＫ", GIZMO_TRANSLATE, GIZMO_CENTER);
    mmd_edit_destroy(b.edit);
    mmd_stage_destroy(b.stage);
    mmd_actor_destroy(b.actor);
    mmd_motion_destroy(b.motion);
    mmd_model_destroy(b.model);
    return 0;
}
