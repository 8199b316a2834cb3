#include "mmd/actor.h"
