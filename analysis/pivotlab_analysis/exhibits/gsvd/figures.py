# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the generalized SVD: Figures 2 to 5 of the paper, the accuracy on graded pairs, the speed."""

from __future__ import annotations

import pandas as pd

from ...figures import ROUNDOFF, cloud, contest, looks_of, series_of
from ...model import Figure, Panel, Series
from ...selection import TIME_NAMES, TYPE_NAMES, Source, by_size, numbers, resolve, sizes_in_words
from ...tables import LONGER
from .. import registry
from .solvers import SUBVARIANTS, label, ordered_solvers, variants, width_labels, with_grading

SYMBOLS = {"FB": "circle", "BO": "square"}
DASHED = {"style": "dashed", "symbol": "none"}


def wants_log_axis(own: list, published: list) -> bool:
    """Returns whether the measured sizes would crowd in a corner of the published ones on a linear axis of n."""
    return bool(own) and bool(published) and max(published) > 2 * max(own)


def subvariant_series(rows: pd.DataFrame, column: str, how: str, only_passed: bool = True) -> list[Series]:
    series = []
    for name in SUBVARIANTS:
        group = rows[rows["subvariant"] == name]
        line = series_of(by_size(group, column, how, only_passed), name, role=name, symbol=SYMBOLS[name[3:5]])
        if line.x and column == "wall_s":
            line.low, line.high = ([by_size(group, q)[n] for n in line.x] for q in ("wall_q1_s", "wall_q3_s"))
        series += [line] if line.x else []
    return series


@registry.figure("figure-times")
def figure_times(source: Source, *, title: str, published: str, type: str, id: int) -> Figure:
    """Figures 2 and 3: wall time of the four subvariants, and the outer sweeps of the two fastest."""
    paper = source.library[published]
    rows = variants(source.frame, type, id)
    times = subvariant_series(rows, "wall_s", "median")
    known = series_of(paper.column("wall_s"), f"published, {paper.hardware}", role="published", **DASHED)
    own = sorted({n for line in times for n in line.x})
    common = sorted(set.intersection(*(set(line.x) for line in times))) if times else own
    at_last = {line.label: line.y[line.x.index(n)] for n in (common or own)[-1:] for line in times if n in line.x}
    fastest = sorted(at_last, key=at_last.get)[:2]  # at the largest size that all of them reached
    sweeps = [line for line in subvariant_series(rows, "sweeps", "median") if line.label in fastest]
    name = f"{type.upper()}HZ{id}"
    panels = [
        Panel(f"Wall time of {name}", "order n", "wall time [s]", [*times, known], wants_log_axis(own, known.x)),
        Panel(f"Outer sweeps of the two fastest, {name}", "order n", "outer sweeps", sweeps, y_log=False),
    ]
    note = f"Measured on {source.hardware} at n = {sizes_in_words(own)}; "
    note += f"dashed: {paper.meta['solver']} as published, on {paper.meta['hardware']}."
    return Figure(published, title, panels, [note])


@registry.figure("figure-errors")
def figure_errors(source: Source, *, title: str, published: str, type: str, id: int, maxima: str = "table6") -> Figure:
    """Figures 4 and 5: relative normwise errors of the four subvariants, beside the condition number of F."""
    paper, largest = source.library[published], source.library[maxima]
    rows = variants(source.frame, type, id)
    errors = subvariant_series(rows, "residual_f", "max", only_passed=False)
    own = sorted({n for line in errors for n in line.x})
    n_max, top = largest.meta["n_max"], largest.column(f"residual_f_{type}", "id")[id]
    if own:
        ends = {n: top * n / n_max for n in (min(own), max(own))}
        errors.append(series_of(ends, f"{largest.item}, scaled", role="published", **DASHED))
    pairs = rows.drop_duplicates(["n", "generator", "seed"])
    kappa = series_of(by_size(pairs, "kappa_f", only_passed=False), "measured", role="measured", symbol="diamond")
    known = series_of(paper.column("kappa_f"), "published", role="published", **DASHED)
    conditions, log = [line for line in (kappa, known) if line.x], wants_log_axis(kappa.x, known.x)
    panels = [
        Panel(f"Relative error of {type.upper()}HZ{id}", "order n", "‖F − UΣX‖ / ‖F‖", errors),
        Panel(f"Condition of the {TYPE_NAMES[type]} pairs", "order n", "κ₂(F)", conditions, log),
    ]
    notes = [
        f"Measured on {source.hardware} at n = {sizes_in_words(own)}. "
        f"Dashed: {largest.item}'s maximum for ID {id}, scaled with n; κ₂(F) of the paper's pairs."
    ]
    notes += [f"Published κ₂(F): {paper.meta['caution']}"] if "caution" in paper.meta else []
    return Figure(published, title, panels, notes)


