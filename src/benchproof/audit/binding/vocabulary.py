"""What a text may call the keys of telemetry and their values; names come from the data itself."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from benchproof.audit.facts.cube import Value
from benchproof.audit.facts.fact import Fact

# Synonyms of the field for values that the data has; a name that it has not is never known.
_SYNONYMS: dict[str, dict[str, tuple[str, ...]]] = {
    "device": {
        "cpu": ("CPU", "CPUs", "processor"),
        "mps": ("MPS", "GPU", "GPUs", "Metal", "Metal Performance Shaders"),
        "cuda": ("CUDA", "GPU", "GPUs"),
        "gpu": ("GPU", "GPUs"),
        "metal": ("Metal", "GPU", "GPUs"),
        "hip": ("HIP", "ROCm", "GPU"),
        "rocm": ("ROCm", "HIP", "GPU"),
    },
    "framework": {
        "PyTorch": ("PyTorch", "Torch"),
        "torch": ("PyTorch", "Torch"),
        "TensorFlow": ("TensorFlow", "TF"),
        "tf": ("TensorFlow", "TF"),
        "onnx": ("ONNX Runtime", "ONNX"),
        "JAX": ("JAX",),
        "MLX": ("MLX",),
    },
    "model": {
        "FF DNN": ("FF DNN", "FFDNN", "FF-DNN", "feed-forward DNN", "feed-forward network",
                   "feedforward network", "feed-forward", "feedforward", "FFN", "MLP"),
        "CNN": ("CNN", "convolutional network", "ConvNet"),
        "RNN": ("RNN", "recurrent network"),
        "LSTM": ("LSTM",),
        "Transformer": ("Transformer",),
    },
    "precision": {
        "fp32": ("single precision", "full precision", "float32", "f32"),
        "fp16": ("half precision", "half-precision", "float16", "f16", "half"),
        "bf16": ("bfloat16", "brain float"),
        "tf32": ("TensorFloat-32", "TensorFloat32"),
        "int8": ("8-bit", "eight-bit"),
    },
    "variant": {
        "eager": ("eager", "eagerly", "baseline", "uncompiled", "without compilation",
                  "without compiling"),
    },
}  # fmt: skip
_COMPILED = ("compiled", "compilation", "compiling", "jitted", "JIT", "JIT-compiled", "jit")
_NUMERIC_NAMES: dict[str, tuple[str, ...]] = {
    "batch": ("batch sizes", "batch size", "batch-size", "batchsize", "batches of", "batches",
              "batch", "minibatch", "mini-batch", "bs", "batch_size", "Batchgröße", "Batchgrößen"),
}  # fmt: skip
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?"
_BETWEEN = r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|to|und|bis)\s+|\s*(?:–|-|→|/)\s*"
_LIST = rf"(?:{_NUMBER})[kK]?(?:(?:{_BETWEEN})(?:{_NUMBER})[kK]?(?![\w.%×]|\s+(?:out\s+)?of\s))*"
_ONE = re.compile(rf"({_NUMBER})([kK])?")
_WORDS = {"one": 1, "two": 2, "four": 4, "eight": 8, "sixteen": 16}
# Words that end in a unit are amounts, no settings: "batch 32 ms" is never meant.
_NO_UNIT = (
    r"(?!\s+(?:out\s+)?of\s+\d|"
    r"\s?(?:ms|µs|us|s|%|×|x|GB|MB|GFLOP|samples/s|images/s)\b|[\w%×]|\.\d|,\d)"
)


class Hit(NamedTuple):
    """A name in a text: which key it is about, and which of its values it may mean."""

    start: int
    end: int
    key: str
    values: frozenset[Value]
    known: bool = True


class Vocabulary(msgspec.Struct, frozen=True):
    """Every name of a key's value, and how numeric keys are written."""

    values: Mapping[str, tuple[Value, ...]]
    names: Mapping[str, tuple[tuple[str, frozenset[Value]], ...]]
    pattern: re.Pattern[str]
    numeric: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]
    key_names: Mapping[str, re.Pattern[str]]
    letters: frozenset[str]

    def hits(self, text: str) -> list[Hit]:
        """All names in a text, in its order; of overlapping ones the longer."""
        found = [*self._named(text), *self._numbers(text)]
        found.sort(key=lambda hit: (hit.start, -hit.end))
        kept: list[Hit] = []
        for hit in found:
            is_same = bool(kept) and hit[:2] == kept[-1][:2] and hit.key != kept[-1].key
            if not kept or hit.start >= kept[-1].end or is_same:
                kept.append(hit)
        return kept

    def _named(self, text: str) -> Iterator[Hit]:
        for match in self.pattern.finditer(text):
            if len(match[0]) == 1 and match[0] not in self.letters:
                continue  # the article `a` is no engine A
            name = _plain(match[0])
            told = next(self.names[one] for one in _singulars(name) if one in self.names)
            for key, values in told:
                yield Hit(match.start(), match.end(), key, values)

    def _numbers(self, text: str) -> Iterator[Hit]:
        for key, after, before in self.numeric:
            known = set(self.values[key])
            for match in after.finditer(text):
                yield from _listed(key, match.start("list"), match["list"], known)
            for match in before.finditer(text):
                yield from _listed(key, match.start("list"), match["list"], known)
            for match in _worded(key).finditer(text):
                value = _WORDS[match[1].lower()]
                yield Hit(match.start(1), match.end(1), key, frozenset([value]), value in known)


