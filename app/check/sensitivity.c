/*
 * check --sensitivity: how small a change of a model a scene notices. Each kind of change is made to a model
 * in memory, in the place that the scene shows most of, the scene is opened and drawn again, and the pictures
 * are judged against those of the unchanged model. The model and the view are as before afterwards.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/text.h"

enum { FRAMES_JUDGED = 4 };

typedef enum change_kind {
    CHANGE_TEXTURE,
    CHANGE_MATERIAL,
    CHANGE_MORPH,
    CHANGE_BONE,
    CHANGE_WEIGHT,
    CHANGE_DAMPING,
    CHANGE_KINDS
} change_kind;

/* A kind of change: its largest number of steps, what a step is, and why a scene may not have it. */
static const struct kind {
    const char *name, *one, *unit; /* the unit of 1 and of other numbers */
    uint32_t most;
    double step;
    const char *absent; /* NULL: the kind is not mentioned where there is nothing of it */
} kinds[CHANGE_KINDS] = {
    {"texture", "level", "levels", 128, 1, "no texture is visible"},
    {"material", "level", "levels", 128, 1, "no material is visible"},
    {"morph", "% of its offsets", "% of its offsets", 100, 1, "no vertex morph is on"},
    {"bone", "units", "units", 10000, 0.001, "no bone is visible"},
    {"weight", "% of its weights", "% of its weights", 100, 1, "no bone with a parent is visible"},
    {"damping", "", "", 500, 0.001, NULL},
};

/* What is changed: an item of a model. */
typedef struct target {
    stored_model *stored; /* NULL: none */
    uint32_t index;
    double shown; /* by how much the scene shows it; the most shown one is taken */
} target;

/* The search in a scene. */
typedef struct search {
    const suite_scene *scene;
    mmd_view *view;
    recipe_store *store;
    judge *judge;
    double frames[FRAMES_JUDGED];
    size_t frame_count;
    mmd_image before[FRAMES_JUDGED]; /* of the unchanged model */
    target targets[CHANGE_KINDS];
    problem *why;
} search;

/* --- Making a change --- */

/* A source of files in which the colours of one picture are changed. */
typedef struct changed_source {
    mmd_source *from;
    char path[MMD_PATH_MAX];
    uint32_t levels;
} changed_source;

/* Moves a value from 0 to largest by a step, towards the farther end, so that it never leaves the range. */
static float move_value(float value, float largest, float step)
{
    return value < largest / 2 ? value + step : value - step;
}

static mmd_status read_changed(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    const changed_source *s = self;
    mmd_image image = {0};
    mmd_buffer png = {0};
    mmd_status status = mmd_source_read(s->from, name, bytes, error);
    if (status != MMD_OK || strcmp(name, s->path) != 0 ||
        mmd_image_decode(bytes->data, bytes->size, name, &image, NULL) != MMD_OK)
        return status;
    for (size_t i = 0; i < (size_t)4 * image.width * image.height; i++)
        if (i % 4 != 3)
            image.pixels[i] = (uint8_t)move_value(image.pixels[i], 255, (float)s->levels);
    const mmd_png_options options = {.alpha = image.has_alpha, .level = MMD_PNG_FAST};
    status = mmd_png_write(&image, &options, &png, error);
    mmd_image_finish(&image);
    if (status == MMD_OK) {
        mmd_bytes_finish(bytes);
        *bytes = (mmd_bytes){png.data, png.size};
    } else {
        mmd_buffer_finish(&png);
    }
    return status;
}

static bool list_changed(void *self, const char *folder,
                         bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    return mmd_source_list(((changed_source *)self)->from, folder, visit, user);
}

/* Returns a copy of an array, which is changed instead of it. NULL: out of memory. */
static void *copy_of(mmd_arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = mmd_arena_alloc(arena, count, size);
    if (copy)
        memcpy(copy, items, count * size);
    return copy;
}

static bool change_material(mmd_model *m, uint32_t index, float step, mmd_arena *arena)
{
    mmd_material *materials = copy_of(arena, m->materials, m->material_count, sizeof *materials);
    for (int k = 0; materials && k < 3; k++)
        materials[index].diffuse[k] = move_value(materials[index].diffuse[k], 1, step / 255);
    m->materials = materials;
    return materials != NULL;
}

