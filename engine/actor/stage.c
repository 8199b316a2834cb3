/* The stage: actors in draw order, camera, light, and the current frame. */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

mmd_stage *mmd_stage_create(void)
{
    mmd_stage *stage = mmd_alloc(sizeof *stage);
    if (stage)
        *stage = (mmd_stage){.camera = mmd_default_camera(),
                             .default_camera = mmd_default_camera(),
                             .light = mmd_default_light(),
                             .self_shadow = mmd_default_self_shadow()};
    return stage;
}

void mmd_stage_destroy(mmd_stage *stage)
{
    if (!stage)
        return;
    simulation_destroy(stage->physics);
    mmd_pool_destroy(stage->pool);
    for (size_t i = 0; i < stage->actor_count; i++) {
        mmd_free(stage->entries[i].bodies_at_bones);
        outside_drop(stage->entries[i].outside);
        placed_destroy(stage->entries[i].placed_parts);
        starts_destroy(stage->entries[i].starts);
        mmd_free(stage->entries[i].name);
    }
    mmd_free(stage->entries);
    mmd_free(stage->draw_order);
    mmd_free(stage->motions);
    mmd_free(stage->follow_keys);
    mmd_free(stage->gravity_keys);
    mmd_free(stage);
}

mmd_staging mmd_default_staging(void)
{
    return (mmd_staging){.visible = true,
                         .self_shadow = true,
                         .ground_shadow = true,
                         .opacity = 1.0f,
                         .edge_scale = 1.0f,
                         .scale = 1.0f,
                         .parent_bone = -1};
}

/* Tests whether an entry is drawn after one that was added later. */
static bool is_after(const stage_entry *a, const stage_entry *later)
{
    return a->staging.draw_order > later->staging.draw_order ||
           (a->staging.draw_order == later->staging.draw_order && a->place > later->place);
}

/* Insertion sort keeps the order of equal elements; stages have few actors. */
static void sort_actors(mmd_stage *stage)
{
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        size_t at = i;
        const stage_entry *later = &stage->entries[i];
        for (; at && is_after(&stage->entries[stage->draw_order[at - 1]], later); at--)
            stage->draw_order[at] = stage->draw_order[at - 1];
        stage->draw_order[at] = i;
    }
}

/* Creates the thread pool once there are several actors. Without memory or threads the caller's thread
 * does everything. */
static void make_pool(mmd_stage *stage)
{
    if (stage->threads && !stage->pool && stage->actor_count > 1)
        stage->pool = mmd_pool_create(stage->threads);
}

void mmd_stage_set_threads(mmd_stage *stage, uint32_t threads)
{
    assert(stage);
    if (stage->threads == threads)
        return;
    mmd_pool_destroy(stage->pool);
    stage->pool = NULL;
    stage->threads = threads;
    make_pool(stage);
}

mmd_status mmd_stage_add_actor(mmd_stage *stage, mmd_actor *actor, mmd_error *error)
{
    assert(stage && actor);
    size_t count = stage->actor_count + 1;
    stage_entry *entries = mmd_realloc(stage->entries, count * sizeof *entries);
    if (entries)
        stage->entries = entries;
    uint32_t *order = entries ? mmd_realloc(stage->draw_order, count * sizeof *order) : NULL;
    if (!order)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    stage->draw_order = order;
    stage_entry *added = &entries[stage->actor_count++];
    *added = (stage_entry){.actor = actor, .staging = mmd_default_staging(), .place = count - 1};
    /* Otherwise stages and skies, which are often accessories, would put the whole ground into shadow. */
    added->staging.ground_shadow = mmd_actor_model(actor)->origin != MMD_ORIGIN_X;
    mmd_status status = simulation_restart(stage, error);
    if (status != MMD_OK)
        stage->actor_count--;
    make_pool(stage);
    sort_actors(stage);
    return status;
}

size_t mmd_stage_actor_count(const mmd_stage *stage)
{
    assert(stage);
    return stage->actor_count;
}

mmd_actor *mmd_stage_actor(const mmd_stage *stage, size_t index)
{
    assert(index < stage->actor_count);
    return stage->entries[index].actor;
}

void mmd_stage_set_present(mmd_stage *stage, size_t index, bool present)
{
    assert(stage && index < stage->actor_count);
    stage->entries[index].absent = !present;
}

bool mmd_stage_is_present(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    return !stage->entries[index].absent;
}

