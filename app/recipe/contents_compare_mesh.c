/* Compares the vertices of two versions of a model, by their materials and by the bones that they hang on,
 * and the offsets of morphs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contents_comparison.h"
#include "mmd/elementary.h"

/* --- Vertices --- */

/* Vertices that differ in one respect, by material or by bone of the new side. */
typedef struct vertex_sum {
    uint64_t count;     /* of vertices */
    const char *bounds; /* "up to " where the number is not known */
    uint64_t *by_item;
    contents_id items; /* materials or bones */
} vertex_sum;

/* Tells "weights of 3,625 vertices under 左腕 and 左ひじ". */
static void tell_vertices(comparison *c, const char *what, unsigned aspects, const vertex_sum *sum)
{
    phrase p = {0};
    const uint32_t rows = c->now->tables[sum->items].count;
    uint32_t items = 0, told = 0;
    double weight = 0;
    if (!sum->count)
        return;
    for (uint32_t i = 0; i < rows; i++)
        items += sum->by_item[i] > 0;
    phrase_add(&p, "%s of %s", what, sum->bounds);
    phrase_add_counted(&p, sum->count, "vertex", "vertices");
    if (sum->items == CONTENTS_BONES)
        phrase_add(&p, items ? " under " : "");
    else
        phrase_add(&p, items == 0 ? "" : items == 1 ? " in material " : " in materials ");
    const uint32_t named = items > NAMED ? NAMED - 1 : items;
    for (; told < named; told++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < rows; i++)
            most = sum->by_item[i] > sum->by_item[most] ? i : most;
        phrase_add(&p, "%s", told == 0 ? "" : told + 1 == items ? " and " : ", ");
        phrase_add_name(&p, contents_name(c->now, sum->items, most));
        weight = mmd_max(weight, comparison_weight(c, sum->items, contents_name(c->now, sum->items, most)));
        sum->by_item[most] = 0;
    }
    if (items > named)
        phrase_add(&p, " and %u more%s", items - named, sum->items == CONTENTS_BONES ? " bones" : "");
    comparison_tell(c, &p, aspects, weight);
}

static uint64_t vertex_count(const contents *side)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < side->tables[CONTENTS_GROUPS].count; i++)
        if (contents_has(side, CONTENTS_GROUPS, GROUP_VERTICES))
            count += contents_value(side, CONTENTS_GROUPS, i, GROUP_VERTICES, 0);
    return count;
}

/* Adds the vertices of a group to each of its bones. */
static void add_to_bones(const comparison *c, vertex_sum *sum, const contents *side, uint32_t group,
                         uint64_t count)
{
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t bone = contents_value(side, CONTENTS_GROUPS, group, GROUP_BONES, k);
        if (bone && side == c->was)
            bone = c->rows[CONTENTS_BONES].went[bone - 1];
        if (bone)
            sum->by_item[bone - 1] += count ? count : 1;
    }
}

typedef struct group_row {
    uint32_t bones[4]; /* of the new side, ascending; those that were removed are large */
    uint32_t row;
} group_row;

static int by_bones(const void *a, const void *b)
{
    const group_row *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->bones[k] != y->bones[k])
            return x->bones[k] < y->bones[k] ? -1 : 1;
    return 0;
}

static group_row *list_groups(comparison *c, const contents *side)
{
    group_row *rows = comparison_take(c, side->tables[CONTENTS_GROUPS].count, sizeof *rows);
    for (uint32_t i = 0; i < side->tables[CONTENTS_GROUPS].count && rows; i++) {
        rows[i].row = i;
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bone = contents_value(side, CONTENTS_GROUPS, i, GROUP_BONES, k), at = k;
            if (bone && side == c->was)
                bone = c->rows[CONTENTS_BONES].went[bone - 1] ? c->rows[CONTENTS_BONES].went[bone - 1]
                                                              : bone | 0x80000000;
            for (; at && rows[i].bones[at - 1] > bone; at--)
                rows[i].bones[at] = rows[i].bones[at - 1];
            rows[i].bones[at] = bone;
        }
    }
    if (rows)
        qsort(rows, side->tables[CONTENTS_GROUPS].count, sizeof *rows, by_bones);
    return rows;
}

