/* Compares two models field by field with cmocka assertions: everything that a PMX file stores. */
#ifndef ODORI_COMPARE_MODELS_H
#define ODORI_COMPARE_MODELS_H

#include "mmd/model.h"

void assert_models_equal(const mmd_model *a, const mmd_model *b);

#endif
