"""Numbers that the telemetry says nothing of: calling one contradicted is a false alarm."""

from audit.planted import Slot, significant
from audit.wordings.forms import form
from audit.wordings.words import Words


@form
def not_budget(w: Words) -> str:
    group = w.one()
    if w.world.time:
        return (
            f"For 60 frames per second you have {w.mark(Slot('16.7 ms'))} per frame, and "
            f"{w.program(group)} on {w.the(group)} spends {w.number(group)} of them on "
            f"{w.model(group)}{w.at_batch(group)}."
        )
    return (
        f"People read at about {w.mark(Slot('5 tokens/s'))}; {w.program(group)} on {w.the(group)} "
        f"does {w.number(group)} with {w.model(group)}."
    )


@form
def not_dispatch(w: Words) -> str:
    group = w.one()
    return (
        f"Each kernel launch on {w.the(group)} costs around {w.mark(Slot('12 µs'))}, and a data "
        f"copy adds another {w.mark(Slot('0.4 ms'))} with {w.program(group)} on "
        f"{w.model(group)}{w.at_batch(group)}."
    )


@form
def not_setup(w: Words) -> str:
    group = w.one()
    return (
        f"We ran {w.framework(group)} {w.mark(Slot('2.3'))} on {w.the(group)} of a machine with "
        f"{w.mark(Slot('16 GB'))} of memory and {w.mark(Slot('8 cores'))}, {w.mark(Slot('10'))} "
        f"warmup iterations and {w.mark(Slot('100'))} timed runs of {w.model(group)} in "
        f"{w.way(group)}{w.at_batch(group)}; the whole sweep took {w.mark(Slot('2.5 hours'))}."
    )


@form
def not_hardware(w: Words) -> str:
    group = w.one()
    return (
        f"The {w.device(group)} has a peak of {w.mark(Slot('3.5 TFLOP/s'))} and "
        f"{w.mark(Slot('102 GB/s'))} of bandwidth according to the vendor."
    )


@form
def not_other_post(w: Words) -> str:
    group = w.one()
    return (
        f"In my previous post on another machine, {w.program(group)} took "
        f"{w.mark(Slot('7.77 ms'))} for {w.model(group)} on {w.where(group)}. Here it takes "
        f"{w.number(group)}."
    )


@form
def not_vendor_claim(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"The vendor claims that {w.the(fast)} is up to {w.mark(Slot('17x'))} faster than "
        f"{w.the(slow)}; for {w.model(slow)} with {w.program(slow)}{w.at_batch(slow)} we see "
        f"{w.times(slow, fast, 'x')}."
    )


@form
def not_hypothetical(w: Words) -> str:
    group = w.one()
    if w.world.time:
        half = w.mark(Slot(f"{significant(w.main_number(group) / 2)} {w.unit}"))
        return (
            f"If {w.program(group)} were twice as fast, {w.model(group)} would still need {half} "
            f"on {w.where(group)}."
        )
    return (
        f"If {w.program(group)} was a bit better, {w.model(group)} could reach "
        f"{w.mark(Slot('999 tokens/s'))} on {w.the(group)}."
    )


@form
def not_loading(w: Words) -> str:
    group = w.one()
    if w.world.time:
        return (
            f"Loading {w.model(group)} takes {w.mark(Slot('3.4 s'))} with {w.framework(group)} on "
            f"{w.the(group)}, and compiling it {w.mark(Slot('21 s'))}; after that, one call in "
            f"{w.way(group)}{w.at_batch(group)} takes {w.number(group)}."
        )
    return (
        f"Loading {w.model(group)} takes {w.mark(Slot('3.4 s'))} with {w.program(group)} on "
        f"{w.the(group)}; then it runs at {w.number(group)}."
    )


@form
def not_noise(w: Words) -> str:
    group = w.one()
    return (
        f"Run-to-run noise was below {w.mark(Slot('5%'))} for {w.program(group)} on "
        f"{w.where(group)}, so differences of {w.mark(Slot('2–3%'))} mean nothing."
    )


@form
def not_accuracy(w: Words) -> str:
    group = w.one()
    return (
        f"{w.model(group)} keeps {w.mark(Slot('76.1%'))} top-1 accuracy in {w.way(group)} and "
        f"runs at {w.number(group)} in {w.framework(group)} on {w.where(group)}."
    )


@form
def not_utilisation(w: Words) -> str:
    group = w.one()
    return (
        f"During the {w.program(group)} run of {w.model(group)}{w.at_batch(group)}, Activity "
        f"Monitor showed {w.mark(Slot('73%'))} utilization on {w.the(group)} and "
        f"{w.mark(Slot('101%'))} on one core, at {w.mark(Slot('11 W'))}."
    )
