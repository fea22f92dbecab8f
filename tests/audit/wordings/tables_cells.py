"""Tables whose cells hold more than a number: pairs, marks, footnotes."""

from audit.planted import Slot, significant
from audit.wordings.forms import form, need
from audit.wordings.words import Words
from audit.wordings.world import Quantity


@form
def two_values_in_cell(w: Words) -> str:
    group, every = w.series("model")
    need(w.world.time)
    rows = [
        f"| {w.model(one)} | {w.number(one, unit=False)} / "
        f"{w.number(one, w.world.rate, unit=False)} |"
        for one in every
    ]
    return (
        f"{w.place(group)}, latency in ms / throughput in {w.rate_unit}\n\n"
        f"| Model | {w.program(group)} |\n"
        "|---|---|\n" + "\n".join(rows)
    )


@form
def two_devices_in_cell(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    rows = [
        f"| {w.model(a)} | {w.number(a, unit=False)} / {w.number(b, unit=False)} |"
        for a, b in w.over_models(slow, fast)
    ]
    return (
        f"| Model | {w.device(slow)} / {w.device(fast)} ({w.unit}) |\n|---|---:|\n"
        + "\n".join(rows)
        + f"\n\n: {w.program(slow)}{w.at_batch(slow)}"
    )


@form
def percent_in_cell(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.ways()
    rows = []
    for a, b in w.over_models(slow, fast):
        change = 100 * (w.cost(b) / w.cost(a) - 1)
        slot = Slot(f"{change:+.0f}%", {"inverted": f"{-change:+.0f}%"} if abs(change) >= 1 else {})
        if abs(change) >= 1:
            w.plant(slot, "factor 10", f"{change * 10:+.0f}%")
        rows.append(
            f"| {w.model(a)} | {w.number(a, unit=False)} | {w.number(b, unit=False)} "
            f"({w.mark(slot)}) |"
        )
    return (
        f"{w.framework(slow)} on {w.where(slow)}, latency in ms\n\n"
        f"| Model | {w.way(slow)} | {w.way(fast)} |\n"
        "|---|---:|---:|\n" + "\n".join(rows)
    )


@form
def plus_minus(w: Words) -> str:
    group, every = w.series("model")
    deviation = "standard deviation of the latency"
    need(group.value(deviation))
    rows = []
    for one in every:
        mean = w.number(one, Quantity("mean latency", 1e3, "ms"), unit=False)
        spread = w.mark(Slot(significant((one.value(deviation) or 0) * 1e3)))
        rows.append(f"| {w.model(one)} | {mean} ± {spread} |")
    return (
        f"Mean ± standard deviation in ms; {w.program(group)} on {w.where(group)}.\n\n"
        "| Model | Latency |\n|---|---:|\n" + "\n".join(rows)
    )


@form
def bold_daggers(w: Words) -> str:
    group, every = w.series("model")
    others = w.others(group, "framework")
    need(others)
    rows = []
    for one in every:
        other = w.like(others[0], model=w.model(one))
        if not other:
            continue
        a, b = w.number(one, unit=False), w.number(other, unit=False)
        if w.cost(one) < w.cost(other):
            rows.append(f"| {w.model(one)} | **{a}** | {b}† |")
        else:
            rows.append(f"| {w.model(one)} | {a}<sup>†</sup> | **{b}** |")
    what = "Latency" if w.world.time else "Generation speed"
    where = f"{w.device(group)}{w.at_batch(group)}{w.beside_label(group, ' in {}')}"
    return (
        f"**Table 3:** {what} ({w.unit}) on the {where}. Lower is better.\n\n"
        f"| Model | {w.label(group)} | {w.label(others[0])} |\n"
        "|---|---:|---:|\n" + "\n".join(rows) + "\n\n† Slower of the two."
    )


@form
def footnotes(w: Words) -> str:
    group, every = w.series("model")
    rows = []
    for at, one in enumerate(every, start=1):
        marks = (f"[^{at}]", "[^1]") if at <= 2 else ("", "")
        rows.append(f"| {w.model(one)}{marks[0]} | {w.number(one)}{marks[1]} |")
    return (
        f"### {w.program(group)} / {w.device(group)}{w.at_batch(group, ' / batch {}')}\n\n"
        "| Model | Result |\n|---|---|\n"
        + "\n".join(rows)
        + "\n\n[^1]: Median of all runs.\n[^2]: Second try."
    )
