#include "CLinux.h"
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
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

void sonde_keep_memory_steady(void) {
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  // While the kernel collects small pages into a huge one, whoever touches them waits.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

void sonde_reserve_memory(size_t bytes) {
  char *room = malloc(bytes);
  if (!room) return;
  for (volatile char *at = room; at < room + bytes; at += 1024) *at = 0;
  free(room);
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

static int load_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  uintptr_t page = (uintptr_t)*(long *)data - 1;
  for (int number = 0; number < info->dlpi_phnum; number++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[number];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t start = (info->dlpi_addr + part->p_vaddr) & ~page;
    uintptr_t end = (info->dlpi_addr + part->p_vaddr + part->p_memsz + page) & ~page;
    madvise((void *)start, end - start, MADV_POPULATE_READ);
    // Page by page, as some of a part that is written were made read-only once it was loaded.
    if (part->p_flags & PF_W)
      for (uintptr_t at = start; at < end; at += page + 1)
        madvise((void *)at, page + 1, MADV_POPULATE_WRITE);
  }
  return 0;
}

void sonde_load_program(void) {
  long page = sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(load_object, &page);
}

int sonde_prepare_thread(void) {
  sigset_t time_signal;
  sigemptyset(&time_signal);
  sigaddset(&time_signal, SIGXCPU);
  pthread_sigmask(SIG_UNBLOCK, &time_signal, NULL);
  prctl(PR_SET_TIMERSLACK, 1);
  return gettid();
}

// The kernel sends SIGXCPU to the very thread that has run too long. SCHED_RESET_ON_FORK stays as it is, because only
// root may clear it.
static void become_ordinary(int signal) {
  (void)signal;
  int saved = errno;
  int policy = sched_getscheduler(0);
  int kind = policy & ~SCHED_RESET_ON_FORK;
  if (policy >= 0 && (kind == SCHED_FIFO || kind == SCHED_RR)) {
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_OTHER | (policy & SCHED_RESET_ON_FORK), &none);
  }
  errno = saved;
}

int sonde_limit_realtime_time(uint64_t microseconds) {
  struct sigaction before;
  if (sigaction(SIGXCPU, NULL, &before) != 0) return errno;
  // A program that has a handler of its own keeps it.
  if (before.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = become_ordinary, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGXCPU, &action, NULL) != 0) return errno;
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
  // RLIM_INFINITY is the largest number. At the hard limit the kernel kills, so the soft one comes well before.
  if (limit.rlim_max > microseconds) limit.rlim_max = microseconds;
  if (limit.rlim_cur > limit.rlim_max / 4 * 3) limit.rlim_cur = limit.rlim_max / 4 * 3;
  return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
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
