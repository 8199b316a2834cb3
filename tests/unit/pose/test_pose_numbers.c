/*
 * Compares poses with numbers that were not computed by this engine. Forward kinematics, append and morphs
 * are compared with frozen tables of a small evaluator, written after docs/mmd.md 2 to 4 in double precision.
 * IK is compared with closed forms: a chain of two links in a plane by the law of cosines, one link by its
 * direction. All models and motions are built here, so the tests need no other data.
 */
#define _DEFAULT_SOURCE /* M_PI */
#include "bone_rig.h"
#include "support.h"

#include <complex.h>

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

enum { FRAMES = 12, BONES = 16, MORPHS = 9 };
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
enum { ONE, TWO, GROUP, OUTER, FLIP, THROUGH, FADE, TINT, PLAIN };

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

/* All weights after groups and flips; then, of the material, diffuse colour and edge size. */
static const double frozen_weights[FRAMES][MORPHS] = {
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
    static const mmd_group_offset group[] = {{ONE, 0.5f}, {TWO, -0.6f}},
                                  outer[] = {{GROUP, 1.5f}, {PLAIN, -2}},
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
    bone_rig_morph(rig, "one", MMD_MORPH_BONE, one, 1);
    bone_rig_morph(rig, "two", MMD_MORPH_BONE, two, 2);
    bone_rig_morph(rig, "group", MMD_MORPH_GROUP, group, 2);
    bone_rig_morph(rig, "outer", MMD_MORPH_GROUP, outer, 2);
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
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        bone_rig_weight(rig, keys[i].morph, keys[i].frame, keys[i].weight);
}

/*
 * Covers keyframes, bone morphs in and outside groups, and appends of all ratios: from other appends, in
 * model space, and from bones evaluated later. Some children have parents evaluated later, whose own parents
 * come later still and are therefore at rest.
 */
static void appends_and_morphs_are_as_frozen(void **state)
{
    (void)state;
    static const double point[3] = {1, 2, 3};
    bone_rig rig = {.material = {.diffuse = {0.8f, 0.6f, 0.4f, 1}, .edge_size = 1}};
    make_frozen_bones(&rig);
    make_frozen_morphs(&rig);
    make_frozen_keys(&rig);
    bone_rig_start(&rig, NULL);
    /* Forwards, then backwards: a pose depends only on the frame. */
    for (int i = 0; i < 2 * FRAMES; i++) {
        int at = i < FRAMES ? i : 2 * FRAMES - 1 - i;
        double frame = frozen_frames[at];
        const mmd_transform *world = bone_rig_pose(&rig, frame);
        const mmd_pose *pose = mmd_actor_pose(rig.actor);
        for (int b = 1; b < BONES; b++) {
            double offset[3];
            float place[3];
            turned(world[b].rotation, point, offset);
            for (int k = 0; k < 3; k++)
                place[k] = world[b].translation[k] + (float)offset[k];
            expect_near(place, frozen_places[at][b - 1], 3, 1e-4, rig.bones[b].name, frame);
        }
        expect_near(mmd_pose_weights(pose), frozen_weights[at], MORPHS, 1e-5, "weights", frame);
        const mmd_material_values *material = mmd_pose_materials(pose);
        expect_near(material->diffuse, frozen_material[at], 4, 1e-5, "diffuse colour", frame);
        expect_near(&material->edge_size, &frozen_material[at][4], 1, 1e-5, "edge size", frame);
    }
    bone_rig_finish(&rig);
}

/* ------------------------------------------------ two links in a plane */

/*
 * A thigh that rotates freely and a shin that rotates about one main axis. Everything moves in the plane
 * perpendicular to that axis, whose positions are complex numbers; the next axis (in the order x, y, z, x) is
 * the real one.
 */
typedef struct leg {
    const char *what;
    int axis;
    double lower, upper;           /* limits of the shin's angle, radians */
    double complex hip, knee, end; /* positions at rest */
    double complex kick[4];        /* offset of the goal from the end at the frames 0, 10, 14 and 30 */
} leg;

enum { CENTER, THIGH, SHIN, FOOT, GOAL, TOE, HELPER, LEG_BONES };

static const uint32_t kick_frames[4] = {0, 10, 14, 30};

/* Translation and rotation of the chain's root at frame 30. */
static const double complex center_way = 1.5 - 0.5 * I;
static const double center_turn = 35 * M_PI / 180;

/* Coordinate along the axis perpendicular to the plane. */
static const double aside = -1.25;

static void in_plane(const leg *l, double complex at, float out[3])
{
    out[l->axis] = (float)aside;
    out[(l->axis + 1) % 3] = (float)creal(at);
    out[(l->axis + 2) % 3] = (float)cimag(at);
}

static void move_in_plane(const leg *l, double complex by, float out[3])
{
    in_plane(l, by, out);
    out[l->axis] = 0;
}

