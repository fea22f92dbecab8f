"""Tables of how many times as fast one is as another, the other told somewhere beside them."""

from audit.wordings.forms import form, need
from audit.wordings.layout import piped
from audit.wordings.words import Words
from audit.wordings.world import CLEAR

from benchproof.audit.facts.cube import Group


@form
def ratios_over_base(w: Words) -> str:
    base, *others = w.sides("framework")
    rows = [
        [w.model(row[0]), *(w.times(row[0], one) for one in row[1:])]
        for row in w.rows([base, *others], "model")
    ]
    return (
        f"## Relative speed, {w.setting(base)}\n\n"
        f"Speedup over {w.label(base)} by {w.noun}; higher is better.\n\n"
        + piped(["Model", *map(w.label, others)], rows)
    )


@form
def batch_heads_vs_base(w: Words) -> str:
    need(w.world.batch)
    base, *others = w.sides("framework")
    columns = w.rows([base, *others], "batch")
    rows = [
        [w.label(other), *(w.times(column[0], column[at], "x") for column in columns)]
        for at, other in enumerate(others, start=1)
    ]
    heads = [f"batch {w.batch(column[0])} (vs {w.label(base)})" for column in columns]
    return (
        f"## {w.model(base)} on {w.the(base)}{w.beside_label(base, ' in {}')}\n\n"
        + piped(["Framework", *heads], rows)
        + f"\n\nSpeedup by {w.noun}; {w.label(base)} = 1.0x."
    )


@form
def speedup_of_over_head(w: Words) -> str:
    slow, fast = w.pair("framework")
    rows = [[w.model(a), w.times(a, b, "x")] for a, b in w.rows([slow, fast], "model")]
    return f"## Results: {w.setting(slow)}\n\n" + piped(
        ["Model", f"Speedup of {w.label(fast)} over {w.label(slow)}"], rows
    )


@form
def ratio_behind_value(w: Words) -> str:
    base, *others = w.sides("framework")
    columns = w.rows([base, *others], "model")
    rows = [[w.label(base), *(w.number(column[0]) for column in columns)]]
    for at, other in enumerate(others, start=1):
        cells = [
            f"{w.number(column[at])} ({w.times(column[0], column[at], 'x', places=1)})"
            for column in columns
        ]
        rows.append([w.label(other), *cells])
    return (
        f"### {w.setting(base)}\n\n"
        f"{w.noun.capitalize()}, and in brackets the speedup over {w.label(base)}.\n\n"
        + piped(["Framework", *(w.model(column[0]) for column in columns)], rows)
    )


@form
def winner_with_lead(w: Words) -> str:
    """The lead is over the second, which the table does not name."""
    sides = w.sides("framework")
    group = sides[0]
    rows = []
    for row in w.rows(sides, "model"):
        best, second = sorted(row, key=w.cost)[:2]
        lead = w.times(second, best, "x")
        rows.append([w.model(best), w.framework(best), w.number(best), lead])
    mode = w.by_variant(group, " in eager mode", " when compiled", f" in {w.way(group)}")
    return (
        f"Which framework wins on {w.where(group)}{mode}? The factor is the lead over the "
        f"runner-up by {w.noun}.\n\n"
        + piped(["Model", "Winner", w.noun.capitalize(), "Lead"], rows)
    )


@form
def best_run_with_margin(w: Words) -> str:
    """Of all runs: the second may be of the same framework."""
    group = _ran_where_asked(w)
    rows = []
    for one in w.along(group, "model"):
        best, second = sorted(w.along(one, "framework", w.world.way), key=w.cost)[:2]
        rows.append([w.model(one), w.program(best), w.number(best), w.times(second, best, "x")])
    return (
        f"The fastest run of each model on {w.where(group)}, with its margin over the second "
        f"fastest run.\n\n" + piped(["Model", "Winner", w.noun.capitalize(), "Margin"], rows)
    )


def _ran_where_asked(w: Words) -> Group:
    """A group of a place where all that it is held against did run."""
    elsewhere = {w.device(one) for one in w.groups if one.ran_elsewhere}
    return w.random.choice([one for one in w.groups if w.device(one) not in elsewhere])


@form
def wins_table(w: Words) -> str:
    sides = w.sides("framework")
    rows = w.rows(sides, "model")
    need(all(_is_clear(w, row) for row in rows))
    first = [row.index(min(row, key=w.cost)) for row in rows]
    told = [
        [w.label(side), w.count(first.count(at), len(rows), "{} of {}")]
        for at, side in enumerate(sides)
    ]
    return (
        f"Wins per framework over the {len(rows)} models, by {w.noun} ({w.setting(sides[0])}):\n\n"
        + piped(["Framework", "Wins"], told)
    )


def _is_clear(w: Words, row: list[Group]) -> bool:
    best, second = sorted(row, key=w.cost)[:2]
    return w.gain(second, best) > CLEAR


@form
def time_saved_column(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    rows = [
        [
            w.model(a),
            w.number(a, unit=False),
            w.number(b, unit=False),
            w.percent_less(a, b, "", places=1),
        ]
        for a, b in w.rows([slow, fast], "model")
        if w.gain(a, b) > CLEAR
    ]
    heads = [f"{w.label(slow)} (ms)", f"{w.label(fast)} (ms)", f"time saved by {w.label(fast)} (%)"]
    return f"## Results: {w.setting(slow)}\n\n" + piped(["Model", *heads], rows)


@form
def compiled_by_eager_column(w: Words) -> str:
    """Times of the one over those of the other, so less than 1 where it is faster."""
    need(w.world.time)
    slow, fast = w.ways()
    rows = []
    for a, b in w.over_models(slow, fast):
        numbers = w.number(a, unit=False), w.number(b, unit=False)
        rows.append([w.model(a), *numbers, w.times(b, a, "")])
    heads = [f"{w.way(slow)} (ms)", f"{w.way(fast)} (ms)", f"{w.way(fast)} / {w.way(slow)}"]
    return f"## {w.framework(slow)} on {w.where(slow)}\n\n" + piped(["Model", *heads], rows)


@form
def speedup_bullets_by_model(w: Words) -> str:
    slow, fast = w.pair("framework")
    bullets = [f"- {w.model(a)}: {w.times(a, b)}" for a, b in w.rows([slow, fast], "model")]
    return (
        f"Speedup of {w.label(fast)} over {w.label(slow)} by {w.noun}, {w.setting(slow)}:\n\n"
        + "\n".join(bullets)
    )


@form
def speedup_bullets_by_batch(w: Words) -> str:
    need(w.world.batch)
    slow, fast = w.pair("framework")
    rows = w.rows([slow, fast], "batch")
    bullets = [f"- batch {w.batch(a)}: {w.times(a, b, 'x')}" for a, b in rows]
    where = f"{w.model(slow)} on {w.the(slow)}{w.beside_label(slow, ' in {}')}"
    return f"### Speedup of {w.label(fast)} over {w.label(slow)} for {where}\n\n" + "\n".join(
        bullets
    )
