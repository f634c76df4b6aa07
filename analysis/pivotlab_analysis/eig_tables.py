"""Tables of the eigendecomposition, built as those of `tables`: expected beside measured numbers."""

from __future__ import annotations

import pandas as pd

from .contest import as_fast, contest
from .ldlt_tables import cell, contestants, with_contestants
from .model import Column, Finding, Table, Value
from .selection import (
    Source,
    by_size,
    generator_options,
    is_number,
    matrix_label,
    numbers,
    resolve,
    solver_label,
    value_of,
    with_marked_times,
)

OWN, BLOCKED, REFINED = "ZEIG-(RR)", "ZEIG-(RR);b=16", "ZEIG-(RR);b=16;refine"
FACTOR, MORE_SWEEPS = 3, 2
EPSILON = 2.0**-52
SENSITIVE = ("grcar", "defective")  # whose errors vary by orders of magnitude with the order of the operations


def known_row(rows: pd.DataFrame, generator: str, n: int) -> pd.DataFrame:
    return rows[(rows["generator"] == generator) & (rows["n"] == n)]


def of_solver(rows: pd.DataFrame, solver: str, column: str) -> Value:
    """The worst of the cases, passed or not; the GPU's where both ran."""
    return value_of(rows[rows["solver"] == solver], column, "max", only_passed=False)


