/* The parts of `odori info`. */
#ifndef ODORI_INFO_H
#define ODORI_INFO_H

#include "facts.h"
#include "mmd/format.h"
#include "mmd/project.h"
#include "textures.h"

void info_model(facts *f, const mmd_model *model, const texture_place *place);
void info_features(facts *f, const mmd_model *model); /* the counts in it: how many of every kind of thing */
void info_physics(facts *f, const mmd_model *model);  /* single bodies and joints */
void info_motion(facts *f, const mmd_motion *motion);
void info_vac(facts *f, const mmd_vac *vac, const texture_place *place);
void info_pose(facts *f, const mmd_vpd *pose);
void info_project(facts *f, const mmd_project *project);

/* What a motion moves that the model does not have. */
void info_match(facts *f, const mmd_model *model, const mmd_motion *motion);

#endif