/* Adds the bones in an order. number[b] is the index of leg bone b, layer[b] its evaluation layer. */
static void make_leg(bone_rig *rig, const leg *l, const int number[LEG_BONES], const int32_t layer[LEG_BONES],
                     mmd_ik_link links[2])
{
    static const char *const names[LEG_BONES] = {"center", "thigh", "shin", "foot", "goal", "toe", "helper"};
    static const int parents[LEG_BONES] = {-1, CENTER, THIGH, SHIN, -1, FOOT, CENTER};
    static const float *const axes[3] = {x_axis, y_axis, z_axis};
    const double complex rest[LEG_BONES] = {0, l->hip, l->knee, l->end, l->end, l->end + 0.5, l->hip};
    float move[3];
    for (int n = 0; n < LEG_BONES; n++)
        for (int b = 0; b < LEG_BONES; b++) {
            if (number[b] != n)
                continue;
            in_plane(l, rest[b], move);
            bone_rig_add(rig, names[b], parents[b] < 0 ? -1 : number[parents[b]], move[0], move[1], move[2]);
            rig->bones[n].layer = layer[b];
        }
    links[0] = (mmd_ik_link){.bone = number[SHIN], .has_limit = true};
    links[0].lower[l->axis] = (float)l->lower;
    links[0].upper[l->axis] = (float)l->upper;
    links[1] = (mmd_ik_link){.bone = number[THIGH]};
    bone_rig_ik(rig, (uint32_t)number[GOAL], (uint32_t)number[FOOT], 100, 2, links, 2);
    mmd_bone *helper = &rig->bones[number[HELPER]];
    helper->flags |= MMD_BONE_APPEND_ROTATION;
    helper->append_source = number[THIGH];
    helper->append_ratio = 1;
    move_in_plane(l, center_way, move);
    bone_rig_key(rig, (uint32_t)number[CENTER], 0, nowhere, axes[l->axis], 0);
    bone_rig_key(rig, (uint32_t)number[CENTER], 30, move, axes[l->axis], center_turn * 180 / M_PI);
    for (int i = 0; i < 4; i++) {
        move_in_plane(l, l->kick[i], move);
        bone_rig_key(rig, (uint32_t)number[GOAL], kick_frames[i], move, axes[l->axis], 0);
    }
    /* IK starts from these angles and ends at others. */
    bone_rig_key(rig, (uint32_t)number[THIGH], 20, nowhere, axes[l->axis], 7);
    bone_rig_key(rig, (uint32_t)number[SHIN], 20, nowhere, axes[l->axis], 5 * (l->lower + l->upper));
}

static double complex goal_at(const leg *l, double frame)
{
    int i = 0;
    while (i < 2 && frame >= kick_frames[i + 1])
        i++;
    double u = (frame - kick_frames[i]) / (kick_frames[i + 1] - kick_frames[i]);
    return l->end + l->kick[i] + fmin(fmax(u, 0), 1) * (l->kick[i + 1] - l->kick[i]);
}

/*
 * Returns the angle of the shin at which the end is as far from the hip as the goal: |a + b e^(iA)| = d, so
 * cos(arg(b / a) + A) = (d^2 - |a|^2 - |b|^2) / 2|a||b|. One of the two solutions is within the limits;
 * otherwise returns the limit that brings it nearest.
 */
static double shin_angle(const leg *l, double distance)
{
    double complex a = l->knee - l->hip, b = l->end - l->knee;
    double cosine = (distance * distance - cabs(a) * cabs(a) - cabs(b) * cabs(b)) / (2 * cabs(a) * cabs(b));
    for (int side = -1; side <= 1 && fabs(cosine) <= 1; side += 2) {
        double angle = remainder(side * acos(cosine) - carg(b / a), 2 * M_PI);
        if (angle >= l->lower && angle <= l->upper)
            return angle;
    }
    double low = fabs(cabs(a + b * cexp(I * l->lower)) - distance);
    double high = fabs(cabs(a + b * cexp(I * l->upper)) - distance);
    return low < high ? l->lower : l->upper;
}

/* Requires the position and the angle of a bone in the plane. */
static void expect_bone(const leg *l, const mmd_transform *world, double complex at, double angle, double off,
                        const char *bone, double frame)
{
    char what[64];
    float wanted[3];
    snprintf(what, sizeof what, "%s, %s", l->what, bone);
    in_plane(l, at, wanted);
    expect_near(world->translation, (double[3]){(double)wanted[0], (double)wanted[1], (double)wanted[2]}, 3,
                off, what, frame);
    /* cos and sin of the angle; requires no rotation about other axes. */
    const float *q = world->rotation;
    double s = (double)q[l->axis], c = (double)q[3];
    float found[4] = {(float)(c * c - s * s), (float)(2 * s * c), q[(l->axis + 1) % 3], q[(l->axis + 2) % 3]};
    expect_near(found, (double[4]){cos(angle), sin(angle), 0, 0}, 4, off, what, frame);
}

