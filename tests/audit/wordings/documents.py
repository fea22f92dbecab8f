"""Documents of one form, and posts of several under one another."""

import random

from audit.planted import Written
from audit.wordings import (
    asides,
    german,
    lists,
    printed_output,
    prose_changes,
    prose_compared,
    prose_many,
    prose_overall,
    prose_percents,
    prose_placed,
    prose_ratios,
    prose_values,
    scopes,
    tables_cells,
    tables_derived,
    tables_html,
    tables_layouts,
    tables_ratios,
    tables_values,
)
from audit.wordings.forms import FORMS
from audit.wordings.words import Words
from audit.wordings.world import World

SUBJECTS = (
    prose_values,
    prose_changes,
    prose_ratios,
    prose_percents,
    prose_many,
    scopes,
    lists,
    tables_values,
    tables_derived,
    tables_cells,
    tables_html,
    asides,
    german,
    tables_ratios,
    tables_layouts,
    printed_output,
    prose_placed,
    prose_compared,
    prose_overall,
)
ASIDES = frozenset(name for name in FORMS if hasattr(asides, name))
# Pages of their own, headings that bind what follows, and another language.
ALONE = frozenset(
    (
        "definition_list",
        "html_colspan",
        "html_rowspan",
        "unless_otherwise",
        "setup_elsewhere",
        "german",
        "german_table",
        "german_percent",
        "german_factor",
        "german_times_as_fast",
        "german_less_time",
        "german_bullets",
        "html_section_heads",
        "html_section_cells",
        "html_measures_under_labels",
        "html_figure_caption",
        "html_versus_items",
    )
)


def document(world: World, name: str, seed: int) -> Written:
    """The document of one form; LookupError where the world has no such numbers."""
    words = Words(world, seed, name)
    text = FORMS[name](words)
    if text.startswith("<html>"):
        return words.written(name, f"<!doctype html>{text}\n", ".html")
    return words.written(name, f"{text}\n")


def post(world: World, seed: int, size: int = 10) -> Written:
    """A post of several forms, each under its own heading."""
    words = Words(world, seed)
    parts = ["# A tour of the numbers", ""]
    names = [name for name in FORMS if name not in ALONE]
    for name in random.Random(seed).sample(names, size):
        kept = len(words.slots)
        try:
            text = FORMS[name](words)
        except LookupError:
            del words.slots[kept:]
            continue
        heading = "" if text.startswith("## ") else f"## Part {chr(65 + len(parts) % 26)}"
        parts += [heading, "", text, ""]
    return words.written("post", "\n".join(parts) + "\n")
