"""What a user says about foreign data: which field is a key, which a measure, what names tell."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from benchproof.audit.mention.units import UNITS
from benchproof.errors import ConfigError
from benchproof.records.strict_json import read_bounded

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Statistic = Literal[
    "", "mean", "median", "min", "max", "stddev", "p5", "p10", "p25", "p75", "p90", "p95", "p99"
]
MAX_PLACEHOLDERS = 8
_PART = re.compile(r"\{([^{}]*)\}|(\*\*/?)|(\*)|(\?)|([^{}*?]+)|([{}])")


class FieldRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one field is: a key, or a measure with its unit and statistic; exactly one of both."""

    key: Word | None = None
    measure: Word | None = None
    unit: str = ""
    statistic: Statistic = ""


class DataMapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole mapping file; a field that it does not name is read as its name and values tell.

    `files` are patterns of paths: `{name}` is a part that a key takes, `*` any part.
    """

    fields: Mapping[Word, FieldRule | Literal["ignore"]] = {}
    repeats: tuple[Word, ...] | None = None
    files: Word | tuple[Word, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of file names, one or several."""
        return (self.files,) if isinstance(self.files, str) else self.files


def read_mapping(path: Path) -> DataMapping:
    """A mapping file, checked; ConfigError gives file, field, fault and remedy."""
    import yaml  # most audits have no mapping, and need not wait for it

    shown = str(path)
    try:
        document: Any = yaml.safe_load(read_bounded(path, shown, ConfigError))
    except (yaml.YAMLError, ValueError, RecursionError) as bad:
        what = " ".join(str(bad).split())[:200]
        raise ConfigError(shown, f"not YAML ({what})", "correct the file") from None
    try:
        mapping = msgspec.convert({} if document is None else document, DataMapping)
    except msgspec.ValidationError as bad:
        raise ConfigError(shown, str(bad), "correct the field") from None
    _check(mapping, shown)
    return mapping


def _check(mapping: DataMapping, shown: str) -> None:
    for field, rule in mapping.fields.items():
        if isinstance(rule, FieldRule):
            _check_rule(rule, f"{shown}#/fields/{field}")
    for pattern in mapping.patterns:
        pattern_of(pattern, f"{shown}#/files")


def _check_rule(rule: FieldRule, where: str) -> None:
    if (rule.key is None) == (rule.measure is None):
        told = "neither key nor measure" if rule.key is None else "both key and measure"
        raise ConfigError(where, told, "give exactly one of the two, or `ignore`")
    if rule.key is not None and (rule.unit or rule.statistic):
        raise ConfigError(where, "a key has no unit and no statistic", "make it a measure")
    if rule.unit and rule.unit not in UNITS:
        raise ConfigError(
            where, f"unit {rule.unit!r} is not known", "write it as ms, s, MB, GB/s, tokens/s, %, x"
        )


def pattern_of(pattern: str, where: str) -> re.Pattern[str]:
    """What a pattern of file names matches, up to a path's end; ConfigError where it is none."""
    names = re.findall(r"\{([^{}]*)\}", pattern)
    wrong = next((name for name in names if not name.isidentifier()), None)
    if wrong is not None:
        raise ConfigError(where, f"{{{wrong}}} names no key", "write it as in {device}-{run}.csv")
    if len(set(names)) < len(names) or len(names) > MAX_PLACEHOLDERS:
        raise ConfigError(
            where, f"{pattern!r} has a key twice, or more than {MAX_PLACEHOLDERS}", "name each once"
        )
    if any(match[6] for match in _PART.finditer(pattern)):
        raise ConfigError(where, f"{pattern!r} has a brace too many", "close each {name} once")
    return re.compile("(?:.*/)?" + "".join(map(_piece, _PART.finditer(pattern))))


def _piece(match: re.Match[str]) -> str:
    if match[1] is not None:
        return rf"(?P<{match[1]}>[^/]+?)"
    if match[2]:
        return ".*"
    return r"[^/]*" if match[3] else r"[^/]" if match[4] else re.escape(match[5])


def mapped_file_keys(mapping: DataMapping, files: Sequence[str]) -> dict[str, dict[str, str]]:
    """The keys that the mapping's patterns tell of each file; ConfigError where one tells none.

    Where several match one file, the one with the most text of its own has the last word.
    """
    told: dict[str, dict[str, str]] = {file: {} for file in files}
    for pattern in sorted(mapping.patterns, key=lambda one: len(re.sub(r"\{[^{}]*\}", "", one))):
        compiled = pattern_of(pattern, "files")
        found = {file: match for file in files if (match := compiled.fullmatch(file))}
        if not found:
            raise ConfigError(
                f"files: {pattern}", "no file of the data has such a name", "correct the pattern"
            )
        for file, match in found.items():
            told[file].update(match.groupdict())
    return told
