"""True documents written from telemetry, with the errors that can be planted in each number."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchproof.audit.facts.cube import Cube, Group

KINDS = (
    "batch", "framework", "row", "variant", "device", "last digit", "stale", "factor 10",
    "inverted", "unit", "count", "range end", "points", "bytes",
)  # fmt: skip
UNITS = {
    "latency": (1e3, "ms"),
    "throughput": (1.0, "samples/s"),
    "achieved FLOP/s": (1e-9, "GFLOP/s"),
    "arithmetic intensity": (1.0, "FLOP/byte"),
    "roofline efficiency": (1.0, "%"),
}
COMPILED = {
    "PyTorch": "torch.compile",
    "JAX": "jax.jit",
    "TensorFlow": "tf.function",
    "MLX": "mx.compile",
}


@dataclass
class Slot:
    """A number of a document: what is printed, and what it would be with each error."""

    text: str
    wrong: dict[str, str] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)  # of a swap: the place it comes from


@dataclass
class Written:
    """A document with its numbers marked as `\\0N\\0`; `shape` names its layout."""

    shape: str
    text: str
    slots: list[Slot]
    suffix: str = ".md"

    def printed(self, changed: int | None = None, kind: str = "") -> str:
        """The document, true or with one error."""
        text = self.text
        for number, slot in enumerate(self.slots):
            shown = slot.wrong[kind] if number == changed else slot.text
            text = text.replace(f"\0{number}\0", shown)
        return text

    def before(self, slot: int, kind: str = "") -> str:
        """The printed text up to a slot; with `kind` that slot holds its error."""
        text = self.text[: self.text.index(f"\0{slot}\0")]
        for number, one in enumerate(self.slots):
            shown = one.wrong[kind] if kind and number == slot else one.text
            text = text.replace(f"\0{number}\0", shown)
        return text


def significant(value: float, digits: int = 3) -> str:
    """A number to so many significant digits, never in powers of ten."""
    if value == 0:
        return "0"
    places = max(0, digits - 1 - int(f"{abs(value):e}".partition("e")[2]))
    return f"{value:,.{places}f}"


class Writer:
    """Collects the numbers of one document; `random` decides what is written."""

    def __init__(self, cube: Cube, seed: int) -> None:
        self.cube = cube
        self.random = random.Random(seed)
        self.slots: list[Slot] = []

    def mark(self, slot: Slot) -> str:
        self.slots.append(slot)
        return f"\0{len(self.slots) - 1}\0"

    def neighbours(self, group: Group) -> Iterator[tuple[str, Group]]:
        """Groups that differ in one key: the kind of swap, and the group."""
        kinds = {"batch": "batch", "framework": "framework", "model": "row", "variant": "variant",
                 "device": "device"}  # fmt: skip
        for key, kind in kinds.items():
            for value in self.cube.keys.get(key, ()):
                if value == group.keys.get(key):
                    continue
                limits = {k: frozenset([v]) for k, v in group.keys.items()}
                limits[key] = frozenset([value])
                if key == "framework":
                    limits["variant"] = frozenset([_peer(str(value), str(group.keys["variant"]))])
                for other in self.cube.select(limits):
                    yield kind, other

    def value(self, group: Group, measure: str, *, unit: bool = True) -> str:
        """A quantity, printed, with all errors that a slip could make of it."""
        factor, name = UNITS[measure]
        told = group.value(measure)
        assert told is not None
        number, tail = told * factor, f" {name}" if unit else ""
        text = significant(number)
        slot = Slot(text + tail)
        for kind, other in self.neighbours(group):
            there = other.value(measure)
            if there is not None and kind not in slot.wrong:
                self._plant(slot, kind, significant(there * factor) + tail, other.places[0])
        for kind, wrong in _slips(text, number, self.random):
            self._plant(slot, kind, wrong + tail)
        if unit and name == "ms":
            self._plant(slot, "unit", f"{text} µs")
        return self.mark(slot)

    def ratio(self, base: Group, other: Group, measure: str = "latency", tail: str = "×") -> str:
        """Base over other, printed, with all errors that a slip could make of it."""
        one, two = base.value(measure), other.value(measure)
        assert one
        assert two
        number = one / two
        text = f"{number:.2f}"
        slot = Slot(text + tail)
        self._plant(slot, "inverted", f"{1 / number:.2f}{tail}")
        for kind, wrong in _slips(text, number, self.random):
            self._plant(slot, kind, wrong + tail)
        for kind, neighbour in self.neighbours(other):
            there = neighbour.value(measure)
            if kind in ("row", "batch") and there and kind not in slot.wrong:
                limits = {k: frozenset([v]) for k, v in neighbour.keys.items()}
                limits["variant"] = frozenset([base.keys["variant"]])
                limits["device"] = frozenset([base.keys["device"]])
                for match in self.cube.select(limits):
                    wrong = f"{(match.value(measure) or 0) / there:.2f}{tail}"
                    self._plant(slot, kind, wrong, neighbour.places[0])
        return self.mark(slot)

    def _plant(self, slot: Slot, kind: str, wrong: str, source: str = "") -> None:
        if wrong != slot.text and kind not in slot.wrong and not _rounds_to(slot.text, wrong):
            slot.wrong[kind] = wrong
            if source:
                slot.source[kind] = source

    def written(self, shape: str, text: str, suffix: str = ".md") -> Written:
        return Written(shape, text, self.slots, suffix)


def _rounds_to(true: str, wrong: str) -> bool:
    """Whether a wrong text is the true one with fewer or more zeros."""
    plain = [one.split()[0].rstrip("×%").replace(",", "") for one in (true, wrong)]
    return float(plain[0]) == float(plain[1]) and true.split()[1:] == wrong.split()[1:]


def _peer(framework: str, variant: str) -> str:
    return "eager" if variant == "eager" else COMPILED.get(framework, variant)


def _slips(text: str, number: float, chance: random.Random) -> Iterator[tuple[str, str]]:
    places = len(text.partition(".")[2])
    step = 10.0**-places
    shift = chance.choice((-3, -2, 2, 3, 4)) * step
    yield "last digit", f"{float(text.replace(',', '')) + shift:,.{places}f}"
    yield "stale", significant(number * chance.choice((0.95, 0.96, 0.97, 1.03, 1.04, 1.05)))
    yield "factor 10", significant(number * chance.choice((10, 0.1)))


def groups_of(cube: Cube, **keys: object) -> list[Group]:
    """Groups with a latency and these keys."""
    limits = {key: frozenset([value]) for key, value in keys.items()}
    return [group for group in cube.select(limits) if group.value("latency")]  # type: ignore[arg-type]


Doc = Callable[[Cube, int], Written]
DEVICE = {"cpu": "CPU", "mps": "GPU", "cuda": "GPU"}


def _program(group: Group) -> tuple[object, object, object]:
    return group.keys["model"], group.keys["framework"], group.keys["variant"]


def wide_by_batch(cube: Cube, seed: int) -> Written:
    """Rows are programs, columns are batches."""
    out = Writer(cube, seed)
    device = out.random.choice(cube.keys["device"])
    measure = out.random.choice(("latency", "throughput"))
    batches = sorted({group.keys["batch"] for group in groups_of(cube, device=device)}, key=float)
    programs = list(dict.fromkeys(map(_program, groups_of(cube, device=device))))
    chosen = out.random.sample(programs, min(8, len(programs)))
    name = {"latency": "Median latency in ms", "throughput": "Throughput in samples/s"}[measure]
    head = "| Model | Framework | Variant | " + " | ".join(f"Batch {b}" for b in batches) + " |"
    rule = "|---|---|---|" + "---:|" * len(batches)
    lines = [f"# {name} on the {DEVICE[str(device)]}", "", head, rule]
    for model, framework, variant in chosen:
        cells = []
        for batch in batches:
            found = groups_of(cube, device=device, model=model, framework=framework,
                              variant=variant, batch=batch)  # fmt: skip
            cells.append(out.value(found[0], measure, unit=False) if found else "–")
        lines.append(f"| {model} | {framework} | {variant} | " + " | ".join(cells) + " |")
    return out.written("wide by batch", "\n".join(lines) + "\n")


def wide_by_program(cube: Cube, seed: int) -> Written:
    """Rows are models, columns frameworks with their variants; batch and device in the caption."""
    out = Writer(cube, seed)
    device = out.random.choice(cube.keys["device"])
    batch = out.random.choice(
        sorted({g.keys["batch"] for g in groups_of(cube, device=device)}, key=float)
    )
    here = groups_of(cube, device=device, batch=batch)
    programs = list(dict.fromkeys((g.keys["framework"], g.keys["variant"]) for g in here))
    models = list(dict.fromkeys(g.keys["model"] for g in here))
    head = "| Model | " + " | ".join(f"{f} {v}" for f, v in programs) + " |"
    caption = f": Latency (ms) on the {DEVICE[str(device)]} at batch size {batch}"
    lines = ["## Results", "", caption, "", head, "|---|" + "---:|" * len(programs)]
    for model in models:
        cells = []
        for framework, variant in programs:
            found = [g for g in here if _program(g) == (model, framework, variant)]
            cells.append(out.value(found[0], "latency", unit=False) if found else "n/a")
        lines.append(f"| {model} | " + " | ".join(cells) + " |")
    return out.written("wide by program", "\n".join(lines) + "\n")


def long_table(cube: Cube, seed: int) -> Written:
    """A row for each cell, its keys in columns."""
    out = Writer(cube, seed)
    rows = out.random.sample(groups_of(cube), min(14, len(groups_of(cube))))
    heads = ("Device", "Framework", "Model", "Variant", "Batch", "Latency (ms)")
    head = f"| {' | '.join(heads)} | Throughput (samples/s) |"
    lines = ["# All runs", "", head, "|---|---|---|---|---:|---:|---:|"]
    for group in rows:
        keys = group.keys
        lines.append(
            f"| {str(keys['device']).upper()} | {keys['framework']} | {keys['model']} | "
            f"{keys['variant']} | {keys['batch']} | {out.value(group, 'latency', unit=False)} | "
            f"{out.value(group, 'throughput', unit=False)} |"
        )
    return out.written("long table", "\n".join(lines) + "\n")


def html_table(cube: Cube, seed: int) -> Written:
    """The long table as a page."""
    made = long_table(cube, seed)
    rows = [
        line.strip("| ").split(" | ") for line in made.text.splitlines() if line.startswith("| ")
    ]
    body = "\n".join(
        "<tr>" + "".join(f"<{tag}>{cell.strip()}</{tag}>" for cell in row) + "</tr>"
        for row, tag in zip(rows, ["th"] + ["td"] * len(rows), strict=False)
    )
    table = f"<h1>All runs</h1><table>\n{body}\n</table>"
    page = f"<!doctype html><html lang=en><body>{table}</body></html>"
    return Written("html", page, made.slots, ".html")


def prose(cube: Cube, seed: int) -> Written:
    """Paragraphs whose sentences name all that their numbers need."""
    out = Writer(cube, seed)
    lines = ["# What we measured", ""]
    for _ in range(8):
        group = out.random.choice(groups_of(cube))
        lines += [_paragraph(out, group), ""]
    return out.written("prose", "\n".join(lines))


def _paragraph(out: Writer, group: Group) -> str:
    keys = {**group.keys, "device": DEVICE[str(group.keys["device"])]}
    told = "{framework} {variant} on the {device} at batch {batch}".format(**keys)
    model = keys["model"]
    forms: Sequence[Callable[[], str]] = (
        lambda: f"With {told}, the {model} takes {out.value(group, 'latency')} a call.",
        lambda: f"The {model} reaches {out.value(group, 'throughput')} in {told}.",
        lambda: (
            f"At batch size {keys['batch']}, the {model} needs {out.value(group, 'latency')} in "
            f"{keys['framework']} ({keys['variant']}, {keys['device']}), which is "
            f"{out.value(group, 'throughput')}."
        ),
        lambda: _compared(out, group),
        lambda: _batches(out, group),
    )
    return out.random.choice(forms)()


def _compared(out: Writer, group: Group) -> str:
    """Compiled against eager, where both were measured."""
    keys = group.keys
    pair = groups_of(out.cube, **{k: v for k, v in keys.items() if k != "variant"})
    eager = next((one for one in pair if one.keys["variant"] == "eager"), None)
    compiled = next((one for one in pair if one.keys["variant"] != "eager"), None)
    device = DEVICE[str(keys["device"])]
    if eager is None or compiled is None:
        return f"The {keys['model']} was not compiled."
    where = f"{keys['framework']}'s {keys['model']} on the {device} at batch {keys['batch']}"
    faster = (eager.value("latency") or 0) > (compiled.value("latency") or 0)
    if faster:
        how = out.ratio(eager, compiled)
        return f"{compiled.keys['variant']} makes {where} {how} faster than eager."
    return (
        f"{compiled.keys['variant']} makes {where} {out.ratio(compiled, eager)} slower than eager."
    )


def _batches(out: Writer, group: Group) -> str:
    """From the smallest batch to the largest."""
    keys = {k: v for k, v in group.keys.items() if k != "batch"}
    every = sorted(groups_of(out.cube, **keys), key=lambda one: float(one.keys["batch"]))
    if len(every) < 2:
        return f"The {keys['model']} ran at one batch size."
    small, large = every[0], every[-1]
    device = DEVICE[str(keys["device"])]
    return (
        f"From batch {small.keys['batch']} to {large.keys['batch']}, the latency of the "
        f"{keys['model']} in {keys['framework']} {keys['variant']} on the {device} grows from "
        f"{out.value(small, 'latency')} to {out.value(large, 'latency')}."
    )


DOCUMENTS: tuple[Doc, ...] = (wide_by_batch, wide_by_program, long_table, html_table, prose)