static bool change_morph(mmd_model *m, uint32_t index, float step, mmd_arena *arena)
{
    mmd_morph *morphs = copy_of(arena, m->morphs, m->morph_count, sizeof *morphs);
    mmd_vertex_offset *offsets =
        copy_of(arena, m->morphs[index].offsets.vertex, m->morphs[index].count, sizeof *offsets);
    if (!morphs || !offsets)
        return false;
    for (uint32_t i = 0; i < morphs[index].count; i++)
        for (int k = 0; k < 3; k++)
            offsets[i].offset[k] *= 1 - step / 100;
    morphs[index].offsets.vertex = offsets;
    m->morphs = morphs;
    return true;
}

static bool change_bone(mmd_model *m, uint32_t index, float step, mmd_arena *arena)
{
    mmd_bone *bones = copy_of(arena, m->bones, m->bone_count, sizeof *bones);
    if (bones)
        bones[index].position[0] += step;
    m->bones = bones;
    return bones != NULL;
}

/* Moves a share of a bone's weight in a vertex that follows four to the one of the others that has most. */
static void change_four(const int32_t bone[4], float weight[4], int32_t index, float share)
{
    int from = -1, to = -1;
    for (int k = 0; k < 4; k++) {
        if (weight[k] == 0)
            continue;
        if (bone[k] == index)
            from = k;
        else if (to < 0 || weight[k] > weight[to])
            to = k;
    }
    if (from < 0 || to < 0)
        return;
    weight[to] += weight[from] * share;
    weight[from] -= weight[from] * share;
}

/* Moves a share of the weight of a bone to its parent, of vertices that follow it alone, else to another bone
 * that they follow. */
static bool change_weight(mmd_model *m, uint32_t index, float step, mmd_arena *arena)
{
    mmd_vertices *v = &m->vertices;
    uint8_t *deform = copy_of(arena, v->deform, v->count, 1);
    int32_t(*bone)[4] = copy_of(arena, v->bone, v->count, sizeof *bone);
    float(*weight)[4] = copy_of(arena, v->weight, v->count, sizeof *weight);
    if (!deform || !bone || !weight)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        if (deform[i] == MMD_DEFORM_BDEF1 && bone[i][0] == (int32_t)index) {
            deform[i] = MMD_DEFORM_BDEF2;
            bone[i][1] = m->bones[index].parent;
            weight[i][0] = 1 - step / 100;
        } else if ((deform[i] == MMD_DEFORM_BDEF2 || deform[i] == MMD_DEFORM_SDEF) &&
                   bone[i][0] == (int32_t)index) {
            weight[i][0] *= 1 - step / 100;
        } else if ((deform[i] == MMD_DEFORM_BDEF2 || deform[i] == MMD_DEFORM_SDEF) &&
                   bone[i][1] == (int32_t)index) {
            weight[i][0] += weight[i][1] * step / 100;
        } else {
            if (deform[i] == MMD_DEFORM_BDEF4 || deform[i] == MMD_DEFORM_QDEF)
                change_four(bone[i], weight[i], (int32_t)index, step / 100);
            continue;
        }
        weight[i][1] = 1 - weight[i][0];
    }
    v->deform = deform;
    v->bone = bone;
    v->weight = weight;
    return true;
}

static bool change_damping(mmd_model *m, uint32_t index, float step, mmd_arena *arena)
{
    mmd_rigid_body *bodies = copy_of(arena, m->bodies, m->body_count, sizeof *bodies);
    if (bodies) {
        bodies[index].linear_damping = move_value(bodies[index].linear_damping, 1, step);
        bodies[index].angular_damping = move_value(bodies[index].angular_damping, 1, step);
    }
    m->bodies = bodies;
    return bodies != NULL;
}

/* Lets a model take its textures from a source with a changed one. */
static bool change_texture(target *t, uint32_t levels, changed_source *changed)
{
    static const mmd_source_ops ops = {.read = read_changed, .list = list_changed};
    *changed = (changed_source){.from = t->stored->location.source, .levels = levels};
    mmd_source *source = mmd_source_create(&ops, changed);
    if (!source)
        return false;
    t->stored->location.source = source;
    return mmd_textures_find(&t->stored->location, t->stored->model->textures[t->index], changed->path, NULL) ==
           MMD_OK;
}