/* Requires the pose of the leg as given by the law of cosines. */
static void expect_leg(const leg *l, const mmd_transform *world, const int number[LEG_BONES], double frame,
                       double off)
{
    double u = fmin(fmax(frame / 30, 0), 1), turn = u * center_turn;
    double complex center = u * center_way, hip = center + cexp(I * turn) * l->hip, goal = goal_at(l, frame);
    double complex a = l->knee - l->hip, b = l->end - l->knee;
    double bend = shin_angle(l, cabs(goal - hip));
    double thigh = carg(goal - hip) - carg(a + b * cexp(I * bend));
    double complex knee = hip + a * cexp(I * thigh), foot = knee + b * cexp(I * (thigh + bend));
    expect_bone(l, &world[number[CENTER]], center, turn, off, "center", frame);
    expect_bone(l, &world[number[THIGH]], hip, thigh, off, "thigh", frame);
    expect_bone(l, &world[number[SHIN]], knee, thigh + bend, off, "shin", frame);
    expect_bone(l, &world[number[FOOT]], foot, thigh + bend, off, "foot", frame);
    expect_bone(l, &world[number[TOE]], foot + 0.5 * cexp(I * (thigh + bend)), thigh + bend, off, "toe",
                frame);
    expect_bone(l, &world[number[GOAL]], goal, 0, off, "goal", frame);
    expect_bone(l, &world[number[HELPER]], hip, thigh, off, "helper", frame);
}

static const double leg_frames[] = {0, 3, 6.5, 9, 10, 11.5, 12.25, 13, 14, 18, 24.75, 30, 35};
#define LEG_FRAMES (sizeof leg_frames / sizeof *leg_frames)

/* Models look towards -z, so the shin bends backwards by a negative angle about x. */
static const leg legs[] = {
    {"knee bent forward", 0, -M_PI, -0.0087, 10, 5.5 - 0.2 * I, 1, {0.5, 2 + I, 4 - 4 * I, 2 + 0.5 * I}},
    {"straight knee", 0, -M_PI, -0.0087, 10, 5.5, 1, {0.5, 2 + I, 4 - 4 * I, 2 + 0.5 * I}},
    {"knee bent back", 0, -M_PI, -0.0087, 10, 5.5 + 0.15 * I, 1, {0.5, 2 + I, 4 - 4 * I, 2 + 0.5 * I}},
    {"knee of narrow limits", 0, -1.0, -0.3, 10, 5.5 - 0.2 * I, 1, {0.5, 4 + I, 0.5 - 1.5 * I, 4}},
    {"knee that does not turn", 0, 0, 0, 10, 5.5 - 0.2 * I, 1, {0.5, 2 + I, 4 - 4 * I, 2 + 0.5 * I}},
    {"elbow about y", 1, 0.1, 2.5, 1 * I, 1 + 4 * I, 8 * I, {-0.5 * I, 1 - 3 * I, -2 - 2 * I, 3 - 1.5 * I}},
    {"elbow about z", 2, -2.5, -0.1, 1, 5 + 0.3 * I, 8, {-0.5 - I, -2 + I, -2 - 2 * I, 0.5 + 3 * I}},
};

/* Steps about one axis are angles computed by acosf, which is inaccurate below 3e-4. A leg therefore stops up
 * to a hundredth of a unit short of its goal. */
#define LEG_OFF 0.015

static void a_leg_in_a_plane_is_as_the_law_of_cosines_has_it(void **state)
{
    (void)state;
    static const int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t layer[LEG_BONES] = {0};
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
        bone_rig rig = {0};
        mmd_ik_link links[2];
        make_leg(&rig, &legs[i], number, layer, links);
        bone_rig_start(&rig, NULL);
        for (size_t f = 0; f < LEG_FRAMES; f++)
            expect_leg(&legs[i], bone_rig_pose(&rig, leg_frames[f]), number, leg_frames[f], LEG_OFF);
        bone_rig_finish(&rig);
    }
}

/* Makes the next permutation of the four numbers from `first` on. Returns false after the last. */
static bool next_order(int *first)
{
    int i = 2, k = 3;
    while (i >= 0 && first[i] > first[i + 1])
        i--;
    if (i < 0)
        return false;
    while (first[k] < first[i])
        k--;
    int swapped = first[i];
    first[i] = first[k];
    first[k] = swapped;
    for (int low = i + 1, high = 3; low < high; low++, high--) {
        swapped = first[low];
        first[low] = first[high];
        first[high] = swapped;
    }
    return true;
}

/* Orders the IK bone, its links and its target in all 24 ways, by index and by layer. A kicking leg always
 * reaches the goal of this frame. */
static void a_leg_is_the_same_with_links_and_target_behind_its_goal(void **state)
{
    (void)state;
    const leg *l = &legs[0];
    for (int by_layer = 0; by_layer < 2; by_layer++) {
        int order[4] = {0, 1, 2, 3};
        do {
            int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
            int32_t layer[LEG_BONES] = {0, 0, 0, 0, 0, 5, 5};
            for (int b = 0; b < 4; b++)
                if (by_layer)
                    layer[THIGH + b] = 1 + order[b];
                else
                    number[THIGH + b] = THIGH + order[b];
            bone_rig rig = {0};
            mmd_ik_link links[2];
            make_leg(&rig, l, number, layer, links);
            bone_rig_start(&rig, NULL);
            for (size_t f = 0; f < LEG_FRAMES; f++)
                expect_leg(l, bone_rig_pose(&rig, leg_frames[f]), number, leg_frames[f], LEG_OFF);
            bone_rig_finish(&rig);
        } while (next_order(order));
    }
}

/* A bone evaluated later than the leg takes effect one frame late, unless it is part of the chain. Here the
 * parent of the hip is evaluated later. */
