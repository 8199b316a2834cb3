#include "mmd/placing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int32_t mmd_usual_order(bool is_accessory, bool is_backdrop, bool is_first)
{
    if (is_backdrop)
        return MMD_ORDER_BACKDROP;
    if (!is_accessory)
        return MMD_ORDER_MODEL;
    return is_first ? MMD_ORDER_FIRST_ACCESSORY : MMD_ORDER_ACCESSORY;
}

float mmd_bounded(double value)
{
    const double far = 1e6;
    if (isnan(value))
        return 0;
    return (float)(value < -far ? -far : value > far ? far : value);
}

void mmd_vac_place(const mmd_vac *vac, mmd_staging *staging)
{
    assert(vac && staging);
    staging->scale = mmd_bounded((double)vac->scale);
    for (int k = 0; k < 3; k++) {
        staging->position[k] = mmd_bounded((double)vac->position[k]);
        staging->rotation[k] = mmd_bounded((double)vac->rotation[k]);
    }
}

void mmd_view_options_take_exchange(mmd_view_options *options, bool has_vertices)
{
    static const uint8_t background[3] = {0x9f, 0xb0, 0xc3};
    assert(options);
    for (int k = 0; k < 3; k++)
        options->background[k] = (float)background[k] / 255.0f;
    if (!has_vertices && !options->show_joints && !options->show_contacts)
        options->show_bodies = true;
}

void mmd_view_options_take_project(mmd_view_options *options, const mmd_project_settings *project)
{
    assert(options && project);
    options->grid = project->grid;
    options->self_shadow = project->self_shadow;
    options->ground_shadow = project->ground_shadow;
    options->ground_shadow_brightness = project->ground_shadow_brightness;
    options->ground_shadow_transparent = project->ground_shadow_transparent;
    if (project->black)
        memset(options->background, 0, 3 * sizeof *options->background);
}
