#pragma once
// What Glibc's Swift module does not import: epoll, eventfd, timerfd, signalfd, and calls that need _GNU_SOURCE.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/// Names the calling thread (C: `pthread_setname_np`); at most 15 bytes are kept.
void sonde_set_thread_name(const char *name);

/// The text and the constant's name of an errno, or NULL (C: `strerrordesc_np`, `strerrorname_np`).
const char *sonde_error_text(int number);
const char *sonde_error_name(int number);

/// The soft limits of this process (C: `getrlimit`), UINT64_MAX for unlimited.
uint64_t sonde_limit_realtime_priority(void);
uint64_t sonde_limit_locked_memory(void);
uint64_t sonde_limit_open_files(void);

/// Touches `bytes` of the calling thread's stack, so that no page fault comes later.
void sonde_prefault_stack(size_t bytes);

/// Makes the calling thread treat denormal numbers as zero (x86: MXCSR FTZ and DAZ; aarch64: FPCR FZ), and returns
/// what it had before.
uint64_t sonde_denormals_off(void);
/// Gives the calling thread back what `sonde_denormals_off` returned.
void sonde_restore_denormals(uint64_t control);

/// Waits until `deadline`, in nanoseconds on CLOCK_MONOTONIC, at most (C: `sem_clockwait`): 0 or an errno.
int sonde_wait_for_semaphore(sem_t *semaphore, int64_t deadline);

/// Gives the calling thread SCHED_FIFO (C: `pthread_setschedparam`): 0 or an errno.
int sonde_set_thread_realtime(int priority);

/// The name in an inotify record that starts at `record`; empty where the folder itself is meant.
const char *sonde_inotify_name(const void *record);

/// RealtimeSanitizer's marks around realtime code; they do nothing unless its runtime is linked in.
void sonde_realtime_enter(void);
void sonde_realtime_exit(void);
int sonde_realtime_checked(void);

