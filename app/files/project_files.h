/*
 * Finds a project's files. It names them by paths of the machine that it was
 * made on, of which mostly only the end holds here.
 */
#ifndef ODORI_PROJECT_FILES_H
#define ODORI_PROJECT_FILES_H

#include <limits.h>

#include "mmd/project.h"
#include "mmd/source.h"

enum { PROJECT_LEVELS = 3 };

typedef struct project_places {
    mmd_source *sources[PROJECT_LEVELS]; /* the project's folder, the one above, … */
    char folders[PROJECT_LEVELS][PATH_MAX];
    int count;
    mmd_source *archive;  /* that the project is in, and these folders; or NULL: there are no other sources */
    char outer[PATH_MAX]; /* its path */
} project_places;

/* False: out of memory. Finish it in any case. */
bool project_places_init(project_places *places, const char *project);
void project_places_finish(project_places *places);

/*
 * Finds a file that the project names with \ or /: the longest end of the
 * path, part by part, that there is in the project's folder, or in one of the
 * two above it; names as textures' are (case, Unicode form). False: none.
 */
bool project_find(const project_places *places, const char *name, char path[PATH_MAX]);

/*
 * Finds the project's WAVE likewise, which MMD plays from frame 0 on. False: it
 * has none, or plays none, or it is not there, which is told once, with the
 * project's own name.
 */
bool project_find_sound(const project_places *places, const mmd_project *project, const char *name,
                        char path[PATH_MAX]);

#endif
