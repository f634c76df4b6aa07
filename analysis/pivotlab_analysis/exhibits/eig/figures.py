# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the eigendecomposition: convergence, spectra, speed, dependence of errors and sweeps on the matrix."""

from __future__ import annotations

from collections.abc import Sequence

from ... import figures
from ...figures import ROUNDOFF, cloud, lines_over, looks_of, series_of, slug
from ...model import Figure, Panel
from ...selection import Source, contestants, resolve, sizes_in_words, with_contestants
from .. import registry
from .matrices import OWN, by_condition, by_grade


@registry.figure("eig-convergence")
def convergence(source: Source, *, title: str, solvers: Sequence[str] = ()) -> Figure:
    """‖strictly lower part‖_F/‖A_k‖_F over the sweeps, one panel per matrix, one line per solver (first seed)."""
    frame = source.frame[source.frame["lower_history"].notna()]
    frame = with_contestants(frame[frame["solver"].isin(solvers)] if solvers else frame)
    names = contestants(frame, OWN)
    looks = looks_of(names)
    panels = []
    for (problem, n), rows in frame.groupby(["problem", "n"], sort=False):
        lines = []
        for row in rows.sort_values("seed").drop_duplicates("contestant").itertuples():
            history = zip(row.lower_history, row.norm_history, strict=True)
            points = {k: lower / norm for k, (lower, norm) in enumerate(history) if lower and norm}
            lines.append(series_of(points, row.contestant, **looks[row.contestant]))
        lines = sorted(filter(lambda line: line.x, lines), key=lambda line: names.index(line.label))
        panels += [Panel(f"{problem}, n = {n}", "sweeps", "‖lower part‖ / ‖A‖", lines)] if lines else []
    notes = ["A point a sweep, the first before it; converged is below n·2⁻⁵²."] if panels else []
    return Figure(slug(title), title, panels, notes)


@registry.figure("eig-spectra")
def spectra(source: Source, *, title: str, solver: str) -> Figure:
    """Computed and true eigenvalues in the complex plane, one panel per matrix."""
    frame = source.frame[(source.frame["solver"] == solver) & source.frame["computed_eigenvalues"].notna()]
    panels = []
    for row in frame.drop_duplicates(["generator", "n", "seed"]).itertuples():
        spectra = {"true": ("square", row.true_eigenvalues), "computed": ("dot", row.computed_eigenvalues)}
        clouds = [
            cloud(name, values["re"], values["im"], role="pivot-2" if symbol == "dot" else "published", symbol=symbol)
            for name, (symbol, values) in spectra.items()
            if isinstance(values, dict)
        ]
        size, height = (max((abs(v) for c in clouds for v in getattr(c, axis)), default=0) for axis in "xy")
        # imaginary parts that are rounding errors alone are not spread over the whole height
        span = (-size / 10, size / 10) if height < 1e-6 * size else None
        panels.append(
            Panel(f"{row.problem}, n = {row.n}", "Re λ", "Im λ", clouds, y_log=False, y_span=span, equal=True)
        )
    note = f"{solver}: dots, computed; squares, the true ones where they are known."
    return Figure(slug(title), title, panels, [note] if panels else [])


@registry.figure("eig-speed")
def speed(source: Source, *, title: str, type: str, reference: str) -> Figure:
    """Time over n, and the speed-up over the reference on one core (the poster's Figure 2)."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    names = contestants(rows, resolve(reference, type))
    return figures.speed("eig-speed", title, rows, names, f"decomposition alone on {source.hardware}")


@registry.figure("eig-normality")
def normality(source: Source, *, title: str) -> Figure:
    """Errors and sweeps over κ(S) of S·Λ·S⁻¹."""
    rows = by_condition(source.frame)
    wanted = {
        "eigenvalue_error": ("Error of the eigenvalues", "max|Δλ| / ‖A‖₂"),
        "error_over_condition": ("The same over their condition", "max|Δλ| / (‖A‖₂·condition)"),
        "residual": ("Residual", "‖AV − VΛ‖ / ‖A‖"),
        "sweeps": ("Sweeps", "sweeps"),
    }
    panels = []
    for column, (name, label) in wanted.items():
        log = column != "sweeps"
        lines = lines_over(rows, "kappa", column, contestants(rows, OWN), ROUNDOFF / 4 if log else 0)
        panels.append(Panel(name, "κ(S)", label, lines, x_log=True, y_log=log))
    note = f"n = {sizes_in_words(rows['n'])}; the largest of the seeds."
    return Figure("eig-normality", title, panels, [note] if len(rows) else [])


@registry.figure("eig-graded")
def graded(source: Source, *, title: str) -> Figure:
    """The largest relative error of any eigenvalue over the grade, a panel for each order of D's elements."""
    rows = by_grade(source.frame)
    panels = []
    for order, group in rows.groupby("order"):
        lines = lines_over(group, "g", "relative_error", contestants(group, OWN), ROUNDOFF)
        labels = ("g: D from 1e−g to 1e+g", "largest |Δλ| / |λ|")
        panels.append(Panel(f"D {order}", *labels, lines))
    note = f"n = {sizes_in_words(rows['n'])}; above 1 not even the order of magnitude of some λ is right."
    return Figure("eig-graded", title, panels, [note] if panels else [])


@registry.figure("eig-sweeps")
def sweeps(source: Source, *, title: str) -> Figure:
    """Sweeps over n, one panel per kind of matrix."""
    rows = with_contestants(source.frame[source.frame["status"] == "passed"])
    panels = []
    for problem, group in rows.groupby("problem", sort=False):
        lines = lines_over(group, "n", "sweeps", contestants(group, OWN))
        panels += [Panel(problem, "order n", "sweeps", lines, x_log=True, y_log=False)] if lines else []
    return Figure("eig-sweeps", title, panels, ["The largest of the seeds."] if panels else [])
