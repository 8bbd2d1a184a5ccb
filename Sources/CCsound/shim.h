#pragma once
// Debian's libcsound64 is built with 64-bit samples; the headers must agree.
#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif
#include <csound/csound.h>
