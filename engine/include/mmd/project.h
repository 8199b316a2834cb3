/*
 * MMD's project files (.pmm): version 0002 as written by MMD 9, and the older 0001. A project holds models
 * with all their keys, camera, light, accessories, view and physics settings (docs/mmd.md 1.7). Values that
 * 0001 lacks are those of an empty project of 0002 and are not written.
 *
 * The structs are plain data with the values of the file: bytes for flags, floats including NaN, unchecked
 * indices. Lists of keys are an exception. The file links keys by number; here each list is an array sorted
 * by frame, starting with the key at frame 0 that MMD always has. An unchanged project is written back with
 * the same bytes, a changed one with its changes; see mmd_project_key and mmd_project_text.
 *
 * A project and its contents lie in its arena. A project may be used by one thread at a time; two projects
 * are independent.
 */
#ifndef MMD_PROJECT_H
#define MMD_PROJECT_H

#include "mmd/memory.h"
#include "mmd/model.h"
#include "mmd/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A name or path. text is UTF-8, never NULL; paths have backslashes. raw is the field in the file (CP932,
 * including bytes after the terminator). It is written as long as it decodes to text. NULL: not from a file.
 */
typedef struct mmd_project_text {
    const char *text;
    const uint8_t *raw;
    uint32_t raw_size;
} mmd_project_text;

/*
 * Common part of all keys. number is the key's number in the file's chains, record its index among the file's
 * records of this kind; both are only used by the writer. New keys have MMD_PROJECT_NO_NUMBER and
 * MMD_NO_RECORD and are written after the others with free numbers. The first key of a list has no record;
 * its number is the link back that was read, which means nothing (MMD leaves one where it marks the end of
 * lists).
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
    mmd_project_text name; /* cut to 19 bytes by MMD; "" in version 0001 until mmd_project_set_names */
    uint32_t key_count;    /* at least 1 */
    mmd_project_bone_key *keys;
    /* Pose of the bone when the project was saved. */
    float translation[3];
    float rotation[4];
    uint8_t unregistered, physics_off, row_selected;
    uint8_t unknown[4]; /* only in version 0001 */
} mmd_project_bone;

typedef struct mmd_project_morph_key {
    mmd_project_key at;
    float weight;
    uint8_t selected;
} mmd_project_morph_key;

typedef struct mmd_project_morph {
    mmd_project_text name; /* the first one of a PMD is `base`; otherwise as a bone's name */
    uint32_t key_count;    /* at least 1 */
    mmd_project_morph_key *keys;
    float weight; /* weight when the project was saved */
} mmd_project_morph;

/* An outside parent (外部親): a bone of another model. */
typedef struct mmd_project_parent {
    int32_t model, bone; /* model -1: none */
} mmd_project_parent;

typedef struct mmd_project_parent_state {
    int32_t begin, end; /* frames of the surrounding keys */
    mmd_project_parent parent;
} mmd_project_parent_state;

/* A key of visibility, IK switches and outside parents. */
typedef struct mmd_project_config_key {
    mmd_project_key at;
    uint8_t visible, selected;
    uint8_t *ik;                 /* one per ik_bones */
    mmd_project_parent *parents; /* one per parent_bones */
} mmd_project_config_key;

typedef struct mmd_project_model {
    uint8_t number;
    mmd_project_text list_name; /* for version 0001: the name in the list before the models; text is NULL
                                   otherwise */
    mmd_project_text name, name_en, path;
    uint8_t row_count; /* rows in the frame pane */
    uint32_t bone_count;
    mmd_project_bone *bones;
    uint32_t morph_count;
    mmd_project_morph *morphs;
    uint32_t ik_count;
    int32_t *ik_bones;     /* -1 in version 0001 until mmd_project_set_names */
    uint32_t parent_count; /* number of bones that can have outside parents; MMD lists the whole model
                              first, as -1 */
    int32_t *parent_bones;
    uint8_t draw_order, visible; /* from 1 in MMD */
    int32_t selected_bone;
    int32_t selected_morphs[4]; /* brow, eye, mouth, other */
    uint8_t frame_count;        /* number of display frames */
    uint8_t *frame_open;
    int32_t scroll, last_frame;
    uint32_t config_count; /* at least 1 */
    mmd_project_config_key *configs;
    uint8_t *ik; /* IK switches when the project was saved, one per ik_bones */
    mmd_project_parent_state *parents;
    uint8_t add_blend;
    float edge_width;
    uint8_t self_shadow, calc_order; /* from 1 in MMD */
    uint8_t selector_number;         /* from the end of the file: model number and its range selector */
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

/* The camera when the project was saved, which MMD shows until there is a second camera key. eye is the place
 * from the target before the rotation: 0, 0 and the key's distance. */
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
    uint8_t visibility; /* bit 0: visible; higher bits: transparency in percent */
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
    mmd_project_text list_name; /* name in the list before the accessories */
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
    MMD_PROJECT_PHYSICS_SWITCHED, /* as keys of bones switch it */
    MMD_PROJECT_PHYSICS_TRACED
};

