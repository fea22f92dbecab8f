"""Sentences that say how many times one is the other."""

from audit.planted import Slot
from audit.wordings.forms import form, need
from audit.wordings.words import Words

from benchproof.audit.facts.cube import Group


@form
def faster_than_x(w: Words) -> str:
    slow, fast = w.pair("framework")
    mode = w.by_variant(slow, " eager", " compiled", "")
    where = f"{w.place(slow)}{w.beside_label(slow, ', {}')}"
    return (
        f"On the {w.model(slow)} ({where}),{mode} {w.framework(fast)} is {w.times(slow, fast)} "
        f"faster than{mode} {w.framework(slow)}."
    )


@form
def times_as_fast(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"{w.model(slow)} in {w.framework(slow)} ({w.way(slow)}{w.at_batch(slow, ', batch {}')}) "
        f"is {w.times(slow, fast, ' times')} as fast on {w.the(fast)} as on {w.the(slow)}."
    )


@form
def slower_than_x(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"With {w.program(slow)}{w.at_batch(slow, ' and batch size {}')}, {w.the(slow)} is "
        f"{w.times(slow, fast, 'x')} slower than {w.the(fast)} on {w.model(slow)}."
    )


@form
def speedup_noun(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"Switching {w.framework(slow)} from {w.way(slow)} to {w.way(fast)} gives a "
        f"{w.times(slow, fast, 'x')} speedup on {w.model(slow)} ({w.place(slow)})."
    )


@form
def speedup_over(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"{w.model(slow)} on {w.where(slow)}: {w.framework(slow)}'s {w.way(fast)} shows a speedup "
        f"of {w.times(slow, fast)} over {w.way(slow)}."
    )


@form
def speedup_brackets(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"On {w.where(slow)}, {w.framework(slow)} {w.model(slow)} goes from {w.number(slow)} "
        f"({w.way(slow)}) to {w.number(fast)} ({w.way(fast)}), a {w.times(slow, fast)} speedup."
    )


@form
def twice_worded(w: Words) -> str:
    for _ in range(200):
        slow, fast = w.pair(w.world.place)
        if 1.9 < w.cost(slow) / w.cost(fast) < 2.15:
            slot = Slot("twice", {"inverted": "half"})
            return (
                f"{w.program(slow)} runs {w.model(slow)} {w.mark(slot)} as fast on {w.the(fast)} "
                f"as on {w.where(slow)}."
            )
    raise LookupError


@form
def average_speedup(w: Words) -> str:
    slow, fast = w.ways()
    told = [w.cost(a) / w.cost(b) for a, b in w.over_models(slow, fast)]
    need(len(told) > 2)
    mean = w.derived(sum(told) / len(told), 2, "×")
    return (
        f"On average, {w.way(fast)} makes {w.framework(slow)} {mean} faster than {w.way(slow)} on "
        f"{w.where(slow)}."
    )


def _larger_batch(w: Words) -> tuple[Group, Group]:
    """A group, and one that differs in a larger batch only."""
    group = w.one()
    larger = [one for one in w.others(group, "batch") if w.batch_size(one) > w.batch_size(group)]
    need(larger)
    return group, larger[0]


@form
def growth_of_work(w: Words) -> str:
    need(w.world.batch and w.world.time)
    small, large = _larger_batch(w)
    work = w.mark(Slot(f"{w.batch_size(large) / w.batch_size(small):g}×"))
    time = w.derived(w.cost(large) / w.cost(small), 2, "×")
    return (
        f"From batch {w.batch(small)} to {w.batch(large)} is {work} the work, but "
        f"{w.program(small)} needs only {time} the time for {w.model(small)} on {w.the(small)}."
    )


@form
def throughput_growth(w: Words) -> str:
    need(w.world.batch)
    small, large = _larger_batch(w)
    rate = w.world.rate.measure
    growth = w.derived((large.value(rate) or 0) / (small.value(rate) or 1), 2, "")
    return (
        f"Raising the batch size from {w.batch(small)} to {w.batch(large)} increases the "
        f"throughput of {w.program(small)} on {w.the(small)} by a factor of {growth} for "
        f"{w.model(small)}."
    )


@form
def factor_of(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"For {w.model(slow)} on {w.where(slow)}, {w.way(fast)} beats {w.way(slow)} by a factor "
        f"of {w.times(slow, fast, '')} in {w.framework(slow)}."
    )


@form
def more_than_x(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    x = w.cost(slow) / w.cost(fast)
    need(x > 2.05)
    slot = Slot(f"{int(x)}x", {"factor 10": f"{int(x) * 10}x"})
    return (
        f"On {w.model(slow)}, {w.the(fast)} is more than {w.mark(slot)} faster than {w.the(slow)} "
        f"({w.program(slow)}{w.at_batch(slow, ', batch {}')})."
    )


@form
def latex_times(w: Words) -> str:
    slow, fast = w.ways()
    x = w.cost(slow) / w.cost(fast)
    slot = Slot(f"{x:.2f}", {"inverted": f"{1 / x:.2f}", "factor 10": f"{x * 10:.1f}"})
    return (
        f"On {w.where(slow)}, {w.way(fast)} is ${w.mark(slot)}\\times$ faster than {w.way(slow)} "
        f"for {w.program_model(slow)}."
    )
