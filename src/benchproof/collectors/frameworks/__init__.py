"""How each framework runs the workloads: one module (or folder) a framework, behind `base`."""
