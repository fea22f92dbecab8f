"""A panel of dots for one device at one batch: which series have rows, and which are only named."""

from collections.abc import Callable

from benchproof.figures.dotrows import Group, Mark, Panel
from benchproof.figures.evidence import Evidence, Place, Series, gap_text
from benchproof.figures.rows import CellRow

MarkOf = Callable[[Series, CellRow | None], Mark]


def place_panel(evidence: Evidence, place: Place, mark_of: MarkOf) -> Panel:
    """Every model's rows at a place; a framework without any evidence there is named in the note.

    `mark_of` gives the row of one cell.
    """
    cells = evidence.cells()
    here = [
        series for series in evidence.series
        if any(_counts(cells.get(_key(place, model, series))) for model in evidence.models)
    ]  # fmt: skip
    groups = tuple(
        Group(model, tuple(mark_of(one, cells.get(_key(place, model, one))) for one in here))
        for model in evidence.models
    )
    absent = [series for series in evidence.series if series not in here]
    return Panel(place.title, groups, _absence_text(evidence, place, absent, cells))


def _key(place: Place, model: str, series: Series) -> tuple[str, int, str, str, str]:
    return (place.device, place.batch, model, series.framework, series.variant)


def _counts(cell: CellRow | None) -> bool:
    return cell is not None and cell.counts


def _absence_text(
    evidence: Evidence,
    place: Place,
    absent: list[Series],
    cells: dict[tuple[str, int, str, str, str], CellRow],
) -> str:
    reasons: dict[str, list[str]] = {}
    for series in absent:
        whole = all(s in absent for s in evidence.series if s.framework == series.framework)
        found = [cells.get(_key(place, model, series)) for model in evidence.models]
        told = next((cell for cell in found if cell is not None and cell.note), None)
        reason = told.note if told else gap_text(found[0])
        known = reasons.setdefault(series.framework if whole else series.name, [])
        if reason not in known:
            known.append(reason)
    return " ".join(f"{name}: {' or '.join(told)}." for name, told in reasons.items())