/* An inconsistency of the file that was repaired in the project. */
typedef struct mmd_project_repair {
    const char *section; /* "bone key", "camera key" */
    int32_t model;       /* index of the model or accessory; -1: the scene */
    uint32_t item;       /* index of the list (bone, morph) or of the record */
    const char *what;    /* a noun phrase: "a chain that runs into another" */
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

    uint32_t camera_count; /* this and the following key counts are at least 1 */
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
    int32_t from, to; /* playback range in frames */
    uint8_t wave_on;
    mmd_project_text wave;
    mmd_project_background avi;
    int32_t avi_on;
    mmd_project_background image;
    uint8_t image_on;
    uint8_t show_information, show_axis, show_ground_shadow;
    float fps_limit; /* 30 or 60; other programs write large numbers for no limit */
    int32_t capture_mode;
    /* For version 0001, where the file ends: 0, here; 1, after the next two fields; 2, as in MMD 8.11; 3 and
     * 4, as in MMD 7, before and after the bones that the camera follows. */
    uint8_t end_1;
    uint8_t unknown_1[27];            /* part of that end */
    int32_t accessories_after_models; /* accessories from this draw order on are drawn after the models */
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
    bool has_selectors;     /* the file continues here (MMD 9.24 and later) */
    uint8_t selectors_on;   /* not 0: there is one selector per model */
    uint32_t trailing_size; /* bytes after the last field, preserved by the writer */
    const uint8_t *trailing;

    uint32_t repair_count;  /* number of repairs */
    uint32_t repair_listed; /* number listed below */
    mmd_project_repair *repairs;
    mmd_arena arena;
} mmd_project;

/* The arena of a project that was read holds at most this many times the file's size, plus the constant. */
enum { MMD_PROJECT_MEMORY_FACTOR = 8, MMD_PROJECT_MEMORY_EXTRA = 64 * 1024 };

/* Returns the version, 1 or 2, or 0 if the signature is neither. */
uint32_t mmd_project_version(const mmd_project *project);

/*
 * Reads a project of version 1 or 2 completely. Key chains that form cycles, join each other or lead to
 * missing records end there; keys out of order are sorted; records in no chain are dropped. All of this is
 * listed in repairs. Version 1 does not store the numbers of bones, morphs and IK bones of a model; they are
 * inferred from the possible ends of its lists. Fails with MMD_ERROR_MAGIC, MMD_ERROR_VERSION,
 * MMD_ERROR_TRUNCATED, MMD_ERROR_COUNT (also if no such numbers fit), MMD_ERROR_VALUE (a negative frame),
 * MMD_ERROR_LIMIT (over 2 GB) and MMD_ERROR_MEMORY; *result is NULL then. May be called from any thread.
 */
mmd_status mmd_pmm_read(const void *data, size_t size, mmd_project **result, mmd_error *error);

/*
 * Appends a project file to out. A project that was read without repairs and not changed gives the bytes of
 * its file. MMD_ERROR_TEXT: texts that CP932 cannot represent contain `?`, but the file is complete.
 * MMD_ERROR_LIMIT: a name or path does not fit its field. MMD_ERROR_MEMORY: out must not be used.
 */
mmd_status mmd_pmm_write(const mmd_project *project, mmd_buffer *out, mmd_error *error);

void mmd_project_destroy(mmd_project *project); /* NULL is allowed */

/* Returns an empty project as in a newly started MMD, with 1024 x 1024 pixels and the frame rate display off,
 * or NULL when out of memory. */
mmd_project *mmd_project_create(void);

/*
 * Appends a prepared model, drawn and computed last, with the keys of a motion (NULL: none), as if both had
 * been loaded in MMD: names match by 15 bytes, every bone and morph has a key at frame 0 (at rest if the
 * motion has none), rotations of bones with a fixed axis are projected on it, and of several keys at one
 * frame the last applies. path is the path that MMD will load, stored with backslashes. Bones that the engine
 * added (internal) are left out.
 *
 * Fails with MMD_ERROR_LIMIT if the project has 255 models or a key lies after frame INT32_MAX, and with
 * MMD_ERROR_MEMORY. The project is unchanged then. Pointers to models become invalid. Neither model nor
 * motion is retained.
 */
mmd_status mmd_project_add_model(mmd_project *project, const mmd_model *model, const mmd_motion *motion,
                                 const char *path, mmd_error *error);

/*
 * Appends an accessory with copies of these keys (at least one, ascending, the first at frame 0; number and
 * record are ignored). Its state is that of the first key. Errors as for mmd_project_add_model.
 */
mmd_status mmd_project_add_accessory(mmd_project *project, const char *name, const char *path,
                                     const mmd_project_accessory_key *keys, uint32_t key_count,
                                     mmd_error *error);

/*
 * Replaces camera, light and self shadow by those of the motion that have keys, with MMD's defaults at frame
 * 0 if it has no key there. Sets their states and edit_fov to frame 0. Errors as for mmd_project_add_model.
 */
mmd_status mmd_project_set_scene(mmd_project *project, const mmd_motion *motion, mmd_error *error);

/*
 * Sets the names of the bones and morphs that a model does not have in the project, from its model file: all
 * in version 1, which lacks the IK bones, too; in version 2 those that CP932 cannot represent.
 * MMD_ERROR_COUNT: the numbers differ, so it is not the file that the project was made with; matching lists
 * are named, the rest remains unnamed and is left out by mmd_project_model_motion. MMD_ERROR_MEMORY. model is
 * not retained.
 */
mmd_status mmd_project_set_names(mmd_project *project, uint32_t number, const mmd_model *model,
                                 mmd_error *error);

/*
 * Return the keys of a model, or of camera, light and self shadow, as a motion with invalid values repaired
 * as in a VMD. Bones and morphs with only a key at rest have no track. IK and visibility that are always on
 * have no keys. The caller destroys the motion. Return NULL when out of memory.
 */
mmd_motion *mmd_project_model_motion(const mmd_project_model *model);
mmd_motion *mmd_project_scene_motion(const mmd_project *project);

#ifdef __cplusplus
}
#endif

#endif
