"""`benchproof schema DIR`: the JSON Schemas of the formats."""

from pathlib import Path

from benchproof.files import write_atomically
from benchproof.schema import schemas


def schema(
    target: Path,
) -> None:
    """Write the JSON Schema of every format, generated from the types."""
    for name, text in schemas().items():
        write_atomically(target / name, text)
