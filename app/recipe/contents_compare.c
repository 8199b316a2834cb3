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

#include "contents_internal.h"
#include "provenance_compare.h"

/* How many items one sentence each, fields of an item, and items of a sentence are told; the number of
 * causes. */
enum { ITEMS_APART = 6, FIELDS_TOLD = 4, NAMED = 3, CAUSES_MOST = 64, CAUSES_TOLD = 16, NAME_SHOWN = 96 };

typedef struct phrase {
    char text[PROVENANCE_SENTENCE_MAX - 64];
    size_t size;
} phrase;

typedef struct cause {
    phrase words;
    unsigned aspects;
    double weight;
    uint32_t order;
} cause;

/* Where the rows of a table went, and came from: 1 + row, or 0. */
typedef struct matching {
    uint32_t *went, *came;
} matching;

typedef struct comparison {
    const contents *was, *now;
    matching rows[CONTENTS_TABLES];
    contents_weigh *weigh;
    void *user;
    cause *causes;
    uint32_t count; /* of all causes, of which CAUSES_MOST are kept */
    bool failed;    /* out of memory */
    mmd_arena arena;
} comparison;

/* --- Sentences --- */

static void add(phrase *p, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends to a phrase, which never is cut within a character. */
static void add(phrase *p, const char *format, ...)
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

static void add_name(phrase *p, const char *name)
{
    char text[NAME_SHOWN + 8];
    add(p, "%s", shown(name, text));
}

/* Appends a number with commas: "3,625". */
static void add_number(phrase *p, uint64_t number)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < length; i++)
        add(p, "%s%c", i && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

static void add_counted(phrase *p, uint64_t number, const char *one, const char *many)
{
    add_number(p, number);
    add(p, " %s", number == 1 ? one : many);
}

static double weight_of(const comparison *c, contents_id table, const char *name)
{
    return c->weigh ? c->weigh(c->user, table, name) : 0;
}

static void add_cause(comparison *c, const phrase *words, unsigned aspects, double weight)
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

static void *take(comparison *c, size_t count, size_t size)
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

/* Lists the rows of one side that have no counterpart yet, by name or by contents. */
static uint32_t list_rows(comparison *c, const contents *side, contents_id table, const uint32_t *joined,
                          bool by_contents, named_row *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < side->tables[table].count; i++)
        if (!joined[i])
            rows[count++] = by_contents ? (named_row){NULL, content_hash(c, side, table, i), i}
                                        : (named_row){contents_name(side, table, i), 0, i};
    qsort(rows, count, sizeof *rows, by_name);
    return count;
}

/* Matches the rows of a table that has names. */
static void match(comparison *c, contents_id table)
{
    matching *m = &c->rows[table];
    const uint32_t was_count = c->was->tables[table].count, now_count = c->now->tables[table].count;
    m->went = take(c, was_count, sizeof *m->went);
    m->came = take(c, now_count, sizeof *m->came);
    named_row *was = take(c, was_count, sizeof *was), *now = take(c, now_count, sizeof *now);
    const bool has_rows = c->was->tables[table].has_rows && c->now->tables[table].has_rows;
    for (int pass = 0; pass < (table == CONTENTS_TEXTURES ? 1 : 2) && has_rows && !c->failed; pass++)
        join(m, was, list_rows(c, c->was, table, m->went, pass == 1, was), now,
             list_rows(c, c->now, table, m->came, pass == 1, now));
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

static bool same_field(const comparison *c, contents_id table, uint32_t column, uint32_t was, uint32_t now)
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

static bool knows(const comparison *c, contents_id table, uint32_t column)
{
    return contents_has(c->was, table, column) && contents_has(c->now, table, column);
}

/* Returns the set of fields of two rows that differ, without those that sentences tell apart. */
static uint32_t changed_fields(const comparison *c, contents_id table, uint32_t was, uint32_t now)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && contents_tables[table].columns[i].words; i++) {
        const contents_cell cell = contents_tables[table].columns[i].cell;
        if (cell != CELL_VERTEX && cell != CELL_OFFSET && cell != CELL_SPAN && knows(c, table, i) &&
            !same_field(c, table, i, was, now))
            set |= 1u << i;
    }
    return set;
}

