/* Projects for tests and fuzzing: small, but with everything that a file can contain. */
#ifndef ODORI_SAMPLE_PROJECTS_H
#define ODORI_SAMPLE_PROJECTS_H

#include "mmd/project.h"

/* Indices of bones in the sample model. */
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

/* Makes a model with these bones, of which the last but one has an outside parent, and three morphs, two of
 * which have the same name. It has no mesh. Free with sample_project_model_finish. */
void sample_project_model(mmd_model *model);
void sample_project_model_finish(mmd_model *model);

/* Makes a project of three models (one moved by sample_motion, one without keyframes, one from a PMD) and two
 * accessories, with keyframes of every kind. No setting has its default value. */
mmd_project *sample_project(void);

/* Makes a project of one of these models and one accessory, with keyframes of every kind, smaller than
 * DAMAGE_SMALL_FILE bytes. */
mmd_project *sample_small_project(void);

/*
 * Fails the running test if the projects differ. Numbers of keyframes and the bytes behind texts are ignored.
 */
void compare_projects(const mmd_project *a, const mmd_project *b);

/* Writes the project. Fails the running test if that fails. The caller owns the bytes. */
void write_project(const mmd_project *project, mmd_buffer *out);

/*
 * write_project_1 appends the project as version 0001, independently of the engine's writer.
 * strip_to_version_1 resets everything that version 0001 does not store, so that the project compares equal
 * to the one read back.
 */
void write_project_1(const mmd_project *project, mmd_buffer *out);
void strip_to_version_1(mmd_project *project);

#endif