static void a_leg_hangs_from_a_later_parent_a_frame_late(void **state)
{
    (void)state;
    const leg *l = &legs[0];
    static const int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t layer[LEG_BONES] = {3};
    bone_rig rig = {0};
    mmd_ik_link links[2];
    make_leg(&rig, l, number, layer, links);
    bone_rig_start(&rig, NULL);
    for (size_t f = 0; f < LEG_FRAMES; f++) {
        double u = fmin(fmax((leg_frames[f] - 1) / 30, 0), 1);
        double complex hip = u * center_way + cexp(I * u * center_turn) * l->hip;
        double complex goal = goal_at(l, leg_frames[f]);
        double reach = cabs(l->knee - l->hip) + cabs(l->end - l->knee);
        float at[3];
        const mmd_transform *world = bone_rig_pose(&rig, leg_frames[f]);
        in_plane(l, hip, at);
        expect_near(world[THIGH].translation, (double[3]){(double)at[0], (double)at[1], (double)at[2]}, 3,
                    1e-4, "late hip", leg_frames[f]);
        if (cabs(goal - hip) > 0.97 * reach)
            continue;
        in_plane(l, goal, at);
        expect_near(world[FOOT].translation, (double[3]){(double)at[0], (double)at[1], (double)at[2]}, 3,
                    LEG_OFF, "foot of a late hip", leg_frames[f]);
    }
    bone_rig_finish(&rig);
}

/* If a whole pass over the links does not bring the foot nearer, the pose before it is restored: here the
 * keyframes. */
static void a_pass_that_brings_nothing_nearer_is_taken_back(void **state)
{
    (void)state;
    leg l = legs[6];
    static const int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t layer[LEG_BONES] = {0};
    const double frame = 6.5, thigh = frame / 30 * center_turn + 7 * M_PI / 180;
    const double shin = 5 * (l.lower + l.upper) * M_PI / 180;
    bone_rig rig = {0};
    mmd_ik_link links[2];
    l.kick[0] = -1 + I;
    make_leg(&rig, &l, number, layer, links);
    bone_rig_start(&rig, NULL);
    const mmd_transform *world = bone_rig_pose(&rig, frame);
    double complex hip = frame / 30 * center_way + cexp(I * frame / 30 * center_turn) * l.hip;
    double complex knee = hip + cexp(I * thigh) * (l.knee - l.hip);
    expect_bone(&l, &world[THIGH], hip, thigh, 1e-5, "thigh left alone", frame);
    expect_bone(&l, &world[SHIN], knee, thigh + shin, 1e-5, "shin left alone", frame);
    bone_rig_finish(&rig);
}

/* Tests the first loops one by one. The goal is where the shin would point at it after a rotation by
 * `wanted`. `turn` is the result within the limits, and the thigh points the foot at the goal. */
static void the_first_loop_mirrors_into_the_limits_and_later_ones_do_not(void **state)
{
    (void)state;
    static const struct {
        int axis, loops;
        double lower, upper, wanted, distance, turn;
    } cases[] = {
        {0, 1, -1, -0.3, -0.5, 4.5, -0.5},  /* within the limits */
        {0, 1, -1, -0.3, 0.6, 4.5, -0.6},   /* its mirror image is within the limits */
        {0, 1, -1, -0.3, 1.5, 4.5, -1},     /* neither is: the mirror image is nearer */
        {0, 1, -1, -0.3, -1.4, 4.5, -1},    /* neither is: it is nearer itself */
        {1, 1, -0.2, 0.9, -0.6, 4.5, 0.6},  /* both signs are within the limits */
        {1, 1, -0.2, 0.9, -1.3, 4.5, 0.9},  /* */
        {1, 1, -0.2, 0.9, 1.2, 4.5, 0.9},   /* */
        {2, 1, -0.3, 1.0, -0.28, 2, -0.28}, /* nearer than the shin is long: more is wanted */
        {2, 2, -0.3, 1.0, -0.28, 2, -0.3},  /* in the second loop, which clamps it */
    };
    static const int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t layer[LEG_BONES] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        leg l = {"a loop", cases[i].axis, cases[i].lower, cases[i].upper, 10, 5.5, 1, {0}};
        double complex goal = l.knee - cases[i].distance * cexp(I * cases[i].wanted);
        double complex a = l.knee - l.hip, b = l.end - l.knee;
        double thigh = carg((goal - l.hip) / (a + b * cexp(I * cases[i].turn)));
        bone_rig rig = {0};
        mmd_ik_link links[2];
        for (int k = 0; k < 4; k++)
            l.kick[k] = goal - l.end;
        make_leg(&rig, &l, number, layer, links);
        rig.bones[GOAL].ik_loops = cases[i].loops;
        for (int b2 = 0; b2 < LEG_BONES; b2++)
            if (b2 != GOAL)
                rig.bone_tracks[b2].count = 0; /* all but the goal at rest */
        bone_rig_start(&rig, NULL);
        const mmd_transform *world = bone_rig_pose(&rig, 0);
        double complex knee = l.hip + a * cexp(I * thigh);
        expect_bone(&l, &world[THIGH], l.hip, thigh, 1e-3, "thigh", (double)i);
        expect_bone(&l, &world[SHIN], knee, thigh + cases[i].turn, 1e-3, "shin", (double)i);
        bone_rig_finish(&rig);
    }
}

