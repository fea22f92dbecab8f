"""What tests can measure with here."""

import pytest

from benchproof.collectors.presence import installed_frameworks
from benchproof.model.keys import Framework


def any_framework() -> Framework:
    """The installed framework that starts fastest; the test is skipped where there is none."""
    order = (Framework.MLX, Framework.JAX, Framework.PYTORCH, Framework.TENSORFLOW)
    found = [framework for framework in order if framework in installed_frameworks()]
    if not found:
        pytest.skip("no framework is installed to measure with")
    return found[0]