/* Matches the groups of vertices by their bones. */
static void match_groups(comparison *c)
{
    matching *m = &c->rows[CONTENTS_GROUPS];
    const uint32_t was_count = c->was->tables[CONTENTS_GROUPS].count,
                   now_count = c->now->tables[CONTENTS_GROUPS].count;
    m->went = comparison_take(c, was_count, sizeof *m->went);
    m->came = comparison_take(c, now_count, sizeof *m->came);
    group_row *was = list_groups(c, c->was), *now = list_groups(c, c->now);
    for (uint32_t i = 0, k = 0; i < was_count && k < now_count && !c->failed;) {
        const int order = by_bones(&was[i], &now[k]);
        if (order == 0) {
            m->went[was[i].row] = now[k].row + 1;
            m->came[now[k].row] = was[i].row + 1;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

/* Adds up a group that both sides have. same: the number of all vertices is the same, and so are positions.
 */
static void add_group(const comparison *c, vertex_sum *sum, uint32_t was, uint32_t now, bool same_count,
                      bool same_places, bool *exact)
{
    const uint32_t a = contents_value(c->was, CONTENTS_GROUPS, was, GROUP_VERTICES, 0),
                   b = contents_value(c->now, CONTENTS_GROUPS, now, GROUP_VERTICES, 0);
    if (a != b) {
        if (!same_count)
            return; /* vertices came or went, which is told by material */
        sum->count += b > a ? b - a : 0;
        add_to_bones(c, sum, c->now, now, b > a ? b - a : a - b);
    } else if (!comparison_same_field(c, CONTENTS_GROUPS, GROUP_WEIGHTS, was, now) ||
               (same_places && !comparison_same_field(c, CONTENTS_GROUPS, GROUP_PLACES, was, now))) {
        sum->count += b;
        *exact = false;
        add_to_bones(c, sum, c->now, now, b);
    }
}

/* Tells the weights that differ by the groups alone, where vertices are not known one by one. */
static void compare_groups(comparison *c, bool same_places)
{
    vertex_sum sum = {.items = CONTENTS_BONES,
                      .by_item =
                          comparison_take(c, c->now->tables[CONTENTS_BONES].count, sizeof *sum.by_item)};
    const bool same_count = vertex_count(c->was) == vertex_count(c->now);
    bool exact = true;
    for (uint32_t i = 0; i < c->now->tables[CONTENTS_GROUPS].count && !c->failed; i++) {
        const uint32_t came = c->rows[CONTENTS_GROUPS].came[i],
                       count = contents_value(c->now, CONTENTS_GROUPS, i, GROUP_VERTICES, 0);
        if (came) {
            add_group(c, &sum, came - 1, i, same_count, same_places, &exact);
        } else if (same_count) {
            sum.count += count;
            add_to_bones(c, &sum, c->now, i, count);
        }
    }
    for (uint32_t i = 0; i < c->was->tables[CONTENTS_GROUPS].count && !c->failed && same_count; i++)
        if (!c->rows[CONTENTS_GROUPS].went[i])
            add_to_bones(c, &sum, c->was, i, contents_value(c->was, CONTENTS_GROUPS, i, GROUP_VERTICES, 0));
    sum.bounds = exact ? "" : "up to ";
    if (!c->failed)
        tell_vertices(c, "weights", PROVENANCE_POSE, &sum);
}

/* Tells how the vertices of materials differ, where they are not known one by one. Returns whether all
 * positions are the same. */
static bool compare_surfaces(comparison *c)
{
    static const uint8_t columns[] = {MATERIAL_POSITIONS, MATERIAL_NORMALS, MATERIAL_UV, MATERIAL_EDGES};
    const uint32_t count = c->now->tables[CONTENTS_MATERIALS].count;
    bool same_places = vertex_count(c->was) == vertex_count(c->now);
    for (size_t k = 0; k < sizeof columns && !c->failed; k++) {
        vertex_sum sum = {.bounds = "up to ",
                          .items = CONTENTS_MATERIALS,
                          .by_item = comparison_take(c, count, sizeof *sum.by_item)};
        for (uint32_t i = 0; i < count && !c->failed && comparison_knows(c, CONTENTS_MATERIALS, columns[k]);
             i++) {
            const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
            if (!came || !comparison_same_field(c, CONTENTS_MATERIALS, MATERIAL_VERTICES, came - 1, i) ||
                comparison_same_field(c, CONTENTS_MATERIALS, columns[k], came - 1, i))
                continue;
            sum.by_item[i] = contents_value(c->now, CONTENTS_MATERIALS, i, MATERIAL_VERTICES, 0);
            sum.count += sum.by_item[i];
            same_places = same_places && columns[k] != MATERIAL_POSITIONS;
        }
        const contents_column *column = &contents_tables[CONTENTS_MATERIALS].columns[columns[k]];
        if (!c->failed)
            tell_vertices(c, column->words, column->aspects, &sum);
    }
    return same_places;
}

/* Returns which half of what the corners of a material's triangles are has changed: CORNERS_ORDER,
 * CORNERS_VERTICES. */
enum { CORNERS_ORDER = 1, CORNERS_VERTICES = 2 };
static int changed_corners(const comparison *c, uint32_t was, uint32_t now)
{
    const uint32_t change = contents_value(c->was, CONTENTS_MATERIALS, was, MATERIAL_CORNERS, 0) ^
                            contents_value(c->now, CONTENTS_MATERIALS, now, MATERIAL_CORNERS, 0);
    return (change >> 16 ? CORNERS_ORDER : 0) | (change & 0xffff ? CORNERS_VERTICES : 0);
}

/* Returns whether vertices of a material exchanged some of their values: one by one they are other vertices,
 * but all of them together have the same values. */
static bool has_exchanged(const comparison *c, uint32_t was, uint32_t now)
{
    bool same = comparison_knows(c, CONTENTS_MATERIALS, MATERIAL_CORNERS) &&
                changed_corners(c, was, now) & CORNERS_VERTICES;
    for (uint32_t i = MATERIAL_POSITIONS; i <= MATERIAL_EDGES && same; i++)
        same = comparison_knows(c, CONTENTS_MATERIALS, i) &&
               comparison_same_field(c, CONTENTS_MATERIALS, i, was, now);
    return same && comparison_same_field(c, CONTENTS_MATERIALS, MATERIAL_VERTICES, was, now);
}

/* Tells the materials whose vertices exchanged values. */
static void compare_exchanged(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_MATERIALS].count;
    bool *marked = comparison_take(c, count, sizeof *marked);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && marked; i++) {
        const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
        marked[i] = came && has_exchanged(c, came - 1, i);
        found += marked[i];
    }
    phrase p = {0};
    phrase_add(&p, "vertices of material%s ", found == 1 ? "" : "s");
    if (!found)
        return;
    phrase_add_names(&p, c->now, CONTENTS_MATERIALS, marked);
    phrase_add(&p, " have exchanged positions, normals, UV or edge sizes");
    comparison_tell(c, &p, PROVENANCE_POSE | PROVENANCE_COLOR | PROVENANCE_EDGES, 0);
}

/* Tells the materials whose triangles join other vertices. */
static void compare_corners(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_MATERIALS].count;
    bool *marked = comparison_take(c, count, sizeof *marked);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && marked && comparison_knows(c, CONTENTS_MATERIALS, MATERIAL_CORNERS);
         i++) {
        const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
        marked[i] = came && comparison_same_field(c, CONTENTS_MATERIALS, MATERIAL_TRIANGLES, came - 1, i) &&
                    changed_corners(c, came - 1, i) & CORNERS_ORDER;
        found += marked[i];
    }
    phrase p = {0};
    phrase_add(&p, "triangles of material%s ", found == 1 ? "" : "s");
    if (!found)
        return;
    phrase_add_names(&p, c->now, CONTENTS_MATERIALS, marked);
    phrase_add(&p, " join other vertices, or are in another order");
    comparison_tell(c, &p, PROVENANCE_POSE | PROVENANCE_COLOR, 0);
}

