/* Draws a frame of a stage: what is prepared once, and what is drawn to each framebuffer (docs/mmd.md 6.2,
 * 6.5). */
#include <assert.h>
#include <string.h>

#include "mmd/memory.h"
#include "view_internal.h"

/* ----------------------------------------------- surface modes and wireframe */

/* Draws what modellers look at instead of the picture: clay, weights or ids. */

static mmd_status view_draw_surface(const view_drawn *drawn, const mmd_view_options *options,
                                    mmd_error *error)
{
    assert(drawn && options);
    mmd_surface_desc surface = {
        .kind = options->surface, .model = drawn->actor, .bone = options->weights_bone};
    if (surface.kind == MMD_SURFACE_WEIGHTS && options->weights_actor != drawn->actor)
        surface.kind = MMD_SURFACE_CLAY;
    return mmd_render_surface(drawn->instance, &drawn->desc, &surface, error);
}

static mmd_status view_draw_wire(const view_drawn *drawn, const mmd_view_options *options, mmd_error *error)
{
    assert(drawn && options);
    return options->show_wireframe ? mmd_render_wire(drawn->instance, &drawn->desc, error) : MMD_OK;
}

/* ------------------------------------------------------------------- frames */

/* Warns once about a model that was not added to the view and is therefore not drawn. */
static void report_skipped(mmd_view *view, const mmd_model *model)
{
    for (size_t i = 0; i < view->reported_count; i++)
        if (view->reported[i] == model)
            return;
    const mmd_model **reported =
        mmd_realloc(view->reported, (view->reported_count + 1) * sizeof(const mmd_model *));
    if (!reported)
        return;
    view->reported = reported;
    reported[view->reported_count++] = model;
    mmd_log_message(&view->log, MMD_LOG_WARNING,
                    "a model of the stage was not added to the view; it is not drawn");
}

mmd_render_pose view_pose(const mmd_pose *pose, mmd_sdef_variant sdef)
{
    assert(pose);
    /* A transform is two texels. */
    _Static_assert(sizeof(mmd_transform) == sizeof(float[8]), "mmd_transform has eight floats");
    _Static_assert(sizeof(mmd_affine) == sizeof(float[12]), "mmd_affine has twelve floats");
    return (mmd_render_pose){.palette = (const float(*)[8])mmd_pose_palette(pose),
                             .affine = (const float(*)[12])mmd_pose_affine_palette(pose),
                             .weights = mmd_pose_weights(pose),
                             .sdef_slerp = sdef == MMD_SDEF_SLERP};
}

static void fill_scene(const mmd_stage *stage, const mmd_view_options *options, const view_frame *frame,
                       mmd_render_scene *scene)
{
    const mmd_camera *camera = mmd_stage_camera(stage);
    const mmd_light *light = mmd_stage_light(stage);
    const mmd_self_shadow *shadow = mmd_stage_self_shadow(stage);
    *scene = (mmd_render_scene){.fov = camera->fov,
                                .d3d9_centers = options->pixel_centers == MMD_PIXEL_CENTERS_D3D9,
                                .smooth = options->shading == MMD_SHADING_SMOOTH,
                                .no_mip_maps = !options->mip_maps,
                                .picture_width = frame->width,
                                .picture_height = frame->height};
    mmd_camera_matrices(camera, (float)frame->width / (float)frame->height, scene->view, scene->projection,
                        scene->eye);
    memcpy(scene->light_color, light->color, sizeof scene->light_color);
    memcpy(scene->light_direction, light->direction, sizeof scene->light_direction);
    if (options->self_shadow && shadow->mode <= 2)
        scene->self_shadow = shadow->mode;
    scene->shadow_distance = shadow->distance;
    if (frame->host)
        view_host_scene(frame->host, scene);
}

/* Computes the point whose distance from the camera determines the width of edges: bone 1, otherwise bone 0
 * (docs/mmd.md 6.6). */
