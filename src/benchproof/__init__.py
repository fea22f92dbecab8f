"""benchproof: posts about benchmarks whose numbers cannot be wrong."""

__version__ = "0.1.0"
