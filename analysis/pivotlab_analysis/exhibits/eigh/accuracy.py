# SPDX-License-Identifier: BSD-3-Clause
"""Relative errors of the eigenvalues of graded Hermitian matrices, beside their estimates."""

from __future__ import annotations

from ...model import Figure, Table
from ...selection import Source
from .. import registry
from ..graded import Family, Study

STUDY = Study(
    "eigh",
    "λ",
    {
        "graded": Family("D·R·D", 8, determined=True),
        "quasidefinite": Family("quasi-definite", 4, determined=True),
        "kkt": Family("saddle point"),
        "spectrum": Family("random vectors"),
    },
)


@registry.figure("eigh-accuracy")
def accuracy(source: Source, *, title: str, reference: str, type: str = "d") -> Figure:
    """Largest relative error of any eigenvalue over the decades of the grading, a panel for each family of matrices,
    with the largest estimate of the reference."""
    return STUDY.figure(source, title, reference, type)


@registry.table("eigh-accuracy")
def accuracy_table(source: Source, *, title: str, reference: str, type: str = "d", bound: float = 1e-13) -> Table:
    """Largest relative error of any eigenvalue by family and decades, solver by solver, and the reference's largest
    estimate.

    Findings: on D·R·D and quasi-definite matrices all errors of the reference are at most `bound`; all errors of
    variants are at most ten times their estimates; no undetected sign is wrong.
    """
    return STUDY.table(source, title, reference, type, bound)
