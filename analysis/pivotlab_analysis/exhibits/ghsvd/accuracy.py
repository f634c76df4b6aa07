# SPDX-License-Identifier: BSD-3-Clause
"""Relative errors of the eigenvalues of (F*JF, G*G) for graded pairs, beside their estimates."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...model import Figure, Table
from ...selection import Source
from .. import registry
from ..graded import Family, Study

SIDES = ["rows_f", "columns_f", "rows_g", "columns_g"]


def key_of(kind: str, options: Mapping[str, str]) -> str:
    """The generator's kind, for two-sided grading with its graded sides: "two-sided columns_f columns_g"."""
    return " ".join([kind, *(side for side in SIDES if options.get(side, "none") != "none")])


STUDY = Study(
    "ghsvd",
    "λ",
    {
        "two-sided columns_f": Family("F graded by columns", 8, determined=True),
        "two-sided columns_f columns_g": Family("F and G graded by columns", 8, determined=True),
        "two-sided rows_f": Family("F graded by rows", 8, determined=True),
        "two-sided rows_g": Family("G graded by rows", 8, determined=True),
        "waves": Family(
            "overlapping waves",
            position=lambda options: 100 * float(options.get("overlap", 0.2)),
            axis="overlap in percent",
        ),
        "neutral": Family(
            "neutral columns",
            position=lambda options: -math.log10(float(options.get("gap", 1e-6))),
            axis="decades to neutral",
        ),
    },
    key_of,
    {"hari-zimmermann": 30},
    problems="pairs",
    in_words="graded pairs ({})",
)


@registry.figure("ghsvd-accuracy")
def accuracy(source: Source, *, title: str, reference: str, type: str = "d") -> Figure:
    """Largest relative error of any eigenvalue of (F*JF, G*G), a panel for each family of pairs, with the largest
    estimate of the reference: over the decades of the grading, the overlap of waves, or how nearly neutral columns of F
    are."""
    return STUDY.figure(source, title, reference, type)


@registry.table("ghsvd-accuracy")
def accuracy_table(source: Source, *, title: str, reference: str, type: str = "d", bound: float = 1e-13) -> Table:
    """Largest relative error of any eigenvalue of (F*JF, G*G) by family of pairs and decades (waves: overlap in
    percent; neutral columns: decades to neutral ones), solver by solver, and the reference's largest estimate.

    Findings: on graded pairs all errors of the reference are at most `bound`; all errors of variants are at most ten
    times their estimates, those of the direct method 30 times; no undetected sign is wrong.
    """
    return STUDY.table(source, title, reference, type, bound)