static void edge_origin(const mmd_model *model, const mmd_pose *pose, const float *placement, float origin[3])
{
    memset(origin, 0, 3 * sizeof *origin);
    if (!model->bone_count)
        return;
    const float *bone = mmd_pose_world(pose)[model->bone_count > 1 ? 1 : 0].translation;
    memcpy(origin, bone, 3 * sizeof *origin);
    for (int k = 0; placement && k < 3; k++)
        origin[k] = placement[k] * bone[0] + placement[4 + k] * bone[1] + placement[8 + k] * bone[2] +
                    placement[12 + k];
}

static void describe(view_drawn *drawn, const mmd_stage *stage, uint32_t index, bool edge)
{
    const mmd_staging *staging = mmd_stage_staging(stage, index);
    const mmd_pose *pose = mmd_actor_pose(mmd_stage_actor(stage, index));
    drawn->actor = index;
    drawn->desc = (mmd_render_model_desc){.materials = mmd_pose_materials(pose),
                                          .hidden = mmd_actor_hidden(mmd_stage_actor(stage, index)),
                                          .factor_adds = (const float(*)[12])mmd_pose_material_adds(pose),
                                          .edge_scale = edge ? staging->edge_scale : 0.0f,
                                          .opacity = staging->opacity,
                                          .additive = staging->additive,
                                          .self_shadow = staging->self_shadow};
    drawn->ground_shadow = staging->ground_shadow;
    drawn->placed = mmd_stage_placement(stage, index, drawn->placement);
    edge_origin(mmd_actor_model(mmd_stage_actor(stage, index)), pose, drawn->placed ? drawn->placement : NULL,
                drawn->desc.edge_origin);
}

static mmd_status list_actor(mmd_view *view, const mmd_stage *stage, uint32_t index,
                             const mmd_view_options *options, mmd_error *error)
{
    mmd_actor *actor = mmd_stage_actor(stage, index);
    if (!mmd_stage_is_present(stage, index))
        return MMD_OK;
    view_model *model = view_find_model(view, mmd_actor_model(actor));
    if (!model)
        report_skipped(view, mmd_actor_model(actor));
    if (!model || !mmd_stage_actor_visible(stage, index))
        return MMD_OK;
    view_drawn *drawn = &view->drawn[view->drawn_count++];
    drawn->model = model;
    const view_drawn *previous = view->drawn_count > 1 ? drawn - 1 : NULL;
    drawn->section = previous ? previous->section : 0;
    if (previous &&
        (previous->model->model->origin == MMD_ORIGIN_X) != (model->model->origin == MMD_ORIGIN_X))
        drawn->section++;
    drawn->instance = NULL;
    drawn->unseen = false;
    describe(drawn, stage, index, options->edge);
    drawn->pose = view_pose(mmd_actor_pose(actor), options->sdef);
    drawn->pose.placement = drawn->placed ? drawn->placement : NULL;
    mmd_status status = view_add_softs(view, stage, index, &drawn->pose, error);
    /* Data of soft bodies are valid only until the next actor's are requested, so skin now. */
    return status == MMD_OK && drawn->pose.soft_count ? view_single(drawn, error) : status;
}

/* Makes room for the actors of a frame. The array is reused, so that a frame allocates nothing. */
static bool make_room(mmd_view *view, size_t count)
{
    if (count <= view->drawn_room)
        return true;
    view_drawn *grown = mmd_realloc(view->drawn, count * sizeof *grown);
    if (!grown)
        return false;
    view->drawn = grown;
    uint32_t *batches = mmd_realloc(view->batches, count * sizeof *batches);
    if (!batches)
        return false;
    view->batches = batches;
    view->drawn_room = count;
    return true;
}

/* Tests whether options need every actor by itself, to read its vertices or to draw something else than the
 * picture. */
static bool wants_each(const mmd_view_options *options)
{
    return options->each_actor || options->surface != MMD_SURFACE_PICTURE || options->show_wireframe ||
           options->show_normals;
}

