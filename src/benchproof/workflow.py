"""What the Snakefile asks: which files a step reads, and a fingerprint of the code it runs.

Snakemake reruns a step when its parameters change. A step's fingerprint is a parameter, so that
editing a module reruns the steps that import it, and no others.
"""

import hashlib
import platform
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from snakemake.exceptions import WorkflowError  # type: ignore[import-untyped]
from snakemake.logging import logger  # type: ignore[import-untyped]

from benchproof.collection import (
    JobName,
    ceiling_options,
    check_collection,
    job_options,
    planned_jobs,
)
from benchproof.config import StudyConfig, read_config
from benchproof.errors import ConfigError
from benchproof.model.keys import Device

PACKAGE = Path(__file__).parent
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_TEMPLATE = re.compile(r"[a-z0-9][a-z0-9-]*\.qmd\.j2")
# Text is enough, and ten times quicker than parsing: a match too many only reruns a step too often.
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(benchproof[\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?",
    re.MULTILINE,
)


def fingerprint(verb: str) -> str:
    """SHA-256 (16 hex digits) of every file that a verb's code is made of."""
    digest = hashlib.sha256()
    for path in sorted(code_of(f"benchproof.verbs.{verb}")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def code_of(module: str) -> set[Path]:
    """Files of a module and of everything of this package that it imports, assets included."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        path = _path(waiting.pop())
        if path is None or path in found:
            continue
        found.add(path)
        found.update(p for p in (path.parent / "assets").glob("*") if p.is_file())
        waiting += _imports(path)
    return found


def _path(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*parts[1:])
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Modules that a file may import: what it names, as packages and as their members."""
    names: list[str] = []
    for package, members in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names += [package, *(f"{package}.{member}" for member in re.findall(r"\w+", members))]
    return tuple(names)


def raw_of_study(wildcards: Any) -> list[str]:
    """Raw files of the rule's `{study}`, sorted; a new file reruns what cites it."""
    return _raw_files(wildcards.study)


def _told(study: str) -> dict[str, Any]:
    """The study's configuration; the step itself tells what is wrong with it."""
    try:
        told = yaml.safe_load(Path(f"config/studies/{study}.yaml").read_bytes())
    except (OSError, yaml.YAMLError):
        told = None
    return told if isinstance(told, dict) else {}


def _raw_folder(study: str) -> Path:
    raw = _told(study).get("raw")
    return Path(raw if isinstance(raw, str) else f"results/raw/{study}")


@cache
def _raw_files(study: str) -> list[str]:
    """Folders that the study collects into, and files that lie there already."""
    collected = _collected(study)
    found = (
        path for path in _raw_folder(study).rglob("*.json") if str(path.parent) not in collected
    )
    return collected + sorted(path.as_posix() for path in found)


def _collected(study: str) -> list[str]:
    return [(_raw_folder(study) / str(job)).as_posix() for job in _jobs(study)]


@cache
def _collecting(study: str) -> StudyConfig | None:
    """The study's configuration where it collects; WorkflowError tells what is wrong with it."""
    if "collect" not in _told(study):
        return None
    path = Path(f"config/studies/{study}.yaml")
    try:
        config = read_config(path, StudyConfig)
        check_collection(config, str(path))
    except ConfigError as bad:
        raise WorkflowError(str(bad)) from None
    return config


@cache
def _jobs(study: str) -> list[JobName]:
    config = _collecting(study)
    return planned_jobs(config.collect) if config and config.collect else []


class Collections:
    """Parameters of the rules that measure: options of the collectors, by the rule's wildcards."""

    def job_options(self, wildcards: Any) -> str:
        """Options of one job."""
        name = f"{wildcards.device}-{wildcards.framework}-r{wildcards.round}"
        study = _collecting(wildcards.study)
        job = next((job for job in _jobs(wildcards.study) if str(job) == name), None)
        if study is None or job is None:
            raise WorkflowError(
                f"config/studies/{wildcards.study}.yaml: collects no {name}; "
                "name its device and framework under `collect`"
            )
        return job_options(study, job)

    def environment(self, wildcards: Any) -> str:
        """Conda environment of a collector, from the rules' folder.

        On Linux one holds all frameworks; on macOS the plugins for the GPU exclude each other.
        """
        framework = getattr(wildcards, "framework", "pytorch")
        names = {"jax": "jax-mps", "tensorflow": "tensorflow-metal"}
        name = names.get(framework, framework) if platform.system() == "Darwin" else "linux"
        return f"../envs/collect-{name}.yml"

    def ceiling_options(self, wildcards: Any) -> str:
        """Options that measure the ceilings of a device."""
        study = _collecting(wildcards.study)
        if study is None:
            raise WorkflowError(f"config/studies/{wildcards.study}.yaml: collects nothing")
        return ceiling_options(study, Device(wildcards.device))


def _checked(posts: object) -> dict[str, dict[str, str]]:
    """The `posts` of config.yaml; WorkflowError tells in one line what is wrong with them.

    Names become paths and parts of shell commands: nothing but words, digits and hyphens.
    """
    where = "config/config.yaml#/posts"
    if not isinstance(posts, dict) or not posts:
        raise WorkflowError(f"{where}: no posts; name each with its study and template")
    for name, post in posts.items():
        place = f"{where}/{name}"
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise WorkflowError(f"{place}: not a name; use small letters, digits and hyphens")
        if not isinstance(post, dict) or set(post) != {"study", "template"}:
            raise WorkflowError(f"{place}: needs `study` and `template`, and nothing else")
        for key, kind in (("study", _NAME), ("template", _TEMPLATE)):
            if not isinstance(post[key], str) or not kind.fullmatch(post[key]):
                raise WorkflowError(
                    f"{place}/{key}: {post[key]!r} is not a name; use small letters, digits and "
                    f"hyphens{', and end in .qmd.j2' if key == 'template' else ''}"
                )
        for path in (f"config/studies/{post['study']}.yaml", f"templates/{post['template']}"):
            if not Path(path).is_file():
                raise WorkflowError(f"{place}: no file {path}; write it, or name another")
    return posts


class Posts:
    """Input functions of the rules that build a `{post}`, from `posts` in config.yaml."""

    def __init__(self, posts: object) -> None:
        self._posts = _checked(posts)

    @property
    def names(self) -> list[str]:
        """The posts, in the order of the configuration; not those without any telemetry.

        A study that only collects has none where no framework is installed.
        """
        posts = {name: post["study"] for name, post in self._posts.items()}
        empty = [
            name for name, study in posts.items() if _collecting(study) and not _raw_files(study)
        ]
        for name in empty:
            logger.warning(
                f"{name} is left out: no framework is installed to measure with; "
                "make report FRAMEWORKS=jax installs one"
            )
        return [name for name in posts if name not in empty]

    @property
    def studies(self) -> list[str]:
        """The studies that the posts cite, each once."""
        return sorted({self._posts[name]["study"] for name in self.names})

    @property
    def collected(self) -> list[str]:
        """Folders that the posts' studies measure into; asked for, a deleted one is missed."""
        return [folder for study in self.studies for folder in _collected(study)]

    def study(self, wildcards: Any) -> str:
        """Configuration of the post's study."""
        return f"config/studies/{self._post(wildcards)['study']}.yaml"

    def raw(self, wildcards: Any) -> list[str]:
        """Raw files that the post may cite."""
        return _raw_files(self._post(wildcards)["study"])

    def figures(self, wildcards: Any) -> str:
        """Folder of the study's figures."""
        return f"results/figures/{self._post(wildcards)['study']}"

    def template(self, wildcards: Any) -> str:
        """The post's template."""
        return f"templates/{self._post(wildcards)['template']}"

    def partials(self, wildcards: Any) -> list[str]:
        """Templates that any post's template may use."""
        del wildcards
        return sorted(path.as_posix() for path in Path("templates/partials").glob("*.j2"))

    def _post(self, wildcards: Any) -> Mapping[str, str]:
        return self._posts[wildcards.post]
