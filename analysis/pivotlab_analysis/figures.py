# SPDX-License-Identifier: BSD-3-Clause
"""Figures of no method in particular: lines of several solvers, their times and factors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd

from .methods import PEAKS
from .model import Figure, Panel, Series, Value
from .records import is_baseline
from .selection import LIBRARIES, by_size, numbers
from .tables import AS_FAST, LONGER, Times, factor_over

ROUNDOFF = 2.0**-53
SYMBOLS = ("circle", "square", "triangle", "diamond")
OWN_ROLES = [f"solver-{index}" for index in (0, 3, 4, 1, 6)]  # the reference first
LIBRARY_ROLES = [f"solver-{index}" for index in (5, 2, 7, 8, 6)]


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def is_library(name: str) -> bool:
    """Returns whether a solver's name or label is that of another library's routine."""
    return is_baseline(name) or name.partition(" ")[0] in LIBRARIES.values()


def looks_of(names: Iterable[str]) -> dict[str, dict]:
    """Colour and symbol of each solver: libraries have diamonds and colours of their own."""
    looks: dict[str, dict] = {}
    names = list(dict.fromkeys(names))
    for library, roles, symbols in ((False, OWN_ROLES, SYMBOLS[:3]), (True, LIBRARY_ROLES, SYMBOLS[3:])):
        own = [name for name in names if is_library(name) == library]
        for index, name in enumerate(own):
            looks[name] = {"role": roles[index % len(roles)], "symbol": symbols[index % len(symbols)]}
    return looks


def series_of(values: Mapping[float, Value], label: str, **options) -> Series:
    """A line through the numbers by ascending x."""
    points = sorted(numbers(values).items())
    return Series(label, x=[x for x, _ in points], y=[y for _, y in points], **options)


def cloud(label: str, x: Iterable[float], y: Iterable[float], **options) -> Series:
    """A point for every pair of numbers."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    return Series(label, x=[a for a, _ in points], y=[b for _, b in points], style="points", **options)


def with_peak(rates: list[Series], rows: pd.DataFrame) -> list[Series]:
    """Lines of rates in Gflop/s and, where all cases on a GPU ran on one with a measured peak, a line at the peak; its
    label states the largest share of it."""
    gpus = rows["gpu"].dropna().unique()
    peak = PEAKS.get(gpus[0]) if len(gpus) == 1 else None
    if not rates or not peak:
        return rates
    ends = [end(x for line in rates for x in line.x) for end in (min, max)]
    share = max(y for line in rates for y in line.y) * 1e9 / peak
    label = f"peak; {100 * share:.2g} % reached"
    return [*rates, Series(label, "bound", ends, [peak / 1e9] * 2, style="dashed", symbol="none")]


def lines_over(rows: pd.DataFrame, x: str, y: str, solvers: Sequence[str], floor: float = 0.0) -> list[Series]:
    """A line a solver: the largest y of each x, at least `floor` where a logarithm needs a number."""
    lines, looks = [], looks_of(solvers)
    for solver in solvers:
        values = rows[rows["contestant"] == solver].groupby(x)[y].max().dropna().clip(lower=floor)
        values = values[values > 0]
        if len(values):
            lines.append(series_of(values.to_dict(), solver, **looks[solver]))
    return lines


FACTORS = {LONGER: "times as long", AS_FAST: "times as fast"}


def contest(times: Times, factor: str, looks: Mapping[str, dict], titles: tuple[str, str], clock: str) -> list[Panel]:
    """Times over n, and factors over those of the first solver, LONGER or AS_FAST; clock: "time [s]"."""
    first = next(iter(times), "")
    base = numbers(times.get(first, {}))
    factors = {
        solver: {n: factor_over(t, base[n], factor) for n, t in own.items() if n in base}
        for solver, own in times.items()
        if solver != first
    }
    drawn = [
        [series_of(values, solver, **looks[solver]) for solver, values in lines.items() if numbers(values)]
        for lines in (times, factors)
    ]
    panels = zip(titles, (clock, FACTORS[factor]), drawn, strict=True)
    return [Panel(title, "order n", label, lines, x_log=True) for title, label, lines in panels]


def speed(
    name: str,
    title: str,
    rows: pd.DataFrame,
    solvers: Sequence[str],
    of: str,
    flops: Callable[[float], float] | None = None,
) -> Figure:
    """Medians of the compute phase `of` something over n, and the speed-up over the first contestant; the rate, if the
    flops of an order are given.

    A colour a solver, a symbol for each of its backends and numbers of cores; dashed on one core or in full storage."""
    times = {name: by_size(rows[rows["contestant"] == name], "compute_s") for name in solvers}
    solver_of = dict(zip(rows["contestant"], rows["solver"], strict=True))
    colours = looks_of([solver_of[name] for name in solvers])
    dashed = {name: "dashed" if name.endswith((", 1 core", ", full")) else "solid" for name in solvers}
    looks = {}
    for name in solvers:  # one colour, and a symbol for each backend, storage and number of cores
        alike = sum(solver_of[other] == solver_of[name] for other in looks)
        own = colours[solver_of[name]]
        looks[name] = own | {"style": dashed[name]} | ({"symbol": SYMBOLS[alike % 4]} if alike else {})
    panels = contest(times, AS_FAST, looks, ("Time", "Speed-up"), "time [s]")
    if flops:
        rates = {s: {n: flops(n) / t / 1e9 for n, t in numbers(own).items()} for s, own in times.items()}
        lines = [series_of(own, solver, **looks[solver]) for solver, own in rates.items() if own]
        panels.append(Panel("Rate", "order n", "Gflop/s", with_peak(lines, rows), x_log=True))
    return Figure(name, title, panels, [f"Medians of the {of}. Speed-up over {solvers[0]}."] if solvers else [])
