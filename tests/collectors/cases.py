"""Workloads as cases of tests; those that take long carry their marks."""

import pytest

from benchproof.collectors.workloads.catalogue import LARGE

# ViT-Tiny runs in every suite; ConvNeXt-Tiny's reference takes as long as many tests do, and runs
# there for the two frameworks that have to have it: `pytest -m large` runs the others.
LARGE_CASES = [
    pytest.param(
        each,
        id=each.slug,
        marks=[pytest.mark.slow, *([pytest.mark.large] if each.slug == "convnext-tiny" else [])],
    )
    for each in LARGE
]
