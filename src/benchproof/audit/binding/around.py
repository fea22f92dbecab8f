"""From what stands around a passage: its paragraph, statements, headings, the title."""

import re

import msgspec

from benchproof.audit.binding.bound import Bound, Level, Look, chosen, names_in, union
from benchproof.audit.binding.sentence import sentence_at
from benchproof.audit.binding.vocabulary import Hit
from benchproof.audit.document.passage import Kind, Passage

# Sentences that say what holds from here on.
_STATEMENT = re.compile(
    r"\b(?:this|the\s+following|each|every|all)\s+(?:section|table|post|page|chapter|part|figure|"
    r"chart|numbers?|results?|runs?|measurements?|figures|latenc\w+|times?|values?)\b|"
    r"\ball\s+of\s+(?:the\s+following|this|these|them)\b|\beverything\s+(?:here|below|that\s+follows)\b|"
    r"\b(?:results?|numbers?|latenc\w+|times?|measurements?)\s+(?:\w+\s+)?(?:are|is|were|was)\s+"
    r"(?:for|from|with|on|measured|taken)\b|\b(?:we|i)\s+(?:use|used|ran|run|measured?)\b|"
    r"\b(?:unless|throughout|below|in\s+what\s+follows|from\s+here\s+on|everywhere)\b",
    re.IGNORECASE,
)


def in_paragraph(look: Look) -> Bound | None:
    """From the nearest earlier sentence of the same paragraph that names the key."""
    here = look.here
    if here.passage.spot is not None:
        return None
    sentence = sentence_at(look.text, look.mention.start)
    before = [hit for hit in names_in(here, look.key) if hit.end <= sentence.start]
    if not before:
        return None
    last = sentence_at(look.text, before[-1].start)
    hits = [hit for hit in before if last.holds(hit.start)]
    told = frozenset(hit.values for hit in names_in(here, look.key))
    found = chosen(here, hits, Level.PARAGRAPH)
    return found if len(told) == 1 else msgspec.structs.replace(found, firm=False, others=told)


def in_parents(look: Look) -> Bound | None:
    """From the items that an item stands under, and the term that it defines."""
    above = look.here.passage.parent
    while above is not None:
        there = look.outline.prepared[above]
        names = names_in(there, look.key)
        if names:
            return chosen(there, names, Level.ROW)
        above = there.passage.parent
    return None


def stated(look: Look) -> Bound | None:
    """From a sentence of the section, or of one around it, that says what holds, or a lead-in."""
    here = look.here.passage
    for earlier in look.outline.earlier_with(look.key, look.at):
        there = look.outline.prepared[earlier]
        encloses = there.passage.headings == here.headings[: len(there.passage.headings)]
        if there.passage.kind in (Kind.HEADING, Kind.META) or not encloses:
            continue
        is_next = earlier == look.at - 1 or here.kind is Kind.ITEM
        lead = is_next and there.passage.text.rstrip().endswith(":")
        names = names_in(there, look.key)
        said = [hit for hit in names if lead or _is_stated(there.passage.text, hit)]
        if said:
            return _unless_nearer(look, chosen(there, said, Level.STATEMENT), there.passage)
    return None


def _unless_nearer(look: Look, bound: Bound, there: Passage) -> Bound | None:
    """A statement of an outer section gives way to the headings inside it."""
    inner = look.here.passage.headings[len(there.headings) :]
    return union(look.outline, inner, look.key, Level.HEADING) or bound


def in_headings(look: Look) -> Bound | None:
    """From the headings above, the innermost first."""
    for heading in reversed(look.here.passage.headings):
        bound = union(look.outline, (heading,), look.key, Level.HEADING)
        if bound is not None:
            return bound
    return None


def _is_stated(text: str, hit: Hit) -> bool:
    sentence = sentence_at(text, hit.start)
    return bool(_STATEMENT.search(text, sentence.start, sentence.end))


def in_titles(look: Look) -> Bound | None:
    """From the front matter and the first heading."""
    above = tuple(at for at in look.outline.titles if at < look.at)
    return union(look.outline, above, look.key, Level.TITLE)


def in_neighbour(look: Look) -> Bound | None:
    """From the nearest earlier paragraph of the section: no ground for a contradiction."""
    own = look.here.passage.headings
    for earlier in look.outline.earlier_with(look.key, look.at):
        there = look.outline.prepared[earlier]
        if there.passage.headings != own:
            return None
        if there.passage.spot is None:
            names = names_in(there, look.key)
            return msgspec.structs.replace(chosen(there, names, Level.NEIGHBOUR), firm=False)
    return None
