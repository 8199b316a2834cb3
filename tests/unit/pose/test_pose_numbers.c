/*
 * Compares poses with numbers that were not computed by this engine. Forward kinematics, append and morphs
 * are compared with frozen tables of a small evaluator, written after docs/mmd.md 2 to 4 in double precision.
 * All models and motions are built here. IK, and what appends from appends, is compared with MMD in
 * tests/mmd.
 */
#define _DEFAULT_SOURCE /* M_PI */
#include "bone_rig.h"
#include "support.h"

static void expect_near(const float *found, const double *wanted, int count, double off, const char *what,
                        double frame)
{
    for (int k = 0; k < count; k++)
        if (!(fabs((double)found[k] - wanted[k]) <= off))
            fail_msg("%s, frame %g, number %d: %.6f where %.6f is right", what, frame, k, (double)found[k],
                     wanted[k]);
}

/* Rotates v by a unit quaternion. */
static void turned(const float q[4], const double v[3], double out[3])
{
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

/* ------------------------------------------ appends, morphs, evaluation order */

enum { FRAMES = 12, BONES = 16, MORPHS = 11, COLUMNS = 9 };
enum {
    ROOT,
    ARM,
    FORE,
    HALF,
    MINUS,
    OVER,
    CHAIN,
    LOCAL,
    EARLY,
    LATE,
    AFTER,
    ORPHAN,
    DEEP,
    DEEPER,
    DEEPEST,
    AGAIN
};
/* Each turn of the arm stands beside those of the same morph in groups, as if their weights were added. */
enum { TWO, GROUP_OF_TWO, OUTER_OF_TWO, ONE, GROUP, OUTER, FLIP, THROUGH, FADE, TINT, PLAIN };

static const double frozen_frames[FRAMES] = {0, 2.5, 5, 8, 10, 12.5, 15, 20, 22, 25.75, 30, 33};

/* For every bone but the root: the position of a point that rests at (1, 2, 3) from it. */
static const double frozen_places[FRAMES][BONES - 1][3] = {
    {{1.55565, 11.72475, 3.31057},
     {4.80839, 11.31137, 4.86309},
     {2.41455, 9.90094, 3.89577},
     {3.66707, 11.60503, 1.73648},
     {-1.67232, 6.89717, 3.60787},
     {-2.69865, 6.12513, 2.86524},
     {-0.13591, 4.70273, 5.54893},
     {4.19497, 7.24156, 3.19727},
     {4.38302, 5, 2.14381},
     {4.77583, 5, 3.15432},
     {4.38302, 3, 2.14381},
     {1, 4, 7},
     {1, 5, 7},
     {1, 6, 7},
     {-2.58955, 4.27849, 3.93939}},
    {{1.65385, 12.58531, 3.2641},
     {5.0857, 12.94099, 4.38547},
     {2.82167, 10.06175, 3.79918},
     {3.64793, 11.91478, 1.55889},
     {-2.02919, 8.75966, 3.62399},
     {-1.26018, 7.09405, 3.21942},
     {0.53213, 5.06416, 5.3676},
     {4.90789, 7.37156, 2.85299},
     {5.03262, 5.2141, 1.69223},
     {5.69836, 5.22027, 2.64587},
     {4.9216, 3.13442, 1.74297},
     {0.94629, 4.05097, 7.15},
     {1.45724, 4.87278, 7.23576},
     {2.04881, 5.67278, 7.02829},
     {-2.73624, 4.14057, 4.10359}},
    {{1.63631, 13.41416, 3.27374},
     {5.0184, 14.51255, 3.99245},
     {3.18772, 10.22816, 3.70498},
     {3.59698, 12.17938, 1.43331},
     {-2.73347, 10.24413, 3.79115},
     {0.09797, 9.26296, 3.39097},
     {1.11569, 5.41013, 5.22131},
     {5.75146, 7.61692, 2.33504},
     {5.63946, 5.46436, 1.1795},
     {6.9273, 5.19593, 2.00928},
     {5.77761, 3.42923, 1.02662},
     {0.85109, 4.12944, 7.4},
     {2.36576, 4.54886, 7.40142},
     {3.11129, 5.33255, 6.95181},
     {-2.84282, 4.00359, 4.31877}},
    {{1.48933, 14.31638, 3.38232},
     {4.01199, 16.70333, 3.52722},
     {3.57416, 10.42191, 3.60665},
     {3.95831, 12.06446, 1.87904},
     {-3.60817, 11.35059, 4.27464},
     {0.62498, 12.92941, 3.47481},
     {1.62235, 5.95963, 5.04943},
     {6.68491, 7.95028, 1.58995},
     {6.30197, 5.82009, 0.49589},
     {8.1004, 4.60265, 1.32731},
     {6.72085, 3.90184, 0.10785},
     {0.72837, 4.21222, 7.7},
     {3.49568, 4.07318, 7.48318},
     {4.38998, 4.91516, 6.71944},
     {-2.90142, 3.82172, 4.65463}},
    {{1.3402, 14.83817, 3.51981},
     {3.04571, 17.79832, 3.30232},
     {3.80349, 10.53944, 3.55519},
     {4.27816, 11.93546, 2.12462},
     {-3.96326, 11.72932, 4.74381},
     {0.06655, 15.49957, 3.63116},
     {1.90326, 6.26849, 5.00555},
     {7.25116, 8.2033, 1.02781},
     {6.69893, 6.09414, 0.00619},
     {8.56648, 4.01047, 0.96794},
     {7.28964, 4.28795, -0.52781},
     {0.64204, 4.26007, 7.9},
     {4.26595, 3.70792, 7.4563},
     {5.23645, 4.63602, 6.47901},
     {-2.89036, 3.67967, 4.9273}},
    {{1.20882, 15.3927, 4.00192},
     {1.40561, 18.78515, 3.6234},
     {4.01159, 10.5596, 3.63982},
     {4.6422, 11.71664, 2.55484},
     {-2.74193, 12.23921, 5.65712},
     {0.68113, 15.84779, 4.42372},
     {2.15375, 6.62058, 5.18989},
     {6.95591, 8.05364, 0.80457},
     {6.1095, 5.9389, -0.0077},
     {9.29332, 3.23584, -0.07153},
     {7.15694, 4.36766, -0.83142},
     {0.52977, 4.31124, 8.15},
     {5.23804, 3.20393, 7.32065},
     {6.2785, 4.29132, 6.08313},
     {-2.57167, 3.53372, 5.20926}},
    {{1.80487, 15.53906, 4.21178},
     {1.28449, 18.9019, 3.45455},
     {4.58514, 10.58167, 3.51492},
     {5.53411, 11.31438, 2.52988},
     {-2.21082, 12.46917, 6.24054},
     {0.85664, 15.96518, 4.64007},
     {2.81562, 6.62897, 5.09306},
     {5.9824, 7.61531, 0.92518},
     {5.51817, 5.80018, 0.01346},
     {9.88627, 2.83388, -2.09497},
     {6.47337, 4.15795, -0.77889},
     {0.41348, 4.35242, 8.4},
     {6.20834, 2.65581, 7.06256},
     {7.29321, 3.95672, 5.58341},
     {-2.63996, 3.65552, 5.52089}},
    {{2.04199, 14.84493, 4.94505},
     {1.505, 18.47624, 3.91108},
     {5.41741, 10.30643, 3.68168},
     {7.13597, 9.87875, 2.88035},
     {-3.24038, 10.80166, 6.16727},
     {-0.45121, 17.58274, 8.08566},
     {4.26247, 6.3097, 5.07518},
     {3.99803, 6.96847, 1.14977},
     {4.37429, 5.58292, 0.15752},
     {8.57829, 3.7875, -6.18898},
     {5.06867, 3.81242, -0.59685},
     {0.17235, 4.40367, 8.9},
     {8.08424, 1.47059, 6.15255},
     {9.20113, 3.3403, 4.28759},
     {-1.91838, 3.35872, 6.25399}},
    {{4.45874, 13.89514, 5.13303},
     {3.62316, 17.80938, 5.17029},
     {6.41058, 9.63116, 3.61858},
     {8.02947, 8.75917, 2.27957},
     {1.35197, 10.60577, 5.96481},
     {4.55653, 16.0707, 6.20088},
     {5.39401, 5.83725, 4.85162},
     {5.9932, 6.70727, 2.37051},
     {5.79967, 5.24898, 0.68059},
     {10.13533, 4.75469, -4.4631},
     {6.15266, 3.52503, -0.26544},
     {0.07401, 4.41228, 9.1},
     {8.78751, 0.98068, 5.63722},
     {9.90564, 3.12108, 3.66609},
     {-1.92075, 4.22804, 5.77289}},
    {{2.59317, 13.82866, 5.83918},
     {2.32469, 18.07567, 5.04917},
     {6.44458, 9.65193, 3.90339},
     {8.42136, 7.995, 2.70446},
     {-1.92925, 10.38608, 4.06168},
     {4.35271, 10.85768, 6.66965},
     {6.17577, 5.76171, 4.86732},
     {2.45379, 6.59322, 1.76315},
     {3.62918, 5.34941, 0.63147},
     {5.40857, 6.11138, -6.75763},
     {3.83429, 3.51648, -0.16653},
     {-0.11096, 4.40985, 9.475},
     {9.9919, 0.07069, 4.44154},
     {11.11496, 2.76454, 2.35871},
     {-0.87566, 3.28509, 6.76713}},
    {{3.16707, 13.00457, 6.24217},
     {3.7385, 17.25958, 6.79137},
     {7.30296, 9.04288, 3.89797},
     {9.03898, 7.2657, 2.51291},
     {-0.27594, 12.13716, 2.81555},
     {5.09287, 9.93056, 6.0322},
     {7.85822, 5.04002, 4.36576},
     {1.75687, 6.48977, 2.38093},
     {3.27802, 5.20339, 1.08589},
     {4.24465, 7.00792, -4.74441},
     {3.13141, 3.3713, 0.28232},
     {-0.31813, 4.37797, 9.9},
     {11.1168, -0.89697, 2.74947},
     {12.28221, 2.46262, 0.68344},
     {-0.37534, 3.32533, 7.23155}},
    {{3.16707, 13.00457, 6.24217},
     {3.7385, 17.25958, 6.79137},
     {7.30296, 9.04288, 3.89797},
     {9.03898, 7.2657, 2.51291},
     {-0.27594, 12.13716, 2.81555},
     {5.09287, 9.93056, 6.0322},
     {7.85822, 5.04002, 4.36576},
     {1.43282, 6.50651, 2.49512},
     {3.27802, 5.20339, 1.08589},
     {4.21593, 6.9866, -4.13857},
     {2.99225, 3.34628, 0.40072},
     {-0.36603, 4.36603, 10},
     {11.36354, -0.99111, 2.26324},
     {12.28221, 2.46262, 0.68344},
     {-0.37534, 3.32533, 7.23155}},
};

/* Weights after groups and flips, of ONE, TWO, GROUP (with OUTER's 1.5, if groups in groups counted), OUTER, FLIP,
 * THROUGH, FADE, TINT and PLAIN; then, of the material, diffuse colour and edge size. */
static const double frozen_weights[FRAMES][COLUMNS] = {
    {0, 0.3, 0, 0, 0, 0, 0, 1, 0.25},
    {0.2625, 0.0175, 0.325, 0.08333, 0, 0, 0.125, 0.83333, 0.08333},
    {0.525, -0.265, 0.65, 0.16667, 0, 0, 0.25, 0.66667, -0.08333},
    {0.84, -0.604, 1.04, 0.26667, 0, 0, 0.4, 0.46667, -0.28333},
    {1.05, -0.83, 1.3, 0.33333, 0, 0, 0.5, 0.33333, -0.41667},
    {1.475, -0.9475, 1.35, 0.41667, 0.02778, 0, 0.625, 0.16667, -0.58333},
    {1.5, -1.065, 1.4, 0.5, 0.16667, 0.01176, 0.75, 0, -0.71471},
    {1.55, -1.3, 1.5, 0.66667, 0.44444, 0.04118, 1, -0.33333, -0.9598},
    {1.65, -0.424, 1.54, 0.73333, 0.55556, 0.05294, 1.1, -0.46667, -1.05784},
    {1.8375, -1.369, 1.615, 0.85833, 0.76389, 0.075, 0.4, -0.71667, -1.24167},
    {2.05, -1.42, 1.7, 1, 1, 0.1, 0.4, -1, -1.45},
    {2.05, -1.42, 1.7, 1, 1, 0.1, 0.4, -1, -1.45},
};
static const double frozen_material[FRAMES][5] = {
    {0.9, 0.8, 0.3, 1, 1.5},
    {0.84271, 0.74435, 0.32667, 0.88359, 1.47135},
    {0.78417, 0.68908, 0.35333, 0.77187, 1.42708},
    {0.71227, 0.62325, 0.38533, 0.644, 1.35333},
    {0.66333, 0.57967, 0.40667, 0.5625, 1.29167},
    {0.60104, 0.52552, 0.43333, 0.46484, 1.20052},
    {0.5375, 0.47175, 0.46, 0.37188, 1.09375},
    {0.40667, 0.36533, 0.51333, 0.2, 0.83333},
    {0.35293, 0.32319, 0.53467, 0.1365, 0.71167},
    {0.59393, 0.38659, 0.50367, 0.644, 0.76167},
    {0.5656, 0.32992, 0.532, 0.644, 0.62},
    {0.5656, 0.32992, 0.532, 0.644, 0.62},
};

static const float x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1}, nowhere[3];

