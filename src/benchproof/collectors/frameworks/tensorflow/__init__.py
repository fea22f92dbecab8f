"""TensorFlow with Keras: eager, `tf.function` and XLA, on cpu, cuda and mps (tensorflow-metal)."""

from benchproof.collectors.frameworks.tensorflow.adapter import TensorFlowAdapter


def adapter() -> TensorFlowAdapter:
    """The adapter of the TensorFlow that is installed; ImportError where there is none."""
    return TensorFlowAdapter()
