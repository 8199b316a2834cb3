/*
 * Bullet's common headers, to be included before any other of Bullet. Their inline functions, btSin and its
 * kind, become parts of this module and compute with the engine's elementary functions instead of the C
 * library's.
 */
#ifndef MMD_PHYSICS_BULLET_BULLET_HPP
#define MMD_PHYSICS_BULLET_BULLET_HPP

#include <cmath>
#include <cstdlib>

#include "mmd/elementary.h"

#define sinf   mmd_sinf
#define cosf   mmd_cosf
#define tanf   mmd_tanf
#define asinf  mmd_asinf
#define acosf  mmd_acosf
#define atan2f mmd_atan2f
#define expf   mmd_expf
#define logf   mmd_lnf
#define powf   mmd_powf

#include <btBulletDynamicsCommon.h>

#undef sinf
#undef cosf
#undef tanf
#undef asinf
#undef acosf
#undef atan2f
#undef expf
#undef logf
#undef powf

#endif