static void add_float(phrase *p, uint32_t bits, bool is_angle, int digits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    add(p, "%.*g%s", digits, is_angle ? (double)value * (180 / 3.14159265358979323846) : (double)value,
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
            add(p, ", ");
        for (named = 0; field->cell == CELL_CHOICE && field->names[named] && named < value;)
            named++;
        if (field->cell == CELL_FLOAT || field->cell == CELL_ANGLE)
            add_float(p, value, field->cell == CELL_ANGLE, digits);
        else if (field->cell == CELL_CHOICE && field->names[named])
            add(p, "%s", field->names[named]);
        else if (field->cell == CELL_ITEM && value)
            add_name(p, contents_name(side, field->of, value - 1));
        else if (field->cell == CELL_ITEM)
            add(p, "none");
        else
            add(p, "%d", (int32_t)value);
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
    add(p, "%s → %s", a.text, b.text);
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
        add(p, "%s%s %s → %s", some ? ", " : "", names[i], a >> i & 1 ? "on" : "off",
            b >> i & 1 ? "on" : "off");
        some = true;
    }
    if (!some)
        add(p, "flags");
}

/* Appends a field that differs, with its values where they are known. */
static void add_field(phrase *p, const comparison *c, contents_id table, uint32_t column, uint32_t was,
                      uint32_t now)
{
    const contents_column *field = &contents_tables[table].columns[column];
    if (field->cell == CELL_FLAGS) {
        add_flags(p, c, table, column, was, now);
        return;
    }
    add(p, "%s", field->words);
    if (field->cell == CELL_HASH || field->cell == CELL_SHORT)
        return;
    add(p, " ");
    add_change(p, c, table, column, was, now);
}

/* --- Items --- */

