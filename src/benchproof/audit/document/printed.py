"""What a code block shows that no program is: lines and tables that a program printed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from benchproof.audit.document.draft import Block, Sheet
from benchproof.audit.document.grid import Grid
from benchproof.audit.document.ink import Part
from benchproof.audit.document.passage import Kind, Piece
from benchproof.audit.document.strip import Strip

# What people call a block that holds output; a block without a name may hold either.
_OUTPUTS = frozenset(
    (
        "", "ansi", "cell-output", "console", "log", "none", "nohighlight", "output", "plain",
        "plaintext", "csv", "tsv", "markdown", "md", "shell-session", "stdout", "terminal", "text",
        "txt",
    )
)  # fmt: skip
_NAMED = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight|sourceCode)[-\s](?P<name>[\w+-]+)")
_PROGRAM = re.compile(
    r"""^\s*(?:import\s|from\s+[\w.]+\s+import\s|(?:async\s+)?def\s|class\s+\w|return\b|with\s.+:$
    |for\s.+:$|if\s.+:$|else:$|@\w|=\s|\#include|\w+\s*=\s|[\w.]+\(.*\)\s*;?$|[{}\])]+[,;]?$
    |(?:pip|git|cd|npm|cargo|conda|python3?)\s)""",
    re.VERBOSE,
)
_PROMPT = re.compile(r"^\s*(?:[$>]|>>>|In\s\[\d+\]:)\s")
_RULE = re.compile(
    r"^[\s|:=+─━═┼┬┴├┤┌┐└┘╇╈╋┏┓┗┛┡┩-]*(?:[-=─━═]{2,})[\s|:=+─━═┼┬┴├┤┌┐└┘╇╈╋┏┓┗┛┡┩-]*$"
)
_BARS = re.compile(r"[|│┃]")
_SEPARATED = {"csv": re.compile(r"\s*[,;]\s*"), "tsv": re.compile(r"\t")}
_NEVER = re.compile(r"(?!)")
_DIGIT = re.compile(r"\d")
_GAP = 2  # spaces between two columns, at least


def language_of(attributes: Mapping[str, str]) -> str:
    """The language that an element's classes name."""
    match = _NAMED.search(attributes.get("class", ""))
    return match["name"].lower() if match else ""


def printed(block: Block) -> list[Block | Sheet]:
    """A code block as its reader takes it: printed lines are passages, printed columns a table."""
    lines = [Line(parts) for _, parts in groupby(block.ink.parts, key=lambda part: part.line)]
    if block.language not in _OUTPUTS or not _is_output(lines):
        return [block]
    drafts: list[Block | Sheet] = []
    parts = _SEPARATED.get(block.language, _NEVER)
    for is_row, told in groupby(_grouped(lines, parts), key=lambda each: each[0]):
        group = [line for _, line in told]
        if is_row and (sheet := _table(group, parts)) is not None:
            drafts.append(sheet)
        else:
            drafts += [_item(line) for line in group if line.text.strip()]
    return drafts


class Line:
    """A line of a block with where each of its characters stands."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self.text = ""
        self._pieces: list[Piece] = []
        for part in parts:
            self._pieces.append(Piece(len(self.text), part.line, part.column))
            self.text += part.text
        self.text = self.text.rstrip()

    def write(self, block: Block, start: int, end: int) -> None:
        """Write what stands between two places into a block."""
        for text, place in Strip(self.text, self._pieces).runs(start, min(end, len(self.text))):
            block.ink.add(text, place.line, place.column)


def _is_output(lines: Sequence[Line]) -> bool:
    """Whether it has numbers, and no line of a program but behind a prompt."""
    shown = [line.text for line in lines if not _PROMPT.match(line.text)]
    return any(map(_DIGIT.search, shown)) and not any(map(_PROGRAM.match, shown))


def _grouped(lines: Sequence[Line], parts: re.Pattern[str]) -> Iterator[tuple[int, Line]]:
    """Lines with the number of the table that they may belong to, 0 for none."""
    table, is_inside = 0, False
    for line in lines:
        is_row = not _PROMPT.match(line.text) and bool(
            _RULE.match(line.text) or _cuts([line]) or parts.search(line.text)
        )
        table += is_row and not is_inside
        is_inside = is_row
        yield (table if is_row else 0), line


def _table(lines: Sequence[Line], parts: re.Pattern[str]) -> Sheet | None:
    rows = [line for line in lines if not _RULE.match(line.text)]
    cuts = _cuts(rows)
    is_listed = all(parts.search(row.text) for row in rows)
    if len(rows) < 2 or not (cuts or is_listed):
        return None
    grid = Grid(Sheet())
    for row in rows:
        grid.start_row()
        own = (
            cuts
            if not is_listed
            else [(match.start(), match.end()) for match in parts.finditer(row.text)]
        )
        starts = [0, *(end for _, end in own)]
        ends = [*(start for start, _ in own), len(row.text)]
        if _BARS.match(row.text.lstrip()):
            starts, ends = starts[1:], ends[1:]
        for start, end in zip(starts, ends, strict=True):
            row.write(grid.add(header=False), start, end)
    grid.finish()
    return grid.sheet


def _cuts(rows: Sequence[Line]) -> list[tuple[int, int]]:
    """Where columns part: at bars that stand in every row, else where all have spaces."""
    if not rows:
        return []
    bars = set.intersection(*({m.start() for m in _BARS.finditer(row.text)} for row in rows))
    if bars:
        return [(at, at + 1) for at in sorted(bars)]
    width = max(len(row.text) for row in rows)
    first = min((len(row.text) - len(row.text.lstrip()) for row in rows if row.text), default=0)
    inked = {
        at
        for row in rows
        for at, character in enumerate(row.text.expandtabs(1))
        if character != " "
    }
    gaps: list[tuple[int, int]] = []
    at = first
    while at < width:
        end = at
        while end < width and end not in inked:
            end += 1
        is_tab = any("\t" in row.text[at:end] for row in rows)
        if end - at >= (1 if is_tab else _GAP) and end < width:
            gaps.append((at, end))
        at = max(end, at + 1)
    return gaps


def _item(line: Line) -> Block:
    block = Block(Kind.CODE if _PROMPT.match(line.text) else Kind.ITEM)
    line.write(block, 0, len(line.text))
    return block
