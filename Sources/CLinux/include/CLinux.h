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

/// Lets this process keep memory that it has freed, puts blocks of up to 32 MB where that works (C: `mallopt`), and
/// keeps the kernel from moving pages together (C: `PR_SET_THP_DISABLE`).
void sonde_keep_memory_steady(void);
/// Puts so many bytes into memory for what the calling thread allocates later.
void sonde_reserve_memory(size_t bytes);

/// Puts the code and data of the program and of every library that is loaded into memory (C: `MADV_POPULATE_READ`;
/// kernels before 5.14 leave that to the first use).
void sonde_load_program(void);

/// What a thread that may become realtime does first: it takes SIGXCPU itself, whatever mask it inherited, and its
/// sleeps end on time under the ordinary scheduler too (C: `PR_SET_TIMERSLACK`). Returns the kernel's number of it.
int sonde_prepare_thread(void);

/// Limits how long a realtime thread of this process may compute without a pause (C: `RLIMIT_RTTIME`), in
/// microseconds, and makes a thread that does ordinary before the kernel kills the process. 0, or an errno.
int sonde_limit_realtime_time(uint64_t microseconds);

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

