"""Which DuckDB query over the raw JSON gives an expression's number without benchproof.

A query reads the raw files, names the columns it needs once, and addresses each record by its
key; rounds of a record are pooled as the record type pools them.
"""

from collections.abc import Iterable, Sequence

from benchproof.model.record import Record
from benchproof.records.strict_json import escape

_KEY = {
    "device": "f->>'$.device'",
    "framework": "f->>'$.framework.name'",
    "model": "f->>'$.workload.model'",
    "scale": "f->>'$.workload.scale'",
    "task": "f->>'$.workload.task'",
    "variant": "c->>'$.variant'",
    "batch": "(c->>'$.batch')::BIGINT",
    "precision": "c->>'$.precision'",
}
_ACTUAL = "c->>'$.actual_device'"
_OTHER = {
    "kind": "c->>'$.kind'",
    # The worst round decides, as in the record type.
    "status": (
        "CASE "
        + " ".join(
            f"WHEN bool_or(c->>'$.status' = '{status}') THEN '{status}'"
            for status in ("failed", "skipped", "unstable")
        )
        + " ELSE 'ok' END"
    ),
    # A round that ran elsewhere than it was asked to decides for the whole record.
    "actual": f"coalesce(min({_ACTUAL}) FILTER ({_ACTUAL} <> f->>'$.device'), min({_ACTUAL}))",
}

_SUMMARY_OR_SAMPLES = {
    "median_s": ("median_ns", "'median'"),
    "mean_s": ("mean_ns", "'avg'"),
    "stddev_s": ("stddev_ns", "'stddev_samp'"),
    "p95_s": ("p95_ns", "'quantile_disc', 0.95"),
}
_SAMPLES = "(c->'$.samples_ns')::BIGINT[]"
_ROUND_MEDIANS = f"list(list_aggregate({_SAMPLES}, 'median'))"
_OF_ROUNDS = {
    "rounds": f"count(nullif(len({_SAMPLES}), 0))",
    "samples": f"sum(len({_SAMPLES}))",
    "between_rounds": f"list_aggregate({_ROUND_MEDIANS}, 'stddev_samp') "
    f"/ list_aggregate({_ROUND_MEDIANS}, 'avg')",
}
_OF_CALLS = {
    "first_call_s": "max((c->>'$.first_call_ns')::BIGINT) / 1e9",
    "device_median_s": "list_aggregate(flatten(list((c->'$.device_samples_ns')::BIGINT[])), "
    "'median') / 1e9",
}
_OF_FILES = {
    "cores": "machine.cores",
    "memory_bytes": "machine.memory_bytes",
    "threads": "protocol.threads",
    "least_warmup": "protocol.warmup",
    "least_samples": "protocol.samples",
}
_PLAIN = {
    "flops": "flops_per_call",
    "bytes": "bytes_per_call",
    "parameter_bytes": "parameter_bytes",
    "parameters": "parameter_count",
    "peak_memory_bytes": "peak_memory_bytes",
    "mean_ns": "summary.mean_ns",
}
_CEILINGS = {
    "peak_flops_per_s": ("flops_per_s", "datasheet"),
    "peak_bytes_per_s": ("bytes_per_s", "datasheet"),
    "measured_flops_per_s": ("flops_per_s", "measured"),
    "measured_bytes_per_s": ("bytes_per_s", "measured"),
}


def number(value: float) -> str:
    """A SQL literal that reads back as exactly this number."""
    return repr(float(value)).removesuffix(".0")


def text(value: str) -> str:
    """A SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def key(record: Record) -> str:
    """A record's key as the `key` column of the `record` table holds it."""
    work = record.workload
    parts = (
        record.requested, record.framework, work.model, work.scale, work.task,
        record.variant, str(record.batch), record.precision,
    )  # fmt: skip
    return "/".join(escape(part) for part in parts if part is not None)


