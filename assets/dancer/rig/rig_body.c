/* The semi-standard skeleton (準標準ボーン) as a table. Change positions here for other proportions. Only
 * left sides of pairs are listed. */
#include "rig.h"

#include <string.h>

#include "rig_places.h"
#include "tool.h"

static const rig_spec trunk[] = {
    {"全ての親", "master", NULL, RIG_AT(0, 0, 0), "センター", .flags = RIG_MOVES, .panel = PANEL_ROOT},
    {"センター", "center", "全ての親", RIG_CENTER, NULL, RIG_AT(0, -8, 0), RIG_MOVES, .panel = PANEL_CENTER},
    {"グルーブ", "groove", "センター", RIG_GROOVE, NULL, RIG_AT(0, 1.4f, 0), RIG_MOVES,
     .panel = PANEL_CENTER},
    {"腰", "waist", "グルーブ", RIG_AT(0, 11.3f, 0.1f), NULL, RIG_AT(0, 0.9f, -0.1f), .panel = PANEL_CENTER},
    {"上半身", "upper body", "腰", RIG_WAIST, "上半身2", .panel = PANEL_UPPER},
    {"上半身2", "upper body 2", "上半身", RIG_AT(0, 13.5f, -0.05f), "首", .panel = PANEL_UPPER},
    {"首", "neck", "上半身2", RIG_AT(0, 15.65f, 0.1f), "頭", .panel = PANEL_UPPER},
    {"頭", "head", "首", RIG_AT(0, 16.25f, 0), NULL, RIG_AT(0, 1.6f, 0), .panel = PANEL_UPPER},
    {"両目", "eyes", "頭", RIG_AT(0, 20.4f, 0), NULL, RIG_AT(0, 0, -1.2f), .panel = PANEL_UPPER},
    {"下半身", "lower body", "腰", RIG_WAIST, NULL, RIG_AT(0, -1.6f, 0), .panel = PANEL_LOWER},
};