/* With IK switched off by the motion, the leg has the pose of its keyframes, whatever was evaluated before.
 * IK works again when it is switched on. */
static void a_leg_without_ik_stands_as_its_keys_say(void **state)
{
    (void)state;
    const leg *l = &legs[0];
    static const int number[LEG_BONES] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t layer[LEG_BONES] = {0};
    mmd_ik_switch off = {.name = "goal", .on = 0};
    mmd_property_key keys[2] = {{.frame = 0, .visible = 1},
                                {.frame = 15, .visible = 1, .switch_count = 1, .switches = &off}};
    bone_rig rig = {0};
    mmd_ik_link links[2];
    make_leg(&rig, l, number, layer, links);
    rig.motion.property_keys = keys;
    rig.motion.property_key_count = 2;
    bone_rig_start(&rig, NULL);
    for (size_t f = 0; f < 2 * LEG_FRAMES; f++) {
        /* Forwards and backwards. */
        double frame = leg_frames[f < LEG_FRAMES ? f : 2 * LEG_FRAMES - 1 - f];
        const mmd_transform *world = bone_rig_pose(&rig, frame);
        if (frame < 15) {
            expect_leg(l, world, number, frame, LEG_OFF);
            continue;
        }
        double u = fmin(frame / 30, 1), thigh = u * center_turn + 7 * M_PI / 180;
        double shin = thigh + 5 * (l->lower + l->upper) * M_PI / 180;
        double complex hip = u * center_way + cexp(I * u * center_turn) * l->hip;
        double complex knee = hip + cexp(I * thigh) * (l->knee - l->hip);
        expect_bone(l, &world[THIGH], hip, thigh, 1e-5, "thigh", frame);
        expect_bone(l, &world[SHIN], knee, shin, 1e-5, "shin", frame);
        expect_bone(l, &world[FOOT], knee + cexp(I * shin) * (l->end - l->knee), shin, 1e-5, "foot", frame);
        expect_bone(l, &world[HELPER], hip, thigh, 1e-5, "helper", frame);
    }
    bone_rig_finish(&rig);
}

/*
 * The foot reaches goals in all directions, and the knee is bent by the law of cosines, about its axis only.
 */
static void a_leg_reaches_goals_on_all_sides_by_its_hinge_alone(void **state)
{
    (void)state;
    static const float goals[12][3] = {{0, 2, -1},  {3, 3, 0},  {-3, 3, 1},  {2, 5, -4},
                                       {-2, 6, -4}, {4, 8, -5}, {0, 4, 5},   {1, 2.5f, 3},
                                       {-5, 8, -2}, {5, 7, 3},  {-1, 4, -2}, {2, 2, 2}};
    bone_rig rig = {0};
    mmd_ik_link links[2] = {{.bone = 1, .has_limit = true, .lower = {-3.1f, 0, 0}, .upper = {-0.01f, 0, 0}},
                            {.bone = 0}};
    bone_rig_add(&rig, "thigh", -1, 0, 10, 0);
    bone_rig_add(&rig, "shin", 0, 0, 5.5f, -0.2f);
    bone_rig_add(&rig, "foot", 1, 0, 1, 0);
    bone_rig_add(&rig, "goal", -1, 0, 0, 0);
    bone_rig_ik(&rig, 3, 2, 100, 2, links, 2);
    bone_rig_start(&rig, NULL);
    for (int i = 0; i < 12; i++) {
        static const float still[4] = {0, 0, 0, 1};
        mmd_pose_set_user(mmd_actor_pose(rig.actor), 3, goals[i], still);
        const mmd_transform *world = bone_rig_pose(&rig, 0);
        const float *g = goals[i];
        expect_near(world[2].translation, (double[3]){(double)g[0], (double)g[1], (double)g[2]}, 3, LEG_OFF,
                    "foot", i);
        double distance = sqrt((double)(g[0] * g[0] + (g[1] - 10) * (g[1] - 10) + g[2] * g[2]));
        const leg plain = {.lower = -3.1, .upper = -0.01, .hip = 10, .knee = 5.5 - 0.2 * I, .end = 1};
        double bend = shin_angle(&plain, distance);
        const float *thigh = world[0].rotation, *shin = world[1].rotation;
        const float back[4] = {-thigh[0], -thigh[1], -thigh[2], thigh[3]};
        /* back * shin: the rotation of the knee itself. */
        float own[4] = {back[3] * shin[0] + back[0] * shin[3] + back[1] * shin[2] - back[2] * shin[1],
                        back[3] * shin[1] - back[0] * shin[2] + back[1] * shin[3] + back[2] * shin[0],
                        back[3] * shin[2] + back[0] * shin[1] - back[1] * shin[0] + back[2] * shin[3],
                        back[3] * shin[3] - back[0] * shin[0] - back[1] * shin[1] - back[2] * shin[2]};
        for (int k = 0; k < 4 && own[3] < 0; k++)
            own[k] = -own[k];
        expect_near(own, (double[4]){sin(bend / 2), 0, 0, cos(bend / 2)}, 1, LEG_OFF, "knee", i);
        expect_near(own + 1, (double[2]){0, 0}, 2, 1e-5, "knee aside", i);
    }
    bone_rig_finish(&rig);
}

