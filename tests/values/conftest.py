"""What tests of values share: one connection to DuckDB a module."""

from collections.abc import Iterator

import duckdb
import pytest


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened
