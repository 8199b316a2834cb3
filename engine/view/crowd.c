/*
 * Crowds: actors of a frame that share a model are skinned together and drawn material by material instead of
 * actor by actor, where this gives the same picture.
 *
 * MMD draws one model after the other. The order of two models matters only if they overlap in the picture
 * and one of them blends with what is behind it. Each actor gets a level: one more than the highest level of
 * earlier actors whose order relative to it matters. Actors of one level may be drawn in any order, so those
 * with the same model are drawn at once. Levels are drawn in ascending order, which keeps every order that
 * matters. Opaque models all have the same level. Only where surfaces of two of them intersect, pixels with
 * exactly equal depth can come from the other one.
 *
 * Actors outside the picture are neither skinned nor drawn, unless shadows are drawn.
 *
 * The order does not matter for shadow maps, which store the least depth, nor for ground shadows, which
 * darken a pixel once, unless they have opacities.
 *
 * Accessories and models are sections of the picture's order, which are drawn one after the other. The edges
 * of models follow after the materials of all models of the section (docs/mmd.md 6.5).
 */
#include <assert.h>
#include <math.h>

#include "mmd/elementary.h"
#include "view_internal.h"

/* ---------------------------------------------------------------- levels */

/* Tests whether two extents overlap within the picture. */
static bool overlap(const mmd_render_extent *a, const mmd_render_extent *b)
{
    for (int k = 0; k < 2; k++)
        if (mmd_maxf(mmd_maxf(a->low[k], b->low[k]), -1.0f) >
            mmd_minf(mmd_minf(a->high[k], b->high[k]), 1.0f))
            return false;
    return true;
}

static mmd_status look_at(mmd_view *view, view_drawn *drawn, mmd_error *error)
{
    drawn->blends = mmd_render_blends(drawn->model->mesh, &drawn->desc);
    return mmd_render_find_extent(drawn->model->mesh, &drawn->pose, &drawn->desc, &view->scene,
                                  &drawn->extent, error);
}

static const mmd_render_extent whole_picture = {{-1.0f, -1.0f}, {1.0f, 1.0f}};

/* Assigns levels. shadows: includes actors outside the picture. */
static mmd_status find_levels(mmd_view *view, bool shadows, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++) {
        view_drawn *drawn = &view->drawn[i];
        status = look_at(view, drawn, error);
        drawn->unseen = !shadows && !overlap(&drawn->extent, &whole_picture);
        drawn->level = drawn->unseen ? UINT32_MAX : 0;
        for (size_t k = 0; k < i; k++) {
            const view_drawn *before = &view->drawn[k];
            if (before->level >= drawn->level && (drawn->blends || before->blends) &&
                overlap(&drawn->extent, &before->extent))
                drawn->level = before->level + 1;
        }
    }
    return status;
}

/* Orders by section, level, then by model (in order of creation), then by draw order. */
static int compare_drawn(const view_drawn *a, const view_drawn *b)
{
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->model->first_drawn != b->model->first_drawn)
        return a->model->first_drawn < b->model->first_drawn ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Sifts an element down. Heap sort needs no allocation and is fast enough for a thousand dancers. */
static void sift(const mmd_view *view, size_t at, size_t count)
{
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        uint32_t *b = view->batches;
        if (child + 1 < count && compare_drawn(&view->drawn[b[child]], &view->drawn[b[child + 1]]) < 0)
            child++;
        if (compare_drawn(&view->drawn[b[at]], &view->drawn[b[child]]) >= 0)
            return;
        uint32_t swapped = b[at];
        b[at] = b[child];
        b[child] = swapped;
    }
}

static void sort_batches(mmd_view *view)
{
    size_t count = view->drawn_count;
    for (size_t i = 0; i < count; i++)
        view->batches[i] = (uint32_t)i;
    for (size_t i = count / 2; i > 0; i--)
        sift(view, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        uint32_t last = view->batches[left - 1];
        view->batches[left - 1] = view->batches[0];
        view->batches[0] = last;
        sift(view, 0, left - 1);
    }
}

/* ---------------------------------------------------------------- members */

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a crowd");
}

static mmd_status make_room(view_model *model, mmd_error *error)
{
    mmd_status status = model->crowd ? MMD_OK : mmd_render_crowd_create(model->mesh, &model->crowd, error);
    if (status != MMD_OK || model->in_frame <= model->crowd_room)
        return status;
    const mmd_render_pose **poses =
        mmd_realloc(model->poses, model->in_frame * sizeof(const mmd_render_pose *));
    if (poses)
        model->poses = poses;
    const mmd_render_model_desc **descs =
        poses ? mmd_realloc(model->descs, model->in_frame * sizeof(const mmd_render_model_desc *)) : NULL;
    if (!descs)
        return no_memory(error);
    model->descs = descs;
    model->crowd_room = model->in_frame;
    return MMD_OK;
}

