/*
 * The semi-standard skeleton (準標準ボーン), as a table: a person who wants other
 * proportions changes positions here. Left sides of pairs only.
 */
#include "rig.h"

#include <string.h>

#include "tool.h"

#define AT(x, y, z)                                                                                          \
    {                                                                                                        \
        {                                                                                                    \
            (x), (y), (z)                                                                                    \
        }                                                                                                    \
    }
#define NO_TAIL .tail = NULL

/* The arm goes down 36 degrees: a point `along` it from the shoulder. */
#define ARM_X(along)     (1.30f + 0.809017f * (along))
#define ARM_Y(along)     (15.05f - 0.587785f * (along))
#define ON_ARM(along, z) AT(ARM_X(along), ARM_Y(along), z)

static const rig_spec trunk[] = {
    {"全ての親", "master", NULL, AT(0, 0, 0), "センター", .flags = RIG_MOVES, .panel = PANEL_ROOT},
    {"センター", "center", "全ての親", AT(0, 8, 0), NULL, AT(0, -8, 0), RIG_MOVES, .panel = PANEL_CENTER},
    {"グルーブ", "groove", "センター", AT(0, 8.4f, 0), NULL, AT(0, 1.4f, 0), RIG_MOVES,
     .panel = PANEL_CENTER},
    {"腰", "waist", "グルーブ", AT(0, 11.3f, 0.1f), NULL, AT(0, 0.9f, -0.1f), .panel = PANEL_CENTER},
    {"上半身", "upper body", "腰", AT(0, 12.2f, 0), "上半身2", .panel = PANEL_UPPER},
    {"上半身2", "upper body 2", "上半身", AT(0, 13.5f, -0.05f), "首", .panel = PANEL_UPPER},
    {"首", "neck", "上半身2", AT(0, 15.65f, 0.1f), "頭", .panel = PANEL_UPPER},
    {"頭", "head", "首", AT(0, 16.25f, 0), NULL, AT(0, 1.6f, 0), .panel = PANEL_UPPER},
    {"両目", "eyes", "頭", AT(0, 20.4f, 0), NULL, AT(0, 0, -1.2f), .panel = PANEL_UPPER},
    {"下半身", "lower body", "腰", AT(0, 12.2f, 0), NULL, AT(0, -1.6f, 0), .panel = PANEL_LOWER},
};

