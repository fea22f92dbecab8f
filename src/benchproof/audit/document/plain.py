"""What a text says that was extracted from a page: its lines, without any markup."""

import re
from collections.abc import Sequence

from benchproof.audit.document import tex
from benchproof.audit.document.draft import Block, Sheet, assemble
from benchproof.audit.document.grid import Grid
from benchproof.audit.document.passage import Document, Kind, Piece
from benchproof.audit.document.strip import Strip, cut_cells

_BULLET = re.compile(r"\s*(?:[•◦▪‣·*–-]|\d{1,2}\))\s+(?=\S)")
_CAPTION = re.compile(r"\s*(?:Figure|Fig\.|Table)\s+\d+[a-z]?\s*[:.|—–-]")
_CODE = re.compile(
    r"""\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?$|from\s+[\w.]+\s+import\s|(?:async\s+)?def\s+\w+\(
    |class\s+\w+[(:]|print\(|return\b|with\s.+:$|for\s+\w.*\sin\s.+:$|(?:el)?if\s.+:$
    |(?:else|try|finally):$|except\b.*:$|raise\s|@\w[\w.]*(?:\(|$)|\#\s|\#!/|\$\s+\w|>>>\s
    |(?:python3?|pip|cd|git|npm|cargo)\s+[\w.-]|[\w.\[\]'\"]+(?:,\s*[\w.]+)*\s=\s\S|[\w.]+\(.*\)$
    |[)\]}]+[,;]?$|\"\"\"|''')""",
    re.VERBOSE,
)
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_TABLE_TITLE = re.compile(
    r"\b(?:tables?|summary|results?|winners?|overview)\b.*\(.*[=:].*\)\s*$", re.IGNORECASE
)
_GAP = re.compile(r"\t+| {2,}")
_RULE = re.compile(r"[\s|:=+-]*-{2,}[\s|:=+-]*")
_SENTENCE_END = re.compile(r"[.:;,…]['\"”’)\]]*$")
_ERROR = re.compile(r"\w*(?:Error|Exception|Warning)\b")
_NAMED = re.compile(r"\S+:\s")  # a line of a list: "reduce-overhead: for inference"
_LONGEST_HEADING = 110  # characters
_WRAPPED = range(50, 130)  # lengths of a line behind which a sentence may go on


def read_plain(source: str, path: str) -> Document:
    """The document of a text extracted from a page; `path` is how it names itself."""
    reader = _Reader(source.split("\n"))
    reader.read()
    return assemble(path, reader.drafts)


