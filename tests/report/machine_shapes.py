"""Shapes of telemetry that a machine may leave, and what its post has to say of each."""

from collections.abc import Callable
from typing import Any, NamedTuple

from factory import CEILINGS
from report.measured import CHIPS, MEASURED, MS, At, Ended, Speed, on_chip, study

from benchproof.model.raw import RawFile

NO_GRAPHS = "torch.compile(inductor) compiled nothing (0 graphs): it ran eager"
FAILED = Ended("failed", "out of memory")


def by(**levels: float) -> Speed:
    """5 ms, times the level of each part of a cell's place that has one (`torch` for PyTorch's)."""

    def speed(at: At) -> float:
        ms = 5.0
        for name in (at.device, at.framework, "compiled" if at.compiles else "eager"):
            ms *= levels.get(name, 1.0)
        return ms

    return speed


def but(usual: Speed, ended: Ended, *, when: Callable[[At], bool]) -> Speed:
    """Cells of a usual speed, but for some that ended otherwise."""
    return lambda at: ended if when(at) else usual(at)


FAST_JAX = by(JAX=0.5, compiled=0.8)
BOTH: dict[str, Any] = {"devices": ("cpu", "cuda")}


class Shape(NamedTuple):
    """A study, what its post has to say, and what it must not (patterns of whole-page text)."""

    raws: Callable[[], list[RawFile]]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


