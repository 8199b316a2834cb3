#include "mmd/render.h"
