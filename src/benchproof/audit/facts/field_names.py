"""What the name of a field tells: key or measure, unit, statistic, and which run of the same."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.units import ITEMS, UNITS


class Meaning(NamedTuple):
    """The unit and the statistic that a name tells; UNKNOWN where it tells no unit."""

    dimension: Dimension
    unit: str = ""
    factor: float = 1.0
    statistic: str = ""


# One name for each key, whatever data calls it; names that stand here alone are keys as well.
KEY_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("batch", "batch_size", "batchsize", "bs", "minibatch", "minibatch_size",
                     "mini_batch_size"), "batch"),
    **dict.fromkeys(("device", "device_type"), "device"),
    **dict.fromkeys(("framework", "framework_name"), "framework"),
    **dict.fromkeys(("model", "model_name", "architecture"), "model"),
    **dict.fromkeys(("variant", "variant_name"), "variant"),
    **dict.fromkeys(("precision", "dtype", "data_type"), "precision"),
    **dict.fromkeys(("threads", "n_threads", "num_threads", "thread_count"), "threads"),
    **dict.fromkeys(("seq_len", "sequence_length", "seqlen", "seq_length"), "seq_len"),
    **dict.fromkeys(("tokens", "n_tokens", "num_tokens"), "tokens"),
    **dict.fromkeys(("epochs", "n_epochs", "num_epochs"), "epochs"),
}  # fmt: skip
_KEY_WORDS = frozenset((
    "size", "n", "m", "k", "tokens", "threads", "epochs", "epoch", "width", "height", "depth",
    "dim", "dims", "dimension", "layers", "heads", "length", "len", "context", "ctx",
    "concurrency", "clients", "workers", "gpus", "devices", "nodes", "ranks", "channels", "rank",
    "hidden", "order", "degree", "level", "rows", "cols", "columns", "elements", "step", "bits",
    "stage", "beam", "lr", "dropout", "sparsity", "resolution", "world", "nproc", "procs",
    "processes", "cores",
))  # fmt: skip
_COUNT_PREFIXES = ("n_", "num_", "number_of_", "nb_")
_KEY_SUFFIXES = ("_size", "_len", "_length", "_dim", "_dims", "_layers", "_heads", "_depth",
                 "_width", "_tokens", "_threads", "_channels")  # fmt: skip
REPEAT_NAMES = frozenset((
    "run", "run_id", "run_number", "run_index", "rep", "repeat", "repetition", "replicate",
    "seed", "random_seed", "trial", "iteration", "iter", "round", "attempt", "fold", "run_no",
    "sample_id",
))  # fmt: skip
SAMPLE_COUNTS = frozenset((
    "samples", "n_samples", "num_samples", "sample_count", "runs", "n_runs", "num_runs",
    "repeats", "n_repeats", "repetitions", "iterations", "n_iterations", "num_iterations",
    "iters", "trials", "rounds", "count",
))  # fmt: skip
IGNORED = frozenset((
    "note", "notes", "comment", "comments", "remark", "remarks", "description", "timestamp",
    "datetime", "date", "time_stamp", "started", "ended", "started_at", "ended_at", "created",
    "created_at", "url", "sha256", "commit", "git_commit", "git_hash", "uuid",
    "id", "error_message", "message", "traceback", "status", "index", "version", "schema",
    "schema_version", "format_version", "generated", "generated_at", "generated_by",
    "author", "license", "licence", "superseded", "superseded_by",
))  # fmt: skip
_STATISTICS: Mapping[str, str] = {
    **dict.fromkeys(("mean", "avg", "average"), "mean"),
    **dict.fromkeys(("median", "p50", "med"), "median"),
    **dict.fromkeys(("min", "minimum", "fastest"), "min"),
    **dict.fromkeys(("max", "maximum", "slowest"), "max"),
    **dict.fromkeys(("std", "stddev", "stdev", "sd", "sigma"), "stddev"),
    **{f"p{rank}": f"p{rank}" for rank in (1, 5, 10, 25, 75, 90, 95, 99, 999)},
}
_UNIT_WORDS: Mapping[str, str] = {
    "ms": "ms",
    "msec": "ms",
    "msecs": "ms",
    "millis": "ms",
    "milliseconds": "ms",
    "us": "µs",
    "usec": "µs",
    "µs": "µs",
    "micros": "µs",
    "microseconds": "µs",
    "ns": "ns",
    "nsec": "ns",
    "nanos": "ns",
    "nanoseconds": "ns",
    "s": "s",
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "minutes": "min",
    "mins": "min",
    "hours": "h",
    "hrs": "h",
    "bytes": "B",
    "kb": "kB",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
    "kib": "KiB",
    "mib": "MiB",
    "gib": "GiB",
    "tib": "TiB",
    "gbps": "GB/s",
    "mbps": "MB/s",
    "gbs": "GB/s",
    "gbw": "GB/s",
    "mibps": "MiB/s",
    "pct": "%",
    "percent": "%",
    "percentage": "%",
    "perc": "%",
    "tps": "tokens/s",
    "fps": "fps",
    "qps": "qps",
    "rps": "rps",
    "ips": "images/s",
    "kflops": "kFLOPS",
    "mflops": "MFLOPS",
    "gflops": "GFLOPS",
    "tflops": "TFLOPS",
    "pflops": "PFLOPS",
    "flops": "FLOPs",
    "flop": "FLOP",
    "w": "W",
    "watt": "W",
    "watts": "W",
    "mw": "mW",
    "kw": "kW",
    "j": "J",
    "joule": "J",
    "joules": "J",
    "mj": "mJ",
    "kj": "kJ",
    "hz": "Hz",
    "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz",
    "celsius": "°C",
    "degc": "°C",
    **dict.fromkeys(("speedup", "slowdown", "ratio", "fraction"), "x"),
}
_PER = re.compile(r"(?:^|_)([^_]+)_(?:per|p)_?(?:s|sec|second|seconds)$|(?:^|_)([^_]+)_s(?:ec)?$")
_RATES: Mapping[str, str] = {
    "bytes": "B/s",
    "kb": "kB/s",
    "mb": "MB/s",
    "gb": "GB/s",
    "tb": "TB/s",
    "kib": "KiB/s",
    "mib": "MiB/s",
    "gib": "GiB/s",
    "flop": "FLOP/s",
    "flops": "FLOP/s",
    "mflop": "MFLOP/s",
    "mflops": "MFLOP/s",
    "gflop": "GFLOP/s",
    "gflops": "GFLOP/s",
    "tflop": "TFLOP/s",
    "tflops": "TFLOP/s",
}
_COUNTS = frozenset((
    "params", "parameters", "parameter_count", "param_count", "n_params", "num_params",
))  # fmt: skip
# Measured even where its numbers look like those of a grid.
_MEASURED = frozenset((
    "latency", "latencies", "time", "times", "runtime", "duration", "elapsed", "speed", "memory",
    "accuracy", "loss", "score", "bandwidth", "power", "energy", "utilization", "utilisation",
    "value", "cost", "error", "errors",
))  # fmt: skip
_BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]+?)\s*[)\]]\s*$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z](?!i?B))")


def plain_name(field: str) -> str:
    """A field's name in lower case with `_` between its words: `Batch Size` is `batch_size`."""
    return re.sub(r"[^\w%µ]+", "_", _CAMEL.sub("_", field.strip())).strip("_").lower()