/* Marks the materials whose vertices may differ in a column. Those of others have only changed places in the
 * file, as other programs order them. */
static bool *mark_materials(comparison *c, uint32_t column)
{
    const uint32_t count = c->now->tables[CONTENTS_MATERIALS].count;
    bool *marked = comparison_take(c, count, sizeof *marked);
    for (uint32_t i = 0; i < count && marked; i++) {
        const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
        marked[i] = !came || !comparison_knows(c, CONTENTS_MATERIALS, column) ||
                    !comparison_same_field(c, CONTENTS_MATERIALS, MATERIAL_VERTICES, came - 1, i) ||
                    !comparison_same_field(c, CONTENTS_MATERIALS, column, came - 1, i) ||
                    has_exchanged(c, came - 1, i);
    }
    return marked;
}

/* Does the same for groups and the weights of their vertices. */
static bool *mark_groups(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_GROUPS].count;
    bool *marked = comparison_take(c, count, sizeof *marked), same_places = true;
    for (uint32_t i = 0; i < c->now->tables[CONTENTS_MATERIALS].count; i++) {
        const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
        same_places = same_places && came && comparison_knows(c, CONTENTS_MATERIALS, MATERIAL_POSITIONS) &&
                      comparison_same_field(c, CONTENTS_MATERIALS, MATERIAL_POSITIONS, came - 1, i);
    }
    for (uint32_t i = 0; i < count && marked; i++) {
        const uint32_t came = c->rows[CONTENTS_GROUPS].came[i];
        marked[i] = !came;
        for (uint32_t k = GROUP_VERTICES; k <= (same_places ? GROUP_PLACES : GROUP_WEIGHTS) && !marked[i];
             k++)
            marked[i] = !comparison_knows(c, CONTENTS_GROUPS, k) ||
                        !comparison_same_field(c, CONTENTS_GROUPS, k, came - 1, i);
    }
    return marked;
}

