"""Sections, captions and setups that say what the numbers under them are of."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def section_batch(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    others = w.others(group, "framework")
    need(others)
    return (
        f"## Batch {w.batch(group)}\n\nAll numbers in this section are for the "
        f"{w.device(group)}.\n\nOn {w.model(group)}, {w.program(group)} takes {w.number(group)}, "
        f"{w.program(others[0])} {w.number(others[0])}."
    )


@form
def unless_otherwise(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    return (
        f"Unless noted otherwise, results are for batch size {w.batch(group)} on "
        f"{w.the(group)}.\n\n## {w.framework(group)}\n\n"
        f"The {w.model(group)} takes {w.number(group)} in {w.way(group)}."
    )


@form
def section_model(w: Words) -> str:
    slow, fast = w.ways()
    return (
        f"## {w.model(slow)} on {w.where(slow)}\n\n"
        f"{w.framework(slow)} goes from {w.number(slow)} to {w.number(fast)} when switching from "
        f"{w.way(slow)} to {w.way(fast)}, which is a {w.times(slow, fast)} improvement."
    )


@form
def setup_elsewhere(w: Words) -> str:
    """A setup section that speaks of another batch must not bind."""
    need(w.world.batch)
    group = w.one()
    others = w.others(group, "batch")
    need(others)
    return (
        f"# Benchmarks\n\n## Setup\n\nWe tried batch {w.batch(group)} and {w.batch(others[0])} on "
        f"{w.the(group)}, with 10 warmup iterations and 100 timed runs.\n\n"
        f"## Results at batch {w.batch(group)}\n\n"
        f"{w.program(group)} needs {w.number(group)} for {w.model(group)} on {w.the(group)}."
    )


@form
def caption_batch_section_batch(w: Words) -> str:
    """A caption's batch is nearer than the section's."""
    need(w.world.batch)
    group, every = w.series("model")
    others = w.others(group, "batch")
    need(others)
    rows = "\n".join(f"| {w.model(one)} | {w.number(one, unit=False)} |" for one in every)
    return (
        f"## Batch {w.batch(others[0])}\n\n"
        f"{w.program(group)} on {w.the(group)} needs {w.number(others[0])} for {w.model(group)}. "
        "For reference, Table 3 has the other batch size.\n\n"
        f"Table 3: {w.program(group)} on {w.the(group)} at batch {w.batch(group)}, in ms\n\n"
        "| Model | Latency |\n|---|---:|\n"
        f"{rows}"
    )