static bool is_member(const view_drawn *drawn)
{
    /* scaled by an edit; the other members are rigid */
    bool by_hand = drawn->pose.affine && !drawn->model->model->has_scale;
    return drawn->model->in_frame > 1 && !drawn->pose.soft_count && !by_hand && !drawn->unseen;
}

/* Assigns crowd members their indices, in draw order. */
static mmd_status list_members(mmd_view *view, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++) {
        view_drawn *drawn = &view->drawn[view->batches[i]];
        view_model *model = drawn->model;
        if (!is_member(drawn))
            continue;
        status = make_room(model, error);
        if (status != MMD_OK)
            break;
        drawn->instance = NULL;
        drawn->member = (uint32_t)model->member_count++;
        model->poses[drawn->member] = &drawn->pose;
        model->descs[drawn->member] = &drawn->desc;
    }
    return status;
}

static mmd_status skin_each(mmd_view *view, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        if (!view->has_crowd || (!is_member(&view->drawn[i]) && !view->drawn[i].unseen))
            status = view_single(&view->drawn[i], error);
    return status;
}

mmd_status view_single(view_drawn *drawn, mmd_error *error)
{
    assert(drawn);
    if (drawn->instance)
        return MMD_OK;
    mmd_status status = view_next_instance(drawn->model, &drawn->instance, error);
    return status == MMD_OK ? mmd_render_skin(drawn->instance, &drawn->pose, error) : status;
}

static void count_models(mmd_view *view)
{
    for (size_t i = 0; i < view->model_count; i++) {
        view->models[i]->in_frame = 0;
        view->models[i]->member_count = 0;
    }
    for (size_t i = 0; i < view->drawn_count; i++) {
        view_model *model = view->drawn[i].model;
        if (model->in_frame++ == 0)
            model->first_drawn = i;
    }
}

/* Tests whether any model has several actors that can form a crowd. */
static bool any_crowd(const mmd_view *view)
{
    bool any = false;
    for (size_t i = 0; i < view->model_count; i++) {
        view_model *model = view->models[i];
        if (model->in_frame > 1 && model->in_frame > mmd_render_crowd_limit(model->mesh))
            model->in_frame = 1;
        any |= model->in_frame > 1;
    }
    return any;
}

mmd_status view_arrange(mmd_view *view, bool each, bool shadows, mmd_error *error)
{
    assert(view);
    mmd_status status = MMD_OK;
    count_models(view);
    view->has_crowd = !each && any_crowd(view);
    if (!view->has_crowd)
        return skin_each(view, error);
    status = find_levels(view, shadows || view->scene.self_shadow, error);
    if (status != MMD_OK)
        return status;
    sort_batches(view);
    status = list_members(view, error);
    for (size_t i = 0; i < view->model_count && status == MMD_OK; i++) {
        view_model *model = view->models[i];
        if (model->member_count)
            status = mmd_render_crowd_skin(model->crowd, &view->scene, model->poses, model->descs,
                                           model->member_count, error);
    }
    return status == MMD_OK ? skin_each(view, error) : status;
}

/* ---------------------------------------------------------------- drawing */

/* Returns the number of batches from `first` on that are members of one crowd and can be drawn at once. */
static size_t batch_length(const mmd_view *view, size_t first)
{
    const view_drawn *begin = &view->drawn[view->batches[first]];
    size_t behind = first + 1;
    while (!begin->instance && behind < view->drawn_count) {
        const view_drawn *next = &view->drawn[view->batches[behind]];
        if (next->instance || next->model != begin->model || next->level != begin->level)
            break;
        behind++;
    }
    return behind - first;
}

/* Returns the actor at a place of the order. */
static const view_drawn *drawn_at(const mmd_view *view, size_t i)
{
    return &view->drawn[view->has_crowd ? view->batches[i] : i];
}

/* Draws the materials or the edges of a part of the order. Under self shadow MMD leaves the blending of the
 * last model to all edges. */
