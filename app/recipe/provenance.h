/*
 * Pictures that know where they came from: a PNG's text chunk `odori.scene`
 * holds, as JSON, all that it takes to draw the picture again.
 *
 *   {"format":1, "odori":"0.1.0",
 *    "models":[{"path","hash","textures":[{"name","hash"}],
 *               "accessory":{"name","hash"}}],
 *    "stage":{"path","hash","textures"},
 *    "motions":[{"path","hash","model":1}], "camera":{"path","hash"},
 *    "frame":30, "start":0, "size":[1280,720],
 *    "view":{"background":"ffffff","edge":"on",…}, "exec":"…",
 *    "physics":{"gravity":[0,-98,0],"ground":"on","world":"shared","rate":60,
 *               "lever":"own"},
 *    "quality":{"bits":16,"supersample":2,"motion_blur":8,"shutter":180,"interval":1},
 *    "plugins":[{"name","hash"}],
 *    "state":{"camera":{…},"light":{…}},
 *    "gl":{"vendor","renderer","version"}}
 *
 * "accessory" is the .x file of a model that is a .vac; a motion has a "model" where it moves that one alone.
 * Paths are those that were given, so equal commands make equal bytes; hashes
 * (XXH128) tell whether a file is still the one meant. "view" has the options
 * by their names, `_` for `-`. "start" is there where commands ran at another
 * frame than the picture's. "physics" may be "off"; without a "lever" it
 * was made with "stock". "quality" is there where any of it was asked for. "plugins" are those that edits
 * went by when it was drawn; whoever draws it again does not load them, since a picture may come from
 * anybody, and tells so. "state" is for people and other programs: camera and light as they were, whoever
 * moved them. No dates, no names of machines.
 */
#ifndef ODORI_PROVENANCE_H
#define ODORI_PROVENANCE_H

#include "draw.h"
#include "mmd/gpu.h"
#include "stage.h"

#define PROVENANCE_KEY "odori.scene"

/* In place of gravity: it changes, as the project among the models says. */
#define PROVENANCE_OF_PROJECT "project"

typedef struct provenance_file {
    const char *path; /* as given; NULL: none */
    digest hash;
} provenance_file;

typedef struct provenance_model {
    provenance_file file;
    const mmd_model *model; /* whose textures are told; NULL: none */
    texture_digests textures;
    bool is_borrowed;      /* those are a store's */
    const char *accessory; /* the .x file's name in a .vac; NULL: it is none */
    digest accessory_hash;
} provenance_model;

typedef struct provenance_motion {
    provenance_file file;
    size_t owner; /* the number of the model that it alone moves, plus 1; or 0 */
} provenance_motion;

/* The files of a scene, hashed: once for all of its pictures. Zero-initialise. */
typedef struct provenance_files {
    provenance_model *models;
    size_t model_count;
    bool has_stage;             /* the last of them is */
    provenance_motion *motions; /* poses too, in the order they apply */
    size_t motion_count;
    provenance_file camera;
} provenance_files;

/* stage: one from a store, which knows hashes already; NULL: files are read. False: out of memory; finish it
 * all the same. */
bool provenance_files_read(provenance_files *files, const odori_scene *scene, const recipe_stage *stage);
void provenance_files_finish(provenance_files *files);

/* A picture that was drawn. */
typedef struct provenance_shot {
    const provenance_files *files;
    const recipe_settings *settings; /* options that were given */
    const odori_session *session;    /* as drawn */
    double start;                    /* frame at which commands ran */
    const char *exec;
    picture_size size;
    const draw_quality *quality; /* NULL: plain */
    double interval;             /* frames between two pictures: what its shutter counts by */
    const mmd_gpu_info *gpu;
} provenance_shot;

/* Writes the chunk's text, to be freed with free. NULL: out of memory. */
char *provenance_write(const provenance_shot *shot);

/* The same of a stage from a store as it stands. */
char *provenance_of_stage(const recipe_stage *stage, const provenance_files *files, const mmd_gpu_info *gpu);

/* Where a picture's files may be, beside its own folder and those above it. */
typedef struct provenance_places {
    const char *picture; /* path */
    const text_list *folders;
} provenance_places;

/*
 * Reads a chunk's text as a recipe, its texts and lists in the arena. Files are
 * looked for as given, from the current folder, from the picture's and those
 * above it, and from the folders: the first of the right hash, else the first
 * there is. Where none is right, ever shorter ends of the path are tried in the
 * folders, down to the bare name; those have to be of the right hash.
 * MMD_ERROR_VALUE: the text is none of a chunk.
 */
mmd_status provenance_read(const char *text, const provenance_places *places, mmd_arena *arena, recipe *r,
                           mmd_error *error);

#endif
