#include "mmd/image.h"
