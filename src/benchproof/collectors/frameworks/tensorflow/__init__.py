"""TensorFlow with Keras: eager, `tf.function` and XLA, on cpu, cuda and mps (tensorflow-metal)."""
