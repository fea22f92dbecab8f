"""Sentences that hold two quantities against each other."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def versus_frameworks(w: Words) -> str:
    slow, fast = w.pair("framework")
    mode = w.by_variant(slow, " uncompiled", " compiled", "")
    tail = w.beside_label(slow, " in {}")
    return (
        f"{w.model(slow)}{mode} on {w.where(slow)}{tail}: {w.number(slow)} for "
        f"{w.framework(slow)} vs {w.number(fast)} for {w.framework(fast)}."
    )


@form
def versus_short(w: Words) -> str:
    slow, fast = w.pair("framework")
    mode = w.way(slow) if w.way(slow) == w.way(fast) else "compiled"
    return (
        f"{w.framework(slow)} vs. {w.framework(fast)} on the {w.model(slow)} ({w.place(slow)}, "
        f"{mode}): {w.number(slow, unit=False)} vs. {w.number(fast)}."
    )


@form
def from_device_to_device(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"Moving {w.model(slow)} ({w.framework(slow)}, "
        f"{w.way(slow)}{w.at_batch(slow, ', batch size {}')}) from {w.the(slow)} to {w.the(fast)} "
        f"brings it from {w.number(slow)} to {w.number(fast)}."
    )


@form
def drops_ways(w: Words) -> str:
    slow, fast = w.ways()
    verb = "cuts the latency of" if w.world.time else "lifts the generation speed of"
    return (
        f"{w.way(fast)} {verb} {w.program_model(slow)} on {w.where(slow)} from {w.number(slow)} "
        f"in {w.way(slow)} to {w.number(fast)}."
    )


@form
def arrow_batches(w: Words) -> str:
    need(w.world.batch)
    slow, fast = w.pair("batch")
    return (
        f"Going from batch {w.batch(slow)} to {w.batch(fast)}, {w.program(slow)} on {w.the(slow)} "
        f"moves {w.model(slow)} ({w.number(slow, unit=False)} → {w.number(fast)})."
    )


@form
def against_baseline_para(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"Let us look at {w.model(slow)} with {w.framework(slow)} on {w.where(slow)}. The "
        f"{w.way(slow)} baseline sits at {w.number(slow)}. {w.way(fast)} brings that to "
        f"{w.number(fast)}, i.e. {w.times(slow, fast)} faster."
    )


@form
def down_from(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"With {w.way(fast)}, {w.program_model(slow)} now runs at {w.number(fast)} on "
        f"{w.where(slow)}, {'down' if w.world.time else 'up'} from {w.number(slow)} in "
        f"{w.way(slow)}."
    )


@form
def compared_with(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    if w.world.time:
        return (
            f"The {w.device(fast)} finishes {w.model(slow)} in {w.number(fast)}, compared to "
            f"{w.number(slow)} on {w.the(slow)} "
            f"({w.program(slow)}{w.at_batch(slow, ', batch {}')})."
        )
    return (
        f"The {w.device(fast)} generates {w.number(fast)} with {w.model(slow)}, compared to "
        f"{w.number(slow)} on {w.the(slow)} ({w.program(slow)})."
    )


@form
def while_other(w: Words) -> str:
    slow, fast = w.pair("framework")
    if w.world.time:
        return (
            f"On {w.where(slow)}, {w.framework(slow)} ({w.way(slow)}) needs {w.number(slow)} for "
            f"{w.model(slow)}, while {w.framework(fast)} ({w.way(fast)}) gets away with "
            f"{w.number(fast)}."
        )
    return (
        f"On {w.the(slow)}, {w.framework(slow)} ({w.way(slow)}) manages {w.number(slow)} for "
        f"{w.model(slow)}, while {w.framework(fast)} ({w.way(fast)}) gets to {w.number(fast)}."
    )


@form
def same_model_other_device(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"{w.model(slow)} with {w.program(slow)} takes {w.number(slow)} on {w.where(slow)}. On "
        f"{w.the(fast)} the same model takes {w.number(fast)}."
    )


@form
def both_sides_batches(w: Words) -> str:
    need(w.world.batch)
    slow, fast = w.pair("framework")
    others = w.others(slow, "batch")
    need(others)
    there = w.like(fast, batch=others[0].keys["batch"])
    need(there)
    assert there
    return (
        f"{w.model(slow)} on {w.the(slow)}, {w.program(slow)} against {w.program(fast)}: at batch "
        f"{w.batch(slow)} it is {w.number(slow)} vs {w.number(fast)}, at batch "
        f"{w.batch(others[0])} it is {w.number(others[0])} vs {w.number(there)}."
    )


@form
def difference_absolute(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    return (
        f"{w.way(fast)} saves {w.difference(slow, fast)} per call on {w.program_model(slow)} "
        f"({w.place(slow)})."
    )


@form
def difference_gap(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    return (
        f"{w.framework(slow)} is {w.difference(slow, fast, places=2)} slower than "
        f"{w.framework(fast)} on {w.model(slow)} ({w.mode(slow)}, {w.place(slow)})."
    )


@form
def points_of_efficiency(w: Words) -> str:
    efficiency = w.world.efficiency
    need(efficiency)
    assert efficiency
    slow, fast = w.ways()
    a, b = slow.value(efficiency.measure), fast.value(efficiency.measure)
    need(a and b and b - a > 0.5)
    assert a
    assert b
    told = w.derived(b - a, 1, " percentage points", {"points": f"{b - a:.1f} %"})
    return (
        f"For {w.program_model(slow)} on {w.where(slow)}, {w.way(fast)} lifts roofline efficiency "
        f"by {told}, from {w.number(slow, efficiency, gap='')} in {w.way(slow)} to "
        f"{w.number(fast, efficiency, gap='')}."
    )


@form
def memory_saves(w: Words) -> str:
    memory = w.world.memory
    need(memory)
    assert memory
    slow, fast = w.ways()
    a, b = slow.value(memory.measure), fast.value(memory.measure)
    need(a and b and a > b * 1.05)
    assert a
    assert b
    return (
        f"{w.way(fast)} also saves memory: {w.program_model(slow)} on {w.where(slow)} peaks at "
        f"{w.number(fast, memory)} instead of {w.number(slow, memory)}, "
        f"{w.derived(100 * (1 - b / a), 0, '%')} less."
    )


@form
def question_answer(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"How much faster is {w.the(fast)} than {w.the(slow)}? For {w.model(slow)} with "
        f"{w.program(slow)}{w.at_batch(slow)}, {w.times(slow, fast, 'x')}: {w.number(fast)} "
        f"instead of {w.number(slow)}."
    )


@form
def plain_text_rows(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    return (
        f"Quick benchmark I ran yesterday ({w.model(slow)}, "
        f"{w.program(slow)}{w.at_batch(slow, ', batch size {}')}):\n\n"
        f"{w.device(slow)} inference: {w.number(slow)}\n"
        f"{w.device(fast)} inference: {w.number(fast)}\n"
        f"That's a {w.times(slow, fast, 'x')} speedup!"
    )
