"""An audit as one HTML page: the post with its numbers marked, and why, in a file of its own."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from markupsafe import Markup

from benchproof.audit.audit import Audit
from benchproof.audit.explain.rules import RULES
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.marked import SIGNS, WORDS, marked, shown
from benchproof.audit.told import Key, ToldAudit, ToldFinding, ToldMention, in_order, told
from benchproof.records.findings import Level

_ASSETS = Path(__file__).with_name("assets")
_MOST_RECORDS = 4
_MOST_FINDINGS = 2
_ORDER = (
    Verdict.CONTRADICTED, Verdict.AMBIGUOUS, Verdict.UNBOUND, Verdict.NOT_A_CLAIM, Verdict.VERIFIED,
)  # fmt: skip
_MEANS = {
    Verdict.CONTRADICTED: "the data says something else",
    Verdict.AMBIGUOUS: "can be read in more than one way, and not all of them are true",
    Verdict.UNBOUND: "nothing in the data is known to stand behind it",
    Verdict.NOT_A_CLAIM: "says nothing about the data",
    Verdict.VERIFIED: "what the data gives",
}
_PAGE = Markup("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Audit of {name}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#post">Skip to the post</a>
<header>
<p class="kind">Audit by benchproof</p>
<h1>{name}</h1>
<p class="verdict {outcome_class}">{outcome}</p>
</header>
{data}
{filter}
<main id="post" lang="{language}">
{text}
</main>
<section class="notes" aria-labelledby="notes">
<h2 id="notes">The numbers, one by one</h2>
{notes}
</section>
<footer>
<h2>Read from</h2>
<ul>{files}</ul>
</footer>
<div id="popover" role="status" hidden></div>
<script>{script}</script>
</body>
</html>
""")


def page(audit: Audit) -> bytes:
    """The page: nothing in it is loaded from elsewhere, and nothing of the post can run."""
    report = told(audit)
    style, script = _asset("audit.css"), _asset("audit.js")
    text = _PAGE.format(
        policy=_policy(style, script),
        name=shown(PurePath(report.post).name),
        style=Markup(style),  # it and the script are files of this package
        script=Markup(script),
        outcome_class="clean" if report.is_clean else "wrong",
        outcome=_outcome(report),
        data=_data(report.data_findings),
        filter=_filter(report),
        language=shown(audit.document.language or "en"),
        text=marked(audit.document, in_order(audit)),
        notes=_notes(report.mentions),
        files=_files(report),
    )
    return text.encode("utf-8")


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What a browser may do here: this style, this script, and no request at all."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _outcome(report: ToldAudit) -> str:
    counts = report.summary
    errors = sum(found.level is Level.ERROR for found in report.data_findings)
    wrong = f"{counts.contradicted} of {counts.mentions} numbers are contradicted by the data"
    if counts.contradicted == 0:
        wrong = f"None of {counts.mentions} numbers is contradicted by the data"
    elif counts.contradicted == 1:
        wrong = f"One of {counts.mentions} numbers is contradicted by the data"
    in_data = "" if not errors else f"; {errors} {_plural(errors, 'error')} in the data itself"
    return f"{wrong}{in_data}."


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _data(findings: Sequence[ToldFinding]) -> Markup:
    if not findings:
        return Markup()
    by_rule: dict[tuple[Level, str], list[ToldFinding]] = {}
    for found in sorted(findings, key=lambda one: list(Level).index(one.level)):
        by_rule.setdefault((found.level, found.rule), []).append(found)
    items = Markup("\n").join(
        Markup('<li class="l-{0}"><p><span class="level">{0}</span> <b>{1}</b></p>{2}</li>').format(
            level.value, shown(rule), _folded(same)
        )
        for (level, rule), same in by_rule.items()
    )
    return Markup(
        '<section class="data" aria-labelledby="data"><h2 id="data">The data itself</h2>\n'
        "<ul>{}</ul></section>"
    ).format(items)


def _folded(same: Sequence[ToldFinding]) -> Markup:
    """Findings of one rule, those after the first few folded."""
    told = [
        Markup("<p>{}</p>{}").format(shown(found.message), _records(found.records))
        for found in same
    ]
    first = Markup("\n").join(told[:_MOST_FINDINGS])
    if len(told) <= _MOST_FINDINGS:
        return first
    return first + Markup("<details><summary>and {} more</summary>{}</details>").format(
        len(told) - _MOST_FINDINGS, Markup("\n").join(told[_MOST_FINDINGS:])
    )