/* ------------------------------------------------------------- one link */

/* Adds a link at the origin whose effector rests at `end`. The test sets the goal. */
static void make_single(bone_rig *rig, const float end[3], mmd_ik_link *link, int32_t loops, float limit)
{
    bone_rig_add(rig, "link", -1, 0, 0, 0);
    bone_rig_add(rig, "end", 0, end[0], end[1], end[2]);
    bone_rig_add(rig, "goal", -1, 0, 0, 0);
    bone_rig_ik(rig, 2, 1, loops, limit, link, 1);
}

static const mmd_transform *pose_with_goal(bone_rig *rig, uint32_t goal, const double at[3])
{
    static const float still[4] = {0, 0, 0, 1};
    const float place[3] = {(float)at[0], (float)at[1], (float)at[2]};
    mmd_pose_set_user(mmd_actor_pose(rig->actor), goal, place, still);
    return bone_rig_pose(rig, 0);
}

/*
 * The limits are about x and z, with no rotation about y. The end, at -y, is rotated by Rx(a) Rz(c) to (sin
 * c, -cos c cos a, -cos c sin a), where a and c are the goal's as far as the limits allow. If one is limited,
 * the other is the best remaining angle.
 */
static void a_link_of_several_limits_turns_as_far_as_they_let_it(void **state)
{
    (void)state;
    const double least[2] = {-0.8, -0.5}, most[2] = {1.0, 0.4};
    bone_rig rig = {0};
    mmd_ik_link link = {.bone = 0,
                        .has_limit = true,
                        .lower = {(float)least[0], 0, (float)least[1]},
                        .upper = {(float)most[0], 0, (float)most[1]}};
    make_single(&rig, AT(0, -3, 0), &link, 100, 2);
    bone_rig_start(&rig, NULL);
    static const double angles[12][2] = {{0.3, 0.2}, {0.9, -0.4}, {-0.7, 0.3},  {-0.5, -0.45},
                                         {0.2, 0.9}, {0.2, -1.1}, {1.0, 0.0},   {-0.6, 0.7},
                                         {1.5, 0.1}, {1.3, -0.3}, {-1.2, 0.25}, {-1.4, -0.2}};
    for (int i = 0; i < 12; i++) {
        double a = angles[i][0], c = angles[i][1];
        const double d[3] = {sin(c), -cos(c) * cos(a), -cos(c) * sin(a)};
        if (c < least[1] || c > most[1]) {
            c = fmin(fmax(c, least[1]), most[1]); /* a is unchanged */
        } else if (a < least[0] || a > most[0]) {
            a = fmin(fmax(a, least[0]), most[0]);
            c = atan2(d[0], -(d[1] * cos(a) + d[2] * sin(a)));
        }
        const double wanted[3] = {3 * sin(c), -3 * cos(c) * cos(a), -3 * cos(c) * sin(a)};
        const mmd_transform *world = pose_with_goal(&rig, 2, (const double[3]){3 * d[0], 3 * d[1], 3 * d[2]});
        expect_near(world[1].translation, wanted, 3, 1e-3, "end", i);
        /* Rx Rz: (sin a/2 cos c/2, -sin a/2 sin c/2, cos a/2 sin c/2, cos a/2 cos c/2). */
        expect_near(world[0].rotation,
                    (double[4]){sin(a / 2) * cos(c / 2), -sin(a / 2) * sin(c / 2), cos(a / 2) * sin(c / 2),
                                cos(a / 2) * cos(c / 2)},
                    4, 1e-3, "link", i);
    }
    bone_rig_finish(&rig);
}

/* Returns the angle about an axis between two directions, projected perpendicular to the axis. */
static double angle_across(const double axis[3], const double from[3], const double to[3])
{
    double cross[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                       from[0] * to[1] - from[1] * to[0]};
    double along = (axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2]) *
                   (axis[0] * to[0] + axis[1] * to[1] + axis[2] * to[2]);
    return atan2(axis[0] * cross[0] + axis[1] * cross[1] + axis[2] * cross[2],
                 from[0] * to[0] + from[1] * to[1] + from[2] * to[2] - along);
}

static const double around[12][3] = {{3, 1, 1},      {1, 4, -1},  {-1, 2, 3},     {2, -2, 2},
                                     {-2, -1, 2},    {0.5, 3, 3}, {3, 0, 0.2},    {1, -3, 1},
                                     {-0.5, 0.5, 4}, {4, 2, -2},  {2.5, 1, -0.5}, {1, 1, 1}};

