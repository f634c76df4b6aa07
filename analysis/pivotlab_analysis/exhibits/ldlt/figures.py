# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the symmetric indefinite factorization: growth by stages, dependence on α, speed, errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from ... import figures
from ...figures import SYMBOLS, cloud, looks_of, series_of, slug
from ...model import Figure, Panel, Series
from ...selection import Source, resolve, sizes_in_words
from .. import registry
from .solvers import USUAL_ALPHA, at_usual_tolerance, contestants, lines, with_contestants

PIVOTS = {1: "1×1", 2: "2×2"}


@registry.figure("ldlt-growth")
def growth(source: Source, *, title: str, matrices: Sequence[str] = (), but: Sequence[str] = ()) -> Figure:
    """Figures 3.10 to 3.21: max|A^[n−k]|/max|A| over the stages, the 1×1 pivots blue, the 2×2 ones red.

    matrices: only these; but: all except these.
    """
    frame = at_usual_tolerance(source.frame)
    frame = frame[frame["stages"].notna() & ~frame["problem"].isin(but)]
    frame = frame[frame["problem"].isin(matrices)] if matrices else frame
    frame = frame.sort_values("backend", key=lambda names: names != "host", kind="stable")
    frame = frame.drop_duplicates(["problem", "n", "seed", "solver"])  # whatever the backend, the pivots are the same
    notes = [
        "A point a stage: the largest element of the reduced matrix over that of A; coloured by the pivot's order."
    ]
    if any(stages["count"] > len(stages["first"]) for stages in frame["stages"]):
        notes.append("Of very many stages, those of largest growth in each interval are drawn.")
    if frame["pivoting"].isin(("rook", "partial")).any():
        notes.append("Blocked rook and partial pivoting form a reduced matrix for a panel, not for each of its stages.")
    panels = [growth_panel(row) for row in lines(frame)]
    return Figure(slug(f"growth {title}"), title, panels, notes if panels else [])


def growth_panel(row) -> Panel:
    points = pd.DataFrame({name: row.stages[name] for name in ("first", "size", "growth")})
    points = points[points["growth"] > 0]  # a logarithm has no zero
    clouds = [
        cloud(PIVOTS[size], own["first"] + 1, own["growth"], role=f"pivot-{size}", symbol="dot")
        for size, own in points.groupby("size")
    ]
    counts = ", ".join(f"{getattr(row, f'pivots_{s}x{s}'):.0f} {name}" for s, name in PIVOTS.items())
    return Panel(f"{row.problem}, {row.solver}: {counts}", "row k of the pivot", "growth", clouds)


@registry.figure("ldlt-alpha")
def alpha(source: Source, *, title: str, pivoting: str) -> Figure:
    """Error, growth and share of the 2×2 pivots over α, one line per matrix (medians of the seeds)."""
    frame = source.frame[(source.frame["pivoting"] == pivoting) & source.frame["residual"].notna()]
    share = 2 * frame["pivots_2x2"] / (frame["pivots_1x1"] + 2 * frame["pivots_2x2"])
    frame = frame.assign(share=100 * share)
    panels = [
        alpha_panel(frame, "residual", "Relative error", "‖A − PᵀMDMᵀP‖∞ / ‖A‖∞"),
        alpha_panel(frame, "max_growth", "Growth", "largest growth of any stage"),
        alpha_panel(frame, "share", "Rows in 2×2 pivots", "share of the rows [%]", y_log=False),
        alpha_panel(frame, "max_multiplier", "Largest element of M", "max|M|"),
    ]
    note = f"n = {sizes_in_words(frame['n'])}; medians of the seeds; dashed: α₀ = (1+√17)/8, and the bound on max|M|."
    return Figure(f"alpha-{pivoting}", title, panels, [note] if len(frame) else [])


