"""`benchproof figures TABLES DIR`: a study's figures."""

from pathlib import Path
from typing import Annotated

import typer

from benchproof.figures.draw import draw_all


def figures(
    tables: Annotated[Path, typer.Argument(help="Folder of the study's tables.")],
    target: Annotated[Path, typer.Argument(help="Folder for the figures.")],
) -> None:
    """Draw every figure of a study as SVG and PNG, light and dark."""
    draw_all(tables, target)