static void a_link_of_a_fixed_axis_turns_by_the_projected_angle(void **state)
{
    (void)state;
    static const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, end[3] = {3, 0.5, -1};
    bone_rig rig = {0};
    mmd_ik_link link = {.bone = 0};
    make_single(&rig, AT(3, 0.5f, -1), &link, 40, 1);
    rig.bones[0].flags |= MMD_BONE_FIXED_AXIS;
    memcpy(rig.bones[0].fixed_axis, AT(4, -2, 4), sizeof rig.bones[0].fixed_axis);
    bone_rig_start(&rig, NULL);
    for (int i = 0; i < 12; i++) {
        double half = angle_across(axis, end, around[i]) / 2;
        const mmd_transform *world = pose_with_goal(&rig, 2, around[i]);
        const float *q = world[0].rotation;
        double along = axis[0] * (double)q[0] + axis[1] * (double)q[1] + axis[2] * (double)q[2];
        double sign = along * sin(half) + (double)q[3] * cos(half) < 0 ? -1 : 1;
        expect_near(q,
                    (double[4]){sign * axis[0] * sin(half), sign * axis[1] * sin(half),
                                sign * axis[2] * sin(half), sign * cos(half)},
                    4, 1e-3, "link", i);
    }
    bone_rig_finish(&rig);
}

/* Limits of one axis apply to the bone's local x axis if it has one, as knees of some models do. */
static void a_link_of_local_axes_turns_about_its_local_x(void **state)
{
    (void)state;
    static const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, end[3] = {1, 2, 0};
    static const double turns[12] = {-0.1, -0.3, -0.5, -0.7, -0.9, -1.1, -1.2, -1.3, -1.5, -1.8, -2.1, -0.2};
    /* The direction perpendicular to end in the plane of rotation: axis x end. */
    const double side[3] = {axis[1] * end[2] - axis[2] * end[1], axis[2] * end[0] - axis[0] * end[2],
                            axis[0] * end[1] - axis[1] * end[0]};
    bone_rig rig = {0};
    mmd_ik_link link = {.bone = 0, .has_limit = true, .lower = {-1.2f, 0, 0}, .upper = {-0.05f, 0, 0}};
    make_single(&rig, AT(1, 2, 0), &link, 40, 1);
    rig.bones[0].flags |= MMD_BONE_LOCAL_AXIS;
    for (int k = 0; k < 3; k++) {
        rig.bones[0].local_x[k] = (float)axis[k];
        rig.bones[0].local_z[k] = (float)side[k];
    }
    bone_rig_start(&rig, NULL);
    for (int i = 0; i < 12; i++) {
        double goal[3], half = fmax(turns[i], -1.2) / 2;
        for (int k = 0; k < 3; k++)
            goal[k] = cos(turns[i]) * end[k] + sin(turns[i]) * side[k];
        const mmd_transform *world = pose_with_goal(&rig, 2, goal);
        expect_near(world[0].rotation,
                    (double[4]){axis[0] * sin(half), axis[1] * sin(half), axis[2] * sin(half), cos(half)}, 4,
                    1e-3, "link", i);
    }
    bone_rig_finish(&rig);
}

/* A link without limits rotates the shortest way by its step in each loop. An append from it gets the whole
 * rotation including the keyframe, whether it is evaluated before or after the IK bone. */
static void a_free_link_goes_its_steps_and_gives_them_to_append(void **state)
{
    (void)state;
    enum { LOOPS = 4, KEY = 25, BEFORE = 3, BEHIND = 4 };
    static const double step = 0.15;
    for (int by_link = 0; by_link < 2; by_link++) {
        bone_rig rig = {0};
        /* The first link has no effect. The second has twice the step if steps grow with the link. */
        mmd_ik_link links[2] = {{.bone = 1}, {.bone = 0}};
        mmd_pose_options options = mmd_default_pose_options();
        options.ik_step_by_link = by_link;
        make_single(&rig, AT(3, 0, 0), links, LOOPS, (float)step);
        rig.bones[2].ik_link_count = 2;
        rig.bones[2].layer = 1;
        for (uint32_t b = BEFORE; b <= BEHIND; b++) {
            bone_rig_add(&rig, b == BEFORE ? "before" : "behind", -1, 0, 5, 0);
            rig.bones[b].layer = b == BEFORE ? 0 : 2;
            rig.bones[b].flags |= MMD_BONE_APPEND_ROTATION;
            rig.bones[b].append_source = 0;
            rig.bones[b].append_ratio = -0.5f;
        }
        bone_rig_key(&rig, 0, 0, nowhere, x_axis, KEY); /* about the link itself: the end stays */
        bone_rig_start(&rig, &options);
        for (int i = 0; i < 12; i++) {
            const double *g = around[i];
            double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
            double across = sqrt(g[1] * g[1] + g[2] * g[2]);
            double angle = fmin(acos(g[0] / length), LOOPS * step * (by_link ? 2 : 1));
            const double place[3] = {3 * cos(angle), 3 * sin(angle) * g[1] / across,
                                     3 * sin(angle) * g[2] / across};
            /* About (0, -gz, gy), after the keyframe. */
            double s = sin(angle / 2), c = cos(angle / 2), ks = sin(KEY * M_PI / 360),
                   kc = cos(KEY * M_PI / 360);
            double ny = -g[2] / across * s, nz = g[1] / across * s;
            const double whole[4] = {c * ks, ny * kc + nz * ks, nz * kc - ny * ks, c * kc};
            const mmd_transform *world = pose_with_goal(&rig, 2, g);
            expect_near(world[1].translation, place, 3, 1e-4, "end", i);
            expect_near(world[0].rotation, whole, 4, 1e-4, "link", i);
            double half = acos(whole[3]), appended = -0.5 * half, part = sin(appended) / sin(half);
            for (int b = BEFORE; b <= BEHIND; b++)
                expect_near(world[b].rotation,
                            (double[4]){whole[0] * part, whole[1] * part, whole[2] * part, cos(appended)}, 4,
                            1e-4, rig.bones[b].name, i);
        }
        bone_rig_finish(&rig);
    }
}

