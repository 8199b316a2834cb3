#include "selection_lines.h"

#include "mmd/simulation.h"

static void write_numbers(mmd_buffer *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, " %.9g", (double)values[i]);
}

static void write_bodies(mmd_stage *stage, size_t model, uint32_t count, mmd_buffer *out)
{
    for (uint32_t b = 0; b < count; b++) {
        mmd_body_place place;
        if (!mmd_stage_body_place(stage, model, b, &place))
            continue;
        mmd_write_format(out, "body.place %u", b);
        write_numbers(out, place.rest.translation, 3);
        write_numbers(out, place.rest.rotation, 4);
        write_numbers(out, place.scale, 3);
        mmd_write_u8(out, '\n');
    }
}

static void write_joints(mmd_stage *stage, size_t model, uint32_t count, mmd_buffer *out)
{
    for (uint32_t j = 0; j < count; j++) {
        mmd_transform place;
        if (!mmd_stage_joint_place(stage, model, j, &place))
            continue;
        mmd_write_format(out, "joint.place %u", j);
        write_numbers(out, place.translation, 3);
        write_numbers(out, place.rotation, 4);
        mmd_write_u8(out, '\n');
    }
}

void selection_lines(const odori_session *s, size_t model, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    const mmd_physscene *scene = mmd_stage_physscene(s->scene->stage, model);
    write_bodies(s->scene->stage, model, scene ? scene->body_count : m->model->body_count, out);
    write_joints(s->scene->stage, model, scene ? scene->joint_count : m->model->joint_count, out);
}
