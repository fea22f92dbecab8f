"""What a human has ruled about a post's numbers: `POST.audit.yaml`, and the audit under it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from benchproof.audit.audit import Audit, Audited
from benchproof.audit.explain.rules import RULES
from benchproof.audit.explain.verdict import Judgement, Verdict
from benchproof.audit.yaml_lines import read_yaml
from benchproof.records.findings import DataFinding, Level

SUFFIX = ".audit.yaml"
RULING = "ruling"  # the rule of a number that a human has ruled about
UNMATCHED = "unmatched-ruling"
_FARTHEST = 40  # lines; a ruling about a number that went may not reach one that came elsewhere

Said = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Line = Annotated[int, msgspec.Meta(ge=1)]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verdict on the number that prints as `text` next to `line`, or wherever it prints so."""

    text: Said
    verdict: Literal["not_a_claim", "contradicted"]
    reason: Said
    line: Line | None = None


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of rulings: rules that do not hold here, numbers, and further names of values."""

    rules: dict[Said, Said] = {}
    mentions: tuple[Ruling, ...] = ()
    aliases: dict[Said, dict[Said, Said]] = {}


def beside(post: Path) -> Path:
    """Where a post's rulings lie: `post.md.audit.yaml` beside `post.md`."""
    return post.with_name(post.name + SUFFIX)


def read_rulings(path: Path) -> Rulings:
    """The rulings of a file; ConfigError for the first fault, with its line."""
    return read_yaml(path, Rulings)


def aliases(rulings: Rulings) -> Mapping[str, Mapping[str, str]]:
    """Further names: by key, the value that each stands for; for `vocabulary(aliases=...)`."""
    return rulings.aliases


def ruled(audit: Audit, rulings: Rulings, shown: str = "rulings") -> Audit:
    """The audit under the rulings; one that meets nothing is itself a finding.

    `shown` is how findings name the file.
    """
    chosen = dict(_chosen(audit.mentions, rulings.mentions))
    by_mention = {at: rulings.mentions[ruling] for ruling, found in chosen.items() for at in found}
    mentions = tuple(
        _by_human(one, by_mention[at]) if at in by_mention else _by_rule(one, rulings.rules)
        for at, one in enumerate(audit.mentions)
    )
    findings = audit.telemetry.findings
    told = {found.rule for found in findings} | {one.judgement.rule for one in audit.mentions}
    telemetry = msgspec.structs.replace(
        audit.telemetry,
        findings=(
            *(_accepted(found, rulings.rules) for found in findings),
            *(_unmet(f"{shown}#/mentions/{at}", f"no number {one.text!r} stands {_near(one)}")
              for at, one in enumerate(rulings.mentions) if not chosen[at]),
            *(_unmet(f"{shown}#/rules/{rule}", f"no rule or finding is called {rule!r}")
              for rule in rulings.rules if rule not in told and rule not in RULES),
        ),
    )  # fmt: skip
    return msgspec.structs.replace(audit, telemetry=telemetry, mentions=mentions)


def _chosen(
    mentions: Sequence[Audited], rulings: Sequence[Ruling]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For each ruling the numbers that it is about, by their index; each number has one ruling."""
    free = dict(enumerate(mentions))
    for number, ruling in enumerate(rulings):
        same = [at for at, one in free.items() if _is_text(ruling.text, one.scene.mention.text)]
        if ruling.line is not None:
            near = [(abs(free[at].place.line - ruling.line), at) for at in same]
            same = [at for distance, at in sorted(near)[:1] if distance <= _FARTHEST]
        for at in same:
            del free[at]
        yield number, tuple(same)


def _is_text(ruled: str, printed: str) -> bool:
    """Whether a ruling names a number: as it is printed, or without its unit."""
    name, whole = " ".join(ruled.split()), " ".join(printed.split())
    return whole == name or re.fullmatch(rf"{re.escape(name)}\D*", whole) is not None


def _by_human(one: Audited, ruling: Ruling) -> Audited:
    judgement = Judgement(Verdict(ruling.verdict), RULING, note=ruling.reason)
    return msgspec.structs.replace(one, judgement=judgement)


def _by_rule(one: Audited, off: Mapping[str, str]) -> Audited:
    """A number whose rule does not hold here claims nothing, for the reason that is given."""
    rule = one.judgement.rule
    if rule not in off:
        return one
    judgement = Judgement(Verdict.NOT_A_CLAIM, rule, note=off[rule])
    return msgspec.structs.replace(one, judgement=judgement)


def _accepted(found: DataFinding, off: Mapping[str, str]) -> DataFinding:
    """A finding about the data that a ruling accepts stays, as a note with the reason."""
    if found.rule not in off:
        return found
    message = f"{found.message} (accepted: {off[found.rule]})"
    return msgspec.structs.replace(found, level=Level.NOTE, message=message)


def _unmet(where: str, what: str) -> DataFinding:
    return DataFinding(UNMATCHED, Level.WARNING, (where,), f"{what}: correct or remove the ruling")


def _near(ruling: Ruling) -> str:
    return "in the post" if ruling.line is None else f"near line {ruling.line}"
