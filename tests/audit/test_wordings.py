"""However a post words and lays out its numbers, they are read as what they are of."""

import random
from collections import Counter
from contextlib import suppress
from functools import cache

import pytest
from audit.planted import Written
from audit.wordings.documents import ASIDES, document
from audit.wordings.forms import FORMS
from audit.wordings.worlds import NAMES, world

from benchproof.audit.audit import Audit, audit
from benchproof.audit.document.html import read_html
from benchproof.audit.document.markdown import read_markdown
from benchproof.audit.explain.verdict import Verdict

ERRORS = 3  # planted in each document, one at a time
NOT_SEEN = "not seen"
READERS = {".md": read_markdown, ".html": read_html}

each_world = pytest.mark.parametrize("name", NAMES)


@cache
def documents(name: str) -> tuple[Written, ...]:
    """One of each form that a world has the numbers for."""
    made = []
    for form in FORMS:
        with suppress(LookupError):
            made.append(document(world(name), form, seed=0))
    return tuple(made)


def audited(name: str, written: Written, slot: int | None = None, kind: str = "") -> Audit:
    text = written.printed(slot, kind)
    return audit(READERS[written.suffix](text, f"post{written.suffix}"), world(name).cube.telemetry)


def verdict(made: Audit, written: Written, slot: int, kind: str = "") -> str:
    """Of the number that stands where a slot does; a sign before it may be its own or not."""
    before = written.before(slot, kind)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    here = [one for one in made.mentions if one.place.line == line]
    nearest = min(here, key=lambda one: abs(one.place.column - column), default=None)
    if nearest is None or abs(nearest.place.column - column) > 1:
        return NOT_SEEN
    return nearest.judgement.verdict.value


@cache
def told_of_true(name: str) -> tuple[tuple[str, str, str], ...]:
    """Each true number of a world: its form, its text, its verdict."""
    return tuple(
        (written.shape, slot.text, verdict(made, written, at))
        for written in documents(name)
        for made in [audited(name, written)]
        for at, slot in enumerate(written.slots)
    )


@each_world
def test_hardly_a_true_number_is_contradicted(name: str) -> None:
    told = told_of_true(name)
    alarms = [(form, text) for form, text, found in told if found == Verdict.CONTRADICTED.value]
    assert len(alarms) <= 0.01 * len(told), alarms


@each_world
def test_most_true_numbers_are_verified(name: str) -> None:
    told = Counter(found for form, _, found in told_of_true(name) if form not in ASIDES)
    assert told[Verdict.VERIFIED.value] >= 0.9 * told.total(), told


@each_world
def test_planted_errors_are_contradicted(name: str) -> None:
    """The goal is 95 %; the bound only ever rises."""
    found: Counter[str] = Counter()
    chosen = random.Random(7)
    for written in documents(name):
        slips = [(at, kind) for at, slot in enumerate(written.slots) for kind in slot.wrong]
        for at, kind in chosen.sample(slips, min(ERRORS, len(slips))):
            found[verdict(audited(name, written, at, kind), written, at, kind)] += 1
    assert found[Verdict.CONTRADICTED.value] >= 0.9 * found.total(), found
