"""Where each cell of a table stands when cells may cover several rows and columns."""

from benchproof.audit.document.draft import Block, Cell, Sheet
from benchproof.audit.document.passage import Kind

# What HTML allows a cell to cover; columns beyond the last are not kept free for a cell above.
_MOST_COLUMNS = 1000
_MOST_ROWS = 65534
_LAST_KEPT_COLUMN = 256


class Grid:
    """Fills a sheet with cells from left to right, row by row."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._row = -1
        self._column = 0
        self._taken: dict[int, int] = {}  # column: the first row where it is free again
        self._told = False  # some cell was said to be a header

    def start_row(self) -> None:
        """Go to the left end of the next row."""
        self._row += 1
        self._column = 0

    def add(self, header: bool, rows: int = 1, columns: int = 1) -> Block:
        """The block of a new cell, at the next free column of the row."""
        if self._row < 0:
            self.start_row()
        rows = min(max(rows, 1), _MOST_ROWS)
        columns = min(max(columns, 1), _MOST_COLUMNS)
        while self._taken.get(self._column, 0) > self._row:
            self._column += 1
        block = Block(Kind.HEADER if header else Kind.CELL)
        self.sheet.cells.append(Cell(block, self._row, self._column, rows, columns))
        if rows > 1:
            end = min(self._column + columns, _LAST_KEPT_COLUMN)
            self._taken.update(dict.fromkeys(range(self._column, end), self._row + rows))
        self._column += columns
        self._told = self._told or header
        return block

    def finish(self) -> None:
        """Cut what reaches below the last row; a first row heads a table that told no header."""
        for cell in self.sheet.cells:
            cell.rows = min(cell.rows, self._row + 1 - cell.row)
            if not self._told and cell.row == 0 and self._row > 0:
                cell.block.kind = Kind.HEADER
