"""Figures from records, as values: what the paper's Figures 2–5 show, the accuracy on graded pairs, the speed."""

from __future__ import annotations

from .layout import number
from .model import Figure, Mark, Panel, Series
from .remarks import NOT_PASSED, has_mark
from .selection import (
    SUBVARIANTS,
    TYPE_NAMES,
    Source,
    by_size,
    hz,
    numbers,
    ratio,
    resolve,
    sizes_in_words,
    solver_label,
    width_labels,
)
from .tables import families, speed_solvers, with_grading

SYMBOLS = {"FB": "circle", "BO": "square"}
ROUNDING = 2.0**-53


def series_of(values: dict, **options) -> Series:
    points = sorted(numbers(values).items())
    return Series(x=[x for x, _ in points], y=[y for _, y in points], **options)


def wants_log_axis(own, published) -> bool:
    """A logarithmic axis of n where the measured sizes would crowd in a corner of the published ones."""
    return bool(own) and bool(published) and max(published) > 2 * max(own)


def subvariant_series(rows, column: str, how: str, only_passed: bool, among=SUBVARIANTS) -> list[Series]:
    series = []
    for name in among:
        group = rows[rows["subvariant"] == name]
        line = series_of(by_size(group, column, how, only_passed), label=name, role=name, symbol=SYMBOLS[name[3:5]])
        if not line.x:
            continue
        if f"{column}_q1" in rows:
            line.low = [by_size(group, f"{column}_q1")[n] for n in line.x]
            line.high = [by_size(group, f"{column}_q3")[n] for n in line.x]
        series.append(line)
    return series


def two_fastest(lines: list[Series]) -> list[str]:
    """The two subvariants with the smallest times at the largest size that all of them reached."""
    if not lines:
        return []
    common = set.intersection(*(set(line.x) for line in lines)) or set(lines[0].x)
    n = max(common)
    reached = [line for line in lines if n in line.x]
    return [line.label for line in sorted(reached, key=lambda line: line.y[list(line.x).index(n)])[:2]]


def figure_times(source: Source, *, title: str, published: str, type: str, id: int) -> Figure:
    """Figures 2 and 3: wall time of the four subvariants, and the outer sweeps of the two fastest."""
    paper = source.library[published]
    rows = hz(source.frame, type, id)
    times = subvariant_series(rows, "wall_s", "median", only_passed=True)
    known = series_of(
        paper.column("wall_s"), label=f"published, {paper.hardware}", role="published", style="dashed", symbol="none"
    )
    fastest = two_fastest(times)
    sweeps = subvariant_series(
        rows, "sweeps", "median", only_passed=True, among=[n for n in SUBVARIANTS if n in fastest]
    )
    own = sorted({n for line in times for n in line.x})
    name = f"{type.upper()}HZ{id}"
    return Figure(
        published,
        title,
        [
            Panel(f"Wall time of {name}", "order n", "wall time [s]", [*times, known], wants_log_axis(own, known.x)),
            Panel(
                f"Outer sweeps of the two fastest, {name}", "order n", "outer sweeps", sweeps, y_log=False, x_ticks=own
            ),
        ],
        [
            f"Measured on {source.hardware} at n = {sizes_in_words(own)}; "
            f"dashed: {paper.meta['solver']} as published, on {paper.meta['hardware']}."
        ],
    )


def figure_errors(source: Source, *, title: str, published: str, type: str, id: int, maxima: str = "table6") -> Figure:
    """Figures 4 and 5: relative normwise errors of the four subvariants, beside the condition number of F."""
    paper, largest = source.library[published], source.library[maxima]
    rows = hz(source.frame, type, id)
    errors = subvariant_series(rows, "residual_f", "max", only_passed=False)
    own = sorted({n for line in errors for n in line.x})
    n_max, top = largest.meta["n_max"], largest.column(f"residual_f_{type}", "id")[id]
    if own:
        ends = sorted({min(own), max(own)})
        errors.append(
            Series(
                f"{largest.item}, scaled",
                "published",
                ends,
                [top * n / n_max for n in ends],
                style="dashed",
                symbol="none",
            )
        )
    pairs = rows.drop_duplicates(["n", "generator", "seed"])
    kappa = series_of(by_size(pairs, "kappa_f", only_passed=False), label="measured", role="measured", symbol="diamond")
    known = series_of(paper.column("kappa_f"), label="published", role="published", style="dashed", symbol="none")
    notes = [
        f"Measured on {source.hardware} at n = {sizes_in_words(own)}. "
        f"Dashed: {largest.item}'s maximum for ID {id}, scaled with n; κ₂(F) of the paper's pairs."
    ]
    if paper.caution:
        notes.append(f"Published κ₂(F): {paper.caution}")
    name = f"{type.upper()}HZ{id}"
    return Figure(
        published,
        title,
        [
            Panel(f"Relative error of {name}", "order n", "‖F − UΣX‖ / ‖F‖", errors, x_ticks=own),
            Panel(
                f"Condition of the {TYPE_NAMES[type]} pairs",
                "order n",
                "κ₂(F)",
                [line for line in (kappa, known) if line.x],
                wants_log_axis(kappa.x, known.x),
            ),
        ],
        notes,
    )


def accuracy_graded(source: Source, *, title: str, type: str = "d", bound: float = 1e-13) -> Figure:
    """Largest relative error of any σ over the grading, a panel for each family of pairs, all with the same y-axis."""
    rows = with_grading(source.frame[source.frame["type"] == type])
    span = (
        (min(ROUNDING, rows["sigma_error"].min()), max(1.0, rows["sigma_error"].max()))
        if rows["sigma_error"].any()
        else None
    )
    panels = [graded_panel(rows[rows["family"] == name], name, width_labels(rows), bound) for name in families(rows)]
    for panel in panels:
        panel.y_span = span
    return Figure(
        f"graded-{type}",
        title,
        panels,
        ["Above 1 not even the order of magnitude of some σ is right."] if panels else [],
    )