#define AT(x, y, z) ((const float[3]){x, y, z})

/* Adds a bone that appends. */
static void add_append(bone_rig *rig, const char *name, int32_t parent, const float at[3], int32_t source,
                       float ratio, uint16_t flags)
{
    mmd_bone *bone = &rig->bones[bone_rig_add(rig, name, parent, at[0], at[1], at[2])];
    bone->flags |= flags;
    bone->append_source = source;
    bone->append_ratio = ratio;
}

static void make_frozen_bones(bone_rig *rig)
{
    enum { R = MMD_BONE_APPEND_ROTATION, T = MMD_BONE_APPEND_TRANSLATION, L = MMD_BONE_APPEND_LOCAL };
    bone_rig_add(rig, "root", -1, 0, 0, 0);
    bone_rig_add(rig, "arm", ROOT, 1, 10, 0);
    bone_rig_add(rig, "fore", ARM, 4, 10.5f, 0.5f);
    add_append(rig, "half", ROOT, AT(1, 8, 1), ARM, 0.5f, R);
    add_append(rig, "minus", HALF, AT(3, 8, 1), FORE, -1, R | T);
    add_append(rig, "over", ROOT, AT(-2, 6, 0), ARM, 2.5f, R | T);
    add_append(rig, "chain", OVER, AT(-4, 6, 0), OVER, -0.5f, R | T);
    add_append(rig, "local", ROOT, AT(-1, 3, 2), FORE, 0.3f, R | T | L);
    add_append(rig, "early", ROOT, AT(2, 4, -1), LATE, 1.5f, R | T);
    bone_rig_add(rig, "late", ROOT, 3, 3, -1);
    add_append(rig, "after", ROOT, AT(5, 3, 0), EARLY, -2, R);
    bone_rig_add(rig, "orphan", LATE, 3, 1, -1);
    bone_rig_add(rig, "deep", DEEPER, 0, 2, 4);
    bone_rig_add(rig, "deeper", DEEPEST, 0, 3, 4);
    bone_rig_add(rig, "deepest", ROOT, 0, 4, 4);
    add_append(rig, "again", ROOT, AT(-3, 2, 1), HALF, -1.5f, R | T | L);
    rig->bones[LATE].layer = rig->bones[DEEPER].layer = rig->bones[AGAIN].layer = 1;
    rig->bones[AFTER].layer = rig->bones[DEEPEST].layer = 2;
}

