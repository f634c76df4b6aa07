# SPDX-License-Identifier: BSD-3-Clause
"""Error against time of all ways to a decomposition: a line a solver through its orders n."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ..figures import looks_of
from ..model import Figure, Panel, Series
from ..records import is_baseline
from ..selection import TYPE_NAMES, Source, is_number, resolve, sizes_in_words, value_of

TIME = "time [s]"


def rows_of(source: Source, type: str, solvers: Iterable[str]) -> pd.DataFrame:
    """Returns the cases of a type, of certain solvers if any are named."""
    rows = source.frame[source.frame["type"] == type]
    names = [resolve(name, type) for name in solvers]
    return rows[rows["solver"].isin(names)] if names else rows


def panel(title: str, rows: pd.DataFrame, column: str, error: str) -> Panel:
    return Panel(title, TIME, error, paths(rows[rows[column].notna()], column), x_log=True)


def figure(name: str, title: str, source: Source, rows: pd.DataFrame, panels: list[Panel], problems: str) -> Figure:
    """problems: what they are called, such as "pairs"."""
    note = f"A point is an order: n = {sizes_in_words(rows['n'])}, {problems}, on {source.hardware}; "
    note += "median times and largest errors. Fast and accurate is below on the left."
    return Figure(name, title, [p for p in panels if p.series], [note] if len(rows) else [])


def of_values(source: Source, title: str, type: str, solvers: Iterable[str], symbol: str) -> Figure:
    """Returns a panel for each kind of matrices of several orders with the largest relative error of any value, and one
    with the orthogonality of the vectors, the largest over all kinds."""
    rows = rows_of(source, type, solvers)
    kinds = [(kind, group) for kind, group in rows.groupby("problem", sort=False) if group["n"].nunique() > 1]
    error = f"largest |Δ{symbol}| / |{symbol}|"
    panels = [panel(f"{symbol}, {kind}", group, "relative_error", error) for kind, group in kinds]
    panels.append(panel("Vectors", rows, "orthogonality", "‖UᴴU − I‖"))
    name = f"{source.method.name}-time-accuracy-{type}"
    return figure(name, title, source, rows, panels, f"{TYPE_NAMES[type]} matrices")


def paths(rows: pd.DataFrame, column: str) -> list[Series]:
    lines = []
    names = sorted(rows["solver"].unique(), key=lambda name: (is_baseline(name), len(name), name))
    looks, labels = looks_of(names), dict(zip(rows["solver"], rows["label"], strict=True))
    for name in names:
        points = [
            (value_of(group, "compute_s", only_passed=False), value_of(group, column, "max", only_passed=False))
            for _, group in rows[rows["solver"] == name].groupby("n")
        ]
        points = [(x, y) for x, y in points if is_number(x) and is_number(y) and y > 0]
        if points:
            lines.append(Series(labels[name], x=[x for x, _ in points], y=[y for _, y in points], **looks[name]))
    return lines