/* Returns the weight of an item: that of its name, or of the name of a bone that it belongs to. */
static double item_weight(const comparison *c, contents_id table, uint32_t row)
{
    double weight = weight_of(c, table, contents_name(c->now, table, row));
    if (table == CONTENTS_BODIES && contents_has(c->now, table, 0)) {
        const uint32_t bone = contents_value(c->now, table, row, 0, 0);
        const double other =
            bone ? weight_of(c, CONTENTS_BONES, contents_name(c->now, CONTENTS_BONES, bone - 1)) : 0;
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
    add(&p, "%s ", contents_tables[table].one);
    add_name(&p, contents_name(c->now, table, now));
    for (uint32_t i = 0; i < CONTENTS_COLUMNS; i++) {
        if (!(set >> i & 1))
            continue;
        aspects |= contents_tables[table].columns[i].aspects;
        if (told == FIELDS_TOLD) {
            left++;
            continue;
        }
        add(&p, told++ ? ", " : ": ");
        add_field(&p, c, table, i, was, now);
    }
    if (left)
        add(&p, " and %u more", left);
    if (!set)
        add(&p, " has changed");
    add_cause(c, &p, aspects, item_weight(c, table, now));
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
    add(&p, "%s of ", words->columns[column].words);
    add_counted(&p, count, words->one, words->many);
    for (uint32_t i = 0; i < c->now->tables[table].count && told < 2; i++) {
        if (!(sets[i] >> column & 1))
            continue;
        const contents_cell cell = words->columns[column].cell;
        add(&p, told++ ? ", " : " (");
        add_name(&p, contents_name(c->now, table, i));
        if (cell != CELL_HASH && cell != CELL_SHORT)
            add(&p, ": ");
        if (cell == CELL_FLAGS)
            add_flags(&p, c, table, column, c->rows[table].came[i] - 1, i);
        else if (cell != CELL_HASH && cell != CELL_SHORT)
            add_change(&p, c, table, column, c->rows[table].came[i] - 1, i);
        weight = fmax(weight, item_weight(c, table, i));
    }
    add(&p, count > told ? ", ...)" : ")");
    add_cause(c, &p, words->columns[column].aspects, weight);
}

/* Appends names of rows: "a, b, c and 4 more", those with a mark. */
static void add_names(phrase *p, const contents *side, contents_id table, const bool *marked)
{
    uint32_t count = 0, told = 0;
    for (uint32_t i = 0; i < side->tables[table].count; i++)
        count += marked[i];
    const uint32_t named = count > NAMED ? NAMED - 1 : count;
    for (uint32_t i = 0; i < side->tables[table].count && told < named; i++) {
        if (!marked[i])
            continue;
        add(p, "%s", told == 0 ? "" : told + 1 == count ? " and " : ", ");
        add_name(p, contents_name(side, table, i));
        told++;
    }
    if (count > named) {
        add(p, " and ");
        add_number(p, count - named);
        add(p, " more");
    }
}

/* Tells the rows that only one side has. */
static void tell_only(comparison *c, contents_id table, const contents *side, const uint32_t *joined,
                      const char *verb)
{
    phrase p = {0};
    const contents_words *words = &contents_tables[table];
    uint32_t count = 0;
    bool *marked = take(c, side->tables[table].count, sizeof *marked);
    for (uint32_t i = 0; i < side->tables[table].count && marked; i++)
        count += marked[i] = !joined[i];
    if (!count)
        return;
    if (count > 1)
        add_number(&p, count);
    add(&p, "%s%s ", count > 1 ? " " : "", count > 1 ? words->many : words->one);
    add(&p, count > 1 ? "%s: " : "", verb);
    add_names(&p, side, table, marked);
    if (count == 1)
        add(&p, " was %s", verb);
    add_cause(c, &p, words->aspects, 0);
}

/* Returns the name of an item without the letter of its kind that tracks have. */
static const char *bare_name(const contents *side, contents_id table, uint32_t row)
{
    const char *name = contents_name(side, table, row);
    return name + (table == CONTENTS_TRACKS && *name);
}

/* Tells items that have another name now. */
static void tell_renamed(comparison *c, contents_id table)
{
    uint32_t count = 0;
    phrase p = {0};
    for (uint32_t i = 0; i < c->now->tables[table].count; i++) {
        const uint32_t was = c->rows[table].came[i];
        if (!was || strcmp(contents_name(c->was, table, was - 1), contents_name(c->now, table, i)) == 0)
            continue;
        if (count++ < NAMED) {
            add(&p, "%s%s ", count > 1 ? ", " : "", contents_tables[table].one);
            add_name(&p, bare_name(c->was, table, was - 1));
            add(&p, " is called ");
            add_name(&p, bare_name(c->now, table, i));
        }
    }
    if (count > NAMED)
        add(&p, " and %u more %s have other names", count - NAMED, contents_tables[table].many);
    if (count)
        add_cause(c, &p, contents_tables[table].aspects, 0);
}

/* Marks the rows that moved among the others: all but a longest part that kept its order. */
static uint32_t mark_moved(comparison *c, contents_id table, bool *moved)
{
    const uint32_t count = c->now->tables[table].count;
    const uint32_t *came = c->rows[table].came;
    uint32_t *ends = take(c, count, sizeof *ends), *before = take(c, count, sizeof *before), length = 0,
             all = 0;
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
    bool *moved = take(c, c->now->tables[table].count, sizeof *moved);
    const uint32_t count = c->failed ? 0 : mark_moved(c, table, moved);
    if (!count)
        return;
    add(&p, "the %s are in another order: ", contents_tables[table].many);
    add_names(&p, c->now, table, moved);
    add(&p, " moved");
    add_cause(c, &p, contents_tables[table].aspects, 0);
}

/* Tells a table of which one side knows only the number of rows and a hash. */
static void tell_whole_table(comparison *c, contents_id table)
{
    const uint32_t was = c->was->tables[table].count, now = c->now->tables[table].count;
    const contents_words *words = &contents_tables[table];
    phrase p = {0};
    if (was == now && contents_table_hash(c->was, table) == contents_table_hash(c->now, table))
        return;
    add(&p, "%s", words->many);
    if (was != now) {
        add(&p, ": ");
        add_number(&p, was);
        add(&p, " → ");
        add_number(&p, now);
    } else {
        add(&p, " have changed");
    }
    add_cause(c, &p, words->aspects, 0);
}

/* Returns whether both sides know the rows of a table. Of a table without rows, nothing is unknown. */
static bool knows_rows(const comparison *c, contents_id table)
{
    const contents_table *was = &c->was->tables[table], *now = &c->now->tables[table];
    return (was->has_rows || !was->count) && (now->has_rows || !now->count);
}

/* Compares a table of items field by field. Fields of morphs and tracks are told elsewhere. */
static void compare_items(comparison *c, contents_id table)
{
    const matching *m = &c->rows[table];
    if (!knows_rows(c, table)) {
        tell_whole_table(c, table);
        return;
    }
    const bool by_hash = c->was->tables[table].rows || c->now->tables[table].rows;
    const uint32_t count = c->now->tables[table].count;
    uint32_t *sets = take(c, count, sizeof *sets), changed = 0;
    bool *differs = take(c, count, sizeof *differs);
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
    tell_only(c, table, c->was, m->went, "removed");
    tell_only(c, table, c->now, m->came, "added");
    tell_renamed(c, table);
    if (contents_tables[table].ordered)
        tell_order(c, table);
}

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
    add(&p, "%s of %s", what, sum->bounds);
    add_counted(&p, sum->count, "vertex", "vertices");
    if (sum->items == CONTENTS_BONES)
        add(&p, items ? " under " : "");
    else
        add(&p, items == 0 ? "" : items == 1 ? " in material " : " in materials ");
    const uint32_t named = items > NAMED ? NAMED - 1 : items;
    for (; told < named; told++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < rows; i++)
            most = sum->by_item[i] > sum->by_item[most] ? i : most;
        add(&p, "%s", told == 0 ? "" : told + 1 == items ? " and " : ", ");
        add_name(&p, contents_name(c->now, sum->items, most));
        weight = fmax(weight, weight_of(c, sum->items, contents_name(c->now, sum->items, most)));
        sum->by_item[most] = 0;
    }
    if (items > named)
        add(&p, " and %u more%s", items - named, sum->items == CONTENTS_BONES ? " bones" : "");
    add_cause(c, &p, aspects, weight);
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
    group_row *rows = take(c, side->tables[CONTENTS_GROUPS].count, sizeof *rows);
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
    m->went = take(c, was_count, sizeof *m->went);
    m->came = take(c, now_count, sizeof *m->came);
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
    } else if (!same_field(c, CONTENTS_GROUPS, GROUP_WEIGHTS, was, now) ||
               (same_places && !same_field(c, CONTENTS_GROUPS, GROUP_PLACES, was, now))) {
        sum->count += b;
        *exact = false;
        add_to_bones(c, sum, c->now, now, b);
    }
}