static void make_frozen_keys(bone_rig *rig)
{
    bone_rig_key(rig, ROOT, 0, nowhere, y_axis, 0);
    bone_rig_key(rig, ROOT, 30, AT(3, 1, -2), AT(1, 2, 0), 50);
    bone_rig_key(rig, ARM, 0, nowhere, z_axis, 20);
    bone_rig_key(rig, ARM, 15, AT(0.5f, 0, 0), AT(1, 1, 1), 40);
    bone_rig_key(rig, ARM, 30, AT(0, -1, 0), AT(0, 1, 1), -35);
    bone_rig_key(rig, FORE, 5, AT(0, 0, 0.5f), x_axis, 30);
    bone_rig_key(rig, FORE, 25, AT(-1, 0.5f, 0), AT(1, -1, 0), -50);
    bone_rig_key(rig, HALF, 10, nowhere, y_axis, 15);
    bone_rig_key(rig, OVER, 20, nowhere, z_axis, -10);
    bone_rig_key(rig, OVER, 30, AT(1, 0, 0), x_axis, 25);
    bone_rig_key(rig, EARLY, 12, AT(1, 1, 1), z_axis, 10);
    bone_rig_key(rig, LATE, 0, nowhere, y_axis, 0);
    bone_rig_key(rig, LATE, 10, AT(2, 1, 0), AT(1, 2, 2), 45);
    bone_rig_key(rig, LATE, 30, AT(-2, 0, 1), y_axis, -30);
    bone_rig_key(rig, DEEPER, 0, nowhere, z_axis, 0);
    bone_rig_key(rig, DEEPER, 30, AT(0, 0, 3), z_axis, 60);
    bone_rig_key(rig, DEEPEST, 0, nowhere, x_axis, 0);
    bone_rig_key(rig, DEEPEST, 30, AT(4, 0, 0), x_axis, 40);
}

