#pragma once
#include <alsa/asoundlib.h>

// Swift cannot write a handler of variadic type. libasound would print to standard error by itself;
// what matters comes back as error numbers.
static inline void sonde_ignore_alsa_error(const char *file, int line, const char *function,
                                           int number, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)number, (void)format;
}

/// Stops libasound from printing to standard error (C: `snd_lib_error_set_handler`).
static inline void sonde_quiet_alsa(void) { snd_lib_error_set_handler(sonde_ignore_alsa_error); }
