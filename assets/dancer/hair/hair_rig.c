/* The hair's bones as a table, and the chains they form. The ponytail's bones lie on its centre line. */
#include "hair.h"

#include <math.h>

#include "tool.h"

/* A bone of a chain; of a pair, the left one. The end of a chain's last bone is the end of the chain. */
typedef struct bone_row {
    const char *name, *name_en, *parent;
    vec3 at;
    const char *tail;
    vec3 end;
} bone_row;

static const bone_row bones[] = {
    {"前髪1", "fringe1", "頭", {{0.05f, 18.95f, -1.55f}}, "前髪2", {{0}}},
    {"前髪2", "fringe2", "前髪1", {{0.05f, 18.3f, -1.86f}}, NULL, {{0.1f, 17.4f, -1.86f}}},
    {"アホ毛1", "ahoge1", "頭", {{0.05f, 19.7f, -0.2f}}, "アホ毛2", {{0}}},
    {"アホ毛2", "ahoge2", "アホ毛1", {{0.1f, 20.3f, -0.3f}}, NULL, {{0.3f, 20.5f, -0.95f}}},
    {"飾り", "ornament", "頭", {{1.80f, 19.55f, 1.35f}}, NULL, {{1.80f, 18.4f, 1.35f}}},
};

static const bone_row pairs[] = {
    {"左前髪1", "fringe1_L", "頭", {{0.95f, 18.85f, -1.25f}}, "左前髪2", {{0}}},
    {"左前髪2", "fringe2_L", "左前髪1", {{1.18f, 18.2f, -1.45f}}, NULL, {{1.2f, 17.35f, -1.4f}}},
    {"左横髪1", "side hair1_L", "頭", {{1.62f, 18.0f, -0.62f}}, "左横髪2", {{0}}},
    {"左横髪2", "side hair2_L", "左横髪1", {{1.66f, 17.25f, -0.68f}}, "左横髪3", {{0}}},
    {"左横髪3", "side hair3_L", "左横髪2", {{1.55f, 16.5f, -0.74f}}, NULL, {{1.38f, 15.85f, -0.84f}}},
    {"左後髪1", "back hair1_L", "頭", {{0.95f, 16.95f, 1.05f}}, "左後髪2", {{0}}},
    {"左後髪2", "back hair2_L", "左後髪1", {{0.92f, 16.5f, 0.92f}}, NULL, {{0.9f, 15.95f, 0.85f}}},
};

static const char *const tail_names[HAIR_CHAIN_BONES][2] = {
    {"ポニテ1", "ponytail1"}, {"ポニテ2", "ponytail2"}, {"ポニテ3", "ponytail3"},
    {"ポニテ4", "ponytail4"}, {"ポニテ5", "ponytail5"}, {"ポニテ6", "ponytail6"},
};

static const struct {
    int count;
    const char *names[HAIR_CHAIN_BONES];
} chains[CHAIN_COUNT] = {
    [CHAIN_FRINGE] = {2, {"前髪1", "前髪2"}},
    [CHAIN_FRINGE_SIDE] = {2, {"左前髪1", "左前髪2"}},
    [CHAIN_SIDE] = {3, {"左横髪1", "左横髪2", "左横髪3"}},
    [CHAIN_NAPE] = {2, {"左後髪1", "左後髪2"}},
    [CHAIN_TAIL] = {6, {"ポニテ1", "ポニテ2", "ポニテ3", "ポニテ4", "ポニテ5", "ポニテ6"}},
    [CHAIN_AHOGE] = {2, {"アホ毛1", "アホ毛2"}},
    [CHAIN_DANGLE] = {1, {"飾り"}},
};

static rig_spec spec_of(const bone_row *row)
{
    rig_spec spec = {.name = row->name,
                     .name_en = row->name_en,
                     .parent = row->parent,
                     .position = row->at,
                     .tail = row->tail,
                     .panel = PANEL_HAIR};
    if (!row->tail)
        spec.tail_offset = vec3_sub(row->end, row->at);
    return spec;
}

/* Adds bones at even steps along the ponytail, the first at the tie. */
static void add_tail(rig *r)
{
    hair_line axis = hair_tail_axis();
    for (int i = 0; i < HAIR_CHAIN_BONES; i++) {
        bool last = i + 1 == HAIR_CHAIN_BONES;
        bone_row row = {.name = tail_names[i][0],
                        .name_en = tail_names[i][1],
                        .parent = i == 0 ? "頭" : tail_names[i - 1][0],
                        .at = hair_line_at(&axis, hair_tail_bone(i)),
                        .tail = last ? NULL : tail_names[i + 1][0],
                        .end = hair_line_at(&axis, 1)};
        rig_spec spec = spec_of(&row);
        rig_add(r, &spec);
    }
}

void hair_rig(rig *r)
{
    for (size_t i = 0; i < TOOL_COUNT(bones); i++) {
        rig_spec spec = spec_of(&bones[i]);
        rig_add(r, &spec);
    }
    for (size_t i = 0; i < TOOL_COUNT(pairs); i++) {
        rig_spec spec = spec_of(&pairs[i]);
        rig_add_pair(r, &spec);
    }
    add_tail(r);
}

bool hair_chain_is_pair(hair_chain_id id)
{
    return id == CHAIN_FRINGE_SIDE || id == CHAIN_SIDE || id == CHAIN_NAPE;
}

hair_chain hair_chain_find(const rig *r, hair_chain_id id, int side)
{
    hair_chain chain = {.count = chains[id].count, .head = rig_find(r, "頭")};
    for (int i = 0; i < chain.count; i++) {
        int32_t bone = rig_find(r, chains[id].names[i]);
        chain.bone[i] = side < 0 ? rig_mirror(r, bone) : bone;
        const mmd_bone *b = &r->bones[chain.bone[i]];
        chain.at[i] = (vec3){{b->position[0], b->position[1], b->position[2]}};
        chain.at[i + 1] =
            vec3_add(chain.at[i], (vec3){{b->tail_offset[0], b->tail_offset[1], b->tail_offset[2]}});
    }
    return chain;
}

/* Returns the position of the nearest point along the chain: 1.5 is the middle of the second bone; below 0 is
 * before the first. */
static float place_on(const hair_chain *chain, vec3 p)
{
    float best = 1e9f, place = 0;
    for (int i = 0; i < chain->count; i++) {
        vec3 along = vec3_sub(chain->at[i + 1], chain->at[i]);
        float t = vec3_dot(vec3_sub(p, chain->at[i]), along) / vec3_dot(along, along);
        float inside = clamp(t, i == 0 ? -1.0f : 0.0f, 1.0f);
        float far = vec3_distance(p, vec3_add(chain->at[i], vec3_scale(along, inside)));
        if (far < best) {
            best = far;
            place = (float)i + inside;
        }
    }
    return place;
}

cage_skin hair_chain_skin(const hair_chain *chain, vec3 point)
{
    if (chain->count == 0)
        return skin1(chain->head);
    /* A bone has all of the weight only in its middle, and half of it at its ends. */
    float q = clamp(place_on(chain, point) - 0.5f, -1.0f, (float)chain->count - 1.0f);
    int before = (int)floorf(q);
    if (before >= chain->count - 1)
        return skin1(chain->bone[chain->count - 1]);
    return skin2(before < 0 ? chain->head : chain->bone[before], chain->bone[before + 1], q - (float)before);
}
