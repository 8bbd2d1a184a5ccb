#pragma once
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <sys/ioctl.h>

/// Times of the node's events are on CLOCK_MONOTONIC from here on (C: `EVIOCSCLOCKID`, a macro that Swift does not see).
static inline int sonde_evdev_set_clock(int descriptor, int clock) {
  return ioctl(descriptor, EVIOCSCLOCKID, &clock);
}
