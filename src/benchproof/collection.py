"""Which jobs a study collects on this machine, and how the collectors are asked for each."""

import shlex
from collections.abc import Iterable
from typing import NamedTuple

from benchproof.collectors.presence import installed_frameworks, likely_devices
from benchproof.collectors.profiles import LARGE, PROFILES, SMALL
from benchproof.config import CollectConfig, StudyConfig
from benchproof.errors import ConfigError
from benchproof.model.keys import Device, Framework


class JobName(NamedTuple):
    """One round of one framework on one device."""

    device: Device
    framework: Framework
    round: int

    def __str__(self) -> str:
        return f"{self.device}-{self.framework.value.lower()}-r{self.round}"


def planned_jobs(config: CollectConfig) -> list[JobName]:
    """The jobs of a study; none where nothing that it asks for is installed."""
    rounds = config.rounds or PROFILES[config.profile].rounds
    return [
        JobName(device, framework, number)
        for number in range(1, rounds + 1)
        for device in _devices(config)
        for framework in _frameworks(config)
    ]


def job_options(study: StudyConfig, name: JobName) -> str:
    """Options of `python -m benchproof.collectors` for one job, quoted for a shell."""
    assert study.collect is not None
    single = [
        ("--device", name.device),
        ("--framework", name.framework.value.lower()),
        ("--round", name.round),
    ]
    return _quoted([*_common(study, study.collect), *single])


def ceiling_options(study: StudyConfig, device: Device) -> str:
    """Options of `python -m benchproof.collectors` for a device's ceilings, quoted for a shell."""
    collect = study.collect
    assert collect is not None
    options = [
        ("--profile", collect.profile),
        ("--device", device),
        *(("--framework", each.value.lower()) for each in _frameworks(collect)),
        *([("--threads", collect.threads)] if collect.threads else []),
    ]
    return f"{_quoted(options)} --ceilings-only"


def check_collection(study: StudyConfig, where: str) -> None:
    """ConfigError where a study asks for a workload that is not known."""
    for slug in study.collect.workloads if study.collect else ():
        if slug not in SMALL + LARGE:
            raise ConfigError(
                f"{where}#/collect/workloads",
                f"no workload {slug!r}",
                f"workloads are {', '.join(SMALL + LARGE)}",
            )


def _frameworks(config: CollectConfig) -> Iterable[Framework]:
    return installed_frameworks() if config.frameworks == "installed" else config.frameworks


def _devices(config: CollectConfig) -> Iterable[Device]:
    return likely_devices() if config.devices == "available" else config.devices


def _common(study: StudyConfig, collect: CollectConfig) -> list[tuple[str, object]]:
    several = {
        "--workload": collect.workloads,
        "--batch": collect.batches,
        "--precision": collect.precisions,
        "--variant": collect.variants,
    }
    optional = {"--threads": collect.threads, "--budget-s": collect.budget_s}
    return [
        ("--study", study.name),
        ("--profile", collect.profile),
        *((option, value) for option, values in several.items() for value in values),
        *((option, value) for option, value in optional.items() if value is not None),
    ]


def _quoted(options: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{option} {shlex.quote(str(value))}" for option, value in options)