/* Tells how vertices differ that both sides know one by one. */
static void compare_vertices(comparison *c)
{
    static const uint8_t columns[][2] = {{VERTEX_WEIGHTS, 0},
                                         {VERTEX_POSITION, MATERIAL_POSITIONS},
                                         {VERTEX_NORMAL, MATERIAL_NORMALS},
                                         {VERTEX_UV, MATERIAL_UV},
                                         {VERTEX_EDGE, MATERIAL_EDGES}};
    const uint32_t count = c->now->tables[CONTENTS_VERTICES].count;
    for (size_t k = 0; k < sizeof columns / sizeof *columns && !c->failed; k++) {
        const bool weights = columns[k][0] == VERTEX_WEIGHTS;
        const bool *marked = weights ? mark_groups(c) : mark_materials(c, columns[k][1]);
        vertex_sum sum = {.bounds = "", .items = weights ? CONTENTS_BONES : CONTENTS_MATERIALS};
        sum.by_item = comparison_take(c, c->now->tables[sum.items].count, sizeof *sum.by_item);
        for (uint32_t i = 0; i < count && !c->failed; i++) {
            const uint32_t material = contents_value(c->now, CONTENTS_VERTICES, i, VERTEX_MATERIAL, 0),
                           group = contents_value(c->now, CONTENTS_VERTICES, i, VERTEX_GROUP, 0);
            const uint32_t of = weights ? group : material;
            if ((of && !marked[of - 1]) ||
                (comparison_same_field(c, CONTENTS_VERTICES, columns[k][0], i, i) &&
                 (!weights || comparison_same_field(c, CONTENTS_VERTICES, VERTEX_GROUP, i, i))))
                continue;
            sum.count++;
            if (weights && group)
                add_to_bones(c, &sum, c->now, group - 1, 1);
            else if (!weights && material)
                sum.by_item[material - 1]++;
        }
        const contents_column *column = &contents_tables[CONTENTS_VERTICES].columns[columns[k][0]];
        if (!c->failed)
            tell_vertices(c, column->words, column->aspects, &sum);
    }
}

