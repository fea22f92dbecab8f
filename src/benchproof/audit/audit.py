"""The audit of one document against telemetry: every number with its verdict, and a summary."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchproof.audit.absent import not_measured
from benchproof.audit.binding.measured import MeasureNames
from benchproof.audit.binding.outline import Outline, outline
from benchproof.audit.binding.vocabulary import vocabulary
from benchproof.audit.counts import under_different_rules
from benchproof.audit.document.passage import Document, Place
from benchproof.audit.explain.asides import is_quoted
from benchproof.audit.explain.claims import Claim, claims_of
from benchproof.audit.explain.scene import Scene
from benchproof.audit.explain.scenes import scene_of
from benchproof.audit.explain.verdict import Judgement, Verdict, judged
from benchproof.audit.facts.cube import Cube
from benchproof.audit.facts.fact import Telemetry
from benchproof.garbage import without_collection

Aliases = Mapping[str, Mapping[str, str]]


class Audited(msgspec.Struct, frozen=True):
    """One number of the document, where it stands, in its scene, with what the data says of it."""

    place: Place
    scene: Scene
    judgement: Judgement


class Audit(msgspec.Struct, frozen=True):
    """All numbers of a document with their verdicts."""

    document: Document
    telemetry: Telemetry
    mentions: tuple[Audited, ...]

    def count(self, verdict: Verdict) -> int:
        """How many numbers have a verdict."""
        return sum(one.judgement.verdict is verdict for one in self.mentions)


@without_collection()
def audit(document: Document, telemetry: Telemetry, aliases: Aliases | None = None) -> Audit:
    """Bind every number of the document by its context, and compare it with the data.

    `aliases` are more names for values of keys, beside those that the data and the field give.
    """
    cube = Cube(telemetry)
    words = vocabulary(telemetry.facts, aliases)
    prepared = outline(document, words, MeasureNames(telemetry.measures.values()))
    mentions = tuple(_swaps(list(_audited(prepared, cube))))
    counts = [(one.place, one.scene) for one in mentions]
    found = (*not_measured(prepared), *under_different_rules(document.path, counts))
    findings = (*telemetry.findings, *found)
    return Audit(document, msgspec.structs.replace(telemetry, findings=findings), mentions)


def _swaps(mentions: Sequence[Audited]) -> Iterator[Audited]:
    """Of two wrong numbers that are each other's true values is said that they changed places."""
    slips = {slip for one in mentions for slip in _slips(one)}
    for one in mentions:
        if any((printed, true) in slips for true, printed in _slips(one)):
            swapped = msgspec.structs.replace(one.judgement, rule="swap")
            yield msgspec.structs.replace(one, judgement=swapped)
        else:
            yield one


def _slips(one: Audited) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where a wrong number should come from, and where it does."""
    source = one.judgement.source
    if source is not None and source.rule.startswith("wrong-"):
        yield from ((reading.places, source.places) for reading in one.judgement.expected)


def _audited(prepared: Outline, cube: Cube) -> Iterator[Audited]:
    for at, one in enumerate(prepared.prepared):
        for mention in one.mentions:
            scene = scene_of(prepared, at, mention, cube)
            yield Audited(one.passage.place(mention.start), scene, judged(scene))
        for claim in claims_of(prepared, at, cube):
            yield Audited(one.passage.place(claim.scene.mention.start), claim.scene, _of(claim))


def _of(claim: Claim) -> Judgement:
    if is_quoted(claim.scene):
        return Judgement(Verdict.NOT_A_CLAIM, "quoted")
    if claim.holds:
        return Judgement(Verdict.VERIFIED, "claim", claim.reading)
    return Judgement(Verdict.CONTRADICTED, "claim", expected=(claim.reading,))
