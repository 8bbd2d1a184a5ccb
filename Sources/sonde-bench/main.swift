print("sonde-bench")
