"""Numbers under questions, in captions, notes and quotes, and behind arrows."""

from audit.wordings.forms import form, found, need
from audit.wordings.words import Words


@form
def bold_question(w: Words) -> str:
    group = w.one()
    return (
        f"**How fast is {w.program(group)} on the {w.model(group)}?** On {w.where(group)} I "
        f"measured {w.number(group)}."
    )


@form
def question_heading(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"## How much faster is {w.label(fast)} than {w.label(slow)} on {w.model(slow)}?\n\n"
        f"On {w.where(slow)}{w.beside_label(slow, ' in {}')}, {w.times(slow, fast, 'x')}: "
        f"{w.number(fast)} instead of {w.number(slow)}."
    )


@form
def figure_caption(w: Words) -> str:
    group = w.one()
    return (
        f"![plot](a.png)\n\n*Figure 3: {w.noun.capitalize()} of {w.model(group)} on "
        f"{w.where(group)}. {w.program(group)} reaches {w.number(group)}.*"
    )


@form
def html_figure_caption(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"<html><body><figure><img src=x.png><figcaption>Fig. 2: {w.noun} of {w.model(slow)}, "
        f"{w.setting(slow)}. {w.label(fast)}: {w.number(fast)}, {w.label(slow)}: "
        f"{w.number(slow)}.</figcaption></figure></body></html>"
    )


@form
def html_versus_items(w: Words) -> str:
    slow, fast = w.pair("framework")
    rows = w.rows([slow, fast], "model")
    items = "".join(f"<li>{w.model(a)}: {w.number(b)} vs {w.number(a)}</li>\n" for a, b in rows)
    return (
        f"<html><body><h3>{w.label(fast)} vs {w.label(slow)}, {w.setting(slow)}</h3><ul>\n{items}"
        "</ul></body></html>"
    )


@form
def note_below(w: Words) -> str:
    group = w.one()
    return (
        f"We like {w.program(group)}.[^1]\n\nMore text follows here.\n\n"
        f"[^1]: {w.program(group)} with {w.model(group)}, {w.place(group)}: {w.number(group)}."
    )


@form
def quoted_summary(w: Words) -> str:
    group = w.one()
    return (
        f"> **TL;DR** {w.program(group)} hits {w.number(group, w.world.rate)} with "
        f"{w.model(group)} ({w.place(group)})."
    )


@form
def short_message(w: Words) -> str:
    group = w.one()
    return (
        f"{w.program(group)} @ {w.model(group)}, {w.place(group)}: "
        f"{w.number(group, w.world.rate)} 🚀"
    )


@form
def arrows_of_batches(w: Words) -> str:
    need(w.world.batch)
    _, every = found(lambda: w.series("batch"))
    small, *_, large = sorted(every, key=w.batch_size)
    return (
        f"{w.program_model(small)} ({w.way(small)}) on {w.the(small)}, batch {w.batch(small)} → "
        f"batch {w.batch(large)}: {w.number(small)} → {w.number(large)}."
    )


@form
def versus_to_ratio(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"- {w.model(slow)}, {w.setting(slow)}: {w.label(fast)} {w.number(fast)} vs. "
        f"{w.label(slow)} {w.number(slow)} → **{w.times(slow, fast, 'x')}**"
    )


@form
def bullet_with_than(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"## {w.model(slow)}, {w.setting(slow)}\n\n"
        f"- {w.label(slow)}: {w.number(slow)}\n"
        f"- {w.label(fast)}: {w.number(fast)} ({w.times(slow, fast, 'x')} faster than "
        f"{w.label(slow)})"
    )


@form
def bullets_against_baseline(w: Words) -> str:
    base, *others = w.sides("framework")
    bullets = [
        f"- {w.label(one)}: {w.number(one)}, {w.times(base, one, 'x')} the speed of {w.label(base)}"
        for one in others
    ]
    return (
        f"## {w.model(base)}, {w.setting(base)}\n\n"
        f"Baseline: {w.label(base)} ({w.number(base)}).\n\n" + "\n".join(bullets)
    )
