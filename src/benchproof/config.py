"""Which studies and posts a project has: config/config.yaml and config/studies/NAME.yaml."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import yaml

from benchproof.errors import ConfigError
from benchproof.evidence.intervals import THRESHOLD_PERCENT
from benchproof.model.keys import Device, Framework, Precision
from benchproof.model.raw import Batch, Name, NotNegative, Positive
from benchproof.records.gates import SelectionRule
from benchproof.records.strict_json import read_bounded


class CollectConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a study measures on this machine; what is left out is the profile's or everything.

    `frameworks` and `devices` are lists, or `installed` and `available`.
    """

    profile: Literal["quick", "standard", "large"] = "quick"
    frameworks: Literal["installed"] | tuple[Framework, ...] = "installed"
    devices: Literal["available"] | tuple[Device, ...] = "available"
    workloads: tuple[Name, ...] = ()
    batches: tuple[Batch, ...] = ()
    precisions: tuple[Precision, ...] = ()
    variants: tuple[Name, ...] = ()
    rounds: Batch | None = None
    threads: Batch | None = None
    budget_s: Positive | None = None


class StudyConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One study: its name, the folder of its raw files, the order of its models, its rule.

    `collect` is there where the study is measured on this machine. A difference counts where it
    is conclusively larger than `practical_threshold_percent`.
    """

    name: Name
    raw: Name
    models: tuple[Name, ...] = ()
    rule: SelectionRule = SelectionRule.ANY_VARIANT
    collect: CollectConfig | None = None
    practical_threshold_percent: NotNegative = THRESHOLD_PERCENT


class PostConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One post: the study it may cite, and its template."""

    study: Name
    template: Name


class ProjectConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of config/config.yaml."""

    posts: dict[str, PostConfig]


Config = TypeVar("Config", StudyConfig, ProjectConfig)


def read_config(path: Path, kind: type[Config]) -> Config:
    """A configuration file, checked; ConfigError gives file, field, fault and remedy."""
    content = read_bounded(path, str(path), ConfigError)
    try:
        document: Any = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError) as bad:  # impossible dates are ValueErrors
        raise ConfigError(str(path), f"not YAML ({_first_line(bad)})", "correct the file") from None
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as bad:
        raise ConfigError(str(path), str(bad), "correct the field") from None


def raw_paths(study: StudyConfig, root: Path) -> list[Path]:
    """The study's raw files, sorted; ConfigError where there are none or they lie outside."""
    folder = inside(root, study.raw)
    paths = sorted(folder.rglob("*.json"))
    if not paths:
        raise ConfigError(study.raw, "no raw file", "import or collect telemetry into this folder")
    return paths


def inside(root: Path, name: str) -> Path:
    """A path of the project by its name; ConfigError where the name leads out of the project."""
    path = (root / name.replace("\0", "")).resolve()
    if "\0" in name or not path.is_relative_to(root.resolve()):
        raise ConfigError(name, "lies outside the project", "name a path inside the project")
    return path


def _first_line(bad: Exception) -> str:
    return " ".join(str(bad).split())[:200]
