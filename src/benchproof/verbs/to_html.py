"""`benchproof to-html SOURCE TARGET`: a post as one self-contained page."""

from pathlib import Path
from typing import Annotated

import typer

from benchproof.report import pandoc


def to_html(
    source: Annotated[Path, typer.Argument(help="The post's index.qmd.")],
    target: Annotated[Path, typer.Argument(help="The page to write.")],
) -> None:
    """Turn a post's source into one HTML file, through Quarto where it is installed."""
    pandoc.to_html(source, target)
