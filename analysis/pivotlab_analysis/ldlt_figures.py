"""Figures of the symmetric indefinite factorization: growth by stages, what α does, speed, errors."""

from __future__ import annotations

import re

import pandas as pd

from .figures import SPEED_ROLES, series_of
from .ldlt_tables import at_usual_tolerance, contestants, lines, with_contestants
from .model import Figure, Panel, Series
from .records import USUAL_ALPHA
from .selection import Source, by_size, matrix_label, numbers, ratio, resolve, sizes_in_words

PIVOTS = {1: "1×1", 2: "2×2"}


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def round_ticks(last: float, at_most: int = 6) -> list[float]:
    """0, 200, 400, …: multiples of 1, 2 or 5 times a power of ten."""
    step = next(s for k in range(12) for s in (10**k, 2 * 10**k, 5 * 10**k) if last / s <= at_most)
    return [float(x) for x in range(0, int(last) + 1, step)]


def growth(source: Source, *, title: str, matrices: list[str] | None = None, but: list[str] | None = None) -> Figure:
    """Figures 3.10 to 3.21: max|A^[n−k]|/max|A| over the stages, the 1×1 pivots blue, the 2×2 ones red.

    matrices, but: only these, all but these.
    """
    frame = at_usual_tolerance(source.frame)
    frame = frame.assign(matrix=frame["generator"].map(matrix_label))
    frame = frame[frame["stages"].notna()]
    if matrices:
        frame = frame[frame["matrix"].isin(matrices)]
    if but:
        frame = frame[~frame["matrix"].isin(but)]
    frame = frame.assign(elsewhere=frame["backend"] != "host").sort_values("elsewhere", kind="stable")
    frame = frame.drop_duplicates(["matrix", "n", "seed", "solver"])  # whatever the backend, the pivots are the same
    panels = [growth_panel(row) for row in lines(frame)]
    return Figure(slug(f"growth {title}"), title, panels, growth_notes(frame))


def growth_notes(frame: pd.DataFrame) -> list[str]:
    notes = [
        "A point a stage: the largest element of the reduced matrix over that of A; coloured by the pivot's order."
    ]
    thinned = [row for row in frame.itertuples() if row.stages["count"] > len(row.stages["first"])]
    if thinned:
        notes.append("Of very many stages, those of largest growth in each interval are drawn.")
    if frame["pivoting"].isin(("rook", "partial")).any():
        notes.append("Blocked rook and partial pivoting form a reduced matrix for a panel, not for each of its stages.")
    return notes if len(frame) else []


def growth_panel(row) -> Panel:
    points = list(zip(row.stages["first"], row.stages["size"], row.stages["growth"], strict=True))
    clouds = []
    for size, name in PIVOTS.items():
        own = [(first + 1, value) for first, order, value in points if order == size and value > 0]
        if own:
            xs, ys = zip(*own, strict=True)
            clouds.append(Series(name, f"pivot-{size}", list(xs), list(ys), style="points", symbol="dot"))
    counts = ", ".join(f"{getattr(row, f'pivots_{s}x{s}'):.0f} {name}" for s, name in PIVOTS.items())
    return Panel(
        f"{row.matrix}, {row.solver}: {counts}", "row k of the pivot", "growth", clouds, x_ticks=round_ticks(row.n)
    )


def alpha(source: Source, *, title: str, pivoting: str) -> Figure:
    """Error, growth and share of the 2×2 pivots over α, a line a matrix (medians of the seeds)."""
    frame = source.frame[(source.frame["pivoting"] == pivoting) & source.frame["residual"].notna()]
    share = 2 * frame["pivots_2x2"] / (frame["pivots_1x1"] + 2 * frame["pivots_2x2"])
    frame = frame.assign(matrix=frame["generator"].map(matrix_label), share=100 * share)
    panels = [
        alpha_panel(frame, "residual", "Relative error", "‖A − PᵀMDMᵀP‖∞ / ‖A‖∞", y_log=True),
        alpha_panel(frame, "max_growth", "Growth", "largest growth of any stage", y_log=True),
        alpha_panel(frame, "share", "Rows in 2×2 pivots", "share of the rows [%]", y_log=False),
        alpha_panel(frame, "max_multiplier", "Largest element of M", "max|M|", y_log=True),
    ]
    note = f"n = {sizes_in_words(frame['n'])}; medians of the seeds; dashed: α₀ = (1+√17)/8, and the bound on max|M|."
    return Figure(f"alpha-{pivoting}", title, panels, [note] if len(frame) else [])


def short(generator: str) -> str:
    """ "spectrum;kappa=10000000000" → "spectrum;kappa=1e10"."""
    return re.sub(r"(?<==)1(0{5,})$", lambda zeros: f"1e{len(zeros[1])}", generator)


