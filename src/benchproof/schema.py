"""Which JSON Schema describes each file format; generated, so that it cannot drift."""

import json
from typing import Any

import msgspec

from benchproof.audit.rulings import Rulings
from benchproof.audit.told import ToldAudit
from benchproof.config import ProjectConfig, StudyConfig
from benchproof.model.raw import RawFile
from benchproof.report.registry import Numbers

FORMATS: dict[str, tuple[str, Any]] = {
    "raw-1.schema.json": ("benchproof/raw@1", RawFile),
    "audit-1.schema.json": ("benchproof/audit@1", ToldAudit),
    "numbers-1.schema.json": ("benchproof/numbers@1", Numbers),
    "study.schema.json": ("a study's configuration", StudyConfig),
    "project.schema.json": ("config/config.yaml", ProjectConfig),
    "rulings.schema.json": ("POST.audit.yaml", Rulings),
}


def schemas() -> dict[str, str]:
    """JSON Schema (2020-12) of every format by file name: keys sorted, one newline at the end."""
    return {name: _text(title, kind) for name, (title, kind) in FORMATS.items()}


def _text(title: str, kind: Any) -> str:
    schema = msgspec.json.schema(kind)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = title
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
