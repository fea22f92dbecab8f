"""The catalogue's models have the sizes that papers and hand formulas give them."""

from math import prod

import pytest

from benchproof.collectors.workloads.catalogue import LARGE, SMALL, WORKLOADS
from benchproof.collectors.workloads.workload import Workload

# The small ones by hand; ViT-Tiny as in timm (vit_tiny_patch16_224), ConvNeXt-Tiny as in
# torchvision (convnext_tiny), both with a head of 1000 classes.
PARAMETERS = {
    "ff-dnn": 118_794, "cnn": 77_322, "rnn": 67_082, "lstm": 264_458, "transformer": 397_834,
    "vit-tiny": 5_717_416, "convnext-tiny": 28_589_128,
}  # fmt: skip
HEAD = 2 * 128 * 10
FLOPS = {
    "ff-dnn": 2 * (784 * 128 + 128 * 128) + HEAD,
    "cnn": 2 * 9 * (3 * 64 * 32 * 32 + 64 * 128 * 16 * 16) + HEAD,
    "rnn": 2 * (2 * 32 * 128 * (128 + 128)) + HEAD,
    "lstm": 4 * 2 * (2 * 32 * 128 * (128 + 128)) + HEAD,
    # Four projections, scores and their use, two dense layers; twice.
    "transformer": 2 * 2 * (4 * 32 * 128**2 + 2 * 32**2 * 128 + 2 * 32 * 128 * 512) + HEAD,
    "vit-tiny": 2 * (
        196 * 192 * 16 * 16 * 3
        + 12 * (4 * 197 * 192**2 + 2 * 197**2 * 192 + 2 * 197 * 192 * 768)
        + 192 * 1000
    ),
    # A stem, depthwise 7x7 and two dense layers a block, three reductions, a head.
    "convnext-tiny": 2 * (
        56**2 * 96 * 16 * 3
        + sum(
            blocks * side**2 * (49 * width + 2 * 4 * width**2)
            for side, width, blocks in ((56, 96, 3), (28, 192, 3), (14, 384, 9), (7, 768, 3))
        )
        + sum(side**2 * 2 * width**2 for side, width in ((28, 192), (14, 384), (7, 768)))
        + 768 * 1000
    ),
}  # fmt: skip
# What was measured under a fingerprint stays comparable only while it stays: change one with care.
FINGERPRINTS = {
    "ff-dnn": "c26c1d18f2a0cc3e",
    "cnn": "f89df9249fb166a0",
    "rnn": "35339f5c3f0c2174",
    "lstm": "4224a6809c5e13ec",
    "transformer": "fbcd0b663c7d88dd",
    "vit-tiny": "3c0a051158347249",
    "convnext-tiny": "af163bb1e75866ea",
}

each_workload = pytest.mark.parametrize("workload", SMALL + LARGE, ids=lambda each: each.slug)


@each_workload
def test_parameters_are_the_known_ones(workload: Workload) -> None:
    assert workload.parameter_count == PARAMETERS[workload.slug]


@each_workload
def test_flops_are_those_of_the_hand_formula_for_every_item_of_a_batch(workload: Workload) -> None:
    assert workload.flops(1) == FLOPS[workload.slug]
    assert workload.flops(7) == 7 * FLOPS[workload.slug]


def test_known_totals() -> None:
    assert WORKLOADS["ff-dnn"].flops(1) == 236_032
    # torchvision tells 4.456 G multiply-adds for convnext_tiny; DeiT's paper 1.3 G for ViT-Tiny.
    assert round(WORKLOADS["convnext-tiny"].flops(1) / 2e9, 3) == 4.456
    assert round(WORKLOADS["vit-tiny"].flops(1) / 2e9, 1) == 1.3


@each_workload
def test_a_fingerprint_is_what_it_was(workload: Workload) -> None:
    assert workload.fingerprint == FINGERPRINTS[workload.slug]


@each_workload
def test_parameters_and_statistics_have_names_of_their_own(workload: Workload) -> None:
    drawn = workload.weights()
    assert not workload.weight_shapes.keys() & workload.buffer_shapes.keys()
    assert {name: array.shape for name, array in drawn.items()} == (
        workload.weight_shapes | workload.buffer_shapes
    )
    assert len({array.tobytes() for array in drawn.values()}) == len(drawn)


def test_only_batch_normalisation_keeps_statistics() -> None:
    kept = {each.slug: sum(map(prod, each.buffer_shapes.values())) for each in SMALL + LARGE}
    assert {slug: count for slug, count in kept.items() if count} == {"cnn": 2 * (64 + 128)}


def test_slugs_and_names_are_distinct() -> None:
    assert list(WORKLOADS) == [each.slug for each in SMALL + LARGE]
    assert len({each.name for each in SMALL + LARGE}) == len(WORKLOADS) == 7
    assert len({each.fingerprint for each in SMALL + LARGE}) == 7
