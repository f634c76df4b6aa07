# SPDX-License-Identifier: BSD-3-Clause
"""Properties of the eigendecomposition's matrices on which errors and sweeps depend, from their generators' names."""

from __future__ import annotations

import pandas as pd

from ...selection import generator_options, with_contestants

EPSILON = 2.0**-52
OWN = "ZEIG-(RR)"


def prepare(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the frame with matrices' names without the option `truth`, which does not change the matrix."""
    return frame.assign(problem=frame["problem"].str.replace(r";truth=(none|computed)", "", regex=True))


def block_order(generator: str, n: int) -> int:
    """Returns the order of the largest Jordan block of a generator's matrix, before rounding."""
    kind, options = generator_options(generator)
    return -(-int(n) // int(float(options.get("blocks", 1)))) if kind == "defective" else 1


def with_perturbation(frame: pd.DataFrame) -> pd.DataFrame:
    """Adds the column `perturbation`: the least ‖δA‖₂/(ε‖A‖₂) that explains the eigenvalues' error to first order.

    A simple eigenvalue moves by κ(λ)·‖δA‖₂, an eigenvalue of a Jordan block of order k by ‖δA‖₂^(1/k) if the block's
    chain is orthonormal, as the generator's is.
    """
    order = pd.Series([block_order(row.generator, row.n) for row in frame.itertuples()], frame.index, dtype=int)
    simple = frame["error_over_condition"] / EPSILON
    of_block = (frame["eigenvalue_error"] * frame["norm_2"]) ** order / (EPSILON * frame["norm_2"])
    return frame.assign(block_order=order, perturbation=simple.where(order == 1, of_block))


def kappa_of(generator: str) -> float | None:
    """Returns κ(S) of a matrix S·Λ·S⁻¹; None for others."""
    kind, options = generator_options(generator)
    return float(options.get("kappa", 10000)) if kind == "similarity" else None


def grade_of(generator: str) -> tuple[str, float] | None:
    """Returns the order of D's elements and the grade g of a graded matrix D·R·D."""
    kind, options = generator_options(generator)
    return (options.get("order", "falling"), float(options.get("g", 4))) if kind == "graded" else None


def by_condition(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of matrices S·Λ·S⁻¹, by κ(S)."""
    rows = with_contestants(frame).assign(kappa=frame["generator"].map(kappa_of))
    return rows[rows["kappa"].notna()].sort_values("kappa", kind="stable")


def by_grade(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of graded matrices, by the order of D's elements and g."""
    grades = frame["generator"].map(grade_of)
    rows = with_contestants(frame)[grades.notna()]
    rows = rows.assign(order=[order for order, _ in grades.dropna()], g=[g for _, g in grades.dropna()])
    return rows.sort_values(["order", "g"], kind="stable")
