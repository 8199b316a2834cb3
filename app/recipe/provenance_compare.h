/*
 * What two pictures say of how they were made, held against each other: the
 * texts of two odori.scene chunks (provenance.h), which may come from anybody.
 */
#ifndef ODORI_PROVENANCE_COMPARE_H
#define ODORI_PROVENANCE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/* What a difference can alter in the picture; OTHER: anything. */
enum {
    PROVENANCE_POSE = 1,
    PROVENANCE_TOON = 2,
    PROVENANCE_COLOR = 4,
    PROVENANCE_LIGHT = 8,
    PROVENANCE_EDGES = 16,
    PROVENANCE_OTHER = 32
};

enum {
    PROVENANCE_SENTENCE_MAX = 1024, /* bytes of a sentence, its NUL among them */
    PROVENANCE_TOLD_MAX = 1000      /* sentences told; more are counted */
};

/* A texture that has changed, by what the first text says of it. */
typedef struct provenance_texture {
    const char *model_path, *model_hash, *name; /* never NULL */
    size_t index;                               /* in the model */
} provenance_texture;

/* What it is there for. */
typedef struct provenance_use {
    const char *role;     /* "toon texture" */
    const char *material; /* the first one that uses it so, or NULL */
    unsigned aspects;
} provenance_use;

typedef struct provenance_listener {
    /* One difference: PROVENANCE_POSE etc. that it can alter, and a sentence in UTF-8 (never cut within a
     * character) that lives as long as the call. */
    void (*tell)(void *user, unsigned aspects, const char *sentence);
    /* Finds what a texture is used for; false: not known, it is guessed by its name. May be NULL. */
    bool (*use)(void *user, const provenance_texture *texture, provenance_use *use);
    void *user;
    bool only_files; /* tells of files and textures, of no settings */
    bool with_state; /* tells of camera and light even where something else told can have moved them */
} provenance_listener;

/*
 * Tells each difference: files by their hashes ("motion a.vmd has changed:
 * 01234567 -> 89abcdef", "stage: (none) -> b.pmx"), then settings by their
 * names and values ("frame: 40 -> 41", "view.edge: on -> off"; objects within
 * objects as "physics.rate"), camera and light, last what did the drawing (GL,
 * odori's version). known (or NULL): whether both texts are chunks; others,
 * and NULL, have no differences. Returns how many there are. Any thread.
 */
size_t provenance_compare(const char *was, const char *now, const provenance_listener *listener, bool *known);

#endif
