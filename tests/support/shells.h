/* Finds the closed surfaces of a model and which points lie inside them, so that tests can detect parts that
 * intersect. */
#ifndef ODORI_TEST_SHELLS_H
#define ODORI_TEST_SHELLS_H

#include "mmd/model.h"
#include "mmd/pose.h"

enum { SHELLS_MAX = 256 };

/* Connected surfaces. Vertices at the same position count as one. */
typedef struct shells {
    uint32_t count;
    uint32_t *of_vertex;
    uint32_t *place;                    /* for each vertex, the first one at its position */
    uint32_t open_edges, crowded_edges; /* edges with only one face, and with more than two */
} shells;

void shells_find(const mmd_model *model, shells *s);
void shells_finish(shells *s);

/* Posed triangles, sorted into columns along Z. */
typedef struct shell_columns shell_columns;

shell_columns *shell_columns_create(const mmd_model *model, const shells *s, const mmd_skinned_vertex *posed);
void shell_columns_destroy(shell_columns *columns);

/* Computes how often each surface winds about a point: 0 outside, 1 inside, 2 where a surface overlaps
 * itself. winding has shells.count elements. */
void shell_windings(const shell_columns *columns, const double point[3], int *winding);

#endif
