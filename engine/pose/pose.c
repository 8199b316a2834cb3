#include "mmd/pose.h"
