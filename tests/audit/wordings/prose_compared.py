"""Sentences that hold two programs against each other, with and without their numbers."""

from audit.wordings.forms import form, found, need
from audit.wordings.words import Words
from audit.wordings.world import CLEAR

from benchproof.audit.facts.cube import Group

Pair = tuple[Group, Group]  # the slow one and the fast one


@form
def beats_by_values(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"On {w.the(slow)}{w.at_batch(slow)}{w.beside_label(slow, ' in {}')}, {w.label(fast)} "
        f"beats {w.label(slow)} by {w.times(slow, fast)} on {w.model(slow)} ({w.number(fast)} vs "
        f"{w.number(slow)})."
    )


@form
def lead_changes(w: Words) -> str:
    need(w.world.batch)
    small, large = found(lambda: _smallest_and_largest(w))
    verb = "narrows" if w.gain(*small) > w.gain(*large) else "widens"
    slow, fast = small
    return (
        f"The lead of {w.label(fast)} over {w.label(slow)} with {w.model(slow)} on "
        f"{w.the(slow)}{w.beside_label(slow, ' in {}')} {verb} from {w.times(*small, 'x')} at "
        f"batch {w.batch(slow)} to {w.times(*large, 'x')} at batch {w.batch(large[0])}."
    )


def _smallest_and_largest(w: Words) -> tuple[Pair, Pair]:
    """Two frameworks at the smallest and the largest batch, one ahead at both."""
    pairs = [(a, b) for a, b in w.rows(w.pair("framework"), "batch")]
    pairs.sort(key=lambda pair: w.batch_size(pair[0]))
    first, last = (w.gain(*pairs[at]) for at in (0, -1))
    need(min(first, last) > CLEAR and max(first / last, last / first) > CLEAR)
    return pairs[0], pairs[-1]


@form
def separated_by(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    return (
        f"For {w.model(slow)}, only {w.difference(slow, fast)} separate {w.label(fast)} and "
        f"{w.label(slow)} on {w.where(slow)}{w.beside_label(slow, ' in {}')}."
    )


@form
def speedup_when_using(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"We observe a speedup of {w.times(slow, fast, 'x')} over {w.label(slow)} when using "
        f"{w.label(fast)} for {w.model(slow)} ({w.setting(slow)})."
    )


@form
def outperforms_by_factor(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"{w.label(fast)} outperforms {w.label(slow)} by a factor of {w.times(slow, fast, '')} on "
        f"{w.model(slow)} ({w.setting(slow)})."
    )


@form
def leads_by(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"{w.label(fast)} leads {w.label(slow)} by {w.times(slow, fast, 'x')} for {w.model(slow)} "
        f"on {w.where(slow)}{w.beside_label(slow, ' in {}')}."
    )


@form
def other_side_first(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"Compared to {w.label(slow)}, {w.label(fast)} runs {w.times(slow, fast, 'x')} faster on "
        f"{w.model(slow)}, {w.setting(slow)}."
    )


@form
def ratio_in_brackets(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"Compared with {w.label(slow)}, {w.label(fast)} is faster on {w.model(slow)} "
        f"({w.times(slow, fast, 'x')}; {w.setting(slow)})."
    )


@form
def that_is_faster(w: Words) -> str:
    slow, fast = w.pair("framework")
    verb = "needs" if w.world.time else "does"
    return (
        f"For {w.model(slow)}, {w.setting(slow)}: {w.label(fast)} {verb} {w.number(fast)} – that "
        f"is {w.times(slow, fast, 'x')} faster than {w.label(slow)}."
    )


@form
def rate_times_other(w: Words) -> str:
    """Of throughputs, which need not be batches over the median latency."""
    slow, fast = w.pair("framework")
    rate = w.world.rate.measure
    more = (fast.value(rate) or 0) / (slow.value(rate) or 1)
    need(more > CLEAR)
    what = "throughput" if w.world.time else w.noun
    return (
        f"{w.label(fast)} gives {w.derived(more, 2, 'x')} the {what} of {w.label(slow)} for "
        f"{w.model(slow)} on {w.where(slow)}{w.beside_label(slow, ' in {}')}."
    )


@form
def factor_after_values(w: Words) -> str:
    slow, fast = w.pair("framework")
    there = next(row for row in w.rows([slow, fast], "model") if row[0] is not slow)
    return (
        f"Let us look at {w.setting(slow)}. With {w.model(slow)}, {w.label(fast)} is clearly "
        f"ahead with {w.number(fast)}; {w.label(slow)} follows with {w.number(slow)}. That is a "
        f"factor of {w.times(slow, fast, '')}. With {w.model(there[0])}, the numbers are "
        f"{w.number(there[1])} for {w.label(fast)} and {w.number(there[0])} for {w.label(slow)}."
    )


@form
def percent_for_each_model(w: Words) -> str:
    need(w.world.time)
    (slow, fast), (other, last) = found(lambda: _two_models(w))
    return (
        f"On {w.where(slow)}{w.beside_label(slow, ' in {}')}, {w.label(fast)} needs "
        f"{w.percent_less(slow, fast)} less time than {w.label(slow)} for {w.model(slow)} and "
        f"{w.percent_less(other, last)} less for {w.model(other)}."
    )


def _two_models(w: Words) -> list[Pair]:
    """Two frameworks with two models, one clearly ahead with both."""
    pairs = [(a, b) for a, b in w.rows(w.pair("framework"), "model") if w.gain(a, b) > 1.05]
    need(len(pairs) > 1)
    return pairs[:2]


@form
def slower_model(w: Words) -> str:
    slow, fast = w.pair("model")
    verb = "needs" if w.world.time else "does"
    return (
        f"On {w.where(slow)}, {w.program(slow)} {verb} {w.number(fast)} for {w.model(fast)} but "
        f"{w.number(slow)} for {w.model(slow)}, {w.times(slow, fast, 'x')} slower."
    )
