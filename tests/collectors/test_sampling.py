import gc
import random
from dataclasses import replace
from typing import Any

from benchproof.collectors import clock
from benchproof.collectors.profiles import Protocol
from benchproof.collectors.sampling import Series, interleave

QUICK = Protocol(budget_s=0.02, minimum_sample_ns=1)


class Sleeper:
    """A program that takes a while: the clock is real, the work is to count."""

    def __init__(self, counts: int = 200) -> None:
        self.counts = counts
        self.calls = 0
        self.waited = 0
        self.collected = False

    def call(self) -> Any:
        self.calls += 1
        self.collected |= gc.isenabled()
        return sum(range(self.counts))

    def wait(self, output: Any) -> None:
        self.waited += 1


def make_series(protocol: Protocol = QUICK, counts: int = 200) -> tuple[Series, Sleeper]:
    sleeper = Sleeper(counts)
    return Series(sleeper, protocol), sleeper  # type: ignore[arg-type]


def test_warm_up_has_the_least_number_and_the_least_time() -> None:
    series, sleeper = make_series()
    series.warm_up()
    assert len(series.warmup_ns) >= 15
    assert len(series.warmup_ns) == sleeper.calls
    assert sum(series.warmup_ns) >= 0.05e9 or len(series.warmup_ns) == 500


def test_a_sample_lasts_well_above_the_clock() -> None:
    series, _ = make_series(replace(QUICK, minimum_sample_ns=500_000))
    series.warm_up()
    series.sample_block()
    assert series.calls > 1
    lasted = [sample * series.calls for sample in series.samples_ns]
    assert sorted(lasted)[len(lasted) // 2] > 250_000
    assert 1000 * clock.resolution_ns() <= 500_000


def test_every_call_is_waited_for() -> None:
    series, sleeper = make_series(replace(QUICK, minimum_sample_ns=100_000))
    series.warm_up()
    series.sample_block()
    assert sleeper.waited == sleeper.calls


def test_nothing_is_collected_while_the_clock_runs_and_all_is_as_before_after_it() -> None:
    series, sleeper = make_series()
    series.warm_up()
    series.sample_block()
    assert not sleeper.collected
    assert gc.isenabled()


def test_sampling_ends_when_the_median_is_known() -> None:
    series, _ = make_series(Protocol(budget_s=1000))
    series.samples_ns = [1000] * 40
    series.blocks = 5
    assert series.is_over
    assert series.instability is None


def test_sampling_goes_on_below_the_least_number_and_blocks() -> None:
    series, _ = make_series(Protocol(budget_s=1000))
    series.samples_ns, series.blocks = [1000] * 39, 5
    assert not series.is_over
    series.samples_ns, series.blocks = [1000] * 40, 4
    assert not series.is_over


def test_a_series_without_time_left_is_unstable_and_says_how_much() -> None:
    series, _ = make_series(Protocol(budget_s=1))
    series.samples_ns = [1000, 2000] * 30
    series.blocks, series.spent_s = 5, 1.5
    assert series.is_over
    assert series.instability == (
        "the interval of the median reaches 33.3 % after 1.5 s and 60 samples, 1 % was asked"
    )


def test_the_least_number_is_taken_whatever_the_budget() -> None:
    series, _ = make_series(Protocol(budget_s=1e-6))
    series.warm_up()
    interleave([series], random.Random(1), lambda _: series.sample_block(), lambda _: None)
    assert len(series.samples_ns) >= 40
    assert series.blocks == 5


def test_cells_take_turns_in_random_order_until_each_is_over() -> None:
    protocol = Protocol(budget_s=1e-6, samples=40, blocks=8)
    series = [make_series(protocol)[0] for _ in range(3)]
    turns: list[int] = []
    cycles: list[list[int]] = []

    def take(at: int) -> None:
        turns.append(at)
        series[at].sample_block()

    interleave(series, random.Random(3), take, lambda taken: cycles.append(list(taken)))
    assert len(cycles) >= 8
    assert turns == [at for cycle in cycles for at in cycle]
    assert all(sorted(cycle) == [0, 1, 2] for cycle in cycles[:8])
    assert len({tuple(cycle) for cycle in cycles}) > 1


def test_a_broken_series_drops_out_and_the_others_go_on() -> None:
    series = [make_series(Protocol(budget_s=1e-6))[0] for _ in range(2)]

    def take(at: int) -> None:
        if at == 0:
            series[0].is_broken = True
        else:
            series[at].sample_block()

    interleave(series, random.Random(3), take, lambda _: None)
    assert series[0].samples_ns == []
    assert len(series[1].samples_ns) >= 40
