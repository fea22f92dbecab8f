"""MLX: lazy graphs that `mx.eval` computes, and `mx.compile`, on cpu, mps (Metal) and cuda."""

from benchproof.collectors.frameworks.mlx.adapter import MlxAdapter


def adapter() -> MlxAdapter:
    """The adapter of the MLX that is installed; ImportError where there is none."""
    return MlxAdapter()