/* Makes a change of so many steps to a model. Its old arrays are not written to. */
static bool make_change(change_kind kind, target *t, uint32_t steps, changed_source *changed,
                        mmd_arena *arena)
{
    static bool (*const make[CHANGE_KINDS])(mmd_model *, uint32_t, float,
                                            mmd_arena *) = {[CHANGE_MATERIAL] = change_material,
                                                            [CHANGE_MORPH] = change_morph,
                                                            [CHANGE_BONE] = change_bone,
                                                            [CHANGE_WEIGHT] = change_weight,
                                                            [CHANGE_DAMPING] = change_damping};
    if (kind == CHANGE_TEXTURE)
        return change_texture(t, steps, changed);
    return make[kind](t->stored->model, t->index, (float)(steps * kinds[kind].step), arena);
}

/* --- Drawing --- */

/* Removes a model from the view, so that the next stage uploads it as it is then. */
static void forget_drawn(const search *s, stored_model *m)
{
    mmd_view_remove_model(s->view, m->model);
    m->in_view = false;
}

/* Draws a frame of an open stage. */
static bool draw_frame(const search *s, recipe_stage *stage, double frame, mmd_image *image)
{
    mmd_error error = {0};
    session_go(&stage->session, frame);
    return mmd_view_picture(s->view, stage->scene.stage, &stage->session.view, stage->size.width,
                            stage->size.height, image, &error) == MMD_OK ||
           problem_from(s->why, &error);
}

static bool judge_frame(const search *s, const recipe_stage *stage, size_t i, const mmd_image *drawn,
                        judgement *j)
{
    return judge_drawn(
        s->judge,
        &(judge_frame_input){
            .view = s->view, .stage = stage, .scene = s->scene, .baseline = &s->before[i], .drawn = drawn},
        j, s->why);
}

static bool open_stage(const search *s, recipe_stage *stage)
{
    mmd_error error = {0};
    return (recipe_open_from_store(stage, &s->scene->recipe, s->store, &error) == MMD_OK &&
            recipe_show(stage, &error) == MMD_OK) ||
           problem_from(s->why, &error);
}

/* Draws the scene with a change, and sets whether a frame of it fails. */
static bool try_change(search *s, change_kind kind, uint32_t steps, bool *noticed)
{
    target *t = &s->targets[kind];
    const mmd_model was = *t->stored->model;
    mmd_source *const files = t->stored->location.source;
    const uint64_t serial = t->stored->serial;
    mmd_arena arena = {0};
    changed_source changed;
    recipe_stage stage = {0};
    mmd_image image = {0};
    forget_drawn(s, t->stored);
    t->stored->serial = ++s->store->serial; /* shares no simulation with the unchanged model */
    *noticed = false;
    bool ok = make_change(kind, t, steps, &changed, &arena) || problem_out_of_memory(s->why);
    ok = ok && open_stage(s, &stage);
    for (size_t i = 0; i < s->frame_count && ok && !*noticed; i++) {
        judgement j = {0};
        ok = draw_frame(s, &stage, s->frames[i], &image) && judge_frame(s, &stage, i, &image, &j);
        *noticed = ok && !j.passed;
    }
    recipe_close(&stage);
    mmd_image_finish(&image);
    forget_drawn(s, t->stored);
    *t->stored->model = was;
    t->stored->serial = serial;
    if (t->stored->location.source != files)
        mmd_source_destroy(t->stored->location.source);
    t->stored->location.source = files;
    mmd_arena_finish(&arena);
    return ok;
}

/* Searches the smallest number of steps that is noticed: doubles it until one is, then bisects. 0: none is.
 */
static bool find_smallest(search *s, change_kind kind, uint32_t *smallest)
{
    uint32_t below = 0, steps = 1;
    const uint32_t most = kinds[kind].most;
    bool noticed = false;
    *smallest = 0;
    while (true) {
        if (!try_change(s, kind, steps, &noticed))
            return false;
        if (noticed)
            break;
        if (steps == most)
            return true;
        below = steps;
        steps = steps > most / 2 ? most : 2 * steps;
    }
    while (steps - below > 1) {
        const uint32_t middle = below + (steps - below) / 2;
        if (!try_change(s, kind, middle, &noticed))
            return false;
        *(noticed ? &steps : &below) = middle;
    }
    *smallest = steps;
    return true;
}