def block_order(generator: str, n: int) -> int:
    """Of the largest Jordan block of the matrix that a generator makes, before rounding."""
    kind, options = generator_options(generator)
    return -(-int(n) // int(float(options.get("blocks", 1)))) if kind == "defective" else 1


def with_perturbation(frame: pd.DataFrame) -> pd.DataFrame:
    """The norm, in units of ε‖A‖₂, that a perturbation needs at least to move eigenvalues as far to first order.

    A simple eigenvalue moves by κ(λ)·‖δA‖₂, that of a Jordan block of order k (of an orthonormal chain, as the
    generator's) by ‖δA‖₂^(1/k).
    """

    def of(row) -> float:
        order = block_order(row.generator, row.n)
        if order == 1:
            return row.error_over_condition / EPSILON
        return (row.eigenvalue_error * row.norm_2) ** order / (EPSILON * row.norm_2)

    numeric = frame.astype({c: float for c in ("error_over_condition", "eigenvalue_error", "norm_2")})
    return frame.assign(perturbation=[of(row) for row in numeric.itertuples()])


def accuracy(source: Source, *, title: str, published: str) -> Table:
    """A line a matrix: expected and measured sweeps, eigenvalue errors and residuals.

    The finding: errors and residuals are at most three times the expected ones, sweeps at most two more. An error of
    the eigenvalues also counts as expected where LAPACK's is as large, for matrices of a kind differ in their
    conditions, or, for the sensitive kinds alone, where a perturbation of ε‖A‖₂ makes as large a one to first order.
    """
    paper, frame = source.library[published], with_perturbation(source.frame)
    table = Table(published, title, [Column("matrix"), Column("n", "integer")], [])
    for group in ("sweeps, point", "sweeps, b = 16"):
        table.columns += [Column("expected", "integer", group), Column("measured", "integer", group)]
    heads = ["expected", "point", "b = 16", "refined", "LAPACK"]
    for group in ("max|Δλ|/‖A‖₂", "‖AV − VΛ‖/‖A‖"):
        table.columns += [Column(head, "scientific", group) for head in heads]
    solvers = [OWN, BLOCKED, REFINED, resolve("lapack:?geev", paper.meta["type"])]
    known = paper.frame.to_dict("records")
    names = {(row["generator"], row["n"]) for row in known}
    others = [
        {"generator": row.generator, "n": row.n}
        for row in frame.drop_duplicates(["generator", "n"]).itertuples()
        if (row.generator, row.n) not in names
    ]
    beyond, compared = [], 0
    for row in known + others:
        rows = known_row(frame, row["generator"], row["n"])
        sweeps = {key: of_solver(rows, solver, "sweeps") for key, solver in (("point", OWN), ("blocked", BLOCKED))}
        measured = {c: [of_solver(rows, s, c) for s in solvers] for c in ("eigenvalue_error", "residual")}
        sensitive_kind = generator_options(row["generator"])[0] in SENSITIVE
        perturbations = [of_solver(rows, s, "perturbation") if sensitive_kind else None for s in solvers]
        line: list[Value] = [matrix_label(row["generator"]), int(row["n"])]
        for key in sweeps:
            line += [cell(row.get(f"sweeps_{key}")), sweeps[key]]
        for column, values in measured.items():
            line += [cell(row.get(column)), *values]
        table.rows.append(line)
        if row in known and len(rows):
            compared += 1
            beyond += [f"{line[0]} (n = {line[1]}): {what}" for what in excesses(row, sweeps, measured, perturbations)]
    if compared:
        text = f"Of {compared} matrices, errors are at most {FACTOR}× and sweeps at most {MORE_SWEEPS} more than"
        text += " expected"
        table.findings.append(Finding(not beyond, text + (f", but {'; '.join(beyond)}." if beyond else ".")))
        table.notes.append(
            "Expected: from a prototype, on other matrices of these kinds; or, of eigenvalues, LAPACK's error on the "
            "same matrix, or, of grcar and defective, what a perturbation of ε‖A‖₂ does to first order, ε = 2⁻⁵²: "
            "κ(λ)·ε‖A‖₂ where λ is simple, (ε‖A‖₂)^(1/k) in a Jordan block of order k (there "
            "3 times the perturbation, not the error). Errors against eigenvalues known before rounding, or "
            "computed from the doubles in extended precision; ‖·‖_F where no other norm is named."
        )
    return table


def excesses(
    known: dict, sweeps: dict[str, Value], measured: dict[str, list[Value]], perturbations: list[Value]
) -> list[str]:
    found = []
    for key, value in sweeps.items():
        expected = cell(known.get(f"sweeps_{key}"))
        if is_number(expected) and is_number(value) and value > expected + MORE_SWEEPS:
            found.append(f"{value:.0f} sweeps ({key}) instead of {expected:.0f}")
    for column, values in measured.items():
        of_values = column == "eigenvalue_error"
        peer = values[3] if of_values and is_number(values[3]) else 0
        limit = FACTOR * max(known[column], peer)
        beyond = [
            v
            for v, perturbation in zip(values[:2], perturbations[:2], strict=True)
            if is_number(v) and v > limit and not (of_values and is_number(perturbation) and perturbation <= FACTOR)
        ]
        if beyond:
            worst = max(beyond)
            found.append(f"{column.replace('_', ' ')} {worst:.1e} instead of {known[column]:.0e}")
    return found


def speed(source: Source, *, title: str, type: str, reference: str, published: str | None = None) -> Table:
    """Median times of the decomposition alone, and how many times as fast as the reference each is."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    names = contestants(rows, resolve(reference, type))
    times = {name: by_size(rows[rows["contestant"] == name], "compute_s") for name in names}
    if published and len(rows):
        paper = source.library[published]
        name = f"{solver_label(paper.meta['solver'])}, published, {paper.hardware}"
        times[name] = dict.fromkeys(rows["n"]) | paper.column("compute_s")
    table = contest("eig-speed", title, times, as_fast)
    if len(rows):
        table.notes.append(f"Median times of the decomposition alone on {source.hardware}; as fast as {names[0]}.")
    return table


def kappa_of(generator: str) -> float | None:
    kind, options = generator_options(generator)
    return float(options.get("kappa", 10000)) if kind == "similarity" else None


def grade_of(generator: str) -> tuple[str, float] | None:
    """The order of D's elements, and g."""
    kind, options = generator_options(generator)
    return (options.get("order", "falling"), float(options.get("g", 4))) if kind == "graded" else None


def normality(source: Source, *, title: str) -> Table:
    """For each κ(S) the largest error, the largest over the eigenvalue's condition, and sweeps, by solver."""
    rows = with_contestants(source.frame).assign(kappa=source.frame["generator"].map(kappa_of))
    rows = rows[rows["kappa"].notna()]
    names = contestants(rows, OWN)
    table = Table("eig-normality", title, [Column("κ(S)", "scientific"), Column("departure", "ratio")], [])
    groups = {"eigenvalue_error": "max|Δλ|/‖A‖₂", "error_over_condition": "over the condition", "residual": "residual"}
    for group in groups.values():
        table.columns += [Column(name, "scientific", group) for name in names]
    table.columns += [Column(name, "integer", "sweeps") for name in names if ":" not in name]
    for kappa, group in rows.groupby("kappa"):
        own = {name: group[group["contestant"] == name] for name in names}
        line: list[Value] = [kappa, value_of(group, "departure", "median", only_passed=False)]
        for column in groups:
            line += [value_of(own[name], column, "max", only_passed=False) for name in names]
        line += [value_of(own[name], "sweeps", "max", only_passed=False) for name in names if ":" not in name]
        table.rows.append(line)
    if len(rows):
        table.notes.append(
            "Departure from normality √(‖A‖² − Σ|λ|²)/‖A‖, the median of the seeds; errors: the largest."
        )
    return table


def graded(source: Source, *, title: str) -> Table:
    """For each order and grade the largest relative error of any eigenvalue, by solver."""
    grades = source.frame["generator"].map(grade_of)
    rows = with_contestants(source.frame)[grades.notna()]
    names = contestants(rows, OWN)
    heads = [Column(name, "scientific", "largest |Δλ|/|λ|") for name in names]
    table = Table("eig-graded", title, [Column("D"), Column("g", "integer"), *heads], [])
    for (order, g), group in rows.groupby(grades[grades.notna()]):
        own = {name: group[group["contestant"] == name] for name in names}
        line: list[Value] = [order, g]
        line += [value_of(own[name], "relative_error", "max", only_passed=False) for name in names]
        table.rows.append(line)
    if len(rows):
        table.notes.append("A = D·R·D with D from 10^−g to 10^g: eigenvalues spread over 4g decades.")
    return table


def sweeps(source: Source, *, title: str) -> Table:
    """For each matrix and order the largest number of sweeps, by solver."""
    rows = with_contestants(source.frame[source.frame["sweeps"].notna() | (source.frame["status"] != "passed")])
    names = contestants(rows, OWN)
    heads = [Column(name, "integer", "sweeps") for name in names]
    table = Table("eig-sweeps", title, [Column("matrix"), Column("n", "integer"), *heads], [])
    for (generator, n), group in rows.groupby(["generator", "n"], sort=False):
        own = [value_of(group[group["contestant"] == name], "sweeps", "max") for name in names]
        table.rows.append([plain_name(generator), int(n), *own])
    return table


def plain_name(generator: str) -> str:
    """Without what says nothing of the matrix."""
    return matrix_label(generator).replace(";truth=none", "").replace(";truth=computed", "")


def role(rows: pd.DataFrame, transformation: str) -> tuple[bool, str]:
    """What happens without one of the transformations alone: whether it is missed, and where."""
    without = rows[rows["solver"].str.fullmatch(rf"[^;]+;[^;]+;{transformation}=off")]
    passed = without["status"] == "passed"
    kinds = without["generator"].map(lambda name: generator_options(name)[0])
    lost = sorted(set(kinds[~passed]))
    name = {"shear": "shears", "unitary": "unitary ones", "diagonal": "diagonal ones"}[transformation]
    text = f"without {name} {passed.sum()} of {len(without)} cases pass"
    if passed.any() and lost:
        text += f" (none of {', '.join(k for k in lost if k not in set(kinds[passed]))})"
    return bool(lost), text


def ablation(source: Source, *, title: str) -> Table:
    """A line a matrix and variant: sweeps, or that it does not converge; errors.

    The findings: the whole method converges, and each of the three transformations is missed where it is left out.
    """
    rows = with_contestants(source.frame)
    columns = [Column("matrix"), Column("n", "integer"), Column("variant"), Column("sweeps", "integer")]
    columns += [Column("max|Δλ|/‖A‖₂", "scientific"), Column("residual", "scientific"), Column("status")]
    table = Table("eig-ablation", title, columns, [])
    for row in rows.sort_values(["n", "generator"], kind="stable").itertuples():
        errors = [cell(row.eigenvalue_error), cell(row.residual)]
        table.rows.append([plain_name(row.generator), row.n, row.contestant, cell(row.sweeps), *errors, row.status])
    whole = rows[~rows["solver"].str.contains("=off", regex=False)]
    if len(whole):
        bad = whole[whole["status"] == "not_converged"]
        text = f"With all transformations all {len(whole)} cases converge" + (f", but {len(bad)}." if len(bad) else ".")
        table.findings.append(Finding(bad.empty, text))
    left_out = [t for t in ("shear", "unitary", "diagonal") if rows["solver"].str.contains(f";{t}=off").any()]
    if left_out:
        roles = [role(rows, transformation) for transformation in left_out]
        text = "Each transformation is needed: " + "; ".join(what for _, what in roles) + "."
        table.findings.append(Finding(all(missed for missed, _ in roles), text))
    return table


OWN_FAMILIES = ("point by point", "by blocks")


def family(solver: str) -> str:
    """Point by point, by blocks, or the peer."""
    return solver if ":" in solver else OWN_FAMILIES[";b=" in solver]


def sensitive(source: Source, *, title: str) -> Table:
    """A line a matrix: how much the error of its eigenvalues and the sweeps vary over forms, orders of the pairs and
    seeds, and what perturbation explains the largest error.

    The finding: one of at most three times ε‖A‖₂ explains every error of ours.
    """
    rows = with_perturbation(source.frame)
    rows = rows.assign(contestant=rows["solver"].map(family).map(solver_label))
    names = contestants(rows, "point by point")
    columns = [Column("matrix"), Column("n", "integer"), Column("k", "integer"), Column("largest κ(λ)", "scientific")]
    table = Table("eig-sensitive", title, columns, [])
    for name in names:
        table.columns.append(Column("cases", "integer", name))
        table.columns += [Column(head, "scientific", name) for head in ("least error", "median", "largest")]
        table.columns.append(Column("perturbation", "ratio", name))
        if name in OWN_FAMILIES:
            table.columns += [Column(head, "integer", name) for head in ("sweeps from", "to")]
    for (generator, n), group in rows.groupby(["generator", "n"], sort=False):
        order = block_order(generator, n)
        condition = value_of(group, "largest_condition", "median", only_passed=False) if order == 1 else None
        line: list[Value] = [plain_name(generator), int(n), order, condition]
        for name in names:
            own = group[group["contestant"] == name]
            line.append(len(own))
            line += [value_of(own, "eigenvalue_error", how, only_passed=False) for how in ("min", "median", "max")]
            line.append(value_of(own, "perturbation", "max", only_passed=False))
            if name in OWN_FAMILIES:
                line += [value_of(own, "sweeps", how, only_passed=False) for how in ("min", "max")]
        table.rows.append(line)
    if len(rows):
        own = rows[~rows["solver"].str.contains(":", regex=False)]
        beyond = int((~(own["perturbation"] <= FACTOR)).sum())
        text = f"A perturbation of at most {FACTOR}·ε‖A‖₂ explains the errors of all {len(own)} cases"
        table.findings.append(Finding(beyond == 0, text + (f", but {beyond}." if beyond else ".")))
        table.notes.append(
            "Errors max|Δλ|/‖A‖₂ over the cases of a line; perturbation: the norm, in units of ε‖A‖₂, ε = 2⁻⁵², that "
            "one needs at least to move eigenvalues by the largest of them to first order: κ(λ)·‖δA‖₂ where λ is "
            "simple (k = 1), ‖δA‖₂^(1/k) in a Jordan block of order k. Grcar's matrix is of Hessenberg's form as it is "
            "given, so that LAPACK has nothing to reduce."
        )
    return table


CASE_COLUMNS = {
    "type": Column("type"),
    "n": Column("n", "integer"),
    "matrix": Column("matrix"),
    "seed": Column("seed", "integer"),
    "contestant": Column("solver"),
    "status": Column("status"),
    "sweeps": Column("sweeps", "integer"),
    "compute_s": Column("time [s]", "seconds"),
    "residual": Column("residual", "scientific"),
    "get22": Column("get22", "ratio"),
    "left_residual": Column("left", "scientific"),
    "eigenvalue_error": Column("max|Δλ|/‖A‖₂", "scientific", "eigenvalues"),
    "error_over_condition": Column("over condition", "scientific", "eigenvalues"),
    "relative_error": Column("relative", "scientific", "eigenvalues"),
    "trace_error": Column("trace", "scientific", "eigenvalues"),
    "departure": Column("departure", "ratio"),
    "vector_condition": Column("κ(V)", "scientific"),
}


def cases(source: Source, *, title: str) -> Table:
    """Every case of the run in one line."""
    frame = with_marked_times(with_contestants(source.frame))
    frame = frame.assign(matrix=frame["generator"].map(plain_name))
    table = Table("eig-cases", title, list(CASE_COLUMNS.values()), [])
    for values in frame[list(CASE_COLUMNS)].itertuples(index=False):
        table.rows.append([cell(value) for value in values])
    if numbers(dict(enumerate(frame["residual"].dropna()))):
        table.notes.append("Residual ‖AV − VΛ‖_F/‖A‖_F; get22: over n·2⁻⁵², the ratio of LAPACK's tests, below 30.")
    return table


BUILDERS = {
    "eig-accuracy": accuracy,
    "eig-speed": speed,
    "eig-normality": normality,
    "eig-graded": graded,
    "eig-sweeps": sweeps,
    "eig-ablation": ablation,
    "eig-sensitive": sensitive,
    "eig-cases": cases,
}
