/*
 * MMD's projects (.pmm, version 0002, as MMD 9 writes it, and 0001 before it):
 * models with all their keys, camera, light, accessories, view and physics
 * settings (docs/mmd.md 1.7). What 0001 does not have is as in an empty project of
 * 0002, and is not written.
 *
 * Plain data. Numbers are the file's own: its bytes for flags, its floats with
 * NaN and all, its indices unchecked (an index may point at nothing). Lists of
 * keys are the exception: the file chains them by numbers; here each is an
 * array sorted by frame whose first key is the one at frame 0 that MMD always
 * has. A read project is written back with the same bytes, a changed one with
 * what was changed; see the notes at mmd_project_key and mmd_project_text.
 *
 * A project and everything in it lies in its arena. Not for two threads at a
 * time; two projects are independent.
 */
#ifndef MMD_PROJECT_H
#define MMD_PROJECT_H

#include "mmd/cursor.h"
#include "mmd/model.h"
#include "mmd/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A name or a path. text is UTF-8, never NULL; paths have backslashes. raw is
 * the field as in the file (CP932, with whatever lies behind the terminator),
 * which is written as long as it still says the same as text; NULL: made.
 */
typedef struct mmd_project_text {
    const char *text;
    const uint8_t *raw;
    uint32_t raw_size;
} mmd_project_text;

/*
 * What all keys have. number is how the file's chains name a key, record its
 * place among the file's records of that kind; both only matter to the writer.
 * Made keys have MMD_PROJECT_NO_NUMBER and MMD_NO_RECORD and are written
 * behind the others under free numbers; the first key of a list has neither.
 */
typedef struct mmd_project_key {
    uint32_t frame; /* up to INT32_MAX */
    int32_t number;
    uint32_t record;
} mmd_project_key;

enum { MMD_PROJECT_NO_NUMBER = -1 };

typedef struct mmd_project_bone_key {
    mmd_project_key at;
    mmd_curve curves[4]; /* by channel, MMD_CHANNEL_X and so on */
    float translation[3];
    float rotation[4];
    uint8_t selected, physics_off;
} mmd_project_bone_key;

typedef struct mmd_project_bone {
    mmd_project_text name; /* cut to 19 bytes by MMD; "" in version 0001 (mmd_project_take_names) */
    uint32_t key_count;    /* at least 1 */
    mmd_project_bone_key *keys;
    /* Its pose when the project was saved. */
    float translation[3];
    float rotation[4];
    uint8_t unregistered, physics_off, row_selected;
    uint8_t unknown[4]; /* of version 0001 */
} mmd_project_bone;

typedef struct mmd_project_morph_key {
    mmd_project_key at;
    float weight;
    uint8_t selected;
} mmd_project_morph_key;

typedef struct mmd_project_morph {
    mmd_project_text name; /* of a PMD the first is `base`; as a bone's */
    uint32_t key_count;    /* at least 1 */
    mmd_project_morph_key *keys;
    float weight; /* when the project was saved */
} mmd_project_morph;

/* Outside parent (外部親): a bone of another model. */
typedef struct mmd_project_parent {
    int32_t model, bone; /* model -1: none */
} mmd_project_parent;

typedef struct mmd_project_parent_state {
    int32_t begin, end; /* frames of the keys around */
    mmd_project_parent parent;
} mmd_project_parent_state;

/* Visibility, IK and outside parents. */
typedef struct mmd_project_config_key {
    mmd_project_key at;
    uint8_t visible, selected;
    uint8_t *ik;                 /* one a ik_bones */
    mmd_project_parent *parents; /* one a parent_bones */
} mmd_project_config_key;