/* --- Choosing what to change --- */

/* Offers an item to be changed. The first of those that are shown most is taken. */
static void offer(search *s, change_kind kind, stored_model *stored, uint32_t index, double shown)
{
    if (shown > s->targets[kind].shown)
        s->targets[kind] = (target){stored, index, shown};
}

static double offset_of(const mmd_morph *morph)
{
    double sum = 0;
    for (uint32_t i = 0; i < morph->count; i++)
        for (int k = 0; k < 3; k++)
            sum += fabs(morph->offsets.vertex[i].offset[k]);
    return sum;
}

/* Offers the items of an actor that a frame shows. pixels: of the frame that are compared, by material and by
 * bone. */
static bool offer_items(search *s, const recipe_stage *stage, size_t actor, const double *by_material,
                        const double *by_bone)
{
    stored_model *stored = stage->models[actor];
    const mmd_model *m = stored->model;
    double *by_texture = mmd_alloc((m->texture_count + 1) * sizeof *by_texture);
    if (!by_texture)
        return problem_out_of_memory(s->why);
    memset(by_texture, 0, (m->texture_count + 1) * sizeof *by_texture);
    for (uint32_t i = 0; i < m->material_count; i++) {
        offer(s, CHANGE_MATERIAL, stored, i, by_material[i]);
        if (m->materials[i].texture >= 0)
            by_texture[m->materials[i].texture] += by_material[i];
    }
    for (uint32_t i = 0; i < m->texture_count; i++) {
        char path[MMD_PATH_MAX];
        if (by_texture[i] > 0 && mmd_textures_find(&stored->location, m->textures[i], path, NULL) == MMD_OK)
            offer(s, CHANGE_TEXTURE, stored, i, by_texture[i]);
    }
    mmd_free(by_texture);
    for (uint32_t i = 0; i < m->bone_count; i++) {
        offer(s, CHANGE_BONE, stored, i, by_bone[i]);
        if (m->bones[i].parent >= 0)
            offer(s, CHANGE_WEIGHT, stored, i, by_bone[i]);
    }
    for (uint32_t i = 0; stage->recipe.physics.on && i < m->body_count; i++)
        if (m->bodies[i].mode != 0 && m->bodies[i].bone >= 0)
            offer(s, CHANGE_DAMPING, stored, i, by_bone[m->bodies[i].bone]);
    const float *weights = mmd_pose_weights(mmd_actor_pose(stage->scene.models[actor].actor));
    for (uint32_t i = 0; i < m->morph_count; i++)
        if (m->morphs[i].kind == MMD_MORPH_VERTEX && weights[i] != 0)
            offer(s, CHANGE_MORPH, stored, i, fabs((double)weights[i]) * offset_of(&m->morphs[i]));
    return true;
}

/* Counts the pixels of an actor by material and by bone, and offers these. */
static bool offer_actor(search *s, const recipe_stage *stage, size_t actor, const uint32_t (*ids)[3],
                        const mmd_image *image)
{
    const mmd_model *m = stage->models[actor]->model;
    const uint8_t *mask = s->scene->masks.count ? s->judge->mask.pixels : NULL;
    double *counts = mmd_alloc(((size_t)m->material_count + m->bone_count + 1) * sizeof *counts);
    if (!counts)
        return problem_out_of_memory(s->why);
    memset(counts, 0, ((size_t)m->material_count + m->bone_count + 1) * sizeof *counts);
    double *bones = counts + m->material_count;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        if (ids[i][0] != actor)
            continue;
        /* What the masks hide counts only where they hide everything. */
        const double pixel = !mask || mask[i] ? 1 : 1e-9;
        if (ids[i][1] < m->material_count)
            counts[ids[i][1]] += pixel;
        if (ids[i][2] < m->bone_count)
            bones[ids[i][2]] += pixel;
    }
    bool ok = offer_items(s, stage, actor, counts, bones);
    mmd_free(counts);
    return ok;
}

/* Offers what a frame shows to be changed. The stage is at the frame, which was judged, so the mask is made.
 */
