"""Matrices of the eigendecomposition, by their generators' names: what their errors and sweeps depend on."""

from __future__ import annotations

import pandas as pd

from ...selection import generator_options, with_contestants

EPSILON = 2.0**-52
OWN = "ZEIG-(RR)"


def prepare(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with names of matrices without what says nothing of them."""
    return frame.assign(problem=frame["problem"].str.replace(r";truth=(none|computed)", "", regex=True))


def block_order(generator: str, n: int) -> int:
    """Of the largest Jordan block of the matrix that a generator makes, before rounding."""
    kind, options = generator_options(generator)
    return -(-int(n) // int(float(options.get("blocks", 1)))) if kind == "defective" else 1


def with_perturbation(frame: pd.DataFrame) -> pd.DataFrame:
    """The norm, in units of ε‖A‖₂, that a perturbation needs at least to move eigenvalues as far to first order.

    A simple eigenvalue moves by κ(λ)·‖δA‖₂, that of a Jordan block of order k (of an orthonormal chain, as the
    generator's) by ‖δA‖₂^(1/k).
    """
    order = pd.Series([block_order(row.generator, row.n) for row in frame.itertuples()], frame.index, dtype=int)
    simple = frame["error_over_condition"] / EPSILON
    of_block = (frame["eigenvalue_error"] * frame["norm_2"]) ** order / (EPSILON * frame["norm_2"])
    return frame.assign(block_order=order, perturbation=simple.where(order == 1, of_block))


def kappa_of(generator: str) -> float | None:
    """κ(S) of a matrix S·Λ·S⁻¹."""
    kind, options = generator_options(generator)
    return float(options.get("kappa", 10000)) if kind == "similarity" else None


def grade_of(generator: str) -> tuple[str, float] | None:
    """The order of D's elements, and g, of a graded matrix D·R·D."""
    kind, options = generator_options(generator)
    return (options.get("order", "falling"), float(options.get("g", 4))) if kind == "graded" else None


def by_condition(frame: pd.DataFrame) -> pd.DataFrame:
    """The matrices S·Λ·S⁻¹, by κ(S)."""
    rows = with_contestants(frame).assign(kappa=frame["generator"].map(kappa_of))
    return rows[rows["kappa"].notna()].sort_values("kappa", kind="stable")


def by_grade(frame: pd.DataFrame) -> pd.DataFrame:
    """The graded matrices, by the order of D's elements and g."""
    grades = frame["generator"].map(grade_of)
    rows = with_contestants(frame)[grades.notna()]
    rows = rows.assign(order=[order for order, _ in grades.dropna()], g=[g for _, g in grades.dropna()])
    return rows.sort_values(["order", "g"], kind="stable")
