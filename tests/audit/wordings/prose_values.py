"""Sentences that tell one quantity, or several beside each other."""

from audit.planted import Slot, significant
from audit.wordings.forms import form, need
from audit.wordings.words import Words
from audit.wordings.world import Quantity


@form
def passive(w: Words) -> str:
    group = w.one()
    if w.world.time is None:
        return (
            f"On {w.the(group)}, {w.number(group)} were reached by {w.framework(group)} with "
            f"{w.model(group)} in {w.way(group)}."
        )
    return (
        f"A forward pass of {w.model(group)}{w.at_batch(group, ' with a batch size of {}')} is "
        f"completed in {w.number(group)} by {w.framework(group)} ({w.way(group)}) on "
        f"{w.the(group)}."
    )


@form
def fronted(w: Words) -> str:
    group = w.one()
    return (
        f"On {w.the(group)}{w.at_batch(group, ', with {} samples per batch')}, "
        f"{w.framework(group)} in {w.way(group)} mode runs {w.model(group)} at {w.number(group)}."
    )


@form
def parenthesis_after_names(w: Words) -> str:
    group = w.one()
    others = w.others(group, "model")
    need(len(others) > 1)
    return (
        f"In {w.framework(group)} ({w.way(group)}, {w.place(group)}), {w.model(others[0])} "
        f"({w.number(others[0])}) and {w.model(others[1])} ({w.number(others[1])}) behave "
        f"differently from {w.model(group)} ({w.number(group)})."
    )


@form
def respectively(w: Words) -> str:
    group = w.one()
    others = w.others(group, "model")
    need(len(others) > 1)
    a, b, c = group, others[0], others[1]
    names = f"{w.model(a)}, {w.model(b)} and {w.model(c)}"
    numbers = f"{w.number(a, unit=False)}, {w.number(b, unit=False)} and {w.number(c)}"
    verb = "take" if w.world.time else "generate"
    return f"With {w.program(group)} on {w.where(group)}, {names} {verb} {numbers}, respectively."


