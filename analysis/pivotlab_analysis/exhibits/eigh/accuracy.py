"""Relative errors of the eigenvalues of graded Hermitian matrices, beside their estimates."""

from __future__ import annotations

import math

import pandas as pd

from ...figures import look, series_of
from ...model import Column, Figure, Finding, Panel, Table
from ...records import is_baseline
from ...selection import TYPE_NAMES, Source, generator_options, sizes_in_words, solver_label
from ...tables import Quantity, by_solver
from .. import registry

ROUNDOFF = 2.0**-53
FAMILIES = {"graded": "D·R·D", "quasidefinite": "quasi-definite", "kkt": "saddle point", "spectrum": "random vectors"}

GRADED = {"graded": 8, "quasidefinite": 4}  # these determine all eigenvalues well, for any g; values: the usual g


def decades_of(generator: str) -> tuple[str, float] | None:
    """Returns the family of a matrix and the decades over which D, H or |λ| extends; None for others."""
    kind, options = generator_options(generator)
    if kind not in FAMILIES:
        return None
    if kind in GRADED:
        return FAMILIES[kind], 2 * float(options.get("g", GRADED[kind]))
    return FAMILIES[kind], math.log10(float(options.get("kappa", 1000)))


def with_decades(frame: pd.DataFrame, type: str) -> pd.DataFrame:
    rows = frame[(frame["type"] == type) & frame["relative_error"].notna()]
    decades = rows["generator"].map(decades_of)
    rows, known = rows[decades.notna()], list(decades.dropna())
    rows = rows.assign(family=[name for name, _ in known], decades=[number for _, number in known])
    order = {name: place for place, name in enumerate(FAMILIES.values())}
    return rows.sort_values(["family", "decades"], key=lambda x: x.map(order) if x.name == "family" else x)


def solvers_of(rows: pd.DataFrame) -> list[str]:
    """Variants first, by length of name, then baselines."""
    return sorted(rows["solver"].unique(), key=lambda name: (is_baseline(name), len(name), name))


@registry.figure("eigh-accuracy")
def accuracy(source: Source, *, title: str, reference: str, type: str = "d") -> Figure:
    """Largest relative error of any eigenvalue over the decades of the grading, a panel for each family of matrices,
    with the largest estimate of the reference."""
    rows = with_decades(source.frame, type)
    panels = []
    for family, group in rows.groupby("family", sort=False):
        lines = []
        for index, solver in enumerate(solvers_of(rows)):
            worst = group[group["solver"] == solver].groupby("decades")["relative_error"].max()
            looks = look(index) | ({"symbol": "diamond"} if is_baseline(solver) else {})
            if len(worst):
                lines.append(series_of(worst.clip(lower=ROUNDOFF).to_dict(), solver_label(solver), **looks))
        estimates = group[group["solver"] == reference].groupby("decades")["largest_estimate"].max().dropna()
        if len(estimates):
            name = f"largest estimate of {solver_label(reference)}"
            lines.append(series_of(estimates.to_dict(), name, role="bound", style="dashed", symbol="none"))
        panels.append(
            Panel(family, "decades", "largest |Δλ| / |λ|", lines, x_ticks=sorted(group["decades"].unique().tolist()))
        )
    note = f"n = {sizes_in_words(rows['n'])}, {TYPE_NAMES[type]} matrices; above 1 no digit of some λ is correct."
    return Figure(f"eigh-accuracy-{type}", title, panels, [note] if panels else [])


@registry.table("eigh-accuracy")
def accuracy_table(source: Source, *, title: str, reference: str, type: str = "d", bound: float = 1e-13) -> Table:
    """Largest relative error of any eigenvalue by family and decades, solver by solver, and the reference's largest
    estimate.

    Findings: on D·R·D and quasi-definite matrices all errors of the reference are at most `bound`; all errors of
    variants are at most ten times their estimates; no undetected sign is wrong.
    """
    rows = with_decades(source.frame, type).assign(contestant=lambda x: x["label"])
    keys = {"family": Column("matrix"), "decades": Column("decades", "integer")}
    rows = rows.assign(decades=rows["decades"].round().astype(int))
    names = [solver_label(name) for name in solvers_of(rows)]
    quantities = [Quantity("relative_error", "largest |Δλ| / |λ|")]
    table = by_solver(f"eigh-accuracy-{type}", title, rows, keys, quantities, names)
    table.columns.append(Column("largest estimate", "scientific", solver_label(reference)))
    for line, (_, group) in zip(table.rows, rows.groupby(list(keys), sort=False), strict=True):
        largest = group.loc[group["solver"] == reference, "largest_estimate"].max()
        line.append(None if pd.isna(largest) else float(largest))
    if rows.empty:
        return table
    table.notes.append(
        f"n = {sizes_in_words(rows['n'])}, {TYPE_NAMES[type]} matrices; true λ of the stored matrices in quad."
    )
    own = rows[(rows["solver"] == reference) & (rows["family"].isin([FAMILIES[kind] for kind in GRADED]))]
    if len(own):
        largest = float(own["relative_error"].max())
        where = "D·R·D and quasi-definite matrices"
        text = f"{reference}: the largest error of any λ of {where} is {largest:.1e} (goal: {bound:g})."
        table.findings.append(Finding(largest <= bound, text))
    promises = rows[rows["error_per_estimate"].notna()]
    if len(promises):
        most, wrong = float(promises["error_per_estimate"].max()), int(promises["wrong_signs"].sum())
        text = f"Errors of all variants are at most {most:.2g}× their estimates in {len(promises)} cases (goal: 10×)"
        table.findings.append(Finding(most <= 10 and not wrong, f"{text}; {wrong} signs are wrong without a word."))
    return table
