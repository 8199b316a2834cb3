/*
 * What an input file holds, item by item, so that two versions of a model or a motion can be compared as a
 * person would: "body hair1_R: linear damping 0.8 → 0.2". Only what pictures depend on is listed: no
 * comments, no English names, no display frames.
 *
 * Contents are tables. A row is an item (a bone, a rigid body, the vertices that hang on the same bones), its
 * cells are 32 bits each: a float, a whole number, flags, a row of another table, or a hash. contents_tables
 * says which. Floats are compared bit by bit; -0 counts as 0.
 *
 * Packed contents are bytes for the text of a picture or for a file, the same on every machine:
 *   version, number of bytes when unpacked (variable length), then compressed by zlib: kind, whole;
 *   for each table its number + 1, the number of rows, the hash of all rows, a set of columns, names that end
 *   with NUL, and column after column: numbers as differences of variable length, others as planes of bytes;
 * 0.
 */
#ifndef ODORI_CONTENTS_H
#define ODORI_CONTENTS_H

#include "mmd/cursor.h"
#include "mmd/model.h"
#include "mmd/motion.h"

typedef enum contents_id {
    CONTENTS_TEXTURES,
    CONTENTS_MATERIALS,
    CONTENTS_BONES,
    CONTENTS_MORPHS,
    CONTENTS_BODIES,
    CONTENTS_JOINTS,
    CONTENTS_SOFT_BODIES,
    CONTENTS_GROUPS,   /* the vertices that hang on the same bones */
    CONTENTS_VERTICES, /* in full detail only, as offsets */
    CONTENTS_OFFSETS,  /* of morphs */
    CONTENTS_TRACKS,   /* of a motion; the first letter of a name is its kind (contents_track) */
    CONTENTS_KEYS,     /* of a track, those within a span of frames together */
    CONTENTS_LINKS,    /* of IK, with their limits; pictures of earlier versions do not have them */
    CONTENTS_TABLES
} contents_id;

typedef enum contents_cell {
    CELL_FLOAT,
    CELL_ANGLE, /* a float in radians */
    CELL_WHOLE, /* with a sign */
    CELL_FLAGS, /* names has the names of the bits */
    CELL_CHOICE,
    CELL_ITEM,   /* 0: none, or 1 + a row of the table `of` */
    CELL_HASH,   /* 32 bits, as the following */
    CELL_SHORT,  /* 16 bits of a hash */
    CELL_SPAN,   /* of the keys of a track: they are listed by 2^span frames. It depends on the detail */
    CELL_VERTEX, /* a hash over the vertices of a material, which sentences tell apart */
    CELL_OFFSET  /* a hash over the offsets of a morph, likewise */
} contents_cell;

/* How much of the contents is kept. */
typedef enum contents_detail {
    CONTENTS_BARE,   /* the number of rows of each table, and a hash of them */
    CONTENTS_COARSE, /* names, and a hash of each row */
    CONTENTS_USUAL,  /* values, too, but vertices and offsets of morphs only by groups */
    CONTENTS_FULL    /* also a hash of each vertex, each offset and each key */
} contents_detail;

typedef struct contents_column {
    const char *words; /* "linear damping" */
    contents_cell cell;
    uint8_t count;            /* of cells; several are told as a list */
    contents_id of;           /* table of an item */
    unsigned aspects;         /* PROVENANCE_… bits of what a difference can change */
    const char *const *names; /* of choices or bits, up to a NULL */
} contents_column;

enum { CONTENTS_COLUMNS = 32 };

typedef struct contents_words {
    const char *one, *many;                    /* "body", "bodies"; NULL: rows have no names */
    bool ordered;                              /* the picture depends on the order of the rows */
    unsigned aspects;                          /* of rows that come, go or move */
    contents_column columns[CONTENTS_COLUMNS]; /* up to one without words */
} contents_words;

extern const contents_words contents_tables[CONTENTS_TABLES];