void mmd_stage_set_place(mmd_stage *stage, size_t index, size_t place)
{
    assert(stage && index < stage->actor_count);
    stage->entries[index].place = place;
    sort_actors(stage);
}

size_t mmd_stage_place(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    return stage->entries[index].place;
}

mmd_status mmd_stage_set_name(mmd_stage *stage, size_t index, const char *name, mmd_error *error)
{
    assert(stage && index < stage->actor_count);
    size_t size = name ? strlen(name) + 1 : 0;
    char *copy = name ? mmd_alloc(size) : NULL;
    if (name && !copy)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    if (copy)
        memcpy(copy, name, size);
    mmd_free(stage->entries[index].name);
    stage->entries[index].name = copy;
    return MMD_OK;
}

const char *mmd_stage_name(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    const stage_entry *e = &stage->entries[index];
    return e->name ? e->name : mmd_actor_model(e->actor)->name;
}

static bool is_finite(const mmd_staging *s)
{
    float sum = s->opacity + s->edge_scale + s->scale;
    for (int k = 0; k < 3; k++)
        sum += s->position[k] + s->rotation[k];
    return isfinite(sum);
}

/* Tests what the caller must guarantee. */
static bool is_sound(const mmd_staging *s)
{
    return is_finite(s) && s->parent_bone >= -1 &&
           (!s->parent || s->parent_bone < (int32_t)mmd_actor_model(s->parent)->bone_count);
}

void mmd_stage_set_staging(mmd_stage *stage, size_t index, const mmd_staging *staging)
{
    assert(staging);
    bool sound = is_sound(staging);
    (void)sound; /* unused without asserts */
    assert(stage && index < stage->actor_count && sound);
    if (stage->entries[index].keys)
        mmd_stage_settle(stage);
    stage->entries[index].staging = *staging;
    stage->entries[index].keys = NULL;
    stage->entries[index].by_hand = 0;
    stage->entries[index].hidden = false;
    sort_actors(stage);
}

