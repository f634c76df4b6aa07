# SPDX-License-Identifier: BSD-3-Clause
"""Single measurements: all samples of every time, and the history of solvers and of cases over the commits that ran
them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist, fmean, median, stdev

import pandas as pd

from .methods import at
from .model import Column, Table, Value
from .records import Run, hardware_of
from .tables import AS_FAST, column_of, factor_over


def samples(runs: Iterable[Run]) -> str:
    """A CSV with a line for each sample: experiment, key, case, status, seconds of the compute phase and in all."""
    lines = []
    for record in (record for run in runs for record in run.records):
        case = (
            {"experiment": record["experiment"], "key": record["key"]} | record["case"] | {"status": record["status"]}
        )
        times = {name: at(record, f"/time/{name}/samples") or [] for name in ("compute_s", "wall_s")}
        pairs = pd.DataFrame({name: pd.Series(own, dtype=float) for name, own in times.items()})
        lines += [case | {"sample": k} | pair for k, pair in enumerate(pairs.to_dict("records"), start=1)]
    return pd.DataFrame(lines).to_csv(index=False, lineterminator="\n")


MOST_COMMITS = 10
LEAST_CHANGE, FALSE_ALARMS = 0.02, 0.01
LEAST_NOISE = 0.005
"""Relative standard error of a median, which differs by as much from process to process."""
DISTURBED = ("loaded", "throttled", "resumed")


def commit_of(record: dict) -> str:
    changed = " with changes" if at(record, "/provenance/clean") is False else ""
    return (at(record, "/provenance/commit") or "unknown")[:12] + changed


def time_of(record: dict) -> tuple[float, float] | None:
    """The median time of a case and its relative standard error; None for a case that did not pass or was disturbed."""
    samples = at(record, "/time/compute_s/samples") or []
    flags = at(record, "/time/flags") or []
    disturbed = at(record, "/time/crowded_samples") or any(flag in DISTURBED for flag in flags)
    if record["status"] != "passed" or not samples or disturbed or not min(samples) > 0:
        return None
    spread = (at(record, "/time/compute_s/q3") - at(record, "/time/compute_s/q1")) / 1.349 / median(samples)
    return median(samples), max(LEAST_NOISE, 1.25 * spread / math.sqrt(len(samples)))


Times = dict[str, tuple[float, float]]


def change(before: Times, after: Times) -> tuple[float, float] | None:
    """The mean logarithm of the ratios of times of the cases that both have, and the probability of such a one without
    a change: its standard error is the larger of that of the samples and that of the cases."""
    keys = before.keys() & after.keys()
    if not keys:
        return None
    ratios = [math.log(after[key][0] / before[key][0]) for key in keys]
    of_samples = math.sqrt(sum(before[key][1] ** 2 + after[key][1] ** 2 for key in keys)) / len(keys)
    of_cases = stdev(ratios) / math.sqrt(len(keys)) if len(keys) > 1 else 0.0
    mean = fmean(ratios)
    return mean, 2 * (1 - NormalDist().cdf(abs(mean) / max(of_samples, of_cases)))


def overview(runs: Iterable[Run]) -> Table | None:
    """One line a solver on a machine, and a column for each commit by its first start: its times over those of the
    first commit, as the product of the geometric means of ratios from commit to commit. A change of 2 % or more that
    has a probability of 1 % in a table without changes (normal errors, Holm) is marked. None for a single commit."""
    starts: dict[str, str] = {}
    groups: dict[tuple[str, str], dict[str, dict[str, list[tuple[float, float]]]]] = {}
    for record in (record for run in runs for record in run.records):
        commit, started = commit_of(record), str(at(record, "/provenance/started"))
        starts[commit] = min(started, starts.get(commit, started))
        if time := time_of(record):
            group = groups.setdefault((str(record["case"]["solver"]), hardware_of(record)), {})
            group.setdefault(commit, {}).setdefault(record["key"], []).append(time)
    commits = sorted(starts, key=lambda commit: starts[commit])[-MOST_COMMITS:]
    if len(commits) < 2 or not groups:
        return None
    machines = len({machine for _, machine in groups}) > 1
    heads = [Column("solver"), *([Column("machine")] if machines else []), Column("cases", "integer")]
    table = Table("history", "Times over those of the first commit", [*heads, *map(Column, commits)], [])
    lines, chances = [], []
    for (solver, machine), own in sorted(groups.items()):
        medians = {c: {k: (median(t for t, _ in v), max(e for _, e in v)) for k, v in own[c].items()} for c in own}
        known = [commit for commit in commits if commit in medians]
        steps = {
            after: change(medians[before], medians[after]) for before, after in zip(known, known[1:], strict=False)
        }
        lines.append((solver, machine, len({key for keys in medians.values() for key in keys}), known, steps))
        chances += [step[1] for step in steps.values() if step]
    chances.sort()
    kept = next((k for k, p in enumerate(chances) if p * (len(chances) - k) > FALSE_ALARMS), len(chances))
    limit = chances[kept - 1] if kept else -1.0
    for solver, machine, count, known, steps in lines:
        cells: dict[str, str] = {}
        level: float | None = 0.0
        for commit in known:
            step = steps.get(commit)
            level = 0.0 if commit == known[0] else level + step[0] if step and level is not None else None
            found = step and step[1] <= limit and abs(step[0]) >= LEAST_CHANGE
            mark = ("" if not found else " slower!" if step[0] > 0 else " faster!") if step else ""
            cells[commit] = "-" if level is None else f"{math.exp(level):.3f}{mark}"
        own = [solver, *([machine] if machines else []), count]
        table.rows.append([*own, *(cells.get(commit) for commit in commits)])
    table.notes.append(
        "A line is a solver, a number the geometric mean over the cases that a commit and the one before it have; "
        f"! marks a change of {LEAST_CHANGE:.0%} or more, by chance in about {FALSE_ALARMS:.0%} of tables without "
        "changes. Times that other work, heat or an interruption disturbed are left out."
    )
    return table


def histories(runs: Iterable[Run], key: str | None = None) -> list[Table]:
    """For each case that several of the runs have, or the one of that key, a line for each record by its start: commit,
    status, median time, how many times as fast as the first, and what is compared of the method."""
    found: dict[str, list[tuple[Run, dict]]] = {}
    for run in runs:
        for record in run.records:
            found.setdefault(record["key"], []).append((run, record))
    chosen = {k: own for k, own in found.items() if (len(own) > 1 if key is None else k == key)}
    return [history(own) for own in chosen.values()]


def history(records: list[tuple[Run, dict]]) -> Table:
    """The records of one case in the order of their starts."""
    records = sorted(records, key=lambda pair: at(pair[1], "/provenance/started") or "")
    method, case = records[0][0].method, records[0][1]["case"]
    errors = [f for f in method.fields.values() if f.compared and f.kind == "scientific"]
    fields = [method.fields[name] for name in ("started", "commit", "status", "compute_s", "wall_s")]
    columns = [Column("run"), *map(column_of, fields), Column(AS_FAST, "times"), *map(column_of, errors)]
    title = ", ".join(f"{name} {value}" for name, value in case.items() if name != "method")
    table = Table(f"history-{records[0][1]['key'][:12]}", title, columns, [])
    first = next((t for _, r in records if r["status"] == "passed" and (t := at(r, "/time/compute_s/median"))), None)
    for run, record in records:
        values: list[Value] = [field.of(record) for field in fields]
        values[1] = commit_of(record)
        factor = factor_over(values[3], first, AS_FAST) if record["status"] == "passed" else None
        table.rows.append([str(run.path), *values, factor, *(field.of(record) for field in errors)])
    return table
