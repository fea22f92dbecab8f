"""`benchproof schema DIR`: the JSON Schemas of the formats."""

from pathlib import Path
from typing import Annotated

import typer

from benchproof.files import write_atomically
from benchproof.schema import schemas


def schema(
    target: Annotated[Path, typer.Argument(help="Folder for the schemas.")],
) -> None:
    """Write the JSON Schema of every format, generated from the types."""
    for name, text in schemas().items():
        write_atomically(target / name, text)
