"""Measuring one group of cells: build, prove, warm up, sample in turn, tell."""

import gc
import random
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchproof.collectors import proof
from benchproof.collectors.clock import timed
from benchproof.collectors.frameworks.base import (
    Adapter,
    Compilation,
    Placed,
    Program,
    UnsupportedError,
    Variant,
)
from benchproof.collectors.machine.conditions import Watch, disturbance
from benchproof.collectors.plan import CellKey, Job
from benchproof.collectors.sampling import Series, interleave
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.collectors.workloads.workload import ITEM_BYTES, Workload
from benchproof.model.keys import Precision, Status

DEVICE_SAMPLES = 200
READING_S = 0.25  # between readings of the conditions: counters of CPU time move in steps
Told = dict[str, Any]


@dataclass
class Candidate:
    """One cell of a group on its way: its program, its series, and what is known of it so far."""

    key: CellKey
    variant: Variant
    is_control: bool = False
    told: Told = field(default_factory=lambda: {"retries": 0})
    program: Program | None = None
    series: Series | None = None
    readings: list[Told] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The cell in words, for progress and errors."""
        return f"{self.key}{' (A/A control)' if self.is_control else ''}"


class Bench:
    """Measures the groups of one job; `at` hears what is about to be done to which cell."""

    def __init__(
        self, job: Job, adapter: Adapter, cores: int, at: Callable[[Candidate, str], None]
    ) -> None:
        self.job = job
        self.cores = cores
        self.adapter = adapter
        self.at = at
        self.watch = Watch(job.device)
        _forget_the_rest()
        self.order = random.Random(job.seed)
        self._retried_s = 0.0
        self._variants = {variant.name: variant for variant in adapter.variants(job.device)}

    def measure(self, keys: Sequence[CellKey], control: CellKey | None) -> Iterator[Candidate]:
        """Measure the cells of one group, and one of them once more as its A/A control.

        Each is given as soon as it is known, before the programs are closed.
        """
        candidates = [Candidate(key, self._variants[key.variant]) for key in keys]
        if control is not None:
            candidates.append(Candidate(control, self._variants[control.variant], is_control=True))
        try:
            ready = [each for each in candidates if self._attempt(each, self._prepare)]
            self._sample(ready)
            for each in candidates:
                if "status" not in each.told:
                    self._attempt(each, self._conclude)
                yield each
        finally:
            for each in candidates:
                if each.program is not None:
                    each.program.close()
            _forget_the_rest()

    def _attempt(self, candidate: Candidate, step: Callable[[Candidate], None]) -> bool:
        """Whether a step went well; where it did not, the cell keeps the reason."""
        try:
            step(candidate)
        except UnsupportedError as bad:
            candidate.told |= {"status": Status.SKIPPED, "reason": _one_line(bad)}
        except Exception as bad:  # noqa: BLE001 - a framework may raise anything; the sweep goes on
            traceback.print_exc()
            candidate.told |= {"status": Status.FAILED, "reason": _one_line(bad)}
        return "status" not in candidate.told

    def _prepare(self, candidate: Candidate) -> None:
        """Build the program, make its first call, and prove that it does the work."""
        self.at(candidate, "build")
        key, workload = candidate.key, WORKLOADS[candidate.key.workload]
        precision = Precision(key.precision)
        candidate.told |= _work_of(workload, key.batch, precision)
        candidate.told["compile_cache"] = self.adapter.compile_cache(candidate.variant)
        program = candidate.program = self.adapter.program(
            workload, workload.weights(), workload.inputs(key.batch),
            candidate.variant, self.job.device, precision,
        )  # fmt: skip
        self.at(candidate, "first call")
        output, first_call_ns = timed(lambda: _done(program))
        candidate.told["first_call_ns"] = first_call_ns
        self._prove(candidate, program, output)
        self.at(candidate, "warm-up")
        candidate.series = Series(program, self.job.protocol)
        candidate.series.warm_up()

    def _prove(self, candidate: Candidate, program: Program, output: object) -> None:
        key, told, workload = candidate.key, candidate.told, WORKLOADS[candidate.key.workload]
        placed = program.placed(output)
        told |= _place(placed) | _sizes(program, Precision(key.precision))
        proof.check_device(placed, self.job.device)
        proof.check_parameters(program.parameter_count, workload)
        checked = proof.check_output(
            program.fetch(output), workload, key.batch, Precision(key.precision)
        )
        told |= {"output_digest": checked.digest, "output_error": checked.error}
        found = program.compilation()
        told |= _compiled(found)
        why_not = proof.not_compiled(candidate.variant, found)
        if why_not is not None:
            raise UnsupportedError(why_not)

    def _sample(self, candidates: Iterable[Candidate]) -> None:
        """Sample the cells in turn; those that were disturbed once more, as often as allowed."""
        waiting = self._pass(list(candidates))
        for retry in range(1, self.job.protocol.retries + 1):
            waiting = [each for each in waiting if self._disturbance(each) is not None]
            spent_s = sum(each.series.spent_s for each in waiting if each.series)
            if not waiting or self._retried_s + spent_s > self.job.protocol.retry_s:
                return
            for each in waiting:
                each.told["discarded_ns"] = each.told.get("discarded_ns", 0) + _sampled_ns(each)
                each.series = _again(each)
                each.told["retries"] = retry
            waiting = self._pass(waiting)
            self._retried_s += spent_s

    def _pass(self, candidates: list[Candidate]) -> list[Candidate]:
        """One go at all the cells; gives those that got through."""
        first = self.watch.read()
        for each in candidates:
            each.readings = [first]
        series = [each.series for each in candidates if each.series is not None]
        unread: set[int] = set()
        due = time.monotonic() + READING_S

        def read() -> None:
            nonlocal due
            reading, due = self.watch.read(), time.monotonic() + READING_S
            for position in unread:
                candidates[position].readings.append(reading)
            unread.clear()

        def take_block(position: int) -> None:
            self.at(candidates[position], "sampling")
            if not self._attempt(candidates[position], lambda _: series[position].sample_block()):
                series[position].is_broken = True

        def after_cycle(taken: list[int]) -> None:
            unread.update(taken)
            if time.monotonic() >= due:
                read()

        interleave(series, self.order, take_block, after_cycle)
        if unread:
            read()
        return [each for each in candidates if "status" not in each.told]

    def _disturbance(self, candidate: Candidate) -> str | None:
        before, after = _conditions(candidate.readings)
        return disturbance(before, after, self.cores, self.job.device)

    def _conclude(self, candidate: Candidate) -> None:
        """The cell's own account: samples, device time, conditions, status."""
        program, series = candidate.program, candidate.series
        assert program is not None
        assert series is not None
        before, after = _conditions(candidate.readings)
        told = candidate.told
        told |= {
            "warmup_ns": series.warmup_ns,
            "calls_per_sample": series.calls,
            "samples_ns": series.samples_ns,
            "before": before,
            "after": after,
        }
        timer = program.device_timer()
        if timer is not None:
            self.at(candidate, "device time")
            told["device_samples_ns"] = timer(min(len(series.samples_ns), DEVICE_SAMPLES))
        told["peak_memory_bytes"] = program.peak_memory_bytes()
        reasons = [self._disturbance(candidate), series.instability]
        marked = [reason for reason in reasons if reason]
        told["status"] = Status.UNSTABLE if marked else Status.OK
        if marked:
            told["reason"] = "; ".join(marked)


