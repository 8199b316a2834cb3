/* The tables of contents: which fields of a file pictures depend on, and what people call them. */
#include "contents.h"

#include "provenance_compare.h"

enum {
    POSE = PROVENANCE_POSE,
    COLOR = PROVENANCE_COLOR,
    TOON = PROVENANCE_TOON,
    EDGES = PROVENANCE_EDGES,
    LIGHT = PROVENANCE_LIGHT
};

static const char *const material_flags[] = {"two-sided",       "ground shadow", "casts shadow",
                                             "receives shadow", "edge",          "vertex colours",
                                             "points",          "lines",         NULL};
static const char *const sphere_modes[] = {"none", "multiply", "add", "sub-texture", NULL};
static const char *const bone_flags[] = {
    "IK",         "append is local", "append rotation", "append translation",
    "fixed axis", "local axes",      "after physics",   "external parent",
    NULL};
static const char *const morph_kinds[] = {
    "group",           "vertex",          "bone",     "UV",   "additional UV 1", "additional UV 2",
    "additional UV 3", "additional UV 4", "material", "flip", "impulse",         NULL};
static const char *const shapes[] = {"sphere", "box", "capsule", NULL};
static const char *const body_modes[] = {"follows the bone", "physics", "physics with the bone's position",
                                         NULL};
static const char *const joint_kinds[] = {
    "6DOF with springs", "6DOF", "point to point", "cone twist", "slider", "hinge", NULL};
static const char *const link_limits[] = {"off", "on", NULL};

#define NUMBERS(text, n, aspect)                                                                             \
    {                                                                                                        \
        .words = text, .cell = CELL_FLOAT, .count = n, .aspects = aspect                                     \
    }
#define ANGLES(text, n)                                                                                      \
    {                                                                                                        \
        .words = text, .cell = CELL_ANGLE, .count = n, .aspects = POSE                                       \
    }
#define WHOLE(text, aspect)                                                                                  \
    {                                                                                                        \
        .words = text, .cell = CELL_WHOLE, .count = 1, .aspects = aspect                                     \
    }
#define FLAGS(text, list, aspect)                                                                            \
    {                                                                                                        \
        .words = text, .cell = CELL_FLAGS, .count = 1, .aspects = aspect, .names = list                      \
    }
#define CHOICE(text, list, aspect)                                                                           \
    {                                                                                                        \
        .words = text, .cell = CELL_CHOICE, .count = 1, .aspects = aspect, .names = list                     \
    }
#define ITEM(text, table, n, aspect)                                                                         \
    {                                                                                                        \
        .words = text, .cell = CELL_ITEM, .count = n, .of = table, .aspects = aspect                         \
    }
#define HASH(text, kind, aspect)                                                                             \
    {                                                                                                        \
        .words = text, .cell = kind, .count = 1, .aspects = aspect                                           \
    }

