"""Tables of plain values: by model, by batch, by program."""

from collections.abc import Iterator
from itertools import cycle

from audit.planted import Slot
from audit.wordings.forms import form, need
from audit.wordings.words import Words

from benchproof.audit.facts.cube import Group


@form
def transposed(w: Words) -> str:
    group, every = w.series("model")
    name = "Latency (ms)" if w.world.time else f"Generation ({w.rate_unit})"
    rate = f"Throughput ({w.rate_unit})"
    lines = [
        f"{w.program(group)}, {w.place(group)}",
        "",
        "| | " + " | ".join(map(w.model, every)) + " |",
        "|---|" + "---:|" * len(every),
        f"| {name} | " + " | ".join(w.number(one, unit=False) for one in every) + " |",
    ]
    if w.world.time:
        lines.append(
            f"| {rate} | "
            + " | ".join(w.number(one, w.world.rate, unit=False) for one in every)
            + " |"
        )
    return "\n".join(lines)


@form
def batch_column(w: Words) -> str:
    need(w.world.batch)
    group, every = w.series("batch")
    others = w.others(group, "framework")
    need(others)
    rows = []
    for one in every:
        peer = w.like(others[0], batch=one.keys["batch"])
        beside = w.number(one, unit=False), w.number(peer, unit=False) if peer else "—"
        rows.append(f"| {w.batch(one)} | {beside[0]} | {beside[1]} |")
    return (
        f"### {w.model(group)} ({w.device(group)})\n\n"
        f"| Batch | {w.program(group)} (ms) | {w.program(others[0])} (ms) |\n"
        "|---:|---:|---:|\n" + "\n".join(rows)
    )


@form
def batch_column_small(w: Words) -> str:
    need(w.world.batch)
    group, every = w.series("batch")
    every.sort(key=w.batch_size)
    sizes = cycle(("small", "medium", "large", "huge"))
    rows = [
        f"| {w.batch(one)} ({size}) | {w.number(one)} | {w.number(one, w.world.rate)} |"
        for one, size in zip(every, sizes, strict=False)
    ]
    return (
        f"Table 1: {w.model(group)}, {w.program(group)} on {w.the(group)}\n\n"
        "| Batch size | Latency | Throughput |\n"
        "|---|---|---|\n" + "\n".join(rows)
    )


@form
def heads_bs(w: Words) -> str:
    need(w.world.batch)
    group, every = w.series("batch")
    spell = w.random.choice(("BS={}", "bs{}", "b={}", "B{}", "batch={}", "{}"))
    rows = ""
    for model in w.cube.keys["model"]:
        cells = [w.like(one, model=model) for one in every]
        if all(cells):
            numbers = " | ".join(w.number(cell, unit=False) for cell in cells if cell)
            rows += f"| {model} | {numbers} |\n"
    label = "Model \\\\ Batch size" if spell == "{}" else "Model"
    heads = " | ".join(spell.format(w.batch(one)) for one in every)
    return (
        f"**{w.program(group)} latency on {w.the(group)}, in milliseconds**\n\n"
        f"| {label} | {heads} |\n|---|{'---:|' * len(every)}\n"
        f"{rows}"
    )


@form
def unit_heads(w: Words) -> str:
    need(w.world.time)
    group, every = w.series("model")
    head = w.random.choice(
        (
            "Latency [ms]",
            "Latency/ms",
            "t (ms)",
            "Time (ms) ↓",
            "ms",
            "Median (ms)" if w.world.way == "variant" else "ms/call",
            "Latency, ms",
        )
    )
    rate = w.random.choice(
        ("Throughput [samples/s]", "samples/s", "img/s", "Throughput (samples/sec) ↑")
    )
    rows = "\n".join(
        f"| {w.model(one)} | {w.number(one, unit=False)} | "
        f"{w.number(one, w.world.rate, unit=False)} |"
        for one in every
    )
    return (
        f"## {w.program(group)} on {w.where(group)}\n\n"
        f"| Model | {head} | {rate} |\n|---|---:|---:|\n"
        f"{rows}"
    )


