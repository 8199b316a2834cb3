/* The parts of `odori info`, one function for each type of file. */
#ifndef ODORI_INFO_H
#define ODORI_INFO_H

#include "listing.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "mmd/project.h"

/* Writes the contents of a model, and the problems in it. place: the textures beside it. */
void info_model(facts *f, const mmd_model *model, const mmd_texture_location *location);

/* Writes problems of rigid bodies and joints of a PMX or PMD model, and in JSON all of them. */
void info_physics(facts *f, const mmd_model *model);

/* A kind of item that is counted: its key in JSON and its title in text. */
typedef struct kind_name {
    const char *key, *title;
} kind_name;

/* Writes the counts of kinds. Text leaves out those that are 0. */
void info_write_kinds(facts *f, const char *key, const char *title, const kind_name *names,
                      const uint32_t *counts, size_t kind_count);

/* Write the contents of a glTF or Ragdoll file, and those of its physics. */
void info_exchange(facts *f, const mmd_exchange *document, const mmd_texture_location *location);
void info_scene(facts *f, const mmd_physscene *scene, const mmd_model *model);

/* Each writes the contents of a file. */
void info_motion(facts *f, const mmd_motion *motion);
void info_vac(facts *f, const mmd_vac *vac, const mmd_texture_location *location);
void info_pose(facts *f, const mmd_vpd *pose);
void info_project(facts *f, const mmd_project *project);
void info_container(facts *f, const mmd_locate_contents *contents);

/* Prints the GPUs, in the order of their numbers. Returns an exit code: EXIT_FACILITY if there is none. */
int info_gpus(bool as_json);

/* Writes the bones, morphs and IK switches of a motion that the model lacks. */
void info_match(facts *f, const mmd_model *model, const mmd_motion *motion);

#endif
