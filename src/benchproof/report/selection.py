"""How a template names records, and what it can say of them: quantities, keys, words of theirs."""

from collections.abc import Iterable

from benchproof.derive import quantities as q
from benchproof.derive.judgement import Interval, latency_interval, throughput_interval
from benchproof.errors import SelectionError
from benchproof.evidence.sampled import between_rounds_measured, has_spread
from benchproof.report.gathering import Gathered
from benchproof.report.narrowing import NARROWING, listed
from benchproof.report.quantities import QUANTITIES
from benchproof.report.text import DataText
from benchproof.values.value import Value


class Cells(Gathered):
    """Records that match what has been named so far, as templates speak of them.

    `cells(device="mps")(model="LSTM", batch=256, variant="eager").latency` is a value; a
    quantity of a selection that holds no record, or more than one, is a SelectionError.
    """

    def __getattr__(self, name: str) -> Value | DataText:
        if name in NARROWING and name != "batch":
            return DataText(self._common(name))
        if name in QUANTITIES:
            return QUANTITIES[name](self.record)
        raise AttributeError(name)

    @property
    def batch(self) -> Value:
        """The batch size that all selected records share."""
        self._common("batch")
        return q.batch_size(self._records[0])

    @property
    def batch_keys(self) -> list[int]:
        """Batch sizes of the selection as keys to narrow by, ascending."""
        return sorted({record.batch for record in self._records})

    @property
    def batches(self) -> list[Value]:
        """Batch sizes of the selection as values to print, ascending."""
        return [self(batch=batch).batch for batch in self.batch_keys]

    @property
    def between_rounds_measured(self) -> bool:
        """Whether every selected record has two rounds at least."""
        return between_rounds_measured(*self._records)

    @property
    def has_interval(self) -> bool:
        """Whether the samples of every selected record allow an interval."""
        return all(map(has_spread, self._records))

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the one record's median latency: `low` and `high`."""
        return self._known_interval(latency_interval(self.record))

    @property
    def throughput_interval(self) -> Interval:
        """The 95 % interval of the one record's throughput: `low` and `high`."""
        return self._known_interval(throughput_interval(self.record))

    def _known_interval(self, found: Interval | None) -> Interval:
        if found is None:
            raise SelectionError(f"{self}: no interval without two timed samples")
        return found

    @property
    def source_file(self) -> DataText:
        """The file that all selected records were imported from."""
        files = sorted({record.source.file for record in self._records if record.source})
        return self._shared("source file", files)

    @property
    def device_text(self) -> DataText:
        """The device as the source named it."""
        return self._shared("device text", (record.device_text for record in self._some))

    @property
    def version(self) -> DataText:
        """The framework's version, which all selected records share."""
        return self._shared("version", (record.framework_version for record in self._some))

    @property
    def chip(self) -> DataText:
        """The chip that all selected records ran on."""
        return self._shared("chip", (record.machine.chip for record in self._some))

    def _shared(self, what: str, told: Iterable[str | None]) -> DataText:
        """The one text that the selected records tell; SelectionError names several, or none."""
        texts = list(dict.fromkeys(told))
        if len(texts) != 1 or texts[0] is None:
            raise SelectionError(f"{self}: {what} is left open ({listed(texts)})")
        return DataText(texts[0])

    @property
    def reasons(self) -> list[DataText]:
        """Why the selected records failed, were skipped or are unstable, each reason once."""
        told = (reason for record in self._records for reason in record.reasons)
        return [DataText(reason) for reason in dict.fromkeys(told)]

    def because(self, reason: str) -> list["Cells"]:
        """Records that have their status for a reason, one by one."""
        return [self._only(record) for record in self._records if reason in record.reasons]

    @property
    def places(self) -> list[DataText]:
        """Where the selected records lie."""
        return [DataText(place) for record in self._records for place in record.places]
