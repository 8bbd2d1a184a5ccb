print("sonde")
