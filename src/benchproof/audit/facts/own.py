"""Facts of records that pass the gates: benchproof's raw files, and what neural-cost measured."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from benchproof.audit.facts.fact import Fact
from benchproof.audit.facts.records import fact_of
from benchproof.audit.facts.sources import Source
from benchproof.importers.neural_cost import convert
from benchproof.model.record import Place, Record
from benchproof.records.findings import DataFinding
from benchproof.records.load import Loaded, pool_rounds
from benchproof.records.sampling import sample_fits
from benchproof.records.study import gate

NEURAL_COST = "neural-cost"


class Pool(NamedTuple):
    """Records that were pooled together, and the A/A controls among them."""

    records: tuple[Record, ...]
    controls: tuple[Record, ...] = ()


def pool_raw(files: Iterable[Loaded]) -> list[Pool]:
    """The records of raw files, rounds pooled.

    Two files with the same round of one cell cannot be pooled: the later one is a pool of its
    own, so that both are kept and the search for duplicates names them.
    """
    layers: list[tuple[list[Loaded], set[tuple[object, ...]]]] = []
    for file in files:
        keys = _rounds(file)
        layer = next((one for one in layers if not one[1] & keys), None)
        if layer is None:
            layer = ([], set())
            layers.append(layer)
        layer[0].append(file)
        layer[1].update(keys)
    return [Pool(pool_rounds(told), pool_rounds(told, "controls")) for told, _ in layers]


def _rounds(file: Loaded) -> set[tuple[object, ...]]:
    raw = file[1]
    work = raw.workload
    job = (raw.study, raw.device, raw.framework.name, work.model, work.task, work.scale)
    return {(*job, raw.run.round, cell.variant, cell.batch, cell.precision) for cell in raw.cells}


def pool_neural_cost(source: Source) -> Pool:
    """The records of a file of neural-cost; their places are in the file itself.

    ImportFormatError where it is not what the importer reads.
    """
    files = convert([source.path], NEURAL_COST)
    loaded = [
        (source.shown, raw, raw.source.sha256 if raw.source else "") for raw in files.values()
    ]
    return Pool(tuple(map(_placed, pool_rounds(loaded))))


def _placed(record: Record) -> Record:
    """The record with its places where the source has them, and not in a converted file."""
    places = tuple(
        Place(place.file, cell.source_pointer or place.pointer, place.sha256)
        for place, cell in zip(record.places, record.cells, strict=True)
    )
    return msgspec.structs.replace(record, places=places)


def own_facts(pools: Sequence[Pool]) -> tuple[Fact, ...]:
    """A fact for each record: comparable, quarantined and untimed ones alike.

    Where the records are of several chips, the chip is a key, and where those do not tell all
    studies apart, the study too.
    """
    records = [record for pool in pools for record in pool.records]
    chips = {record.machine.chip for record in records}
    pairs = {(record.machine.chip, record.study) for record in records}
    by_chip = len(chips) > 1 and not _is_host_and_gpu(records)
    by_study = len(pairs) > len(chips) and len({study for _, study in pairs} - {NEURAL_COST}) > 1
    fits = {fit.file: fit.samples for fit in sample_fits(records)}
    return tuple(
        _with_samples(_own_fact(record, by_chip=by_chip, by_study=by_study), record, fits)
        for record in records
    )


def _with_samples(fact: Fact, record: Record, fits: Mapping[str, int | None]) -> Fact:
    """The fact with how many samples the arithmetic of its source file allows (gate 7)."""
    samples = fits.get(record.source.file) if record.source else None
    if samples is None or not record.summary:
        return fact
    return msgspec.structs.replace(fact, values={**fact.values, "samples": float(samples)})


def _own_fact(record: Record, *, by_chip: bool, by_study: bool) -> Fact:
    fact = fact_of(record)
    more = {"chip": record.machine.chip} if by_chip else {}
    more |= {"study": record.study} if by_study else {}
    return msgspec.structs.replace(fact, keys={**fact.keys, **more}) if more else fact


def _is_host_and_gpu(records: Iterable[Record]) -> bool:
    """Whether each device is one chip: then the device tells the chips apart."""
    pairs = {(record.requested, record.machine.chip) for record in records}
    return len(pairs) == len({device for device, _ in pairs})


def own_findings(pools: Sequence[Pool]) -> Iterator[DataFinding]:
    """What the gates find in the records of each study."""
    studies = dict.fromkeys(record.study for pool in pools for record in pool.records)
    for study in studies:
        records = tuple(r for pool in pools for r in pool.records if r.study == study)
        controls = tuple(r for pool in pools for r in pool.controls if r.study == study)
        yield from gate(study, records, controls).findings
