"""What a template can derive from selections: ratios, growth, counts, and who wins."""

from collections.abc import Callable, Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.contests import Contest, best_of, judged_contests
from benchproof.derive.grid import Grid, Work
from benchproof.derive.results import equal_work_groups
from benchproof.errors import SelectionError, UnequalWorkError
from benchproof.model.keys import Device, Framework
from benchproof.model.record import Record
from benchproof.records.gates import (
    SelectionRule,
    require_comparable,
    work_differences,
    work_tolerance,
)
from benchproof.records.sampling import by_source_file, fit_samples, mean_fits
from benchproof.records.study import Study
from benchproof.report.gathering import selection_rule
from benchproof.report.registry import Registry
from benchproof.report.rows import rows_counted
from benchproof.report.selection import Cells
from benchproof.report.telling import told
from benchproof.report.text import DataText
from benchproof.report.verdicts import ratio_interval
from benchproof.values.aggregates import FittingMeans, SampleCount
from benchproof.values.expression import Arithmetic, Comparison, Extreme, Field, has_field
from benchproof.values.units import Unit
from benchproof.values.value import Truth, Value, count_true, extreme, ratio_of


def speedup(base: Cells, other: Cells) -> Value:
    """How many times faster `other` is than `base`, on one kind of device."""
    return q.speedup(base.record, other.record)


def device_ratio(base: Cells, other: Cells) -> Value:
    """Latency of `base` over latency of `other`, each on the device it was asked for."""
    require_comparable(base.record, other.record)
    return q.ratio(base.record, other.record, "latency ratio")


def unlike_ratio(base: Cells, other: Cells) -> Value:
    """Latency ratio of a pair that the gates refuse; its name says that it is not like for like."""
    return ratio_of(q.latency(base.record), q.latency(other.record), "ratio, not like for like")


def growth(small: Cells, large: Cells) -> Value:
    """Latency growth from a batch to a larger one."""
    return q.latency_growth(small.record, large.record)


def throughput_growth(small: Cells, large: Cells) -> Value:
    """Throughput growth from a batch to a larger one."""
    return q.throughput_growth(small.record, large.record)


def batch_growth(small: Cells, large: Cells) -> Value:
    """Ratio of two batch sizes."""
    return q.batch_growth(small.record, large.record)


def change(first: Cells, second: Cells) -> Value:
    """Percent change of the latency between two runs of one cell."""
    return q.change(first.record, second.record)


def quotient(above: Value, below: Value, name: str) -> Value:
    """Quotient of two values under a name of its own."""
    return ratio_of(above, below, name)


def lowest(values: Sequence[Value], name: str) -> Value:
    """The smallest of several values, under a name of its own."""
    return extreme(values, "least", name)


def highest(values: Sequence[Value], name: str) -> Value:
    """The largest of several values, under a name of its own."""
    return extreme(values, "greatest", name)


def count_if(truths: Sequence[Truth], name: str) -> Value:
    """How many comparisons hold, under a name of its own."""
    return count_true(truths, name)


def differences(left: Cells, right: Cells) -> list[DataText]:
    """Fields in which the work of two records differs, as the gate names them."""
    return [DataText(difference) for difference in work_differences(left.record, right.record)]


def same_work(left: Cells, right: Cells) -> bool:
    """Whether two records did the same work."""
    return not work_differences(left.record, right.record)


class Contests(msgspec.Struct, frozen=True):
    """Counts of who is fastest where; each count notes the rule it follows (gate 5)."""

    study: Study
    registry: Registry
    models: tuple[str, ...]

    def wins(self, framework: str, device: str, batch: int, rule: str) -> Value:
        """Contests of equal work that a framework wins on a device at a batch.

        Where there are intervals it has to be conclusively faster than every rival.
        """
        selected = self._note(rule, f"wins({framework!r}, {device!r}, {batch})")
        truths = [
            _wins(contest, Framework(framework))
            for contest in self._contests(selected)
            if contest.fastest.requested is Device(device)
            and contest.fastest.batch == batch
            and framework in contest.frameworks
        ]
        return count_true(truths, f"contests that {framework} wins on {device}, {rule}")

    def tied(self, selection: Cells, rule: str) -> list[DataText]:
        """Frameworks that are not told apart in one contest, the fastest first; none: one wins."""
        return [DataText(framework) for framework in self._contest(selection, rule, "tied").tied]

    def sole_winner(self, selection: Cells, rule: str) -> Truth:
        """Whether the fastest of one contest is conclusively faster than every rival."""
        won = self._contest(selection, rule, "sole_winner").is_won
        if won is None:
            raise SelectionError(f"{selection}: no interval for every framework of the contest")
        return won

    def contested(self, device: str, batch: int, rule: str) -> Value:
        """Contests that there are: groups of equal work with at least two frameworks."""
        selected = self._note(rule, f"contested({device!r}, {batch})")
        grid = Grid(self.study.records, self.models)
        met = [_admitted(grid, device, work, batch, selected) for work in grid.works]
        truths = [truth for records in met for truth in _contests_among(records)]
        return count_true(truths, f"contests on {device} between frameworks of equal work")

    def labelled_wins(self, framework: str, device: str, batch: int, rule: str) -> Value:
        """Wins as a label-reading author counts them: any work, quarantined records included.

        Not like for like, and free of gate 5: it serves to check what somebody published.
        """
        selected = selection_rule(rule)
        grid = Grid(self.study.records + self.study.quarantined, self.models)
        truths = []
        for work in grid.works:
            met = [r for r in grid.select(Device(device), work, batch) if selected.admits(r)]
            if any(r.framework == framework for r in met):
                truths.append(_beats(met, Framework(framework)))
        name = f"models where {framework} is fastest as labelled on {device}, {rule}"
        return count_true(truths, f"{name}, not like for like")

    def _note(self, rule: str, where: str) -> SelectionRule:
        selected = selection_rule(rule)
        self.registry.rules.append((selected, where))
        return selected

    def _contests(self, rule: SelectionRule) -> list[Contest]:
        found = judged_contests(self.study, self.models, rule)
        return [contest for contest in found if contest.rivals]

    def _contest(self, selection: Cells, rule: str, function: str) -> Contest:
        """The one contest that a selection's records take part in."""
        wanted = set(map(id, selection.records))
        met = [
            contest
            for contest in self._contests(self._note(rule, f"{function}({selection})"))
            if wanted & set(map(id, contest.group))
        ]
        if len(met) != 1:
            told = "no contest" if not met else f"{len(met)} contests"
            raise SelectionError(
                f"{selection} takes part in {told} under the rule {rule!r}; "
                "name one device, model and batch at which frameworks did equal work"
            )
        return met[0]


