/* The three functions of the backend's table about states. */
#ifndef MMD_PHYSICS_SNAPSHOT_HPP
#define MMD_PHYSICS_SNAPSHOT_HPP

#include "../backend.h"

size_t world_state_size(const mmd_world *common);
void world_save(const mmd_world *common, uint8_t *state);
void world_restore(mmd_world *common, const uint8_t *state);

#endif
