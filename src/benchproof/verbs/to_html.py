"""`benchproof to-html SOURCE TARGET`: a post as one self-contained page."""

from pathlib import Path

from benchproof.report import pandoc


def to_html(
    source: Path,
    target: Path,
) -> None:
    """Turn a post's source into one HTML file, through Quarto where it is installed."""
    pandoc.to_html(source, target)