class _Reader:
    """Reads lines from the first to the last, and takes as many as belong together."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.drafts: list[Block | Sheet] = []
        self._lines = lines

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._take(at) if self._line(at).strip() else at + 1

    def _line(self, at: int) -> str:
        """A line without the space behind it, empty above the first and below the last."""
        return self._lines[at].rstrip() if 0 <= at < len(self._lines) else ""

    def _take(self, at: int) -> int:
        """Read what begins at a line; returns the line behind it."""
        line = self._line(at)
        if (end := self._end_of_pipes(at)) > at or (end := self._end_of_columns(at)) > at:
            self._take_table(at, end)
        elif (end := self._end_of_code(at)) > at:
            self._take_lines(Kind.CODE, at, end)
        elif match := _BULLET.match(line):
            end = self._end_of_paragraph(at)
            self._take_lines(Kind.ITEM, at, end, skip=match.end())
        elif _CAPTION.match(line):
            end = self._end_of_paragraph(at)
            self._take_lines(Kind.CAPTION, at, end)
        elif self._is_heading(at):
            end = at + 1
            self._take_lines(Kind.HEADING, at, end, level=self._level(line))
        else:
            end = self._end_of_paragraph(at)
            self._take_lines(Kind.PARAGRAPH, at, end)
        return end

    def _level(self, line: str) -> int:
        """The page's title is 1, a section 2, what only titles a table 3."""
        if not self.drafts:
            return 1
        return 3 if _TABLE_TITLE.search(line) else 2

    def _take_lines(
        self, kind: Kind, start: int, end: int, *, skip: int = 0, level: int = 0
    ) -> None:
        block = Block(kind, level)
        self.drafts.append(block)
        text = "\n".join(self._lines[start:end])
        pieces = []
        offset = 0
        for number, line in enumerate(self._lines[start:end], start + 1):
            pieces.append(Piece(offset, number, 1))
            offset += len(line) + 1
        _write(block, Strip(text, pieces), skip, formulas=kind is not Kind.CODE)

    def _take_table(self, start: int, end: int) -> None:
        grid = Grid(Sheet())
        self.drafts.append(grid.sheet)
        for at in range(start, end):
            line = self._line(at)
            if _RULE.fullmatch(line):
                continue
            grid.start_row()
            if at == start and "|" not in line and self._has_empty_corner(at):
                grid.add(header=False)
            for cell in cut_cells(line, at + 1) if "|" in line else _columns(line, at + 1):
                _write(grid.add(header=False), cell)
        grid.finish()

    def _end_of_pipes(self, at: int) -> int:
        """The line behind a pipe table that begins at a line, that line when none does."""
        if "|" not in self._line(at) or not _RULE.fullmatch(self._line(at + 1)):
            return at
        end = at + 2
        while "|" in self._line(end):
            end += 1
        return end

    def _end_of_columns(self, at: int) -> int:
        """The same for rows of equally many columns, set apart by tabs or by two spaces."""
        count = _count_columns(self._line(at))
        end = at
        if self._has_empty_corner(at):
            count, end = count + 1, at + 1
        while count > 1 and self._is_row(end, count):
            end += 1
        rows = [row for row in range(at, end) if not _RULE.fullmatch(self._line(row))]
        return end if len(rows) > 1 else at

    def _has_empty_corner(self, at: int) -> bool:
        """Whether a line heads all columns of the line below but the first."""
        line, below = self._line(at), self._line(at + 1)
        if _RULE.fullmatch(below):
            below = self._line(at + 2)
        is_indented = line.startswith("  ") and below[:1].strip() != ""
        return is_indented and _count_columns(below) == _count_columns(line) + 1 > 2

    def _is_row(self, at: int, columns: int) -> bool:
        line = self._line(at)
        return not _CODE.match(line) and _count_columns(line) == columns

    def _end_of_code(self, at: int) -> int:
        """The line behind lines of a program; empty lines inside belong to it."""
        if not _CODE.match(self._line(at)):
            return at
        end = at + 1
        while end < len(self._lines):
            ahead = end
            while ahead < len(self._lines) and not self._line(ahead):
                ahead += 1
            if not self._goes_on(ahead):
                break
            end = ahead + 1
        return end

    def _goes_on(self, at: int) -> bool:
        line = self._line(at)
        return bool(_CODE.match(line) or _INDENTED.match(line))

    def _end_of_paragraph(self, at: int) -> int:
        """The line behind a paragraph: a line, and those that a sentence was broken into."""
        end = at + 1
        while self._is_broken(end - 1):
            end += 1
        return end

    def _is_broken(self, at: int) -> bool:
        line, below = self._line(at), self._line(at + 1)
        ends = line[-1] in ".!?:" or len(line) not in _WRAPPED or _NAMED.match(below)
        return not ends and below[:1].islower()

    def _is_heading(self, at: int) -> bool:
        """A short line that ends no sentence, alone or between paragraphs."""
        line, above, below = self._line(at), self._line(at - 1), self._line(at + 1)
        if len(line) > _LONGEST_HEADING or _ERROR.match(line):
            return False
        if not self.drafts and not below:
            return True
        if _SENTENCE_END.search(line) or (line[0].islower() and (above or below)):
            return False
        return _sets_apart(above) and _sets_apart(below)


def _sets_apart(line: str) -> bool:
    """Whether a line beside a heading is empty, or a paragraph."""
    return not line or len(line) > _LONGEST_HEADING


def _count_columns(line: str) -> int:
    return len(_GAP.findall(line.strip())) + 1


def _columns(line: str, number: int) -> list[Strip]:
    cells = []
    start = len(line) - len(line.lstrip())
    for gap in _GAP.finditer(line, start):
        cells.append(Strip(line[start : gap.start()], [Piece(0, number, start + 1)]))
        start = gap.end()
    return [*cells, Strip(line[start:], [Piece(0, number, start + 1)])]


def _write(block: Block, strip: Strip, start: int = 0, *, formulas: bool = True) -> None:
    """Write a text, its formulas as a reader of the page saw them."""
    for match in tex.INLINE.finditer(strip.text, start) if formulas else ():
        _write_runs(block, strip, start, match.start())
        group = match.lastgroup or "inline"
        for seen in tex.visible(match.group(group)):
            at = match.start(group) + seen.at
            if seen.literal:
                _write_runs(block, strip, at, at + len(seen.text))
            else:
                place = strip.place(at)
                block.ink.sign(seen.text, place.line, place.column)
        start = match.end()
    _write_runs(block, strip, start, len(strip.text))


def _write_runs(block: Block, strip: Strip, start: int, end: int) -> None:
    for text, place in strip.runs(start, end):
        block.ink.add(text, place.line, place.column)
