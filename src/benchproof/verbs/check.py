"""`benchproof check STUDY.yaml`: what the gates say about a study's telemetry."""

from pathlib import Path

from benchproof.records.findings import Level
from benchproof.records.sampling import sample_fits
from benchproof.verbs.study import open_study


def check(
    study: Path,
    root: Path = Path(),
) -> int:
    """Load a study, pass it through the gates, and tell what is wrong with its telemetry.

    Exit status 1 when a finding is an error.
    """
    config, loaded = open_study(study, root)
    print(
        f"{config.name}: {len(loaded.records)} records may be compared, "
        f"{len(loaded.quarantined)} are quarantined, {len(loaded.untimed)} hold no latency"
    )
    for fit in sample_fits(loaded.everything):
        print(
            f"note: sample-count: {fit.file}: "
            f"{fit.fitting} of {fit.records} means fit n = {fit.samples}"
        )
    for finding in loaded.findings:
        print(f"{finding.level}: {finding.rule}: {finding.message} [{_places(finding.records)}]")
    return int(any(finding.level is Level.ERROR for finding in loaded.findings))


def _places(records: tuple[str, ...]) -> str:
    more = f" and {len(records) - 1} more" if len(records) > 1 else ""
    return f"{records[0]}{more}"
