"""Lists, definitions and printed output."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def list_name_value(w: Words) -> str:
    group = w.one()
    every = w.along(group, "model")
    head = "Latency" if w.world.time else "Generation speed"
    lines = "\n".join(f"- {w.model(one)}: {w.number(one)}" for one in every)
    return f"{head} of {w.program(group)} on {w.where(group)}:\n\n{lines}"


@form
def list_bold_devices(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    if w.world.time:
        return (
            f"My results for {w.model(slow)} with {w.program(slow)}{w.at_batch(slow)}:\n\n"
            f"- **{w.device(slow)}:** {w.number(slow, gap='')} ({w.number(slow, w.world.rate)})\n"
            f"- **{w.device(fast)}:** {w.number(fast, gap='')} ({w.number(fast, w.world.rate)}) - "
            f"{w.times(slow, fast, 'x')} faster"
        )
    return (
        f"My results for {w.model(slow)} with {w.program(slow)}:\n\n"
        f"- **{w.device(slow)}:** {w.number(slow)}\n"
        f"- **{w.device(fast)}:** {w.number(fast)} - {w.times(slow, fast, 'x')} faster"
    )


@form
def definition_list(w: Words) -> str:
    group = w.one()
    every = w.along(group, "model")[:4]
    body = "".join(f"<dt>{w.model(one)}</dt><dd>{w.number(one)}</dd>\n" for one in every)
    return (
        f"<html><body><h2>{w.program(group)} on {w.where(group)}</h2><dl>\n"
        f"{body}</dl></body></html>"
    )


@form
def nested_list(w: Words) -> str:
    group = w.one()
    others = w.others(group, "model")
    need(others)
    out = f"{w.framework(group)} on {w.where(group)}:\n\n"
    for one in (group, others[0]):
        ways = [one, *w.others(one, w.world.way)]
        out += f"- {w.model(one)}\n" + "".join(f"  - {w.way(p)}: {w.number(p)}\n" for p in ways)
    return out


@form
def code_output(w: Words) -> str:
    group = w.one()
    every = w.along(group, "model")
    lines = "\n".join(f"{w.model(one)}: {w.number(one)}" for one in every)
    return f"Output for {w.program(group)} on {w.where(group)}:\n\n```\n{lines}\n```"
