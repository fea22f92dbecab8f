"""Names and numbers as the tables of Markdown, of HTML and of programs show them."""

from collections.abc import Iterable, Sequence

from audit.wordings.words import Words

Row = Sequence[str]


def piped(heads: Row, rows: Iterable[Row]) -> str:
    """A table of Markdown, its first column on the left."""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, rule, *rows))


def tagged(cells: Row, tag: str = "td") -> str:
    """A row of HTML."""
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>\n"


def aligned(w: Words, rows: Sequence[Row]) -> str:
    """Columns as a program prints them, the first one on the left."""
    shown = [[_shown(w, cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) + 2 for column in zip(*shown, strict=True)]
    lines = []
    for row, texts in zip(rows, shown, strict=True):
        gaps = [" " * (width - len(text)) for width, text in zip(widths, texts, strict=True)]
        padded = [gap + cell for gap, cell in zip(gaps[1:], row[1:], strict=True)]
        lines.append("".join([row[0], gaps[0], *padded]))
    return "\n".join(lines)


def _shown(w: Words, cell: str) -> str:
    """A cell with its marks made the numbers that they stand for."""
    for at, slot in enumerate(w.slots):
        cell = cell.replace(f"\0{at}\0", slot.text)
    return cell