static void make_frozen_morphs(bone_rig *rig)
{
    static mmd_bone_offset one[] = {{.bone = ARM, .translation = {0, 2, 0}}};
    static mmd_bone_offset two[] = {{.bone = ARM, .translation = {1, 0, 0}},
                                    {.bone = LATE, .translation = {0, 0, 1}}};
    static const mmd_group_offset group_of_two[] = {{TWO, -0.6f}}, group[] = {{ONE, 0.5f}},
                                  outer_of_two[] = {{TWO, -0.9f}},
                                  outer[] = {{ONE, 0.75f}, {GROUP, 1.5f}, {PLAIN, -2}},
                                  flip[] = {{ONE, 0.8f}, {TWO, 0.5f}, {FADE, 0.4f}},
                                  through[] = {{FLIP, 1}, {PLAIN, 3}};
    static const mmd_material_offset fade[] = {
        {.material = -1, .operation = 0, .values = {.diffuse = {0.5f, 0.8f, 1.2f, 0.25f}, .edge_size = 0.5f}},
        {.material = 0, .operation = 0, .values = {.diffuse = {1.1f, 0.9f, 1, 0.8f}, .edge_size = 2}}};
    static const mmd_material_offset tint = {
        .material = 0, .operation = 1, .values = {.diffuse = {0.1f, 0.2f, -0.1f, 0}, .edge_size = 0.5f}};
    bone_rig_turn(z_axis, 40, one[0].rotation);
    bone_rig_turn(x_axis, 30, two[0].rotation);
    bone_rig_turn(y_axis, 25, two[1].rotation);
    bone_rig_morph(rig, "two", MMD_MORPH_BONE, two, 2);
    bone_rig_morph(rig, "group of two", MMD_MORPH_GROUP, group_of_two, 1);
    bone_rig_morph(rig, "outer of two", MMD_MORPH_GROUP, outer_of_two, 1);
    bone_rig_morph(rig, "one", MMD_MORPH_BONE, one, 1);
    bone_rig_morph(rig, "group", MMD_MORPH_GROUP, group, 1);
    bone_rig_morph(rig, "outer", MMD_MORPH_GROUP, outer, 3);
    bone_rig_morph(rig, "flip", MMD_MORPH_FLIP, flip, 3);
    bone_rig_morph(rig, "through", MMD_MORPH_GROUP, through, 2);
    bone_rig_morph(rig, "fade", MMD_MORPH_MATERIAL, fade, 2);
    bone_rig_morph(rig, "tint", MMD_MORPH_MATERIAL, &tint, 1);
    bone_rig_morph(rig, "plain", MMD_MORPH_VERTEX, NULL, 0);
    static const struct {
        uint32_t morph, frame;
        float weight;
    } keys[] = {{ONE, 0, 0},       {ONE, 30, 1.2f},   {TWO, 0, 0.3f},      {TWO, 20, -0.4f}, {GROUP, 0, 0},
                {GROUP, 10, 0.8f}, {GROUP, 30, 0.2f}, {OUTER, 0, 0},       {OUTER, 30, 1},   {FLIP, 12, 0},
                {FLIP, 30, 1},     {THROUGH, 13, 0},  {THROUGH, 30, 0.1f}, {FADE, 0, 0},     {FADE, 30, 1.5f},
                {TINT, 0, 1},      {TINT, 30, -1},    {PLAIN, 0, 0.25f}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bone_rig_weight(rig, keys[i].morph, keys[i].frame, keys[i].weight);
        if (keys[i].morph == GROUP || keys[i].morph == OUTER)
            bone_rig_weight(rig, keys[i].morph == GROUP ? GROUP_OF_TWO : OUTER_OF_TWO, keys[i].frame, keys[i].weight);
    }
}

