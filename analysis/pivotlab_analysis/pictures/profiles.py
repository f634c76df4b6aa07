# SPDX-License-Identifier: BSD-3-Clause
"""Solvers compared over a set of problems: performance profiles, data profiles, rankings."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..errors import InputError
from ..figures import ROUNDOFF
from ..limits import MOST_LINES, require_few
from ..model import Figure, Panel, Ranking, Series
from ..selection import TIMES
from .data import Data, lines_of
from .request import SEED, Cases, Request, cases_of

RESAMPLES, COVERAGE = 2000, 0.95
FEWEST_PROBLEMS = 3
MOST_RANKED = 40


@dataclass(frozen=True)
class Part:
    """The problems of a panel: a row for each, a column for each line."""

    title: str
    values: pd.DataFrame
    """Medians; NaN where the case did not pass."""


def parts_of(data: Data, request: Request, most_lines: int = MOST_LINES) -> tuple[Cases, list[Part]]:
    """The cases, and for each panel the problems that all of its lines have a record of."""
    cases = cases_of(data, request, most_lines=most_lines)
    besides = [request.facet] if request.facet else []
    keys = [name for name in data.problem_axes if name not in (*request.by, *besides)]
    every = lines_of(data, list(request.by), besides, True)
    value = cases.frame["value"].reindex(every.index)
    if cases.column not in TIMES:
        value = value.where(every["status"] == "passed").clip(lower=ROUNDOFF)
    every = every.assign(value=value, facet=every[besides[0]].astype(str) if besides else "")
    parts, missing, problems = [], 0, 0
    for facet in cases.facets:
        own = every[(every["facet"] == facet) & every["line"].isin(cases.lines)]
        groups = own.groupby([*keys, "line"], dropna=False)["value"]
        values, counts = groups.median().unstack("line"), groups.size().unstack("line")
        lines = [line for line in cases.lines if line in values]
        complete = counts.notna().all(axis=1)
        missing, problems = missing + int((~complete).sum()), problems + len(counts)
        if not complete.any():
            axis = next(iter(data.varying([key for key in keys if key != "n"])), "generator")
            what = f"{facet + ': ' if facet else ''}no problem has a record of each of the {len(lines)} lines"
            raise InputError(f"{what}; choose some with --where, or --facet {axis}")
        values = values.loc[complete, lines]
        parts.append(Part(f"{facet}: {len(values)} problems" if facet else f"{len(values)} problems", values))
    if missing:
        cases.notes.append(f"{missing} of {problems} problems, which not all lines have a record of, are left out.")
    return cases, parts


def share(values: pd.Series, problems: int, start: float, end: float) -> tuple[list[float], list[float]]:
    """The steps of the share of problems whose value is at most x, from start to end."""
    sorted_values = np.sort(values.dropna().to_numpy())
    xs, counts = np.unique(np.maximum(sorted_values, start), return_counts=True)
    shares = np.cumsum(counts) / problems
    x = [start, *(xs if not len(xs) or xs[0] > start else xs[1:]), end]
    first = shares[0] if len(xs) and xs[0] <= start else 0.0
    y = [first, *(shares if not len(xs) or xs[0] > start else shares[1:])]
    return x, [*y, y[-1]]


def curves(cases: Cases, part: Part, table: pd.DataFrame, start: float | None = None) -> list[Series]:
    known = table.to_numpy()[np.isfinite(table.to_numpy())]
    if not len(known):
        raise InputError(f"{part.title}: none was solved; choose others with --where")
    start = start or known.min() / 1.05
    end = max(known.max() * 1.05, start * 1.1)
    found = []
    for line in table:
        x, y = share(table[line], len(table), start, end)
        look = cases.looks[line]
        found.append(Series(line, x=x, y=y, **(look | {"style": "steps"})))
    return found


def performance(data: Data, request: Request) -> Figure:
    """Dolan and Moré's profiles: the share of problems that a solver solves within τ times the best value."""
    cases, parts = parts_of(data, request)
    panels = []
    for part in parts:
        series = curves(cases, part, part.values.div(part.values.min(axis=1), axis=0), 1.0)
        label = f"τ: {cases.value.partition(' [')[0]} over the best"
        panels.append(Panel(part.title, label, "share of problems", series, x_log=True, y_log=False))
    for panel in panels:
        panel.y_span = (0.0, 1.0)
    notes = [
        "Share of the problems that a solver solves within τ times the best value; a case that did not pass never."
    ]
    return Figure("profile", "Performance profile", panels, [*notes, *cases.notes], common_legend=len(panels) > 1)


