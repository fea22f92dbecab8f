"""What is wrong with the telemetry itself, whatever a post says about it."""

from enum import StrEnum

import msgspec


class Level(StrEnum):
    """How much a finding weighs: an error makes a use of the record wrong."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class DataFinding(msgspec.Struct, frozen=True):
    """One finding about telemetry: the rule it breaks, the records' places, what is the case."""

    rule: str
    level: Level
    records: tuple[str, ...]
    message: str