@form
def respectively_batches(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    others = w.others(group, "batch")
    need(others)
    *first, last = sorted([group, *others], key=w.batch_size)[:3]
    names = f"{', '.join(map(w.batch, first))} and {w.batch(last)}"
    numbers = f"{', '.join(w.number(one, unit=False) for one in first)} and {w.number(last)}"
    return (
        f"For batch sizes {names}, {w.program_model(group)} ({w.way(group)}, {w.device(group)}) "
        f"needs {numbers}, respectively."
    )


@form
def throughput_sentence(w: Words) -> str:
    group = w.one()
    return (
        f"{w.model(group)} hits {w.number(group, w.world.rate)} on {w.the(group)} "
        f"({w.framework(group)}, {w.way(group)}{w.at_batch(group, ', bs={}')})."
    )


@form
def per_sample(w: Words) -> str:
    need(w.world.time and w.world.batch)
    group = w.one()
    need(group.keys["batch"] != 1)
    value = w.cost(group) * 1e3 / float(group.keys["batch"])
    return (
        f"At batch {w.batch(group)}, {w.program(group)} on {w.the(group)} spends "
        f"{w.derived(value, 3, ' ms')} per sample on the {w.model(group)}."
    )


@form
def two_sentences_it(w: Words) -> str:
    group = w.one()
    others = w.others(group, "batch") if w.world.batch else w.others(group, w.world.way)
    need(others)
    say = (
        f"At batch {w.batch(others[0])} it is {w.number(others[0])}."
        if w.world.batch
        else f"In {w.way(others[0])} it is {w.number(others[0])}."
    )
    return (
        f"{w.program_model(group)} ({w.way(group)}) on {w.the(group)} comes in at "
        f"{w.number(group)}{w.at_batch(group)}. {say}"
    )


@form
def hyphen_batch(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    return (
        f"Our batch-{w.batch(group)} run of {w.model(group)} with {w.program(group)} on "
        f"{w.the(group)} clocked {w.number(group)}."
    )


@form
def colon_heads(w: Words) -> str:
    group = w.one()
    others = w.others(group, "framework")
    need(others)
    head = f"{w.model(group)}, {w.place(group)}{w.beside_label(group, ', {}')}"
    return (
        f"**{head}:** {w.label(group)} {w.number(group)}, {w.label(others[0])} "
        f"{w.number(others[0])}."
    )


@form
def approx(w: Words) -> str:
    group = w.one()
    value = w.main_number(group)
    text = significant(value, 2)
    slot = Slot(f"~{text} {w.unit}")
    w.plant(slot, "factor 10", f"~{significant(value * 10, 2)} {w.unit}")
    if w.world.time:
        return f"{w.program(group)} does {w.model(group)} in {w.mark(slot)} on {w.where(group)}."
    return f"{w.program(group)} does {w.model(group)} at {w.mark(slot)} on {w.the(group)}."


@form
def efficiency_sentence(w: Words) -> str:
    need(w.world.efficiency)
    group = w.one()
    told = w.number(group, w.world.efficiency, gap="")
    return (
        f"{w.model(group)} reaches {told} of the roofline in {w.program(group)} on "
        f"{w.where(group)}."
    )


@form
def parameters(w: Words) -> str:
    need(w.world.parameters)
    model = w.random.choice(list(w.world.parameters))
    n = w.world.parameters[model]
    scale, tail = (1e9, "B") if n > 2e9 else (1e6, "M") if n > 2e6 else (1e3, "K")
    slot = Slot(
        f"{n / scale:.1f}{tail} parameters",
        {
            "bytes": f"{4 * n / scale:.1f}{tail} parameters",
            "factor 10": f"{10 * n / scale:.1f}{tail} parameters",
        },
    )
    return f"{model} is a network with {w.mark(slot)}."


@form
def parameters_full(w: Words) -> str:
    need(w.world.parameters)
    model = w.random.choice(list(w.world.parameters))
    n = w.world.parameters[model]
    slot = Slot(f"{n:,.0f}", {"bytes": f"{4 * n:,.0f}"})
    return f"The {model} has {w.mark(slot)} parameters."


@form
def memory(w: Words) -> str:
    need(w.world.memory)
    group = w.one()
    return (
        f"Peak memory for {w.model(group)} in {w.framework(group)} ({w.way(group)}) on "
        f"{w.where(group)} was {w.number(group, w.world.memory)}."
    )


@form
def total_of_many(w: Words) -> str:
    need(w.world.time and w.world.batch)
    group = w.one()
    seconds = w.cost(group) * 10_000 / w.batch_size(group)
    return (
        f"At this rate {w.program(group)} on {w.the(group)} would need "
        f"{w.derived(seconds, 1, ' s')} for 10,000 samples of the "
        f"{w.model(group)}{w.at_batch(group)}."
    )


@form
def hedged_limits(w: Words) -> str:
    group = w.one()
    number = w.main_number(group)
    step = 10.0 ** int(f"{number:e}".partition("e")[2])
    limit = (int(number / step) + 1) * step
    shown = f"{significant(limit, 1)} {w.unit}"
    if w.world.time:
        slot = Slot(shown, {"factor 10": f"{significant(limit / 10, 1)} {w.unit}"})
        return (
            f"{w.program(group)} handles {w.model(group)} in under {w.mark(slot)} on "
            f"{w.where(group)}."
        )
    return (
        f"{w.program(group)} runs {w.model(group)} at just under {w.mark(Slot(shown))} on "
        f"{w.the(group)}."
    )


@form
def k_suffix(w: Words) -> str:
    group = w.one()
    rate = group.value(w.world.rate.measure) or 0
    need(rate > 1500)
    slot = Slot(
        f"{rate / 1e3:.1f}k {w.rate_unit}", {"factor 10": f"{rate / 1e2:.1f}k {w.rate_unit}"}
    )
    return f"{w.program(group)} pushes {w.mark(slot)} through {w.model(group)} on {w.where(group)}."


@form
def microseconds(w: Words) -> str:
    need(w.world.time)
    for _ in range(50):
        group = w.one()
        if w.cost(group) < 0.9e-3:
            told = w.number(group, Quantity(w.world.main.measure, 1e6, "µs"))
            return (
                f"{w.program(group)} on {w.the(group)} gets {w.model(group)} down to "
                f"{told}{w.at_batch(group)}."
            )
    raise LookupError


@form
def former_latter(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"We ran {w.model(slow)} on {w.where(slow)} with {w.program(slow)} and {w.program(fast)}. "
        f"The former came in at {w.number(slow)}, the latter at {w.number(fast)}."
    )


@form
def lead_paragraph_binding(w: Words) -> str:
    """The first sentence fixes everything, the next ones only vary one key."""
    group = w.one()
    others = w.others(group, "model")
    need(len(others) > 1)
    return (
        f"All of the following was measured with {w.program(group)} on {w.where(group)}.\n\n"
        f"The {w.model(group)} comes first: {w.number(group)}. Then the {w.model(others[0])} with "
        f"{w.number(others[0])}.\n\nLast is the {w.model(others[1])}. It needs "
        f"{w.number(others[1])}."
    )