static float between(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Interpolates a staging. Numbers are linear between keys, everything else is the earlier key's; there is
 * no transition between parents. */
static mmd_staging staging_between(const mmd_staging_key *a, const mmd_staging_key *b, double frame)
{
    mmd_staging staging = a->staging;
    float t = (float)((frame - a->frame) / ((double)b->frame - a->frame));
    staging.opacity = between(a->staging.opacity, b->staging.opacity, t);
    if (a->staging.parent != b->staging.parent || a->staging.parent_bone != b->staging.parent_bone)
        return staging;
    staging.scale = between(a->staging.scale, b->staging.scale, t);
    for (int k = 0; k < 3; k++) {
        staging.position[k] = between(a->staging.position[k], b->staging.position[k], t);
        staging.rotation[k] = between(a->staging.rotation[k], b->staging.rotation[k], t);
    }
    return staging;
}

/* Copies some values of a staging. */
static void take_staged(mmd_staging *to, uint32_t what, const mmd_staging *from)
{
    if (what & MMD_STAGED_OPACITY)
        to->opacity = from->opacity;
    if (what & MMD_STAGED_ORDER)
        to->draw_order = from->draw_order;
    if (what & MMD_STAGED_ADDITIVE)
        to->additive = from->additive;
    if (what & MMD_STAGED_SHADOWS) {
        to->self_shadow = from->self_shadow;
        to->ground_shadow = from->ground_shadow;
    }
    if (what & MMD_STAGED_PARENT) {
        to->parent = from->parent;
        to->parent_bone = from->parent_bone;
    }
}

void stage_sample_staging(const stage_entry *entry, double frame, mmd_staging *staging)
{
    assert(entry);
    const mmd_staging_key *keys = entry->keys;
    size_t last = 0, behind = entry->key_count; /* the last key at or before the frame, and the next */
    if (!keys) {
        *staging = entry->staging;
        return;
    }
    while (behind - last > 1) {
        size_t middle = last + (behind - last) / 2;
        if (keys[middle].frame <= frame)
            last = middle;
        else
            behind = middle;
    }
    if (behind < entry->key_count && frame > keys[last].frame)
        *staging = staging_between(&keys[last], &keys[behind], frame);
    else
        *staging = keys[last].staging;
    staging->visible = staging->visible && !entry->hidden;
    take_staged(staging, entry->by_hand, &entry->staged);
}

/* Samples the keys of all actors at the stage's frame. */
static void sample_stagings(mmd_stage *stage)
{
    bool any = false;
    for (size_t i = 0; i < stage->actor_count; i++) {
        if (stage->entries[i].keys)
            stage_sample_staging(&stage->entries[i], stage->frame, &stage->entries[i].staging);
        any |= stage->entries[i].keys != NULL;
    }
    if (any)
        sort_actors(stage);
}

static bool are_sound(const mmd_staging_key *keys, size_t count)
{
    bool sound = count > 0;
    for (size_t i = 0; i < count; i++)
        sound = sound && is_sound(&keys[i].staging) && (i == 0 || keys[i - 1].frame < keys[i].frame);
    return sound;
}

void mmd_stage_set_staging_keys(mmd_stage *stage, size_t index, const mmd_staging_key *keys, size_t count)
{
    assert(keys || count == 0);
    bool sound = are_sound(keys, count);
    (void)sound; /* unused without asserts */
    assert(stage && index < stage->actor_count && sound);
    mmd_stage_settle(stage); /* the worker may read the old keys, which the caller may free now */
    stage->entries[index].keys = keys;
    stage->entries[index].key_count = count;
    stage->entries[index].keys_set++;
    stage->entries[index].by_hand = 0;
    stage->entries[index].hidden = false;
    sample_stagings(stage);
}

void mmd_stage_set_visible(mmd_stage *stage, size_t index, bool visible)
{
    assert(stage && index < stage->actor_count);
    stage_entry *entry = &stage->entries[index];
    if (!entry->keys) {
        entry->staging.visible = visible;
        return;
    }
    if (entry->hidden == !visible)
        return;
    mmd_stage_settle(stage);
    entry->hidden = !visible;
    entry->keys_set++; /* so that the simulation takes the keys again */
    sample_stagings(stage);
}

void mmd_stage_set_staged(mmd_stage *stage, size_t index, uint32_t what, const mmd_staging *staging)
{
    assert(stage && index < stage->actor_count && staging);
    stage_entry *entry = &stage->entries[index];
    mmd_staging to = entry->staging;
    take_staged(&to, what, staging);
    if (!entry->keys) {
        mmd_stage_set_staging(stage, index, &to);
        return;
    }
    bool sound = is_sound(&to);
    (void)sound; /* unused without asserts */
    assert(sound);
    mmd_stage_settle(stage);
    entry->by_hand |= what;
    take_staged(&entry->staged, what, staging);
    entry->keys_set++; /* so that the simulation takes the keys again */
    sample_stagings(stage);
}

uint32_t mmd_stage_staged_by_hand(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    return stage->entries[index].by_hand;
}

bool mmd_stage_is_hidden(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    const stage_entry *entry = &stage->entries[index];
    return entry->keys ? entry->hidden : !entry->staging.visible;
}

const mmd_staging *mmd_stage_staging(const mmd_stage *stage, size_t index)
{
    assert(index < stage->actor_count);
    return &stage->entries[index].staging;
}

bool mmd_stage_has_staging_keys(const mmd_stage *stage, size_t index)
{
    assert(index < stage->actor_count);
    return stage->entries[index].keys != NULL;
}

bool mmd_stage_actor_visible(const mmd_stage *stage, size_t index)
{
    assert(stage);
    const mmd_staging *staging = mmd_stage_staging(stage, index);
    return !stage->entries[index].absent && staging->visible && staging->opacity > 0.0f &&
           mmd_actor_visible(stage->entries[index].actor);
}

void stage_own_placement(const mmd_staging *s, float matrix[16])
{
    assert(s);
    float x[4] = {0.0f}, y[4] = {0.0f}, z[4] = {0.0f};
    mmd_sincosf(0.5f * s->rotation[0], &x[0], &x[3]);
    mmd_sincosf(0.5f * s->rotation[1], &y[1], &y[3]);
    mmd_sincosf(0.5f * s->rotation[2], &z[2], &z[3]);
    mmd_transform place = {.translation = {s->position[0], s->position[1], s->position[2]}};
    quat_multiply(y, x, place.rotation);
    quat_multiply(place.rotation, z, place.rotation);
    mmd_transform_matrix(&place, matrix);
    for (int column = 0; column < 3; column++)
        scale3(matrix + 4 * column, s->scale, matrix + 4 * column);
}

void stage_rigid_part(const float matrix[16], mmd_transform *out)
{
    assert(out);
    float axes[3][3];
    for (int k = 0; k < 3; k++) {
        float length = length3(matrix + 4 * k);
        scale3(matrix + 4 * k, length > 0.0f ? 1.0f / length : 0.0f, axes[k]);
    }
    *out = (mmd_transform){.translation = {matrix[12], matrix[13], matrix[14], 0.0f}};
    quat_from_axes(axes, out->rotation);
}

mmd_actor *stage_parent(const mmd_stage *stage, const mmd_staging *staging)
{
    assert(stage && staging);
    if (!staging->parent || staging->parent_bone < 0)
        return NULL;
    for (size_t i = 0; i < stage->actor_count; i++)
        if (stage->entries[i].actor == staging->parent && stage->entries[i].absent)
            return NULL;
    return staging->parent;
}

static bool stands_at_origin(const mmd_stage *stage, const mmd_staging *s)
{
    for (int k = 0; k < 3; k++)
        if (s->position[k] != 0.0f || s->rotation[k] != 0.0f)
            return false;
    return s->scale == 1.0f && !stage_parent(stage, s);
}

/* Returns the staging of an actor; NULL if it is not on the stage. */
static const mmd_staging *staging_of(const mmd_stage *stage, const mmd_actor *actor)
{
    for (size_t i = 0; i < stage->actor_count; i++)
        if (stage->entries[i].actor == actor)
            return &stage->entries[i].staging;
    return NULL;
}

static void put_on_bone(const mmd_staging *s, float placement[16])
{
    float bone[16];
    mmd_transform_matrix(&mmd_pose_world(mmd_actor_pose(s->parent))[s->parent_bone], bone);
    matrix_multiply(bone, placement, placement);
}

/* Multiplies the placements of all parents. A ring ends after all actors were visited. */
bool mmd_stage_placement(const mmd_stage *stage, size_t index, float matrix[16])
{
    assert(stage);
    const mmd_staging *s = mmd_stage_staging(stage, index);
    bool is_placed = !stands_at_origin(stage, s);
    float parent[16];
    stage_own_placement(s, matrix);
    for (size_t met = 0; met < stage->actor_count && s && stage_parent(stage, s); met++) {
        put_on_bone(s, matrix);
        s = staging_of(stage, s->parent);
        if (s) {
            stage_own_placement(s, parent);
            matrix_multiply(parent, matrix, matrix);
        }
    }
    return is_placed;
}

const uint32_t *mmd_stage_draw_order(const mmd_stage *stage)
{
    assert(stage);
    return stage->draw_order;
}

/* Returns whether the camera of the motions follows a bone at the stage's frame, and the bone's world matrix.
 */
static bool followed_bone(const mmd_stage *stage, float matrix[16])
{
    const mmd_motion *last = NULL; /* whose camera applies */
    for (size_t i = 0; i < stage->motion_count; i++)
        if (stage->motions[i]->camera_key_count)
            last = stage->motions[i];
    if (!stage->follow_keys || last != stage->follow_motion)
        return false;
    const mmd_outside_key *key = stage->follow_keys;
    for (size_t i = 1; i < stage->follow_count && stage->follow_keys[i].frame <= stage->frame; i++)
        key = &stage->follow_keys[i];
    for (size_t i = 0; key->parent && i < stage->actor_count; i++) {
        if (stage->entries[i].actor != key->parent || stage->entries[i].absent)
            continue;
        float placement[16];
        mmd_stage_placement(stage, i, placement);
        mmd_transform_matrix(&mmd_pose_world(mmd_actor_pose(key->parent))[key->parent_bone], matrix);
        matrix_multiply(placement, matrix, matrix);
        return true;
    }
    return false;
}

bool mmd_stage_camera_follows(const mmd_stage *stage, float offset[3])
{
    float matrix[16];
    assert(stage);
    if (!followed_bone(stage, matrix))
        return false;
    memcpy(offset, matrix + 12, 3 * sizeof *offset);
    return true;
}

mmd_status mmd_stage_set_camera_follow(mmd_stage *stage, const mmd_motion *motion,
                                       const mmd_outside_key *keys, size_t count, mmd_error *error)
{
    mmd_outside_key *copy = keys ? mmd_alloc(count * sizeof *copy) : NULL;
    assert(stage && (!keys || count > 0));
    if (keys && !copy)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    if (copy)
        memcpy(copy, keys, count * sizeof *copy);
    mmd_free(stage->follow_keys);
    stage->follow_keys = copy;
    stage->follow_count = copy ? count : 0;
    stage->follow_motion = motion;
    return MMD_OK;
}

/* Moves a camera that follows a bone: its position is then the place of the eye from the bone in the camera's
 * own axes, its rotation is added to the bone's, and its distance has no effect (docs/mmd.md 3.6). */
static void follow_bone(mmd_camera *camera, const float bone[16])
{
    float view[16];
    double r[3][3] = {{0}}; /* from the world to the camera */
    mmd_camera_matrices(camera, 1.0f, view, NULL, NULL);
    for (int k = 0; k < 3; k++) {
        const float *axis = bone + 4 * k;
        double length = mmd_hypot(mmd_hypot(axis[0], axis[1]), axis[2]);
        for (int row = 0; row < 3 && length > 0; row++)
            for (int column = 0; column < 3; column++)
                r[row][column] += view[4 * k + row] * axis[column] / length;
    }
    camera->rotation[0] = (float)mmd_atan2(r[2][1], mmd_hypot(r[2][0], r[2][2]));
    camera->rotation[1] = (float)mmd_atan2(-r[2][0], r[2][2]);
    camera->rotation[2] = (float)mmd_atan2(-r[0][1], r[1][1]);
    const double across = camera->position[0], up = camera->position[1];
    camera->distance = camera->position[2];
    for (int k = 0; k < 3; k++)
        camera->position[k] = (float)(bone[12 + k] + r[0][k] * across + r[1][k] * up);
}

/* Samples camera and light at the stage's frame, unless set by hand. The last motion with such keys
 * applies. */
static void sample_scene(mmd_stage *stage)
{
    if (!stage->camera_by_hand)
        stage->camera = stage->default_camera;
    mmd_light light = mmd_default_light();
    stage->self_shadow = mmd_default_self_shadow();
    for (size_t i = 0; i < stage->motion_count; i++) {
        if (!stage->camera_by_hand)
            mmd_motion_camera(stage->motions[i], stage->frame, &stage->camera);
        mmd_motion_light(stage->motions[i], stage->frame, &light);
        mmd_motion_self_shadow(stage->motions[i], stage->frame, &stage->self_shadow);
    }
    float bone[16];
    if (!stage->camera_by_hand && followed_bone(stage, bone))
        follow_bone(&stage->camera, bone);
    if (!stage->color_by_hand)
        memcpy(stage->light.color, light.color, sizeof light.color);
    if (!stage->direction_by_hand)
        memcpy(stage->light.direction, light.direction, sizeof light.direction);
}

mmd_status mmd_stage_add_scene_motion(mmd_stage *stage, const mmd_motion *motion, mmd_error *error)
{
    assert(stage);
    const mmd_motion **motions = mmd_realloc(stage->motions, (stage->motion_count + 1) * sizeof *motions);
    if (!motions)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    stage->motions = motions;
    motions[stage->motion_count++] = motion;
    sample_scene(stage);
    return MMD_OK;
}

void mmd_stage_remove_scene_motion(mmd_stage *stage, const mmd_motion *motion)
{
    assert(stage && motion);
    size_t at = stage->motion_count;
    while (at > 0 && stage->motions[at - 1] != motion)
        at--;
    if (at == 0)
        return;
    stage->motion_count--;
    memmove(stage->motions + at - 1, stage->motions + at,
            (stage->motion_count - (at - 1)) * sizeof *stage->motions);
    sample_scene(stage);
}

void mmd_stage_replace_scene_motion(mmd_stage *stage, const mmd_motion *motion, const mmd_motion *by)
{
    assert(stage && motion && by);
    for (size_t i = 0; i < stage->motion_count; i++)
        if (stage->motions[i] == motion)
            stage->motions[i] = by;
    if (stage->follow_motion == motion)
        stage->follow_motion = by;
    sample_scene(stage);
}

const mmd_motion *const *mmd_stage_scene_motions(const mmd_stage *stage, size_t *count)
{
    assert(stage && count);
    *count = stage->motion_count;
    return stage->motions;
}

void mmd_stage_set_background_pictures(mmd_stage *stage, const mmd_background_picture *pictures,
                                       uint32_t count)
{
    assert(pictures || count == 0);
    assert(stage && count <= MMD_BACKGROUND_PICTURES_MAX);
    stage->background_pictures = pictures;
    stage->background_picture_count = count;
}

const mmd_background_picture *mmd_stage_background_pictures(const mmd_stage *stage, uint32_t *count)
{
    assert(stage && count);
    *count = stage->background_picture_count;
    return stage->background_pictures;
}

void mmd_stage_set_default_camera(mmd_stage *stage, const mmd_camera *camera)
{
    assert(stage && camera);
    stage->default_camera = *camera;
    sample_scene(stage);
}

const mmd_camera *mmd_stage_default_camera(const mmd_stage *stage)
{
    assert(stage);
    return &stage->default_camera;
}

void mmd_stage_set_camera(mmd_stage *stage, const mmd_camera *camera)
{
    assert(stage);
    stage->camera_by_hand = camera != NULL;
    if (camera)
        stage->camera = *camera;
    else
        sample_scene(stage);
}

void mmd_stage_set_light_color(mmd_stage *stage, const float color[3])
{
    assert(stage);
    stage->color_by_hand = color != NULL;
    if (color)
        memcpy(stage->light.color, color, sizeof stage->light.color);
    else
        sample_scene(stage);
}

void mmd_stage_set_light_direction(mmd_stage *stage, const float direction[3])
{
    assert(stage);
    stage->direction_by_hand = direction != NULL;
    if (direction)
        memcpy(stage->light.direction, direction, sizeof stage->light.direction);
    else
        sample_scene(stage);
}

const mmd_camera *mmd_stage_camera_by_hand(const mmd_stage *stage)
{
    assert(stage);
    return stage->camera_by_hand ? &stage->camera : NULL;
}

const float *mmd_stage_light_direction_by_hand(const mmd_stage *stage)
{
    assert(stage);
    return stage->direction_by_hand ? stage->light.direction : NULL;
}

const float *mmd_stage_light_color_by_hand(const mmd_stage *stage)
{
    assert(stage);
    return stage->color_by_hand ? stage->light.color : NULL;
}

/* Evaluates an actor. Poses are independent of each other until all are evaluated, before as well as after
 * physics. */
static void evaluate_actor(void *context, uint32_t item)
{
    const mmd_stage *stage = context;
    if (!stage->entries[item].absent)
        actor_evaluate(stage->entries[item].actor, stage->frame, stage->physics != NULL);
}

static void finish_actor(void *context, uint32_t item)
{
    const mmd_stage *stage = context;
    if (!stage->entries[item].absent)
        mmd_pose_finish(mmd_actor_pose(stage->entries[item].actor));
}

void mmd_stage_set_frame(mmd_stage *stage, double frame)
{
    assert(stage);
    stage->frame = frame;
    mmd_pool_run(stage->pool, (uint32_t)stage->actor_count, evaluate_actor, stage);
    sample_stagings(stage);
    simulation_set_frame(stage);
    mmd_pool_run(stage->pool, (uint32_t)stage->actor_count, finish_actor, stage);
    parents_pose(stage);
    sample_scene(stage);
}

double mmd_stage_frame(const mmd_stage *stage)
{
    assert(stage);
    return stage->frame;
}

double mmd_stage_last_frame(const mmd_stage *stage)
{
    assert(stage);
    double last = 0.0;
    for (size_t i = 0; i < stage->actor_count; i++) {
        if (stage->entries[i].absent)
            continue;
        double frame = mmd_actor_last_frame(stage->entries[i].actor);
        last = frame > last ? frame : last;
        const stage_entry *entry = &stage->entries[i];
        if (entry->keys && entry->keys[entry->key_count - 1].frame > last)
            last = entry->keys[entry->key_count - 1].frame;
        last = mmd_max(last, outside_last_frame(entry->outside));
    }
    for (size_t i = 0; i < stage->motion_count; i++)
        last = (double)stage->motions[i]->last_frame > last ? (double)stage->motions[i]->last_frame : last;
    return last;
}

const mmd_camera *mmd_stage_camera(const mmd_stage *stage)
{
    assert(stage);
    return &stage->camera;
}
const mmd_light *mmd_stage_light(const mmd_stage *stage)
{
    assert(stage);
    return &stage->light;
}
const mmd_self_shadow *mmd_stage_self_shadow(const mmd_stage *stage)
{
    assert(stage);
    return &stage->self_shadow;
}