def _singulars(name: str) -> Iterator[str]:
    yield name
    yield name.removesuffix("s")
    yield name.removesuffix("es")


def _listed(key: str, at: int, text: str, known: set[Value]) -> Iterator[Hit]:
    for number in _ONE.finditer(text):
        value = number_of(number[1], number[2] or "", known)
        yield Hit(at + number.start(), at + number.end(), key, frozenset([value]), value in known)


def number_of(digits: str, suffix: str, known: set[Value]) -> int | float:
    """The value that digits with a `K` stand for: 16384 for 16K where the data knows that."""
    plain = digits.replace(",", "")
    value = float(plain) if "." in plain else int(plain)
    if not suffix:
        return value
    return value * 1024 if value * 1024 in known or value * 1000 not in known else value * 1000


def vocabulary(
    facts: Iterable[Fact], aliases: Mapping[str, Mapping[str, str]] | None = None
) -> Vocabulary:
    """The names of every key's values; `aliases` are more of them: key, name, value."""
    values: dict[str, dict[Value, None]] = {}
    for fact in facts:
        for key, value in fact.keys.items():
            values.setdefault(key, {})[value] = None
    names: dict[str, dict[str, set[Value]]] = {}
    for key, told in values.items():
        for value in told:
            if isinstance(value, str):
                for name in _names_of(key, value):
                    names.setdefault(_plain(name), {}).setdefault(key, set()).add(value)
    for key, more in (aliases or {}).items():
        for name, alias in more.items():
            names.setdefault(_plain(name), {}).setdefault(key, set()).add(alias)
    settled = {
        name: tuple((key, _exact(name, found)) for key, found in by_key.items())
        for name, by_key in names.items()
    }
    numeric = tuple(
        (key, *_patterns(key))
        for key, told in values.items()
        if all(not isinstance(value, str) for value in told)
    )
    known = {key: tuple(told) for key, told in values.items()}
    heads = {key: _head(key) for key, _, _ in numeric}
    letters = frozenset(
        value
        for told in values.values()
        for value in told
        if isinstance(value, str) and len(value) == 1
    )
    return Vocabulary(known, settled, _alternation(settled), numeric, heads, letters)


def _exact(name: str, values: Iterable[Value]) -> frozenset[Value]:
    """The value that is spelled as the name, before those that may be called so as well."""
    spelled = frozenset(one for one in values if isinstance(one, str) and _plain(one) == name)
    return spelled or frozenset(values)


def _names_of(key: str, value: str) -> Iterator[str]:
    yield value
    yield re.sub(r"[-_]+", " ", value)
    for name, synonyms in _SYNONYMS.get(key, {}).items():
        if name.lower() == value.lower():
            yield from synonyms
    if key == "variant" and value != "eager":
        yield from _COMPILED
        # `torch.compile(inductor)` is called torch.compile by whoever has one backend only.
        yield value.partition("(")[0]
        yield value.rpartition(".")[2] if "." in value and "(" not in value else value


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).lower()


def _alternation(names: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted((name for name in names if name.strip()), key=len, reverse=True)
    spelled = "|".join(re.escape(name).replace(r"\ ", r"[\s_-]+") for name in ordered) or r"(?!)"
    # A name may begin or end with a mark: `merge[a]`, `sort<int>`.
    return re.compile(rf"(?:(?<!\w)|(?=\W))(?:{spelled})(?:(?<=\W)|(?:s|es)?(?!\w))", re.IGNORECASE)


@lru_cache(maxsize=64)
def _worded(key: str) -> re.Pattern[str]:
    # "The one batch size that both share" is no batch of one.
    words = "|".join(word for word in _WORDS if word != "one" or key != "batch")
    return re.compile(
        rf"(?<!the\s)(?<!only\s)\b({words})[\s-]+(?:{_spellings(key)})\b", re.IGNORECASE
    )


@lru_cache(maxsize=64)
def _spellings(key: str) -> str:
    words = re.sub(r"[_\s-]+", r"[_\\s-]?", key)
    names = [re.escape(name) for name in _NUMERIC_NAMES.get(key, ())]
    names += [words, f"{words}s", words.removesuffix("s")]
    return "|".join(sorted(names, key=len, reverse=True))


def _head(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w])(?:{_spellings(key)})(?![\w])", re.IGNORECASE)


def _patterns(key: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    spelled = _spellings(key)
    grows = r"grows?|grew|goes|rises?|increases?|moves?|changes?"
    leads = rf"\s*(?:=|:)\s*|(?:\s+(?:{grows}))?\s+(?:of|at|is|was|from)\s+|\s+|-|(?<=bs)"
    after = rf"(?<![\w])(?:{spelled})(?:{leads})(?P<list>{_LIST}){_NO_UNIT}"
    before = rf"(?<![\w.,$])(?P<list>{_LIST})(?:\s+|-)(?:{spelled})(?![\w])"
    return re.compile(after, re.IGNORECASE), re.compile(before, re.IGNORECASE)
