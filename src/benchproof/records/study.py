"""What one post may cite: the records of a study, what is quarantined, what was found."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchproof.errors import ConfigError, RawError
from benchproof.evidence.intervals import THRESHOLD_PERCENT
from benchproof.model.record import Record
from benchproof.records.controls import (
    Control,
    Job,
    control_findings,
    differing_controls,
    job_of,
    job_thresholds,
    pair_controls,
)
from benchproof.records.findings import DataFinding
from benchproof.records.gates import (
    device_findings,
    is_timed,
    limit_findings,
    machine_findings,
    ran_elsewhere,
)
from benchproof.records.load import load_file, pool_rounds
from benchproof.records.sampling import sampling_findings, spread_findings


class Study(msgspec.Struct, frozen=True):
    """Gated telemetry: `records` may be compared, `quarantined` may only be shown.

    A quarantined record ran on another device than the one it was asked for. Records that hold
    no latency (failed, skipped) are in `untimed`. A difference counts beyond `threshold_percent`,
    and in a job of `job_thresholds` beyond what its A/A control differs by.
    """

    name: str
    records: tuple[Record, ...]
    quarantined: tuple[Record, ...]
    untimed: tuple[Record, ...]
    findings: tuple[DataFinding, ...]
    controls: tuple[Control, ...] = ()
    threshold_percent: float = THRESHOLD_PERCENT
    job_thresholds: dict[Job, float] = {}

    def threshold_of(self, *records: Record) -> float:
        """What a difference between the records has to exceed to count, in percent."""
        told = (self.job_thresholds.get(job_of(record), 0.0) for record in records)
        return max(self.threshold_percent, *told)

    @property
    def everything(self) -> tuple[Record, ...]:
        """All records, whatever their gate says."""
        return self.records + self.quarantined + self.untimed


def load_study(
    name: str, paths: Iterable[Path], root: Path, threshold_percent: float = THRESHOLD_PERCENT
) -> Study:
    """Load a study's raw files and pass its records through the gates.

    RawError where a file belongs to another study: two of them could hold the same cell.
    """
    files = [load_file(path, root) for path in sorted(paths)]
    records = pool_rounds(files)
    for record in records:
        if record.study != name:
            raise RawError(
                f"{record.places[0].file}#/study",
                f"study {record.study!r}, but {name!r} cites it",
                "move the file to its own study, or import it again into this one",
            )
    return gate(name, records, pool_rounds(files, "controls"), threshold_percent)


def check_models(models: Sequence[str], study: Study, where: str) -> None:
    """ConfigError where the order of models repeats one, or names one that is not there."""
    known = list(dict.fromkeys(record.model for record in study.everything))
    for model in models:
        if not known:
            raise ConfigError(
                f"{where}#/models",
                f"no record of model {model!r}: the study's raw files hold no cell at all",
                "collect or import cells, or leave out the post's models",
            )
        if model not in known:
            raise ConfigError(
                f"{where}#/models",
                f"no record of model {model!r}",
                f"models are {', '.join(known)}",
            )
        if models.count(model) > 1:
            raise ConfigError(f"{where}#/models", f"model {model!r} stands twice", "name it once")


def gate(
    name: str,
    records: tuple[Record, ...],
    repeated: tuple[Record, ...] = (),
    threshold_percent: float = THRESHOLD_PERCENT,
) -> Study:
    """Sort records by what they may be used for, and collect what is wrong with them.

    `repeated` are the A/A controls: the second measurement of some of the records.
    """
    timed = tuple(filter(is_timed, records))
    comparable = tuple(record for record in timed if not ran_elsewhere(record))
    controls = pair_controls(comparable, repeated)
    differing = differing_controls(controls, threshold_percent)
    return Study(
        name=name,
        records=comparable,
        quarantined=tuple(filter(ran_elsewhere, timed)),
        untimed=tuple(record for record in records if not is_timed(record)),
        findings=(
            *device_findings(timed),
            *machine_findings(timed),
            *limit_findings(comparable),
            *sampling_findings(timed),
            *spread_findings(comparable),
            *control_findings(differing),
        ),
        controls=controls,
        threshold_percent=threshold_percent,
        job_thresholds=job_thresholds(differing),
    )
