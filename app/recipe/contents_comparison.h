/*
 * What the files that compare contents share: a comparison with its matched rows and its causes, and
 * sentences. contents_compare.c compares items and their fields, contents_compare_mesh.c vertices and morphs,
 * contents_compare_motion.c tracks.
 */
#ifndef ODORI_CONTENTS_COMPARISON_H
#define ODORI_CONTENTS_COMPARISON_H

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

/* Appends to a phrase, which never is cut within a character. */
void phrase_add(phrase *p, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* Appends the name of an item, shortened and in a single line. */
void phrase_add_name(phrase *p, const char *name);

/* Appends a number with commas: "3,625". */
void phrase_add_number(phrase *p, uint64_t number);

/* Appends a number and its noun: "1 vertex". */
void phrase_add_counted(phrase *p, uint64_t number, const char *one, const char *many);

/* Appends the names of marked rows: "a, b and 4 more". */
void phrase_add_names(phrase *p, const contents *side, contents_id table, const bool *marked);

/* Appends a field that differs, with its values where they are known. */
void phrase_add_field(phrase *p, const comparison *c, contents_id table, uint32_t column, uint32_t was,
                      uint32_t now);

/* Returns zeroed memory for the time of the comparison, of at least one element. NULL: out of memory, which
 * fails the comparison. */
void *comparison_take(comparison *c, size_t count, size_t size);

/* Adds a cause. weight ranks it, 0 for none. */
void comparison_tell(comparison *c, const phrase *words, unsigned aspects, double weight);

/* Returns the weight of a name in the difference of the pictures. */
double comparison_weight(const comparison *c, contents_id table, const char *name);

/* Returns whether both sides know a column. */
bool comparison_knows(const comparison *c, contents_id table, uint32_t column);

/* Returns whether both sides know the rows of a table. Of a table without rows, nothing is unknown. */
bool comparison_knows_rows(const comparison *c, contents_id table);

/* Returns whether two rows have the same in a column. */
bool comparison_same_field(const comparison *c, contents_id table, uint32_t column, uint32_t was,
                           uint32_t now);

/* Tells the rows that only one side has. verb: what happened to them. */
void comparison_tell_only(comparison *c, contents_id table, const contents *side, const uint32_t *joined,
                          const char *verb);

/* Tells items that have another name now. */
void comparison_tell_renamed(comparison *c, contents_id table);

/* Tells a table of which one side knows only the number of rows and a hash. */
void comparison_tell_table(comparison *c, contents_id table);

/* Compares a table of items field by field. */
void comparison_items(comparison *c, contents_id table);

/* Compares vertices one by one where both sides have as many of them, else by materials and groups. */
void comparison_mesh(comparison *c);

/* Compares morphs and their offsets. */
void comparison_morphs(comparison *c);

/* Compares the tracks of motions and their keys. */
void comparison_tracks(comparison *c);

#endif
