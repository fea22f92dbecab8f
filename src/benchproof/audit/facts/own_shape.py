"""Which documents hold benchproof's own records, told without what it takes to read them."""

from typing import Any

_NEURAL_COST_FIELDS = frozenset(
    ("framework", "variant", "architecture", "batch", "latency_median_ms")
)


def is_raw(document: Any) -> bool:
    """Whether a document says that it is one of benchproof's raw files, of whatever version."""
    schema = document.get("schema") if isinstance(document, dict) else None
    return isinstance(schema, str) and schema.startswith("benchproof/raw@")


def is_neural_cost(document: Any) -> bool:
    """Whether a document is shaped as the telemetry of neural-cost."""
    if not isinstance(document, dict) or not isinstance(document.get("hardware"), dict):
        return False
    records = document.get("records")
    first = records[0] if isinstance(records, list) and records else None
    return isinstance(first, dict) and first.keys() >= _NEURAL_COST_FIELDS