def key_name(field: str) -> str:
    """The name that a key has in facts: one for all spellings of the known ones."""
    return KEY_NAMES.get(plain_name(field), field.strip())


def names_key(field: str) -> bool:
    """Whether a column of numbers is a setting by its name."""
    plain = plain_name(field)
    if plain in KEY_NAMES or plain in _KEY_WORDS:
        return True
    if plain in SAMPLE_COUNTS or meaning_of(field).dimension is not Dimension.UNKNOWN:
        return False
    return plain.startswith(_COUNT_PREFIXES) or plain.endswith(_KEY_SUFFIXES)


def names_measure(field: str) -> bool:
    """Whether a column of numbers is no setting by its name, whatever its numbers look like."""
    meaning = meaning_of(field)
    told = meaning.dimension is not Dimension.UNKNOWN or bool(meaning.statistic)
    return told or bool(_MEASURED & set(plain_name(field).split("_")))


def meaning_of(field: str) -> Meaning:
    """What a measure's name tells of its unit and its statistic."""
    plain = plain_name(field)
    words = plain.split("_")
    statistic = next((_STATISTICS[word] for word in words if word in _STATISTICS), "")
    unit = _bracketed(field) or _written(words)
    if unit:
        known = UNITS[unit]
        return Meaning(known.dimension, unit, known.factor, statistic)
    if plain in _COUNTS or plain in SAMPLE_COUNTS:
        return Meaning(Dimension.COUNT, statistic=statistic)
    if words[-1] in ("throughput", "temperature"):
        dimension = Dimension.RATE if words[-1] == "throughput" else Dimension.TEMPERATURE
        return Meaning(dimension, "/s" if dimension is Dimension.RATE else "°C", 1.0, statistic)
    return Meaning(Dimension.UNKNOWN, statistic=statistic)


def _bracketed(field: str) -> str:
    """The unit of `Latency (ms)`, or of `speed tokens/s`."""
    match = _BRACKETED.search(field)
    told = match[1] if match else field.strip().rpartition(" ")[2]
    return told if told in UNITS and (match or "/" in told or told == "%") else ""


def _written(words: list[str]) -> str:
    """The unit that a name spells in words, the last one first: `tokens_per_s`, `median_ms`."""
    left = [word for word in words if word not in _STATISTICS]
    if not left:
        return ""
    per = _PER.search("_".join(left))
    if per is not None:
        rate = _rate(per[1] or per[2], is_said=bool(per[1]))
        if rate:
            return rate
    if left[-1] in ("flops", "flop") and "achieved" in words:
        return "FLOP/s"
    if left[-1] in _UNIT_WORDS and (left[-1] != "s" or len(left) > 1):
        return _UNIT_WORDS[left[-1]]
    if left[-1] == "ts" and len(words) > 1:  # as llama-bench writes tokens per second
        return "tokens/s"
    if left[0] in ("speedup", "slowdown"):
        return "x"
    return ""


def _rate(counted: str, *, is_said: bool) -> str:
    """The unit of a rate: `gb` gives GB/s, `tokens` tokens/s; any word where `per_s` is said."""
    if counted in _RATES:
        return _RATES[counted]
    # `steps_s` is a rate, `step_s` the time of a step.
    if counted in ITEMS and (is_said or counted.endswith("s") or counted in ("tok", "img")):
        return f"{counted}/s"
    return "/s" if is_said else ""
