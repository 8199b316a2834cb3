/* The JSON of `odori diff`, for those who write it into something else. */
#ifndef ODORI_DIFF_JSON_H
#define ODORI_DIFF_JSON_H

#include "internal.h"
#include "base/emit.h"

void findings_emit(emitter *j, const diff_findings *f);

#endif
