#include "selection_lines.h"

#include "gizmo_math.h"
#include "mmd/simulation.h"

static void write_place(const mmd_transform *place, mmd_buffer *out)
{
    double degrees[3];
    const double x = (double)place->rotation[0], y = (double)place->rotation[1], z = (double)place->rotation[2],
                 w = (double)place->rotation[3];
    const double columns[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                               2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                               2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    gizmo_to_degrees(columns, degrees);
    mmd_write_format(out, "edit.translate %.9g %.9g %.9g\n", (double)place->translation[0],
                     (double)place->translation[1], (double)place->translation[2]);
    mmd_write_format(out, "edit.rotate %.12g %.12g %.12g\n", degrees[0], degrees[1], degrees[2]);
}

static bool write_bodies(mmd_stage *stage, size_t model, uint32_t count, mmd_buffer *out)
{
    bool any = false;
    for (uint32_t b = 0; b < count; b++) {
        mmd_body_place place;
        if (!mmd_stage_body_place(stage, model, b, &place))
            continue;
        any = true;
        mmd_write_format(out, "edit.select /models/#%zu/bodies/#%u\n", model, b);
        write_place(&place.rest, out);
        if (place.scale[0] != 1 || place.scale[1] != 1 || place.scale[2] != 1)
            mmd_write_format(out, "edit.scale %.9g %.9g %.9g\n", (double)place.scale[0],
                             (double)place.scale[1], (double)place.scale[2]);
    }
    return any;
}

static bool write_joints(mmd_stage *stage, size_t model, uint32_t count, mmd_buffer *out)
{
    bool any = false;
    for (uint32_t j = 0; j < count; j++) {
        mmd_transform place;
        if (!mmd_stage_joint_place(stage, model, j, &place))
            continue;
        any = true;
        mmd_write_format(out, "edit.select /models/#%zu/joints/#%u\n", model, j);
        write_place(&place, out);
    }
    return any;
}

void selection_lines(const odori_session *s, size_t model, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    const mmd_physscene *scene = mmd_stage_physscene(s->scene->stage, model);
    uint32_t bodies = scene ? scene->body_count : m->model->body_count;
    uint32_t joints = scene ? scene->joint_count : m->model->joint_count;
    bool any = write_bodies(s->scene->stage, model, bodies, out);
    any |= write_joints(s->scene->stage, model, joints, out);
    if (any)
        mmd_write_format(out, "edit.clear\n");
}
