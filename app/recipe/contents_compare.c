/*
 * Tells how two versions of a file differ. Items are matched by name, then by contents; what refers to an
 * item is compared with where that item went. Either side may be a stranger's, and may know less than the
 * other.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contents_comparison.h"
#include "mmd/elementary.h"

/* --- Sentences --- */

/* Appends to a phrase, which never is cut within a character. */
void phrase_add(phrase *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof p->text - p->size;
    const int size = vsnprintf(p->text + p->size, room, format, arguments);
    va_end(arguments);
    if (size < 0)
        return;
    p->size += (size_t)size < room ? (size_t)size : room - 1;
    if ((size_t)size < room)
        return;
    while (p->size && ((unsigned char)p->text[p->size - 1] & 0xc0) == 0x80)
        p->size--;
    if (p->size && (unsigned char)p->text[p->size - 1] >= 0xc0)
        p->size--;
    p->text[p->size] = '\0';
}

/* Copies the name of an item to a single line, shortened between characters. */
static const char *shown(const char *name, char text[NAME_SHOWN + 8])
{
    size_t length = strlen(name);
    const bool is_long = length > NAME_SHOWN;
    if (is_long)
        for (length = NAME_SHOWN; length && ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    snprintf(text, NAME_SHOWN + 8, "%.*s%s", (int)length, name, is_long ? "..." : "");
    for (char *c = text; *c; c++)
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    return *text ? text : "(without a name)";
}

void phrase_add_name(phrase *p, const char *name)
{
    char text[NAME_SHOWN + 8];
    phrase_add(p, "%s", shown(name, text));
}

/* Appends a number with commas: "3,625". */
void phrase_add_number(phrase *p, uint64_t number)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < length; i++)
        phrase_add(p, "%s%c", i && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

void phrase_add_counted(phrase *p, uint64_t number, const char *one, const char *many)
{
    phrase_add_number(p, number);
    phrase_add(p, " %s", number == 1 ? one : many);
}

double comparison_weight(const comparison *c, contents_id table, const char *name)
{
    return c->weigh ? c->weigh(c->user, table, name) : 0;
}

void comparison_tell(comparison *c, const phrase *words, unsigned aspects, double weight)
{
    if (c->count < CAUSES_MOST)
        c->causes[c->count] = (cause){*words, aspects, weight, c->count};
    c->count++;
}

static int compare_causes(const void *a, const void *b)
{
    const cause *x = a, *y = b;
    if (x->weight < y->weight || x->weight > y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

/* --- Matching rows --- */

void *comparison_take(comparison *c, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&c->arena, count + 1, size);
    c->failed = c->failed || !memory;
    return memory;
}

typedef struct named_row {
    const char *name;
    uint64_t hash;
    uint32_t row;
} named_row;

static int by_name(const void *a, const void *b)
{
    const named_row *x = a, *y = b;
    const int order = x->name && y->name ? strcmp(x->name, y->name) : 0;
    if (order)
        return order;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int without_row(const named_row *a, const named_row *b)
{
    named_row x = *a, y = *b;
    x.row = y.row = 0;
    return by_name(&x, &y);
}

/* Joins the rows of two sorted lists that have the same name and hash, the first with the first. */
static void join(matching *m, const named_row *was, uint32_t was_count, const named_row *now,
                 uint32_t now_count)
{
    for (uint32_t i = 0, k = 0; i < was_count && k < now_count;) {
        const int order = without_row(&was[i], &now[k]);
        if (order == 0) {
            m->went[was[i].row] = now[k].row + 1;
            m->came[now[k].row] = was[i].row + 1;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

/* Hashes what both sides know of a row, apart from its name and from other items. */
static uint64_t content_hash(const comparison *c, const contents *side, contents_id table, uint32_t row)
{
    const contents_words *words = &contents_tables[table];
    uint64_t hash = table == CONTENTS_TRACKS ? (unsigned char)*contents_name(side, table, row) : 0;
    bool some = false;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && words->columns[i].words; i++) {
        if (words->columns[i].cell == CELL_ITEM || words->columns[i].cell == CELL_SPAN ||
            !contents_has(c->was, table, i) || !contents_has(c->now, table, i))
            continue;
        some = true;
        for (uint32_t k = 0; k < words->columns[i].count; k++)
            hash = contents_mix(hash, contents_value(side, table, row, i, k));
    }
    if (!some && contents_has_row_hash(c->was, table) && contents_has_row_hash(c->now, table))
        hash = contents_mix(hash, contents_row_hash(side, table, row));
    return contents_mixed(hash);
}

/* By what rows are matched, one after the other. Names can be empty, or those of several items. */
enum { BY_NAME_AND_CONTENTS, BY_NAME, BY_CONTENTS, MATCHES };

/* Lists the rows of one side that have no counterpart yet. */
static uint32_t list_rows(comparison *c, const contents *side, contents_id table, const uint32_t *joined,
                          int by, named_row *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < side->tables[table].count; i++)
        if (!joined[i])
            rows[count++] = (named_row){by == BY_CONTENTS ? NULL : contents_name(side, table, i),
                                        by == BY_NAME ? 0 : content_hash(c, side, table, i), i};
    qsort(rows, count, sizeof *rows, by_name);
    return count;
}

/* Matches the rows of a table that has names. */
static void match(comparison *c, contents_id table)
{
    matching *m = &c->rows[table];
    const uint32_t was_count = c->was->tables[table].count, now_count = c->now->tables[table].count;
    m->went = comparison_take(c, was_count, sizeof *m->went);
    m->came = comparison_take(c, now_count, sizeof *m->came);
    named_row *was = comparison_take(c, was_count, sizeof *was),
              *now = comparison_take(c, now_count, sizeof *now);
    const bool has_rows = c->was->tables[table].has_rows && c->now->tables[table].has_rows;
    for (int by = 0; by < (table == CONTENTS_TEXTURES ? BY_CONTENTS : MATCHES) && has_rows && !c->failed;
         by++)
        join(m, was, list_rows(c, c->was, table, m->went, by, was), now,
             list_rows(c, c->now, table, m->came, by, now));
}

/* --- Fields --- */

static bool same_item(const comparison *c, contents_id of, uint32_t was, uint32_t now)
{
    if (!was || !now)
        return was == now;
    if (!c->was->tables[of].has_rows || !c->now->tables[of].has_rows)
        return true;
    if (of == CONTENTS_TEXTURES)
        return strcmp(contents_name(c->was, of, was - 1), contents_name(c->now, of, now - 1)) == 0;
    return c->rows[of].went[was - 1] == now;
}

bool comparison_same_field(const comparison *c, contents_id table, uint32_t column, uint32_t was,
                           uint32_t now)
{
    const contents_column *field = &contents_tables[table].columns[column];
    for (uint32_t k = 0; k < field->count; k++) {
        const uint32_t a = contents_value(c->was, table, was, column, k),
                       b = contents_value(c->now, table, now, column, k);
        if (field->cell == CELL_ITEM ? !same_item(c, field->of, a, b) : a != b)
            return false;
    }
    return true;
}

bool comparison_knows(const comparison *c, contents_id table, uint32_t column)
{
    return contents_has(c->was, table, column) && contents_has(c->now, table, column);
}

/* Returns whether both sides list the links of IK. */
static bool knows_links(const comparison *c)
{
    return c->was->tables[CONTENTS_LINKS].has_rows && c->now->tables[CONTENTS_LINKS].has_rows;
}

/* Returns the set of fields of two rows that differ, without those that sentences tell apart. */
static uint32_t changed_fields(const comparison *c, contents_id table, uint32_t was, uint32_t now)
{
    const bool has_links = knows_links(c);
    uint32_t set = 0;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && contents_tables[table].columns[i].words; i++) {
        const contents_cell cell = contents_tables[table].columns[i].cell;
        if (table == CONTENTS_BONES && i == BONE_LINK_LIMITS && has_links)
            continue; /* told link by link */
        if (cell != CELL_VERTEX && cell != CELL_OFFSET && cell != CELL_SPAN &&
            comparison_knows(c, table, i) && !comparison_same_field(c, table, i, was, now))
            set |= 1u << i;
    }
    return set;
}

static void add_float(phrase *p, uint32_t bits, bool is_angle, int digits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    phrase_add(p, "%.*g%s", digits, is_angle ? (double)value * (180 / 3.14159265358979323846) : (double)value,
               is_angle ? "°" : "");
}

/* Appends the value of a field of one side. */
static void add_value(phrase *p, const contents *side, contents_id table, uint32_t row, uint32_t column,
                      int digits)
{
    const contents_column *field = &contents_tables[table].columns[column];
    uint32_t named = 0;
    for (uint32_t k = 0; k < field->count; k++) {
        const uint32_t value = contents_value(side, table, row, column, k);
        if (k)
            phrase_add(p, ", ");
        for (named = 0; field->cell == CELL_CHOICE && field->names[named] && named < value;)
            named++;
        if (field->cell == CELL_FLOAT || field->cell == CELL_ANGLE)
            add_float(p, value, field->cell == CELL_ANGLE, digits);
        else if (field->cell == CELL_CHOICE && field->names[named])
            phrase_add(p, "%s", field->names[named]);
        else if (field->cell == CELL_ITEM && value)
            phrase_add_name(p, contents_name(side, field->of, value - 1));
        else if (field->cell == CELL_ITEM)
            phrase_add(p, "none");
        else
            phrase_add(p, "%d", (int32_t)value);
    }
}

/* Appends "0.8 → 0.2", with more digits if fewer look alike. */
static void add_change(phrase *p, const comparison *c, contents_id table, uint32_t column, uint32_t was,
                       uint32_t now)
{
    phrase a = {0}, b = {0};
    for (int digits = 6; digits <= 9 && strcmp(a.text, b.text) == 0; digits += 3) {
        a.size = b.size = 0;
        add_value(&a, c->was, table, was, column, digits);
        add_value(&b, c->now, table, now, column, digits);
    }
    phrase_add(p, "%s → %s", a.text, b.text);
}

/* Appends the flags that differ: "edge on → off". */
static void add_flags(phrase *p, const comparison *c, contents_id table, uint32_t column, uint32_t was,
                      uint32_t now)
{
    const uint32_t a = contents_value(c->was, table, was, column, 0),
                   b = contents_value(c->now, table, now, column, 0);
    const char *const *names = contents_tables[table].columns[column].names;
    bool some = false;
    for (uint32_t i = 0; names[i]; i++) {
        if (!((a ^ b) >> i & 1))
            continue;
        phrase_add(p, "%s%s %s → %s", some ? ", " : "", names[i], a >> i & 1 ? "on" : "off",
                   b >> i & 1 ? "on" : "off");
        some = true;
    }
    if (!some)
        phrase_add(p, "flags");
}

/* Appends a field that differs, with its values where they are known. */
void phrase_add_field(phrase *p, const comparison *c, contents_id table, uint32_t column, uint32_t was,
                      uint32_t now)
{
    const contents_column *field = &contents_tables[table].columns[column];
    if (field->cell == CELL_FLAGS) {
        add_flags(p, c, table, column, was, now);
        return;
    }
    phrase_add(p, "%s", field->words);
    if (field->cell == CELL_HASH || field->cell == CELL_SHORT)
        return;
    phrase_add(p, " ");
    add_change(p, c, table, column, was, now);
}

/* --- Items --- */

/* Returns the weight of an item: that of its name, or of the name of a bone that it belongs to. */
static double item_weight(const comparison *c, contents_id table, uint32_t row)
{
    double weight = comparison_weight(c, table, contents_name(c->now, table, row));
    if (table == CONTENTS_BODIES && contents_has(c->now, table, 0)) {
        const uint32_t bone = contents_value(c->now, table, row, 0, 0);
        const double other =
            bone ? comparison_weight(c, CONTENTS_BONES, contents_name(c->now, CONTENTS_BONES, bone - 1)) : 0;
        weight = other > weight ? other : weight;
    }
    return weight;
}

/* Tells one item whose fields differ; none known: only that it does. */
static void tell_item(comparison *c, contents_id table, uint32_t was, uint32_t now, uint32_t set)
{
    phrase p = {0};
    unsigned aspects = set ? 0 : contents_tables[table].aspects;
    uint32_t told = 0, left = 0;
    phrase_add(&p, "%s ", contents_tables[table].one);
    phrase_add_name(&p, contents_name(c->now, table, now));
    for (uint32_t i = 0; i < CONTENTS_COLUMNS; i++) {
        if (!(set >> i & 1))
            continue;
        aspects |= contents_tables[table].columns[i].aspects;
        if (told == FIELDS_TOLD) {
            left++;
            continue;
        }
        phrase_add(&p, told++ ? ", " : ": ");
        phrase_add_field(&p, c, table, i, was, now);
    }
    if (left)
        phrase_add(&p, " and %u more", left);
    if (!set)
        phrase_add(&p, " has changed");
    comparison_tell(c, &p, aspects, item_weight(c, table, now));
}

/* Tells the items whose field differs in one sentence: "linear damping of 37 bodies (a: 0.8 → 0.2, ...)". */
static void tell_field(comparison *c, contents_id table, uint32_t column, const uint32_t *sets)
{
    phrase p = {0};
    uint32_t count = 0, told = 0;
    double weight = 0;
    const contents_words *words = &contents_tables[table];
    for (uint32_t i = 0; i < c->now->tables[table].count; i++)
        count += sets[i] >> column & 1;
    if (!count)
        return;
    phrase_add(&p, "%s of ", words->columns[column].words);
    phrase_add_counted(&p, count, words->one, words->many);
    for (uint32_t i = 0; i < c->now->tables[table].count && told < 2; i++) {
        if (!(sets[i] >> column & 1))
            continue;
        const contents_cell cell = words->columns[column].cell;
        phrase_add(&p, told++ ? ", " : " (");
        phrase_add_name(&p, contents_name(c->now, table, i));
        if (cell != CELL_HASH && cell != CELL_SHORT)
            phrase_add(&p, ": ");
        if (cell == CELL_FLAGS)
            add_flags(&p, c, table, column, c->rows[table].came[i] - 1, i);
        else if (cell != CELL_HASH && cell != CELL_SHORT)
            add_change(&p, c, table, column, c->rows[table].came[i] - 1, i);
        weight = mmd_max(weight, item_weight(c, table, i));
    }
    phrase_add(&p, count > told ? ", ...)" : ")");
    comparison_tell(c, &p, words->columns[column].aspects, weight);
}

/* Appends names of rows: "a, b, c and 4 more", those with a mark. */
void phrase_add_names(phrase *p, const contents *side, contents_id table, const bool *marked)
{
    uint32_t count = 0, told = 0;
    for (uint32_t i = 0; i < side->tables[table].count; i++)
        count += marked[i];
    const uint32_t named = count > NAMED ? NAMED - 1 : count;
    for (uint32_t i = 0; i < side->tables[table].count && told < named; i++) {
        if (!marked[i])
            continue;
        phrase_add(p, "%s", told == 0 ? "" : told + 1 == count ? " and " : ", ");
        phrase_add_name(p, contents_name(side, table, i));
        told++;
    }
    if (count > named) {
        phrase_add(p, " and ");
        phrase_add_number(p, count - named);
        phrase_add(p, " more");
    }
}

/* Tells the rows that only one side has. */
void comparison_tell_only(comparison *c, contents_id table, const contents *side, const uint32_t *joined,
                          const char *verb)
{
    phrase p = {0};
    const contents_words *words = &contents_tables[table];
    uint32_t count = 0;
    bool *marked = comparison_take(c, side->tables[table].count, sizeof *marked);
    for (uint32_t i = 0; i < side->tables[table].count && marked; i++)
        count += marked[i] = !joined[i];
    if (!count)
        return;
    if (count > 1)
        phrase_add_number(&p, count);
    phrase_add(&p, "%s%s ", count > 1 ? " " : "", count > 1 ? words->many : words->one);
    if (count > 1)
        phrase_add(&p, "%s: ", verb);
    phrase_add_names(&p, side, table, marked);
    if (count == 1)
        phrase_add(&p, " was %s", verb);
    comparison_tell(c, &p, words->aspects, 0);
}

/* Returns the name of an item without the letter of its kind that tracks have. */
static const char *bare_name(const contents *side, contents_id table, uint32_t row)
{
    const char *name = contents_name(side, table, row);
    return name + (table == CONTENTS_TRACKS && *name);
}

/* Tells items that have another name now. */
void comparison_tell_renamed(comparison *c, contents_id table)
{
    uint32_t count = 0;
    phrase p = {0};
    for (uint32_t i = 0; i < c->now->tables[table].count; i++) {
        const uint32_t was = c->rows[table].came[i];
        if (!was || strcmp(contents_name(c->was, table, was - 1), contents_name(c->now, table, i)) == 0)
            continue;
        if (count++ < NAMED) {
            phrase_add(&p, "%s%s ", count > 1 ? ", " : "", contents_tables[table].one);
            phrase_add_name(&p, bare_name(c->was, table, was - 1));
            phrase_add(&p, " is called ");
            phrase_add_name(&p, bare_name(c->now, table, i));
        }
    }
    if (count > NAMED)
        phrase_add(&p, " and %u more %s have other names", count - NAMED, contents_tables[table].many);
    if (count)
        comparison_tell(c, &p, contents_tables[table].aspects, 0);
}

/* Marks the rows that moved among the others: all but a longest part that kept its order. */
static uint32_t mark_moved(comparison *c, contents_id table, bool *moved)
{
    const uint32_t count = c->now->tables[table].count;
    const uint32_t *came = c->rows[table].came;
    uint32_t *ends = comparison_take(c, count, sizeof *ends),
             *before = comparison_take(c, count, sizeof *before), length = 0, all = 0;
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        if (!came[i])
            continue;
        uint32_t low = 0, high = length;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (came[ends[middle]] < came[i])
                low = middle + 1;
            else
                high = middle;
        }
        ends[low] = i;
        before[i] = low ? ends[low - 1] : UINT32_MAX;
        length += low == length;
        moved[i] = true;
        all++;
    }
    for (uint32_t i = length ? ends[length - 1] : UINT32_MAX; i != UINT32_MAX; i = before[i])
        moved[i] = false;
    return all - length;
}

static void tell_order(comparison *c, contents_id table)
{
    phrase p = {0};
    bool *moved = comparison_take(c, c->now->tables[table].count, sizeof *moved);
    const uint32_t count = c->failed ? 0 : mark_moved(c, table, moved);
    if (!count)
        return;
    phrase_add(&p, "the %s are in another order: ", contents_tables[table].many);
    phrase_add_names(&p, c->now, table, moved);
    phrase_add(&p, " moved");
    comparison_tell(c, &p, contents_tables[table].aspects, 0);
}

/* Tells a table of which one side knows only the number of rows and a hash. */
void comparison_tell_table(comparison *c, contents_id table)
{
    const uint32_t was = c->was->tables[table].count, now = c->now->tables[table].count;
    const contents_words *words = &contents_tables[table];
    phrase p = {0};
    if (was == now && contents_table_hash(c->was, table) == contents_table_hash(c->now, table))
        return;
    phrase_add(&p, "%s", words->many);
    if (was != now) {
        phrase_add(&p, ": ");
        phrase_add_number(&p, was);
        phrase_add(&p, " → ");
        phrase_add_number(&p, now);
    } else {
        phrase_add(&p, " have changed");
    }
    comparison_tell(c, &p, words->aspects, 0);
}

/* Returns whether both sides know the rows of a table. Of a table without rows, nothing is unknown. */
bool comparison_knows_rows(const comparison *c, contents_id table)
{
    const contents_table *was = &c->was->tables[table], *now = &c->now->tables[table];
    return (was->has_rows || !was->count) && (now->has_rows || !now->count);
}

/* Tells which fields of the items differ that both sides have. */
static void tell_changed_items(comparison *c, contents_id table)
{
    const matching *m = &c->rows[table];
    const bool by_hash = c->was->tables[table].rows || c->now->tables[table].rows;
    const uint32_t count = c->now->tables[table].count;
    uint32_t *sets = comparison_take(c, count, sizeof *sets), changed = 0;
    bool *differs = comparison_take(c, count, sizeof *differs);
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        if (!m->came[i])
            continue;
        sets[i] = changed_fields(c, table, m->came[i] - 1, i);
        differs[i] =
            sets[i] ||
            (by_hash && contents_has_row_hash(c->was, table) && contents_has_row_hash(c->now, table) &&
             contents_row_hash(c->was, table, m->came[i] - 1) != contents_row_hash(c->now, table, i));
        changed += differs[i];
    }
    if (c->failed)
        return;
    const bool apart = changed <= ITEMS_APART || by_hash;
    for (uint32_t i = 0; i < count && apart; i++)
        if (differs[i])
            tell_item(c, table, m->came[i] - 1, i, sets[i]);
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && !apart && contents_tables[table].columns[i].words; i++)
        tell_field(c, table, i, sets);
}

