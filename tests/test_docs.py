"""The documentation names what there is: links, verbs, template functions, filters, fields."""

import re
import typing
from pathlib import Path

import pytest
from factory import committed_study, committed_tables
from report.support import config

from benchproof.cli import VERBS
from benchproof.derive.tables import Tables
from benchproof.model.raw import Cell, RawFile
from benchproof.report.environment import PostEnvironment
from benchproof.report.functions import shared_functions
from benchproof.report.narrowing import NARROWING
from benchproof.report.quantities import QUANTITIES
from benchproof.report.registry import Registry
from benchproof.report.render import Figures, _context
from benchproof.report.selection import Cells
from benchproof.report.telling import _TOLD as TOLD

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEMPLATES = (ROOT / "docs/templates.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "docs/formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    missing = [
        target for target in targets if "://" not in target and not (page.parent / target).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_that_are_named_exist(page: Path) -> None:
    named = set(re.findall(r"benchproof ([a-z][a-z-]+) [A-Zc.]", page.read_text(encoding="utf-8")))
    assert named <= set(VERBS)


def test_every_template_function_is_documented() -> None:
    missing = [name for name in shared_functions() if f"`{name}(" not in TEMPLATES]
    assert missing == []


def test_every_name_that_a_template_finds_is_documented(tmp_path: Path) -> None:
    registry = Registry()
    figures = Figures(tmp_path, PostEnvironment(tmp_path, registry).printer)
    context = _context(committed_study(), config(), committed_tables(), registry, figures)
    missing = [name for name in context if f"`{name}" not in TEMPLATES and f"call {name}" not in
               TEMPLATES]  # fmt: skip
    assert missing == []


def test_every_filter_of_ours_is_documented(tmp_path: Path) -> None:
    ours = set(PostEnvironment(tmp_path, Registry()).filters)
    theirs = set(__import__("jinja2").Environment().filters)
    missing = [name for name in sorted(ours - theirs) if f"`{name}" not in TEMPLATES]
    assert missing == []


def test_every_key_and_quantity_of_a_selection_is_documented() -> None:
    named = (*NARROWING, *QUANTITIES, *TOLD)
    missing = [name for name in named if f"`{name}`" not in TEMPLATES]
    assert missing == []


def test_every_member_of_a_selection_is_documented() -> None:
    public = [name for kind in Cells.__mro__ for name in vars(kind) if not name.startswith("_")]
    hidden = {"record", "records", "values"}  # for derivations in Python
    missing = [name for name in public if name not in hidden and f"`{name}" not in TEMPLATES]
    assert missing == []


def test_every_table_and_raw_field_is_documented() -> None:
    tables = list(typing.get_type_hints(Tables))
    fields = [*RawFile.__struct_fields__, *Cell.__struct_fields__]
    missing = [name for name in (*tables, *fields) if f"`{name}`" not in FORMATS]
    assert missing == []


def test_readme_says_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make report" in readme
    assert "make test" in readme
