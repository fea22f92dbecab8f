"""MLX: lazy graphs that `mx.eval` computes, and `mx.compile`, on cpu, mps (Metal) and cuda."""