/* Compares a table of items field by field. Fields of morphs and tracks are told elsewhere. */
void comparison_items(comparison *c, contents_id table)
{
    const matching *m = &c->rows[table];
    if (!comparison_knows_rows(c, table)) {
        comparison_tell_table(c, table);
        return;
    }
    tell_changed_items(c, table);
    if (c->failed)
        return;
    comparison_tell_only(c, table, c->was, m->went, "removed");
    comparison_tell_only(c, table, c->now, m->came, "added");
    comparison_tell_renamed(c, table);
    if (contents_tables[table].ordered)
        tell_order(c, table);
}

/* --- All of it --- */

static void compare_models(comparison *c)
{
    static const contents_id rest[] = {CONTENTS_BODIES, CONTENTS_JOINTS, CONTENTS_SOFT_BODIES};
    for (int i = 0; i < CONTENTS_GROUPS; i++)
        match(c, (contents_id)i);
    match(c, CONTENTS_LINKS);
    if (c->failed)
        return;
    comparison_items(c, CONTENTS_MATERIALS);
    comparison_mesh(c);
    if (!c->failed)
        comparison_items(c, CONTENTS_BONES);
    if (!c->failed && knows_links(c)) /* those that are new or gone are told by their bones */
        tell_changed_items(c, CONTENTS_LINKS);
    if (!c->failed)
        comparison_morphs(c);
    for (size_t i = 0; i < sizeof rest / sizeof *rest && !c->failed; i++)
        comparison_items(c, rest[i]);
}