typedef struct mmd_project_model {
    uint8_t number;
    mmd_project_text list_name; /* of version 0001: the name in the list before the models; or NULL */
    mmd_project_text name, name_en, path;
    uint8_t row_count; /* of the frame pane */
    uint32_t bone_count;
    mmd_project_bone *bones;
    uint32_t morph_count;
    mmd_project_morph *morphs;
    uint32_t ik_count;
    int32_t *ik_bones;     /* in version 0001 -1, until mmd_project_take_names */
    uint32_t parent_count; /* bones that can have outside parents; MMD lists the whole model first, as -1 */
    int32_t *parent_bones;
    uint8_t draw_order, visible; /* MMD counts from 1 */
    int32_t selected_bone;
    int32_t selected_morphs[4]; /* brow, eye, mouth, other */
    uint8_t frame_count;        /* display frames */
    uint8_t *frame_open;
    int32_t scroll, last_frame;
    uint32_t config_count; /* at least 1 */
    mmd_project_config_key *configs;
    uint8_t *ik; /* when the project was saved: one a ik_bones */
    mmd_project_parent_state *parents;
    uint8_t add_blend;
    float edge_width;
    uint8_t self_shadow, calc_order; /* MMD counts from 1 */
    uint8_t selector_number;         /* from the end of the file: the model, and its range selector */
    int32_t selector;
} mmd_project_model;

typedef struct mmd_project_camera_key {
    mmd_project_key at;
    float distance;    /* negative: in front of the target, as in VMD */
    float position[3]; /* the target */
    float rotation[3]; /* radians, VMD's signs */
    mmd_project_parent follow;
    mmd_curve curves[MMD_CAMERA_CHANNELS];
    uint8_t orthographic;
    int32_t fov; /* degrees */
    uint8_t selected;
} mmd_project_camera_key;

typedef struct mmd_project_camera_state {
    float eye[3], target[3], rotation[3];
    uint8_t orthographic;
} mmd_project_camera_state;

typedef struct mmd_project_light_key {
    mmd_project_key at;
    float color[3], direction[3];
    uint8_t selected;
} mmd_project_light_key;

typedef struct mmd_project_light_state {
    float color[3], direction[3];
} mmd_project_light_state;

typedef struct mmd_project_accessory_key {
    mmd_project_key at;
    uint8_t visibility; /* bit 0: visible; above: transparency in percent */
    mmd_project_parent parent;
    float position[3], rotation[3], scale; /* radians */
    uint8_t shadow, selected;
} mmd_project_accessory_key;

typedef struct mmd_project_accessory_state {
    uint8_t visibility;
    mmd_project_parent parent;
    float rotation[3], scale, position[3];
    uint8_t shadow;
} mmd_project_accessory_state;

typedef struct mmd_project_accessory {
    mmd_project_text list_name; /* the name in the list before the accessories */
    uint8_t number;
    mmd_project_text name, path;
    uint8_t draw_order;
    uint32_t key_count; /* at least 1 */
    mmd_project_accessory_key *keys;
    mmd_project_accessory_state state;
    uint8_t add_blend;
} mmd_project_accessory;

typedef struct mmd_project_gravity_key {
    mmd_project_key at;
    uint8_t noise_on;
    int32_t noise;
    float acceleration; /* 9.8 */
    float direction[3];
    uint8_t selected;
} mmd_project_gravity_key;

typedef struct mmd_project_gravity_state {
    float acceleration;
    int32_t noise;
    float direction[3];
    uint8_t noise_on;
} mmd_project_gravity_state;

typedef struct mmd_project_shadow_key {
    mmd_project_key at;
    uint8_t mode;   /* 0 off, 1, 2 */
    float distance; /* as in VMD */
    uint8_t selected;
} mmd_project_shadow_key;

typedef struct mmd_project_background {
    int32_t x, y;
    float scale;
    mmd_project_text path;
} mmd_project_background;

enum {
    MMD_PROJECT_PHYSICS_OFF,
    MMD_PROJECT_PHYSICS_ALWAYS,
    MMD_PROJECT_PHYSICS_SWITCHED, /* on while playing */
    MMD_PROJECT_PHYSICS_TRACED
};