/* Compares vertices one by one where both sides have as many of them, else by materials and groups. */
void comparison_mesh(comparison *c)
{
    const bool groups = comparison_knows_rows(c, CONTENTS_GROUPS) && comparison_knows_rows(c, CONTENTS_BONES),
               materials = comparison_knows_rows(c, CONTENTS_MATERIALS);
    if (groups)
        match_groups(c);
    if (c->failed)
        return;
    const contents_table *was = &c->was->tables[CONTENTS_VERTICES], *now = &c->now->tables[CONTENTS_VERTICES];
    bool same_places = false,
         one_by_one = was->count == now->count && was->has_rows && now->has_rows && groups;
    for (uint32_t i = 0; i <= VERTEX_WEIGHTS && one_by_one; i++)
        one_by_one = comparison_knows(c, CONTENTS_VERTICES, i);
    if (one_by_one) {
        compare_vertices(c);
    } else {
        if (materials)
            same_places = compare_surfaces(c);
        if (materials && !c->failed)
            compare_exchanged(c);
        bool known = groups;
        for (uint32_t i = 0; i <= GROUP_PLACES && known; i++)
            known = (contents_has(c->was, CONTENTS_GROUPS, i) || !c->was->tables[CONTENTS_GROUPS].count) &&
                    (contents_has(c->now, CONTENTS_GROUPS, i) || !c->now->tables[CONTENTS_GROUPS].count);
        if (known && c->was->tables[CONTENTS_GROUPS].count && c->now->tables[CONTENTS_GROUPS].count)
            compare_groups(c, same_places);
        else if (!known &&
                 contents_table_hash(c->was, CONTENTS_GROUPS) != contents_table_hash(c->now, CONTENTS_GROUPS))
            comparison_tell(c, &(phrase){"weights of vertices", 19}, PROVENANCE_POSE, 0);
    }
    if (materials)
        compare_corners(c);
}

/* --- Morphs --- */

typedef struct offset_row {
    uint32_t morph, target, value; /* morph: of the new side */
} offset_row;

static int by_target(const void *a, const void *b)
{
    const offset_row *x = a, *y = b;
    if (x->morph != y->morph)
        return x->morph < y->morph ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

static uint32_t list_offsets(comparison *c, const contents *side, offset_row **result)
{
    const uint32_t all = side->tables[CONTENTS_OFFSETS].count;
    offset_row *rows = *result = comparison_take(c, all, sizeof *rows);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all && rows; i++) {
        uint32_t morph = contents_value(side, CONTENTS_OFFSETS, i, OFFSET_MORPH, 0);
        if (morph && side == c->was)
            morph = c->rows[CONTENTS_MORPHS].went[morph - 1];
        if (morph)
            rows[count++] = (offset_row){morph, contents_value(side, CONTENTS_OFFSETS, i, OFFSET_TARGET, 0),
                                         contents_value(side, CONTENTS_OFFSETS, i, OFFSET_VALUE, 0)};
    }
    if (rows)
        qsort(rows, count, sizeof *rows, by_target);
    return count;
}

/* Counts the offsets of each morph that differ. Returns NULL where they are not known one by one. */
static uint32_t *count_offsets(comparison *c)
{
    for (uint32_t i = 0; i <= OFFSET_VALUE; i++)
        if (!comparison_knows(c, CONTENTS_OFFSETS, i))
            return NULL;
    offset_row *was, *now;
    uint32_t *counts = comparison_take(c, c->now->tables[CONTENTS_MORPHS].count, sizeof *counts);
    const uint32_t was_count = list_offsets(c, c->was, &was), now_count = list_offsets(c, c->now, &now);
    for (uint32_t i = 0, k = 0; (i < was_count || k < now_count) && !c->failed;) {
        const int order = i == was_count ? 1 : k == now_count ? -1 : by_target(&was[i], &now[k]);
        const uint32_t morph = order <= 0 ? was[i].morph : now[k].morph;
        counts[morph - 1] += order != 0 || was[i].value != now[k].value;
        i += order <= 0;
        k += order >= 0;
    }
    return counts;
}

/* Returns what the offsets of a morph move. */
static const char *offset_noun(uint32_t kind, bool one)
{
    static const char *const nouns[][2] = {{"morph", "morphs"},
                                           {"vertex", "vertices"},
                                           {"bone", "bones"},
                                           {"material", "materials"},
                                           {"body", "bodies"}};
    const int which = kind == MMD_MORPH_GROUP || kind == MMD_MORPH_FLIP ? 0
                      : kind == MMD_MORPH_BONE                          ? 2
                      : kind == MMD_MORPH_MATERIAL                      ? 3
                      : kind == MMD_MORPH_IMPULSE                       ? 4
                                                                        : 1;
    return nouns[which][one ? 0 : 1];
}

