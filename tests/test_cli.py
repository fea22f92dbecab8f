"""What each verb prints, its exit status, and that an error writes and loses nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factory import DATA, ROOT, make_cell, make_raw, write_raw_file

from benchproof import __version__
from benchproof.cli import VERBS, main
from benchproof.derive import quantities as q
from benchproof.derive.tables import Tables
from benchproof.records.load import load_records
from benchproof.report.registry import Registry, encode
from benchproof.values.rounding import show

GOOD = DATA / "neural-cost-0.2.0-cpu.json"
GPU = DATA / "neural-cost-0.2.0-gpu.json"
BAD = DATA / "broken" / "truncated.json"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `benchproof ARGUMENTS`; gives the exit status, standard output and standard error."""

    def started(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["benchproof", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        told = capsys.readouterr()
        return int(left.value.code or 0), told.out, told.err

    return started


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one study with one raw file, as the current folder."""
    monkeypatch.chdir(tmp_path)
    write_raw_file(tmp_path / "results" / "raw" / "tiny" / "a.json", cells=[make_cell()])
    (tmp_path / "tiny.yaml").write_text("name: tiny\nraw: results/raw/tiny\n")
    return tmp_path


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def one_line(result: tuple[int, str, str]) -> str:
    """The error of a run that failed as it should."""
    status, out, error = result
    assert (status, out) == (2, ""), error
    assert error.startswith("benchproof: ")
    assert error.count("\n") == 1
    assert error.endswith("\n")
    assert "Traceback" not in error
    return error.removeprefix("benchproof: ").removesuffix("\n")


# --- the command line itself ---------------------------------------------------------------


def test_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"{__version__}\n", "")


def test_without_a_verb_the_verbs_are_listed(run: Run) -> None:
    status, out, _ = run()
    assert status == 0
    assert all(verb in out for verb in VERBS)


def test_an_unknown_verb_or_a_missing_argument_is_status_2(run: Run) -> None:
    assert run("fly")[0] == 2
    assert run("derive")[0] == 2
    assert run("import", "unknown-format", GOOD, "-o", "x")[0] == 2


def test_every_verb_has_help_of_one_sentence(run: Run) -> None:
    for verb in VERBS:
        status, out, _ = run(verb, "--help")
        assert status == 0
        assert VERBS[verb].__doc__
        assert verb in out


def test_the_installed_command_and_the_scripts_are_the_same_code(project: Path) -> None:
    bad = project / "bad.yaml"
    bad.write_text("name: [")
    expected = None
    for command in (
        [sys.executable, "-c", "from benchproof.cli import main; main()", "derive"],
        [sys.executable, str(ROOT / "scripts" / "derive.py")],
    ):
        done = subprocess.run(
            [*command, "bad.yaml", "out"], capture_output=True, text=True, check=False, timeout=60,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("benchproof: bad.yaml: not YAML (")
        assert done.stderr.count("\n") == 1
        expected = expected or done.stderr
        assert done.stderr == expected
    assert not (project / "out").exists()


def test_a_script_tells_its_arguments_when_they_are_wrong() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "install.py")],
        capture_output=True, text=True, check=False, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"usage: {ROOT}/scripts/install.py STAGE TARGET\n"


# --- import --------------------------------------------------------------------------------


def test_import_writes_raw_files_and_says_how_many(run: Run, project: Path) -> None:
    result = run("import", "neural-cost", GOOD, GPU, "-o", "results/raw/new")
    assert result == (0, "10 records in 6 raw files in results/raw/new\n", "")
    files = tree(project / "results" / "raw" / "new")
    assert len(files) == 6
    assert {json.loads(content)["study"] for content in files.values()} == {"new"}
    again = run("import", "neural-cost", GOOD, GPU, "-o", "results/raw/new")
    assert again == result
    assert tree(project / "results" / "raw" / "new") == files


def test_import_takes_study_release_and_device(run: Run, project: Path) -> None:
    status, *_ = run("import", "neural-cost", GOOD, "-o", "new", "--study", "s", "--release",
                     "9.9", "--requested", "cuda")  # fmt: skip
    assert status == 0
    for content in tree(project / "new").values():
        raw = json.loads(content)
        assert (raw["study"], raw["source"]["version"], raw["device"]) == ("s", "9.9", "cuda")


def test_a_bad_file_writes_nothing_even_behind_a_good_one(run: Run, project: Path) -> None:
    before = tree(project)
    error = one_line(run("import", "neural-cost", GOOD, BAD, "-o", "new"))
    assert error.startswith(f"{BAD}: not JSON at line 18 column 5 (")
    assert tree(project) == before
    assert not (project / "new").exists()


def test_import_never_replaces_other_evidence(run: Run, project: Path) -> None:
    run("import", "neural-cost", GOOD, "-o", "new")
    changed = project / "new" / "cpu-pytorch-lstm.json"
    changed.write_text("my own evidence")
    (project / "new" / "cpu-pytorch-cnn.json").unlink()
    before = tree(project)
    error = one_line(run("import", "neural-cost", GOOD, "-o", "new"))
    assert error == (
        "new/cpu-pytorch-lstm.json: holds other evidence already; "
        "choose a new folder, or move the old file away"
    )
    assert tree(project) == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("absent.json", None, "absent.json: cannot be read (No such file or directory); check"),
        ("empty.json", b"", "empty.json: JSON ends early, at line 1 column 1; restore"),
        ("latin.json", b'"\xe9"', "latin.json: not UTF-8 at byte 1; save the file as UTF-8"),
        ("list.json", b"[1]", "list.json: no `records` list; give a benchmark_data.json"),
        ("nan.json", b'{"records": [NaN]}', "nan.json#/records/0: nan is not a number JSON has;"),
    ],
)
def test_a_file_that_cannot_be_imported_is_one_line(
    run: Run, project: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (project / name).write_bytes(content)
    before = tree(project)
    assert one_line(run("import", "neural-cost", name, "-o", "new")).startswith(message)
    assert tree(project) == before


def test_a_folder_is_no_file_and_a_file_no_folder(run: Run, project: Path) -> None:
    before = tree(project)
    error = one_line(run("import", "neural-cost", "results", "-o", "new"))
    assert error == "results: cannot be read (Is a directory); check the path"
    assert "tiny.yaml" in one_line(run("import", "neural-cost", GOOD, "-o", "tiny.yaml"))
    assert tree(project) == before


def test_a_line_break_in_a_name_does_not_break_the_error(run: Run, project: Path) -> None:
    cell = make_cell(variant="a\nb")
    path = write_raw_file(project / "results" / "raw" / "tiny" / "a.json", cells=[cell])
    raw = json.loads(path.read_bytes())
    raw["cells"].append(raw["cells"][0])
    path.write_text(json.dumps(raw))
    assert "cell a b, batch 32, fp32 stands also at /cells/0" in one_line(run("check", "tiny.yaml"))


# --- check ---------------------------------------------------------------------------------


def test_check_of_the_committed_study_finds_its_error(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    status, out, error = run("check", "config/studies/apple-m3.yaml")
    assert (status, error) == (1, "")
    lines = out.splitlines()
    assert lines[:4] == [
        "apple-m3: 140 records may be compared, 20 are quarantined, 0 hold no latency",
        "note: sample-count: benchmark_data.json: 120 of 120 means fit n = 25",
        "note: sample-count: benchmark_gpu_data.json: 40 of 40 means fit n = 15",
        "error: device-truth: 20 JAX records asked for mps ran on cpu:0 (cpu); they are no "
        "evidence about mps [results/raw/apple-m3/mps-jax-cnn.json#/cells/0 and 19 more]",
    ]
    assert all(line.startswith(("warning: ", "note: ")) for line in lines[4:])


def test_check_of_a_clean_study_is_status_0(run: Run, project: Path) -> None:
    told = "tiny: 1 records may be compared, 0 are quarantined, 0 hold no latency\n"
    assert run("check", "tiny.yaml") == (0, told, "")


def test_check_finds_a_record_above_its_ceiling(run: Run, project: Path) -> None:
    cell = make_cell(samples_ns=(1_000,), bytes_per_call=1)
    write_raw_file(project / "results" / "raw" / "tiny" / "a.json", cells=[cell])
    status, out, _ = run("check", "tiny.yaml")
    assert status == 1
    assert "error: physical-limit: PyTorch eager CNN on cpu, batch 32, fp32: 1e+06 GFLOP/s" in out


# --- derive and check: bad input -----------------------------------------------------------


@pytest.mark.parametrize("verb", ["check", "derive"])
@pytest.mark.parametrize(
    ("config", "message"),
    [
        (None, "study.yaml: cannot be read (No such file or directory); check the path"),
        ("name: [", "study.yaml: not YAML ("),
        ("name: a", "study.yaml: Object missing required field `raw`; correct the field"),
        ("name: a\nraw: none", "none: no raw file; import or collect telemetry into this folder"),
        ("name: a\nraw: ../x", "../x: lies outside the project; name a path inside the project"),
        (
            "name: other\nraw: results/raw/tiny",
            "results/raw/tiny/a.json#/study: study 'tiny', but 'other' cites it; ",
        ),
    ],
)
def test_a_bad_configuration_is_one_line_and_writes_nothing(
    run: Run, project: Path, verb: str, config: str | None, message: str
) -> None:
    if config is not None:
        (project / "study.yaml").write_text(config)
    before = tree(project)
    target = ["out"] if verb == "derive" else []
    assert one_line(run(verb, "study.yaml", *target)).startswith(message)
    assert tree(project) == before


def broken_files() -> list[str]:
    return sorted(path.name for path in (DATA / "broken").iterdir())


@pytest.mark.parametrize("name", broken_files())
def test_a_broken_raw_file_stops_derive_and_keeps_older_tables(
    run: Run, project: Path, name: str
) -> None:
    assert run("derive", "tiny.yaml", "tables")[0] == 0
    folder = project / "results" / "raw" / "tiny"
    (folder / "b.json").write_bytes((DATA / "broken" / name).read_bytes())
    before = tree(project)
    assert one_line(run("derive", "tiny.yaml", "tables")).startswith("results/raw/tiny/b.json")
    assert tree(project) == before


def test_derive_writes_every_table_twice(run: Run, project: Path) -> None:
    assert run("derive", "tiny.yaml", "tables") == (0, "", "")
    names = {f"{name}.{kind}" for name in Tables.__struct_fields__ for kind in ("csv", "parquet")}
    assert set(tree(project / "tables")) == names


def test_derive_into_a_file_is_refused(run: Run, project: Path) -> None:
    before = tree(project)
    assert "check the path" in one_line(run("derive", "tiny.yaml", "tiny.yaml"))
    assert tree(project) == before


# --- the other verbs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("figures", "absent", "out"),
        ("render", "absent.qmd.j2", "tiny.yaml", "figures", "out"),
        ("to-html", "absent.qmd", "out.html"),
        ("to-gfm", "absent.qmd", "out.md"),
        ("install", "absent", "out"),
        ("verify", "absent.json"),
    ],
)
def test_missing_input_is_one_line_and_writes_nothing(
    run: Run, project: Path, arguments: tuple[str, ...]
) -> None:
    before = tree(project)
    assert "absent" in one_line(run(*arguments))
    assert tree(project) == before


def stage(folder: Path, *, missing: str = "", figures: bool = True) -> Path:
    for name in ("index.qmd", "index.html", "index.md", "numbers.json", "after-body.html",
                 "benchproof.css", *(["figures/a.svg"] if figures else [])):  # fmt: skip
        if name != missing:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"new {name}")
    (folder / "figures").mkdir(exist_ok=True)
    return folder


def test_install_puts_a_post_in_place_and_drops_stale_figures(run: Run, project: Path) -> None:
    stage(project / "stage")
    (project / "post" / "figures").mkdir(parents=True)
    (project / "post" / "figures" / "old.svg").touch()
    (project / "post" / "corrections.yaml").write_text("kept")
    assert run("install", "stage", "post") == (0, "", "")
    installed = tree(project / "post")
    assert installed.pop("corrections.yaml") == b"kept"
    assert installed == tree(project / "stage")


def test_install_of_an_unfinished_post_changes_nothing(run: Run, project: Path) -> None:
    stage(project / "stage")
    run("install", "stage", "post")
    stage(project / "next", missing="index.md")
    before = tree(project / "post")
    assert "index.md" in one_line(run("install", "next", "post"))
    assert tree(project / "post") == before


def test_a_post_without_figures_is_installed(run: Run, project: Path) -> None:
    stage(project / "stage", figures=False)
    assert run("install", "stage", "post") == (0, "", "")


def test_schema_writes_the_schemas(run: Run, project: Path) -> None:
    assert run("schema", "schemas") == (0, "", "")
    assert set(tree(project / "schemas")) == {
        path.name for path in (ROOT / "workflow" / "schemas").iterdir()
    }


# --- verify --------------------------------------------------------------------------------


def bound_numbers(project: Path) -> dict[str, Any]:
    """A post's numbers.json with one bound number: 5.00 ms, the median of three samples."""
    folder = project / "results" / "raw" / "tiny"
    (record,) = load_records(sorted(folder.iterdir()), project)
    registry = Registry()
    value = q.latency(record)
    registry.bind(value, show(value))
    document: dict[str, Any] = json.loads(encode(registry.numbers("post", "tiny")))
    document["claims"] = [
        {
            "id": "slow", "text": "It is slow.", "expression": "x > 1 ms", "holds": True,
            "sides": [], "query": (value > 1e-3).query,
        }
    ]  # fmt: skip
    return document


def verified(run: Run, project: Path, document: Any) -> tuple[int, str, str]:
    (project / "numbers.json").write_text(json.dumps(document))
    return run("verify", "numbers.json")


OTHERWISE = "2 of 2 queries give the post's numbers and claims; other faults: 1\n"
AGREE = "2 of 2 queries give the post's numbers and claims\n"


def test_verify_agrees_with_what_was_rendered(run: Run, project: Path) -> None:
    assert verified(run, project, bound_numbers(project)) == (0, AGREE, "")


def test_verify_takes_the_projects_root(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any
) -> None:
    document = bound_numbers(project)
    (project / "numbers.json").write_text(json.dumps(document))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert run("verify", project / "numbers.json", "--root", project) == (0, AGREE, "")


def test_verify_finds_a_tampered_value(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    document["numbers"][0] |= {"value": 4.0, "text": "4.00 ms"}
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert out == (
        "n1: '4.00 ms' stands for 4.0, its query gives 5.0\n"
        "1 of 2 queries give the post's numbers and claims\n"
    )


def test_verify_finds_a_tampered_text(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    document["numbers"][0]["text"] = "4.00 ms"
    assert verified(run, project, document) == (
        1, f"n1: '4.00 ms' is not how 5.0 ms is printed\n{OTHERWISE}", "",
    )  # fmt: skip


def test_verify_finds_a_false_claim(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    document["claims"][0]["holds"] = False
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert "slow: 'It is slow.' stands for 0.0, its query gives 1\n" in out


def test_verify_finds_tampered_telemetry(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    path = project / "results" / "raw" / "tiny" / "a.json"
    write_raw_file(path, make_raw(cells=[make_cell(samples_ns=(4_000_000,))]))
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert "n1: '5.00 ms' stands for 5.0, its query gives 4.0\n" in out
    assert (
        "results/raw/tiny/a.json: is not the file that the post cites; its SHA-256 differs\n" in out
    )


def test_verify_finds_telemetry_that_changed_beside_the_number(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    path = project / "results" / "raw" / "tiny" / "a.json"
    path.write_bytes(path.read_bytes() + b"\n")
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert out.endswith(OTHERWISE)
    assert out.count("\n") == 2


def test_verify_finds_a_page_that_prints_something_else(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    shown = document["numbers"][0]["text"]
    page = project / "index.html"
    page.write_text(f'<p>a <span class="bp" data-bp="n1"><em>{shown}</em></span></p>')
    assert verified(run, project, document) == (0, AGREE, "")
    page.write_text('<p>a <span class="bp" data-bp="n1">9.99 ms</span></p>')
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert out.startswith(f"n1: index.html prints '9.99 ms', numbers.json has {shown!r}\n")


def test_verify_finds_a_query_that_reads_other_files_than_it_cites(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    number = document["numbers"][0]
    number["query"] = f"SELECT {number['value']!r}::DOUBLE"
    status, out, _ = verified(run, project, document)
    assert status == 1
    assert "cites results/raw/tiny/a.json, which its query does not read" in out


def test_models_that_are_not_there_or_twice_are_refused(run: Run, project: Path) -> None:
    for models, told in (
        ("[CNN, GPT]", "no record of model 'GPT'"),
        ("[CNN, CNN]", "stands twice"),
    ):
        (project / "tiny.yaml").write_text(f"name: tiny\nraw: results/raw/tiny\nmodels: {models}\n")
        assert told in one_line(run("check", "tiny.yaml"))


def test_models_of_a_study_without_any_cell_are_refused(run: Run, project: Path) -> None:
    write_raw_file(project / "results/raw/tiny/a.json", make_raw(cells=()))
    (project / "tiny.yaml").write_text("name: tiny\nraw: results/raw/tiny\nmodels: [CNN]\n")
    assert "'CNN': the study's raw files hold no cell at all" in one_line(run("check", "tiny.yaml"))


def test_verify_without_the_telemetry_is_one_line(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    (project / "results" / "raw" / "tiny" / "a.json").unlink()
    assert one_line(verified(run, project, document)) == (
        "results/raw/tiny/a.json: cannot be read (No such file or directory); check the path"
    )


@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO 'stolen.csv'",
        "SELECT 5.0; SELECT 5.0",
        "CREATE TABLE t AS SELECT 5.0",
        "SET enable_external_access = true",
        "",
    ],
)
def test_verify_runs_nothing_but_a_single_select(run: Run, project: Path, query: str) -> None:
    document = bound_numbers(project)
    document["numbers"][0]["query"] = query
    before = set(tree(project))
    assert one_line(verified(run, project, document)) == (
        "numbers.json#n1: the query is no single SELECT; render the post again"
    )
    assert set(tree(project)) == before | {"numbers.json"}


def test_verify_reads_nothing_outside_the_project(
    run: Run, project: Path, tmp_path_factory: Any
) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.txt"
    secret.write_text("5.0")
    document = bound_numbers(project)
    document["numbers"][0]["query"] = f"SELECT content::DOUBLE FROM read_text('{secret}')"
    assert "Permission Error" in one_line(verified(run, project, document))


def test_verify_refuses_a_broken_query_and_a_citation_outside(run: Run, project: Path) -> None:
    document = bound_numbers(project)
    document["numbers"][0]["query"] = "SELEC 1"
    assert "Parser Error" in one_line(verified(run, project, document))
    document = bound_numbers(project)
    document["numbers"][0]["records"][0]["file"] = "../../etc/passwd"
    assert one_line(verified(run, project, document)) == (
        "../../etc/passwd: lies outside the project; name a path inside the project"
    )


@pytest.mark.parametrize("query", ["SELECT 5.0, 5.0", "SELECT 5.0 FROM range(2)", "SELECT NULL",
                                   "SELECT 'x'"])  # fmt: skip
def test_verify_wants_one_number(run: Run, project: Path, query: str) -> None:
    document = bound_numbers(project)
    document["numbers"][0]["query"] = query
    assert verified(run, project, document)[0] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "numbers.json: Object missing required field `schema`; render the post again"),
        ("[", "numbers.json: JSON ends early, at line 1 column 2; restore the whole file"),
        ('{"numbers": NaN}', "numbers.json#/numbers: nan is not a number JSON has; leave out"),
    ],
)
def test_verify_of_what_is_no_numbers_json_is_one_line(
    run: Run, project: Path, content: str, message: str
) -> None:
    (project / "numbers.json").write_text(content)
    assert one_line(run("verify", "numbers.json")).startswith(message)
