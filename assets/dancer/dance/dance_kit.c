/* Keys: converting moves to keys, and keys to a VMD. */
#include "dance_kit.h"

#include <assert.h>
#include <string.h>

#include "mmd/format.h"
#include "mmd/text.h"
#include "tool.h"

static const mmd_curve even = {20, 20, 107, 107};

/* By feel: the curve of the move, the curve of settling, and the overshoot. */
static const struct feel {
    mmd_curve go, settle;
    float overshoot, windup;
    int settle_frames;
} feels[] = {
    [FEEL_HIT] = {{44, 10, 58, 121}, {40, 0, 70, 127}, 0.09f, 0.05f, 5},
    [FEEL_TAP] = {{50, 8, 72, 116}, {40, 0, 70, 127}, 0, 0.04f, 0},
    [FEEL_SOFT] = {{56, 4, 58, 124}, {50, 0, 70, 127}, 0.03f, 0.02f, 7},
    [FEEL_FLOW] = {{48, 14, 79, 113}, {20, 20, 107, 107}, 0, 0, 0},
    [FEEL_EVEN] = {{20, 20, 107, 107}, {20, 20, 107, 107}, 0, 0, 0},
};

dance_place dance_turned(quat turn)
{
    return (dance_place){.turn = turn};
}

quat dance_turn(float bend, float turn, float lean)
{
    quat y = quat_about(to_radians(-turn), (vec3){{0, 1, 0}}),
         x = quat_about(to_radians(-bend), (vec3){{1, 0, 0}});
    quat z = quat_about(to_radians(-lean), (vec3){{0, 0, 1}});
    return quat_mul(y, quat_mul(x, z));
}

quat dance_mirror(quat turn)
{
    return (quat){{turn.x, -turn.y, -turn.z, turn.w}};
}

int dance_frame(float beat)
{
    return (int)floorf(beat * SCORE_BEAT_FRAMES + 0.5f);
}

/* Keys. */

static dance_key *last_key(dance_track *track)
{
    return track->count ? &track->keys[track->count - 1] : NULL;
}

void dance_put_key(dance_book *book, int bone, const dance_key *key)
{
    assert(bone >= 0 && bone < BONE_COUNT);
    dance_track *track = &book->tracks[bone];
    dance_key *last = last_key(track);
    int frame = key->frame < 0 ? 0 : key->frame > SCORE_FRAMES ? SCORE_FRAMES : key->frame;
    if (!last || frame > last->frame)
        last = TOOL_PUSH(track->keys, track->count, track->capacity);
    else
        frame = last->frame;
    *last = *key;
    last->frame = frame;
}

void dance_put(dance_book *book, int bone, int frame, const dance_place *place, mmd_curve curve)
{
    dance_put_key(book, bone,
                  &(dance_key){.frame = frame, .place = *place, .curve = {curve, curve, curve, curve}});
}

static dance_place between(const dance_place *a, const dance_place *b, float t)
{
    return (dance_place){vec3_lerp(a->move, b->move, t), quat_slerp(a->turn, b->turn, t)};
}

/* Extrapolates: t may be outside of 0..1. */
static dance_place beyond(const dance_place *a, const dance_place *b, float t)
{
    vec3 way = vec3_sub(b->move, a->move);
    dance_place place = {vec3_add(a->move, vec3_scale(way, t)), quat_slerp(a->turn, b->turn, t)};
    place.turn = quat_normalize(place.turn);
    return place;
}

/* Removes a settling key if a move begins before it. */
static void cut_settling(dance_track *track, int from)
{
    dance_key *last = last_key(track);
    if (track->count > 1 && last->settles && last->frame > from)
        track->count--;
}

void dance_go(dance_book *book, int bone, int from, int to, const dance_place *place, dance_feel feel)
{
    dance_track *track = &book->tracks[bone];
    const struct feel *f = &feels[feel];
    if (!track->count) {
        dance_put(book, bone, 0, place, even);
        return;
    }
    cut_settling(track, from);
    dance_place start = last_key(track)->place;
    int last = last_key(track)->frame;
    if (from > last + 2) {
        start = beyond(&start, place, -f->windup);
        dance_put(book, bone, from, &start, feels[FEEL_SOFT].go);
    }
    if (to <= last)
        to = last + 1;
    dance_place over = beyond(&start, place, 1 + f->overshoot);
    dance_put(book, bone, to, &over, f->go);
    if (f->settle_frames) {
        dance_put(book, bone, to + f->settle_frames, place, f->settle);
        last_key(track)->settles = true;
    }
}