/* Tells one morph: "morph あ: 212 of 480 vertices". counts may be NULL. */
static void tell_morph(comparison *c, uint32_t was, uint32_t now, const uint32_t *counts)
{
    phrase p = {0};
    const uint32_t a = contents_value(c->was, CONTENTS_MORPHS, was, MORPH_OFFSETS, 0),
                   b = contents_value(c->now, CONTENTS_MORPHS, now, MORPH_OFFSETS, 0),
                   kind = contents_value(c->now, CONTENTS_MORPHS, now, MORPH_KIND, 0);
    const bool same_kind = kind == contents_value(c->was, CONTENTS_MORPHS, was, MORPH_KIND, 0);
    phrase_add(&p, "morph ");
    phrase_add_name(&p, contents_name(c->now, CONTENTS_MORPHS, now));
    phrase_add(&p, ": ");
    if (!same_kind) {
        phrase_add_field(&p, c, CONTENTS_MORPHS, MORPH_KIND, was, now);
    } else if (a != b) {
        phrase_add_number(&p, a);
        phrase_add(&p, " → ");
        phrase_add_counted(&p, b, offset_noun(kind, true), offset_noun(kind, false));
    } else {
        if (counts && counts[now])
            phrase_add_number(&p, counts[now]);
        else
            phrase_add(&p, "some");
        phrase_add(&p, " of %s", counts && counts[now] ? "" : "its ");
        phrase_add_counted(&p, b, offset_noun(kind, true), offset_noun(kind, false));
    }
    const bool look = kind == MMD_MORPH_MATERIAL || (kind >= MMD_MORPH_UV && kind < MMD_MORPH_MATERIAL);
    comparison_tell(c, &p, look ? PROVENANCE_COLOR : PROVENANCE_POSE,
                    comparison_weight(c, CONTENTS_MORPHS, contents_name(c->now, CONTENTS_MORPHS, now)));
}

void comparison_morphs(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_MORPHS].count;
    bool known = true;
    for (uint32_t i = 0; i <= MORPH_BY_PLACE; i++)
        known = known && comparison_knows(c, CONTENTS_MORPHS, i);
    if (!known || c->failed) {
        comparison_items(c, CONTENTS_MORPHS);
        return;
    }
    bool *marked = comparison_take(c, count, sizeof *marked);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && marked; i++) {
        const uint32_t came = c->rows[CONTENTS_MORPHS].came[i];
        marked[i] = came && (!comparison_same_field(c, CONTENTS_MORPHS, MORPH_KIND, came - 1, i) ||
                             !comparison_same_field(c, CONTENTS_MORPHS, MORPH_OFFSETS, came - 1, i) ||
                             (!comparison_same_field(c, CONTENTS_MORPHS, MORPH_BY_NUMBER, came - 1, i) &&
                              !comparison_same_field(c, CONTENTS_MORPHS, MORPH_BY_PLACE, came - 1, i)));
        found += marked[i];
    }
    const uint32_t *counts = found ? count_offsets(c) : NULL;
    for (uint32_t i = 0; i < count && found <= ITEMS_APART && !c->failed; i++)
        if (marked[i])
            tell_morph(c, c->rows[CONTENTS_MORPHS].came[i] - 1, i, counts);
    if (found > ITEMS_APART && !c->failed) {
        phrase p = {0};
        phrase_add_counted(&p, found, "morph", "morphs");
        phrase_add(&p, " have other offsets: ");
        phrase_add_names(&p, c->now, CONTENTS_MORPHS, marked);
        comparison_tell(c, &p, contents_tables[CONTENTS_MORPHS].aspects, 0);
    }
    comparison_tell_only(c, CONTENTS_MORPHS, c->was, c->rows[CONTENTS_MORPHS].went, "removed");
    comparison_tell_only(c, CONTENTS_MORPHS, c->now, c->rows[CONTENTS_MORPHS].came, "added");
    comparison_tell_renamed(c, CONTENTS_MORPHS);
}
