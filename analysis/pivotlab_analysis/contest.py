"""Tables of several solvers' times, order by order, each beside those of the first solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .model import NOT_RUN, Column, Table, Value
from .selection import ratio

Times = Mapping[str, Mapping[int, Value]]
"""Seconds, or a word in place of them, by solver and order; the first solver is the one to compare with."""

Factor = Callable[[Value, Value], Value]
"""Of a solver's time and the first solver's."""


def as_fast(own: Value, first: Value) -> Value:
    return ratio(first, own)


def longer(own: Value, first: Value) -> Value:
    return ratio(own, first)


FACTORS: dict[Factor, str] = {as_fast: "× as fast", longer: "× longer"}


def contest(name: str, title: str, times: Times, factor: Factor) -> Table:
    """Times and factors. The more numerous go down, solvers or orders, so that the table stays narrow."""
    sizes = sorted({int(n) for own in times.values() for n in own})
    return (solvers_down if len(times) >= len(sizes) else sizes_down)(name, title, times, sizes, factor)


def sizes_down(name: str, title: str, times: Times, sizes: list[int], factor: Factor) -> Table:
    first, *others = times
    columns = [Column("n", "integer"), Column("time [s]", "seconds", first)]
    for solver in others:
        columns += [Column("time [s]", "seconds", solver), Column(FACTORS[factor], "times", solver)]
    rows: list[list[Value]] = []
    for n in sizes:
        beside = [value for solver in others for value in time_and_factor(times, solver, n, factor)]
        rows.append([n, times[first].get(n, NOT_RUN), *beside])
    return Table(name, title, columns, rows)


def solvers_down(name: str, title: str, times: Times, sizes: list[int], factor: Factor) -> Table:
    columns = [Column("solver")]
    for n in sizes:
        columns += [Column("time [s]", "seconds", f"n = {n}"), Column(FACTORS[factor], "times", f"n = {n}")]
    rows: list[list[Value]] = [
        [solver, *(value for n in sizes for value in time_and_factor(times, solver, n, factor))] for solver in times
    ]
    return Table(name, title, columns, rows)


def time_and_factor(times: Times, solver: str, n: int, factor: Factor) -> tuple[Value, Value]:
    own, first = (times[which].get(n, NOT_RUN) for which in (solver, next(iter(times))))
    return own, factor(own, first)
