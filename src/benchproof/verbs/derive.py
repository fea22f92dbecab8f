"""`benchproof derive STUDY.yaml DIR`: a study's tables."""

from pathlib import Path

from benchproof.derive.tables import derive as derive_tables
from benchproof.derive.write import write_tables
from benchproof.verbs.study import open_study


def derive(
    study: Path,
    target: Path,
    root: Path = Path(),
) -> None:
    """Write every table of a study as Parquet and CSV."""
    config, loaded = open_study(study, root)
    write_tables(derive_tables(loaded, config.models, config.rule), target)