def alpha_panel(frame: pd.DataFrame, column: str, title: str, y_label: str, y_log: bool) -> Panel:
    lines = []
    for index, ((matrix, _), rows) in enumerate(frame.groupby(["matrix", "n"], sort=False)):
        values = rows.groupby("alpha")[column].median().dropna()
        values = values[values > 0] if y_log else values
        if len(values):
            points = values.index.tolist(), values.tolist()
            lines.append(Series(short(matrix), f"solver-{index % 9}", *points, symbol=SYMBOLS[index % 4]))
    alphas = sorted(frame["alpha"].unique().tolist())
    bounded = column == "max_multiplier" and not frame["pivoting"].eq("partial").any()
    if bounded and alphas:
        bound = [1 / a if a < 0.5 else 1 / (1 - a) for a in alphas]
        lines.append(Series("bound", "bound", alphas, bound, style="dashed", symbol="none"))
    levels = [y for line in lines for y in line.y]
    if levels:
        ends = [min(levels) if y_log else 0.0, max(levels)]
        lines.append(Series("α₀", "bound", [USUAL_ALPHA] * 2, ends, style="dashed", symbol="none"))
    return Panel(title, "α", y_label, lines, y_log=y_log, x_ticks=[0.2, 0.4, 0.6, 0.8, 1.0] if alphas else None)


SYMBOLS = ("circle", "square", "triangle", "diamond")


def speed(source: Source, *, title: str, type: str, reference: str, solvers: list[str] | None = None) -> Figure:
    """Figure 3.7: time of the factorization over n, and the speed-up over the reference on one core."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    if solvers:
        rows = rows[rows["solver"].isin([resolve(solver, type) for solver in solvers])]
    name = slug(f"ldlt speed {title}")
    of = f"factorization alone on {source.hardware}"
    return speed_figure(rows, name, title=title, reference=resolve(reference, type), of=of)


def speed_figure(rows: pd.DataFrame, name: str, *, title: str, reference: str, of: str) -> Figure:
    """Medians of the compute phase `of` something over n, and the speed-up over the reference.

    A colour a solver, dashed on one core or in full storage."""
    names = contestants(rows, reference)
    times = {name: numbers(by_size(rows[rows["contestant"] == name], "compute_s")) for name in names}
    base = times[names[0]] if names else {}
    solver_of = dict(zip(rows["contestant"], rows["solver"], strict=True))
    order = list(dict.fromkeys(solver_of[name] for name in names))
    clock, gain = [], []
    for contestant in names:
        place = order.index(solver_of[contestant])
        look = {"label": contestant, "role": SPEED_ROLES[place % len(SPEED_ROLES)], "symbol": SYMBOLS[place % 4]}
        look["style"] = "dashed" if contestant.endswith((", 1 core", ", full")) else "solid"
        if times[contestant]:
            clock.append(series_of(times[contestant], **look))
        own_times = times[contestant].items() if contestant != names[0] else ()
        ratios = {n: ratio(base[n], t) for n, t in own_times if n in base}
        if ratios:
            gain.append(series_of(ratios, **look))
    own = sorted({n for line in clock for n in line.x})
    note = f"Medians of the {of}. Speed-up over {names[0]}." if names else None
    panels = [
        Panel("Time", "order n", "time [s]", clock, x_log=True, x_ticks=own),
        Panel("Speed-up", "order n", "times as fast", gain, x_log=True, y_log=True, x_ticks=own),
    ]
    return Figure(name, title, panels, [note] if note else [])


def errors(source: Source, *, title: str) -> Figure:
    """Figure 3.8: relative errors over n, a point a matrix."""
    rows = with_contestants(source.frame)
    rows = rows[rows["residual"] > 0]
    lines = []
    for index, name in enumerate(contestants(rows, "LDLT-BP")):
        own = rows[rows["contestant"] == name].sort_values("n")
        points = own["n"].tolist(), own["residual"].tolist()
        lines.append(Series(name, SPEED_ROLES[index % 8], *points, style="points", symbol=SYMBOLS[index % 4]))
    sizes = sorted(rows["n"].unique().tolist())
    panel = Panel("Relative error", "order n", "‖A − PᵀMDMᵀP‖∞ / ‖A‖∞", lines, x_ticks=sizes)
    seeds = rows["seed"].nunique()
    return Figure("ldlt-errors", title, [panel], [f"{seeds} matrices of each order, a point each."] if lines else [])


GJG = {
    "gjg": ("computed in double", "solver-0", "circle"),
    "gjg_rounded": ("quad, rounded to double", "solver-1", "square"),
    "gjg_quad": ("computed in quad", "solver-2", "triangle"),
}


def gjg(source: Source, *, title: str) -> Figure:
    """Figure 3.22: relative errors of G J Gᵀ over n, a point a matrix, in double and in extended precision."""
    rows = source.frame[source.frame["gjg"].notna()].sort_values("n")
    sizes = sorted(rows["n"].unique().tolist())

    def panel(name: str, columns: list[str]) -> Panel:
        clouds = []
        for column in columns:
            own = rows[rows[column] > 0]
            label, role, symbol = GJG[column]
            points = own["n"].tolist(), own[column].tolist()
            clouds += [Series(label, role, *points, style="points", symbol=symbol)] if len(own) else []
        return Panel(name, "order n", "‖PAPᵀ − GJGᵀ‖∞ / ‖A‖∞", clouds, x_ticks=sizes)

    panels = [panel("In double precision", ["gjg", "gjg_rounded"]), panel("Beside quadruple precision", list(GJG))]
    note = f"{rows['seed'].nunique()} matrices of each order, a point each; complete pivoting."
    return Figure("ldlt-gjg", title, panels, [note] if len(rows) else [])


BUILDERS = {
    "ldlt-growth": growth,
    "ldlt-alpha": alpha,
    "ldlt-speed": speed,
    "ldlt-errors": errors,
    "ldlt-gjg": gjg,
}
