"""JAX without a layer library: models as pure functions, run op by op or by `jax.jit`."""

import os

# By default JAX takes three quarters of the GPU's memory at its first call, which would be counted
# as the model's and starve what else runs there. It is read when a backend starts.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

from benchproof.collectors.frameworks.jax.adapter import JaxAdapter


def adapter() -> JaxAdapter:
    """The adapter of the JAX that is installed; ImportError where there is none."""
    return JaxAdapter()
