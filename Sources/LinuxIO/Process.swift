import Glibc

/// Ends this process with an exit status (C: `exit`).
public func exitProcess(_ status: Int32) -> Never { exit(status) }
