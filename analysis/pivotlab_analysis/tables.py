# SPDX-License-Identifier: BSD-3-Clause
"""Tables of any method: all cases of a run, times of several solvers, a number for each solver, published
beside measured numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from .methods import COMMON, Field
from .model import NOT_RUN, NOTHING, Column, Format, Headline, Table, Value
from .remarks import NOT_PASSED, has_mark
from .selection import TIMES, Source, by_size, cell, is_number, ratio, value_of, with_marked_times

FORMATS: dict[str, Format] = {"number": "ratio", "flag": "text", "list": "text", "object": "text"}


def column_of(field: Field) -> Column:
    help = f"{field.definition}; in a passed case at most {field.bound}" if field.bound else field.definition
    return Column(field.heading, FORMATS.get(field.kind, field.kind), help=help)


def listing(name: str, title: str, frame: pd.DataFrame, columns: Mapping[str, Column]) -> Table:
    """Returns a table with one line per row of the frame and the named columns."""
    rows = [list(map(cell, line)) for line in frame[list(columns)].itertuples(index=False)]
    return Table(name, title, list(columns.values()), rows)


def axes_of(frame: pd.DataFrame, fields: Iterable[Field]) -> list[Field]:
    """The axes but for those that are n in all cases."""
    return [f for f in fields if f.is_axis and (f.name == "n" or not frame[f.name].equals(frame["n"]))]


def common_axes(frame: pd.DataFrame, fields: Iterable[Field]) -> str:
    """The axes with one value in all cases: "type d, seed 1"; empty without cases."""
    fixed = [f for f in axes_of(frame, fields) if frame[f.name].nunique(dropna=False) == 1]
    values = {f.heading: cell(frame[f.name].iloc[0]) for f in fixed}
    return ", ".join(f"{heading} {value}" for heading, value in values.items() if value is not None)


def cases(source: Source, *, title: str) -> Table:
    """Returns one line per case of the run: the axes that vary, then the columns shown by default; notes state the
    other axes and define the columns."""
    frame, fields = with_marked_times(source.frame), source.method.fields.values()
    frame["generator"] = frame["problem"]
    varying = [f for f in axes_of(frame, fields) if frame[f.name].nunique(dropna=False) > 1]
    values = [f for f in fields if (f.shown or f.name in source.details) and not f.is_axis and f.name != "message"]
    values.sort(key=lambda f: (f.name not in COMMON, f.name != "status"))
    values = [f for f in values if frame[f.name].notna().any()]
    table = listing("cases", title, frame, {f.name: column_of(f) for f in (*varying, *values)})
    if table.rows:
        alike = common_axes(frame, fields)
        table.notes += [f"All cases: {alike}."] if alike else []
        table.notes.append("; ".join(f"{f.heading}: {f.definition}" for f in values if f.name not in COMMON) + ".")
    return table


def compared(group: str, format: Format, published_on: str, measured_on: str) -> list[Column]:
    """Returns the three columns of a comparison with a paper: published, measured, ratio; heads name the hardware."""
    heads = [f"{side}\n{place}".rstrip() for side, place in (("published", published_on), ("measured", measured_on))]
    return [*(Column(head, format, group) for head in heads), Column("ratio", "ratio", group)]


def others(source: Source, *, title: str, published: str, value: str) -> Table:
    """Published numbers of other programs, or bounds of theorems, and the measured numbers of all solvers for the same
    n: the median of times, else the maximum. The notes say why they differ."""
    paper, column = source.library[published], column_of(source.method.fields[value])
    rows = source.frame
    rows = rows[rows["type"] == paper.meta["type"]] if "type" in paper.meta else rows
    how = "median" if value in TIMES else "max"
    measured = {solver: by_size(own, value, how) for solver, own in rows.groupby("label", sort=False)}
    sizes = {n for own in measured.values() for n in own}
    known, own, quotient = compared(column.label, column.format, paper.hardware, source.hardware)
    heads = [Column("published"), Column("n", "integer"), known, Column("solver"), own, quotient]
    table = Table(published, title, heads, [])
    both = paper.frame[paper.frame["n"].isin(sizes)]
    for routine, n, number in (both if len(both) else paper.frame)[["routine", "n", value]].itertuples(index=False):
        solvers = {solver: of_solver[n] for solver, of_solver in measured.items() if n in of_solver} or {None: NOT_RUN}
        table.rows += [[routine, n, number, solver, x, ratio(x, number)] for solver, x in solvers.items()]
    of = paper.meta["source"]
    table.notes = [f"Published: {paper.meta['quantity']} ({of['authors']}, {of['title']}, {of['item']})."]
    table.notes += [f"Caution: {paper.meta['caution']}."] if "caution" in paper.meta else []
    table.notes.append(paper.meta["difference"])
    return table


def emphasize_minima(table: Table) -> None:
    for j, column in enumerate(table.columns):
        values = [row[j] for row in table.rows if is_number(row[j])]
        if column.format == "precise" and values:
            table.emphasized |= {(i, j) for i, row in enumerate(table.rows) if row[j] == min(values)}


@dataclass(frozen=True)
class Quantity:
    """A quantity that a table shows for each solver: a column of the frame and its reduction to one number per line."""

    column: str
    group: str = ""
    format: Format = "scientific"
    how: str = "max"
    only_passed: bool = False
    baselines: bool = True
    """Whether baselines have the quantity."""


def by_solver(
    name: str,
    title: str,
    rows: pd.DataFrame,
    keys: Mapping[str, Column],
    quantities: Sequence[Quantity],
    solvers: Sequence[str],
) -> Table:
    """Returns one line per group of rows that agree in `keys`, and one column per quantity and contestant."""
    ours = set(rows.loc[~rows["solver"].str.contains(":"), "contestant"])
    shown = [(q, solver) for q in quantities for solver in solvers if q.baselines or solver in ours]
    heads = [Column(solver, q.format, q.group) for q, solver in shown]
    table = Table(name, title, [*keys.values(), *heads], [])
    for key, group in rows.groupby(list(keys), sort=False, dropna=False):
        own = {solver: group[group["contestant"] == solver] for solver in solvers}
        values = [value_of(own[solver], q.column, q.how, q.only_passed) for q, solver in shown]
        table.rows.append([*map(cell, key), *values])
    return table


Times = Mapping[str, Mapping[int, Value]]
"""Seconds, or a word in place of them, by solver and order; the first solver is the one to compare with."""
LONGER, AS_FAST = "× as long", "× as fast"
LIBRARIES = ("LAPACK", "cuSOLVER")
"""What names of library routines begin with."""


def factor_over(own: Value, first: Value, factor: str) -> Value:
    """Returns own/first (LONGER) or first/own (AS_FAST)."""
    return ratio(own, first) if factor == LONGER else ratio(first, own)


def seconds(time: float) -> str:
    """ "0.0134 s", "3537 s"."""
    return f"{time:.3g} s" if time < 1000 else f"{time:.0f} s"


def faster(slow: Value, fast: Value, text: str) -> list[Headline]:
    """The headline "slow → fast" of two times in seconds of cases that passed; none without both."""
    if not all(is_number(time) and not has_mark(time, NOT_PASSED) for time in (slow, fast)):
        return []
    return [Headline(f"{seconds(slow)} → {seconds(fast)}", f"{text}: {slow / fast:.3g}× as fast")]


def contest(name: str, title: str, times: Times, factor: str) -> Table:
    """Times and factors over those of the first solver, LONGER or AS_FAST. The more numerous go down, solvers or
    orders, so that the table stays narrow."""
    sizes = sorted({int(n) for own in times.values() for n in own})
    time, over = Column("time [s]", "seconds"), Column(factor, "times")

    def both(solver: str, n: int) -> list[Value]:
        own, first = (times[which].get(n, NOT_RUN) for which in (solver, next(iter(times))))
        return [own, factor_over(own, first, factor)]

    if len(times) >= len(sizes):
        heads = [Column(c.label, c.format, f"n = {n}") for n in sizes for c in (time, over)]
        rows = [[solver, *(value for n in sizes for value in both(solver, n))] for solver in times]
        return Table(name, title, [Column("solver"), *heads], rows)
    heads = [Column(c.label, c.format, solver) for solver in times for c in (time, over)]
    rows = [[n, *(value for solver in times for value in both(solver, n))] for n in sizes]
    table = Table(name, title, [Column("n", "integer"), *heads], rows)
    for line in (table.columns, *table.rows):
        del line[2]  # the first solver's factor over itself
    return table


def against_peer(times: Times, hardware: str) -> list[Headline]:
    """The headline of the fastest own solver against the fastest library on the same machine, at the largest order that
    both have solved; none without a library."""
    libraries = {solver for solver in times if solver.startswith(LIBRARIES)}

    def fastest(among: Iterable[str], n: int) -> str | None:
        own = {solver: times[solver].get(n) for solver in among}
        own = {solver: t for solver, t in own.items() if is_number(t) and not has_mark(t, NOT_PASSED)}
        return min(own, key=own.get, default=None)

    for n in sorted({n for own in times.values() for n in own}, reverse=True):
        peer, best = fastest(libraries, n), fastest(times.keys() - libraries, n)
        if peer and best:
            return faster(times[peer][n], times[best][n], f"{peer} → {best}, n = {n}, {hardware}")
    return []


def speed(
    source: Source, name: str, title: str, rows: pd.DataFrame, solvers: Sequence[str], of: str, also: Times = NOTHING
) -> Table:
    """Median times of the compute phase, and how many times as fast as the first contestant each is; `also` others."""
    times = {solver: by_size(rows[rows["contestant"] == solver], "compute_s") for solver in solvers}
    table = contest(name, title, times | also, AS_FAST)
    if len(rows):
        table.headlines += against_peer(times, source.hardware)
        table.notes.append(f"Median times of the {of} alone on {source.hardware}; as fast as {solvers[0]}.")
    return table
