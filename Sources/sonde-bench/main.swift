import LinuxIO

// Kept to the end: its thread is never joined.
let interruption = try Interruption()
exitProcess(runBenchmarks(Array(CommandLine.arguments.dropFirst())))
