/* The two functions of the backend's table about contacts. */
#ifndef MMD_PHYSICS_CONTACTS_HPP
#define MMD_PHYSICS_CONTACTS_HPP

#include "../backend.h"

size_t world_contacts(const mmd_world *common, mmd_contact *contacts, size_t max);
size_t world_trigger_events(const mmd_world *common, mmd_trigger_event *events, size_t max);

#endif