/* Columns that code refers to, in the order of contents_tables. */
enum {
    MATERIAL_VERTICES = 0,
    MATERIAL_TRIANGLES = 1,
    MATERIAL_POSITIONS = 2,
    MATERIAL_NORMALS,
    MATERIAL_UV,
    MATERIAL_EDGES,
    MATERIAL_CORNERS /* upper 16 bits: what triangles join; lower ones: vertices as a whole */
};
enum { BONE_LINK_LIMITS = 15 };
enum { MORPH_KIND, MORPH_OFFSETS, MORPH_BY_NUMBER, MORPH_BY_PLACE };
enum { GROUP_BONES, GROUP_VERTICES, GROUP_WEIGHTS, GROUP_PLACES };
enum {
    VERTEX_MATERIAL,
    VERTEX_GROUP,
    VERTEX_POSITION,
    VERTEX_NORMAL,
    VERTEX_UV,
    VERTEX_EDGE,
    VERTEX_WEIGHTS
};
enum { OFFSET_MORPH, OFFSET_TARGET, OFFSET_VALUE };
enum { TRACK_KEYS, TRACK_FIRST, TRACK_LAST, TRACK_HASH, TRACK_SPAN };
enum { KEY_TRACK, KEY_BLOCK, KEY_COUNT, KEY_HASH };

/* The kinds of tracks, as the first letters of their names. */
typedef enum contents_track {
    TRACK_BONE = 'b',
    TRACK_MORPH = 'm',
    TRACK_CAMERA = 'c',
    TRACK_LIGHT = 'l',
    TRACK_SHADOW = 's',
    TRACK_VISIBLE = 'v',
    TRACK_IK = 'i'
} contents_track;

typedef struct contents_table {
    uint32_t count;
    uint32_t hash;    /* of all rows */
    uint32_t columns; /* set of those that are known, a bit each */
    bool has_rows;    /* names and hashes, or columns, are known; otherwise only count and hash */
    uint32_t *cells;  /* row after row, with room for all columns */
    uint16_t places[CONTENTS_COLUMNS + 1]; /* of columns in a row, in cells; the last is the size of a row */
    const char **names;                    /* of rows; NULL: they have none */
    uint32_t
        *rows; /* hash of each row without its name; NULL: computed from the cells where they are known */
} contents_table;

typedef struct contents {
    bool is_motion;
    bool whole; /* lists all of the file that a picture can depend on */
    contents_table tables[CONTENTS_TABLES];
    mmd_arena arena;
} contents;

/* Returns the cells of a row of a table whose rows are known. */
static inline uint32_t *contents_row(const contents *c, contents_id table, uint32_t row)
{
    const contents_table *t = &c->tables[table];
    return t->cells + (size_t)row * t->places[CONTENTS_COLUMNS];
}

/* Returns a cell; the column must be known. */
static inline uint32_t contents_value(const contents *c, contents_id table, uint32_t row, uint32_t column,
                                      uint32_t k)
{
    return contents_row(c, table, row)[c->tables[table].places[column] + k];
}

/* List the contents of a file that was read, with full detail or usual detail. Return false if out of memory;
 * contents_finish in either case. */
bool contents_of_model(contents *c, const mmd_model *model, bool full);
bool contents_of_motion(contents *c, const mmd_motion *motion, bool full);
void contents_finish(contents *c);

/* Appends packed contents. A detail that the contents do not have is left out. */
void contents_pack(const contents *c, contents_detail detail, mmd_buffer *out);

/* The limits of what is unpacked: of texts of pictures, and of files that were kept. */
enum { CONTENTS_PICTURE_MAX = 1 << 20, CONTENTS_KEPT_MAX = 64 << 20 };

/* Unpacks contents, which may come from a stranger, of at most so many bytes. Returns false if they are not
 * valid, of another version, or out of memory; contents_finish in either case. */
bool contents_unpack(contents *c, const void *data, size_t size, size_t most);

/* --- Texts of pictures --- */

/* Return packed contents of the usual detail as base64, with less detail if there are more than `most` bytes,
 * or NULL if even that is too much or memory is out. mmd_free. */
char *contents_text_of_model(const mmd_model *model, size_t most);
char *contents_text_of_motion(const mmd_motion *motion, size_t most);

/* Unpacks such a text. */
bool contents_of_text(contents *c, const char *text);

/* --- Comparing: contents_compare.c --- */

/* Returns whether two files look like versions of each other: half of the items of models have the same
 * names, half of the tracks of motions the same keys. */
bool contents_alike(const contents *a, const contents *b);

/* Receives a difference. */
typedef void contents_tell(void *user, unsigned aspects, const char *sentence);

/* Returns the weight of an item's name in the picture's difference, for ranking; 0 for none. */
typedef double contents_weigh(void *user, contents_id table, const char *name);

/* Tells how a file's contents differ, the most important difference first. weigh may be NULL. Returns the
 * number of differences; 0 also for contents of different kinds. */
size_t contents_compare(const contents *was, const contents *now, contents_tell *tell, contents_weigh *weigh,
                        void *user);

#endif
