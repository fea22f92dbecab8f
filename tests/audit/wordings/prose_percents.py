"""Sentences that say in percent how much faster, slower or smaller something is."""

from audit.planted import Slot
from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def percent_less_time(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    return (
        f"{w.way(fast)} takes {w.percent_less(slow, fast)} less time than {w.way(slow)} for "
        f"{w.program_model(slow)} on {w.where(slow)}."
    )


@form
def percent_lower_latency(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    mode = w.by_variant(slow, " in eager mode", " when compiled", f" in {w.way(slow)}")
    return (
        f"{w.framework(fast)}'s latency on {w.model(slow)}{mode} is "
        f"{w.percent_less(slow, fast, places=1)} lower than {w.framework(slow)}'s "
        f"({w.place(slow)})."
    )


@form
def percent_more_throughput(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"On {w.where(slow)}, {w.way(fast)} gets {w.percent_more(slow, fast)} more throughput out "
        f"of {w.program_model(slow)} than {w.way(slow)}."
    )


@form
def percent_faster(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"{w.program_model(slow)} is {w.percent_more(slow, fast, ' %')} faster with {w.way(fast)} "
        f"than with {w.way(slow)} on {w.where(slow)}."
    )


@form
def percent_slower(w: Words) -> str:
    slow, fast = w.pair("framework")
    mode = w.by_variant(slow, "eager ", "compiled ", "")
    tail = w.beside_label(slow, " in {}")
    return (
        f"On {w.where(slow)}, {mode}{w.framework(slow)} is {w.percent_more(slow, fast)} slower "
        f"than {mode}{w.framework(fast)} for {w.model(slow)}{tail}."
    )


@form
def percent_of(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    need(w.world.time)
    number = 100 * w.cost(fast) / w.cost(slow)
    told = w.derived(number, 1, "%", {"inverted": f"{1e4 / number:.1f}%"})
    return (
        f"The {w.device(fast)} needs only {told} of the time that {w.the(slow)} needs for "
        f"{w.model(slow)} ({w.program(slow)}{w.at_batch(slow, ', batch {}')})."
    )


@form
def percent_overhead(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    return (
        f"Running {w.model(slow)} in {w.way(slow)} instead of {w.way(fast)} costs "
        f"{w.percent_more(slow, fast)} more time ({w.framework(slow)}, {w.place(slow)})."
    )


@form
def more_than_percent(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    p = 100 * (1 - w.cost(fast) / w.cost(slow))
    need(p > 11)
    slot = Slot(f"{int(p // 10 * 10)}%")
    return (
        f"{w.way(fast)} cuts the latency of {w.program_model(slow)} by more than {w.mark(slot)} "
        f"on {w.where(slow)}."
    )


@form
def reduces_by_percent(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    return (
        f"{w.way(fast)} reduces the latency of {w.program_model(slow)} by "
        f"{w.percent_less(slow, fast, places=1)} on {w.where(slow)}."
    )


@form
def percent_slower_device(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair(w.world.place)
    return (
        f"The {w.device(slow)} is {w.percent_more(slow, fast)} slower than {w.the(fast)} for "
        f"{w.model(slow)} with {w.program(slow)}{w.at_batch(slow)}."
    )