/* Counts the rows of a table, and those that both sides have: of tracks, those with the same keys. */
static void count_alike(comparison *c, contents_id table, uint64_t *all, uint64_t *same)
{
    const uint32_t was = c->was->tables[table].count, now = c->now->tables[table].count;
    match(c, table);
    *all += was > now ? was : now;
    for (uint32_t i = 0; i < now && !c->failed; i++) {
        const uint32_t came = c->rows[table].came[i];
        *same +=
            came && (table != CONTENTS_TRACKS || (comparison_knows(c, table, TRACK_HASH) &&
                                                  comparison_same_field(c, table, TRACK_HASH, came - 1, i)));
    }
}

bool contents_alike(const contents *a, const contents *b)
{
    comparison c = {.was = a, .now = b};
    uint64_t all = 0, same = 0;
    if (a->is_motion != b->is_motion)
        return false;
    if (a->is_motion)
        count_alike(&c, CONTENTS_TRACKS, &all, &same);
    for (int i = CONTENTS_MATERIALS; i < CONTENTS_GROUPS && !a->is_motion && !c.failed; i++)
        count_alike(&c, (contents_id)i, &all, &same);
    mmd_arena_finish(&c.arena);
    return !c.failed && 2 * same >= all;
}

/* Tells the causes, the most important first, and how many are not told. */
static void tell_causes(comparison *c, contents_tell *tell)
{
    const uint32_t kept = c->count < CAUSES_MOST ? c->count : CAUSES_MOST;
    const uint32_t told = c->count > CAUSES_TOLD ? CAUSES_TOLD - 1 : c->count;
    unsigned aspects = 0;
    phrase more = {0};
    qsort(c->causes, kept, sizeof *c->causes, compare_causes);
    for (uint32_t i = 0; i < told; i++)
        tell(c->user, c->causes[i].aspects, c->causes[i].words.text);
    for (uint32_t i = told; i < kept; i++)
        aspects |= c->causes[i].aspects;
    if (c->count > told) {
        phrase_add(&more, "and ");
        phrase_add_counted(&more, c->count - told, "more difference", "more differences");
        tell(c->user, aspects, more.text);
    }
}

size_t contents_compare(const contents *was, const contents *now, contents_tell *tell, contents_weigh *weigh,
                        void *user)
{
    comparison c = {.was = was, .now = now, .weigh = weigh, .user = user};
    if (was->is_motion != now->is_motion)
        return 0;
    c.causes = comparison_take(&c, CAUSES_MOST, sizeof *c.causes);
    if (!c.failed && was->is_motion) {
        match(&c, CONTENTS_TRACKS);
        if (!c.failed)
            comparison_tracks(&c);
    } else if (!c.failed) {
        compare_models(&c);
    }
    const size_t count = c.failed ? 0 : c.count;
    if (!c.failed)
        tell_causes(&c, tell);
    mmd_arena_finish(&c.arena);
    return count;
}