/* Tells the weights that differ by the groups alone, where vertices are not known one by one. */
static void compare_groups(comparison *c, bool same_places)
{
    vertex_sum sum = {.items = CONTENTS_BONES,
                      .by_item = take(c, c->now->tables[CONTENTS_BONES].count, sizeof *sum.by_item)};
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
        vertex_sum sum = {
            .bounds = "up to ", .items = CONTENTS_MATERIALS, .by_item = take(c, count, sizeof *sum.by_item)};
        for (uint32_t i = 0; i < count && !c->failed && knows(c, CONTENTS_MATERIALS, columns[k]); i++) {
            const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
            if (!came || !same_field(c, CONTENTS_MATERIALS, MATERIAL_VERTICES, came - 1, i) ||
                same_field(c, CONTENTS_MATERIALS, columns[k], came - 1, i))
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

/* Tells the materials whose triangles join other vertices. */
static void compare_corners(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_MATERIALS].count;
    bool *marked = take(c, count, sizeof *marked);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && marked && knows(c, CONTENTS_MATERIALS, MATERIAL_CORNERS); i++) {
        const uint32_t came = c->rows[CONTENTS_MATERIALS].came[i];
        marked[i] = came && same_field(c, CONTENTS_MATERIALS, MATERIAL_TRIANGLES, came - 1, i) &&
                    !same_field(c, CONTENTS_MATERIALS, MATERIAL_CORNERS, came - 1, i);
        found += marked[i];
    }
    phrase p = {0};
    add(&p, "triangles of material%s ", found == 1 ? "" : "s");
    if (!found)
        return;
    add_names(&p, c->now, CONTENTS_MATERIALS, marked);
    add(&p, " join other vertices, or are in another order");
    add_cause(c, &p, PROVENANCE_POSE | PROVENANCE_COLOR, 0);
}

/* Tells how vertices differ that both sides know one by one. */
static void compare_vertices(comparison *c)
{
    static const uint8_t columns[] = {VERTEX_WEIGHTS, VERTEX_POSITION, VERTEX_NORMAL, VERTEX_UV, VERTEX_EDGE};
    const uint32_t count = c->now->tables[CONTENTS_VERTICES].count;
    for (size_t k = 0; k < sizeof columns && !c->failed; k++) {
        const bool weights = columns[k] == VERTEX_WEIGHTS;
        vertex_sum sum = {.bounds = "", .items = weights ? CONTENTS_BONES : CONTENTS_MATERIALS};
        sum.by_item = take(c, c->now->tables[sum.items].count, sizeof *sum.by_item);
        for (uint32_t i = 0; i < count && !c->failed; i++) {
            const uint32_t material = contents_value(c->now, CONTENTS_VERTICES, i, VERTEX_MATERIAL, 0),
                           group = contents_value(c->now, CONTENTS_VERTICES, i, VERTEX_GROUP, 0);
            if (same_field(c, CONTENTS_VERTICES, columns[k], i, i) &&
                (!weights || same_field(c, CONTENTS_VERTICES, VERTEX_GROUP, i, i)))
                continue;
            sum.count++;
            if (weights && group)
                add_to_bones(c, &sum, c->now, group - 1, 1);
            else if (!weights && material)
                sum.by_item[material - 1]++;
        }
        const contents_column *column = &contents_tables[CONTENTS_VERTICES].columns[columns[k]];
        if (!c->failed)
            tell_vertices(c, column->words, column->aspects, &sum);
    }
}