const contents_words contents_tables[CONTENTS_TABLES] = {
    [CONTENTS_TEXTURES] = {"texture", "textures", false, COLOR, {{0}}},
    [CONTENTS_MATERIALS] = {"material",
                            "materials",
                            true,
                            COLOR | EDGES,
                            {WHOLE("vertices", POSE),
                             WHOLE("triangles", POSE),
                             HASH("positions", CELL_VERTEX, POSE),
                             HASH("normals", CELL_VERTEX, COLOR),
                             HASH("UV", CELL_VERTEX, COLOR),
                             HASH("edge sizes", CELL_VERTEX, EDGES),
                             HASH("triangles", CELL_VERTEX, COLOR),
                             NUMBERS("diffuse colour", 3, COLOR),
                             NUMBERS("alpha", 1, COLOR),
                             NUMBERS("specular colour", 3, COLOR),
                             NUMBERS("specular power", 1, COLOR),
                             NUMBERS("ambient colour", 3, COLOR),
                             NUMBERS("edge colour", 4, EDGES),
                             NUMBERS("edge size", 1, EDGES),
                             FLAGS("flags", material_flags, COLOR | EDGES),
                             CHOICE("sphere mode", sphere_modes, COLOR),
                             ITEM("texture", CONTENTS_TEXTURES, 1, COLOR),
                             ITEM("sphere texture", CONTENTS_TEXTURES, 1, COLOR),
                             ITEM("toon texture", CONTENTS_TEXTURES, 1, TOON),
                             WHOLE("shared toon", TOON),
                             NUMBERS("alpha cutoff", 1, COLOR)}},
    [CONTENTS_BONES] = {"bone",
                        "bones",
                        true,
                        POSE,
                        {NUMBERS("position", 3, POSE), ITEM("parent", CONTENTS_BONES, 1, POSE),
                         WHOLE("deform layer", POSE), FLAGS("flags", bone_flags, POSE),
                         ITEM("append parent", CONTENTS_BONES, 1, POSE), NUMBERS("append ratio", 1, POSE),
                         NUMBERS("fixed axis", 3, POSE), NUMBERS("local x axis", 3, POSE),
                         NUMBERS("local z axis", 3, POSE), WHOLE("external parent key", POSE),
                         ITEM("IK target", CONTENTS_BONES, 1, POSE), WHOLE("IK loop count", POSE),
                         ANGLES("IK limit angle", 1), WHOLE("IK links", POSE),
                         HASH("bones of the IK links", CELL_SHORT, POSE),
                         HASH("angle limits of the IK links", CELL_SHORT, POSE)}},
    [CONTENTS_MORPHS] = {"morph",
                         "morphs",
                         false,
                         POSE | COLOR,
                         {CHOICE("kind", morph_kinds, POSE | COLOR), WHOLE("offsets", POSE | COLOR),
                          HASH("offsets", CELL_OFFSET, POSE), HASH("offsets by place", CELL_OFFSET, POSE)}},
    [CONTENTS_BODIES] = {"body",
                         "bodies",
                         true,
                         POSE,
                         {ITEM("bone", CONTENTS_BONES, 1, POSE), WHOLE("group", POSE),
                          WHOLE("collision mask", POSE), CHOICE("shape", shapes, POSE),
                          NUMBERS("size", 3, POSE), NUMBERS("position", 3, POSE), ANGLES("rotation", 3),
                          NUMBERS("mass", 1, POSE), NUMBERS("linear damping", 1, POSE),
                          NUMBERS("angular damping", 1, POSE), NUMBERS("restitution", 1, POSE),
                          NUMBERS("friction", 1, POSE), CHOICE("mode", body_modes, POSE)}},
    [CONTENTS_JOINTS] = {"joint",
                         "joints",
                         true,
                         POSE,
                         {CHOICE("kind", joint_kinds, POSE), ITEM("body A", CONTENTS_BODIES, 1, POSE),
                          ITEM("body B", CONTENTS_BODIES, 1, POSE), NUMBERS("position", 3, POSE),
                          ANGLES("rotation", 3), NUMBERS("lower linear limit", 3, POSE),
                          NUMBERS("upper linear limit", 3, POSE), ANGLES("lower angular limit", 3),
                          ANGLES("upper angular limit", 3), NUMBERS("linear spring", 3, POSE),
                          NUMBERS("angular spring", 3, POSE)}},
    [CONTENTS_SOFT_BODIES] = {"soft body",
                              "soft bodies",
                              true,
                              POSE,
                              {ITEM("material", CONTENTS_MATERIALS, 1, POSE),
                               WHOLE("shape", POSE),
                               WHOLE("group", POSE),
                               WHOLE("collision mask", POSE),
                               WHOLE("flags", POSE),
                               WHOLE("link distance", POSE),
                               WHOLE("number of clusters", POSE),
                               WHOLE("aero model", POSE),
                               NUMBERS("mass", 1, POSE),
                               NUMBERS("collision margin", 1, POSE),
                               NUMBERS("VCF", 1, POSE),
                               NUMBERS("DP", 1, POSE),
                               NUMBERS("DG", 1, POSE),
                               NUMBERS("LF", 1, POSE),
                               NUMBERS("PR", 1, POSE),
                               NUMBERS("VC", 1, POSE),
                               NUMBERS("DF", 1, POSE),
                               NUMBERS("MT", 1, POSE),
                               NUMBERS("CHR, KHR, SHR, AHR", 4, POSE),
                               NUMBERS("cluster values", 6, POSE),
                               WHOLE("V_IT", POSE),
                               WHOLE("P_IT", POSE),
                               WHOLE("D_IT", POSE),
                               WHOLE("C_IT", POSE),
                               NUMBERS("LST", 1, POSE),
                               NUMBERS("AST", 1, POSE),
                               NUMBERS("VST", 1, POSE),
                               WHOLE("anchors", POSE),
                               WHOLE("pins", POSE),
                               HASH("anchored bodies and vertices", CELL_SHORT, POSE),
                               HASH("pinned vertices", CELL_SHORT, POSE)}},
    [CONTENTS_GROUPS] = {NULL,
                         NULL,
                         false,
                         POSE,
                         {ITEM("bones", CONTENTS_BONES, 4, POSE), WHOLE("vertices", POSE),
                          HASH("weights", CELL_SHORT, POSE), HASH("weights by place", CELL_SHORT, POSE)}},
    [CONTENTS_VERTICES] =
        {NULL,
         NULL,
         false,
         POSE,
         {ITEM("material", CONTENTS_MATERIALS, 1, POSE), ITEM("group", CONTENTS_GROUPS, 1, POSE),
          HASH("positions", CELL_SHORT, POSE), HASH("normals", CELL_SHORT, COLOR),
          HASH("UV", CELL_SHORT, COLOR), HASH("edge sizes", CELL_SHORT, EDGES),
          HASH("weights", CELL_SHORT, POSE)}},
    [CONTENTS_OFFSETS] = {NULL,
                          NULL,
                          false,
                          POSE,
                          {ITEM("morph", CONTENTS_MORPHS, 1, POSE), WHOLE("number", POSE),
                           HASH("value", CELL_SHORT, POSE)}},
    [CONTENTS_TRACKS] = {"track",
                         "tracks",
                         false,
                         POSE,
                         {WHOLE("keys", POSE), WHOLE("first frame", POSE), WHOLE("last frame", POSE),
                          HASH("keys", CELL_HASH, POSE), HASH("span", CELL_SPAN, POSE)}},
    [CONTENTS_KEYS] = {NULL,
                       NULL,
                       false,
                       POSE,
                       {ITEM("track", CONTENTS_TRACKS, 1, POSE), WHOLE("frame", POSE), WHOLE("keys", POSE),
                        HASH("value", CELL_SHORT, POSE)}},
    [CONTENTS_LINKS] = {"IK link",
                        "IK links",
                        false,
                        POSE,
                        {CHOICE("angle limits", link_limits, POSE), ANGLES("lower angle limit", 3),
                         ANGLES("upper angle limit", 3)}},
};
