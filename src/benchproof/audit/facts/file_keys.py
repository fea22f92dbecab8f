"""Which keys only the names of files tell: parts of their paths in which they differ."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from benchproof.model.keys import Framework

FileKeys = Mapping[str, str | int]
FILE = "file"

# What a part of a name is known to be; data that has the key in a column needs it from no name.
VOCABULARY: Mapping[str, frozenset[str]] = {
    "device": frozenset(["cpu", "gpu", "cuda", "mps", "metal", "tpu", "rocm", "xpu", "npu"]),
    "precision": frozenset((
        "fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "float32", "float16", "bfloat16", "half",
        "int8", "int4", "q4", "q8", "amp",
    )),
    "framework": frozenset((
        "pytorch", "torch", "jax", "tensorflow", "tf", "mlx", "keras", "flax", "onnx",
        "onnxruntime", "ort", "tinygrad", "numpy", "cupy", "tensorrt", "trt", "openvino", "vllm",
        "llamacpp", "ggml", "sglang", "mxnet", "triton",
    )),
    "variant": frozenset((
        "eager", "compiled", "compile", "jit", "nojit", "baseline", "graph", "xla", "inductor",
    )),
    "task": frozenset((
        "train", "training", "inference", "infer", "test", "eval", "forward", "backward",
    )),
}  # fmt: skip
# What is said of a file, and not of what it measured: such siblings hold the same keys.
_ABOUT_THE_FILE = re.compile(
    r"(?:old|new|prev|previous|latest|current|final|backup|bak|copy|orig|original|superseded|"
    r"deprecated|obsolete|draft|fixed|corrected|tmp|temp|v\d+|rev\d+|\d{4}|\d{6}|\d{8}|"
    r"results?|data|benchmarks?|bench|raw|output|out)"
)
_REPEATS = frozenset((
    "run", "rep", "repeat", "replicate", "seed", "trial", "round", "iteration", "attempt",
))  # fmt: skip
_NUMBERED = re.compile(r"([a-z]+?)(\d+)")
NUMBER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("b", "bs", "batch", "batchsize"), "batch"),
    **dict.fromkeys(("e", "ep", "epochs", "epoch"), "epochs"),
    **dict.fromkeys(("t", "threads", "thread"), "threads"),
    **dict.fromkeys(("s", "seq", "seqlen", "len"), "seq_len"),
    **dict.fromkeys(("tok", "tokens"), "tokens"),
    **{name: name for name in ("n", "k", "m", "size", "dim", *_REPEATS)},
}


def proposed_file_keys(
    files: Sequence[str], alike: Iterable[Sequence[str]]
) -> Mapping[str, FileKeys]:
    """The keys that each file's name tells and the others' names tell differently.

    `alike` are groups of files with the same fields: a part in which these differ and that no
    vocabulary knows is named `file`.
    """
    parts = {file: list(_parts(file)) for file in files}
    known = {file: dict(_known(parts[file])) for file in files}
    telling = {
        key
        for key in dict.fromkeys(key for told in known.values() for key in told)
        if len({told.get(key) for told in known.values()}) > 1
    }
    keys = {file: {k: v for k, v in told.items() if k in telling} for file, told in known.items()}
    for group in alike:
        for file, rest in _unknown({file: parts[file] for file in group}, known).items():
            keys[file] |= {FILE: rest} if rest else {}
    return {**keys}


def pattern_for(file: str, keys: FileKeys) -> str | None:
    """The file's name with its keys as placeholders; None where one stands in several parts."""
    left = dict(keys)
    pieces = re.split(r"([-_./\s]+)", str(PurePosixPath(file).with_suffix("")))
    before = ""
    for at in range(0, len(pieces), 2):
        part, lower = pieces[at], pieces[at].lower()
        for key, value in (*_meaning(before, lower), (FILE, part)):
            if key in left and left[key] == value:
                digits = part if isinstance(value, str) else re.sub(r"^\D+", "", part)
                pieces[at] = part.removesuffix(digits) + f"{{{key}}}"
                del left[key]
        before = lower
    path = PurePosixPath("".join(pieces) + PurePosixPath(file).suffix)
    depth = next((at for at, part in enumerate(path.parts) if "{" in part), len(path.parts) - 1)
    return None if left else "/".join(path.parts[depth:])


def _parts(file: str) -> Iterator[str]:
    path = PurePosixPath(file)
    stem = path.name[: -len(path.suffix)] if path.suffix else path.name
    folders = [part for part in path.parent.parts if part not in ("/", "..", ".")]
    for name in (*folders, stem):
        yield from (part for part in re.split(r"[-_.\s]+", name) if part)


def _known(parts: Sequence[str]) -> Iterator[tuple[str, str | int]]:
    """Keys that parts name: by a vocabulary, as `b32`, or as `batch-32`; two values name none."""
    told: dict[str, set[str | int]] = {}
    for before, part in zip(("", *parts), parts, strict=False):
        for key, value in _meaning(before.lower(), part.lower()):
            told.setdefault(key, set()).add(value)
    yield from ((key, next(iter(values))) for key, values in told.items() if len(values) == 1)


def _meaning(before: str, part: str) -> Iterator[tuple[str, str | int]]:
    for key, names in VOCABULARY.items():
        if part in names:
            yield key, spelled(key, part)
            return
    numbered = _NUMBERED.fullmatch(part)
    if numbered and numbered[1] in NUMBER_NAMES and len(numbered[2]) < 10:
        yield NUMBER_NAMES[numbered[1]], int(numbered[2])
    elif part.isdecimal() and before in NUMBER_NAMES and len(part) < 10:
        yield NUMBER_NAMES[before], int(part)


def spelled(key: str, part: str) -> str:
    """A framework by its own name, so that texts find it; the rest as the file's name has it."""
    if key != "framework":
        return part
    own = {framework.lower(): framework.value for framework in Framework}
    return own.get({"torch": "pytorch", "tf": "tensorflow"}.get(part, part), part)


def _unknown(parts: Mapping[str, Sequence[str]], known: Mapping[str, FileKeys]) -> dict[str, str]:
    """What is left of each name without the parts that all have, or that say nothing or a key."""
    if len(parts) < 2:
        return {}
    shared = set.intersection(*map(set, parts.values()))
    return {
        file: "-".join(
            part
            for part in told
            if part not in shared
            and not _ABOUT_THE_FILE.fullmatch(part.lower())
            and not _is_known(part.lower(), known[file])
        )
        for file, told in parts.items()
    }


def _is_known(part: str, keys: FileKeys) -> bool:
    if any(part in names for names in VOCABULARY.values()):
        return True
    numbered = _NUMBERED.fullmatch(part)
    if numbered and numbered[1] in NUMBER_NAMES:
        return True
    return part in NUMBER_NAMES or (part.isdecimal() and int(part) in keys.values())
