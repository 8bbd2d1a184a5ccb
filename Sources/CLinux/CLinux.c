#include "CLinux.h"
#include <string.h>

// Defined here, not in the header: the declaration needs _GNU_SOURCE, which clashes with Swift's Glibc module.
void sonde_set_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = 0;
  pthread_setname_np(pthread_self(), kept);
}