static mmd_status draw_part(mmd_view *view, size_t first, size_t behind, bool edges, mmd_error *error)
{
    const mmd_render_model_desc *last = &drawn_at(view, behind - 1)->desc;
    const bool additive = view->scene.self_shadow && last->self_shadow && last->additive;
    mmd_status status = MMD_OK;
    for (size_t i = first, length; i < behind && status == MMD_OK; i += length) {
        const view_drawn *drawn = drawn_at(view, i);
        length = view->has_crowd ? batch_length(view, i) : 1;
        if (drawn->unseen)
            continue;
        if (drawn->instance)
            status = edges ? mmd_render_edges(drawn->instance, &drawn->desc, additive, error)
                           : mmd_render_model(drawn->instance, &drawn->desc, error);
        else
            status = edges ? mmd_render_crowd_edges(drawn->model->crowd, drawn->model->descs, drawn->member,
                                                    length, additive, error)
                           : mmd_render_crowd_models(drawn->model->crowd, drawn->model->descs, drawn->member,
                                                     length, error);
    }
    return status;
}

/* Returns the end of a section. */
static size_t section_end(const mmd_view *view, size_t first)
{
    size_t behind = first;
    while (behind < view->drawn_count && drawn_at(view, behind)->section == drawn_at(view, first)->section)
        behind++;
    return behind;
}

static bool is_accessory(const view_drawn *drawn)
{
    return drawn->model->model->origin == MMD_ORIGIN_X;
}

size_t view_accessories_before(const mmd_view *view)
{
    assert(view);
    return view->drawn_count && is_accessory(drawn_at(view, 0)) ? section_end(view, 0) : 0;
}

mmd_status view_draw_models(mmd_view *view, size_t first, size_t behind, mmd_error *error)
{
    assert(view && behind <= view->drawn_count);
    mmd_status status = MMD_OK;
    for (size_t i = first, end; i < behind && status == MMD_OK; i = end) {
        end = section_end(view, i);
        status = draw_part(view, i, end, false, error);
        if (status == MMD_OK && !is_accessory(drawn_at(view, i)))
            status = draw_part(view, i, end, true, error);
    }
    return status;
}

mmd_status view_draw_casters(mmd_view *view, mmd_error *error)
{
    assert(view);
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        if (view->drawn[i].instance)
            status = mmd_render_casters(view->drawn[i].instance, &view->drawn[i].desc, error);
    for (size_t i = 0; i < view->model_count && status == MMD_OK; i++)
        if (view->models[i]->member_count)
            status = mmd_render_crowd_casters(view->models[i]->crowd, view->models[i]->descs, error);
    return status;
}

/* Tests whether all ground shadows darken equally, so that their order does not matter. */
static bool shadows_are_alike(const mmd_view *view, bool transparent)
{
    for (size_t i = 0; i < view->drawn_count; i++) {
        const view_drawn *drawn = &view->drawn[i];
        if (drawn->ground_shadow &&
            (drawn->desc.opacity < 1.0f ||
             (transparent && mmd_render_ground_shadow_is_uneven(drawn->model->mesh, &drawn->desc))))
            return false;
    }
    return true;
}

/* Returns the number of batches from `first` on that have a ground shadow and consecutive member indices. */
static size_t shadow_length(const mmd_view *view, size_t first)
{
    const view_model *model = view->drawn[view->batches[first]].model;
    size_t length = 0;
    while (first + length < view->drawn_count) {
        const view_drawn *next = &view->drawn[view->batches[first + length]];
        if (next->instance || next->model != model || !next->ground_shadow)
            break;
        length++;
    }
    return length;
}

static mmd_status draw_shadow_of(const view_drawn *drawn, size_t length, const float rgb[3], bool transparent,
                                 mmd_error *error)
{
    if (drawn->instance)
        return mmd_render_ground_shadow(drawn->instance, &drawn->desc, rgb, transparent, error);
    return mmd_render_crowd_ground_shadows(drawn->model->crowd, drawn->model->descs, drawn->member, length,
                                           rgb, transparent, error);
}

/* Draws the shadows of all accessories, or of all models. */
static mmd_status draw_shadows_of(mmd_view *view, bool accessories, bool together, const float rgb[3],
                                  bool transparent, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0, length; i < view->drawn_count && status == MMD_OK; i += length) {
        const view_drawn *drawn = &view->drawn[together ? view->batches[i] : i];
        length = 1;
        if (!drawn->ground_shadow || is_accessory(drawn) != accessories)
            continue;
        if (together && !drawn->instance)
            length = shadow_length(view, i);
        status = draw_shadow_of(drawn, length, rgb, transparent, error);
    }
    return status;
}

mmd_status view_draw_ground_shadows(mmd_view *view, const float rgb[3], bool transparent, mmd_error *error)
{
    assert(view);
    const bool together = view->has_crowd && shadows_are_alike(view, transparent);
    mmd_status status = draw_shadows_of(view, true, together, rgb, transparent, error);
    return status == MMD_OK ? draw_shadows_of(view, false, together, rgb, transparent, error) : status;
}
