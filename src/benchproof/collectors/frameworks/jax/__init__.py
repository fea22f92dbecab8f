"""JAX without a layer library: models as pure functions, run op by op or by `jax.jit`."""
