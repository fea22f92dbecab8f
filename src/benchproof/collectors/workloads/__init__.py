"""What is measured: each model once, with its shapes, weights, work, and a NumPy reference."""
