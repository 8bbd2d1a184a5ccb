import Glibc

/// A number that no other living thread has (C: `pthread_self`).
func currentThreadIdentity() -> UInt { UInt(pthread_self()) }
