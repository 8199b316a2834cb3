/* Finds the files of a project. It names them by paths on the machine where it was made, of which usually
 * only the end is valid here. */
#ifndef ODORI_PROJECT_FILES_H
#define ODORI_PROJECT_FILES_H

#include <limits.h>

#include "base/paths.h"
#include "mmd/project.h"
#include "mmd/source.h"

enum { PROJECT_LEVELS = 3 };

typedef struct project_folders {
    mmd_source *sources[PROJECT_LEVELS]; /* the project's folder, its parent, … */
    char folders[PROJECT_LEVELS][PATH_MAX];
    int count;
    mmd_source *archive;     /* archive that contains the project and these folders; or NULL */
    char outer[PATH_MAX];    /* path of that archive */
    const path_scope *scope; /* folders that the files have to be in, too; NULL: anywhere */
    char why[PATH_WHY_MAX];  /* why the last file, which is there, may not be opened; "": it is not there */
} project_folders;

/* Returns false if out of memory. Finish it in either case. */
bool project_folders_init(project_folders *places, const char *project);
void project_folders_finish(project_folders *places);

/*
 * Finds a file that the project names with \ or /: the longest end of the path, part by part, that exists in
 * the project's folder or one of the two above it. Names match as for textures (case, Unicode normalisation).
 * A link that leads out of these folders is not followed. Returns false if there is none; project_missing
 * then completes the sentence "FILE ...".
 */
bool project_find(project_folders *places, const char *name, char path[PATH_MAX]);

const char *project_missing(const project_folders *places);

/* Finds the project's WAVE file, which MMD plays from frame 0. Returns false if the project has none, does
 * not play it, or if it is missing, which is reported once with the name in the project. */
bool project_find_sound(project_folders *places, const mmd_project *project, const char *name,
                        char path[PATH_MAX]);

#endif
