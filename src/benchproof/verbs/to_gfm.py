"""`benchproof to-gfm SOURCE TARGET`: a post as GitHub-flavoured Markdown for blog platforms."""

from pathlib import Path
from typing import Annotated

import typer

from benchproof.report import pandoc


def to_gfm(
    source: Annotated[Path, typer.Argument(help="The post's index.qmd.")],
    target: Annotated[Path, typer.Argument(help="The Markdown file to write.")],
) -> None:
    """Turn a post's source into GFM without raw HTML."""
    pandoc.to_gfm(source, target)
