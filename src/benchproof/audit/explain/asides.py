"""Numbers that are not about this data: quoted ones, wishes, other machines, controls."""

import re

from benchproof.audit.explain.scene import Scene

_QUOTING = re.compile(
    r"\b(?:published|claim(?:ed|s)?|statements?|they\s+(?:say|said|wrote)|the\s+post\s+says|reported\s+by|"
    r"originally|superseded|retracted|previously|before\s+the\s+correction)\b",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(
    r"\b(?:published|claimed|advertised|retracted)\s+(?:figure\s+of\s+)?$", re.IGNORECASE
)
_QUOTATION = re.compile(r"“[^”]{3,200}”|(?<!\w)\"[^\"]{3,200}\"(?!\w)")
_ASIDE = re.compile(
    r"\b(?:would|could|might|if\s+\w+\s+(?:were|was|had)|hypothetical\w*|budget|deadline|frames?\s+per|"
    r"per\s+frame|launch(?:es)?|dispatch|overhead|copy|copies|waited|waits?|slept|sleeps?|pauses?|"
    r"(?:previous|last|earlier|another|other|old)\s+(?:post|article|machine|laptop|version|run)|"
    r"whole\s+(?:sweep|suite|run)|in\s+total|hours?|Activity\s+Monitor|GB\s+of\s+(?:RAM|memory)|"
    r"RAM|datasheets?|specs?|specifications?|advertised|nominal(?:ly)?|according\s+to|vendors?|expect(?:ed)?|target|goal|estimate[ds]?|at\s+this\s+rate)\b",
    re.IGNORECASE,
)
_CONTROLS = re.compile(
    r"\bA/A\b|\bcontrols?\b|\bsame\s+\w+\s+(?:twice|measured\s+as)", re.IGNORECASE
)


def is_quoted(scene: Scene) -> bool:
    """Whether the number is somebody else's or an older one: by its head, or quotation marks."""
    here = scene.here.passage
    if here.spot is not None:
        table = scene.outline.tables[here.spot.table]
        heads = [scene.outline.prepared[at].passage.text for at in table.head(here.spot.column)]
        if any(_QUOTING.search(head) for head in heads):
            return True
    if _NAMED_SO.search(here.text[max(0, scene.mention.start - 40) : scene.mention.start]):
        return True
    return any(
        match.start() < scene.mention.start < match.end()
        for match in _QUOTATION.finditer(here.text)
    )


def is_aside(scene: Scene) -> bool:
    """Whether the sentence is about what was not measured here: a wish, another machine.

    So is a table of controls, whose second measurement of a cell is no record.
    """
    spot = scene.here.passage.spot
    if spot is not None:
        caption = scene.outline.tables[spot.table].caption
        return caption is not None and bool(
            _CONTROLS.search(scene.outline.prepared[caption].passage.text)
        )
    return scene.here.passage.spot is None and bool(
        _ASIDE.search(scene.here.passage.text, scene.sentence.start, scene.sentence.end)
    )
