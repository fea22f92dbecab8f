"""Measuring on this machine; needs the standard library, NumPy and one framework, nothing else."""
