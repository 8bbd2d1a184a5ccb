#include "CLinux.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

// Defined here, not in the header: these declarations need _GNU_SOURCE, which clashes with Swift's Glibc module.
void sonde_set_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = 0;
  pthread_setname_np(pthread_self(), kept);
}

const char *sonde_error_text(int number) { return strerrordesc_np(number); }
const char *sonde_error_name(int number) { return strerrorname_np(number); }

static uint64_t soft_limit(int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

uint64_t sonde_limit_realtime_priority(void) { return soft_limit(RLIMIT_RTPRIO); }
uint64_t sonde_limit_locked_memory(void) { return soft_limit(RLIMIT_MEMLOCK); }
uint64_t sonde_limit_open_files(void) { return soft_limit(RLIMIT_NOFILE); }

__attribute__((noinline)) void sonde_prefault_stack(size_t bytes) {
  volatile char touched[bytes];
  for (size_t at = 0; at < bytes; at += 1024) touched[at] = 0;
}

uint64_t sonde_denormals_off(void) {
  uint64_t control = 0;
#if defined(__x86_64__) || defined(__i386__)
  control = _mm_getcsr();
  _mm_setcsr((unsigned)control | 0x8040);  // FTZ is bit 15, DAZ bit 6
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | (1ull << 24)));
#endif
  return control;
}

void sonde_restore_denormals(uint64_t control) {
#if defined(__x86_64__) || defined(__i386__)
  _mm_setcsr((unsigned)control);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#else
  (void)control;
#endif
}

const char *sonde_inotify_name(const void *record) {
  const struct inotify_event *event = record;
  return event->len > 0 ? event->name : "";
}

int sonde_wait_for_semaphore(sem_t *semaphore, int64_t deadline) {
  struct timespec time = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
  int result;
  do {
    result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &time);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
}

int sonde_set_thread_realtime(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

// Weak: present only in a build that links the sanitizer's runtime.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

void sonde_realtime_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}
void sonde_realtime_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
int sonde_realtime_checked(void) { return __rtsan_realtime_enter != 0; }
