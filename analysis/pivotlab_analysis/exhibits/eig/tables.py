# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the eigendecomposition: accuracy, speed, dependence of errors and sweeps on the matrix."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ... import tables
from ...model import Column, Finding, Headline, Table, Value
from ...records import is_baseline
from ...selection import (
    Source,
    cell,
    contestants,
    generator_options,
    is_number,
    matrix_label,
    resolve,
    solver_label,
    value_of,
    with_contestants,
)
from ...tables import Quantity, by_solver, listing
from .. import registry
from .matrices import OWN, by_condition, by_grade, with_perturbation

registry.table("eig-cases")(tables.cases)

BLOCKED, REFINED = "ZEIG-(RR);b=16", "ZEIG-(RR);b=16;refine"
OF_PAPER = ("point", "blocked")  # whose sweeps are expected
FACTOR, MORE_SWEEPS = 3, 2
SENSITIVE = ("grcar", "defective")  # whose errors vary by orders of magnitude with the order of the operations
MATRIX = {"problem": Column("matrix"), "n": Column("n", "integer")}


@registry.table("eig-accuracy")
def accuracy(source: Source, *, title: str, published: str) -> Table:
    """Expected and measured sweeps, eigenvalue errors and residuals, one line per matrix.

    The finding: errors and residuals are at most three times the expected ones, sweeps at most two more. An error of
    the eigenvalues also counts as expected where LAPACK's is as large, for matrices of a kind differ in their
    conditions, or, for the sensitive kinds alone, where a perturbation of ε‖A‖₂ makes as large a one to first order.
    """
    paper, frame = source.library[published], with_perturbation(source.frame)
    columns = [Column("matrix"), Column("n", "integer")]
    columns += [
        Column(head, "integer", f"sweeps, {group}")
        for group in ("point", "b = 16")
        for head in ("expected", "measured")
    ]
    heads = ["expected", "point", "b = 16", "refined", "LAPACK"]
    columns += [Column(head, "scientific", group) for group in ("max|Δλ|/‖A‖₂", "‖AV − VΛ‖/‖A‖") for head in heads]
    table = Table(published, title, columns, [])
    solvers = [OWN, BLOCKED, REFINED, resolve("lapack:?geev", paper.meta["type"])]
    known = {(row["generator"], row["n"]): row for row in paper.frame.to_dict("records")}
    ran = frame[["generator", "n"]].itertuples(index=False, name=None)
    beyond, compared = [], 0
    for generator, n in dict.fromkeys([*known, *ran]):
        expected = known.get((generator, n), {})
        rows = frame[(frame["generator"] == generator) & (frame["n"] == n)]
        cases = [rows[rows["solver"] == solver] for solver in solvers]
        worst = {
            column: [value_of(own, column, "max", only_passed=False) for own in cases]  # passed or not
            for column in ("sweeps", "eigenvalue_error", "residual", "perturbation")
        }
        line: list[Value] = [matrix_label(generator), n]
        for kind, value in zip(OF_PAPER, worst["sweeps"], strict=False):
            line += [cell(expected.get(f"sweeps_{kind}")), value]
        for column in ("eigenvalue_error", "residual"):
            line += [cell(expected.get(column)), *worst[column]]
        table.rows.append(line)
        if expected and len(rows):
            compared += 1
            found = excesses(expected, worst, generator_options(generator)[0] in SENSITIVE)
            beyond += [f"{line[0]} (n = {line[1]}): {what}" for what in found]
    if compared:
        text = (
            f"Of {compared} matrices, errors are at most {FACTOR}× and sweeps at most {MORE_SWEEPS} more than expected"
        )
        table.findings.append(Finding.unless("; ".join(beyond), text))
        if not beyond:
            table.headlines.append(Headline(f"{compared} of {compared}", "matrices with errors and sweeps as expected"))
        table.notes.append(
            "Expected: from a prototype, on other matrices of these kinds; or, of eigenvalues, LAPACK's error on the "
            "same matrix, or, of grcar and defective, what a perturbation of ε‖A‖₂ does to first order, ε = 2⁻⁵²: "
            "κ(λ)·ε‖A‖₂ where λ is simple, (ε‖A‖₂)^(1/k) in a Jordan block of order k (there "
            "3 times the perturbation, not the error). Errors against eigenvalues known before rounding, or "
            "computed from the doubles in extended precision; ‖·‖_F where no other norm is named."
        )
    return table