def budget(data: Data, request: Request) -> Figure:
    """Data profiles: the share of problems that a solver solves within a value, as a time; in units of the time of one
    solver for the same problem with `ratio_to`."""
    cases, parts = parts_of(data, request)
    panels = []
    for part in parts:
        series = curves(cases, part, part.values)
        panels.append(Panel(part.title, cases.value, "share of problems", series, x_log=True, y_log=False))
    for panel in panels:
        panel.y_span = (0.0, 1.0)
    notes = ["Share of the problems that a solver solves within the value; a case that did not pass never."]
    return Figure("data-profile", "Data profile", panels, [*notes, *cases.notes], common_legend=len(panels) > 1)


def ranking(data: Data, request: Request) -> Figure:
    """Geometric means over the problems that all solvers solve, relative to the mean of all or to one solver, with
    intervals by the paired bootstrap: problems are drawn with replacement, the same ones for all solvers."""
    cases, parts = parts_of(data, replace(request, ratio_to=None), most_lines=MOST_RANKED)
    panels = []
    for part in parts:
        solved = part.values.dropna()
        if len(solved) < FEWEST_PROBLEMS:
            raise InputError(
                f"{part.title}, {len(solved)} of which all lines solve; a ranking needs {FEWEST_PROBLEMS} of these"
            )
        lines = list(solved)
        logs = np.log(solved.to_numpy())
        reference, words = reference_of(data, lines, request)
        weights = np.random.default_rng(SEED).multinomial(len(logs), np.full(len(logs), 1 / len(logs)), RESAMPLES)
        means = (weights @ logs) / len(logs)
        relative = means - means[:, reference].mean(axis=1, keepdims=True)
        ranks = relative.argsort(axis=1).argsort(axis=1) + 1
        own = logs.mean(axis=0) - logs[:, reference].mean()
        ends = [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2]
        low, high = np.exp(np.quantile(relative, ends, axis=0))
        first, last = np.quantile(ranks, ends, axis=0, method="nearest").astype(int)
        points = []
        for k in np.argsort(own):
            rank = f"{first[k]}" if first[k] == last[k] else f"{first[k]}–{last[k]}"
            look = cases.looks[lines[k]]
            label = f"{lines[k]} ({rank})"
            points.append(
                Series(label, look["role"], [float(np.exp(own[k]))], [0.0], [low[k]], [high[k]], symbol=look["symbol"])
            )
        what = cases.value.partition(" [")[0]
        panels.append(Ranking(part.title, f"{what} over {words}", points))
    require_few(sum(len(panel.points) for panel in panels), MOST_RANKED, "lines in all panels", request.by[0])
    notes = [
        f"Geometric means over the problems that all solve; {100 * COVERAGE:.0f} % intervals and ranks (in "
        f"parentheses) of {RESAMPLES} paired resamples of the problems, seed {SEED}."
    ]
    return Figure("ranking", "Ranking", panels, [*notes, *cases.notes])


def reference_of(data: Data, lines: list[str], request: Request) -> tuple[list[int], str]:
    """The columns whose mean is 1, and its name."""
    if not request.ratio_to:
        return list(range(len(lines))), "the mean of all"
    solver = data.solver_named(request.ratio_to, "--ratio-to")
    label = data.labels[solver]
    own = [k for k, line in enumerate(lines) if line == label or line.startswith(f"{label}, ")]
    if not own:
        raise InputError(f"--ratio-to: {label} is not a line of the ranking; leave it out or rank --by solver")
    return own, label