/* Uploads the background pictures of the stage's frame that are not on the GPU yet. */
static mmd_status prepare_backgrounds(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                      const view_frame *frame, mmd_error *error)
{
    mmd_status status = MMD_OK;
    uint32_t count;
    const mmd_background_picture *pictures = mmd_stage_background_pictures(stage, &count);
    for (uint32_t i = 0; i < MMD_BACKGROUND_PICTURES_MAX && status == MMD_OK; i++) {
        bool wanted = options->background_pictures && !frame->host && i < count;
        const mmd_background_picture *from = wanted ? &pictures[i] : NULL;
        view_background *to = &view->backgrounds[i];
        uint64_t version = 0;
        const mmd_image *image = from ? from->picture(from->user, mmd_stage_frame(stage), &version) : NULL;
        to->shown = image != NULL;
        if (!image)
            continue;
        /* MMD's rectangle begins a pixel early, and Direct3D 9 samples pixels half a pixel later. */
        float grown = (float)frame->height / (float)from->height, unit = (float)from->width / 1280.0f;
        float middle = 0.5f * ((float)frame->width - grown * (float)from->width);
        float center = view->scene.d3d9_centers ? 0.5f : 0.0f;
        to->rectangle[0] = middle + grown * (unit * from->left - 1.0f) + center;
        to->rectangle[1] = grown * (unit * from->top - 1.0f) + center;
        to->rectangle[2] = grown * (unit * from->scale * (float)image->width + 1.0f);
        to->rectangle[3] = grown * (unit * from->scale * (float)image->height + 1.0f);
        if (to->texture && to->user == from->user && to->version == version)
            continue;
        mmd_render_background_destroy(view->renderer, to->texture);
        to->texture = 0;
        to->user = from->user;
        to->version = version;
        status = mmd_render_background_create(view->renderer, image, &to->texture, error);
    }
    return status;
}

mmd_status view_prepare(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        const view_frame *frame, mmd_error *error)
{
    assert(view);
    mmd_status status = view_complete(view, error);
    return status == MMD_OK ? view_prepare_arriving(view, stage, options, frame, error) : status;
}

mmd_status view_prepare_arriving(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                 const view_frame *frame, mmd_error *error)
{
    assert(view && stage && options && frame);
    mmd_gpu_enter(view->gpu);
    mmd_renderer_reset_statistics(view->renderer);
    fill_scene(stage, options, frame, &view->scene);
    view->drawn_count = 0;
    size_t count = mmd_stage_actor_count(stage);
    if (!make_room(view, count))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a frame");
    for (size_t i = 0; i < view->model_count; i++)
        view->models[i]->instances_used = 0;
    mmd_status status = prepare_backgrounds(view, stage, options, frame, error);
    for (size_t i = 0; i < count && status == MMD_OK; i++)
        status = list_actor(view, stage, mmd_stage_draw_order(stage)[i], options, error);
    if (status == MMD_OK)
        status = view_arrange(view, wants_each(options), options->ground_shadow, error);
    return status == MMD_OK ? view_prepare_lines(view, stage, options, error) : status;
}

/* Begins to make the programs of all models, also of those that are not visible yet. In a context of its own,
 * nobody waits for the next frame, and programs for what may come would only cost time. */
static mmd_status begin_programs(mmd_view *view, const mmd_view_options *options, mmd_error *error)
{
    mmd_status status = MMD_OK;
    mmd_render_wanted wanted = {.ground_shadow = options->ground_shadow,
                                .ahead = !mmd_gpu_is_exclusive(view->gpu) && !view->arriving,
                                .shadow_changes = options->self_shadow};
    for (size_t i = 0; i < view->model_count && status == MMD_OK; i++) {
        view_model *model = view->models[i];
        wanted.crowd = model->member_count > 0;
        const uint32_t bit = 1u << (wanted.crowd | wanted.ground_shadow << 1 | wanted.shadow_changes << 2 |
                                    (view->scene.self_shadow != 0) << 3 | view->scene.smooth << 4);
        if (!(model->programs & bit))
            status = mmd_render_begin_programs(model->mesh, &wanted, error);
        model->programs |= bit;
    }
    return status;
}

