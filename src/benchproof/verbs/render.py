"""`benchproof render TEMPLATE STUDY.yaml FIGURES DIR`: a post's source with bound numbers."""

from pathlib import Path

from benchproof.report.render import render as render_post
from benchproof.report.render import write_document
from benchproof.verbs.study import open_study


def render(
    template: Path,
    study: Path,
    figures: Path,
    target: Path,
    root: Path = Path(),
) -> None:
    """Render a template to index.qmd and numbers.json; a number without a record is an error."""
    config, loaded = open_study(study, root)
    document = render_post(target.resolve().name, template, loaded, config, figures)
    write_document(document, figures, target)