def _admitted(grid: Grid, device: str, work: Work, batch: int, rule: SelectionRule) -> list[Record]:
    return [r for r in grid.select(Device(device), work, batch) if rule.admits(r)]


def _wins(contest: Contest, framework: Framework) -> Truth:
    """Whether a framework wins a contest, conclusively where its samples can tell."""
    won = contest.is_won
    if won is None or contest.fastest.framework is not framework:
        return _beats(contest.group, framework)
    return won


def _beats(group: Sequence[Record], framework: Framework) -> Truth:
    """Whether a framework's fastest record is faster than every other framework's."""
    own = [q.latency(r).expression for r in group if r.framework is framework]
    others = [q.latency(r).expression for r in group if r.framework is not framework]
    if not others:
        raise UnequalWorkError(f"{group[0].name}: {framework} stands alone; nothing to win")
    left = Value(Extreme("least", tuple(own)), Unit.SECOND, f"fastest {framework}")
    right = Value(Extreme("least", tuple(others)), Unit.SECOND, "fastest of the others")
    return Truth(Comparison(left.expression, "<", right.expression), left, right)


def _contests_among(records: list[Record]) -> list[Truth]:
    """For each contest a comparison that holds; for records without one, one that does not."""
    groups = [_rivals(group) for group in equal_work_groups(records)]
    pairs = [pair for pair in groups if pair] or [pair for pair in [_rivals(records)] if pair]
    return [_did_the_same(*pair) for pair in pairs]


def _rivals(records: Sequence[Record]) -> tuple[Record, Record] | None:
    """The first record, and the first of another framework; None where there is no other."""
    other = next((r for r in records if r.framework is not records[0].framework), None)
    return None if other is None else (records[0], other)


def _did_the_same(left: Record, right: Record) -> Truth:
    """Gate 2's totals as one comparison: the smaller over the larger of each total is near 1."""
    shared = [
        (Field(left, name), Field(right, name))
        for name in ("flops", "parameter_bytes", "parameters")
        if has_field(left, name) and has_field(right, name)
    ]
    agreement = [Arithmetic(Extreme("least", p), "/", Extreme("greatest", p)) for p in shared]
    least = Value(Extreme("least", tuple(agreement)), Unit.RATIO, "agreement of work")
    return least >= 1 - work_tolerance(left, right)


class Sampling(msgspec.Struct, frozen=True):
    """What the arithmetic of summaries says about their number of samples (gate 7)."""

    study: Study

    def samples(self, file: str) -> Value:
        """The n that fits every mean of one source file."""
        records = self._of(file)
        fit = fit_samples(file, records)
        if fit.samples is None:
            raise SelectionError(f"{file}: no n fits every mean")
        return Value(
            SampleCount(tuple(records), fit.samples),
            Unit.COUNT,
            f"smallest n that fits all means of {file}",
        )

    def fitting(self, file: str, samples: int) -> Value:
        """How many means of one source file fit a given n."""
        records = self._of(file)
        fitting = sum(mean_fits(record, samples) is True for record in records)
        return Value(
            FittingMeans(tuple(records), samples, fitting),
            Unit.COUNT,
            f"means of {file} that fit n = {samples}",
        )

    def _of(self, file: str) -> list[Record]:
        groups = by_source_file(self.study.everything)
        if file not in groups:
            raise SelectionError(f"no source file {file!r}; there are {', '.join(groups)}")
        return groups[file]


def best_overall(selections: Sequence[Cells]) -> Cells:
    """The selection whose record has the shortest latency."""
    records = [selection.record for selection in selections]
    return selections[records.index(best_of(records))]


def shared_functions() -> dict[str, Callable[..., object]]:
    """Template functions that need nothing but their arguments."""
    return {
        function.__name__: function
        for function in (
            speedup, device_ratio, unlike_ratio, growth, throughput_growth, batch_growth, change,
            quotient, lowest, highest, count_if, differences, same_work, best_overall,
            ratio_interval, rows_counted, told,
        )
    }  # fmt: skip
