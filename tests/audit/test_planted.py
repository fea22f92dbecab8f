"""Errors planted in true documents are found, and true numbers raise no alarm."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from audit.planted import DOCUMENTS, Doc, Written
from factory import ROOT

from benchproof.audit.audit import Audit, Audited, audit
from benchproof.audit.document.read import read_document
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.facts.cube import Cube
from benchproof.audit.facts.fact import Telemetry
from benchproof.audit.facts.measures import BY_NAME
from benchproof.audit.facts.records import fact_of
from benchproof.records.load import load_records

SEEDS = range(3)
ERRORS = 8  # planted in each document, one at a time
SWAPS = ("batch", "framework", "row", "variant", "device")


@cache
def cube() -> Cube:
    paths = (ROOT / "results/raw/apple-m3").rglob("*.json")
    return Cube(Telemetry(tuple(map(fact_of, load_records(paths, ROOT))), BY_NAME, ()))


def audited(folder: Path, written: Written, slot: int | None = None, kind: str = "") -> Audit:
    path = folder / f"post{written.suffix}"
    path.write_text(written.printed(slot, kind), encoding="utf-8")
    return audit(read_document(path), cube().telemetry)


def at_slot(made: Audit, written: Written, slot: int, kind: str = "") -> Audited | None:
    """The number that stands where a slot does."""
    before = written.before(slot, kind)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return next(
        (one for one in made.mentions if (one.place.line, one.place.column) == (line, column)), None
    )


@pytest.mark.parametrize("make", DOCUMENTS, ids=lambda make: make.__name__)
def test_true_numbers_are_verified(tmp_path: Path, make: Doc) -> None:
    told: Counter[str] = Counter()
    for seed in SEEDS:
        written = make(cube(), seed)
        made = audited(tmp_path, written)
        for slot in range(len(written.slots)):
            found = at_slot(made, written, slot)
            told[found.judgement.verdict.value if found else "not seen"] += 1
    assert told[Verdict.CONTRADICTED] <= 0.01 * told.total()
    assert told[Verdict.VERIFIED] >= 0.9 * told.total(), told


@pytest.mark.parametrize("make", DOCUMENTS, ids=lambda make: make.__name__)
def test_planted_errors_are_found_and_swaps_are_named(tmp_path: Path, make: Doc) -> None:
    caught: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    named: Counter[str] = Counter()
    chosen = random.Random(7)
    for seed in SEEDS:
        written = make(cube(), seed)
        slips = [(at, kind) for at, slot in enumerate(written.slots) for kind in slot.wrong]
        for at, kind in chosen.sample(slips, min(ERRORS, len(slips))):
            found = at_slot(audited(tmp_path, written, at, kind), written, at, kind)
            planted[kind] += 1
            if found is None or found.judgement.verdict is not Verdict.CONTRADICTED:
                continue
            caught[kind] += 1
            source = found.judgement.source
            if source and written.slots[at].source.get(kind) in source.places:
                named[kind] += 1
    assert caught.total() >= 0.95 * planted.total(), planted - caught
    swaps = sum(caught[kind] for kind in SWAPS if kind in planted)
    traced = sum(named[kind] for kind in SWAPS)
    assert traced >= 0.9 * swaps
