#pragma once
// What Glibc's Swift module does not import: epoll, eventfd, timerfd, signalfd, and calls that need _GNU_SOURCE.
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/// Names the calling thread (C: `pthread_setname_np`); at most 15 bytes are kept.
void sonde_set_thread_name(const char *name);
