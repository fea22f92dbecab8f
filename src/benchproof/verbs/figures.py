"""`benchproof figures TABLES DIR`: a study's figures."""

from pathlib import Path

from benchproof.figures.draw import draw_all


def figures(
    tables: Path,
    target: Path,
) -> None:
    """Draw every figure of a study as SVG and PNG, light and dark."""
    draw_all(tables, target)