/* Something in the file that could not be as it was; the project holds what it was mended to. */
typedef struct mmd_project_repair {
    const char *section; /* "bone key", "camera key" */
    int32_t model;       /* or accessory; -1: of the scene */
    uint32_t item;       /* number of the list (bone, morph), or of the record */
    const char *what;    /* a clause: "a chain that runs into another" */
} mmd_project_repair;

enum { MMD_PROJECT_REPAIR_MAX = 64, MMD_PROJECT_MODEL_MAX = 255 };

typedef struct mmd_project {
    uint8_t magic[30]; /* all zeros: not from a file */
    int32_t view_width, view_height, pane_width;
    float edit_fov;
    uint8_t editing_camera;
    uint8_t panels_open[6]; /* camera, light, accessory, bone, morph, self shadow */
    uint8_t selected_model;
    uint32_t model_count; /* up to MMD_PROJECT_MODEL_MAX */
    mmd_project_model *models;

    uint32_t camera_count; /* this and the following counts of keys: at least 1 */
    mmd_project_camera_key *camera_keys;
    mmd_project_camera_state camera;
    uint32_t light_count;
    mmd_project_light_key *light_keys;
    mmd_project_light_state light;

    uint8_t selected_accessory;
    int32_t accessory_scroll;
    uint32_t accessory_count; /* up to MMD_PROJECT_MODEL_MAX */
    mmd_project_accessory *accessories;

    int32_t frame, frame_scroll, frame_thumb, bone_operation;
    uint8_t look_at, repeat, from_on, to_on;
    int32_t from, to; /* frames to play */
    uint8_t wave_on;
    mmd_project_text wave;
    mmd_project_background avi;
    int32_t avi_on;
    mmd_project_background image;
    uint8_t image_on;
    uint8_t show_information, show_axis, show_ground_shadow;
    float fps_limit; /* 30 or 60; other programs use large ones for none */
    int32_t capture_mode;
    uint8_t
        end_1; /* of version 0001: 0, the file ends here; 1, behind the next two; 2, as that of MMD 8.11 */
    uint8_t unknown_1[27];            /* of that end */
    int32_t accessories_after_models; /* accessories from this draw order on are drawn behind the models */
    float ground_shadow_brightness;
    uint8_t ground_shadow_transparent;
    uint8_t physics_mode; /* MMD_PROJECT_PHYSICS_OFF and so on */

    mmd_project_gravity_state gravity;
    uint32_t gravity_count;
    mmd_project_gravity_key *gravity_keys;
    uint8_t self_shadow_on;
    float self_shadow_distance;
    uint32_t shadow_count;
    mmd_project_shadow_key *shadow_keys;

    int32_t edge_color[3]; /* 0..255 */
    uint8_t black_background;
    mmd_project_parent camera_follow;
    float unknown_matrix[16];
    uint8_t view_follow, unknown_flag, physics_ground;
    int32_t frame_box;
    bool has_selectors;     /* the file goes on from here (MMD 9.24 and later) */
    uint8_t selectors_on;   /* not 0: with a selector a model */
    uint32_t trailing_size; /* bytes behind all that, kept for the writer */
    const uint8_t *trailing;

    uint32_t repair_count; /* all that was mended */
    uint32_t repair_kept;  /* of these, listed below */
    mmd_project_repair *repairs;
    mmd_arena arena;
} mmd_project;

/* A read project's arena holds at most this many times the file's size, and the constant. */
enum { MMD_PROJECT_MEMORY_FACTOR = 8, MMD_PROJECT_MEMORY_EXTRA = 64 * 1024 };

/* 1 or 2; 0: its magic says neither. */
uint32_t mmd_project_version(const mmd_project *project);