def excesses(expected: dict, worst: dict[str, list[Value]], is_sensitive: bool) -> Iterator[str]:
    """Yields the values of the point method and of the blocked method that exceed the expected ones."""
    for kind, value in zip(OF_PAPER, worst["sweeps"], strict=False):
        known = cell(expected.get(f"sweeps_{kind}"))
        if is_number(known) and is_number(value) and value > known + MORE_SWEEPS:
            yield f"{value:.0f} sweeps ({kind}) instead of {known:.0f}"
    for column in ("eigenvalue_error", "residual"):
        of_values, baseline = column == "eigenvalue_error", worst[column][-1]
        limit = FACTOR * max(expected[column], baseline if of_values and is_number(baseline) else 0)
        beyond = [
            value
            for value, perturbation in zip(worst[column][:2], worst["perturbation"], strict=False)
            if is_number(value) and value > limit
            if not (of_values and is_sensitive and is_number(perturbation) and perturbation <= FACTOR)
        ]
        if beyond:
            yield f"{column.replace('_', ' ')} {max(beyond):.1e} instead of {expected[column]:.0e}"


@registry.table("eig-speed")
def speed(source: Source, *, title: str, type: str, reference: str, published: str | None = None) -> Table:
    """Median times of the decomposition alone, and how many times as fast as the reference each is."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    also = {}
    if published and len(rows):
        paper = source.library[published]
        name = f"{solver_label(paper.meta['solver'])}, published, {paper.hardware}"
        also[name] = dict.fromkeys(rows["n"]) | paper.column("compute_s")
    names = contestants(rows, resolve(reference, type))
    return tables.speed(source, "eig-speed", title, rows, names, "decomposition", also)


@registry.table("eig-normality")
def normality(source: Source, *, title: str) -> Table:
    """For each κ(S) the largest error, the largest over the eigenvalue's condition, and sweeps, by solver."""
    rows = by_condition(source.frame)
    rows = rows.assign(departure=rows.groupby("kappa")["departure"].transform("median"))
    keys = {"kappa": Column("κ(S)", "scientific"), "departure": Column("departure", "ratio")}
    quantities = [
        Quantity("eigenvalue_error", "max|Δλ|/‖A‖₂"),
        Quantity("error_over_condition", "over the condition"),
        Quantity("residual", "residual"),
        Quantity("sweeps", "sweeps", "integer", baselines=False),
    ]
    table = by_solver("eig-normality", title, rows, keys, quantities, contestants(rows, OWN))
    if len(rows):
        departure = source.method.fields["departure"].definition
        table.notes.append(f"{departure}: the median of the seeds; errors: the largest.")
    return table


@registry.table("eig-graded")
def graded(source: Source, *, title: str) -> Table:
    """For each order and grade the largest relative error of any eigenvalue, by solver."""
    rows = by_grade(source.frame)
    keys = {"order": Column("D"), "g": Column("g", "integer")}
    errors = Quantity("relative_error", "largest |Δλ|/|λ|")
    table = by_solver("eig-graded", title, rows, keys, [errors], contestants(rows, OWN))
    if len(rows):
        table.notes.append("A = D·R·D with D from 10^−g to 10^g: eigenvalues spread over 4g decades.")
    return table


@registry.table("eig-sweeps")
def sweeps(source: Source, *, title: str) -> Table:
    """For each matrix and order the largest number of sweeps, by solver."""
    rows = with_contestants(source.frame[source.frame["sweeps"].notna() | (source.frame["status"] != "passed")])
    quantity = Quantity("sweeps", "sweeps", "integer", only_passed=True)
    return by_solver("eig-sweeps", title, rows, MATRIX, [quantity], contestants(rows, OWN))


TRANSFORMATIONS = {"shear": "shears", "unitary": "unitary ones", "diagonal": "diagonal ones"}


def off(rows: pd.DataFrame) -> pd.Series:
    """How many parts of the method each solver leaves out."""
    return rows[["balance", *TRANSFORMATIONS]].eq(False).sum(axis=1)


