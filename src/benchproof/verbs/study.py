"""How a verb opens the study that it is given."""

from pathlib import Path

from benchproof.config import StudyConfig, raw_paths, read_config
from benchproof.records.study import Study, check_models, load_study


def open_study(path: Path, root: Path) -> tuple[StudyConfig, Study]:
    """A study's configuration and its gated records; both checked, and against each other."""
    config = read_config(path, StudyConfig)
    loaded = load_study(
        config.name, raw_paths(config, root), root, config.practical_threshold_percent
    )
    check_models(config.models, loaded, str(path))
    return config, loaded
