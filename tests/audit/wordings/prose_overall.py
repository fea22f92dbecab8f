"""Sentences over many groups that leave some of them unnamed."""

from collections.abc import Iterator
from itertools import pairwise
from math import exp, log
from statistics import fmean

from audit.planted import significant
from audit.wordings.forms import form, found, need
from audit.wordings.words import Words
from audit.wordings.world import CLEAR

from benchproof.audit.facts.cube import Group


@form
def up_to(w: Words) -> str:
    slow, fast = w.ways()
    most = max(w.over_models(slow, fast), key=lambda pair: w.gain(*pair))
    return (
        f"**Abstract.** In {w.framework(slow)}, {w.way(fast)} yields speedups of up to "
        f"{w.times(*most, 'x')} over {w.way(slow)} on {w.where(slow)}."
    )


@form
def slowest_unnamed(w: Words) -> str:
    group, every = found(lambda: w.series("model"))
    last = max(every, key=w.cost)
    verb = "takes" if w.world.time else "runs at"
    return f"The slowest model {verb} {w.number(last)} with {w.program(group)} on {w.where(group)}."


@form
def ranges_from_to(w: Words) -> str:
    group, every = found(lambda: w.series("model"))
    every.sort(key=w.main_value)
    return (
        f"Across the {len(every)} models, the {w.noun} of {w.program(group)} on {w.where(group)} "
        f"ranges from {w.number(every[0])} to {w.number(every[-1])}."
    )


@form
def frameworks_lie_between(w: Words) -> str:
    every = sorted(w.sides("framework"), key=w.main_value)
    group = every[0]
    mode = w.by_variant(group, ", eager", ", compiled", "")
    return (
        f"For {w.model(group)} on {w.where(group)}{w.beside_label(group, ' in {}')}{mode}, all "
        f"frameworks lie between {w.number(every[0])} and {w.number(every[-1])}."
    )


@form
def averaged_over_models(w: Words) -> str:
    group, every = found(lambda: w.series("model"))
    mean = fmean(map(w.main_number, every))
    places = len(significant(mean).partition(".")[2])
    return (
        f"Averaged over all {len(every)} models, {w.program(group)} comes to "
        f"{w.derived(mean, places, f' {w.unit}')} on {w.where(group)}."
    )


@form
def geometric_mean_of_speedups(w: Words) -> str:
    slow, fast = w.ways()
    ratios = [w.gain(*pair) for pair in w.over_models(slow, fast)]
    need(len(ratios) > 2)
    mean = exp(fmean(map(log, ratios)))
    need(mean > CLEAR)
    return (
        f"The geometric mean speedup of {w.way(fast)} over {w.way(slow)} across the {len(ratios)} "
        f"models is {w.derived(mean, 2, 'x')} ({w.framework(slow)}, {w.place(slow)})."
    )


@form
def raises_throughput(w: Words) -> str:
    need(w.world.batch)
    small, large, growth = found(lambda: _growth(w))
    rate = w.world.rate
    return (
        f"{w.program_model(small)} ({w.way(small)}) scales well on {w.the(small)}: going from "
        f"batch {w.batch(small)} to batch {w.batch(large)} raises throughput "
        f"{w.derived(growth, 1, 'x')}, from {w.number(small, rate)} to {w.number(large, rate)}."
    )


def _growth(w: Words) -> tuple[Group, Group, float]:
    """The smallest and the largest batch of some series, and how its throughput grows."""
    _, every = w.series("batch")
    small, *_, large = sorted(every, key=w.batch_size)
    rate = w.world.rate.measure
    growth = (large.value(rate) or 0) / (small.value(rate) or 1)
    need(growth > 1.2)
    return small, large, growth


@form
def stay_below(w: Words) -> str:
    need(w.world.time)
    every, below, limit = found(lambda: _below(w))
    share = w.count(below, len(every), "{} of {}")
    return (
        f"With {w.program(every[0])} on {w.where(every[0])}, {share} models stay below {limit} "
        f"{w.unit}."
    )


def _below(w: Words) -> tuple[list[Group], int, str]:
    """A series of models, how many of them lie below a limit, and that limit."""
    _, every = w.series("model")
    limits = list(_limits(sorted(map(w.main_number, every))))
    need(limits)
    return every, *w.random.choice(limits)


def _limits(numbers: list[float]) -> Iterator[tuple[int, str]]:
    """Round limits well between two of the numbers, with how many lie below."""
    for at, (low, high) in enumerate(pairwise(numbers), start=1):
        limit = significant((low * high) ** 0.5, 1)
        if low * 1.05 < float(limit) < high * 0.95:
            yield at, limit


def _wins(w: Words, *keys: str) -> tuple[Group, Group, list[bool]]:
    """Two frameworks, and whether the second is faster, wherever both ran along some keys."""
    slow, fast = w.pair("framework")
    sides = {key: fast.keys[key] for key in ("framework", w.world.way)}
    ratios = [w.gain(a, b) for a in w.along(slow, *keys) if (b := w.like(a, **sides))]
    need(all(max(ratio, 1 / ratio) > CLEAR for ratio in ratios))
    need(len(ratios) > 2 and min(ratios) < 1)
    return slow, fast, [ratio > 1 for ratio in ratios]


@form
def share_of_combinations(w: Words) -> str:
    need(w.world.batch)
    slow, fast, told = found(lambda: _wins(w, "model", "batch"))
    share = w.count(sum(told), len(told), "{} of the {}")
    return (
        f"On {w.the(slow)}{w.beside_label(slow, ' in {}')}, {w.label(fast)} has the lower "
        f"{w.noun} than {w.label(slow)} in {share} combinations of model and batch size."
    )


@form
def beats_on_models(w: Words) -> str:
    slow, fast, told = found(lambda: _wins(w, "model"))
    total = ("three", "four", "five")[len(told) - 3]
    return (
        f"On {w.where(slow)}{w.beside_label(slow, ' in {}')}, {w.label(fast)} beats "
        f"{w.label(slow)} on {w.spoken(sum(told))} of the {total} models."
    )


@form
def fastest_and_slowest(w: Words) -> str:
    every = sorted(w.sides("framework"), key=w.cost)
    group, last = every[0], every[-1]
    mode = w.by_variant(group, " eager", " compiled", "")
    return (
        f"The fastest{mode} framework for {w.model(group)} on "
        f"{w.where(group)}{w.beside_label(group, ' in {}')} is {w.framework(group)} with "
        f"{w.number(group)}; the slowest is {w.framework(last)} with {w.number(last)}."
    )


@form
def ranking(w: Words) -> str:
    every = sorted(w.sides("framework"), key=w.cost)
    told = [f"{w.label(one)} ({w.number(one)})" for one in every]
    return (
        f"The ranking for {w.model(every[0])} ({w.setting(every[0])}) by {w.noun}: "
        f"{', '.join(told[:-1])} and {told[-1]}."
    )


@form
def speedups_by_model(w: Words) -> str:
    least, most = found(lambda: _ends(w))
    slow, fast = least
    return (
        f"On {w.where(slow)}, {w.way(fast)} is {w.times(*least, '')}–{w.times(*most, 'x')} faster "
        f"than {w.way(slow)} in {w.framework(slow)}, depending on the model."
    )


def _ends(w: Words) -> tuple[tuple[Group, Group], tuple[Group, Group]]:
    """The plain way and a faster one, for the model that gains least and the one that does most."""
    pairs = sorted(w.over_models(*w.ways()), key=lambda pair: w.gain(*pair))
    need(len(pairs) > 2 and w.gain(*pairs[0]) > CLEAR)
    return pairs[0], pairs[-1]