dance_place dance_at(const dance_track *track, float frame)
{
    uint32_t i = 0;
    while (i < track->count && (float)track->keys[i].frame <= frame)
        i++;
    if (i == 0)
        return track->count ? track->keys[0].place : dance_turned(QUAT_IDENTITY);
    if (i == track->count)
        return track->keys[i - 1].place;
    const dance_key *a = &track->keys[i - 1], *b = &track->keys[i];
    float u = (frame - (float)a->frame) / (float)(b->frame - a->frame);
    dance_place place = between(&a->place, &b->place, mmd_curve_value(b->curve[MMD_CHANNEL_ROTATION], u));
    for (int c = 0; c < 3; c++)
        place.move.raw[c] = lerp(a->place.move.raw[c], b->place.move.raw[c], mmd_curve_value(b->curve[c], u));
    return place;
}

/* Morphs. */

dance_morph *dance_morph_of(dance_book *book, const char *name)
{
    for (uint32_t i = 0; i < book->morph_count; i++)
        if (strcmp(book->morphs[i].name, name) == 0)
            return &book->morphs[i];
    if (book->morph_count == DANCE_MORPHS_MAX)
        tool_die("the dance moves more than %d morphs", DANCE_MORPHS_MAX);
    dance_morph *morph = &book->morphs[book->morph_count++];
    morph->name = name;
    return morph;
}

void dance_weight(dance_morph *morph, int frame, float weight)
{
    assert(weight >= 0 && weight <= 1);
    dance_weight_key *last = morph->count ? &morph->keys[morph->count - 1] : NULL;
    frame = frame < 0 ? 0 : frame > SCORE_FRAMES ? SCORE_FRAMES : frame;
    if (!last || frame > last->frame)
        last = TOOL_PUSH(morph->keys, morph->count, morph->capacity);
    else
        frame = last->frame;
    *last = (dance_weight_key){frame, weight};
}

/* Names. */

static const char *const middle_names[BONE_SHOULDER] = {
    [BONE_CENTER] = "センター", [BONE_GROOVE] = "グルーブ", [BONE_LOWER] = "下半身", [BONE_UPPER] = "上半身",
    [BONE_UPPER2] = "上半身2",  [BONE_NECK] = "首",         [BONE_HEAD] = "頭",      [BONE_EYES] = "両目"};

static const char *const pair_names[] = {"肩",   "腕",     "腕捩", "ひじ", "手捩",
                                         "手首", "足ＩＫ", "足",   "ひざ", "足首"};

static const char *const finger_names[] = {"親指０", "親指１", "親指２", "人指１", "人指２",
                                           "人指３", "中指１", "中指２", "中指３", "薬指１",
                                           "薬指２", "薬指３", "小指１", "小指２", "小指３"};

static void name_bone(int bone, uint8_t key[MMD_NAME_KEY_SIZE], mmd_arena *arena)
{
    const char *name = bone < BONE_SHOULDER ? middle_names[bone] : NULL;
    if (!name) {
        int pair = (bone - BONE_SHOULDER) / 2;
        name = bone < BONE_FINGERS ? pair_names[pair] : finger_names[(bone - BONE_FINGERS) / 2];
        name = tool_text(arena, "%s%s", (bone - BONE_SHOULDER) % 2 == LEFT ? "左" : "右", name);
    }
    mmd_name_key_from_utf8(name, key, NULL, NULL);
}

/* The file. */

static void write_track(const dance_track *from, mmd_bone_track *to, mmd_arena *arena)
{
    to->count = from->count;
    to->frames = tool_alloc(arena, from->count, sizeof *to->frames);
    to->keys = tool_alloc(arena, from->count, sizeof *to->keys);
    for (uint32_t i = 0; i < from->count; i++) {
        const dance_key *key = &from->keys[i];
        to->frames[i] = (uint32_t)key->frame;
        memcpy(to->keys[i].translation, key->place.move.raw, sizeof to->keys[i].translation);
        memcpy(to->keys[i].rotation, key->place.turn.raw, sizeof to->keys[i].rotation);
        memcpy(to->keys[i].curve, key->curve, sizeof to->keys[i].curve);
    }
}

