"""What a text speaks of and the data has not: a batch, a size that was never measured."""

import re
from collections.abc import Iterator

from benchproof.audit.binding.outline import Outline
from benchproof.audit.binding.sentence import sentence_at
from benchproof.records.findings import DataFinding, Level

# A text may say itself that something was not measured.
_SAID = re.compile(
    r"\b(?:n[o']t|never|without|beyond|not\s+yet|open\s+question|future|would|might|unknown|next|"
    r"stopped|stops|up\s+to)\b|n[’']t\b",
    re.IGNORECASE,
)


def not_measured(outline: Outline) -> Iterator[DataFinding]:
    """A finding for each size that stands in the text and nowhere in the data."""
    seen: set[tuple[str, str]] = set()
    for one in outline.prepared:
        text = one.passage.text
        for hit in one.hits:
            name = (hit.key, text[hit.start : hit.end])
            sentence = sentence_at(text, hit.start)
            if hit.known or name in seen or _SAID.search(text, sentence.start, sentence.end):
                continue
            seen.add(name)
            place = one.passage.place(hit.start)
            yield DataFinding(
                "not-measured",
                Level.WARNING,
                (f"{outline.document.path}:{place.line}:{place.column}",),
                f"the text speaks of {hit.key} {name[1]}, which the data has not",
            )
