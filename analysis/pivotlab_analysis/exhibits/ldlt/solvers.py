# SPDX-License-Identifier: BSD-3-Clause
"""Solvers and matrices of the symmetric indefinite factorization: names, bounds, contestants of comparisons."""

from __future__ import annotations

import pandas as pd

from ... import selection
from ...records import is_baseline
from ...selection import ON_GPU

USUAL_ALPHA = (1 + 17**0.5) / 8
USUAL_TOLERANCE = 2.0**-52
PIVOTINGS = ("complete", "rook", "partial", "none")


def prepare(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the bounds of |M| and of κ₂ of a 2×2 pivot that follow from α, for complete and rook pivoting."""
    bounded = frame["alpha"].where(frame["pivoting"].isin(("complete", "rook")))
    return frame.assign(
        strength=frame["pivoting"].map({name: place for place, name in enumerate(PIVOTINGS)}),
        multiplier_bound=(1 / bounded).where(bounded < 0.5, 1 / (1 - bounded)),
        condition_bound=(1 + bounded) / (1 - bounded),
    )


def at_usual_tolerance(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the cases at the thesis' tolerance if there are any, otherwise all."""
    usual = frame[frame["tolerance"] == USUAL_TOLERANCE]
    return frame if usual.empty else usual


def lines(rows: pd.DataFrame) -> list:
    """Returns the cases in the order of a data sheet."""
    return list(rows.sort_values(["n", "problem", "seed", "strength", "alpha"], kind="stable").itertuples())


def with_contestants(frame: pd.DataFrame) -> pd.DataFrame:
    """Adds the column `contestant`: the solver with symmetry, backend, storage and cores, as far as they vary."""
    symmetry_varies = frame.groupby("type")["symmetry"].nunique().max() > 1
    on_host = frame[~frame["solver"].str.contains(":") & ~frame["backend"].isin(ON_GPU)]
    storage_varies = on_host["storage"].nunique() > 1

    def words(row) -> list[str]:
        found = []
        if symmetry_varies and row.type == "z":
            found.append("Hermitian" if row.symmetry == "hermitian" else "symmetric")
        if storage_varies and row.backend not in ON_GPU and not is_baseline(row.solver):
            found.append(row.storage)
        return found

    return selection.with_contestants(frame, words)


def contestants(rows: pd.DataFrame, reference: str) -> list[str]:
    """Returns the contestants in order: the reference's solver (sequential and packed first), then by pivoting, cores,
    storage."""
    by = ("strength", "solver", "symmetry", "device", "threads", "full")
    return selection.contestants(rows.assign(full=rows["storage"] == "full"), reference, by)
