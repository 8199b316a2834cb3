/* Projects made for tests and fuzzing: small, and with everything that a file can hold. */
#ifndef ODORI_SAMPLE_PROJECTS_H
#define ODORI_SAMPLE_PROJECTS_H

#include "mmd/project.h"

/* Bones of the sample's model, by number. */
enum {
    SAMPLE_CENTER,
    SAMPLE_ARM,      /* 左腕 */
    SAMPLE_TWIST,    /* a fixed axis along x */
    SAMPLE_IK_LEFT,  /* 左足ＩＫ */
    SAMPLE_IK_RIGHT, /* 右足ＩＫ */
    SAMPLE_LONG,     /* a name of 24 bytes in CP932 */
    SAMPLE_SECOND_ARM,
    SAMPLE_BONES
};

/*
 * Bones as above, the last but one with an outside parent, three morphs of
 * which two have one name, and no mesh. Free with sample_project_model_finish.
 */
void sample_project_model(mmd_model *model);
void sample_project_model_finish(mmd_model *model);

/*
 * Three models (one moved by sample_motion, one without keys, one from a PMD),
 * two accessories, keys of every kind, no setting at its default.
 */
mmd_project *sample_project(void);

/* One of those models and one accessory, keys of every kind, in less than DAMAGE_SMALL_FILE bytes. */
mmd_project *sample_small_project(void);

/* Fails the running test where the two differ in anything but numbers of keys and bytes behind texts. */
void compare_projects(const mmd_project *a, const mmd_project *b);

/* Writes, fails the running test where that fails, and gives the bytes to the caller. */
void write_project(const mmd_project *project, mmd_buffer *out);

/*
 * Appends the project as version 0001, by the layout's own description and with
 * nothing of the engine's writer; and takes from a project all that 0001 does
 * not say, so that it compares equal to what is read.
 */
void write_project_1(const mmd_project *project, mmd_buffer *out);
void strip_to_version_1(mmd_project *project);

#endif
