"""An audit as SARIF 2.1.0, which code hosts and editors show at the numbers themselves."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote as percent_encoded

import msgspec

from benchproof import __version__
from benchproof.audit.audit import Audit, Audited
from benchproof.audit.explain.rules import RULES
from benchproof.audit.explain.verdict import Verdict
from benchproof.audit.print import explained
from benchproof.audit.quote import quote, visible
from benchproof.audit.told import ToldFinding, ToldMention, in_order, told

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "benchproof/1"
_LEVELS = {Verdict.CONTRADICTED: "error", Verdict.AMBIGUOUS: "note"}
_PLACE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*):(?P<column>[1-9]\d*)")
_MOST_RECORDS = 20

Object = dict[str, Any]


def sarif(audit: Audit, *, everything: bool = False) -> bytes:
    """The findings: errors for contradicted numbers; with `everything` notes for ambiguous ones."""
    report = told(audit)
    wanted = set(_LEVELS) if everything else {Verdict.CONTRADICTED}
    pairs = [
        (one, mention)
        for one, mention in zip(in_order(audit), report.mentions, strict=True)
        if mention.verdict in wanted
    ]
    rules = _rules(report.data_findings, [mention for _, mention in pairs])
    index = {rule["id"]: at for at, rule in enumerate(rules)}
    results = [_finding(found, report.post) for found in report.data_findings]
    results += [_number(one, mention, report.post) for one, mention in pairs]
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    _fingerprint(results)
    return _encoded(_log(rules, results))


def _log(rules: Sequence[Object], results: Sequence[Object]) -> Object:
    driver = {
        "name": "benchproof",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": list(rules),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": list(results),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _encoded(log: Object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(log, order="sorted"), indent=1) + b"\n"


def _rules(findings: Sequence[ToldFinding], mentions: Sequence[ToldMention]) -> list[Object]:
    names = {found.rule for found in findings} | {_rule(mention) for mention in mentions}
    return [_described(name) for name in sorted(names)]


def _described(name: str) -> Object:
    known = RULES.get(name)
    says = known.says if known else name.replace("-", " ")
    rule: Object = {"id": name, "shortDescription": {"text": _sentence(says)}}
    if known:
        rule["help"] = {"text": f"For example: {known.example}."}
    return rule


def _rule(mention: ToldMention) -> str:
    return mention.rule or mention.verdict.value


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _number(one: Audited, mention: ToldMention, post: str) -> Object:
    rule = _rule(mention)
    says = RULES[rule].says if rule in RULES else rule.replace("-", " ")
    message = "; ".join([f"{mention.text}: {says}", *explained(mention)])
    return {
        "ruleId": rule,
        "level": _LEVELS[mention.verdict],
        "message": {"text": _sentence(visible(message))},
        "locations": [{"physicalLocation": {
            "artifactLocation": _artifact(post), "region": _region(one)}}],
        "relatedLocations": list(_related(mention)),
        "partialFingerprints": {_FINGERPRINT: _identity(
            rule, mention.text, str(quote(one)), repr(sorted(mention.context.items())))},
    }  # fmt: skip


def _region(one: Audited) -> Object:
    """Where a number stands: from its first character to behind its last one."""
    passage, mention = one.scene.here.passage, one.scene.mention
    last = passage.place(mention.end - 1)
    text = passage.text[mention.start : mention.end]
    region: Object = {"startLine": one.place.line, "startColumn": one.place.column}
    if (last.line, last.column) >= (one.place.line, one.place.column):
        region |= {"endLine": last.line, "endColumn": last.column + 1}
    return region | {"snippet": {"text": visible(text)}}


def _related(mention: ToldMention) -> Iterator[Object]:
    """The records that a number should state, and the one that it states."""
    said = [(place, "the right record") for place in mention.records[:_MOST_RECORDS]]
    if mention.printed_matches:
        said.append((mention.printed_matches, f"the printed number: {mention.printed_is}"))
    for number, (place, text) in enumerate(said):
        yield {"id": number, "message": {"text": visible(text)}, **_location(place)}


def _finding(found: ToldFinding, post: str) -> Object:
    places = found.records or (post,)
    return {
        "ruleId": found.rule,
        "level": found.level.value,
        "message": {"text": _sentence(visible(found.message))},
        "locations": [_location(places[0])],
        "relatedLocations": [
            {"id": number, **_location(place)}
            for number, place in enumerate(places[1:_MOST_RECORDS])
        ],
        "partialFingerprints": {_FINGERPRINT: _identity(found.rule, found.message)},
    }


def _location(place: str) -> Object:
    """`FILE:LINE:COLUMN` or `FILE#/POINTER` as SARIF has it."""
    in_text = _PLACE.fullmatch(place)
    if in_text:
        region = {"startLine": int(in_text["line"]), "startColumn": int(in_text["column"])}
        return {"physicalLocation": {
            "artifactLocation": _artifact(in_text["file"]), "region": region}}  # fmt: skip
    file, _, pointer = place.partition("#")
    location: Object = {"physicalLocation": {"artifactLocation": _artifact(file)}}
    if pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": pointer, "kind": "object"}]
    return location


def _artifact(path: str) -> Object:
    if PurePath(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": percent_encoded(PurePath(path).as_posix()), "uriBaseId": "%SRCROOT%"}


def _identity(*parts: str) -> str:
    """A finding's identity, whatever line it moves to."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _fingerprint(results: Sequence[Object]) -> None:
    """Number those that are alike, so that each finding has a fingerprint of its own."""
    seen: Counter[str] = Counter()
    for result in results:
        own = result["partialFingerprints"]
        same = own[_FINGERPRINT]
        own[_FINGERPRINT] = f"{same}:{seen[same]}"
        seen[same] += 1