static bool offer_frame(search *s, const recipe_stage *stage, const mmd_image *image)
{
    mmd_error error = {0};
    uint32_t(*ids)[3] = mmd_alloc((size_t)image->width * image->height * sizeof *ids);
    bool ok = ids || problem_out_of_memory(s->why);
    ok = ok && (mmd_view_ids(s->view, stage->scene.stage, &stage->session.view, image->width, image->height,
                             ids, &error) == MMD_OK ||
                problem_from(s->why, &error));
    for (size_t i = 0; ok && i < stage->scene.model_count && i < mmd_stage_actor_count(stage->scene.stage);
         i++)
        if (!stage->models[i]->is_of_project && !stage->models[i]->model->physscene)
            ok = offer_actor(s, stage, i, (const uint32_t(*)[3])ids, image);
    mmd_free(ids);
    return ok;
}

/* Draws the unchanged scene, and chooses what to change. */
static bool draw_before(search *s)
{
    recipe_stage stage = {0};
    bool ok = open_stage(s, &stage);
    for (size_t i = 0; i < s->frame_count && ok; i++) {
        judgement j = {0};
        ok = draw_frame(s, &stage, s->frames[i], &s->before[i]) &&
             judge_frame(s, &stage, i, &s->before[i], &j) && offer_frame(s, &stage, &s->before[i]);
    }
    recipe_close(&stage);
    return ok;
}

/* --- Results --- */

static const char *item_name(change_kind kind, const target *t)
{
    const mmd_model *m = t->stored->model;
    switch (kind) {
    case CHANGE_TEXTURE:
        return m->textures[t->index];
    case CHANGE_MATERIAL:
        return m->materials[t->index].name;
    case CHANGE_MORPH:
        return m->morphs[t->index].name;
    case CHANGE_DAMPING:
        return m->bodies[t->index].name;
    default:
        return m->bones[t->index].name;
    }
}

/* Searches a kind of change and adds the result to a list. */
static bool add_result(search *s, change_kind kind, json_t *list, bool *noticed)
{
    const struct kind *k = &kinds[kind];
    const target *t = &s->targets[kind];
    uint32_t smallest = 0;
    char text[1024];
    if (!t->stored && !k->absent)
        return true;
    if (t->stored && !find_smallest(s, kind, &smallest))
        return false;
    json_t *row = json_pack("{ss ss sf}", "kind", k->name, "unit", k->unit, "most", k->most * k->step);
    json_array_append_new(list, row);
    if (!t->stored) {
        snprintf(text, sizeof text, "%s: nothing (%s)", k->name, k->absent);
    } else {
        const double told = (smallest ? smallest : k->most) * k->step;
        char item[512];
        mmd_text_clean(item_name(kind, t), false, item, sizeof item);
        json_object_set_new(row, "item", json_string(item));
        snprintf(text, sizeof text, "%s %s: %s%.9g%s%s", k->name, item, smallest ? "from " : "nothing up to ",
                 told, *k->unit ? " " : "", told == 1 ? k->one : k->unit);
    }
    json_object_set_new(row, "step", smallest ? json_real(smallest * k->step) : json_null());
    json_object_set_new(row, "text", json_string(text));
    *noticed = *noticed || smallest > 0;
    return true;
}

json_t *check_sensitivity(const suite_scene *scene, mmd_view *view, recipe_store *store, judge *j,
                          bool *noticed, problem *why)
{
    search s = {.scene = scene, .view = view, .store = store, .judge = j, .why = why};
    json_t *list = json_array();
    const size_t count = scene->recipe.frame_count;
    *noticed = false;
    /* Frames that are spread evenly, with the first and the last one. */
    s.frame_count = count < FRAMES_JUDGED ? count : FRAMES_JUDGED;
    for (size_t i = 0; i < s.frame_count; i++)
        s.frames[i] = scene->recipe.frames[i == 0 ? 0 : i * (count - 1) / (s.frame_count - 1)];
    bool ok = draw_before(&s);
    for (change_kind kind = 0; kind < CHANGE_KINDS && ok; kind++)
        ok = add_result(&s, kind, list, noticed);
    for (size_t i = 0; i < s.frame_count; i++)
        mmd_image_finish(&s.before[i]);
    return list;
}