def _whole_key(records: Sequence[Record]) -> str:
    """SQL of the `key` column; names are escaped only where one of them needs it."""
    names = (name for r in records for name in (r.model, r.workload.scale, r.variant) if name)
    parts = list(_KEY.values())
    if any(name != escape(name) for name in names):
        parts = [f"replace(replace({part}, '~', '~0'), '/', '~1')" for part in parts]
        parts[list(_KEY).index("batch")] = _KEY["batch"]
    return f"concat_ws('/', {', '.join(parts)}) AS key"


def scalar(record: Record, field: str) -> str:
    """The scalar subquery that reads one field of one record."""
    return f"(SELECT {field} FROM record WHERE key = {text(key(record))})"


def among(records: Sequence[Record]) -> str:
    """The condition that selects the rows of some records."""
    return f"key IN ({', '.join(text(key(record)) for record in records)})"


def query(
    expression: str, records: Sequence[Record], fields: Iterable[str], tables: Sequence[str] = ()
) -> str:
    """A whole query: one row, one column, run from the project's root.

    `tables` are more tables of one row, whose columns the expression names. What no SQL can give
    stands in the query as a parameter, `$NAME`.
    """
    last = "\n".join([f"SELECT {expression}", *([f"FROM {', '.join(tables)}"] if tables else [])])
    if "FROM record" not in expression:
        return last
    files = sorted({place.file for record in records for place in record.places})
    studies = sorted({record.study for record in records})
    columns = [f"{_column(field, records)} AS {field}" for field in sorted(set(fields))]
    return "\n".join(
        [
            "WITH cell AS (",
            "  SELECT f, unnest(json_extract(f, '$.cells[*]')) AS c",
            f"  FROM (SELECT content::JSON AS f FROM read_text([{', '.join(map(text, files))}]))",
            "), record AS (",
            f"  SELECT {_whole_key(records)}",
            *(f"  , {column}" for column in columns),
            f"  FROM cell WHERE f->>'$.study' IN ({', '.join(map(text, studies))})",
            "  GROUP BY ALL",
            ")",
            last,
        ]
    )


def _column(field: str, records: Sequence[Record]) -> str:
    """SQL of one column of the `record` table."""
    if field in _KEY or field in _OTHER:
        return {**_KEY, **_OTHER}[field]
    if field in _SUMMARY_OR_SAMPLES:
        return _time_column(*_SUMMARY_OR_SAMPLES[field], records)
    if field in _OF_ROUNDS or field in _OF_CALLS:
        return {**_OF_ROUNDS, **_OF_CALLS}[field]
    if field in _OF_FILES:
        # Of machine and protocol a record has what the file of its first round says.
        told = f"(f->>'$.{_OF_FILES[field]}')::BIGINT"
        return f"arg_min_null({told}, (f->>'$.run.round')::BIGINT)"
    if field in _CEILINGS:
        return _ceiling_column(*_CEILINGS[field])
    return f"any_value((c->>'$.{_PLAIN[field]}')::DOUBLE)"


def _time_column(summary: str, aggregate: str, records: Sequence[Record]) -> str:
    from_summary = f"any_value((c->>'$.summary.{summary}')::DOUBLE)"
    # No subquery over the samples: GROUP BY ALL would take it for a key and part the rounds.
    from_samples = f"list_aggregate(flatten(list({_SAMPLES})), {aggregate})"
    sampled = [bool(record.samples_ns) for record in records]
    if not any(sampled):
        return f"{from_summary} / 1e9"
    return (
        f"{from_samples} / 1e9"
        if all(sampled)
        else f"coalesce({from_summary}, {from_samples}) / 1e9"
    )


def _ceiling_column(quantity: str, kind: str) -> str:
    condition = f"k->>'$.quantity' = {text(quantity)} AND k->>'$.kind' = {text(kind)}"
    if quantity == "flops_per_s":
        condition += " AND k->>'$.precision' = c->>'$.precision'"
    ceilings = "json_extract(f, '$.machine.ceilings[*]')"
    return f"max(list_max([(k->>'$.value')::DOUBLE FOR k IN {ceilings} IF {condition}]))"
