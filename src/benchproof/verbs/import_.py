"""`benchproof import neural-cost FILE... -o DIR`: somebody else's telemetry as raw files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchproof.importers import neural_cost
from benchproof.importers.write import write_raw
from benchproof.model.keys import Device


class Format(StrEnum):
    """Formats that can be imported."""

    NEURAL_COST = "neural-cost"


def import_(
    source: Annotated[Format, typer.Argument(help="Format of the files.")],
    files: Annotated[
        list[Path], typer.Argument(help="The files, as their project publishes them.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the raw files.")],
    study: Annotated[
        str | None, typer.Option(help="Study's name; the folder's if left out.")
    ] = None,
    release: Annotated[
        str | None, typer.Option(help="Release the files come from; known ones are recognised.")
    ] = None,
    requested: Annotated[
        Device | None, typer.Option(help="Device that was asked for, where the files do not tell.")
    ] = None,
) -> None:
    """Convert telemetry of another tool to benchproof/raw@1, with its provenance."""
    del source  # one format so far: typer has checked it
    name = study or output.resolve().name
    raw = neural_cost.convert(files, name, version=release, requested=requested)
    written = write_raw(raw, output)
    records = sum(len(file.cells) for file in raw.values())
    print(f"{records} records in {len(written)} raw files in {output}")