/*
 * Covers keyframes, bone morphs in and outside groups, and appends of all ratios, also from bones evaluated
 * later. Some children have parents evaluated later, whose own parents come later still and are therefore at
 * rest.
 */
static void appends_and_morphs_are_as_frozen(void **state)
{
    (void)state;
    static const double point[3] = {1, 2, 3};
    bone_rig rig = {.material = {.diffuse = {0.8f, 0.6f, 0.4f, 1}, .edge_size = 1}};
    make_frozen_bones(&rig);
    make_frozen_morphs(&rig);
    make_frozen_keys(&rig);
    bone_rig_start(&rig);
    /* Forwards, then backwards: a pose depends only on the frame. */
    for (int i = 0; i < 2 * FRAMES; i++) {
        int at = i < FRAMES ? i : 2 * FRAMES - 1 - i;
        double frame = frozen_frames[at];
        const mmd_transform *world = bone_rig_pose(&rig, frame);
        const mmd_pose *pose = mmd_actor_pose(rig.actor);
        for (int b = 1; b < BONES; b++) {
            if (b == CHAIN || b == LOCAL || b == AFTER || b == AGAIN || b == ORPHAN)
                continue; /* the table does not know that MMD passes on a source's whole local transform, and
                             that a parent's layer counts for its children */
            double offset[3];
            float place[3];
            turned(world[b].rotation, point, offset);
            for (int k = 0; k < 3; k++)
                place[k] = world[b].translation[k] + (float)offset[k];
            expect_near(place, frozen_places[at][b - 1], 3, 1e-4, rig.bones[b].name, frame);
        }
        const double *row = frozen_weights[at], own = row[2] - 1.5 * row[3];
        const double weights[MORPHS] = {row[1], own,    row[3], row[0], own,   row[3],
                                        row[4], row[5], row[6], row[7], row[8]};
        expect_near(mmd_pose_weights(pose), weights, MORPHS, 1e-5, "weights", frame);
        const mmd_material_values *material = mmd_pose_materials(pose);
        expect_near(material->diffuse, frozen_material[at], 4, 1e-5, "diffuse colour", frame);
        expect_near(&material->edge_size, &frozen_material[at][4], 1, 1e-5, "edge size", frame);
    }
    bone_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_and_morphs_are_as_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
