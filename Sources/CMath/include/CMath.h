#pragma once
// libm, for targets that import no Glibc.
#include <math.h>