static void write_morph(const dance_morph *from, mmd_morph_track *to, mmd_arena *arena)
{
    mmd_name_key_from_utf8(from->name, to->name, NULL, NULL);
    to->count = from->count;
    to->frames = tool_alloc(arena, from->count, sizeof *to->frames);
    to->weights = tool_alloc(arena, from->count, sizeof *to->weights);
    for (uint32_t i = 0; i < from->count; i++) {
        to->frames[i] = (uint32_t)from->keys[i].frame;
        to->weights[i] = from->keys[i].weight;
    }
}

void dance_header(mmd_motion *motion, const char *model)
{
    static const char header[] = "Vocaloid Motion Data 0002";
    memcpy(motion->header, header, sizeof header);
    mmd_cp932_from_utf8(model, strlen(model), motion->model_name, sizeof motion->model_name, NULL);
    motion->model_name_size = 20;
    motion->section_count = 6;
    motion->last_frame = SCORE_FRAMES;
}

static bool is_same(const dance_place *a, const dance_place *b)
{
    return memcmp(a->move.raw, b->move.raw, sizeof a->move.raw) == 0 &&
           memcmp(a->turn.raw, b->turn.raw, sizeof a->turn.raw) == 0;
}

/* Where a bone is held, a key at the beginning and one at the end suffice. */
static void thin_out(dance_track *track)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        const dance_key *key = &track->keys[i];
        bool held = kept > 0 && i + 1 < track->count && is_same(&key[0].place, &key[1].place) &&
                    is_same(&track->keys[kept - 1].place, &key->place);
        if (!held)
            track->keys[kept++] = *key;
    }
    track->count = kept;
}

void dance_finish(dance_book *book)
{
    for (int i = 0; i < BONE_COUNT; i++)
        if (book->tracks[i].count) {
            dance_place place = last_key(&book->tracks[i])->place;
            dance_put(book, i, SCORE_FRAMES, &place, even);
            thin_out(&book->tracks[i]);
        }
    for (uint32_t i = 0; i < book->morph_count; i++) {
        dance_morph *morph = &book->morphs[i];
        dance_weight(morph, SCORE_FRAMES, morph->keys[morph->count - 1].weight);
    }
}

static void free_book(dance_book *book)
{
    for (int i = 0; i < BONE_COUNT; i++)
        mmd_free(book->tracks[i].keys);
    for (uint32_t i = 0; i < book->morph_count; i++)
        mmd_free(book->morphs[i].keys);
    mmd_arena_finish(&book->arena);
    memset(book, 0, sizeof *book);
}

void dance_write(dance_book *book, mmd_buffer *vmd)
{
    mmd_arena *arena = &book->arena;
    mmd_motion motion = {0};
    dance_header(&motion, "odori");
    motion.bone_tracks = tool_alloc(arena, BONE_COUNT, sizeof *motion.bone_tracks);
    motion.morph_tracks = tool_alloc(arena, DANCE_MORPHS_MAX, sizeof *motion.morph_tracks);
    for (int i = 0; i < BONE_COUNT; i++) {
        mmd_bone_track *track = &motion.bone_tracks[motion.bone_track_count];
        if (!book->tracks[i].count)
            continue;
        name_bone(i, track->name, arena);
        write_track(&book->tracks[i], track, arena);
        motion.bone_track_count++;
        motion.bone_key_count += track->count;
    }
    for (uint32_t i = 0; i < book->morph_count; i++) {
        write_morph(&book->morphs[i], &motion.morph_tracks[i], arena);
        motion.morph_key_count += motion.morph_tracks[i].count;
    }
    motion.morph_track_count = book->morph_count;
    mmd_error error;
    if (mmd_vmd_write(&motion, vmd, &error) != MMD_OK)
        tool_die("the dance: %s", error.message);
    free_book(book);
}