mmd_status view_draw_shadow_map(mmd_view *view, mmd_error *error)
{
    assert(view);
    mmd_status status = mmd_render_shadow_map_begin(view->renderer, error);
    if (status != MMD_OK)
        return status;
    status = view_draw_casters(view, error);
    mmd_render_shadow_map_end(view->renderer);
    return status;
}

static mmd_status draw_ground_shadows(mmd_view *view, const mmd_view_options *options, mmd_error *error)
{
    float rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = view->scene.light_color[k] * options->ground_shadow_brightness;
    return view_draw_ground_shadows(view, rgb, options->ground_shadow_transparent, error);
}

/* Draws a checkerboard that stands for a transparent background, in parts of the same texture. */
static mmd_status draw_checkers(mmd_view *view, mmd_error *error)
{
    enum { SIDE = 512, CELL = 16 };
    mmd_status status = MMD_OK;
    if (!view->checkers) {
        mmd_image image = {.width = SIDE, .height = SIDE, .pixels = mmd_alloc(SIDE * SIDE * 4)};
        if (!image.pixels)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the background");
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            memset(image.pixels + 4 * i, (i / SIDE / CELL + i % SIDE / CELL) % 2 ? 119 : 153, 3);
            image.pixels[4 * i + 3] = 255;
        }
        status = mmd_render_background_create(view->renderer, &image, &view->checkers, error);
        mmd_image_finish(&image);
    }
    for (uint32_t y = 0; y < view->scene.picture_height && status == MMD_OK; y += SIDE)
        for (uint32_t x = 0; x < view->scene.picture_width && status == MMD_OK; x += SIDE) {
            const float part[4] = {(float)x, (float)y, SIDE, SIDE};
            status = mmd_render_background(view->renderer, view->checkers, part, error);
        }
    return status;
}

/* Clears a framebuffer and draws what is behind everything. */
static mmd_status draw_background(mmd_view *view, const mmd_view_options *options, mmd_error *error)
{
    mmd_status status = MMD_OK;
    bool is_picture = options->surface == MMD_SURFACE_PICTURE;
    mmd_render_clear(view->renderer, options->background);
    if (options->checkerboard && options->background[3] <= 0 && is_picture)
        status = draw_checkers(view, error);
    for (int i = 0; i < MMD_BACKGROUND_PICTURES_MAX && is_picture && status == MMD_OK; i++)
        if (view->backgrounds[i].shown)
            status = mmd_render_background(view->renderer, view->backgrounds[i].texture,
                                           view->backgrounds[i].rectangle, error);
    return status;
}

/* Clears what a host program wants to be cleared. */
static void clear_for_host(mmd_view *view, const mmd_view_options *options, const mmd_view_host *host)
{
    if (host->clear_color)
        mmd_render_clear_color(view->renderer, options->background);
    if (host->clear_depth)
        mmd_render_clear_depth(view->renderer);
    if (options->ground_shadow && host->stencil_bits)
        mmd_render_clear_stencil(view->renderer);
}

/* Draws the actors of a picture in MMD's order (docs/mmd.md 6.5). */
static mmd_status draw_actors(mmd_view *view, const mmd_view_options *options, mmd_error *error)
{
    const size_t before = view_accessories_before(view);
    mmd_status status = view_draw_models(view, 0, before, error);
    if (status == MMD_OK && options->ground_shadow)
        status = draw_ground_shadows(view, options, error);
    return status == MMD_OK ? view_draw_models(view, before, view->drawn_count, error) : status;
}

/* Draws background, grid, actors and debug lines. */
static mmd_status draw_passes(mmd_view *view, const mmd_view_options *options, const mmd_view_host *host,
                              mmd_error *error)
{
    mmd_status status = MMD_OK;
    bool is_picture = options->surface == MMD_SURFACE_PICTURE;
    if (host)
        clear_for_host(view, options, host);
    else
        status = draw_background(view, options, error);
    if (status == MMD_OK && options->grid)
        status = mmd_render_grid(view->renderer, error);
    if (status == MMD_OK && is_picture)
        status = draw_actors(view, options, error);
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK && !is_picture; i++)
        status = view_draw_surface(&view->drawn[i], options, error);
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK && options->show_wireframe; i++)
        status = view_draw_wire(&view->drawn[i], options, error);
    if (status == MMD_OK)
        status = mmd_render_lines(view->renderer, view->lines, view->line_count, error);
    return status;
}

