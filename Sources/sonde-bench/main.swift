import LinuxIO

ignoreBrokenPipes()
exitProcess(runBenchmarks(Array(CommandLine.arguments.dropFirst())))
