"""`benchproof derive STUDY.yaml DIR`: a study's tables."""

from pathlib import Path

from benchproof.config import StudyConfig, raw_paths, read_config
from benchproof.derive.tables import derive as derive_tables
from benchproof.derive.write import write_tables
from benchproof.records.study import check_models, load_study


def derive(
    study: Path,
    target: Path,
    root: Path = Path(),
) -> None:
    """Write every table of a study as Parquet and CSV."""
    config = read_config(study, StudyConfig)
    loaded = load_study(config.name, raw_paths(config, root), root)
    check_models(config.models, loaded, str(study))
    write_tables(derive_tables(loaded, config.models, config.rule), target)
