/*
 * Mathematics shared by the engine's modules: cglm, with loads that need no
 * alignment (our arrays are plain floats). Not a public header.
 */
#ifndef MMD_MATH_H
#define MMD_MATH_H

#ifndef CGLM_ALL_UNALIGNED
#define CGLM_ALL_UNALIGNED
#endif
#include <cglm/cglm.h>

#endif
