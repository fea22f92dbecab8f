"""A machine's post, built from raw files, and what the box at its top tells."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from factory import make_study
from report.support import ROOT, drawn

from benchproof.config import StudyConfig
from benchproof.derive.tables import Tables, derive
from benchproof.figures.draw import FIGURES
from benchproof.model.raw import RawFile
from benchproof.records.gates import SelectionRule
from benchproof.records.study import Study
from benchproof.report.pandoc import to_html
from benchproof.report.render import render, write_document

TEMPLATE = ROOT / "templates/this-machine.qmd.j2"


class Post(NamedTuple):
    """A built post: its study and tables, and its source as a reader sees the words."""

    root: Path
    study: Study
    tables: Tables
    text: str
    numbers: dict[str, Any]

    @property
    def words(self) -> str:
        """The source without the marks of bold text."""
        return self.text.replace("**", "")

    @property
    def body(self) -> str:
        """The same behind the front matter."""
        return self.words.split("---\n", 2)[2]

    @property
    def short(self) -> dict[str, str]:
        """The bullets of the box at the top, by what they are about."""
        box = self.text.split("::: {.callout-important}")[1].split("\n:::")[0]
        return dict(re.findall(r"- \*\*([\w ]+)\.\*\* (.*)", box))

    def rows(self, table: str) -> list[dict[str, str]]:
        """Rows of one table by their column heads; empty where it is not there."""
        found = re.search(rf"\{{#{table}\}}\n\n((?:\|.*\n)+)", self.text)
        lines = found.group(1).splitlines() if found else [""]
        head, *body = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
        return [dict(zip(head, cells, strict=True)) for cells in body[1:]]


def built(root: Path, raws: Sequence[RawFile], figures: Path | None = None) -> Post:
    """The raw files loaded, gated, derived, rendered and turned into a page, as a build does."""
    loaded = make_study(root, raws)
    tables = derive(loaded, (), SelectionRule.ANY_VARIANT)
    config = StudyConfig(name="tiny", raw="results/raw/tiny")
    figures = figures or drawn(root / "figures", *(kind.name for kind in FIGURES))
    document = render("post", TEMPLATE, loaded, config, figures)
    write_document(document, figures, root / "post")
    to_html(root / "post/index.qmd", root / "post/index.html")
    numbers = json.loads((root / "post/numbers.json").read_bytes())
    return Post(root, loaded, tables, plain(document.qmd), numbers)


def plain(qmd: str) -> str:
    """The source with numbers, code and escaped marks as they show."""
    bare = re.sub(r"\[([^\[\]]*)\]\{\.bp[^{}]*\}", r"\1", qmd).replace("`", "")
    return re.sub(r"\\(.)", r"\1", bare)


def number(text: str, whole: int) -> int:
    """A count of a whole, as the box words it."""
    return whole if text in ("it", "all", "all of them") else int(text)


def contests_of(tables: Tables) -> Counter[tuple[str, str]]:
    """Contests by device and by outcome: a winner, `tie`, or nothing."""
    return Counter(
        (row.device, str(row.winner) if row.verdict == "wins" else row.verdict)
        for row in tables.winners
        if row.margin is not None
    )


def told_of_contests(made: Post) -> Counter[tuple[str, str]]:
    """The same as the box tells it."""
    told: Counter[tuple[str, str]] = Counter()
    devices = list(dict.fromkeys(row.device for row in made.tables.winners))
    sentence = r"(?:On the ([\w ()]+), f|F)rameworks met in (\d+) contests? of equal work: (.*?)\. "
    for place, whole, clauses in re.findall(sentence, made.short["Fastest"]):
        named = re.search(r"\((\w+)\)", place)
        kind = place.startswith("GPU")
        here = (d for d in devices if (d != "cpu") == kind or not place)
        device = named.group(1) if named else next(here)
        for clause in re.split(r", (?:and )?", clauses):
            won = re.fullmatch(r"(\w+) wins (it|all of them|\d+)", clause)
            tie = re.fullmatch(r"(it|all|\d+) (?:is a tie|are ties)", clause)
            few = re.fullmatch(r"(it|all|\d+) ha(?:s|ve) too few samples for a verdict", clause)
            found = won or tie or few
            assert found, clause
            outcome = won.group(1) if won else "tie" if tie else ""
            told[device, outcome] += number(found.groups()[-1], int(whole))
        assert sum(count for (at, _), count in told.items() if at == device) == int(whole)
    return told


def told_of_compiling(text: str) -> Counter[str]:
    whole = re.search(r"(\d+) compiled variants? w\w+ held", text)
    if whole is None:
        assert text.startswith("No compiled variant")
        return Counter()
    of = int(whole.group(1))
    told = Counter(
        {
            verdict: number(count, of)
            for count, verdict in re.findall(r"(\w+) (?:is|are) conclusively (faster|slower)", text)
        }
    )
    for count, why in re.findall(r"for (it|all of them|\d+) (the samples do|there are too)", text):
        told["inconclusive" if why == "the samples do" else ""] = number(count, of)
    assert told.total() == of
    return told


def told_of_devices(text: str) -> Counter[str]:
    whole = re.search(r"met the CPU in (\d+) comparisons?", text)
    if whole is None:
        return Counter()
    of = int(whole.group(1))
    clauses = re.split(r", (?:and )?", text.partition(": ")[2].removesuffix("."))
    ends = {"the GPU is conclusively faster": "faster", "the CPU is conclusively faster": "slower",
            "the samples do not decide": "inconclusive"}  # fmt: skip
    told: Counter[str] = Counter()
    for clause in clauses:
        found = re.fullmatch(r"(?:in (all of them|\d+) )?(the .*)", clause)
        assert found, clause
        told[ends[found.group(2)]] = number(found.group(1) or "it", of)
    assert told.total() == of
    return told


def told_of_trust(text: str, cells: int) -> tuple[int, int, int, int]:
    """Controls that differ, controls, unstable cells, and cells of several rounds."""
    differ = re.search(r"Of (\d+) A/A controls \(.*?\), \*\*(\d+) differs?\*\*", text)
    none = re.search(r"None of (\d+) A/A|(The) A/A control", text)
    only = int("**differs**:" in text and not differ)
    unstable = re.search(
        r"(\d+) of \d+ cells (?:is|are) marked|(All|The) cells? (?:is|are) m", text
    )
    some = re.search(r"Only (\d+) of", text)
    every = "ery cell was measured in several" in text or text.startswith("The cell was measured")
    controls = int(differ.group(1)) if differ else int(none.group(1) or 1) if none else 0
    shaky = 0 if unstable is None else int(unstable.group(1) or cells)
    rounds = cells if every else int(some.group(1)) if some else 0
    return int(differ.group(2)) if differ else only, controls, shaky, rounds
