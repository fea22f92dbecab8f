"""An audit as its reader sees it in a terminal or a log: what is wrong first, then the summary."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TypeVar

import msgspec

from benchproof.audit.audit import Audit, Audited
from benchproof.audit.explain.rules import RULES
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.quote import columns, fitted, quote, visible
from benchproof.audit.told import Key, ToldAudit, ToldFinding, ToldMention, in_order, told
from benchproof.records.findings import Level

WIDTH = 100
_MOST_RECORDS = 3
_MOST_OF_A_RULE = 8
_DETAIL = " " * 6
_OTHERS = (Verdict.AMBIGUOUS, Verdict.UNBOUND, Verdict.NOT_A_CLAIM, Verdict.VERIFIED)
_HEADS = {
    Verdict.CONTRADICTED: "Numbers that the data contradicts",
    Verdict.AMBIGUOUS: "Numbers that can be read in more than one way",
    Verdict.UNBOUND: "Numbers that nothing in the data is known to stand for",
    Verdict.NOT_A_CLAIM: "Numbers that claim nothing about the data",
    Verdict.VERIFIED: "Numbers that the data confirms",
}


class Tone(StrEnum):
    """How a piece of text is set where colours can be seen: an ANSI code."""

    HEAD = "1"
    BAD = "1;31"
    DOUBTFUL = "33"
    FAINT = "2"


Paint = Callable[[Tone, str], str]


def plain(tone: Tone, text: str) -> str:
    """The text as it is: for a log."""
    del tone
    return text


def coloured(tone: Tone, text: str) -> str:
    """The text with its tone: for a terminal."""
    return f"\x1b[{tone.value}m{text}\x1b[0m"


class _Page(msgspec.Struct, frozen=True):
    """How the report is set."""

    post: str
    width: int
    paint: Paint
    everything: bool


Pair = tuple[Audited, ToldMention]
Item = TypeVar("Item")


def lines(
    audit: Audit, *, width: int = WIDTH, paint: Paint = plain, everything: bool = False
) -> Iterator[str]:
    """The report line by line; with `everything` nothing is folded, and right numbers are told."""
    report = told(audit)
    page = _Page(visible(report.post), max(width, 40), paint, everything)
    pairs = list(zip(in_order(audit), report.mentions, strict=True))
    yield from _data(page, report.data_findings)
    for verdict in (Verdict.CONTRADICTED, *(_OTHERS if everything else ())):
        yield from _section(page, verdict, [pair for pair in pairs if pair[1].verdict is verdict])
    yield summary(report)  # one line, however long: logs are searched for it


def summary(report: ToldAudit) -> str:
    """The whole audit in one line."""
    counts = report.summary
    findings = "finding" if counts.data_findings == 1 else "findings"
    return (
        f"{visible(report.post)}: {counts.mentions} numbers: {counts.contradicted} contradicted, "
        f"{counts.verified} verified, {counts.ambiguous} ambiguous, {counts.unbound} unbound, "
        f"{counts.not_a_claim} no claims; {counts.data_findings} {findings} about the data"
    )


def _data(page: _Page, findings: Sequence[ToldFinding]) -> Iterator[str]:
    if not findings:
        return
    yield page.paint(Tone.HEAD, f"The data ({len(findings)})")
    order = {level: at for at, level in enumerate(Level)}
    by_rule: dict[tuple[Level, str], list[ToldFinding]] = {}
    for found in sorted(findings, key=lambda one: order[one.level]):
        by_rule.setdefault((found.level, found.rule), []).append(found)
    for same in by_rule.values():
        for found in _folded(page, same):
            yield from _finding(page, found)
        yield from _rest(page, len(same))
    yield ""


def _finding(page: _Page, found: ToldFinding) -> Iterator[str]:
    label = f"{found.level.value}: {found.rule}"
    first, *more = _wrapped(page, f"{label}: {found.message}", "  ", _DETAIL)
    tone = Tone.BAD if found.level is Level.ERROR else Tone.DOUBTFUL
    yield first.replace(label, page.paint(tone, label), 1)
    yield from more
    yield from _faint(page, _records(found.records))


def _section(page: _Page, verdict: Verdict, pairs: Sequence[Pair]) -> Iterator[str]:
    if not pairs:
        return
    yield page.paint(Tone.HEAD, f"{_HEADS[verdict]} ({len(pairs)})")
    by_rule: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_rule.setdefault(pair[1].rule, []).append(pair)
    tone = Tone.BAD if verdict is Verdict.CONTRADICTED else Tone.DOUBTFUL
    for rule, same in by_rule.items():
        if rule:
            said = f"{rule}: {RULES[rule].says}" if rule in RULES else rule
            yield "  " + page.paint(tone, f"{said} ({len(same)})")
        for one, mention in _folded(page, same):
            yield from _mention(page, one, mention)
        yield from _rest(page, len(same))
    yield ""


def _mention(page: _Page, one: Audited, mention: ToldMention) -> Iterator[str]:
    where = f"{page.post}:{mention.line}:{mention.column}"
    yield f"    {where}: {page.paint(Tone.HEAD, visible(mention.text))}"
    yield from _quoted(page, one)
    for line in explained(mention):
        yield from _wrapped(page, line, _DETAIL, _DETAIL + "  ")
    yield from _faint(page, _records(mention.records))


def explained(mention: ToldMention) -> Iterator[str]:
    """What there is to say of a number besides its rule, a line for each thing."""
    if mention.expected:
        derived = f" ({mention.derivation})" if mention.derivation else ""
        yield f"the data gives {mention.expected}{derived}"
    elif mention.derivation:
        yield f"by the data: {mention.derivation}"
    if mention.printed_matches:
        yield f"{mention.text} is that of {mention.printed_is}: {mention.printed_matches}"
    if mention.context:
        shown = (f"{key} {_shown(value)}" for key, value in mention.context.items())
        yield f"read as {', '.join(shown)}"
    if mention.note:
        yield f"note: {mention.note}"


def _quoted(page: _Page, one: Audited) -> Iterator[str]:
    """The number in its surroundings, with a mark under it."""
    bar = _DETAIL + "| "
    told = fitted(quote(one), page.width - len(bar))
    before, text, after = map(visible, (told.before, told.text, told.after))
    yield page.paint(Tone.FAINT, bar) + f"{before}{page.paint(Tone.HEAD, text)}{after}".rstrip()
    under = f" under “{visible(told.head)}”" if told.head else ""
    mark = f"{bar}{' ' * columns(before)}{'^' * columns(text)}"
    fits = columns(mark + under) <= page.width
    yield page.paint(Tone.FAINT, mark + (under if fits else ""))
    if under and not fits:
        yield from _faint(page, under.strip())


def _folded(page: _Page, items: Sequence[Item]) -> Sequence[Item]:
    return items if page.everything else items[:_MOST_OF_A_RULE]


def _rest(page: _Page, count: int) -> Iterator[str]:
    if not page.everything and count > _MOST_OF_A_RULE:
        yield f"    … and {count - _MOST_OF_A_RULE} more; --all tells of each"


def _shown(value: Key | list[Key]) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _records(records: Sequence[str]) -> str:
    """The places of records, the first few of many; a file that goes on is named once."""
    told: list[str] = []
    before = ""
    for place in records[:_MOST_RECORDS]:
        file, mark, pointer = place.partition("#")
        told.append(f"{mark}{pointer}" if mark and file == before else place)
        before = file
    more = len(records) - _MOST_RECORDS
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _faint(page: _Page, text: str) -> Iterator[str]:
    for line in _wrapped(page, text, _DETAIL, _DETAIL + "  "):
        yield page.paint(Tone.FAINT, line)


def _wrapped(page: _Page, text: str, first: str, others: str) -> Iterable[str]:
    """A text in lines no longer than the page is wide; paths and numbers stay whole."""
    return textwrap.wrap(
        visible(text), page.width, initial_indent=first, subsequent_indent=others,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
