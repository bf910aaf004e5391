"""Grid networks, learned with PyTorch: their shape from the rules, the network itself, and the learner."""
