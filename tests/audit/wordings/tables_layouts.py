"""Tables of plain values that say in odd places what their rows and columns are of."""

from audit.wordings.forms import form, found, need
from audit.wordings.layout import Row, piped, tagged
from audit.wordings.words import Words

from benchproof.audit.facts.cube import Group


def _rates(w: Words, group: Group) -> list[str]:
    """A time and a throughput; one number in a world without times."""
    numbers = [w.number(group)]
    return [*numbers, w.number(group, w.world.rate)] if w.world.time else numbers


def _section_rows(w: Words, sides: list[Group], section: str) -> str:
    body = ""
    for row in w.rows(sides, "model")[:3]:
        body += section.format(w.model(row[0]))
        body += "".join(tagged([w.label(one), *_rates(w, one)]) for one in row)
    return body


@form
def html_section_heads(w: Words) -> str:
    sides = w.sides("framework")
    heads = ["Framework", w.noun, *(["throughput"] if w.world.time else [])]
    section = f'<tr><th colspan="{len(heads)}">{{}}</th></tr>\n'
    return (
        f"<html><body><h1>{w.noun.capitalize()} by model</h1><p>{w.setting(sides[0])}.</p><table>\n"
        f"{tagged(heads, 'th')}{_section_rows(w, sides, section)}</table></body></html>"
    )


@form
def html_section_cells(w: Words) -> str:
    sides = w.sides("framework")
    heads = ["Framework", w.noun, *(["throughput"] if w.world.time else [])]
    section = f'<tr class="section"><td colspan="{len(heads)}"><b>{{}}</b></td></tr>\n'
    return (
        f"<html><body><h2>{w.setting(sides[0])}</h2><table>\n<thead>{tagged(heads, 'th')}</thead>"
        f"<tbody>{_section_rows(w, sides, section)}</tbody></table></body></html>"
    )


@form
def html_measures_under_labels(w: Words) -> str:
    need(w.world.time)
    sides = w.sides("framework")
    labels = "".join(f"<th colspan=2>{w.label(side)}</th>" for side in sides)
    body = ""
    for row in w.rows(sides, "model"):
        cells = [
            w.number(one, quantity, unit=False)
            for one in row
            for quantity in (w.world.main, w.world.rate)
        ]
        body += tagged([w.model(row[0]), *cells])
    measures = tagged(["latency (ms)", f"throughput ({w.rate_unit})"] * len(sides), "th")
    return (
        f"<html><body><h2>{w.setting(sides[0])}</h2><table>\n"
        f"<tr><th rowspan=2>Model</th>{labels}</tr>\n{measures}{body}</table></body></html>"
    )


@form
def corner_setting(w: Words) -> str:
    sides = w.sides("framework")
    columns = w.rows(sides, "model")[:3]
    rows = [
        [w.label(side), *(w.number(column[at], unit=False) for column in columns)]
        for at, side in enumerate(sides)
    ]
    corner = f"Framework ({w.at_batch(sides[0], 'batch {}') or w.way(sides[0])})"
    where = w.device(sides[0])
    if w.world.batch:
        where += w.beside_label(sides[0], ", {}")
    return f"{w.noun.capitalize()} in {w.unit}, {where}.\n\n" + piped(
        [corner, *(w.model(column[0]) for column in columns)], rows
    )


@form
def model_named_once(w: Words) -> str:
    """Blank cells continue the model above them."""
    sides = w.sides("framework")
    rows: list[Row] = []
    for row in w.rows(sides, "model")[:3]:
        names = [w.model(row[0]), *[""] * (len(row) - 1)]
        rows += [[name, w.label(one), w.number(one)] for name, one in zip(names, row, strict=True)]
    return f"## Results: {w.setting(sides[0])}\n\n" + piped(["Model", "Framework", w.noun], rows)


@form
def least_and_largest_columns(w: Words) -> str:
    """Over all models, none of which the table names."""
    sides = w.sides("framework")
    shared = w.rows(sides, "model")
    need(len(shared) == len(w.along(sides[0], "model")) > 2)
    rows = []
    for side, *column in zip(sides, *shared, strict=True):
        column.sort(key=w.main_value)
        ends = (w.number(column[at], unit=False) for at in (0, -1))
        rows.append([w.label(side), *ends])
    return (
        f"Smallest and largest {w.noun} over the {len(shared)} models, {w.setting(sides[0])}:\n\n"
        + piped(["Framework", f"min ({w.unit})", f"max ({w.unit})"], rows)
    )