@form
def row_label_batch(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    others = w.others(group, "framework")
    need(others)
    rows = ""
    for batch in w.cube.keys["batch"]:
        for model in w.cube.keys["model"][:3]:
            a, b = (w.like(side, model=model, batch=batch) for side in (group, others[0]))
            if a and b:
                rows += f"| {model} (batch {batch}) | {w.number(a)} | {w.number(b)} |\n"
    return (
        f"## {w.device(group)} results\n\n"
        f"| Workload | {w.program(group)} | {w.program(others[0])} |\n"
        f"|---|---|---|\n{rows}"
    )


@form
def group_rows(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    head = "Latency (ms)" if w.world.time else w.rate_unit
    out = f"{w.program(slow)}{w.at_batch(slow)}\n\n| Model | {head} |\n|---|---:|\n"
    for group in (slow, fast):
        out += f"| **{w.device(group)}** | |\n"
        for one in w.each_model(group):
            out += f"| {w.model(one)} | {w.number(one, unit=False)} |\n"
    return out


@form
def long_mixed(w: Words) -> str:
    rows = []
    for group in w.random.sample(w.groups, min(8, len(w.groups))):
        memory = f" | {w.number(group, w.world.memory)}" if w.world.memory else ""
        rows.append(
            f"| {w.framework(group)} | {w.model(group)} | {w.device(group)} | {w.way(group)} | "
            f"{w.batch(group) or '1'} | {w.number(group)} | "
            f"{w.number(group, w.world.rate)}{memory} |"
        )
    batch = "Batch" if w.world.batch else "Users"
    head, rule = (" | Memory", "---|") if w.world.memory else ("", "")
    return (
        f"| Framework | Model | Device | Mode | {batch} | Result | Throughput{head} |\n"
        f"|---|---|---|---|---|---|---|{rule}\n" + "\n".join(rows)
    )


@form
def other_columns(w: Words) -> str:
    """Columns that the telemetry has not: accuracy, layers, a rank."""
    group, every = w.series("model")
    rows = ""
    for at, one in enumerate(every):
        layers, accuracy = w.mark(Slot(f"{12 + 7 * at}")), w.mark(Slot(f"{71.3 + 2.9 * at:.1f}"))
        rows += (
            f"| {at + 1} | {w.model(one)} | {layers} | {accuracy} | {w.number(one, unit=False)} |\n"
        )
    what = "Latency (ms)" if w.world.time else "Generation (tokens/s)"
    return (
        f"### {w.program(group)} on {w.where(group)}\n\n"
        f"| # | Model | Layers | Accuracy (%) | {what} |\n"
        f"|---|---|---|---|---|\n{rows}"
    )


@form
def winner_column(w: Words) -> str:
    group = w.one()
    what = "Latency" if w.world.time else "Speed"
    out = (
        f"Fastest run for each model on {w.where(group)}\n\n"
        f"| Model | Winner | {what} |\n|---|---|---|\n"
    )
    for best in _winners(w, group):
        out += f"| {w.model(best)} | {w.program(best)} | {w.number(best)} |\n"
    return out


@form
def winner_in_cell(w: Words) -> str:
    group = w.one()
    out = f"| Model | Fastest on {w.where(group)} |\n|---|---|\n"
    for best in _winners(w, group):
        out += f"| {w.model(best)} | {w.program(best)} ({w.number(best)}) |\n"
    return out


def _winners(w: Words, group: Group) -> Iterator[Group]:
    """The fastest of each model where a group ran, and at its batch."""
    where = {w.world.place: group.keys[w.world.place]}
    if w.world.batch:
        where["batch"] = group.keys["batch"]
    for model in w.cube.keys["model"]:
        every = w.having(model=model, **where)
        if every:
            yield min(every, key=w.cost)