/* ------------------------------------------------------ this engine's results */

/* Chains whose result depends on the details of the solver: several links with several limits, one with a
 * fixed axis, few loops. The expected numbers come from this engine. They detect changes, not errors. */
static void chains_of_several_limits_are_as_they_were(void **state)
{
    (void)state;
    static const double frozen[12][6] = {
        {4.06999, 0.83891, 0.35801, 6.17460, 1.01905, 1.54050},
        {3.71344, 1.64001, -0.71930, 2.00418, 4.02540, -1.50299},
        {0.66600, 1.76088, 3.47202, -2.00505, 2.00494, 4.51253},
        {3.24763, -0.76654, 1.76214, 4.21731, -2.09329, 3.16767},
        {1.14694, -0.76707, 3.51219, -0.90275, -0.20636, 3.93567},
        {2.66989, 1.73104, 2.58307, 1.04756, 3.11947, 4.70073},
        {4.10572, 0.30640, -0.22467, 6.18342, -0.02238, 0.29301},
        {1.80240, -0.88024, 3.06138, 2.70253, -2.38043, 1.55623},
        {0.98558, 1.07788, 3.70300, -0.96787, 0.50000, 5.80002},
        {3.94614, 0.42532, -1.06223, 6.46513, 1.62698, -2.42155},
        {3.84447, 0.46641, 1.45566, 5.00141, 1.00031, -0.74862},
        {3.41366, 1.99510, 0.44207, 2.85890, 1.24159, 2.39588},
    };
    bone_rig rig = {0};
    mmd_ik_link links[4] = {
        {.bone = 3, .has_limit = true, .lower = {-0.6f, -0.3f, -0.9f}, .upper = {0.4f, 0.5f, 0.2f}},
        {.bone = 2},
        {.bone = 1, .has_limit = true, .lower = {-0.2f, 0.1f, -0.4f}, .upper = {0.9f, 0.8f, 1.1f}},
        {.bone = 0, .has_limit = true, .lower = {0, -1.2f, 0}, .upper = {0, 0.7f, 0}}};
    bone_rig_add(&rig, "first", -1, 0, 0, 0);
    bone_rig_add(&rig, "second", 0, 2, 0.5f, 0);
    bone_rig_add(&rig, "third", 1, 4, 0, 0.5f);
    bone_rig_add(&rig, "fourth", 2, 5.5f, 0.5f, 0);
    bone_rig_add(&rig, "end", 3, 7, 0, 0);
    bone_rig_add(&rig, "goal", -1, 0, 0, 0);
    rig.bones[2].flags |= MMD_BONE_FIXED_AXIS;
    memcpy(rig.bones[2].fixed_axis, AT(0.3f, 1, -0.2f), sizeof rig.bones[2].fixed_axis);
    bone_rig_ik(&rig, 5, 4, 6, 0.3f, links, 4);
    bone_rig_key(&rig, 1, 0, nowhere, AT(1, 1, 0), 20);
    bone_rig_key(&rig, 3, 0, nowhere, z_axis, -15);
    bone_rig_start(&rig, NULL);
    for (int i = 0; i < 12; i++) {
        const double *g = around[i];
        const mmd_transform *world = pose_with_goal(&rig, 5, (const double[3]){2 * g[0], g[1], 1.5 * g[2]});
        float found[6];
        memcpy(found, world[2].translation, 3 * sizeof *found);
        memcpy(found + 3, world[4].translation, 3 * sizeof *found);
        expect_near(found, frozen[i], 6, 1e-4, "chain", i);
    }
    bone_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_and_morphs_are_as_frozen),
        cmocka_unit_test(a_leg_in_a_plane_is_as_the_law_of_cosines_has_it),
        cmocka_unit_test(a_leg_is_the_same_with_links_and_target_behind_its_goal),
        cmocka_unit_test(a_leg_hangs_from_a_later_parent_a_frame_late),
        cmocka_unit_test(a_pass_that_brings_nothing_nearer_is_taken_back),
        cmocka_unit_test(the_first_loop_mirrors_into_the_limits_and_later_ones_do_not),
        cmocka_unit_test(a_leg_without_ik_stands_as_its_keys_say),
        cmocka_unit_test(a_leg_reaches_goals_on_all_sides_by_its_hinge_alone),
        cmocka_unit_test(a_link_of_several_limits_turns_as_far_as_they_let_it),
        cmocka_unit_test(a_link_of_a_fixed_axis_turns_by_the_projected_angle),
        cmocka_unit_test(a_link_of_local_axes_turns_about_its_local_x),
        cmocka_unit_test(a_free_link_goes_its_steps_and_gives_them_to_append),
        cmocka_unit_test(chains_of_several_limits_are_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
