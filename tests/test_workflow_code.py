"""A step's fingerprint covers the code that it runs, all of it and nothing else."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from factory import ROOT
from snakemake.exceptions import WorkflowError

from benchproof import workflow

VERBS = ("derive", "figures", "render", "to_html", "to_gfm", "install", "verify", "check",
         "import_", "schema")  # fmt: skip
EDITED = (
    "values/rounding.py", "derive/roofline.py", "figures/palette.py", "records/gates.py",
    "importers/neural_cost.py", "report/pandoc.py", "verbs/install.py", "files.py", "errors.py",
    "report/assets/benchproof.css",
)  # fmt: skip

# Imported only once there are samples: NumPy takes longer than an imported study to derive.
LATE = {str(workflow.PACKAGE / "evidence" / "spread.py")}


def modules_loaded(verb: str) -> set[str]:
    """Files of this package that a fresh interpreter loads for a verb."""
    program = (
        f"import sys, json, benchproof.verbs.{verb}\n"
        "print(json.dumps([m.__file__ for n, m in sys.modules.items()"
        " if n.partition('.')[0] == 'benchproof']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(workflow.PACKAGE.parent)},
    )  # fmt: skip
    return set(json.loads(done.stdout))


def copied(folder: Path) -> Path:
    package = folder / "benchproof"
    shutil.copytree(workflow.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def fingerprints(package: Path) -> dict[str, str]:
    """Fingerprints as a new process would have them, of the package in this folder."""
    spec = importlib.util.spec_from_file_location("copied_workflow", package / "workflow.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {verb: module.fingerprint(verb) for verb in VERBS}


@pytest.mark.parametrize("verb", VERBS)
def test_the_code_of_a_verb_is_what_it_imports(verb: str) -> None:
    code = {
        str(path) for path in workflow.code_of(f"benchproof.verbs.{verb}") if path.suffix == ".py"
    }
    loaded = modules_loaded(verb)
    assert {p for p in loaded if not p.endswith("__init__.py")} <= code
    assert code - LATE <= loaded


def test_packages_hold_no_code_of_their_own() -> None:
    # Fingerprints leave them out, so that they can say nothing but what they are.
    for path in workflow.PACKAGE.rglob("__init__.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        allowed = 2 if path.parent == workflow.PACKAGE else 1  # the version
        assert len(body) <= allowed, path
        assert isinstance(body[0], ast.Expr), path


def test_editing_a_module_changes_the_fingerprints_of_exactly_its_users(tmp_path: Path) -> None:
    package = copied(tmp_path)
    before = fingerprints(package)
    assert before == {verb: workflow.fingerprint(verb) for verb in VERBS}
    users = {}
    for name in EDITED:
        path = package / name
        original = path.read_bytes()
        path.write_bytes(original + b"\n# edited\n")
        after = fingerprints(package)
        path.write_bytes(original)
        users[name] = {verb for verb in VERBS if after[verb] != before[verb]}
        expected = {
            verb
            for verb in VERBS
            if workflow.PACKAGE / name in workflow.code_of(f"benchproof.verbs.{verb}")
        }
        assert users[name] == expected, name
    assert fingerprints(package) == before
    assert users["figures/palette.py"] == {"figures"}
    assert users["derive/roofline.py"] == {"derive", "render"}
    assert users["importers/neural_cost.py"] == {"import_"}
    assert users["verbs/install.py"] == {"install"}
    assert "figures" not in users["records/gates.py"]
    assert {"render", "to_html"} <= users["report/assets/benchproof.css"]
    assert "derive" not in users["report/assets/benchproof.css"]
    assert {"derive", "render", "check"} <= users["records/gates.py"]


def test_a_new_import_brings_its_module_in(tmp_path: Path) -> None:
    package = copied(tmp_path)
    before = fingerprints(package)
    (package / "extra.py").write_text("X = 1\n")
    assert fingerprints(package) == before
    install = package / "verbs" / "install.py"
    lazily = "\n\ndef later() -> None:\n    from benchproof import (\n        extra,\n    )\n"
    install.write_text(install.read_text() + lazily)
    importing = fingerprints(package)
    (package / "extra.py").write_text("X = 2\n")
    edited = fingerprints(package)
    assert {verb for verb in VERBS if edited[verb] != importing[verb]} == {"install"}


def test_renaming_a_module_changes_the_fingerprint(tmp_path: Path) -> None:
    package = copied(tmp_path)
    before = fingerprints(package)
    (package / "files.py").rename(package / "writing.py")
    for path in package.rglob("*.py"):
        path.write_text(path.read_text().replace("benchproof.files", "benchproof.writing"))
    assert fingerprints(package)["install"] != before["install"]


def test_a_fingerprint_is_short_hexadecimal() -> None:
    for verb in VERBS:
        assert len(workflow.fingerprint(verb)) == 16
        assert int(workflow.fingerprint(verb), 16) >= 0


def test_other_peoples_modules_are_not_followed() -> None:
    assert workflow.code_of("duckdb") == set()
    assert workflow.code_of("benchproof.no_such_module") == set()


def test_collectors_are_no_part_of_any_step() -> None:
    for verb in VERBS:
        paths = workflow.code_of(f"benchproof.verbs.{verb}")
        assert not [path for path in paths if "collectors" in path.parts]


def test_input_functions_name_what_a_rule_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study, post = SimpleNamespace(study="apple-m3"), SimpleNamespace(post="p")
    template = "apple-m3-gpu-vs-cpu.qmd.j2"
    posts = workflow.Posts({"p": {"study": "apple-m3", "template": template}})
    assert (posts.names, posts.studies) == (["p"], ["apple-m3"])
    raw = workflow.raw_of_study(study)
    assert len(raw) == 25
    assert raw == sorted(raw)
    assert raw[0] == "results/raw/apple-m3/cpu-jax-cnn.json"
    assert posts.raw(post) == raw
    assert posts.study(post) == "config/studies/apple-m3.yaml"
    assert posts.figures(post) == "results/figures/apple-m3"
    assert posts.template(post) == f"templates/{template}"
    assert all(name.startswith("templates/partials/") for name in posts.partials(post))
    assert workflow.raw_of_study(SimpleNamespace(study="absent")) == []


GOOD = {"study": "apple-m3", "template": "apple-m3-gpu-vs-cpu.qmd.j2"}


@pytest.mark.parametrize(
    ("posts", "message"),
    [
        (None, "no posts"),
        ({}, "no posts"),
        (["x"], "no posts"),
        ({"a; touch x": GOOD}, "not a name"),
        ({"../evil": GOOD}, "not a name"),
        ({"a b": GOOD}, "not a name"),
        ({"p": {"study": "apple-m3"}}, "needs `study` and `template`"),
        ({"p": {**GOOD, "more": "x"}}, "needs `study` and `template`"),
        ({"p": {**GOOD, "template": "../README.md"}}, "'../README.md' is not a name"),
        ({"p": {**GOOD, "study": "../x"}}, "'../x' is not a name"),
        ({"p": {**GOOD, "study": "absent"}}, "no file config/studies/absent.yaml"),
        ({"p": {**GOOD, "template": "absent.qmd.j2"}}, "no file templates/absent.qmd.j2"),
    ],
)
def test_posts_that_cannot_be_built_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, posts: object, message: str
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(WorkflowError) as caught:
        workflow.Posts(posts)
    told = str(caught.value)
    assert message in told
    assert told.startswith("config/config.yaml#/posts")
    assert "\n" not in told
