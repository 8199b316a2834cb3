/* The parts of `odori info`. */
#ifndef ODORI_INFO_H
#define ODORI_INFO_H

#include "listing.h"
#include "mmd/format.h"
#include "mmd/project.h"
#include "files/model_file.h"
#include "files/locate.h"

void info_model(facts *f, const mmd_model *model, const texture_place *place);
void info_physics(facts *f, const mmd_model *model); /* single bodies and joints */

/* What is counted, as JSON and as people call it. */
typedef struct kind_name {
    const char *key, *title;
} kind_name;
void info_write_kinds(facts *f, const char *key, const char *title, const kind_name *names,
                      const uint32_t *counts, size_t kind_count);

/* A glTF or Ragdoll file, and its physics in the middle of it. */
void info_exchange(facts *f, const mmd_exchange *document, const texture_place *place);
void info_scene(facts *f, const mmd_physscene *scene, const mmd_model *model);

void info_motion(facts *f, const mmd_motion *motion);
void info_vac(facts *f, const mmd_vac *vac, const texture_place *place);
void info_pose(facts *f, const mmd_vpd *pose);
void info_project(facts *f, const mmd_project *project);
void info_place(facts *f, const locate_contents *contents);

/* Tells what a motion moves that the model does not have. */
void info_match(facts *f, const mmd_model *model, const mmd_motion *motion);

#endif
