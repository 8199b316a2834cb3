/*
 * Provenance: the text chunk `odori.scene` of a PNG holds, as JSON, everything that is needed to draw the
 * picture again.
 *
 *   {"format":1, "odori":"0.1.0",
 *    "models":[{"path","hash","contents","textures":[{"name","hash"}], "accessory":{"name","hash"}}],
 *    "stage":{"path","hash","contents","textures"}, "motions":[{"path","hash","contents","model":1}],
 *    "camera":{"path","hash","contents"},
 *    "frame":30, "start":0, "size":[1280,720], "view":{"background":"ffffff","edge":"on",…}, "exec":"…",
 *    "physics":{"gravity":[0,-98,0],"ground":"on","world":"shared","rate":60, "lever":"own"},
 *    "quality":{"bits":16,"supersample":2,"motion_blur":8,"shutter":180,"interval":1},
 *    "plugins":[{"name","hash"}],
 *    "state":{"camera":{…},"light":{…}}, "gl":{"vendor","renderer","version"}}
 *
 * "contents" are packed contents (contents.h) as base64, by which another version of the file is compared item by
 * item; missing in pictures of earlier versions, of projects, and beyond the limits of size.
 * "accessory" is the .x file that a .vac model names. "model" of a motion is the only model that it moves.
 * Paths are written as they were given, so that equal commands make equal bytes; hashes (XXH128) tell whether
 * a file is still the same. "view" holds options by name, with `_` for `-`. "start" is the frame at which
 * commands ran, if it is not the picture's. "physics" may be "off"; without "lever" it was computed with
 * "stock". "quality" is present if any of its options was given. "plugins" are those that edits used; they
 * are never loaded because a picture names them, since a picture may come from anybody, but their absence is
 * reported. "state" is for people and other programs: camera and light as they were. There are no dates and
 * no names of machines.
 */
#ifndef ODORI_PROVENANCE_H
#define ODORI_PROVENANCE_H

#include "draw.h"
#include "mmd/gpu.h"
#include "stage.h"

#define PROVENANCE_KEY "odori.scene"

/* Value of "gravity" where a project changes it over time. */
#define PROVENANCE_OF_PROJECT "project"

typedef struct provenance_file {
    const char *path; /* as given on the command line; NULL for none */
    digest hash;
    char *contents; /* packed contents (contents.h) as base64, or NULL */
    bool owns_contents;
} provenance_file;

/* The most bytes of packed contents, as base64, of a model, a motion, and all files of a picture together. */
enum {
    PROVENANCE_MODEL_CONTENTS = 40 << 10,
    PROVENANCE_MOTION_CONTENTS = 28 << 10,
    PROVENANCE_ALL_CONTENTS = 160 << 10
};

typedef struct provenance_model {
    provenance_file file;
    const mmd_model *model; /* the model whose textures are listed; NULL for none */
    texture_digests textures;
    bool is_borrowed;      /* the textures belong to a store */
    const char *accessory; /* name of the .x file that a .vac names; NULL for other models */
    digest accessory_hash;
} provenance_model;

typedef struct provenance_motion {
    provenance_file file;
    size_t owner; /* 1 + index of the only model that this motion moves; 0 if it moves all */
} provenance_motion;

/* The files of a scene with their hashes, computed once for all of its pictures. Zero-initialise. */
typedef struct provenance_files {
    provenance_model *models;
    size_t model_count;
    bool has_stage;             /* the last model is the stage */
    provenance_motion *motions; /* motions and poses, in the order in which they are applied */
    size_t motion_count;
    provenance_file camera;
} provenance_files;

/* Hashes the files of a scene. stage is one from a store, which already has hashes, or NULL to read the
 * files. only_present: without those of removed models (scene_can_omit_removed). Returns false if out of
 * memory. Call provenance_files_finish in either case. */
bool provenance_files_read(provenance_files *files, const odori_scene *scene, const recipe_stage *stage,
                           bool only_present);
void provenance_files_finish(provenance_files *files);

/* Everything that provenance_write needs to know of a picture. */
typedef struct provenance_shot {
    const provenance_files *files;
    const recipe_settings *settings; /* options that were given on the command line */
    const odori_session *session;    /* session at the picture's frame */
    double start;                    /* frame at which commands ran */
    const char *exec;
    picture_size size;
    const draw_quality *quality; /* NULL for default quality */
    double interval;             /* frames between two pictures, which the shutter angle refers to */
    const mmd_gpu_info *gpu;
    const mmd_texture_memory *textures; /* a limit that made textures smaller is recorded */
    const char *folder; /* what relative paths of files begin at, for a picture elsewhere; NULL: they stay */
} provenance_shot;

/* Returns the chunk's text; free it with free(). NULL if out of memory. */
char *provenance_write(const provenance_shot *shot);

/* Does the same for a stage that was opened from a store. */
char *provenance_of_stage(const recipe_stage *stage, const provenance_files *files, const mmd_gpu_info *gpu);

/* Where to search for a picture's files, besides its own folder and those above it. */
typedef struct provenance_search {
    const char *picture; /* path of the picture */
    const text_list *folders;
    size_t most_models;      /* that the picture may have; 0: SCENE_MODELS_MOST */
    uint64_t texture_memory; /* MiB that it may ask for; less than the default: the default */
    bool is_own;             /* the program wrote it for itself; it may name files on other computers */
} provenance_search;

/*
 * Reads a chunk's text as a recipe, whose texts and lists are allocated in the arena. Files are searched for
 * as given, first from the current folder, then from the picture's folder and those above it, then from the
 * folders: the first file with the right hash is chosen, otherwise the first that exists. If no file has the
 * right hash, ever shorter ends of the path are tried in the folders, down to the bare name; then the hash
 * must match. MMD_ERROR_VALUE: the text is not a valid chunk. MMD_ERROR_LIMIT: it has too many models or
 * motions. MMD_ERROR_REFUSED: it names a file on another computer (platform_path_is_remote).
 */
mmd_status provenance_read(const char *text, const provenance_search *places, mmd_arena *arena, recipe *r,
                           mmd_error *error);

#endif