@registry.figure("accuracy-graded")
def accuracy_graded(source: Source, *, title: str, type: str = "d", bound: float = 1e-13) -> Figure:
    """Largest relative error of any σ over the grading, a panel for each family of pairs, all with the same y-axis."""
    rows = with_grading(source.frame[source.frame["type"] == type])
    errors = rows["sigma_error"]
    span = (min(ROUNDOFF, errors.min()), max(1.0, errors.max())) if errors.any() else None
    panels = []
    for family, group in rows.groupby("family", sort=False):
        g = sorted(group["g"].unique().tolist())
        lines = [Series(f"{level:g}", "bound", [g[0], g[-1]], [level] * 2, **DASHED) for level in (1.0, bound)]
        labels_of = width_labels(rows)
        looks = looks_of(labels_of)
        for solver, name in labels_of.items():
            worst = group[group["solver"] == solver].groupby("g")["sigma_error"].max().dropna()
            if len(worst):
                floored = worst.clip(lower=ROUNDOFF / 2).to_dict()  # a logarithm has no zero
                lines.append(series_of(floored, name, **looks[solver]))
        labels = ("g: D graded from 1e−g to 1e+g", "largest relative error of any σ")
        panels.append(Panel(f"Pairs {family}", *labels, lines, y_span=span))
    notes = ["Above 1 not even the order of magnitude of some σ is right."] if panels else []
    return Figure(f"graded-{type}", title, panels, notes)


@registry.figure("speed")
def speed(
    source: Source,
    *,
    title: str,
    reference: str,
    type: str | list[str] = "d",
    time: str = "wall_s",
    peers_only: bool = False,
) -> Figure:
    """Time over n of all solvers, and how many times as long as the reference each takes."""
    panels = [
        panel for letter in type for panel in speed_panels(source, resolve(reference, letter), letter, time, peers_only)
    ]
    note = f"Median {TIME_NAMES[time]}s on {source.hardware}; solvers timed at two sizes or more."
    return Figure(f"speed-{''.join(type)}", title, panels, [note])


def speed_panels(source: Source, reference: str, type: str, time: str, peers_only: bool) -> list[Panel]:
    rows = source.frame[source.frame["type"] == type]
    solvers = ordered_solvers(rows, reference, peers_only)
    times = {solver: by_size(rows[rows["solver"] == solver], time, only_passed=False) for solver in solvers}
    few = len(numbers(times[reference])) < 2
    times = {s: own for s, own in times.items() if s == reference or numbers(own) and (few or len(own) > 1)}
    looks = {label(solver): own for solver, own in looks_of(times).items()}
    name = f"{TYPE_NAMES[type].capitalize()} pairs"
    titles = (name, f"{name}, over {label(reference)}")
    panels = contest(
        {label(solver): own for solver, own in times.items()}, LONGER, looks, titles, f"{TIME_NAMES[time]} [s]"
    )
    return [panel for panel in panels if panel.series]


@registry.figure("error-by-condition")
def error_by_condition(source: Source, *, title: str, type: str = "d") -> Figure:
    """Largest relative error of σ over the pair's condition, one point per case, and roundoff times condition."""
    rows = source.frame[source.frame["type"] == type].dropna(subset=["sigma_error"])
    rows = rows.assign(kappa=rows["kappa_f"] + rows["kappa_g"]).sort_values("kappa")
    lines = []
    for index, (solver, group) in enumerate(rows.groupby("solver")):
        lines.append(cloud(label(solver), group["kappa"], group["sigma_error"], role=f"solver-{index}"))
    if len(rows):
        bound = {kappa: ROUNDOFF * kappa for kappa in (rows["kappa"].min(), rows["kappa"].max())}
        lines.append(series_of(bound, "u·(κ₂(F) + κ₂(G))", role="bound", **DASHED))
    name = f"{TYPE_NAMES[type].capitalize()} pairs"
    panel = Panel(name, "κ₂(F) + κ₂(G)", "largest relative error of any σ", lines, x_log=True)
    note = f"n = {sizes_in_words(rows['n'])}; a point a seed. u = 2⁻⁵³ is the unit roundoff."
    return Figure(f"error-by-condition-{type}", title, [panel], [note])
