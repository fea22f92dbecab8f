"""PyTorch: eager, `torch.compile` and CUDA graphs, on CPUs, CUDA and Apple's GPUs.

Nothing here falls back unseen: `PYTORCH_ENABLE_MPS_FALLBACK` is refused, an output tells its own
device, and what `torch.compile` left to eager shows in the share of FLOPs that it compiled.
"""
