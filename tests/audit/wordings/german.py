"""German sentences and tables, with decimal commas."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words

from benchproof.audit.facts.cube import Group


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


def _german_setting(w: Words, group: Group) -> str:
    """Where a program ran, and in what way if its label does not say so."""
    batch = w.at_batch(group, ", Batchgröße {}")
    return f"auf der {w.device(group)}{batch}{w.beside_label(group, ', {}')}"


@form
def german_factor(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"Bei {w.model(slow)} ({_german_setting(w, slow)}) ist {w.label(fast)} um den Faktor "
        f"{w.times(slow, fast, '', comma=True)} schneller als {w.label(slow)}."
    )


@form
def german_times_as_fast(w: Words) -> str:
    slow, fast = w.pair("framework")
    return (
        f"{w.label(fast)} ist bei {w.model(slow)} {w.times(slow, fast, '-mal', comma=True)} so "
        f"schnell wie {w.label(slow)} ({_german_setting(w, slow)})."
    )


@form
def german_less_time(w: Words) -> str:
    need(w.world.time)
    slow, fast = w.pair("framework")
    return (
        f"{w.label(fast)} braucht für {w.model(slow)} "
        f"{w.percent_less(slow, fast, ' %', comma=True)} weniger Zeit als "
        f"{w.label(slow)} ({_german_setting(w, slow)})."
    )


@form
def german_bullets(w: Words) -> str:
    sides = w.sides("framework")
    bullets = [f"- {w.label(one)}: {w.number(one, comma=True)}" for one in sides]
    what = "Latenz" if w.world.time else "Generierung"
    return f"{what} von {w.model(sides[0])} {_german_setting(w, sides[0])}:\n\n" + "\n".join(
        bullets
    )
