"""Figures of the eigendecomposition: convergence, spectra, speed, and what errors and sweeps depend on."""

from __future__ import annotations

import pandas as pd

from .eig_tables import OWN, grade_of, kappa_of, plain_name
from .figures import SPEED_ROLES, series_of
from .layout import round_ticks
from .ldlt_figures import SYMBOLS, slug, speed_figure
from .ldlt_tables import contestants, with_contestants
from .model import Figure, Panel, Series
from .selection import Source, resolve, sizes_in_words

FLOOR = 2.0**-53  # where a logarithm needs a number and the error is none


def convergence(source: Source, *, title: str, solvers: list[str] | None = None) -> Figure:
    """‖strictly lower part‖_F/‖A_k‖_F over the sweeps, a panel a matrix, a line a solver."""
    frame = source.frame[source.frame["lower_history"].notna()]
    if solvers:
        frame = frame[frame["solver"].isin(solvers)]
    frame = with_contestants(frame)
    names = contestants(frame, OWN)
    panels = []
    for (generator, n), rows in frame.groupby(["generator", "n"], sort=False):
        lines = [line for name in names for line in history_lines(rows[rows["contestant"] == name], name, names)]
        if lines:
            panels.append(Panel(f"{plain_name(generator)}, n = {n}", "sweeps", "‖lower part‖ / ‖A‖", lines))
    notes = ["A point a sweep, the first before it; converged is below n·2⁻⁵²."] if panels else []
    return Figure(slug(title), title, panels, notes)


def history_lines(rows: pd.DataFrame, name: str, names: list[str]) -> list[Series]:
    """Of the first seed."""
    index = names.index(name)
    for row in rows.sort_values("seed").head(1).itertuples():
        points = [
            (k, lower / norm)
            for k, (lower, norm) in enumerate(zip(row.lower_history, row.norm_history, strict=True))
            if lower and norm
        ]
        if points:
            xs, ys = zip(*points, strict=True)
            look = {"symbol": SYMBOLS[index % 4], "style": "solid"}
            return [Series(name, SPEED_ROLES[index % 8], list(xs), list(ys), **look)]
    return []


def spectra(source: Source, *, title: str, solver: str) -> Figure:
    """The computed eigenvalues over the true ones, a panel a matrix."""
    frame = source.frame[(source.frame["solver"] == solver) & source.frame["computed_eigenvalues"].notna()]
    frame = frame.drop_duplicates(["generator", "n", "seed"])
    panels = []
    for row in frame.itertuples():
        clouds = [cloud("computed", "pivot-2", row.computed_eigenvalues, "dot")]
        if isinstance(row.true_eigenvalues, dict):
            clouds.insert(0, cloud("true", "published", row.true_eigenvalues, "square"))
        name = f"{plain_name(row.generator)}, n = {row.n}"
        xs = [x for line in clouds for x in line.x]
        ticks = round_ticks(min(xs), max(xs), 6) if xs and min(xs) < max(xs) else None
        size, height = (max((abs(x) for x in values), default=0) for values in (xs, [y for c in clouds for y in c.y]))
        # imaginary parts that are rounding errors alone are not spread over the whole height
        span = (-size / 10, size / 10) if height < 1e-6 * size else None
        panels.append(Panel(name, "Re λ", "Im λ", clouds, y_log=False, x_ticks=ticks, y_span=span))
    note = f"{solver}: dots, computed; squares, the true ones where they are known."
    return Figure(slug(title), title, panels, [note] if panels else [])


def cloud(label: str, role: str, values: dict, symbol: str) -> Series:
    points = [(re, im) for re, im in zip(values["re"], values["im"], strict=True) if re is not None and im is not None]
    xs, ys = zip(*points, strict=True) if points else ((), ())
    return Series(label, role, list(xs), list(ys), style="points", symbol=symbol)


def speed(source: Source, *, title: str, type: str, reference: str) -> Figure:
    """Time over n, and the speed-up over the reference on one core (the poster's Figure 2)."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    of = f"decomposition alone on {source.hardware}"
    return speed_figure(rows, "eig-speed", title=title, reference=resolve(reference, type), of=of)


def lines_over(rows: pd.DataFrame, x: str, y: str, floor: float = 0.0) -> list[Series]:
    """A line a contestant: the largest y of each x."""
    lines = []
    for index, name in enumerate(contestants(rows, OWN)):
        values = rows[rows["contestant"] == name].groupby(x)[y].max().dropna()
        points = {key: max(value, floor) for key, value in values.items() if max(value, floor) > 0}
        if points:
            lines.append(series_of(points, label=name, role=SPEED_ROLES[index % 8], symbol=SYMBOLS[index % 4]))
    return lines


def normality(source: Source, *, title: str) -> Figure:
    """Errors and sweeps over κ(S) of S·Λ·S⁻¹."""
    rows = with_contestants(source.frame).assign(kappa=source.frame["generator"].map(kappa_of))
    rows = rows[rows["kappa"].notna()]
    ticks = sorted(rows["kappa"].unique().tolist())
    wanted = {
        "eigenvalue_error": ("Error of the eigenvalues", "max|Δλ| / ‖A‖₂", True),
        "error_over_condition": ("The same over their condition", "max|Δλ| / (‖A‖₂·condition)", True),
        "residual": ("Residual", "‖AV − VΛ‖ / ‖A‖", True),
        "sweeps": ("Sweeps", "sweeps", False),
    }
    panels = []
    for column, (name, label, log) in wanted.items():
        lines = lines_over(rows, "kappa", column, FLOOR / 4 if log else 0)
        panels.append(Panel(name, "κ(S)", label, lines, x_log=True, y_log=log, x_ticks=ticks))
    note = f"n = {sizes_in_words(rows['n'])}; the largest of the seeds."
    return Figure("eig-normality", title, panels, [note] if len(rows) else [])


def graded(source: Source, *, title: str) -> Figure:
    """The largest relative error of any eigenvalue over the grade, a panel for each order of D's elements."""
    grades = source.frame["generator"].map(grade_of)
    rows = with_contestants(source.frame)[grades.notna()]
    rows = rows.assign(order=[g[0] for g in grades.dropna()], g=[g[1] for g in grades.dropna()])
    panels = []
    for order, group in rows.groupby("order"):
        ticks = sorted(group["g"].unique().tolist())
        lines = lines_over(group, "g", "relative_error", FLOOR)
        name = f"D {order}"
        panels.append(Panel(name, "g: D from 1e−g to 1e+g", "largest |Δλ| / |λ|", lines, x_ticks=ticks))
    note = f"n = {sizes_in_words(rows['n'])}; above 1 not even the order of magnitude of some λ is right."
    return Figure("eig-graded", title, panels, [note] if panels else [])


def sweeps(source: Source, *, title: str) -> Figure:
    """Sweeps over n, a panel a kind of matrix."""
    rows = with_contestants(source.frame[source.frame["status"] == "passed"])
    panels = []
    for generator, group in rows.groupby("generator", sort=False):
        ticks = sorted(group["n"].unique().tolist())
        lines = lines_over(group, "n", "sweeps")
        if lines:
            name = plain_name(generator)
            panels.append(Panel(name, "order n", "sweeps", lines, x_log=True, y_log=False, x_ticks=ticks))
    return Figure("eig-sweeps", title, panels, ["The largest of the seeds."] if panels else [])


BUILDERS = {
    "eig-convergence": convergence,
    "eig-spectra": spectra,
    "eig-speed": speed,
    "eig-normality": normality,
    "eig-graded": graded,
    "eig-sweeps": sweeps,
}