/*
 * Reads a project of version 1 or 2, every byte of it. Chains of keys that run in
 * circles, into each other or to records that are not there end where they
 * go wrong, keys out of order are sorted, records that no chain reaches are
 * dropped: repairs says so. Version 1 does not say how many bones, morphs and
 * IK a model has; they are found out by where its lists can end. MMD_ERROR_MAGIC,
 * MMD_ERROR_VERSION, MMD_ERROR_TRUNCATED, MMD_ERROR_COUNT (also where no such
 * numbers fit), MMD_ERROR_VALUE (a negative frame),
 * MMD_ERROR_LIMIT (over 2 GB), MMD_ERROR_MEMORY; *result is NULL then. Any
 * thread.
 */
mmd_status mmd_pmm_read(const void *data, size_t size, mmd_project **result, mmd_error *error);

/*
 * Appends a project file. What was read without repairs and not changed gives
 * the file's bytes. MMD_ERROR_TEXT: texts that CP932 lacks became `?`, the
 * file is written all the same. MMD_ERROR_LIMIT: a name or path that does not
 * fit its field; MMD_ERROR_MEMORY: out is not to be used.
 */
mmd_status mmd_pmm_write(const mmd_project *project, mmd_buffer *out, mmd_error *error);

void mmd_project_destroy(mmd_project *project); /* NULL is allowed */

/* An empty project as MMD starts, 1024 x 1024 pixels, the caption with frames a second off. NULL: out of
 * memory. */
mmd_project *mmd_project_create(void);

/*
 * Adds a model (prepared) behind the others, drawn and computed last, with the keys of a
 * motion (NULL: none), as if MMD had loaded both: names match by 15 bytes,
 * every bone and morph has a key at frame 0 (at rest where the motion has
 * none), keys of bones with a fixed axis turn about it only, of several keys
 * of one frame the last stays. path is stored with backslashes; give it as MMD
 * shall find it. Bones the engine added (internal) are left out.
 *
 * MMD_ERROR_LIMIT: the project has 255 models already, or a key lies behind
 * frame INT32_MAX. MMD_ERROR_MEMORY. The project is unchanged then. Pointers
 * to models become invalid; neither model nor motion is kept.
 */
mmd_status mmd_project_add_model(mmd_project *project, const mmd_model *model, const mmd_motion *motion,
                                 const char *path, mmd_error *error);

/*
 * Adds an accessory behind the others with copies of these keys (at least one,
 * ascending, the first at frame 0; number and record are ignored). Its state
 * is the first key's. Errors as above, no other of its effects.
 */
mmd_status mmd_project_add_accessory(mmd_project *project, const char *name, const char *path,
                                     const mmd_project_accessory_key *keys, uint32_t key_count,
                                     mmd_error *error);

/*
 * Replaces camera, light and self shadow by the motion's, each where it has
 * keys, with a key of MMD's defaults at frame 0 where it has none there, and
 * sets their states and edit_fov to frame 0. Errors as above.
 */
mmd_status mmd_project_set_scene(mmd_project *project, const mmd_motion *motion, mmd_error *error);

/*
 * Gives a model of version 1 what only its file says: the names of its bones
 * and morphs, and which bones have IK. MMD_ERROR_COUNT: the file has other
 * numbers of them (it is not the one that the project was made with); what
 * agrees is named, the rest stays without names and has no part in
 * mmd_project_model_motion. MMD_ERROR_MEMORY. The model is not kept.
 */
mmd_status mmd_project_take_names(mmd_project *project, uint32_t number, const mmd_model *model,
                                  mmd_error *error);

/*
 * The keys of a model (of camera, light and self shadow) as a motion, values
 * repaired as in a VMD. Bones and morphs that have but a key at rest have no
 * track, as IK and visibility that are always on have no keys. The caller
 * destroys it. NULL: out of memory.
 */
mmd_motion *mmd_project_model_motion(const mmd_project_model *model);
mmd_motion *mmd_project_scene_motion(const mmd_project *project);

#ifdef __cplusplus
}
#endif

#endif
