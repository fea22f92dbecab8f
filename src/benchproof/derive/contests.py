"""Framework against framework: who wins each contest of equal work, and who ties."""

from collections.abc import Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.grid import Grid, Work
from benchproof.derive.judgement import (
    Judged,
    Pair,
    control_note,
    is_conclusive,
    joined,
    judge_pairs,
    largest_p,
    latency_interval,
    rounds_text,
    unstable_note,
)
from benchproof.derive.results import describe, equal_work_groups
from benchproof.derive.rows import WinnerRow
from benchproof.model.keys import Device, Framework
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule
from benchproof.records.study import Study
from benchproof.values.value import Truth, Value

WINS, TIE = "wins", "tie"


class Contest(msgspec.Struct, frozen=True):
    """Records of equal work that met under a rule, and how the fastest stands to its rivals.

    `rivals` are the best records of the other frameworks, the fastest first; `judged` runs in
    step, and is None where a rival cannot be told from the fastest for want of samples.
    """

    group: tuple[Record, ...]
    fastest: Record
    rivals: tuple[Record, ...]
    judged: tuple[Judged | None, ...]

    @property
    def frameworks(self) -> list[Framework]:
        """Frameworks that met."""
        return list(dict.fromkeys(record.framework for record in self.group))

    @property
    def adjusted_p(self) -> Value | None:
        """P-value of the fastest not being faster than every rival; None where nothing tells."""
        known = [one for one in self.judged if one]
        if not known or len(known) < len(self.judged):
            return None
        wins = (largest_p((one.adjusted_p, one.p_faster)) for one in known)
        return largest_p(list(wins))

    @property
    def is_won(self) -> Truth | None:
        """Whether the fastest is conclusively faster than every rival; None where nothing tells."""
        p = self.adjusted_p
        return None if p is None else is_conclusive(p)

    @property
    def tied(self) -> list[Framework]:
        """Frameworks that are not told apart, the fastest first; empty where one wins."""
        told = zip(self.rivals, self.judged, strict=True)
        others = [rival.framework for rival, one in told if one and not one.faster]
        return [self.fastest.framework, *others] if others else []


def judged_contests(study: Study, models: tuple[str, ...], rule: SelectionRule) -> list[Contest]:
    """Every contest of a study: by device, work, batch and group of equal work.

    A contest is won where the fastest record is conclusively faster than the best of every other
    framework. All those comparisons are judged as one family.
    """
    grid = Grid(study.records, models)
    groups = [
        group
        for device in grid.devices
        for work in grid.works
        for batch in grid.batches(work)
        for group in contests(grid, device, work, batch, rule)
    ]
    fastest = [best_of(group) for group in groups]
    rivals = [_rivals(*met) for met in zip(groups, fastest, strict=True)]
    pairs: list[Pair] = [
        (rival, first) for first, others in zip(fastest, rivals, strict=True) for rival in others
    ]
    judged = iter(judge_pairs(pairs, study))
    return [
        Contest(tuple(group), first, tuple(others), tuple(next(judged) for _ in others))
        for group, first, others in zip(groups, fastest, rivals, strict=True)
    ]


def contests(
    grid: Grid, device: Device, work: Work, batch: int, rule: SelectionRule
) -> list[list[Record]]:
    """Records that may meet under the rule, in groups of equal work."""
    admitted = [record for record in grid.select(device, work, batch) if rule.admits(record)]
    return equal_work_groups(admitted)


def best_of(records: Sequence[Record]) -> Record:
    """The record with the shortest median latency."""
    return min(records, key=lambda record: q.latency(record).number)


def _rivals(group: Sequence[Record], fastest: Record) -> list[Record]:
    """The best record of every other framework, the fastest first."""
    others: dict[Framework, list[Record]] = {}
    for record in group:
        if record.framework is not fastest.framework:
            others.setdefault(record.framework, []).append(record)
    best = [best_of(records) for records in others.values()]
    return sorted(best, key=lambda record: q.latency(record).number)


def winner_rows(study: Study, models: tuple[str, ...], rule: SelectionRule) -> list[WinnerRow]:
    """The fastest of each contest: one row per device, work, batch and group of equal work."""
    return [_winner_row(contest, rule, study) for contest in judged_contests(study, models, rule)]


def _winner_row(contest: Contest, rule: SelectionRule, study: Study) -> WinnerRow:
    fastest, second = contest.fastest, next(iter(contest.rivals), None)
    margin = contest.judged[0] if contest.judged else None
    interval, won = latency_interval(fastest), contest.is_won
    alone = "" if second else "no other framework did the same work"
    wins = second is not None and (won is None or bool(won))
    return WinnerRow(
        **describe(fastest, *(record for record in contest.group if record is not fastest)),
        device=fastest.requested.value,
        batch=fastest.batch,
        rule=rule.value,
        contest=", ".join(contest.frameworks),
        winner=fastest.framework.value if wins else None,
        variant=fastest.variant,
        runner_up=second.framework.value if second else None,
        runner_up_variant=second.variant if second else None,
        note=joined(
            alone,
            control_note(study, fastest, *contest.rivals) if margin else "",
            unstable_note(fastest, *contest.rivals),
        ),
        verdict="" if won is None else WINS if won else TIE,
        tied="" if won is None else ", ".join(contest.tied),
        between_rounds=rounds_text(fastest, *contest.rivals) if margin else "",
        latency_s=q.latency(fastest),
        latency_low_s=interval.low if interval else None,
        latency_high_s=interval.high if interval else None,
        margin=q.ratio(second, fastest, "margin over the runner-up") if second else None,
        margin_low=margin.low if margin else None,
        margin_high=margin.high if margin else None,
        adjusted_p=contest.adjusted_p,
    )
