"""What an audit tells, in types that JSON can hold: `benchproof/audit@1`."""

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import PurePath
from typing import Literal

import msgspec

from benchproof.audit.audit import Audit, Audited
from benchproof.audit.binding.measured import MEASURE, STATISTIC
from benchproof.audit.explain.reading import Reading
from benchproof.audit.explain.verdict import Judgement, Verdict
from benchproof.audit.mention.mention import Mention
from benchproof.records.findings import DataFinding, Level

SCHEMA: Literal["benchproof/audit@1"] = "benchproof/audit@1"
Key = str | int | float

CLAIM = "claim"  # the rule of sentences that claim something in words
_CLOSE = ("", "%", "x", "X", "×")  # units that stand at their number without a space
_MOST_VALUES = 3


class File(msgspec.Struct, frozen=True):
    """A file of telemetry, as it was given, with its SHA-256."""

    path: str
    sha256: str


class ToldMention(msgspec.Struct, frozen=True, kw_only=True):
    """A number of the document with its verdict; a text that does not apply is empty.

    `context` is what its surroundings fix, a list where they leave several. `expected` are the
    values that would have been right, `records` their places. `printed_matches` is the first record
    that a wrong number really comes from, `printed_is` says which that is. `chance` is how likely a
    random number of its format would have been explained.
    """

    text: str
    value: float
    unit: str
    line: int
    column: int
    context: dict[str, Key | list[Key]]
    verdict: Verdict
    rule: str
    derivation: str
    expected: str
    records: tuple[str, ...]
    printed_matches: str
    printed_is: str
    chance: float | None
    note: str


class ToldFinding(msgspec.Struct, frozen=True):
    """A finding about the data itself, or about a text that speaks of what the data has not."""

    rule: str
    level: Level
    records: tuple[str, ...]
    message: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """How many numbers the document has, how many of each verdict, how many findings."""

    mentions: int
    verified: int
    contradicted: int
    ambiguous: int
    unbound: int
    not_a_claim: int
    data_findings: int


class ToldAudit(msgspec.Struct, frozen=True, kw_only=True):
    """A whole audit: its numbers in the order of the document."""

    schema: Literal["benchproof/audit@1"] = SCHEMA
    post: str
    data: tuple[File, ...]
    mentions: tuple[ToldMention, ...]
    data_findings: tuple[ToldFinding, ...]
    summary: Summary

    @property
    def is_clean(self) -> bool:
        """Whether nothing is contradicted and no finding about the data is an error."""
        errors = any(one.level is Level.ERROR for one in self.data_findings)
        return not self.summary.contradicted and not errors


def told(audit: Audit) -> ToldAudit:
    """The audit in the types of its JSON form, mentions in the order of the document."""
    findings = tuple(map(_finding, audit.telemetry.findings))
    counts = {verdict.value: audit.count(verdict) for verdict in Verdict}
    return ToldAudit(
        post=PurePath(audit.document.path).as_posix(),
        data=tuple(File(PurePath(path).as_posix(), sha) for path, sha in audit.telemetry.files),
        mentions=tuple(map(_mention, in_order(audit))),
        data_findings=findings,
        summary=Summary(mentions=len(audit.mentions), data_findings=len(findings), **counts),
    )


def in_order(audit: Audit) -> tuple[Audited, ...]:
    """The numbers in the order of the document; a claim comes before the numbers inside it."""
    return tuple(sorted(audit.mentions, key=lambda one: (one.place, -one.scene.mention.end)))


def encode(audit: ToldAudit) -> bytes:
    """The JSON form, keys sorted, one newline at the end: the same audit gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(audit, order="sorted"), indent=1) + b"\n"


def _finding(found: DataFinding) -> ToldFinding:
    return ToldFinding(found.rule, found.level, found.records, found.message)


def _mention(one: Audited) -> ToldMention:
    mention, judgement = one.scene.mention, one.judgement
    reading = judgement.reading
    expected = judgement.expected if judgement.verdict is not Verdict.VERIFIED else ()
    return ToldMention(
        text=mention.text,
        value=_plain(mention.value / mention.factor),
        unit=mention.unit,
        line=one.place.line,
        column=one.place.column,
        context=_context(one),
        verdict=judgement.verdict,
        rule=judgement.rule,
        derivation=_derivation(reading or next(iter(expected), None)),
        # A claim in words has no number that would have been right, only what is the case.
        expected="" if judgement.rule == CLAIM else _expected(mention, expected),
        records=_places([reading] if reading else expected),
        printed_matches=next(iter(_printed_places(judgement)), ""),
        printed_is=judgement.source.what if judgement.source else "",
        chance=None if judgement.chance is None else round(judgement.chance, 6),
        note=judgement.note,
    )


def _plain(value: float) -> float:
    """Without the last bits that a unit's factor left: 4.81, not 4.8100000000000005."""
    return float(f"{value:.12g}")


def _printed_places(judgement: Judgement) -> tuple[str, ...]:
    """Where the printed number stands in the data; a slip of the hand stands nowhere."""
    source = judgement.source
    return source.places if source is not None and source.what else ()


def _context(one: Audited) -> dict[str, Key | list[Key]]:
    known: dict[str, Key | list[Key]] = {}
    for key, bound in sorted(one.scene.context.items()):
        if key in (MEASURE, STATISTIC):
            continue
        values = sorted(bound.values, key=str)
        known[key] = values[0] if len(values) == 1 else values
    return known


def _derivation(reading: Reading | None) -> str:
    if reading is None:
        return ""
    return f"{reading.derivation} ({reading.choice})" if reading.choice else reading.derivation


def _places(readings: Iterable[Reading]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place for reading in readings for place in reading.places))


def _expected(mention: Mention, readings: Iterable[Reading]) -> str:
    """The values that would have been right, printed as the number is."""
    shown = dict.fromkeys(_as_printed(mention, reading.value) for reading in readings)
    return " or ".join(list(shown)[:_MOST_VALUES])


def _as_printed(mention: Mention, value: float) -> str:
    """A value with the digits and the unit of the number that stands there."""
    step = mention.step / mention.factor
    places = max(0, len(f"{step:.12f}".rstrip("0").partition(".")[2]))
    size = abs(value / mention.factor)
    if 0 < size < 10.0 ** (1 - places):  # two digits at least: no 0.0x for 0.045x
        places = min(12, 1 - math.floor(math.log10(size)))
    # Half is rounded up, as people do: 301.05 is printed as 301.1.
    exact = Decimal(f"{value / mention.factor:.12g}")
    shown = f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,f}"
    return shown + mention.unit if mention.unit in _CLOSE else f"{shown} {mention.unit}"
