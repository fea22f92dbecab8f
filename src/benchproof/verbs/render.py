"""`benchproof render TEMPLATE STUDY.yaml FIGURES DIR`: a post's source with bound numbers."""

from pathlib import Path

from benchproof.config import StudyConfig, raw_paths, read_config
from benchproof.records.study import check_models, load_study
from benchproof.report.render import render as render_post
from benchproof.report.render import write_document


def render(
    template: Path,
    study: Path,
    figures: Path,
    target: Path,
    root: Path = Path(),
) -> None:
    """Render a template to index.qmd and numbers.json; a number without a record is an error."""
    config = read_config(study, StudyConfig)
    loaded = load_study(config.name, raw_paths(config, root), root)
    check_models(config.models, loaded, str(study))
    document = render_post(target.resolve().name, template, loaded, config, figures)
    write_document(document, figures, target)
