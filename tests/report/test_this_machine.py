"""The post that a machine writes about itself: no shape of telemetry makes it say what is not so."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from factory import CEILINGS, make_study
from report.measured import MEASURED, MS, At, Ended, Speed, random_study, study
from report.support import ROOT, drawn

from benchproof.config import StudyConfig
from benchproof.derive.tables import Tables, derive
from benchproof.derive.write import write_tables
from benchproof.figures.draw import FIGURES, draw_all
from benchproof.model.raw import RawFile
from benchproof.records.gates import SelectionRule
from benchproof.records.study import Study
from benchproof.report.pandoc import to_gfm, to_html
from benchproof.report.render import render, write_document
from benchproof.verbs.verify import verify

TEMPLATE = ROOT / "templates/this-machine.qmd.j2"
FAILED = Ended("failed", "out of memory")
NO_GRAPHS = "torch.compile(inductor) compiled nothing (0 graphs): it ran eager"


def by(**levels: float) -> Speed:
    """5 ms, times the level of each part of a cell's place that has one (`torch` for PyTorch's)."""

    def speed(at: At) -> float:
        ms = 5.0
        for name in (at.device, at.framework, "compiled" if at.compiles else "eager"):
            ms *= levels.get(name, 1.0)
        return ms

    return speed


def but(usual: Speed, ended: Ended, *, when: Callable[[At], bool]) -> Speed:
    """Cells of a usual speed, but for some that ended otherwise."""
    return lambda at: ended if when(at) else usual(at)


FAST_JAX = by(JAX=0.5, compiled=0.8)
BOTH = {"devices": ("cpu", "cuda")}


class Shape(NamedTuple):
    """A study, what its post has to say, and what it must not (patterns of whole-page text)."""

    raws: Callable[[], list[RawFile]]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


SHAPES = {
    "two frameworks": Shape(
        lambda: study(FAST_JAX),
        (r"16 cells, each", r"met in 4 contests of equal work: JAX wins all of them\.",
         r"8 compiled variants were held against eager: all are conclusively faster\.",
         r"No GPU was measured\.", r"No cell was measured in several processes",
         r"None of 4 A/A controls", r"no telemetry of TensorFlow and MLX",
         r"found nothing against it", r"\*\*CPU\*\*: AMD EPYC 9R14; 8 processors"),
        (r"tie", r"unstable", r"could not be", r"the GPU", r"Only"),
    ),
    "one framework": Shape(
        lambda: study(FAST_JAX, frameworks=("JAX",)),
        (r"JAX alone was measured, so there is no contest\.", r"How fast it is"),
        (r"\bwins?\b", r"Which framework", r"Fastest by", r"\btie"),
    ),
    "one batch": Shape(
        lambda: study(FAST_JAX, batches=(8,)),
        (r"JAX wins all of them",), (r"Growth with the batch", r"Batch 1\b"),
    ),
    "one cell": Shape(
        lambda: study(but(by(), FAILED, when=lambda at: at.compiles or at.batch == 1),
                      frameworks=("PyTorch",), models=("CNN",), twin=lambda at: 1.0),
        (r"1 cell, a variant of a framework with a model, a batch and a precision, was measured",
         r"No compiled variant could be held against eager\.",
         r"The A/A control \(a cell measured as a pair\) does not conclusively differ",
         r"1 was measured, and it does not differ", r"\*\*failed\*\*: PyTorch eager on the CPU, fp32 "
         r"\(CNN at batch 1\): out of memory"),
        (r"\bcells was", r"Growth with the batch", r"contests? of equal"),
    ),
    "all tied": Shape(
        lambda: study(by(), spread=0.02),
        (r"met in 4 contests of equal work: all are ties\.",
         r"for all of them the samples do not decide\."),
        (r"\bwins (it|all|\d)", r"\| wins", r"is conclusively faster", r"are conclusively faster"),
    ),
    "one contest, a tie": Shape(
        lambda: study(by(), spread=0.02, models=("CNN",), batches=(8,), twin=lambda at: None),
        (r"met in 1 contest of equal work: it is a tie\.",), (r"\bwins (it|all|\d)",),
    ),
    "all failed": Shape(
        lambda: study(lambda at: FAILED),
        (r"Nothing could be measured as asked on this machine; @sec-missing says why",
         r"\*\*failed\*\*: JAX jax\.jit on the CPU, fp32 \(CNN at batches 1 and 8; RNN at batches 1 and 8\)"
         r": out of memory", r"AMD EPYC 9R14: neural networks"),
        (r"How far to trust", r"fastest", r"GPU", r"gates"),
    ),
    "all skipped": Shape(
        lambda: study(lambda at: Ended("skipped", "JAX is not installed"), frameworks=("JAX",)),
        (r"\*\*skipped\*\*: JAX eager on the CPU, fp32 .*: JAX is not installed",), (r"\*\*failed",),
    ),
    "a framework missing": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", "no module named jax"),
                          when=lambda at: at.framework == "JAX")),
        (r"PyTorch alone was measured", r"\*\*skipped\*\*: JAX .*: no module named jax",
         r"no telemetry of TensorFlow and MLX"), (r"JAX wins", r"telemetry of JAX"),
    ),
    "some failed": Shape(
        lambda: study(but(FAST_JAX, FAILED, when=lambda at: at.batch == 8 and at.model == "RNN"
                          and at.framework == "JAX")),
        (r"met in 3 contests of equal work: JAX wins all of them",
         r"For 1 further combination of device, model, batch and precision there is no contest",
         r"\| failed \|"), (r"JAX wins 4",),
    ),
    "GPU faster": Shape(
        lambda: study(by(cuda=0.2, JAX=0.5), **BOTH),
        (r"The GPU met the CPU in 8 comparisons of a framework with itself: "
         r"in all of them the GPU is conclusively faster", r"On the GPU, frameworks met in 4",
         r"AMD EPYC 9R14 and NVIDIA H200: neural", r"\*\*GPU\*\*: NVIDIA H200; 8 of the host's processors"),
        (r"the CPU is conclusively faster", r"No GPU"),
    ),
    "GPU slower": Shape(
        lambda: study(by(cuda=3.0, JAX=0.5), **BOTH),
        (r"in all of them the CPU is conclusively faster",),
        (r"GPU is (conclusively )?faster", r"\*\*GPU\*\* \|", r"faster on the GPU"),
    ),
    "GPU as fast as the CPU": Shape(
        lambda: study(by(), spread=0.02, **BOTH),
        (r"itself: in all of them the samples do not decide",), (r"[CG]PU is conclusively faster",),
    ),
    "a GPU alone": Shape(
        lambda: study(FAST_JAX, devices=("cuda",)),
        (r"The CPU was not measured, so nothing here compares the GPU with it",
         r"NVIDIA H200: neural"), (r"^## GPU or CPU", r"EPYC", r"No GPU", r"met the CPU"),
    ),
    "a GPU that failed": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", "no CUDA here"),
                          when=lambda at: at.device == "cuda"), **BOTH),
        (r"No GPU was measured: what was asked of the GPU failed, was skipped",
         r"\*\*skipped\*\*: JAX eager on the GPU, fp32 .*: no CUDA here"),
        (r"^## GPU or CPU", r"met the CPU", r"different chips"),
    ),
    "a CPU that failed": Shape(
        lambda: study(but(FAST_JAX, FAILED, when=lambda at: at.device == "cpu"), **BOTH),
        (r"The CPU was asked for, but gave no measurement",), (r"met the CPU", r"No GPU"),
    ),
    "a framework without the GPU": Shape(
        lambda: study(but(by(cuda=0.2), FAILED,
                          when=lambda at: (at.device, at.framework) == ("cuda", "JAX")), **BOTH),
        (r"in 4 comparisons of a framework with itself: in all of them the GPU",
         r"JAX has no measured cell on the GPU\.",
         r"On the CPU, frameworks met in 4 contests"), (r"On the GPU, frameworks met",),
    ),
    "GPUs of different kinds": Shape(
        lambda: study(by(cuda=0.2, mps=2.0, JAX=0.5), devices=("cpu", "cuda", "mps"), batches=(8,)),
        (r"A GPU met the CPU in 8 comparisons .*: in 4 the GPU is conclusively faster, and in 4 "
         r"the CPU is conclusively faster", r"On the GPU \(mps\), frameworks met in 2 contests",
         r"on the CPU, the GPU \(mps\) and the GPU \(cuda\)\."), (r"The GPU met",),
    ),
    "several precisions": Shape(
        lambda: study(FAST_JAX, precisions=("fp32", "bf16"), batches=(8,)),
        (r"\| bf16 and fp32 \|", r"no roof of their precision is known"), (r"all of it in",),
    ),
    "three rounds": Shape(
        lambda: study(by(JAX=0.9), rounds=3, between=0.1, batches=(8,)),
        (r"Every cell was measured in several processes\.", r"The medians of a cell's rounds "
         r"scatter by [\d.]+ % – [\d.]+ %", r"all are ties"), (r"\*\*not\*\* known",),
    ),
    "rounds for some": Shape(
        lambda: [*study(FAST_JAX, frameworks=("JAX",), rounds=2, batches=(8,)),
                 *study(FAST_JAX, frameworks=("PyTorch",), batches=(8,))],
        (r"Only 4 of 8 cells were measured in several processes: how far the others move",
         r"For the others it is \*\*not\*\* known"), (r"Every cell was", r"No cell"),
    ),
    "unstable": Shape(
        lambda: study(lambda at: Ended("unstable", "throttled", FAST_JAX(at))),
        (r"All cells are marked \*unstable\*", r"In @tbl-latency a tilde marks it", r"\| ~2\.\d+ \|",
         r"No A/A control was measured"), (r"16 of 16",),
    ),
    "one unstable": Shape(
        lambda: study(but(FAST_JAX, Ended("unstable", "throttled", 2.5), when=lambda at:
                          at[1:5] == ("JAX", "eager", "CNN", 8))),
        (r"1 of 16 cells is marked \*unstable\*",), (r"All cells are",),
    ),
    "controls that differ": Shape(
        lambda: study(FAST_JAX, twin=lambda at: 1.5 if at[1:5:2] == ("JAX", "CNN") else 1.0),
        (r"Of 8 A/A controls \(cells measured as pairs\), \*\*2 differ\*\*: differences of that",
         r"8 were measured, and 2 \*\*differ\*\* conclusively by more than 2 %",
         r"control-differs: JAX eager CNN"), (r"None of \d+ A/A", r"found nothing against"),
    ),
    "a control that differs": Shape(
        lambda: study(FAST_JAX, twin=lambda at: 1.5 if at[1:5] == ("JAX", "eager", "CNN", 8)
                      else None),
        (r"The A/A control \(a cell measured as a pair\) \*\*differs\*\*: differences", r"1 was measured, and it \*\*differs\*\*"),
        (r"None of",),
    ),
    "a variant that compiled nothing": Shape(
        lambda: study(but(FAST_JAX, Ended("skipped", NO_GRAPHS), when=lambda at:
                          at.framework == "PyTorch" and at.compiles)),
        (r"4 compiled variants were held", r"4 further compiled variants have no comparison",
         r"\*\*skipped\*\*: PyTorch torch\.compile\(inductor\) on the CPU, fp32 \(CNN at batches 1 and 8; "
         r"RNN at batches 1 and 8\): torch\.compile\(inductor\) compiled nothing"),
        (r"8 compiled", r"Not compared"),
    ),
    "compiled slower": Shape(
        lambda: study(by(JAX=0.5, compiled=1.7)),
        (r"8 compiled variants were held against eager: all are conclusively slower",),
        (r"conclusively faster\.", r"pays after", r"\| faster \|"),
    ),
    "device times": Shape(
        lambda: study(by(cuda=0.2, JAX=0.5), **BOTH, device_samples_ns=(MS // 4, MS // 3)),
        (r"Dispatch and device time", r"\| 0\.292 \|"),
    ),
    "no ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=()),
        (r"No ceilings are known for this hardware",), (r"Where the roof comes from", r"Lowest"),
    ),
    "datasheet ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=CEILINGS),
        (r"\| datasheet \| 16 \|", r"CPU, arithmetic: sheet"), (r"\| measured \|",),
    ),
    "measured ceilings": Shape(
        lambda: study(FAST_JAX, ceilings=MEASURED),
        (r"\| measured \| 16 \|", r"1\.00 TFLOP/s"), (r"\| datasheet \|",),
    ),
    "ran elsewhere": Shape(
        lambda: study(by(cuda=0.2), **BOTH, frameworks=("JAX",), actual_device="cpu"),
        (r"No GPU was measured: what was asked of the GPU failed, was skipped or ran elsewhere",
         r"The gates found errors in this telemetry", r"\*\*ran elsewhere\*\*: JAX eager, fp32 .*: asked "
         r"for cuda, ran on cpu; it is no evidence about the GPU",
         r"4 compiled variants were held"), (r"met the CPU",),
    ),
    "too few samples": Shape(
        lambda: [  # a sample a cell: no interval, so nothing can be won
            *study(by(), samples_ns=(4 * MS,), frameworks=("JAX",), models=("CNN",),
                   twin=lambda at: None),
            *study(by(), samples_ns=(5 * MS,), frameworks=("PyTorch",), models=("CNN",),
                   twin=lambda at: None),
        ],
        (r"met in 2 contests of equal work: all have too few samples for a verdict",
         r"for all of them there are too few samples for a verdict"),
        (r"\bwins (it|all|\d)", r"\btie", r"\*\*JAX\*\*"),
    ),
    "the work is unequal": Shape(
        lambda: [*study(by(), frameworks=("JAX",), flops_per_call=1_000_000),
                 *study(by(), frameworks=("PyTorch",), flops_per_call=2_000_000)],
        (r"No frameworks did the same work on the same device, so there is no contest",),
        (r"\bwins\b", r"JAX alone"),
    ),
    "a sweep that was cut short": Shape(
        lambda: [*study(FAST_JAX, frameworks=("JAX",)),
                 *study(FAST_JAX, frameworks=("PyTorch",), models=("CNN",))],
        (r"\*\*no record\*\*: PyTorch eager on the CPU, fp32 \(RNN at batches 1 and 8\)",), (r"\*\*failed",),
    ),
}  # fmt: skip


class Post(NamedTuple):
    """A built post: its study and tables, and its source as a reader sees the words."""

    root: Path
    study: Study
    tables: Tables
    text: str
    numbers: dict[str, Any]

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
        yield of


EVERY = [*SHAPES, *(f"seed {number}" for number in range(15))]


@pytest.mark.parametrize("name", SHAPES)
def test_post_says_what_a_shape_of_telemetry_calls_for(
    post: Callable[[str], Post], name: str
) -> None:
    text = post(name).text
    body = text.split("---\n", 2)[2]
    for said in SHAPES[name].says:
        assert re.search(said, text), said
    for unsaid in SHAPES[name].never:
        assert not re.search(unsaid, body, re.MULTILINE), unsaid


COUNTED = "cell|contest|comparison|control|variant|combination|processor|call|framework"
BROKEN = [
    rf"(?<![\d.,])1 (further )?(A/A )?(compiled )?({COUNTED})s\b",
    rf"\b(\d\d+|[02-9]) (further )?(A/A )?(compiled )?({COUNTED})\b",
    r"(?<![\d.,])1 (are|were|have)\b", r"(?<!batch )\b(\d\d+|[2-9]) (is|was|has)\b",
    r"\b(and|or|with|of|the|on) ?[.,;:]", r"\(\)", r"[,;:] ?[.,;]", r"[a-z]  +[a-z]", r"\bNone\b(?! of)",
    r"Undefined|nan\b", r"\bat batches \d+\b(?! and|,)", r"^: .*\{#tbl.*\n(?!\n\|)",
    r"[^\n]\n(: .*\{#tbl|\|[^\n]*\n\|-)", r"^\|[-:| ]+\|\n(?!\|)", r"[^\n]\n- (?!.*\n?)",
]  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_nothing_in_a_post_reads_broken(post: Callable[[str], Post], name: str) -> None:
    made = post(name)
    body = made.text.split("---\n", 2)[2]
    for pattern in BROKEN:
        found = re.search(pattern, body, re.MULTILINE)
        assert found is None, (pattern, body[max(found.start() - 60, 0) : found.end() + 60])
    for table in re.findall(r"\{#(tbl-\w+)\}", body):
        assert made.rows(table), table
    page = (made.root / "post/index.html").read_text(encoding="utf-8")
    visible = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    assert not re.search(r"\{#|\*\*|:::|\|--|^: ", visible, re.MULTILINE)


@pytest.mark.parametrize("name", EVERY)
def test_counts_in_the_box_are_those_of_the_tables(
    post: Callable[[str], Post], name: str
) -> None:
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
        device = named.group(1) if named else [d for d in devices if (d != "cpu") == kind or not place][0]
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
    told = Counter({
        verdict: number(count, of)
        for count, verdict in re.findall(
            r"(\w+) (?:is|are) conclusively (faster|slower)", text)
    })
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
    unstable = re.search(r"(\d+) of \d+ cells (?:is|are) marked|(All|The) cells? (?:is|are) m", text)
    some = re.search(r"Only (\d+) of", text)
    every = "ery cell was measured in several" in text or text.startswith("The cell was measured")
    controls = int(differ.group(1)) if differ else int(none.group(1) or 1) if none else 0
    shaky = 0 if unstable is None else int(unstable.group(1) or cells)
    rounds = cells if every else int(some.group(1)) if some else 0
    return int(differ.group(2)) if differ else only, controls, shaky, rounds


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
        row.verdict.replace("inconclusive", "undecided") or "none"
        for row in made.tables.compile_speedup
        if row.speedup is not None and row.ran_on == row.device
    ]
    assert [told["Verdict"] for told in made.rows("tbl-compiled")] == compared
    sides = {"faster": "**GPU**", "slower": "**CPU**", "inconclusive": "undecided", "": "no verdict"}
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
    assert len(made.numbers["numbers"]) > 80
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