def _forget_the_rest() -> None:
    """Free what the group left, and look at what stays never again: a framework is a large heap."""
    gc.collect()
    gc.freeze()


def _done(program: Program) -> object:
    output = program.call()
    program.wait(output)
    return output


def _sampled_ns(candidate: Candidate) -> int:
    series = candidate.series
    return series.calls * sum(series.samples_ns) if series else 0


def _again(candidate: Candidate) -> Series:
    """A new series of the same program, which is warm already."""
    old = candidate.series
    assert old is not None
    return Series(old.program, old.protocol, warmup_ns=old.warmup_ns, calls=old.calls)


def _work_of(workload: Workload, batch: int, precision: Precision) -> Told:
    return {
        "flops_per_call": workload.flops(batch),
        "bytes_per_call": workload.compulsory_bytes(batch, precision),
        "unfused_bytes_per_call": workload.unfused_bytes(batch, precision),
    }


def _place(placed: Placed) -> Told:
    return {"actual_device": placed.device, "device_text": placed.text}


def _sizes(program: Program, precision: Precision) -> Told:
    """The model's size; what the framework holds besides, such as statistics, is only reported."""
    return {
        "parameter_count": program.parameter_count,
        "parameter_bytes": program.parameter_count * ITEM_BYTES[precision],
        "reported": {"held_bytes": program.parameter_bytes},
        "redundant_parameters": program.redundant_parameters,
        "counted_flops_per_call": program.counted_flops(),
    }


def _compiled(found: Compilation | None) -> Told:
    if found is None:
        return {}
    told: Told = {"compiled_graphs": found.graphs, "compiled_flops_share": found.flops_share}
    return told | ({"reason": found.note} if found.note else {})


def _conditions(readings: Sequence[Mapping[str, Any]]) -> tuple[Told, Told]:
    """Conditions before the first sample, and after the last with what happened in between."""
    before, *during = readings
    after = dict(during[-1]) if during else dict(before)
    loads = [reading["load"] for reading in during if reading.get("load") is not None]
    if loads:
        after["load"] = sum(loads) / len(loads)
    reasons = {why: None for reading in during for why in reading.get("throttle_reasons") or ()}
    if any(reading.get("throttled") for reading in during):
        after |= {"throttled": True, "throttle_reasons": list(reasons)}
    return dict(before), after


def _one_line(bad: BaseException) -> str:
    """An error as one line of bounded length; its kind where it says nothing."""
    told = " ".join(str(bad).split())
    if isinstance(bad, UnsupportedError | proof.WrongWorkError):
        return told[:2000]
    return f"{type(bad).__name__}: {told}"[:2000]
