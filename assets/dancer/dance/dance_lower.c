/* Feet and hips. A foot stands still between landing and lift-off: the two keys are equal. Hips follow their
 * own rows and drop slightly on every beat. */
#include "dance.h"
#include "dance_body.h"
#include "rig/rig_places.h"

static const mmd_curve even = {20, 20, 107, 107}, rise = {30, 40, 70, 127}, fall = {57, 0, 97, 87};
static const mmd_curve start = {50, 0, 90, 90}, end = {37, 37, 77, 127};

static const vec3 ankle_at = RIG_ANKLE;

/* How far the hips are below their rest position: knees are never straight. */
static const float stoop = 0.4f;

static float side_sign(int side)
{
    return side == LEFT ? 1.0f : -1.0f;
}

/* Feet. */

static dance_place foot_place(const dance_step *step)
{
    quat facing = dance_turn(0, step->facing, 0);
    vec3 at = {{step->x, 0, step->z + ankle_at.z}};
    vec3 rest = {{side_sign(step->foot) * ankle_at.x, 0, ankle_at.z}};
    dance_place place = {vec3_sub(quat_rotate(facing, at), rest),
                         dance_turn(0, step->facing + side_sign(step->foot) * step->out, 0)};
    return place;
}

/* Halfway: lifted, with the toe slightly down. A foot that is lifted high, as in running, trails behind. */
static dance_place foot_on_its_way(const dance_place *from, const dance_place *to, float lift)
{
    dance_place place = {vec3_lerp(from->move, to->move, 0.5f), quat_slerp(from->turn, to->turn, 0.5f)};
    vec3 back = {{0, 0, 0.9f * mmd_maxf(lift - 0.6f, 0)}};
    place.move = vec3_add(place.move, quat_rotate(place.turn, back));
    place.move.y = lift;
    place.turn = quat_mul(place.turn, dance_turn(18 * lift, 0, 0));
    return place;
}

static int lift_off(const dance_step *step)
{
    return dance_frame(step->beat - step->travel);
}

static void move_foot(dance_book *book, const dance_step *step)
{
    int bone = BONE_FOOT + step->foot;
    dance_track *track = &book->tracks[bone];
    dance_place to = foot_place(step);
    if (!track->count) {
        dance_put(book, bone, 0, &to, even);
        return;
    }
    dance_place from = track->keys[track->count - 1].place;
    dance_place way = foot_on_its_way(&from, &to, step->lift);
    int off = lift_off(step), down = dance_frame(step->beat);
    dance_put(book, bone, off, &from, even);
    dance_put_key(
        book, bone,
        &(dance_key){.frame = (off + down) / 2, .place = way, .curve = {start, rise, start, start}});
    dance_put_key(book, bone, &(dance_key){.frame = down, .place = to, .curve = {end, fall, end, end}});
}

static void move_feet(dance_book *book)
{
    for (int e = 0; e < dance_order_count; e++)
        for (int i = 0; i < dance_order[e].phrase->step_count; i++) {
            dance_step step = dance_entry_step(&dance_order[e], i);
            move_foot(book, &step);
        }
    for (int side = LEFT; side <= RIGHT; side++) {
        const dance_track *track = &book->tracks[BONE_FOOT + side];
        dance_place last = track->keys[track->count - 1].place;
        dance_put(book, BONE_FOOT + side, SCORE_FRAMES, &last, even);
    }
}

size_t dance_plants(dance_plant *plants, size_t capacity)
{
    size_t count = 0;
    int down[2] = {0, 0};
    for (int e = 0; e <= dance_order_count; e++) {
        bool over = e == dance_order_count;
        int steps = over ? 2 : dance_order[e].phrase->step_count;
        for (int i = 0; i < steps; i++) {
            dance_step step = over ? (dance_step){.foot = i} : dance_entry_step(&dance_order[e], i);
            int off = over ? SCORE_FRAMES : lift_off(&step);
            if (off > down[step.foot] && count < capacity)
                plants[count++] = (dance_plant){step.foot, down[step.foot], off};
            down[step.foot] = dance_frame(step.beat);
        }
    }
    return count;
}

/* Hips. */

static void move_hips(dance_book *book, const dance_hip *hip)
{
    int from = dance_frame(hip->beat - hip->travel), to = dance_frame(hip->beat);
    dance_place center = {{{hip->x, -stoop - hip->dip, 0}}, dance_turn(0, hip->facing, 0)};
    dance_place lower = dance_turned(dance_turn(0, hip->twist, -hip->tilt));
    dance_go(book, BONE_CENTER, from, to, &center, hip->feel == FEEL_HIT ? FEEL_SOFT : hip->feel);
    dance_go(book, BONE_LOWER, from - 1, to - 1, &lower, hip->feel);
}

/* Moves the hips down on the beat with a nod of the whole body, and up between beats. */
static void give_way(dance_book *book)
{
    static const mmd_curve down = {60, 10, 80, 110}, up = {40, 20, 60, 120};
    for (int e = 0; e < dance_order_count; e++) {
        const dance_phrase *phrase = dance_order[e].phrase;
        int first = dance_order[e].bar * SCORE_BAR_FRAMES;
        for (int beat = 0; beat < phrase->bars * SCORE_BEATS_A_BAR; beat++) {
            dance_place low = {{{0, -phrase->bounce, 0}}, dance_turn(9 * phrase->bounce, 0, 0)};
            dance_place high = {{{0, 0, 0}}, dance_turn(-3 * phrase->bounce, 0, 0)};
            dance_put(book, BONE_GROOVE, first + beat * SCORE_BEAT_FRAMES, &low, down);
            dance_put(book, BONE_GROOVE, first + beat * SCORE_BEAT_FRAMES + 8, &high, up);
        }
    }
}

void dance_lower(dance_book *book)
{
    move_feet(book);
    for (int e = 0; e < dance_order_count; e++)
        for (int i = 0; i < dance_order[e].phrase->hip_count; i++) {
            dance_hip hip = dance_entry_hip(&dance_order[e], i);
            move_hips(book, &hip);
        }
    give_way(book);
    dance_legs(book);
}
