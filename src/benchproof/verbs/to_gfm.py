"""`benchproof to-gfm SOURCE TARGET`: a post as GitHub-flavoured Markdown for blog platforms."""

from pathlib import Path

from benchproof.report import pandoc


def to_gfm(
    source: Path,
    target: Path,
) -> None:
    """Turn a post's source into GFM without raw HTML."""
    pandoc.to_gfm(source, target)
