"""Sentences over many groups: ranges, counts and extremes."""

from collections.abc import Sequence

from audit.planted import Slot, significant
from audit.wordings.forms import form, need
from audit.wordings.words import COUNTS, Words

from benchproof.audit.facts.cube import Group


@form
def ranges_over_models(w: Words) -> str:
    group, every = w.series("model")
    every.sort(key=w.main_value)
    verb = "latencies range" if w.world.time else "generation speeds range"
    low, high = _range(w, every)
    return f"Across all models, {w.program(group)} {verb} from {low} to {high} on {w.where(group)}."


def _range(w: Words, every: Sequence[Group]) -> tuple[str, str]:
    """The ends of sorted groups, the unit on the second."""
    numbers = [w.main_number(group) for group in every]
    low = Slot(significant(numbers[0]), {"range end": significant(numbers[1])})
    high = Slot(
        f"{significant(numbers[-1])} {w.unit}",
        {
            "range end": f"{significant(numbers[-2])} {w.unit}",
            "factor 10": f"{significant(numbers[-1] * 10)} {w.unit}",
        },
    )
    return w.mark(low), w.mark(high)


@form
def dash_range_over_models(w: Words) -> str:
    group, every = w.series("model")
    every.sort(key=w.main_value)
    low, high = _range(w, every)
    if w.world.time:
        return f"On {w.where(group)}, the models need {low}–{high} in {w.program(group)}."
    return f"On {w.the(group)}, the models run at {low}–{high} in {w.program(group)}."


@form
def between_speedups(w: Words) -> str:
    group = w.one()
    every = []
    for one in w.along(group, "model"):
        plain = w.like(one, **{w.world.way: w.world.plain})
        if plain and plain is not one:
            every.append(w.cost(plain) / w.cost(one))
    need(len(every) > 2)
    every.sort()
    a = w.mark(Slot(f"{every[0]:.2f}", {"range end": f"{every[1]:.2f}"}))
    b = w.mark(Slot(f"{every[-1]:.2f}×", {"range end": f"{every[-2]:.2f}×"}))
    return (
        f"Compared with {w.shown(w.world.plain)}, {w.way(group)} speeds the models up by between "
        f"{a} and {b} ({w.framework(group)}, {w.place(group)})."
    )


@form
def range_over_batches(w: Words) -> str:
    need(w.world.batch)
    group, every = w.series("batch")
    every.sort(key=w.main_value)
    low, high = _range(w, every)
    return (
        f"Depending on the batch size, {w.program(group)} takes between {low} and {high} for "
        f"{w.model(group)} on {w.the(group)}."
    )


def _wins(w: Words, key: str) -> tuple[Group, Group, list[bool]]:
    """Two sides that differ in a key, and over all models whether the second is faster."""
    for _ in range(60):
        slow, fast = w.pair(key)
        told = [w.cost(b) < w.cost(a) for a, b in w.over_models(slow, fast)]
        if len(told) >= 3 and any(told):
            return slow, fast, told
    raise LookupError


@form
def faster_on_n_of_m(w: Words) -> str:
    slow, fast, told = _wins(w, w.world.place)
    models = ("two", "three", "four", "five")[len(told) - 2]
    return (
        f"With {w.program(slow)}{w.at_batch(slow)}, {w.the(fast)} is faster than {w.the(slow)} on "
        f"{w.spoken(sum(told))} of {models} models."
    )


@form
def wins_n_of_m(w: Words) -> str:
    slow, fast, told = _wins(w, "framework")
    mode = w.mode(slow)
    share = w.count(sum(told), len(told), "{} of the {}")
    return (
        f"On {w.where(slow)}, {mode} {w.framework(fast)} beats {mode} {w.framework(slow)} on "
        f"{share} models."
    )


@form
def wins_of_each(w: Words) -> str:
    slow, fast, told = _wins(w, "framework")
    won = sum(told)
    return (
        f"At the end of the day ({w.place(slow)}, {w.mode(slow)}), {w.framework(fast)} is faster "
        f"than {w.framework(slow)} on {w.spoken(won)} models and slower on "
        f"{w.mark(Slot(str(len(told) - won)))}."
    )


@form
def ways_help_n(w: Words) -> str:
    for _ in range(100):
        slow, fast = w.ways()
        told = [w.cost(b) < w.cost(a) for a, b in w.over_models(slow, fast)]
        if len(told) > 2:
            share = w.count(sum(told), len(told), "{} out of {}")
            return (
                f"In {w.framework(slow)} on {w.where(slow)}, {w.way(fast)} is faster than "
                f"{w.way(slow)} for {share} models."
            )
    raise LookupError


@form
def total_models(w: Words) -> str:
    models, frameworks = (
        w.mark(Slot(COUNTS[number], {"count": COUNTS[number + 1]}))
        for number in (len(w.cube.keys["model"]), len(w.cube.keys["framework"]))
    )
    return f"We benchmarked {models} models with {frameworks} frameworks."


@form
def slowest_is(w: Words) -> str:
    group, every = w.series("model")
    every.sort(key=w.cost)
    return (
        f"In {w.program(group)} on {w.where(group)}, the slowest model is {w.model(every[-1])} at "
        f"{w.number(every[-1])}; the fastest is {w.model(every[0])} at {w.number(every[0])}."
    )


@form
def fastest_framework(w: Words) -> str:
    group = w.one()
    every = sorted(w.along(group, "framework", w.world.way), key=w.cost)
    need(len({w.framework(one) for one in every}) > 1 and every[0] is not every[1])
    return (
        f"The fastest run of {w.model(group)} on {w.where(group)} is {w.framework(every[0])} with "
        f"{w.way(every[0])}: {w.number(every[0])}."
    )
