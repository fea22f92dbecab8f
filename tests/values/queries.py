"""Running a value's query as a reader would, in DuckDB."""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from benchproof.values.recomputed import Recomputed
from benchproof.verbs.recompute import Recomputer


def answer(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    root: Path,
    told: Sequence[Recomputed] = (),
) -> Any:
    """What a query gives, its parameters recomputed from the raw files."""
    given = Recomputer(root).numbers({one.told.name: one.told for one in told}, "x")
    with contextlib.chdir(root):
        rows = connection.execute(query, given).fetchall()
    assert len(rows) == 1
    assert len(rows[0]) == 1
    return rows[0][0]
