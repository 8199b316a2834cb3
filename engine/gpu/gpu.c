#include "mmd/gpu.h"
