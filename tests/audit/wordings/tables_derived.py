"""Tables with columns and rows that are reckoned from the others."""

from statistics import fmean

from audit.planted import Slot, significant
from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def speedup_column(w: Words) -> str:
    slow, fast = w.ways()
    rows = [
        f"| {w.model(a)} | {w.number(a, unit=False)} | **{w.number(b, unit=False)}** | "
        f"{w.times(a, b)} |"
        for a, b in w.over_models(slow, fast)
    ]
    return (
        f"{w.framework(slow)} on {w.where(slow)}\n\n"
        f"| Model | {w.way(slow)} ({w.unit}) | {w.way(fast)} ({w.unit}) | Speedup |\n"
        "|---|---:|---:|---:|\n" + "\n".join(rows)
    )


@form
def devices_speedup_column(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    rows = [
        f"| {w.model(a)} | {w.number(a)} | {w.number(b)} | {w.times(a, b, 'x')} |"
        for a, b in w.over_models(slow, fast)
    ]
    return (
        f"## {w.program(slow)}{w.at_batch(slow)}\n\n"
        f"| Model | {w.device(slow)} | {w.device(fast)} | Speed-up |\n"
        "|---|---:|---:|---:|\n" + "\n".join(rows)
    )


@form
def frameworks_ratio_column(w: Words) -> str:
    slow, fast = w.pair("framework")
    rows = [
        f"| {w.model(a)} | {w.number(a, unit=False)} | {w.number(b, unit=False)} | "
        f"{w.times(a, b, '')} |"
        for a, b in w.over_models(slow, fast)
    ]
    over, under = (slow, fast) if w.world.time else (fast, slow)
    ratio = f"{w.framework(over)} / {w.framework(under)}"
    return (
        f"{w.place(slow)}{w.beside_label(slow, ', {}')}, in {w.unit}\n\n"
        f"| Model | {w.label(slow)} | {w.label(fast)} | {ratio} |\n"
        "|---|---:|---:|---:|\n" + "\n".join(rows)
    )


@form
def delta_column(w: Words) -> str:
    slow, fast = w.ways()
    need(w.world.time)
    rows = ""
    for a, b in w.over_models(slow, fast):
        change = 100 * (w.cost(b) / w.cost(a) - 1)
        slot = Slot(f"{change:+.1f}%")
        if abs(change) > 1:
            slot.wrong = {"inverted": f"{-change:+.1f}%", "factor 10": f"{10 * change:+.1f}%"}
        rows += (
            f"| {w.model(a)} | {w.number(a, unit=False)} | {w.number(b, unit=False)} | "
            f"{w.mark(slot)} |\n"
        )
    return (
        f"Table 2: Latency in ms, {w.framework(slow)}, {w.place(slow)}\n\n"
        f"| Model | {w.way(slow)} | {w.way(fast)} | Δ |\n"
        f"|---|---:|---:|---:|\n{rows}"
    )


@form
def mean_row(w: Words) -> str:
    group, every = w.series("model")
    others = w.others(group, "framework")
    need(others)
    rows, pairs = "", []
    for one in every:
        other = w.like(others[0], model=w.model(one))
        if other:
            rows += (
                f"| {w.model(one)} | {w.number(one, unit=False)} | "
                f"{w.number(other, unit=False)} |\n"
            )
            pairs.append((w.main_number(one), w.main_number(other)))
    need(len(pairs) > 1)
    means = [w.mark(Slot(significant(fmean(side)))) for side in zip(*pairs, strict=True)]
    rows += f"| **Average** | {means[0]} | {means[1]} |\n"
    return (
        f"Table 4: {w.device(group)}{w.at_batch(group, ', batch size {}')}, {w.unit}\n\n"
        f"| Model | {w.program(group)} | {w.program(others[0])} |\n"
        f"|---|---:|---:|\n{rows}"
    )


@form
def table_then_sentence(w: Words) -> str:
    """The table is of one device and batch, the sentence after it of others."""
    w.ways()  # a pair that nothing is written of
    text = speedup_column(w)
    a, b = w.ways()
    return (
        f"{text}\n\nOn {w.where(a)}, {w.program_model(a)} drops from {w.number(a)} to "
        f"{w.number(b)} once we use {w.way(b)} instead of {w.way(a)}."
    )
