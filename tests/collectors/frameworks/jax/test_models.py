"""The JAX models compute what the workloads say, in every variant and precision of a CPU."""

import pytest

pytest.importorskip("jax")

import jax
from collectors.frameworks.jax.programs import (
    ADAPTER,
    EAGER,
    JIT,
    compilations,
    error,
    program,
    run,
)

from benchproof.collectors.frameworks.base import UnsupportedError, Variant
from benchproof.collectors.frameworks.jax import models
from benchproof.collectors.workloads import layers as parts
from benchproof.collectors.workloads.catalogue import LARGE, SMALL
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Precision

each_small = pytest.mark.parametrize("workload", SMALL, ids=lambda each: each.slug)
each_large = pytest.mark.parametrize("workload", LARGE, ids=lambda each: each.slug)
each_variant = pytest.mark.parametrize("variant", [EAGER, JIT], ids=lambda each: each.name)
LIMITS = {Precision.FP16: 1e-2, Precision.BF16: 1e-1}
HALVES = [precision for precision in LIMITS if precision in ADAPTER.precisions(Device.CPU)]


@each_small
@each_variant
def test_fp32_agrees_with_the_reference(workload: Workload, variant: Variant) -> None:
    with program(workload, variant) as made:
        assert error(made, workload) < 1e-4
        assert run(made).shape == (4, *workload.output_shape)


@each_small
@pytest.mark.parametrize("precision", HALVES)
def test_half_precisions_agree_as_far_as_they_can(workload: Workload, precision: Precision) -> None:
    with program(workload, JIT, precision=precision) as made:
        # More exact than the type: then the arithmetic was done in another one.
        assert 1e-4 < error(made, workload) < LIMITS[precision]
        assert made.call().dtype == {"fp16": "float16", "bf16": "bfloat16"}[precision]


@pytest.mark.slow
@each_large
def test_large_models_agree_with_the_reference(workload: Workload) -> None:
    with program(workload, JIT, batch=1) as made:
        assert error(made, workload, items=1) < 1e-4
        assert made.parameter_count == workload.parameter_count


@pytest.mark.parametrize("slug", ["rnn", "lstm", "transformer"])
def test_eager_calls_after_the_first_compile_nothing(slug: str) -> None:
    with program(slug, EAGER, batch=2) as made, compilations() as seen:
        run(made)
        first = len(seen)
        for _ in range(3):
            run(made)
        assert first > 5
        assert len(seen) == first


def test_a_layer_that_the_models_do_not_have_is_unsupported() -> None:
    class Unknown(parts.Layer):
        """A layer that only this test knows."""

    with pytest.raises(UnsupportedError, match="no layer Unknown"):
        models.build((parts.Relu(), Unknown()), None)


def test_products_are_asked_for_the_precision_by_themselves() -> None:
    for workload in (*SMALL, *LARGE):
        model = models.build(workload.layers, jax.lax.Precision.HIGHEST)
        shapes = {
            name: jax.ShapeDtypeStruct(shape, "float32")
            for name, shape in (workload.weight_shapes | workload.buffer_shapes).items()
        }
        batch = jax.ShapeDtypeStruct((2, *workload.input_shape), "float32")
        text = jax.jit(model).lower(shapes, batch).as_text()
        products = [line for line in text.splitlines() if "dot_general" in line
                    or "stablehlo.convolution" in line]  # fmt: skip
        assert products
        assert [line for line in products if "HIGHEST" not in line] == []
