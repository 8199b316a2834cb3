/* Compares what two pictures hold about how they were made: the texts of two odori.scene chunks
 * (provenance.h). Both may come from strangers. */
#ifndef ODORI_PROVENANCE_COMPARE_H
#define ODORI_PROVENANCE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "contents.h"

/* What a difference can change in the picture. OTHER can change anything. */
enum {
    PROVENANCE_POSE = 1,
    PROVENANCE_TOON = 2,
    PROVENANCE_COLOR = 4,
    PROVENANCE_LIGHT = 8,
    PROVENANCE_EDGES = 16,
    PROVENANCE_OTHER = 32
};

enum {
    PROVENANCE_SENTENCE_MAX = 1024, /* bytes of a sentence, including the NUL */
    PROVENANCE_TOLD_MAX = 1000      /* limit of reported sentences; further differences are only counted */
};

/* A texture that has changed, as described in the first text. */
typedef struct provenance_texture {
    const char *model_path, *model_hash, *name; /* never NULL */
    size_t index;                               /* index of the texture in its model */
} provenance_texture;

/* What a texture is used for. */
typedef struct provenance_use {
    const char *role;     /* for example "toon texture" */
    const char *material; /* the first material that uses it in this role, or NULL */
    unsigned aspects;
} provenance_use;

/* Differences inside of files that were found before, since the frames of a scene, and scenes of a suite,
 * have the same files. Zero-initialise. */
typedef struct provenance_memory {
    struct provenance_inside *pairs;
    size_t count;
} provenance_memory;
void provenance_memory_finish(provenance_memory *memory);

typedef struct provenance_listener {
    /* Receives one difference: a set of PROVENANCE_POSE etc., and a UTF-8 sentence (never cut within a
     * character) that is valid during the call. */
    void (*tell)(void *user, unsigned aspects, const char *sentence);
    /* Finds the use of a texture. Returns false if it is unknown; the name is then used to guess it. May be
     * NULL. */
    bool (*use)(void *user, const provenance_texture *texture, provenance_use *use);
    /* Finds the contents of a file in more detail than the texts have them: of the first text, or of the
     * second. Returns false if there are none. May be NULL. */
    bool (*contents)(void *user, bool is_first, const char *path, const char *hash, contents *found);
    /* Weighs differences inside of files, which are told in descending order. May be NULL. */
    contents_weigh *weigh;
    provenance_memory *memory; /* or NULL */
    void *user;
    bool only_files; /* report differences of files and textures only */
    bool not_inside; /* do not compare what files hold */
    bool with_state; /* report camera and light even if other differences can explain them */
} provenance_listener;

/*
 * Reports every difference: files by their hashes ("motion a.vmd has changed: 01234567 -> 89abcdef", "stage:
 * (none) -> b.pmx"), each followed by what is different in it where both texts have its contents ("body
 * hair1_R: linear damping 0.8 → 0.2"), then settings by name and value ("frame: 40 -> 41", "view.edge: on ->
 * off"; nested objects as "physics.rate"), camera and light, and last the program and driver. Texts that are
 * NULL or no chunks have no differences; known (may be NULL) receives whether both are chunks. Returns the
 * number of differences. Any thread.
 */
size_t provenance_compare(const char *was, const char *now, const provenance_listener *listener, bool *known);

#endif