def _filter(report: ToldAudit) -> Markup:
    boxes = Markup("\n").join(
        Markup(
            '<label class="v-{0}" title="{1}"><input type="checkbox" id="f-{0}" checked> '
            '<span class="sign" aria-hidden="true">{2}</span> {3} <b>{4}</b></label>'
        ).format(
            verdict.value, _MEANS[verdict], SIGNS[verdict], WORDS[verdict],
            getattr(report.summary, verdict.value),
        )
        for verdict in _ORDER
    )  # fmt: skip
    return Markup('<fieldset class="filter"><legend>Show</legend>\n{}</fieldset>').format(boxes)


def _notes(mentions: Sequence[ToldMention]) -> Markup:
    """Notes by verdict: contradicted ones in the open, the others folded."""
    groups: list[Markup] = []
    for verdict in _ORDER:
        same = [(at, one) for at, one in enumerate(mentions) if one.verdict is verdict]
        if same:
            groups.append(
                Markup(
                    '<details class="group v-{0}"{1}><summary>{2} {3} ({4}): {5}</summary>\n'
                    "<ol>{6}</ol></details>"
                ).format(
                    verdict.value,
                    Markup(" open") if verdict is Verdict.CONTRADICTED else Markup(),
                    SIGNS[verdict],
                    WORDS[verdict].capitalize(),
                    len(same),
                    _MEANS[verdict],
                    Markup("\n").join(_note(at, one) for at, one in same),
                )
            )
    return Markup("\n").join(groups)


def _note(number: int, one: ToldMention) -> Markup:
    rows = Markup().join(
        Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value)
        for name, value in _rows(one)
    )
    return Markup(
        '<li id="n{0}" class="note v-{1}"><p class="head"><b>{2}</b> '
        '<span class="badge">{3} {4}</span> <a href="#m{0}">line {5}, column {6}</a></p>'
        "{7}<dl>{8}</dl></li>"
    ).format(
        number, one.verdict.value, shown(one.text), SIGNS[one.verdict], WORDS[one.verdict],
        one.line, one.column, _says(one), rows,
    )  # fmt: skip


def _says(one: ToldMention) -> Markup:
    if not one.rule:
        return Markup()
    says = RULES[one.rule].says if one.rule in RULES else ""
    return Markup('<p class="says"><code>{}</code> {}</p>').format(one.rule, says)


def _rows(one: ToldMention) -> Iterator[tuple[str, Markup]]:
    if one.expected:
        derived = Markup(" ({})").format(shown(one.derivation)) if one.derivation else ""
        yield "The data gives", Markup("<b>{}</b>{}").format(shown(one.expected), derived)
    elif one.derivation:
        name = "The data says" if one.verdict is Verdict.CONTRADICTED else "It is the"
        yield name, shown(one.derivation)
    if one.printed_matches:
        source = Markup("{} {}").format(shown(one.printed_is), _records((one.printed_matches,)))
        yield "Printed is that of", source
    if one.context:
        read = ", ".join(f"{key} {_value(value)}" for key, value in one.context.items())
        yield "Read as", shown(read)
    if one.records:
        yield "Records", _records(one.records)
    if one.chance is not None:
        yield "By chance", shown(f"{100 * one.chance:.2g} % of numbers of this format would fit")
    if one.note:
        yield "Note", shown(one.note)


def _value(value: Key | list[Key]) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _records(records: Sequence[str]) -> Markup:
    """Places of records: each file once, with the first few of its pointers."""
    by_file: dict[str, list[str]] = {}
    for place in records:
        file, _, pointer = place.partition("#")
        by_file.setdefault(file, []).append(pointer)
    items = Markup().join(
        Markup("<span><code>{}</code>{}</span>").format(shown(file), _pointers(pointers))
        for file, pointers in by_file.items()
    )
    return Markup('<span class="records">{}</span>').format(items)


def _pointers(pointers: Sequence[str]) -> Markup:
    told = [pointer for pointer in pointers if pointer]
    more = len(told) - _MOST_RECORDS
    end = f" and {more} more" if more > 0 else ""
    listed = Markup(", ").join(
        Markup("<code>{}</code>").format(shown(pointer)) for pointer in told[:_MOST_RECORDS]
    )
    return Markup(" {}{}").format(listed, end) if told else Markup()


def _files(report: ToldAudit) -> Markup:
    return Markup("\n").join(
        Markup("<li><code>{}</code> <small>SHA-256 {}</small></li>").format(
            shown(file.path), file.sha256
        )
        for file in report.data
    )
