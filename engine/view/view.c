#include "mmd/view.h"
