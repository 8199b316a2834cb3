/* Inside the module: what the functions that make projects share. */
#ifndef MMD_PMM_MADE_H
#define MMD_PMM_MADE_H

#include "mmd/project.h"

enum { PMM_MADE_NAME_MAX = 19, PMM_MADE_MODEL_NAME_MAX = 49 };

/* The curve of keys that nobody has shaped: linear. */
#define PMM_LINEAR ((mmd_curve){.x1 = 20, .y1 = 20, .x2 = 107, .y2 = 107})

/* All of an empty project but its magic, as MMD starts; false: out of memory. */
bool pmm_fill_defaults(mmd_project *project);

/* What all made keys begin with. */
mmd_project_key pmm_made_key(uint32_t frame);

/* text cut to limit bytes of CP932, as MMD cuts names; false: out of memory. */
bool pmm_made_name(mmd_arena *arena, const char *text, size_t limit, mmd_project_text *name);

/* A path with backslashes; false: out of memory. */
bool pmm_made_path(mmd_arena *arena, const char *text, mmd_project_text *path);

/*
 * Which keys of a motion become a list's: of several of one frame the last,
 * and one at frame 0 always. frames is at the first one's frame, stride bytes
 * from one to the next.
 */
typedef struct pmm_pick {
    const void *frames;
    size_t stride;
    uint32_t count;
    uint32_t next; /* to look at */
    bool begun;    /* the key at frame 0 was handed out */
} pmm_pick;

enum { PMM_PICK_REST = -1, PMM_PICK_END = -2 };

/* Index of the next key, PMM_PICK_REST for one at frame 0 that the motion lacks, PMM_PICK_END. */
int64_t pmm_pick_next(pmm_pick *pick);

/* How many will be handed out. */
uint32_t pmm_pick_count(pmm_pick pick);

/* Camera, light and self shadow of a motion, each where it has keys, or all; false: out of memory. */
bool pmm_set_scene(mmd_project *project, const mmd_motion *motion, bool all);

mmd_status pmm_no_memory(mmd_error *error, const char *section);

/* MMD_ERROR_LIMIT for a motion with keys that MMD cannot have. */
mmd_status pmm_check_frames(const mmd_motion *motion, const char *section, mmd_error *error);

/*
 * Keys become a motion by way of a VMD's bytes: reading those sorts and
 * repairs what it must. start writes the header; end reads what was written
 * and frees it, NULL where there is no memory.
 */
void pmm_vmd_start(mmd_buffer *vmd, const char *model_name);
mmd_motion *pmm_vmd_end(mmd_buffer *vmd);

#endif
