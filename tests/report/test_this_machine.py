"""The post that a machine writes about itself says nothing that its telemetry does not."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from factory import make_study
from report.machine_post import (
    Post,
    built,
    contests_of,
    told_of_compiling,
    told_of_contests,
    told_of_devices,
    told_of_trust,
)
from report.machine_shapes import SHAPES
from report.measured import random_study

from benchproof.derive.tables import derive
from benchproof.derive.write import write_tables
from benchproof.figures.draw import draw_all
from benchproof.records.gates import SelectionRule
from benchproof.report.environment import PostEnvironment
from benchproof.report.pandoc import to_gfm
from benchproof.verbs.verify import verify

EVERY = [*SHAPES, *(f"seed {number}" for number in range(15))]


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Post]]:
    """Posts of shapes and of seeds, each built once."""
    done: dict[str, Post] = {}

    def of(name: str) -> Post:
        if name not in done:
            seed = name.removeprefix("seed ")
            raws = random_study(int(seed)) if seed.isdigit() else SHAPES[name].raws()
            done[name] = built(tmp_path_factory.mktemp("shape"), raws)
        return done[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda _name: None)
        patch.setattr(PostEnvironment, "compile", compiled_once())
        yield of


def compiled_once() -> Callable[..., Any]:
    """What compiles a template, once for all posts: it takes longer than rendering."""
    known: dict[str, Any] = {}
    compiles = PostEnvironment.compile

    def once(self: PostEnvironment, source: str, *names: Any) -> Any:
        if source not in known:
            known[source] = compiles(self, source, *names)
        return known[source]

    return once


@pytest.mark.parametrize("name", SHAPES)
def test_post_says_what_a_shape_of_telemetry_calls_for(
    post: Callable[[str], Post], name: str
) -> None:
    made = post(name)
    for said in SHAPES[name].says:
        assert re.search(said, made.words), said
    for unsaid in SHAPES[name].never:
        assert not re.search(unsaid, made.body, re.MULTILINE), unsaid


COUNTED = "cell|contest|comparison|control|variant|combination|processor|call|framework"
BROKEN = [
    rf"(?<![\d.,])1 (further )?(A/A )?(compiled )?({COUNTED})s\b",
    rf"\b(\d\d+|[02-9]) (further )?(A/A )?(compiled )?({COUNTED})\b",
    r"(?<![\d.,])1 (are|were|have)\b", r"(?<!batch )\b(\d\d+|[2-9]) (is|was|has)\b",
    r"\b(and|or|with|of|the|on) ?[.,;:]", r"\(\)", r"[,;:] ?[.,;]", r"[a-z]  +[a-z]",
    r"\bNone\b(?! of)", r"Undefined|nan\b", r"\bat batches \d+\b(?! and|,)",
    r"^: .*\{#tbl.*\n(?!\n\|)",
    r"[^\n]\n(: .*\{#tbl|\|[^\n]*\n\|-)", r"^\|[-:| ]+\|\n(?!\|)", r"^(?!- ).+\n- ", r"[^\n]\n#",
]  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_nothing_in_a_post_reads_broken(post: Callable[[str], Post], name: str) -> None:
    made = post(name)
    body = made.body
    for pattern in BROKEN:
        found = re.search(pattern, body, re.MULTILINE)
        assert found is None, (pattern, body[max(found.start() - 60, 0) : found.end() + 60])
    for table in re.findall(r"\{#(tbl-\w+)\}", body):
        assert made.rows(table), table
    page = (made.root / "post/index.html").read_text(encoding="utf-8")
    visible = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    assert not re.search(r"\{#|\*\*|:::|\|--|^: ", visible, re.MULTILINE)


@pytest.mark.parametrize("name", EVERY)
def test_counts_in_the_box_are_those_of_the_tables(post: Callable[[str], Post], name: str) -> None:
    made = post(name)
    cells = [row for row in made.tables.results if row.status in ("ok", "unstable")]
    if not cells:
        assert made.short == {}
        return
    assert re.search(rf"In short\.\*\* {len(cells)} cells?, ", made.text)
    assert told_of_contests(made) == contests_of(made.tables)
    assert told_of_compiling(made.short["Compiling"]) == Counter(
        row.verdict
        for row in made.tables.compile_speedup
        if row.speedup is not None and row.ran_on == row.device
    )
    assert told_of_devices(made.short["GPU or CPU"]) == Counter(
        row.verdict
        for row in made.tables.cpu_gpu
        if row.speedup is not None and row.basis == "same framework"
    )
    assert told_of_trust(made.short["Trust"], len(cells)) == (
        sum(row.verdict == "differs" for row in made.tables.controls),
        len(made.tables.controls),
        sum(row.status == "unstable" for row in cells),
        sum(row.between_rounds_percent is not None for row in made.tables.stability),
    )


def starred(note: str) -> str:
    """The mark of what is held to more than elsewhere, because a control differs."""
    return "*" if "judged beyond" in note else ""


@pytest.mark.parametrize("name", EVERY)
def test_tables_name_no_winner_that_the_verdicts_do_not(
    post: Callable[[str], Post], name: str
) -> None:
    made = post(name)
    contests = [row for row in made.tables.winners if row.margin is not None]
    shown = made.rows("tbl-winners")
    assert len(shown) == len(contests)
    for row, told in zip(contests, shown, strict=True):
        words = {"wins": "wins", "tie": "tie", "": "none"}
        fastest = {"wins": f"**{row.winner}**", "tie": row.tied, "": row.winner}
        assert (told["Model"], told["Batch"]) == (row.model, str(row.batch))
        assert (told["Verdict"], told["Fastest"]) == (words[row.verdict], fastest[row.verdict])
    compared = [
        row.verdict.replace("inconclusive", f"undecided{starred(row.note)}") or "none"
        for row in made.tables.compile_speedup
        if row.speedup is not None and row.ran_on == row.device
    ]
    assert [told["Verdict"] for told in made.rows("tbl-compiled")] == compared
    sides = {
        "faster": "**GPU**",
        "slower": "**CPU**",
        "inconclusive": "undecided",
        "": "no verdict",
    }
    met = [
        sides[row.verdict]
        for row in made.tables.cpu_gpu
        if row.speedup is not None and row.basis == "same framework"
    ]
    assert [told["Faster"] for told in made.rows("tbl-gpu")] == met


@pytest.mark.parametrize("name", EVERY)
def test_what_is_not_there_is_said_and_nothing_is_said_of_it(
    post: Callable[[str], Post], name: str
) -> None:
    made = post(name)
    everything = made.study.everything
    for framework in ("PyTorch", "JAX", "TensorFlow", "MLX"):
        if all(record.framework != framework for record in everything):
            said = [line for line in made.text.splitlines() if framework in line]
            assert all(line.startswith("There is no telemetry of") for line in said), said
    if all(record.requested == "cpu" for record in everything):
        said = re.findall(r".*GPU.*", made.text)
        assert said in ([], ["- **GPU or CPU.** No GPU was measured."])
    reasons = {record.cell.reason for record in made.study.untimed}
    section = made.text.partition("{#sec-missing}")[2]
    assert all(reason in section for reason in reasons if reason)


@pytest.mark.parametrize("name", ["GPU faster", "some failed", "three rounds", "seed 3"])
def test_verify_computes_every_number_of_the_post_again(
    post: Callable[[str], Post], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = post(name)
    assert len(made.numbers["numbers"]) > 60
    assert verify(made.root / "post/numbers.json", made.root) == 0, capsys.readouterr().out


def test_the_post_is_built_with_the_figures_of_its_own_study(tmp_path: Path) -> None:
    raws = SHAPES["GPU faster"].raws()
    tables = derive(make_study(tmp_path, raws), (), SelectionRule.ANY_VARIANT)
    write_tables(tables, tmp_path / "tables")
    draw_all(tmp_path / "tables", tmp_path / "figures")
    made = built(tmp_path, raws, tmp_path / "figures")
    to_gfm(made.root / "post/index.qmd", made.root / "post/index.md")
    shown = set(re.findall(r"figures/([\w-]+)-light\.svg", made.text))
    assert shown == {"latency", "speedups", "cpu-gpu", "throughput-scaling", "roofline"}