/* Compares vertices one by one where both sides have as many of them, else by materials and groups. */
static void compare_mesh(comparison *c)
{
    const bool groups = knows_rows(c, CONTENTS_GROUPS) && knows_rows(c, CONTENTS_BONES),
               materials = knows_rows(c, CONTENTS_MATERIALS);
    if (groups)
        match_groups(c);
    if (c->failed)
        return;
    const contents_table *was = &c->was->tables[CONTENTS_VERTICES], *now = &c->now->tables[CONTENTS_VERTICES];
    bool same_places = false,
         one_by_one = was->count == now->count && was->has_rows && now->has_rows && groups;
    for (uint32_t i = 0; i <= VERTEX_WEIGHTS && one_by_one; i++)
        one_by_one = knows(c, CONTENTS_VERTICES, i);
    if (one_by_one) {
        compare_vertices(c);
    } else {
        if (materials)
            same_places = compare_surfaces(c);
        bool known = groups;
        for (uint32_t i = 0; i <= GROUP_PLACES && known; i++)
            known = (contents_has(c->was, CONTENTS_GROUPS, i) || !c->was->tables[CONTENTS_GROUPS].count) &&
                    (contents_has(c->now, CONTENTS_GROUPS, i) || !c->now->tables[CONTENTS_GROUPS].count);
        if (known && c->was->tables[CONTENTS_GROUPS].count && c->now->tables[CONTENTS_GROUPS].count)
            compare_groups(c, same_places);
        else if (!known &&
                 contents_table_hash(c->was, CONTENTS_GROUPS) != contents_table_hash(c->now, CONTENTS_GROUPS))
            add_cause(c, &(phrase){"weights of vertices", 19}, PROVENANCE_POSE, 0);
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
    offset_row *rows = *result = take(c, all, sizeof *rows);
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
        if (!knows(c, CONTENTS_OFFSETS, i))
            return NULL;
    offset_row *was, *now;
    uint32_t *counts = take(c, c->now->tables[CONTENTS_MORPHS].count, sizeof *counts);
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
    add(&p, "morph ");
    add_name(&p, contents_name(c->now, CONTENTS_MORPHS, now));
    add(&p, ": ");
    if (!same_kind) {
        add_field(&p, c, CONTENTS_MORPHS, MORPH_KIND, was, now);
    } else if (a != b) {
        add_number(&p, a);
        add(&p, " → ");
        add_counted(&p, b, offset_noun(kind, true), offset_noun(kind, false));
    } else {
        if (counts && counts[now])
            add_number(&p, counts[now]);
        else
            add(&p, "some");
        add(&p, " of %s", counts && counts[now] ? "" : "its ");
        add_counted(&p, b, offset_noun(kind, true), offset_noun(kind, false));
    }
    const bool look = kind == MMD_MORPH_MATERIAL || (kind >= MMD_MORPH_UV && kind < MMD_MORPH_MATERIAL);
    add_cause(c, &p, look ? PROVENANCE_COLOR : PROVENANCE_POSE,
              weight_of(c, CONTENTS_MORPHS, contents_name(c->now, CONTENTS_MORPHS, now)));
}

static void compare_morphs(comparison *c)
{
    const uint32_t count = c->now->tables[CONTENTS_MORPHS].count;
    bool known = true;
    for (uint32_t i = 0; i <= MORPH_BY_PLACE; i++)
        known = known && knows(c, CONTENTS_MORPHS, i);
    if (!known || c->failed) {
        compare_items(c, CONTENTS_MORPHS);
        return;
    }
    bool *marked = take(c, count, sizeof *marked);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && marked; i++) {
        const uint32_t came = c->rows[CONTENTS_MORPHS].came[i];
        marked[i] = came && (!same_field(c, CONTENTS_MORPHS, MORPH_KIND, came - 1, i) ||
                             !same_field(c, CONTENTS_MORPHS, MORPH_OFFSETS, came - 1, i) ||
                             (!same_field(c, CONTENTS_MORPHS, MORPH_BY_NUMBER, came - 1, i) &&
                              !same_field(c, CONTENTS_MORPHS, MORPH_BY_PLACE, came - 1, i)));
        found += marked[i];
    }
    const uint32_t *counts = found ? count_offsets(c) : NULL;
    for (uint32_t i = 0; i < count && found <= ITEMS_APART && !c->failed; i++)
        if (marked[i])
            tell_morph(c, c->rows[CONTENTS_MORPHS].came[i] - 1, i, counts);
    if (found > ITEMS_APART && !c->failed) {
        phrase p = {0};
        add_counted(&p, found, "morph", "morphs");
        add(&p, " have other offsets: ");
        add_names(&p, c->now, CONTENTS_MORPHS, marked);
        add_cause(c, &p, contents_tables[CONTENTS_MORPHS].aspects, 0);
    }
    tell_only(c, CONTENTS_MORPHS, c->was, c->rows[CONTENTS_MORPHS].went, "removed");
    tell_only(c, CONTENTS_MORPHS, c->now, c->rows[CONTENTS_MORPHS].came, "added");
    tell_renamed(c, CONTENTS_MORPHS);
}