static void keep_statistics(mmd_view *view)
{
    mmd_render_statistics counted = mmd_renderer_get_statistics(view->renderer);
    view->statistics = (mmd_view_statistics){.upload_us = counted.upload_us,
                                             .upload_bytes = counted.upload_bytes,
                                             .draw_calls = counted.draw_calls};
    memcpy(view->statistics.pass_us, counted.pass_us, sizeof counted.pass_us);
}

mmd_status view_draw_window(mmd_view *view, const mmd_view_options *options, const view_window *window,
                            mmd_error *error)
{
    assert(view && options && window);
    view->scene.left = window->left;
    view->scene.top = window->top;
    view->scene.target_left = window->target_left;
    view->scene.target_bottom = window->target_bottom;
    mmd_status status = MMD_OK;
    mmd_render_begin(view->renderer, &view->scene, window->framebuffer, window->width, window->height);
    if (window->first && options->surface == MMD_SURFACE_PICTURE)
        status = begin_programs(view, options, error);
    /* All windows of a picture share the shadow map, which depends on the camera. */
    if (status == MMD_OK && view->scene.self_shadow && window->first &&
        options->surface == MMD_SURFACE_PICTURE)
        status = view_draw_shadow_map(view, error);
    if (status == MMD_OK)
        status = draw_passes(view, options, window->host, error);
    mmd_error ignored;
    mmd_status ended = mmd_render_end(view->renderer, status == MMD_OK ? error : &ignored);
    keep_statistics(view);
    return status == MMD_OK ? ended : status;
}

mmd_status view_draw_id_window(mmd_view *view, const view_window *window, mmd_error *error)
{
    assert(view && window);
    view->scene.left = window->left;
    view->scene.top = window->top;
    /* Ids have a framebuffer of their own, with the host's direction of depth, but not its range. */
    if (view->scene.hosted && view->scene.depth_range[0] > view->scene.depth_range[1])
        view->scene.reversed_depth = !view->scene.reversed_depth;
    view->scene.hosted = false;
    mmd_status status = MMD_OK;
    /* Skin before the frame begins, like all skinning. */
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        status = view_single(&view->drawn[i], error);
    if (status != MMD_OK)
        return status;
    mmd_render_begin(view->renderer, &view->scene, window->framebuffer, window->width, window->height);
    mmd_render_clear_ids(view->renderer, &view->id_target);
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++) {
        const view_drawn *drawn = &view->drawn[i];
        status = mmd_render_ids(drawn->instance, &drawn->desc, drawn->actor, &view->id_target, error);
    }
    mmd_error ignored;
    mmd_status ended = mmd_render_end(view->renderer, status == MMD_OK ? error : &ignored);
    return status == MMD_OK ? ended : status;
}

mmd_status mmd_view_draw(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                         uint32_t framebuffer, uint32_t width, uint32_t height, mmd_error *error)
{
    const mmd_view_place place = {.framebuffer = framebuffer, .width = width, .height = height};
    return mmd_view_draw_in(view, stage, options, &place, error);
}

mmd_status mmd_view_draw_in(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_place *place, mmd_error *error)
{
    assert(view && stage && options && place && place->width && place->height);
    const view_window window = {.framebuffer = place->framebuffer,
                                .width = place->width,
                                .height = place->height,
                                .target_left = (int32_t)place->left,
                                .target_bottom = (int32_t)place->bottom,
                                .first = true};
    const view_frame frame = {place->width, place->height, NULL};
    mmd_status status = view_prepare_arriving(view, stage, options, &frame, error);
    if (status == MMD_OK)
        status = view_draw_window(view, options, &window, error);
    return status;
}
