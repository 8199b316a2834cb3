#include "mmd/format.h"
