"""What programs printed, as posts show it in code blocks and code."""

from audit.wordings.forms import form
from audit.wordings.layout import aligned
from audit.wordings.words import Words


@form
def code_columns(w: Words) -> str:
    sides = w.sides("framework")
    columns = w.rows(sides, "model")[:3]
    rows = [["framework", *(w.model(column[0]) for column in columns)]]
    rows += [
        [w.label(side), *(w.number(one, gap="") for one in cells)]
        for side, *cells in zip(sides, *columns, strict=True)
    ]
    return f"Output of `bench.py` for {w.setting(sides[0])}:\n\n```\n{aligned(w, rows)}\n```"


@form
def code_columns_of_units(w: Words) -> str:
    group, every = w.series("model")
    heads = ["Latency (ms)", "Throughput (samples/s)"] if w.world.time else ["Generation (tok/s)"]
    quantities = [w.world.main, w.world.rate] if w.world.time else [w.world.main]
    rows = [["Model", *heads]]
    rows += [
        [w.model(one), *(w.number(one, quantity, unit=False) for quantity in quantities)]
        for one in every
    ]
    return f"{w.program(group)} on {w.where(group)} prints\n\n```text\n{aligned(w, rows)}\n```"


@form
def code_csv(w: Words) -> str:
    sides = w.sides("framework")
    numbers = "batch,latency_ms" if w.world.batch else "generation_tps"
    lines = [
        f"{w.framework(one)},{w.way(one)},{w.model(one)}{w.at_batch(one, ',{}')},"
        f"{w.number(one, unit=False, bare=True)}"
        for row in w.rows(sides, "model")[:3]
        for one in row
    ]
    return (
        f"Raw data ({w.device(sides[0])}):\n\n```csv\nframework,{w.world.way},model,{numbers}\n"
        + "\n".join(lines)
        + "\n```"
    )


@form
def console_lines(w: Words) -> str:
    """Pairs of names and values, under a prompt."""
    sides = w.sides("framework")
    what = "latency" if w.world.time else "generation"
    lines = [
        f"[{w.framework(one)}] {w.world.way}={w.way(one)}{w.at_batch(one, ' batch={}')} "
        f"model={w.model(one)} {what}={w.number(one, gap='')}"
        for row in w.rows(sides, "model")[:2]
        for one in row
    ]
    shown = "\n".join(lines)
    return f"## On {w.the(sides[0])}\n\n```console\n$ ./run_all.sh\n{shown}\ndone.\n```"


@form
def quoted_command(w: Words) -> str:
    group = w.one()
    return (
        f"Running `bench --framework={w.framework(group)}` in {w.way(group)} for {w.model(group)} "
        f"on {w.where(group)} prints `{w.number(group)}`."
    )