static const rig_spec arm[] = {
    {"左目", "eye_L", "頭", AT(0.62f, 17.4f, -0.5f), NULL, AT(0, 0, -1.1f), RIG_APPEND_ROTATION, "両目", 1,
     PANEL_UPPER},
    {"左肩P", "shoulderP_L", "上半身2", AT(0.35f, 15.2f, 0.1f), NULL, AT(0, 1, 0), .panel = PANEL_ARM},
    {"左肩", "shoulder_L", "左肩P", AT(0.35f, 15.2f, 0.1f), "左腕", .panel = PANEL_ARM},
    {"左肩C", "shoulderC_L", "左肩", ON_ARM(0, 0.15f), NULL, AT(0, 0, 0), RIG_HIDDEN | RIG_APPEND_ROTATION,
     "左肩P", -1, PANEL_NONE},
    {"左腕", "arm_L", "左肩C", ON_ARM(0, 0.15f), "左ひじ", .flags = RIG_LOCAL_AXIS, .panel = PANEL_ARM},
    {"左腕捩", "arm twist_L", "左腕", ON_ARM(1.62f, 0.18f), "左ひじ", .flags = RIG_FIXED_AXIS,
     .panel = PANEL_ARM},
    {"左腕捩1", "arm twist1_L", "左腕", ON_ARM(0.675f, 0.1625f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.25f, PANEL_NONE},
    {"左腕捩2", "arm twist2_L", "左腕", ON_ARM(1.35f, 0.175f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.5f, PANEL_NONE},
    {"左腕捩3", "arm twist3_L", "左腕", ON_ARM(2.025f, 0.1875f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左腕捩", 0.75f, PANEL_NONE},
    {"左ひじ", "elbow_L", "左腕捩", ON_ARM(2.7f, 0.2f), "左手首", .flags = RIG_LOCAL_AXIS,
     .panel = PANEL_ARM},
    {"左手捩", "wrist twist_L", "左ひじ", ON_ARM(4.14f, 0.14f), "左手首", .flags = RIG_FIXED_AXIS,
     .panel = PANEL_ARM},
    {"左手捩1", "wrist twist1_L", "左ひじ", ON_ARM(3.3f, 0.175f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.25f, PANEL_NONE},
    {"左手捩2", "wrist twist2_L", "左ひじ", ON_ARM(3.9f, 0.15f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.5f, PANEL_NONE},
    {"左手捩3", "wrist twist3_L", "左ひじ", ON_ARM(4.5f, 0.125f), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "左手捩", 0.75f, PANEL_NONE},
    {"左手首", "wrist_L", "左手捩", ON_ARM(5.1f, 0.1f), "左手先", .flags = RIG_LOCAL_AXIS,
     .panel = PANEL_ARM},
    {"左手先", "hand end_L", "左手首", ON_ARM(5.75f, 0.08f), NULL, AT(0, 0, 0), RIG_HIDDEN,
     .panel = PANEL_NONE},
    {"左ダミー", "dummy_L", "左手首", ON_ARM(5.6f, -0.1f), NULL, AT(0, 0, -1), RIG_MOVES, .panel = PANEL_ARM},
    {"左握り", "grip_L", "左手首", ON_ARM(5.5f, 0.5f), NULL, AT(0, 0, -0.8f), .panel = PANEL_FINGER},
};

static const rig_spec leg[] = {
    {"腰キャンセル左", "waist cancel_L", "下半身", AT(0.85f, 10.6f, 0), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "腰", -1, PANEL_NONE},
    {"腰キャンセル右", "waist cancel_R", "下半身", AT(-0.85f, 10.6f, 0), NULL, AT(0, 0, 0),
     RIG_HIDDEN | RIG_APPEND_ROTATION, "腰", -1, PANEL_NONE},
};

static const rig_spec leg_pairs[] = {
    {"左足", "leg_L", "腰キャンセル左", AT(0.85f, 10.6f, 0), "左ひざ", .panel = PANEL_LOWER},
    {"左ひざ", "knee_L", "左足", AT(0.85f, 6.0f, -0.08f), "左足首", .panel = PANEL_LOWER},
    {"左足首", "ankle_L", "左ひざ", AT(0.85f, 1.3f, 0.12f), "左つま先", .panel = PANEL_LOWER},
    {"左つま先", "toe_L", "左足首", AT(0.85f, 0, -1.35f), NULL, AT(0, 0, 0), RIG_HIDDEN, .panel = PANEL_NONE},
    {"左足IK親", "leg IK parent_L", "全ての親", AT(0.85f, 0, 0.12f), "左足ＩＫ", .flags = RIG_MOVES,
     .panel = PANEL_IK},
    {"左足ＩＫ", "leg IK_L", "左足IK親", AT(0.85f, 1.3f, 0.12f), NULL, AT(0, 0, 1.3f), RIG_MOVES,
     .panel = PANEL_IK},
    {"左つま先ＩＫ", "toe IK_L", "左足ＩＫ", AT(0.85f, 0, -1.35f), NULL, AT(0, -1, 0), RIG_MOVES,
     .panel = PANEL_IK},
    {"左足D", "leg D_L", "腰キャンセル左", AT(0.85f, 10.6f, 0), NULL, AT(0, 0, 0),
     RIG_APPEND_ROTATION | RIG_LATE, "左足", 1, PANEL_LOWER},
    {"左ひざD", "knee D_L", "左足D", AT(0.85f, 6.0f, -0.08f), NULL, AT(0, 0, 0),
     RIG_APPEND_ROTATION | RIG_LATE, "左ひざ", 1, PANEL_LOWER},
    {"左足首D", "ankle D_L", "左ひざD", AT(0.85f, 1.3f, 0.12f), NULL, AT(0, 0, 0),
     RIG_APPEND_ROTATION | RIG_LATE, "左足首", 1, PANEL_LOWER},
    {"左足先EX", "toe EX_L", "左足首D", AT(0.85f, 0.45f, -0.75f), NULL, AT(0, 0, -0.8f), RIG_LATE,
     .panel = PANEL_LOWER},
};

/*
 * Fingers: where the first joint is (along the arm, to the front, up), the
 * direction, and the lengths of three bones.
 */
typedef struct finger {
    const char *name, *name_en;
    const char *digits[3];
    float along, z, up;
    vec3s direction; /* along, up, z; not unit */
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

/* The arm's frame: along it, across it upward, and Z. */
static vec3s from_arm(float along, float up, float z)
{
    return (vec3s){{0.809017f * along + 0.587785f * up, -0.587785f * along + 0.809017f * up, z}};
}

static void add_finger(rig *r, const finger *f)
{
    vec3s at = glms_vec3_add((vec3s){{1.30f, 15.05f, 0.1f}}, from_arm(f->along, f->up, f->z));
    vec3s direction = glms_vec3_normalize(from_arm(f->direction.x, f->direction.y, f->direction.z));
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
        spec.tail_offset = glms_vec3_scale(direction, f->length[i]);
        if (i < 2)
            spec.tail = tool_text(r->arena, "%s%s", f->name, f->digits[i + 1]);
        if (!thumb) {
            spec.flags |= RIG_APPEND_ROTATION;
            spec.source = "左握り";
            spec.ratio = 1;
        }
        rig_add_pair(r, &spec);
        at = glms_vec3_add(at, spec.tail_offset);
        parent = name;
    }
}

static void add_leg_ik(rig *r, const char *side)
{
    const float straight = -0.5f * GLM_PIf / 180.0f;
    const mmd_ik_link leg_links[] = {
        {rig_find(r, tool_text(r->arena, "%sひざ", side)), true, {-GLM_PIf, 0, 0}, {straight, 0, 0}},
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
    for (size_t i = 0; i < sizeof trunk / sizeof *trunk; i++)
        rig_add(r, &trunk[i]);
    for (size_t i = 0; i < sizeof arm / sizeof *arm; i++)
        rig_add_pair(r, &arm[i]);
    for (size_t i = 0; i < sizeof fingers / sizeof *fingers; i++)
        add_finger(r, &fingers[i]);
    for (size_t i = 0; i < sizeof leg / sizeof *leg; i++)
        rig_add(r, &leg[i]);
    r->mirror[rig_find(r, "腰キャンセル左")] = rig_find(r, "腰キャンセル右");
    r->mirror[rig_find(r, "腰キャンセル右")] = rig_find(r, "腰キャンセル左");
    for (size_t i = 0; i < sizeof leg_pairs / sizeof *leg_pairs; i++) {
        rig_spec spec = leg_pairs[i];
        int32_t bone = rig_add_pair(r, &spec);
        if (strcmp(spec.parent, "腰キャンセル左") == 0)
            r->bones[bone + 1].parent = rig_find(r, "腰キャンセル右");
    }
    add_leg_ik(r, "左");
    add_leg_ik(r, "右");
    rig_sdef(r, "左腕捩", "左ひじ");
    rig_sdef(r, "左足D", "左ひざD");
}