def alpha_panel(frame: pd.DataFrame, column: str, title: str, y_label: str, y_log: bool = True) -> Panel:
    lines = []
    dashed = {"role": "bound", "style": "dashed", "symbol": "none"}
    for index, ((matrix, _), rows) in enumerate(frame.groupby(["problem", "n"], sort=False)):
        values = rows.groupby("alpha")[column].median().dropna()
        values = values[values > 0] if y_log else values
        if len(values):
            name = re.sub(r"(?<==)1(0{5,})$", lambda zeros: f"1e{len(zeros[1])}", matrix)
            options = {"role": f"solver-{index % 9}", "symbol": SYMBOLS[index % 4]}
            lines.append(series_of(values.to_dict(), name, **options))
    bounds = frame.groupby("alpha")["multiplier_bound"].first().dropna()
    if column == "max_multiplier" and len(bounds):
        lines.append(series_of(bounds.to_dict(), "bound", **dashed))
    if levels := [y for line in lines for y in line.y]:
        ends = [min(levels) if y_log else 0.0, max(levels)]
        lines.append(Series("α₀", x=[USUAL_ALPHA] * 2, y=ends, **dashed))
    return Panel(title, "α", y_label, lines, y_log=y_log)


@registry.figure("ldlt-speed")
def speed(source: Source, *, title: str, type: str, reference: str, solvers: Sequence[str] = ()) -> Figure:
    """Figure 3.7: time of the factorization over n, the speed-up over the reference on one core, and the rate: n³/3
    flops, complex 4/3·n³, beside the GPU's measured peak."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    if solvers:
        rows = rows[rows["solver"].isin([resolve(solver, type) for solver in solvers])]
    names = contestants(rows, resolve(reference, type))
    of = f"factorization alone on {source.hardware}"
    factor = 4 if type == "z" else 1
    figure = figures.speed(slug(f"ldlt speed {title}"), title, rows, names, of, lambda n: factor * n**3 / 3)
    figure.notes += [f"Rate: {'4/3·n³' if factor == 4 else 'n³/3'} flops by the time."] if names else []
    return figure


@registry.figure("ldlt-errors")
def errors(source: Source, *, title: str) -> Figure:
    """Figure 3.8: relative errors over n, one point per matrix."""
    rows = with_contestants(source.frame)
    rows = rows[rows["residual"] > 0].sort_values("n")
    clouds = []
    for name, look in looks_of(contestants(rows, "LDLT-BP")).items():
        own = rows[rows["contestant"] == name]
        clouds.append(cloud(name, own["n"], own["residual"], **look))
    panel = Panel("Relative error", "order n", "‖A − PᵀMDMᵀP‖∞ / ‖A‖∞", clouds)
    note = f"{rows['seed'].nunique()} matrices of each order, a point each."
    return Figure("ldlt-errors", title, [panel], [note] if clouds else [])


GJG = {
    "gjg_error": ("computed in double", "solver-0", "circle"),
    "gjg_rounded": ("quad, rounded to double", "solver-1", "square"),
    "gjg_quad": ("computed in quad", "solver-2", "triangle"),
}


@registry.figure("ldlt-gjg")
def gjg(source: Source, *, title: str) -> Figure:
    """Figure 3.22: relative errors of G J Gᵀ over n, one point per matrix, in double and in extended precision."""
    rows = source.frame[source.frame["gjg_error"].notna()].sort_values("n")
    clouds = []
    for column, (name, role, symbol) in GJG.items():
        own = rows[rows[column] > 0]
        clouds += [cloud(name, own["n"], own[column], role=role, symbol=symbol)] if len(own) else []
    panels = [
        Panel(name, "order n", "‖PAPᵀ − GJGᵀ‖∞ / ‖A‖∞", shown)
        for name, shown in (("In double precision", clouds[:2]), ("Beside quadruple precision", clouds))
    ]
    note = f"{rows['seed'].nunique()} matrices of each order, a point each; complete pivoting."
    return Figure("ldlt-gjg", title, panels, [note] if len(rows) else [])
