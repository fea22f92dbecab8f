"""German sentences and tables, with decimal commas."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def german(w: Words) -> str:
    """A paragraph in German, and the same in English under its own heading."""
    slow, fast = w.ways()
    told = (
        f"Auf der {w.device(slow)} braucht {w.framework(slow)} mit {w.way(slow)} für "
        f"{w.model(slow)}{w.at_batch(slow, ' bei Batchgröße {}')} {w.number(slow, comma=True)}, "
        f"mit {w.way(fast)} {w.number(fast, comma=True)} – das ist "
        f"{w.times(slow, fast, '-mal', comma=True)} so schnell."
    )
    return (
        f"{told}\n\n## In English\n\nOn {w.the(slow)}, {w.framework(slow)} with {w.way(slow)} "
        f"needs {w.number(slow)} for {w.model(slow)}{w.at_batch(slow, ' at batch size {}')}, and "
        f"{w.number(fast)} with {w.way(fast)}: {w.times(slow, fast, ' times')} as fast."
    )


@form
def german_table(w: Words) -> str:
    group, every = w.series("model")
    rows = [f"| {w.model(p)} | {w.number(p, unit=False, comma=True)} |" for p in every]
    return (
        f"{w.program(group)} auf der {w.device(group)}{w.at_batch(group, ', Batchgröße {}')}\n\n"
        f"| Modell | {'Laufzeit in ms' if w.world.time else 'Generation (tokens/s)'} |\n"
        "|---|---:|\n" + "\n".join(rows)
    )


@form
def german_percent(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    mode = w.by_variant(slow, "im Eager-Modus", "kompiliert", f"in {w.way(slow)}")
    saved = w.percent_less(slow, fast, " %", places=1, comma=True)
    return (
        f"{w.framework(fast)} ist {mode} bei {w.model(slow)} auf der "
        f"{w.device(slow)}{w.at_batch(slow, ' (Batchgröße {})')} um {saved} schneller als "
        f"{w.framework(slow)}."
    )


@form
def nominal_german(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    need(w.world.time)
    p = 100 * (1 - w.cost(fast) / w.cost(slow))
    return (
        f"Statt {w.number(slow, comma=True)} auf der {w.device(slow)} sind es auf der "
        f"{w.device(fast)} nur {w.number(fast, comma=True)} ({w.program(slow)}, "
        f"{w.model(slow)}{w.at_batch(slow, ', Batchgröße {}')}), also "
        f"{w.derived(p, 1, ' %', comma=True)} weniger."
    )
