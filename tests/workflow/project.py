"""A small project in a folder of its own, and Snakemake run on it as a user runs it."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SOURCE = ("Snakefile", "workflow", "scripts", "profiles", "src")
REPORT = Path("report/tiny-post")
TEMPLATE = """\
---
title: "A small post"
author: Ada
lang: en
engine: markdown
---

{% set cpu = cells(device="cpu", kind="eager") %}
{% set gpu = cells(device="mps", kind="eager") %}
{% claim "gpu-wins" gpu.latency < cpu.latency %}The GPU takes {{ gpu.latency }}.{% endclaim %}

{% call figure("cpu-gpu", "A plot.") %}GPU against CPU.{% endcall %}
"""


class Project:
    """A copy of the project in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.template = folder / "templates/tiny-post.qmd.j2"
        self.raw = folder / "results/raw/tiny"
        self.report = folder / REPORT
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "SNAKEMAKE_PROFILE"},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "src"),
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
        }

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-m", "snakemake", "--cores", "1", "--nocolor", *options]

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*options),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def build(self, *options: str) -> list[str]:
        """The rules that a run has started, in their order; the run has to succeed."""
        done = self.run(*options)
        assert done.returncode == 0, done.stdout
        return rules(done.stdout)

    def append(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def rules(output: str) -> list[str]:
    found = re.findall(r"^(?:local)?rule (\w+):", output, re.MULTILINE)
    return [rule for rule in found if rule != "report"]


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def raw(name: str, batch: int = 32) -> str:
    """One committed raw file under the tiny study's name, with its cells of one batch."""
    content: dict[str, Any] = json.loads((ROOT / "results/raw/apple-m3" / name).read_bytes())
    content["study"] = "tiny"
    content["cells"] = [cell for cell in content["cells"] if cell["batch"] == batch]
    return json.dumps(content)


def make_project(folder: Path) -> Project:
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in SOURCE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignore)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    project = Project(folder)
    for path, text in {
        "config/config.yaml": "posts:\n  tiny-post: {study: tiny, template: tiny-post.qmd.j2}\n",
        "config/studies/tiny.yaml": "name: tiny\nraw: results/raw/tiny\nmodels: [CNN]\n",
        "templates/tiny-post.qmd.j2": TEMPLATE,
        "templates/partials/marks.md.j2": "{% macro mark(x) %}*{{ x }}*{% endmacro %}\n",
        "results/raw/tiny/cpu.json": raw("cpu-pytorch-cnn.json"),
        "results/raw/tiny/mps.json": raw("mps-pytorch-cnn.json"),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return project