static const rig_spec arm[] = {
    {"左目", "eye_L", "頭", RIG_AT(0.62f, 17.4f, -0.5f), NULL, RIG_AT(0, 0, -1.1f), RIG_APPEND_ROTATION,
     "両目", 1, PANEL_UPPER},
    {"左肩P", "shoulderP_L", "上半身2", RIG_COLLAR, NULL, RIG_AT(0, 1, 0), .panel = PANEL_ARM},
    {"左肩", "shoulder_L", "左肩P", RIG_COLLAR, "左腕", .panel = PANEL_ARM},
    {"左肩C", "shoulderC_L", "左肩", RIG_SHOULDER, NULL, RIG_AT(0, 0, 0), RIG_HIDDEN | RIG_APPEND_ROTATION,
     "左肩P", -1, PANEL_NONE},
    {"左腕", "arm_L", "左肩C", RIG_SHOULDER, "左ひじ", .flags = RIG_LOCAL_AXIS, .panel = PANEL_ARM},
    {"左腕捩", "arm twist_L", "左腕", RIG_ON_ARM(1.62f, 0.18f), "左ひじ", .flags = RIG_FIXED_AXIS,
     .panel = PANEL_ARM},
    {"左腕捩1", "arm twist1_L", "左腕", RIG_ON_ARM(0.675f, 0.1625f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.25f, PANEL_NONE},
    {"左腕捩2", "arm twist2_L", "左腕", RIG_ON_ARM(1.35f, 0.175f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.5f, PANEL_NONE},
    {"左腕捩3", "arm twist3_L", "左腕", RIG_ON_ARM(2.025f, 0.1875f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.75f, PANEL_NONE},
    {"左ひじ", "elbow_L", "左腕捩", RIG_ELBOW, "左手首", .flags = RIG_LOCAL_AXIS, .panel = PANEL_ARM},
    {"左手捩", "wrist twist_L", "左ひじ", RIG_ON_ARM(4.14f, 0.14f), "左手首", .flags = RIG_FIXED_AXIS,
     .panel = PANEL_ARM},
    {"左手捩1", "wrist twist1_L", "左ひじ", RIG_ON_ARM(3.3f, 0.175f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.25f, PANEL_NONE},
    {"左手捩2", "wrist twist2_L", "左ひじ", RIG_ON_ARM(3.9f, 0.15f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.5f, PANEL_NONE},
    {"左手捩3", "wrist twist3_L", "左ひじ", RIG_ON_ARM(4.5f, 0.125f), NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.75f, PANEL_NONE},
    {"左手首", "wrist_L", "左手捩", RIG_WRIST, "左手先", .flags = RIG_LOCAL_AXIS, .panel = PANEL_ARM},
    {"左手先", "hand end_L", "左手首", RIG_ON_ARM(5.75f, 0.08f), NULL, RIG_AT(0, 0, 0), RIG_HIDDEN,
     .panel = PANEL_NONE},
    {"左ダミー", "dummy_L", "左手首", RIG_ON_ARM(5.6f, -0.1f), NULL, RIG_AT(0, 0, -1), RIG_MOVES,
     .panel = PANEL_ARM},
    {"左握り", "grip_L", "左手首", RIG_ON_ARM(5.5f, 0.5f), NULL, RIG_AT(0, 0, -0.8f), .panel = PANEL_FINGER},
};

static const rig_spec leg[] = {
    {"腰キャンセル左", "waist cancel_L", "下半身", RIG_LEG, NULL, RIG_AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "腰", -1, PANEL_NONE},
    {"左足", "leg_L", "腰キャンセル左", RIG_LEG, "左ひざ", .panel = PANEL_LOWER},
    {"左ひざ", "knee_L", "左足", RIG_KNEE, "左足首", .panel = PANEL_LOWER},
    {"左足首", "ankle_L", "左ひざ", RIG_ANKLE, "左つま先", .panel = PANEL_LOWER},
    {"左つま先", "toe_L", "左足首", RIG_AT(0.85f, 0, -1.35f), NULL, RIG_AT(0, 0, 0), RIG_HIDDEN,
     .panel = PANEL_NONE},
    {"左足IK親", "leg IK parent_L", "全ての親", RIG_AT(0.85f, 0, 0.12f), "左足ＩＫ", .flags = RIG_MOVES,
     .panel = PANEL_IK},
    {"左足ＩＫ", "leg IK_L", "左足IK親", RIG_ANKLE, NULL, RIG_AT(0, 0, 1.3f), RIG_MOVES, .panel = PANEL_IK},
    {"左つま先ＩＫ", "toe IK_L", "左足ＩＫ", RIG_AT(0.85f, 0, -1.35f), NULL, RIG_AT(0, -1, 0), RIG_MOVES,
     .panel = PANEL_IK},
    {"左足D", "leg D_L", "腰キャンセル左", RIG_LEG, NULL, RIG_AT(0, 0, 0), RIG_APPEND_ROTATION | RIG_LATE,
     "左足", 1, PANEL_LOWER},
    {"左ひざD", "knee D_L", "左足D", RIG_KNEE, NULL, RIG_AT(0, 0, 0), RIG_APPEND_ROTATION | RIG_LATE,
     "左ひざ", 1, PANEL_LOWER},
    {"左足首D", "ankle D_L", "左ひざD", RIG_ANKLE, NULL, RIG_AT(0, 0, 0), RIG_APPEND_ROTATION | RIG_LATE,
     "左足首", 1, PANEL_LOWER},
    {"左足先EX", "toe EX_L", "左足首D", RIG_AT(0.85f, 0.45f, -0.75f), NULL, RIG_AT(0, 0, -0.8f), RIG_LATE,
     .panel = PANEL_LOWER},
};

/*
 * Fingers: the first joint (along the arm, to the front, up), the direction, and the lengths of three bones.
 */
typedef struct finger {
    const char *name, *name_en;
    const char *digits[3];
    float along, z, up;
    vec3 direction; /* along, up, z; need not be normalised */
    float length[3];
} finger;

static const finger fingers[] = {
    {"左親指",
     "thumb",
     {"０", "１", "２"},
     5.32f,
     -0.22f,
     -0.02f,
     {{0.62f, -0.16f, -0.62f}},
     {0.34f, 0.3f, 0.26f}},
    {"左人指", "index", {"１", "２", "３"}, 5.94f, -0.27f, 0.02f, {{1, 0, -0.08f}}, {0.36f, 0.24f, 0.2f}},
    {"左中指", "middle", {"１", "２", "３"}, 5.98f, -0.02f, 0.03f, {{1, 0, 0}}, {0.4f, 0.27f, 0.21f}},
    {"左薬指", "ring", {"１", "２", "３"}, 5.95f, 0.22f, 0.02f, {{1, 0, 0.07f}}, {0.37f, 0.25f, 0.2f}},
    {"左小指", "little", {"１", "２", "３"}, 5.87f, 0.45f, 0, {{1, 0, 0.14f}}, {0.3f, 0.2f, 0.17f}},
};

vec3 rig_on_arm(float along, float up, float z)
{
    return (vec3){{RIG_SHOULDER_X + RIG_ARM_COS * along + RIG_ARM_SIN * up,
                   RIG_SHOULDER_Y - RIG_ARM_SIN * along + RIG_ARM_COS * up, z}};
}

float rig_along_arm(vec3 p)
{
    return RIG_ARM_COS * (p.x - RIG_SHOULDER_X) - RIG_ARM_SIN * (p.y - RIG_SHOULDER_Y);
}

float rig_across_arm(vec3 p)
{
    return RIG_ARM_SIN * (p.x - RIG_SHOULDER_X) + RIG_ARM_COS * (p.y - RIG_SHOULDER_Y);
}

static void add_finger(rig *r, const finger *f)
{
    vec3 at = rig_on_arm(f->along, f->up, 0.1f + f->z);
    vec3 there = rig_on_arm(f->direction.x, f->direction.y, f->direction.z);
    vec3 direction = vec3_normalize(vec3_sub(there, rig_on_arm(0, 0, 0)));
    bool thumb = strcmp(f->digits[0], "０") == 0;
    const char *parent = "左手首";
    for (int i = 0; i < 3; i++) {
        const char *name = tool_text(r->arena, "%s%s", f->name, f->digits[i]);
        rig_spec spec = {.name = name,
                         .name_en = tool_text(r->arena, "%s%d_L", f->name_en, i + !thumb),
                         .parent = parent,
                         .position = at,
                         .flags = RIG_LOCAL_AXIS,
                         .panel = PANEL_FINGER};
        spec.tail_offset = vec3_scale(direction, f->length[i]);
        if (i < 2)
            spec.tail = tool_text(r->arena, "%s%s", f->name, f->digits[i + 1]);
        if (!thumb) {
            spec.flags |= RIG_APPEND_ROTATION;
            spec.source = "左握り";
            spec.ratio = 1;
        }
        rig_add_pair(r, &spec);
        at = vec3_add(at, spec.tail_offset);
        parent = name;
    }
}

static void add_leg_ik(rig *r, const char *side)
{
    const float straight = -0.5f * PI / 180.0f;
    const mmd_ik_link leg_links[] = {
        {rig_find(r, tool_text(r->arena, "%sひざ", side)), true, {-PI, 0, 0}, {straight, 0, 0}},
        {.bone = rig_find(r, tool_text(r->arena, "%s足", side))},
    };
    const mmd_ik_link toe_links[] = {{.bone = rig_find(r, tool_text(r->arena, "%s足首", side))}};
    rig_set_ik(r, tool_text(r->arena, "%s足ＩＫ", side), tool_text(r->arena, "%s足首", side), 40, 2.0f,
               leg_links, 2);
    rig_set_ik(r, tool_text(r->arena, "%sつま先ＩＫ", side), tool_text(r->arena, "%sつま先", side), 3, 4.0f,
               toe_links, 1);
}

void rig_body(rig *r)
{
    for (size_t i = 0; i < TOOL_COUNT(trunk); i++)
        rig_add(r, &trunk[i]);
    for (size_t i = 0; i < TOOL_COUNT(arm); i++)
        rig_add_pair(r, &arm[i]);
    for (size_t i = 0; i < TOOL_COUNT(fingers); i++)
        add_finger(r, &fingers[i]);
    for (size_t i = 0; i < TOOL_COUNT(leg); i++)
        rig_add_pair(r, &leg[i]);
    add_leg_ik(r, "左");
    add_leg_ik(r, "右");
    rig_sdef(r, "左腕捩", "左ひじ");
    rig_sdef(r, "左足D", "左ひざD");
}