@form
def label_rows(w: Words) -> str:
    need(w.world.batch)
    sides = w.sides("framework")
    rows = [
        [f"{w.label(one)}, batch {w.batch(one)}", w.number(one)]
        for row in w.rows(sides, "batch")
        for one in row
    ]
    group = sides[0]
    where = f"{w.device(group)}{w.beside_label(group, ', {}')}"
    return f"{w.noun.capitalize()} for {w.model(group)} ({where})\n\n" + piped(
        ["Configuration", "Result"], rows
    )


@form
def setup_in_details(w: Words) -> str:
    sides = w.sides("framework")
    group = sides[0]
    setup = [w.device(group), *([f"batch size {w.batch(group)}"] if w.world.batch else [])]
    if w.world.way != "variant":
        setup.append(w.way(group))
    bullets = "\n".join(f"* {one}" for one in setup)
    rows = [[w.model(row[0]), *map(w.number, row)] for row in w.rows(sides, "model")]
    return (
        f"### Benchmarks\n\n<details><summary>Setup</summary>\n\n{bullets}\n\n</details>\n\n"
        + piped(["Model / framework", *map(w.label, sides)], rows)
    )


@form
def caption_under_table(w: Words) -> str:
    need(w.world.batch)
    group = w.one()
    sides = [group, *w.others(group, "model")]
    rows = [
        [w.batch(row[0]), *(w.number(one, unit=False) for one in row)]
        for row in w.rows(sides, "batch")
    ]
    caption = (
        f"*Table 2. {w.noun.capitalize()} of {w.program(group)} in {w.unit} on {w.the(group)}.*"
    )
    return piped(["Batch", *map(w.model, sides)], rows) + f"\n\n{caption}\n\nThe trend is clear."


@form
def efficiency_by_batch(w: Words) -> str:
    efficiency = w.world.efficiency
    need(efficiency)
    group = w.one()
    columns = w.rows([group, *w.others(group, "model")], "batch")
    rows = [
        [w.model(side), *(w.number(one, efficiency, gap="") for one in cells)]
        for side, *cells in zip(columns[0], *columns, strict=True)
    ]
    heads = [f"batch {w.batch(column[0])}" for column in columns]
    return f"## Roofline efficiency of {w.program(group)} on {w.the(group)}\n\n" + piped(
        ["Model", *heads], rows
    )


@form
def best_in_bold(w: Words) -> str:
    need(w.world.batch)
    sides = w.sides("framework")
    columns = w.rows(sides, "batch")
    best = [min(column, key=w.cost) for column in columns]
    rows = []
    for side, *cells in zip(sides, *columns, strict=True):
        numbers = [
            f"**{w.number(one)}**" if one is first else w.number(one)
            for one, first in zip(cells, best, strict=True)
        ]
        rows.append([f"`{w.label(side)}`", *numbers])
    where = f"{w.device(side)}{w.beside_label(side, ', {}')}"
    heads = [f"batch {w.batch(column[0])} ↓" for column in columns]
    return f"**{w.model(side)}** ({where})\n\n" + piped(["Framework", *heads], rows)


@form
def peak_memory_table(w: Words) -> str:
    memory = w.world.memory
    need(memory)
    assert memory
    group = w.one()
    sides = [group, *w.others(group, w.world.way)]
    rows = [
        [w.model(row[0]), *(w.number(one, memory, unit=False) for one in row)]
        for row in w.rows(sides, "model")
    ]
    where = f"{w.framework(group)} on {w.where(group)}"
    return f"Peak memory with {where}, in {memory.unit}:\n\n" + piped(
        ["", *map(w.way, sides)], rows
    )


@form
def time_per_sample_column(w: Words) -> str:
    need(w.world.batch)
    group, every = found(lambda: w.series("batch"))
    rows = []
    for one in sorted(every, key=w.batch_size):
        each = 1e3 * w.cost(one) / w.batch_size(one)
        rows.append([w.batch(one), w.number(one), w.derived(each, 3, " ms")])
    heads = ["Batch size", "Latency", "Time per sample"]
    return f"### {w.program_model(group)} ({w.way(group)}, {w.device(group)})\n\n" + piped(
        heads, rows
    )
