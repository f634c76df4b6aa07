"""Figures of no method in particular: lines of several solvers, their times and speed-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from .model import Figure, Panel, Series, Value
from .selection import by_size, numbers, ratio

ROUNDOFF = 2.0**-53
SYMBOLS = ("circle", "square", "triangle", "diamond")
ROLES = [f"solver-{index}" for index in (0, 3, 4, 5, 7, 2, 1, 6, 8)]  # the reference first


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def look(index: int) -> dict:
    """Colour and symbol of the solver at a place in the order."""
    return {"role": ROLES[index % len(ROLES)], "symbol": SYMBOLS[index % len(SYMBOLS)]}


def series_of(values: Mapping[float, Value], label: str, **options) -> Series:
    """A line through the numbers by ascending x."""
    points = sorted(numbers(values).items())
    return Series(label, x=[x for x, _ in points], y=[y for _, y in points], **options)


def cloud(label: str, x: Iterable[float], y: Iterable[float], **options) -> Series:
    """A point for every pair of numbers."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    return Series(label, x=[a for a, _ in points], y=[b for _, b in points], style="points", **options)


def lines_over(rows: pd.DataFrame, x: str, y: str, solvers: Sequence[str], floor: float = 0.0) -> list[Series]:
    """A line a solver: the largest y of each x, at least `floor` where a logarithm needs a number."""
    lines = []
    for index, solver in enumerate(solvers):
        values = rows[rows["contestant"] == solver].groupby(x)[y].max().dropna().clip(lower=floor)
        values = values[values > 0]
        if len(values):
            lines.append(series_of(values.to_dict(), solver, **look(index)))
    return lines


def speed(name: str, title: str, rows: pd.DataFrame, solvers: Sequence[str], of: str) -> Figure:
    """Medians of the compute phase `of` something over n, and the speed-up over the first contestant.

    A colour a solver, dashed on one core or in full storage."""
    times = {name: numbers(by_size(rows[rows["contestant"] == name], "compute_s")) for name in solvers}
    base = times[solvers[0]] if solvers else {}
    solver_of = dict(zip(rows["contestant"], rows["solver"], strict=True))
    order = list(dict.fromkeys(solver_of[name] for name in solvers))
    clock, gain = [], []
    for contestant, own in times.items():
        style = "dashed" if contestant.endswith((", 1 core", ", full")) else "solid"
        options = look(order.index(solver_of[contestant])) | {"label": contestant, "style": style}
        ratios = {n: ratio(base[n], t) for n, t in own.items() if n in base and own is not base}
        clock += [series_of(own, **options)] if own else []
        gain += [series_of(ratios, **options)] if ratios else []
    panels = [
        Panel("Time", "order n", "time [s]", clock, x_log=True),
        Panel("Speed-up", "order n", "times as fast", gain, x_log=True),
    ]
    return Figure(name, title, panels, [f"Medians of the {of}. Speed-up over {solvers[0]}."] if solvers else [])
