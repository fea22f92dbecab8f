"""Rows of a file that nobody vouches for, by field, before anything says what a field means."""

from collections.abc import Mapping, Sequence

import msgspec

from benchproof.errors import InputError

Cell = str | int | float | None  # None is missing


class Sheet(msgspec.Struct, frozen=True):
    """The rows of one file: `columns` by field and `places` run in step.

    `repeats` are fields that number the samples of one row, `settings` those that are keys
    whatever their values look like. `decimal_comma` is whether the file
    may write 3,14 for 3.14, as those separated by semicolons do.
    """

    file: str
    columns: Mapping[str, Sequence[Cell]]
    places: Sequence[str]
    repeats: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()
    decimal_comma: bool = False


class NoRecordsError(InputError):
    """A readable file that holds no records: skipped in a folder, an error where it is named."""