SHAPES = {
    "two frameworks": Shape(
        lambda: study(FAST_JAX),
        (r"16 cells, each", r"met in 4 contests of equal work: JAX wins all of them\.",
         r"8 compiled variants were held against eager: all are conclusively faster\.",
         r"No GPU was measured\.", r"No cell was measured in several processes",
         r"None of 4 A/A controls", r"no telemetry of TensorFlow and MLX",
         r"found nothing against it", r"CPU: AMD EPYC 9R14; 8 processors"),
        (r"tie", r"unstable", r"could not be", r"the GPU", r"Only"),
    ),
    "one framework": Shape(
        lambda: study(FAST_JAX, frameworks=("JAX",)),
        (r"JAX alone was measured, so there is no contest\.", r"How fast it is"),
        (r"\bwins?\b", r"Which framework", r"Fastest by", r"\btie"),
    ),
    "one batch": Shape(
        lambda: study(FAST_JAX, batches=(8,)),
        (r"JAX wins all of them",), (r"Growth with the batch", r"Batch 1\b"),
    ),
    "one cell": Shape(
        lambda: study(but(by(), FAILED, when=lambda at: at.compiles or at.batch == 1),
                      frameworks=("PyTorch",), models=("CNN",), twin=lambda at: 1.0),
        (r"1 cell, a variant of a framework with a model, a batch and a precision, was measured",
         r"No compiled variant could be held against eager\.",
         r"The A/A control \(a cell measured as a pair\) does not conclusively differ",
         r"1 was measured, and it does not differ", r"failed: PyTorch eager on the CPU, fp32 "
         r"\(CNN at batch 1\): out of memory"),
        (r"\bcells was", r"Growth with the batch", r"contests? of equal"),
    ),
    "all tied": Shape(
        lambda: study(by(), spread=0.02),
        (r"met in 4 contests of equal work: all are ties\.",
         r"for all of them the samples do not decide\."),
        (r"\bwins (it|all|\d)", r"\| wins", r"is conclusively faster", r"are conclusively faster"),
    ),
    "one contest, a tie": Shape(
        lambda: study(by(), spread=0.02, models=("CNN",), batches=(8,), twin=lambda at: None),
        (r"met in 1 contest of equal work: it is a tie\.",), (r"\bwins (it|all|\d)",),
    ),
    "all failed": Shape(
        lambda: study(lambda at: FAILED),
        (r"Nothing could be measured as asked on this machine; @sec-missing says why",
         r"failed: JAX jax\.jit on the CPU, fp32 \(CNN at batches 1 and 8; RNN at batches 1 and 8\)"
         r": out of memory", r"AMD EPYC 9R14: neural networks"),
        (r"How far to trust", r"fastest", r"GPU", r"gates"),
    ),
    "all skipped": Shape(
        lambda: study(lambda at: Ended("skipped", "JAX is not installed"), frameworks=("JAX",)),
        (r"skipped: JAX eager on the CPU, fp32 .*: JAX is not installed",), (r"failed",),
    ),
    "a framework missing": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", "no module named jax"),
                          when=lambda at: at.framework == "JAX")),
        (r"PyTorch alone was measured", r"skipped: JAX .*: no module named jax",
         r"no telemetry of TensorFlow and MLX"), (r"JAX wins", r"telemetry of JAX"),
    ),
    "some failed": Shape(
        lambda: study(but(FAST_JAX, FAILED, when=lambda at: at.batch == 8 and at.model == "RNN"
                          and at.framework == "JAX")),
        (r"met in 3 contests of equal work: JAX wins all of them",
         r"For 1 further combination of device, model, batch and precision there is no contest",
         r"\| failed \|"), (r"JAX wins 4",),
    ),
    "GPU faster": Shape(
        lambda: study(by(cuda=0.2, JAX=0.5), **BOTH),
        (r"The GPU met the CPU in 8 comparisons of a framework with itself: "
         r"in all of them the GPU is conclusively faster", r"On the GPU, frameworks met in 4",
         r"AMD EPYC 9R14 and NVIDIA H200: neural", r"GPU: NVIDIA H200; 8 of the host's processors"),
        (r"the CPU is conclusively faster", r"No GPU"),
    ),
    "GPU slower": Shape(
        lambda: study(by(cuda=3.0, JAX=0.5), **BOTH),
        (r"in all of them the CPU is conclusively faster",),
        (r"GPU is (conclusively )?faster", r"faster on the GPU"),
    ),
    "GPU as fast as the CPU": Shape(
        lambda: study(by(), spread=0.02, **BOTH),
        (r"itself: in all of them the samples do not decide",), (r"[CG]PU is conclusively faster",),
    ),
    "a GPU alone": Shape(
        lambda: study(FAST_JAX, devices=("cuda",)),
        (r"The CPU was not measured, so nothing here compares the GPU with it",
         r"NVIDIA H200: neural"), (r"^## GPU or CPU", r"EPYC", r"No GPU", r"met the CPU"),
    ),
    "a GPU that failed": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", "no CUDA here"),
                          when=lambda at: at.device == "cuda"), **BOTH),
        (r"No GPU was measured: what was asked of the GPU failed, was skipped",
         r"skipped: JAX eager on the GPU, fp32 .*: no CUDA here"),
        (r"^## GPU or CPU", r"met the CPU", r"different chips"),
    ),
    "a framework that finds no GPU": Shape(  # its job knows the host's chip alone
        lambda: [*study(FAST_JAX, devices=("cuda",), frameworks=("JAX",)),
                 *on_chip(CHIPS["cpu"], study(lambda at: Ended("skipped", "no CUDA here"),
                                              devices=("cuda",), frameworks=("PyTorch",)))],
        (r"JAX alone was measured", r"NVIDIA H200: neural", r"skipped: PyTorch eager on the GPU",
         r"found nothing against it"), (r"different chips", r"EPYC"),
    ),
    "a CPU that failed": Shape(
        lambda: study(but(FAST_JAX, FAILED, when=lambda at: at.device == "cpu"), **BOTH),
        (r"The CPU was asked for, but gave no measurement",), (r"met the CPU", r"No GPU"),
    ),
    "a framework without the GPU": Shape(
        lambda: study(but(by(cuda=0.2), FAILED,
                          when=lambda at: (at.device, at.framework) == ("cuda", "JAX")), **BOTH),
        (r"in 4 comparisons of a framework with itself: in all of them the GPU",
         r"JAX has no measured cell on the GPU\.",
         r"On the CPU, frameworks met in 4 contests"), (r"On the GPU, frameworks met",),
    ),
    "GPUs of different kinds": Shape(
        lambda: study(by(cuda=0.2, mps=2.0, JAX=0.5), devices=("cpu", "cuda", "mps"), batches=(8,)),
        (r"A GPU met the CPU in 8 comparisons .*: in 4 the GPU is conclusively faster, and in 4 "
         r"the CPU is conclusively faster", r"On the GPU \(mps\), frameworks met in 2 contests",
         r"on the CPU, the GPU \(mps\) and the GPU \(cuda\)\."), (r"The GPU met",),
    ),
    "several precisions": Shape(
        lambda: study(FAST_JAX, precisions=("fp32", "bf16"), batches=(8,)),
        (r"\| bf16 and fp32 \|", r"no roof of their precision is known"), (r"all of it in",),
    ),
    "three rounds": Shape(
        lambda: study(by(JAX=0.9), rounds=3, between=0.1, batches=(8,)),
        (r"Every cell was measured in several processes\.", r"The medians of a cell's rounds "
         r"scatter by [\d.]+ % to [\d.]+ %", r"all are ties"), (r"not known",),
    ),
    "rounds for some": Shape(
        lambda: [*study(FAST_JAX, frameworks=("JAX",), rounds=2, batches=(8,)),
                 *study(FAST_JAX, frameworks=("PyTorch",), batches=(8,))],
        (r"Only 4 of 8 cells were measured in several processes: how far the others move",
         r"For the others it is not known"), (r"Every cell was", r"No cell"),
    ),
    "unstable": Shape(
        lambda: study(lambda at: Ended("unstable", "throttled", FAST_JAX(at))),
        (r"All cells are marked \*unstable\*", r"In @tbl-latency a tilde marks it",
         r"\| ~2\.\d+ \|",
         r"No A/A control was measured"), (r"16 of 16",),
    ),
    "one unstable": Shape(
        lambda: study(but(FAST_JAX, Ended("unstable", "throttled", 2.5), when=lambda at:
                          at[1:5] == ("JAX", "eager", "CNN", 8))),
        (r"1 of 16 cells is marked \*unstable\*",), (r"All cells are",),
    ),
    "controls that differ": Shape(
        lambda: study(FAST_JAX, twin=lambda at: 1.5 if at[1:5:2] == ("JAX", "CNN") else 1.0),
        (r"Of 8 A/A controls \(cells measured as pairs\), 2 differ: of the same framework",
         r"8 were measured, and 2 differ conclusively by more than 2 %",
         r"control-differs: JAX eager CNN"), (r"None of \d+ A/A", r"found nothing against"),
    ),
    "a control that differs": Shape(
        lambda: study(FAST_JAX, twin=lambda at: 1.5 if at[1:5] == ("JAX", "eager", "CNN", 8)
                      else None),
        (r"The A/A control \(a cell measured as a pair\) differs: of the same framework",
         r"1 was measured, and it differs"),
        (r"None of",),
    ),
    "a variant that compiled nothing": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", NO_GRAPHS), when=lambda at:
                          at.framework == "PyTorch" and at.compiles)),
        (r"4 compiled variants were held", r"4 further compiled variants have no comparison",
         r"skipped: PyTorch torch\.compile\(inductor\) on the CPU, fp32 \(CNN at batches 1 and 8; "
         r"RNN at batches 1 and 8\): torch\.compile\(inductor\) compiled nothing"),
        (r"8 compiled", r"Not compared"),
    ),
    "compiled slower": Shape(
        lambda: study(by(JAX=0.5, compiled=1.7)),
        (r"8 compiled variants were held against eager: all are conclusively slower",),
        (r"conclusively faster\.", r"pays after", r"\| faster \|"),
    ),
    "device times": Shape(
        lambda: study(by(cuda=0.2, JAX=0.5), **BOTH, device_samples_ns=(MS // 4, MS // 3)),
        (r"Dispatch and device time", r"\| 0\.292 \|"),
    ),
    "no ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=()),
        (r"No ceilings are known for this hardware",), (r"Where the roof comes from", r"Lowest"),
    ),
    "datasheet ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=CEILINGS),
        (r"\| datasheet \| 16 \|", r"CPU, arithmetic: sheet"), (r"\| measured \|",),
    ),
    "measured ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=MEASURED),
        (r"\| measured \| 16 \|", r"1\.00 TFLOP/s"), (r"\| datasheet \|",),
    ),
    "ran elsewhere": Shape(
        lambda: study(by(cuda=0.2), **BOTH, frameworks=("JAX",), actual_device="cpu"),
        (r"No GPU was measured: what was asked of the GPU failed, was skipped or ran elsewhere",
         r"The gates found errors in this telemetry", r"ran elsewhere: JAX eager, fp32 .*: asked "
         r"for cuda, ran on cpu; it is no evidence about the GPU",
         r"4 compiled variants were held"), (r"met the CPU",),
    ),
    "too few samples": Shape(
        lambda: [  # a sample a cell: no interval, so nothing can be won
            *study(by(), samples_ns=(4 * MS,), frameworks=("JAX",), models=("CNN",),
                   twin=lambda at: None),
            *study(by(), samples_ns=(5 * MS,), frameworks=("PyTorch",), models=("CNN",),
                   twin=lambda at: None),
        ],
        (r"met in 2 contests of equal work: all have too few samples for a verdict",
         r"for all of them there are too few samples for a verdict"),
        (r"\bwins (it|all|\d)", r"\btie"),
    ),
    "the work is unequal": Shape(
        lambda: [*study(by(), frameworks=("JAX",), flops_per_call=1_000_000),
                 *study(by(), frameworks=("PyTorch",), flops_per_call=2_000_000)],
        (r"No frameworks did the same work on the same device, so there is no contest",),
        (r"\bwins\b", r"JAX alone"),
    ),
    "a sweep that was cut short": Shape(
        lambda: [*study(FAST_JAX, frameworks=("JAX",)),
                 *study(FAST_JAX, frameworks=("PyTorch",), models=("CNN",))],
        (r"no record: PyTorch eager on the CPU, fp32 \(RNN at batches 1 and 8\)",), (r"failed",),
    ),
}  # fmt: skip