def graded_panel(rows, family: str, names: dict[str, str], bound: float) -> Panel:
    gradings = sorted(rows["g"].unique().tolist())
    lines = [
        Series(number(level), "bound", [gradings[0], gradings[-1]], [level, level], style="dashed", symbol="none")
        for level in (1.0, bound)
    ]
    for index, (solver, name) in enumerate(names.items()):
        errors = rows[rows["solver"] == solver].groupby("g")["sigma_error"].max().dropna()
        symbol = "diamond" if ":" in solver else ("circle", "square", "triangle")[index % 3]
        floored = {g: max(value, ROUNDING / 2) for g, value in errors.items()}  # a logarithm has no zero
        if floored:
            lines.append(series_of(floored, label=name, role=f"solver-{index}", symbol=symbol))
    return Panel(
        f"Pairs {family}", "g: D graded from 1e−g to 1e+g", "largest relative error of any σ", lines, x_ticks=gradings
    )


def factor(value: float) -> str:
    """A quotient of times in as many digits as their spread allows, with the mark of a case that did not pass: 0.068×,
    1.1×†, 39×."""
    return f"{float(f'{value:.2g}'):g}×" + (NOT_PASSED if has_mark(value, NOT_PASSED) else "")


def speed(
    source: Source, *, title: str, reference: str, type: str | list[str] = "d", peers_only: bool = False
) -> Figure:
    """Wall time over n of all solvers; with each point how many times longer it took than the reference."""
    panels = [speed_panel(source, resolve(reference, letter), letter, peers_only) for letter in type]
    name = resolve(reference, type) if len(type) == 1 else reference.replace("?", "")
    note = (
        f"Medians on {source.hardware}; solvers timed at two sizes or more. "
        f"A factor is the time divided by that of {name} at the same n."
    )
    return Figure(f"speed-{''.join(type)}", title, [panel for panel in panels if panel.series], [note])


def mark_factors(line: Series, base: dict, lines: list[Series]) -> None:
    """Quotients beside the points, below where another line runs closely above; that of the last point in the label."""
    *inner, last = [(n, t) for n, t in zip(line.x, line.y, strict=True) if n in base] or [None]
    for n, t in inner:
        at_n = [dict(zip(other.x, other.y, strict=True)).get(n, 0) for other in lines]
        text = factor(ratio(t, base[n]))
        line.marks.append(Mark(n, t, text, above=not any(t < other < 2.5 * t for other in at_n)))
    if last:
        n, t = last
        line.label += f": {factor(ratio(t, base[n]))}"


SPEED_ROLES = [f"solver-{index}" for index in (0, 3, 4, 5, 7, 2, 1, 6)]  # the reference first


def speed_panel(source: Source, reference: str, type: str, peers_only: bool) -> Panel:
    rows = source.frame[source.frame["type"] == type]
    base = numbers(by_size(rows[rows["solver"] == reference], "wall_s", only_passed=False))
    lines = []
    for solver in speed_solvers(rows, reference, peers_only):
        times = by_size(rows[rows["solver"] == solver], "wall_s", only_passed=False)
        if len(times) > 1 or len(base) < 2:
            symbol = "diamond" if ":" in solver else "circle"
            role = SPEED_ROLES[len(lines) % len(SPEED_ROLES)]
            lines.append(series_of(times, label=solver_label(solver), role=role, symbol=symbol))
    lines = [line for line in lines if line.x]
    for line in lines:
        if line.role != "solver-0":
            mark_factors(line, base, lines)
    title = f"{TYPE_NAMES[type].capitalize()} pairs"
    return Panel(title, "order n", "wall time [s]", lines, x_log=True, x_ticks=sorted(rows["n"].unique().tolist()))


def error_by_condition(source: Source, *, title: str, type: str = "d") -> Figure:
    """Largest relative error of σ over the condition of the pair, a point a case, beside roundoff times condition."""
    rows = source.frame[source.frame["type"] == type].dropna(subset=["sigma_error"])
    rows = rows.assign(kappa=rows["kappa_f"] + rows["kappa_g"]).sort_values("kappa")
    lines = []
    for index, (solver, group) in enumerate(rows.groupby("solver")):
        points = group["kappa"].tolist(), group["sigma_error"].tolist()
        lines.append(Series(solver_label(solver), f"solver-{index}", *points, style="points"))
    if len(rows):
        ends = [rows["kappa"].min(), rows["kappa"].max()]
        bound = [ROUNDING * kappa for kappa in ends]
        lines.append(Series("u·(κ₂(F) + κ₂(G))", "bound", ends, bound, style="dashed", symbol="none"))
    ticks = [10.0**e for e in range(20) if len(rows) and rows["kappa"].min() <= 10.0**e <= rows["kappa"].max()]
    sizes = sizes_in_words(sorted(rows["n"].unique().tolist()))
    name = f"{TYPE_NAMES[type].capitalize()} pairs"
    panel = Panel(name, "κ₂(F) + κ₂(G)", "largest relative error of any σ", lines, x_log=True, x_ticks=ticks)
    return Figure(
        f"error-by-condition-{type}", title, [panel], [f"n = {sizes}; a point a seed. u = 2⁻⁵³ is the unit roundoff."]
    )


BUILDERS = {
    "error-by-condition": error_by_condition,
    "figure-times": figure_times,
    "figure-errors": figure_errors,
    "accuracy-graded": accuracy_graded,
    "speed": speed,
}
