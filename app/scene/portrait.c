#include "portrait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

/* --- Head and shoulders --- */

/* Fewer vertices are not a head. */
enum { HEAD_VERTICES_LEAST = 24 };

/* What is shown above the head and below its bone, relative to the height from the bone to the top. A
 * figure's shoulders are about half that height below the bone. Of ears and ribbons above the head, so much
 * is shown. */
#define ROOM_ABOVE 0.06
#define ROOM_BELOW 0.95
#define ROOM_WORN  0.35

static int32_t find_head(const mmd_model *model)
{
    static const char *const names[] = {"頭", "Head", "head"};
    int32_t found = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names && found < 0; i++)
        found = mmd_model_find_bone(model, names[i]);
    return found;
}

/* Finds the highest vertex that the head carries, and the highest of the bones that hang on the head
 * directly. Returns the number of vertices that the head carries. */
static uint32_t find_tops(const mmd_model *model, int32_t head, float *top, float *worn)
{
    const mmd_vertices *v = &model->vertices;
    uint32_t count = 0;
    *top = *worn = -INFINITY;
    for (uint32_t i = 0; i < v->count; i++) {
        const int32_t bone = v->bone[i][0];
        if (bone == head) {
            *top = mmd_maxf(*top, v->position[i][1]);
            count++;
        } else if (bone >= 0 && model->bones[bone].parent == head) {
            *worn = mmd_maxf(*worn, v->position[i][1]);
        }
    }
    return count;
}

bool portrait_of_head(const mmd_model *model, mmd_camera *camera)
{
    const int32_t head = find_head(model);
    float top, worn;
    if (head < 0 || find_tops(model, head, &top, &worn) < HEAD_VERTICES_LEAST)
        return false;
    const float *at = model->bones[head].position;
    const double height = (double)top - (double)at[1];
    if (!(height > 1e-3) || !isfinite(height))
        return false;
    const double above = mmd_min(mmd_max((double)worn - (double)top, 0), ROOM_WORN * height) +
                         ROOM_ABOVE * height,
                 below = ROOM_BELOW * height, slope = mmd_tan(camera->fov * 3.14159265358979323846 / 360);
    camera->position[0] = at[0];
    camera->position[1] = (float)((double)at[1] + (height + above - below) / 2);
    camera->position[2] = at[2];
    camera->distance = (float)(-(height + above + below) / 2 / slope);
    return true;
}

/* --- Everything --- */

void portrait_fit(const portrait_extent *seen, double filled, mmd_camera *camera)
{
    float view[16];
    const double half = -camera->distance * mmd_tan(camera->fov * 3.14159265358979323846 / 360),
                 right = (seen->left + seen->right) / 2 * half, up = (seen->bottom + seen->top) / 2 * half,
                 size = mmd_max(seen->right - seen->left, seen->top - seen->bottom) / 2;
    mmd_camera_matrices(camera, 1.0f, view, NULL, NULL);
    for (int k = 0; k < 3; k++)
        camera->position[k] += (float)(right * (double)view[4 * k] + up * (double)view[4 * k + 1]);
    camera->distance = (float)(camera->distance * size / filled);
}

/* --- Frames --- */

enum { SPANS = 16 };

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists the frames of all keyframes of bones, or of morphs, in ascending order. Returns their number. */
static size_t list_frames(const mmd_motion *motion, bool morphs, uint32_t *frames)
{
    size_t count = 0;
    const uint32_t tracks = morphs ? motion->morph_track_count : motion->bone_track_count;
    for (uint32_t i = 0; i < tracks; i++) {
        const mmd_bone_track *bone = morphs ? NULL : &motion->bone_tracks[i];
        const uint32_t *from = bone ? bone->frames : motion->morph_tracks[i].frames,
                       keys = bone ? bone->count : motion->morph_tracks[i].count;
        if (keys)
            memcpy(frames + count, from, keys * sizeof *frames);
        count += keys;
    }
    qsort(frames, count, sizeof *frames, by_number);
    return count;
}

/* Finds the frame with the most keyframes in each span of the motion, the first one of several. Spans without
 * keyframes have none. Returns the number of frames. */
static size_t find_busy(const uint32_t *frames, size_t count, uint32_t last, uint32_t busy[SPANS],
                        size_t keys[SPANS])
{
    size_t found = 0, most = 0;
    uint64_t span = UINT64_MAX;
    for (size_t i = 0, next; i < count; i = next) {
        const uint64_t at = (uint64_t)frames[i] * SPANS / ((uint64_t)last + 1);
        for (next = i + 1; next < count && frames[next] == frames[i];)
            next++;
        if (at != span) {
            found++;
            most = 0;
        }
        if (next - i > most) {
            most = next - i;
            busy[found - 1] = frames[i];
            keys[found - 1] = most;
        }
        span = at;
    }
    return found;
}

/* Returns how far the hands and feet are from where they are at rest, seen from the hips, and more where the
 * head is upright and faces MMD's camera. */
static double reach_of(const mmd_model *model, const mmd_transform *world)
{
    static const char *const ends[] = {"左手首", "右手首", "左足首", "右足首"};
    const int32_t hips = mmd_model_find_bone(model, "下半身"), head = mmd_model_find_bone(model, "頭");
    double sum = 0, facing = 0, upright = 0;
    for (size_t i = 0; hips >= 0 && i < sizeof ends / sizeof *ends; i++) {
        const int32_t end = mmd_model_find_bone(model, ends[i]);
        double square = 0;
        for (int k = 0; end >= 0 && k < 3; k++) {
            const double now = (double)world[end].translation[k] - (double)world[hips].translation[k],
                         rest =
                             (double)model->bones[end].position[k] - (double)model->bones[hips].position[k];
            square += (now - rest) * (now - rest);
        }
        sum += sqrt(square);
    }
    if (head >= 0) {
        /* Cosines of the turns of the axes y and z. */
        const float *r = world[head].rotation;
        const double x = (double)r[0] * (double)r[0], y = (double)r[1] * (double)r[1],
                     z = (double)r[2] * (double)r[2];
        facing = 1 - 2 * (x + y);
        upright = 1 - 2 * (x + z);
    }
    return sum * (1.5 + facing) * (1.5 + upright);
}

/* Returns the frame at which the model reaches out furthest. */
static double furthest(const odori_scene *s, size_t model, const uint32_t *frames, size_t count)
{
    mmd_actor *actor = s->models[model].actor;
    double best = -1, found = 0;
    for (size_t i = 0; i < count; i++) {
        mmd_stage_set_frame(s->stage, frames[i]);
        const double reach = reach_of(s->models[model].model, mmd_pose_world(mmd_actor_pose(actor)));
        if (reach > best) {
            best = reach;
            found = frames[i];
        }
    }
    return found;
}

double portrait_frame(const odori_scene *s, size_t model, const mmd_motion *motion)
{
    const bool morphs = !motion->bone_key_count;
    const size_t most = morphs ? motion->morph_key_count : motion->bone_key_count;
    uint32_t *frames = most ? mmd_alloc(most * sizeof *frames) : NULL, busy[SPANS];
    size_t keys[SPANS], best = 0;
    if (!frames)
        return 0;
    const size_t count =
        find_busy(frames, list_frames(motion, morphs, frames), motion->last_frame, busy, keys);
    mmd_free(frames);
    if (!morphs)
        return furthest(s, model, busy, count);
    for (size_t i = 1; i < count; i++)
        best = keys[i] > keys[best] ? i : best;
    return count ? busy[best] : 0;
}