/* --- Motions --- */

typedef struct key_row {
    uint32_t track; /* of the new side, or after its tracks that of the old one */
    uint32_t block, count, hash;
} key_row;

/* The keys of a track that differ. */
typedef struct track_sum {
    uint32_t track, span;
    bool differs;
    uint64_t keys;
    uint64_t first, last; /* frames */
} track_sum;

static int by_block(const void *a, const void *b)
{
    const key_row *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static int by_keys(const void *a, const void *b)
{
    const track_sum *x = a, *y = b;
    if (x->keys != y->keys)
        return x->keys > y->keys ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

/* Returns the span of a track on one side; 0 for none. */
static uint32_t span_of(const contents *side, uint32_t row)
{
    return contents_has(side, CONTENTS_TRACKS, TRACK_SPAN)
               ? contents_value(side, CONTENTS_TRACKS, row, TRACK_SPAN, 0)
               : 0;
}

/* Lists the keys of one side in blocks of the longer span of both sides, sorted. Returns their number. */
static uint32_t list_keys(comparison *c, const contents *side, const track_sum *sums, key_row **result)
{
    const uint32_t all = side->tables[CONTENTS_KEYS].count, tracks = c->now->tables[CONTENTS_TRACKS].count;
    key_row *rows = *result = take(c, all, sizeof *rows);
    uint32_t count = 0, merged = 0;
    for (uint32_t i = 0; i < all && rows; i++) {
        uint32_t track = contents_value(side, CONTENTS_KEYS, i, KEY_TRACK, 0);
        if (!track)
            continue;
        const uint32_t span = span_of(side, --track);
        if (side == c->was)
            track = c->rows[CONTENTS_TRACKS].went[track] ? c->rows[CONTENTS_TRACKS].went[track] - 1
                                                         : tracks + track;
        rows[count++] = (key_row){
            track, contents_value(side, CONTENTS_KEYS, i, KEY_BLOCK, 0) >> (sums[track].span - span),
            contents_value(side, CONTENTS_KEYS, i, KEY_COUNT, 0),
            contents_value(side, CONTENTS_KEYS, i, KEY_HASH, 0)};
    }
    if (count)
        qsort(rows, count, sizeof *rows, by_block);
    for (uint32_t i = 0; i < count; i++)
        if (merged && by_block(&rows[merged - 1], &rows[i]) == 0) {
            rows[merged - 1].count += rows[i].count;
            rows[merged - 1].hash = (rows[merged - 1].hash + rows[i].hash) & 0xffff;
        } else {
            rows[merged++] = rows[i];
        }
    return merged;
}

/* Adds the keys that differ to their tracks. */
static void sum_keys(comparison *c, track_sum *sums)
{
    key_row *was, *now;
    const uint32_t was_count = list_keys(c, c->was, sums, &was), now_count = list_keys(c, c->now, sums, &now);
    for (uint32_t i = 0, k = 0; (i < was_count || k < now_count) && !c->failed;) {
        const int order = i == was_count ? 1 : k == now_count ? -1 : by_block(&was[i], &now[k]);
        const key_row *row = order <= 0 ? &was[i] : &now[k];
        if (order != 0 || was[i].hash != now[k].hash || was[i].count != now[k].count) {
            track_sum *sum = &sums[row->track];
            const uint64_t first = (uint64_t)row->block << sum->span,
                           last = first + (UINT64_C(1) << sum->span) - 1;
            sum->first = sum->keys && sum->first < first ? sum->first : first;
            sum->last = sum->keys && sum->last > last ? sum->last : last;
            sum->keys += order == 0 && now[k].count > row->count ? now[k].count : row->count;
            sum->differs = true;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

/* Appends what a track moves: "右足ＩＫ", "the camera". */
static void add_track(phrase *p, const char *name)
{
    static const struct {
        contents_track kind;
        const char *words;
        bool named;
    } kinds[] = {{TRACK_BONE, "", true},
                 {TRACK_MORPH, "morph ", true},
                 {TRACK_CAMERA, "the camera", false},
                 {TRACK_LIGHT, "the light", false},
                 {TRACK_SHADOW, "self shadow", false},
                 {TRACK_VISIBLE, "visibility", false},
                 {TRACK_IK, "the IK switch of ", true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (*name == (char)kinds[i].kind) {
            add(p, "%s", kinds[i].words);
            if (kinds[i].named)
                add_name(p, name + 1);
            return;
        }
    add_name(p, name);
}

static unsigned track_aspects(const char *name)
{
    return *name == TRACK_LIGHT    ? PROVENANCE_LIGHT
           : *name == TRACK_SHADOW ? PROVENANCE_COLOR
                                   : PROVENANCE_POSE;
}

static void add_frames(phrase *p, uint64_t first, uint64_t last)
{
    if (first == last)
        add(p, " at %llu", (unsigned long long)first);
    else
        add(p, " between %llu and %llu", (unsigned long long)first, (unsigned long long)last);
}

/* Tells "motion: 14 keys of 右足ＩＫ between 120 and 180", or that the track is new or gone. */
static void tell_track(comparison *c, const track_sum *sum)
{
    phrase p = {0};
    const uint32_t tracks = c->now->tables[CONTENTS_TRACKS].count;
    const bool gone = sum->track >= tracks, added = !gone && !c->rows[CONTENTS_TRACKS].came[sum->track];
    const contents *side = gone ? c->was : c->now;
    const uint32_t row = gone ? sum->track - tracks : sum->track;
    const char *name = contents_name(side, CONTENTS_TRACKS, row);
    add(&p, "motion: ");
    if (sum->keys) {
        add(&p, "%s", sum->span == 0 || gone || added ? "" : "up to ");
        add_counted(&p, sum->keys, "key", "keys");
    } else {
        add(&p, "keys");
    }
    add(&p, " of ");
    add_track(&p, name);
    if (sum->keys)
        add_frames(&p, sum->first, sum->last);
    add(&p, "%s", gone ? ", removed" : added ? ", added" : "");
    add_cause(c, &p, track_aspects(name), *name == TRACK_BONE ? weight_of(c, CONTENTS_BONES, name + 1) : 0);
}

/* Narrows the frames of a track down to those that it has keys at. */
static void clip_frames(const comparison *c, track_sum *sum)
{
    const uint32_t tracks = c->now->tables[CONTENTS_TRACKS].count;
    const bool gone = sum->track >= tracks;
    const uint32_t came = gone ? sum->track - tracks + 1 : c->rows[CONTENTS_TRACKS].came[sum->track];
    uint64_t first = UINT64_MAX, last = 0;
    for (int i = 0; i < 2; i++) {
        const contents *side = i ? c->now : c->was;
        const uint32_t row = i ? (gone ? 0 : sum->track + 1) : came;
        if (!row || !contents_has(side, CONTENTS_TRACKS, TRACK_LAST))
            continue;
        const uint64_t from = contents_value(side, CONTENTS_TRACKS, row - 1, TRACK_FIRST, 0),
                       to = contents_value(side, CONTENTS_TRACKS, row - 1, TRACK_LAST, 0);
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    if (first <= last) {
        sum->first = sum->first < first ? first : sum->first;
        sum->last = sum->last > last ? last : sum->last;
    }
}

/* Tells the tracks that differ, those with most keys apart and the others together. */
static void tell_tracks(comparison *c, track_sum *sums, uint32_t count)
{
    qsort(sums, count, sizeof *sums, by_keys);
    track_sum rest = {0};
    uint32_t told = 0, left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!sums[i].differs)
            continue;
        if (told < ITEMS_APART) {
            told++;
            tell_track(c, &sums[i]);
            continue;
        }
        rest.first = left && rest.first < sums[i].first ? rest.first : sums[i].first;
        rest.last = left && rest.last > sums[i].last ? rest.last : sums[i].last;
        rest.keys += sums[i].keys;
        rest.span |= sums[i].span;
        left++;
    }
    if (!left)
        return;
    phrase p = {0};
    add(&p, "motion: %s", rest.span ? "up to " : "");
    add_counted(&p, rest.keys, "key", "keys");
    add(&p, " of ");
    add_counted(&p, left, "more track", "more tracks");
    add_frames(&p, rest.first, rest.last);
    add_cause(c, &p, PROVENANCE_POSE, 0);
}

static void compare_tracks(comparison *c)
{
    const uint32_t was_count = c->was->tables[CONTENTS_TRACKS].count,
                   now_count = c->now->tables[CONTENTS_TRACKS].count;
    if (!knows_rows(c, CONTENTS_TRACKS)) {
        tell_whole_table(c, CONTENTS_TRACKS);
        return;
    }
    track_sum *sums = take(c, (size_t)was_count + now_count, sizeof *sums);
    bool known = knows_rows(c, CONTENTS_KEYS), hashed = knows(c, CONTENTS_TRACKS, TRACK_HASH);
    for (uint32_t i = 0; i <= KEY_HASH && known; i++)
        known = (contents_has(c->was, CONTENTS_KEYS, i) || !c->was->tables[CONTENTS_KEYS].count) &&
                (contents_has(c->now, CONTENTS_KEYS, i) || !c->now->tables[CONTENTS_KEYS].count);
    if (c->failed)
        return;
    const bool by_row =
        contents_has_row_hash(c->was, CONTENTS_TRACKS) && contents_has_row_hash(c->now, CONTENTS_TRACKS);
    for (uint32_t i = 0; i < was_count + now_count; i++) {
        sums[i].track = i;
        const uint32_t came = i < now_count ? c->rows[CONTENTS_TRACKS].came[i] : i - now_count + 1;
        const uint32_t before = came ? span_of(c->was, came - 1) : 0;
        sums[i].span = i < now_count && span_of(c->now, i) > before ? span_of(c->now, i) : before;
        if (i >= now_count)
            sums[i].differs = !c->rows[CONTENTS_TRACKS].went[i - now_count];
        else if (!came)
            sums[i].differs = true;
        else if (hashed)
            sums[i].differs = !same_field(c, CONTENTS_TRACKS, TRACK_HASH, came - 1, i);
        else if (by_row)
            sums[i].differs = contents_row_hash(c->was, CONTENTS_TRACKS, came - 1) !=
                              contents_row_hash(c->now, CONTENTS_TRACKS, i);
    }
    if (known)
        sum_keys(c, sums);
    for (uint32_t i = 0; i < was_count + now_count && !c->failed; i++)
        if (sums[i].keys)
            clip_frames(c, &sums[i]);
    if (!c->failed)
        tell_tracks(c, sums, was_count + now_count);
    tell_renamed(c, CONTENTS_TRACKS);
}

/* --- All of it --- */

static void compare_models(comparison *c)
{
    static const contents_id rest[] = {CONTENTS_BODIES, CONTENTS_JOINTS, CONTENTS_SOFT_BODIES};
    for (int i = 0; i < CONTENTS_GROUPS; i++)
        match(c, (contents_id)i);
    if (c->failed)
        return;
    compare_items(c, CONTENTS_MATERIALS);
    compare_mesh(c);
    if (!c->failed)
        compare_items(c, CONTENTS_BONES);
    if (!c->failed)
        compare_morphs(c);
    for (size_t i = 0; i < sizeof rest / sizeof *rest && !c->failed; i++)
        compare_items(c, rest[i]);
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
        add(&more, "and ");
        add_counted(&more, c->count - told, "more difference", "more differences");
        tell(c->user, aspects, more.text);
    }
}

size_t contents_compare(const contents *was, const contents *now, contents_tell *tell, contents_weigh *weigh,
                        void *user)
{
    comparison c = {.was = was, .now = now, .weigh = weigh, .user = user};
    if (was->is_motion != now->is_motion)
        return 0;
    c.causes = take(&c, CAUSES_MOST, sizeof *c.causes);
    if (!c.failed && was->is_motion) {
        match(&c, CONTENTS_TRACKS);
        if (!c.failed)
            compare_tracks(&c);
    } else if (!c.failed) {
        compare_models(&c);
    }
    const size_t count = c.failed ? 0 : c.count;
    if (!c.failed)
        tell_causes(&c, tell);
    mmd_arena_finish(&c.arena);
    return count;
}