def role(rows: pd.DataFrame, transformation: str) -> tuple[bool, str]:
    """Describes the runs without one of the transformations: whether the method requires it, and where."""
    without = rows[rows[transformation].eq(False) & (off(rows) == 1)]
    passed = without["status"] == "passed"
    kinds = without["generator"].map(lambda name: generator_options(name)[0])
    lost = sorted(set(kinds[~passed]))
    text = f"without {TRANSFORMATIONS[transformation]} {passed.sum()} of {len(without)} cases pass"
    if passed.any() and lost:
        text += f" (none of {', '.join(k for k in lost if k not in set(kinds[passed]))})"
    return bool(lost), text


@registry.table("eig-ablation")
def ablation(source: Source, *, title: str) -> Table:
    """Sweeps, errors and status, one line per matrix and variant.

    The findings: the whole method converges, and each of the three transformations is required.
    """
    rows = with_contestants(source.frame).sort_values(["n", "generator"], kind="stable")
    columns = MATRIX | {
        "contestant": Column("variant"),
        "sweeps": Column("sweeps", "integer"),
        "eigenvalue_error": Column("max|Δλ|/‖A‖₂", "scientific"),
        "residual": Column("residual", "scientific"),
        "status": Column("status"),
    }
    table = listing("eig-ablation", title, rows, columns)
    whole = rows[off(rows) == 0]
    if len(whole):
        bad = int((whole["status"] == "not_converged").sum())
        table.findings.append(Finding.unless(bad, f"With all transformations all {len(whole)} cases converge"))
    roles = [role(rows, name) for name in TRANSFORMATIONS if rows[name].eq(False).any()]
    if roles:
        text = "Each transformation is needed: " + "; ".join(what for _, what in roles) + "."
        table.findings.append(Finding(all(missed for missed, _ in roles), text))
    return table


OWN_FAMILIES = ("point by point", "by blocks")


@registry.table("eig-sensitive")
def sensitive(source: Source, *, title: str) -> Table:
    """Variation of eigenvalue errors and sweeps over forms, orders of the pairs and seeds, one line per matrix, and the
    least perturbation that explains the largest error.

    The finding: perturbations of at most three times ε‖A‖₂ explain all errors of variants.
    """
    rows = with_perturbation(source.frame)
    family = [
        row.label if is_baseline(row.solver) else OWN_FAMILIES[row.form == "blocked"] for row in rows.itertuples()
    ]
    rows = rows.assign(contestant=family)
    names = contestants(rows, "point by point")
    columns = [*MATRIX.values(), Column("k", "integer"), Column("largest κ(λ)", "scientific")]
    table = Table("eig-sensitive", title, columns, [])
    for name in names:
        columns.append(Column("cases", "integer", name))
        columns += [Column(head, "scientific", name) for head in ("least error", "median", "largest")]
        columns.append(Column("perturbation", "ratio", name))
        columns += [Column(head, "integer", name) for head in ("sweeps from", "to") if name in OWN_FAMILIES]
    for (problem, n, order), group in rows.groupby(["problem", "n", "block_order"], sort=False):
        condition = value_of(group, "largest_condition", only_passed=False) if order == 1 else None
        line: list[Value] = [problem, n, order, condition]
        for name in names:
            own = group[group["contestant"] == name]
            line.append(len(own))
            line += [value_of(own, "eigenvalue_error", how, only_passed=False) for how in ("min", "median", "max")]
            line.append(value_of(own, "perturbation", "max", only_passed=False))
            line += [value_of(own, "sweeps", how, False) for how in ("min", "max") if name in OWN_FAMILIES]
        table.rows.append(line)
    if len(rows):
        own = rows[~rows["solver"].map(is_baseline)]
        beyond = int((~(own["perturbation"] <= FACTOR)).sum())
        text = f"A perturbation of at most {FACTOR}·ε‖A‖₂ explains the errors of all {len(own)} cases"
        table.findings.append(Finding.unless(beyond, text))
        table.notes.append(
            "Errors max|Δλ|/‖A‖₂ over the cases of a line; perturbation: the norm, in units of ε‖A‖₂, ε = 2⁻⁵², that "
            "one needs at least to move eigenvalues by the largest of them to first order: κ(λ)·‖δA‖₂ where λ is "
            "simple (k = 1), ‖δA‖₂^(1/k) in a Jordan block of order k. Grcar's matrix is of Hessenberg's form as it is "
            "given, so that LAPACK has nothing to reduce."
        )
    return table
