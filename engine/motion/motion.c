#include "mmd/motion.h"
