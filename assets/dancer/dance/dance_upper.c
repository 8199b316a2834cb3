/* Arms, chest and head. The chest leads, the arms follow, the hands come last: each joint has its own delay,
 * which is longer in flowing moves. */
#include "dance_body.h"

#include <math.h>

/* Delay of a joint relative to the beat, in frames; may be negative. */
typedef struct delays {
    int waist, chest, shoulder, elbow, wrist, fingers, head;
} delays;

static const delays delays_of[] = {
    [FEEL_HIT] = {-1, 0, 0, 0, 1, 0, 0},   [FEEL_TAP] = {-1, 0, 0, 0, 0, 0, 1},
    [FEEL_SOFT] = {-2, -1, 0, 1, 3, 2, 1}, [FEEL_FLOW] = {-3, -2, 0, 2, 4, 3, 1},
    [FEEL_EVEN] = {-1, 0, 0, 0, 0, 0, 0},
};

typedef struct timing {
    int from, to;
    dance_feel feel;
} timing;

static void turn_bone(dance_book *book, int bone, const timing *t, int delay, quat turn)
{
    dance_place place = dance_turned(turn);
    dance_go(book, bone, t->from + delay, t->to + delay, &place, t->feel);
}

static void move_arm(dance_book *book, int side, dance_arm shape, const timing *t)
{
    const delays *d = &delays_of[t->feel];
    dance_joints j = dance_arm_joints(shape, side);
    turn_bone(book, BONE_SHOULDER + side, t, d->shoulder - 1, j.shoulder);
    turn_bone(book, BONE_ARM + side, t, d->shoulder, j.arm);
    turn_bone(book, BONE_ARM_TWIST + side, t, d->shoulder, j.arm_twist);
    turn_bone(book, BONE_ELBOW + side, t, d->elbow, j.elbow);
    turn_bone(book, BONE_WRIST_TWIST + side, t, d->elbow, j.wrist_twist);
    turn_bone(book, BONE_WRIST + side, t, d->wrist, j.wrist);
    timing quick = {t->from, t->to, t->feel == FEEL_HIT ? FEEL_TAP : t->feel};
    for (int i = 0; i < 15; i++)
        turn_bone(book, BONE_FINGERS + 2 * i + side, &quick, d->fingers, j.finger[i]);
}

/* Returns how far she is turned at a frame, limited so that the head stays with the audience. */
static quat turned_away(const dance_book *book, int frame)
{
    quat turn = dance_at(&book->tracks[BONE_CENTER], (float)frame).turn;
    return fabsf(turn.w) > mmd_cosf(to_radians(25)) ? turn : QUAT_IDENTITY;
}

/* Moves chest and head. The head keeps its own direction, by subtracting the rotation of hips and chest. Eyes
 * look straight where the head does not. */
static void move_trunk(dance_book *book, const dance_move *m, const timing *t)
{
    const delays *d = &delays_of[t->feel];
    quat waist = dance_turn(0.45f * m->bend, 0.4f * m->turn, 0.5f * m->lean);
    quat chest = dance_turn(0.55f * m->bend, 0.6f * m->turn, 0.5f * m->lean);
    quat trunk = quat_mul(turned_away(book, t->to), quat_mul(waist, chest));
    quat head = quat_mul(quat_inverse(trunk), dance_turn(m->nod, m->face, m->tilt));
    quat neck = quat_slerp(QUAT_IDENTITY, head, 0.35f);
    turn_bone(book, BONE_UPPER, t, d->waist, waist);
    turn_bone(book, BONE_UPPER2, t, d->chest, chest);
    turn_bone(book, BONE_NECK, t, d->head - 1, neck);
    turn_bone(book, BONE_HEAD, t, d->head, quat_mul(quat_inverse(neck), head));
    turn_bone(book, BONE_EYES, t, d->head - 2, dance_turn(-0.2f * m->nod, -0.25f * m->face, 0));
}

void dance_upper(dance_book *book)
{
    for (int e = 0; e < dance_order_count; e++)
        for (int i = 0; i < dance_order[e].phrase->move_count; i++) {
            dance_move m = dance_entry_move(&dance_order[e], i);
            timing t = {dance_frame(m.beat - m.travel), dance_frame(m.beat), m.feel};
            move_trunk(book, &m, &t);
            move_arm(book, LEFT, m.left, &t);
            move_arm(book, RIGHT, m.right, &t);
        }
}
