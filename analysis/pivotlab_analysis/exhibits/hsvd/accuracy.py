# SPDX-License-Identifier: BSD-3-Clause
"""Relative errors of the singular values of graded matrices, beside their estimates."""

from __future__ import annotations

from ...model import Figure, Table
from ...selection import Source
from .. import registry
from ..graded import Family, Study

STUDY = Study(
    "hsvd",
    "σ",
    {
        "graded": Family("graded columns", 4, determined=True),
        "two-sided": Family("graded rows and columns", 4),
        "spectrum": Family("random vectors"),
    },
)


@registry.figure("hsvd-accuracy")
def accuracy(source: Source, *, title: str, reference: str, type: str = "d") -> Figure:
    """Largest relative error of any singular value over the decades of the grading, a panel for each family of
    matrices, with the largest estimate of the reference."""
    return STUDY.figure(source, title, reference, type)


@registry.table("hsvd-accuracy")
def accuracy_table(source: Source, *, title: str, reference: str, type: str = "d", bound: float = 1e-13) -> Table:
    """Largest relative error of any singular value by family and decades, solver by solver, and the reference's largest
    estimate.

    Findings: on matrices with graded columns all errors of the reference are at most `bound`; all errors of variants
    are at most ten times their estimates.
    """
    return STUDY.table(source, title, reference, type, bound)
