#pragma once

// libjack is found at run time and its headers need not be installed; so there is only what Swift cannot write:
// a call of a function with a variable number of arguments.

/// C: `jack_client_open`, found at `function`; `server` may be null, and `options` then lacks JackServerName.
static inline void *_Nullable sonde_open_jack_client(const void *_Nonnull function,
                                                     const char *_Nonnull name, unsigned options,
                                                     unsigned *_Nonnull status,
                                                     const char *_Nullable server) {
  typedef void *(*open_function)(const char *, unsigned, unsigned *, ...);
  open_function open = (open_function)function;
  return server ? open(name, options, status, server) : open(name, options, status);
}
