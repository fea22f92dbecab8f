"""From a template, records and figures to `index.qmd` and what belongs beside it."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from markupsafe import Markup

from benchproof.config import StudyConfig
from benchproof.derive import quantities as q
from benchproof.derive.tables import Tables, derive
from benchproof.errors import BenchproofError, RuleConflictError
from benchproof.files import write_atomically
from benchproof.model.keys import Device, Framework, VariantKind
from benchproof.model.raw import Source
from benchproof.model.record import Record
from benchproof.records.gates import require_one_rule
from benchproof.records.study import Study
from benchproof.report.condition import AT_HOME, ELSEWHERE, TIMED, UNTIMED, Root
from benchproof.report.environment import PostEnvironment
from benchproof.report.functions import Contests, Sampling, shared_functions
from benchproof.report.printer import Printer
from benchproof.report.registry import Numbers, Registry, encode, for_page
from benchproof.report.rows import Shown
from benchproof.report.selection import Cells
from benchproof.report.source import refuse_unsafe
from benchproof.report.template import render_template
from benchproof.report.text import DataText
from benchproof.report.verdicts import Verdicts

ASSETS = Path(__file__).parent / "assets"


class Document(msgspec.Struct, frozen=True):
    """A rendered post: its Quarto source, and everything that it binds."""

    qmd: str
    numbers: Numbers


def render(post: str, template: Path, study: Study, config: StudyConfig, figures: Path) -> Document:
    """Render a post; TemplateError names template, line and expression of anything wrong."""
    registry = Registry()
    folder = template.parent.resolve()
    environment = PostEnvironment(folder, registry)
    tables = derive(study, config.models, config.rule)
    drawn = Figures(figures, environment.printer)
    qmd = render_template(
        environment, folder, template.name, _context(study, config, tables, registry, drawn)
    )
    try:
        require_one_rule(registry.rules)
    except RuleConflictError as bad:
        raise RuleConflictError(f"{template}: {bad}") from None
    refuse_unsafe(qmd, str(template))
    return Document(qmd, registry.numbers(post, study.name))


def _context(
    study: Study, config: StudyConfig, tables: Tables, registry: Registry, figures: "Figures"
) -> Mapping[str, object]:
    contests = Contests(study, registry, config.models)
    sampling = Sampling(study)
    batches = {record.batch: q.batch_size(record) for record in study.everything}
    return {
        **shared_functions(),
        **_selections(study, config.models),
        "rule": DataText(config.rule.value),
        "models": [DataText(model) for model in config.models],
        "unmeasured": [
            DataText(each.value)
            for each in Framework
            if all(record.framework is not each for record in study.everything)
        ],
        "tables": {
            name: [Shown(row, batches) for row in getattr(tables, name)]
            for name in tables.__struct_fields__
        },
        "sources": _sources(study),
        "machine": Shown(study.everything[0].machine),
        "ceilings": [Shown(c) for c in study.everything[0].machine.ceilings],
        "wins": contests.wins,
        "contested": contests.contested,
        "labelled_wins": contests.labelled_wins,
        "tied": contests.tied,
        "sole_winner": contests.sole_winner,
        **Verdicts(study).functions(),
        "samples": sampling.samples,
        "fitting_means": sampling.fitting,
        "figure": figures.block,
    }


def _selections(study: Study, models: tuple[str, ...]) -> dict[str, Cells]:
    """What a template selects from, by the names that it has there."""
    comparable, quarantined = _ordered(study.records, models), _ordered(study.quarantined, models)
    everything = study.everything
    return {
        "cells": Cells(comparable, root=Root("cells", (), (TIMED, AT_HOME), everything)),
        "asked": Cells(comparable + quarantined, root=Root("asked", (), (TIMED,), everything)),
        "quarantined": Cells(
            quarantined, root=Root("quarantined", (ELSEWHERE,), (TIMED,), everything)
        ),
        "untimed": Cells(
            _ordered(study.untimed, models), root=Root("untimed", (UNTIMED,), (), everything)
        ),
    }


def _ordered(records: Sequence[Record], models: tuple[str, ...]) -> list[Record]:
    """Records in the order in which a reader expects them: device, model, framework, variant."""
    rank = {model: position for position, model in enumerate(models)}
    frameworks, kinds, devices = list(Framework), list(VariantKind), list(Device)
    return sorted(
        records,
        key=lambda r: (
            devices.index(r.requested),
            rank.get(r.model, len(rank)),
            frameworks.index(r.framework),
            kinds.index(r.kind),
            r.batch,
        ),
    )


def _sources(study: Study) -> list[Shown]:
    """Every distinct source of the study, in the order of file names."""
    found: dict[str, Source] = {
        record.source.sha256: record.source for record in study.everything if record.source
    }
    return [Shown(source) for source in sorted(found.values(), key=lambda source: source.file)]


class FigureError(BenchproofError):
    """A post shows a figure that nobody has drawn."""


class Figures:
    """The figures that were drawn for a study, as blocks of a document."""

    def __init__(self, folder: Path, printer: Printer) -> None:
        self._folder = folder
        self._printer = printer

    def block(self, name: str, alt: object, caller: Callable[[], str]) -> Markup:
        """A light and a dark image with a caption; `alt` is text without spans."""
        drawn = [path.name.removesuffix("-light.svg") for path in self._folder.glob("*-light.svg")]
        if name not in drawn:
            raise FigureError(f"no figure {name!r} in {self._folder}")
        seal = self._printer.seals.seal
        text = " ".join(str(self._printer(alt)).replace('"', "&quot;").split())
        images = "\n".join(
            f"::: {{.{theme}-content}}\n![]({seal(f'figures/{name}-{theme}.svg')})"
            f'{{fig-alt="{text}" alt="{text}"}}\n:::'
            for theme in ("light", "dark")
        )
        return Markup(f"::: {{#{seal(f'fig-{name}')}}}\n{images}\n\n{caller().strip()}\n:::\n")


def write_document(document: Document, figures: Path, target: Path) -> None:
    """Write the source, numbers.json, the page's style and script, and the figures it shows."""
    target.mkdir(parents=True, exist_ok=True)
    copy_figures(document.qmd, figures, target / "figures")
    write_atomically(target / "numbers.json", encode(document.numbers))
    write_atomically(target / "benchproof.css", (ASSETS / "benchproof.css").read_bytes())
    write_atomically(target / "after-body.html", after_body(document.numbers))
    write_atomically(target / "index.qmd", document.qmd)


def copy_figures(qmd: str, figures: Path, target: Path) -> None:
    """Copy the figures that a document shows: both themes as SVG, the light one as PNG too."""
    target.mkdir(parents=True, exist_ok=True)
    for drawn in sorted(figures.glob("*.svg")):
        if f"figures/{drawn.name}" in qmd:
            shutil.copyfile(drawn, target / drawn.name)
            if drawn.stem.endswith("-light"):
                shutil.copyfile(drawn.with_suffix(".png"), target / f"{drawn.stem}.png")


def after_body(numbers: Numbers) -> str:
    """The script and its data, as Quarto and pandoc put them at the end of the page."""
    data = json.dumps(for_page(numbers), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    escaped = data.replace("<", "\\u003c").replace("&", "\\u0026")
    script = (ASSETS / "benchproof.js").read_text(encoding="utf-8")
    return (
        f'<script type="application/json" id="bp-numbers">{escaped}</script>\n'
        f"<script>\n{script}</script>\n"
    )
