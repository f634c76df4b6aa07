# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the pivots of symmetric indefinite factorizations: from which row, of which order, and the growth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import InputError
from ...model import Figure, Panel, Series
from .figures import PIVOTS

REMEDY = "give a file of `pivotlab solve ldlt A -o FILE`"


@dataclass(frozen=True)
class Pivots:
    title: str
    rows: np.ndarray
    """Row k of the factors is this row of the matrix."""
    sizes: np.ndarray
    """Order of the pivot of each row, 1 or 2."""
    first: np.ndarray
    growth: np.ndarray
    """First row of each pivot, and the largest element of the reduced matrix over that of the matrix; may be empty."""


def sizes_of(subdiagonal: np.ndarray) -> np.ndarray:
    """The orders of pivots by the subdiagonal of D, which is not zero in the first row of one of order 2."""
    double = np.flatnonzero(subdiagonal)
    sizes = np.ones(len(subdiagonal), dtype=int)
    sizes[double] = sizes[np.minimum(double + 1, len(sizes) - 1)] = 2
    return sizes


def read(path: Path) -> Pivots:
    """Reads a file of `solve ldlt`. Raises InputError for another one."""
    import h5py

    if not path.is_file():
        raise InputError(f"{path}: no such file; {REMEDY}")
    try:
        with h5py.File(path) as file:
            schema = np.bytes_(file.attrs.get("schema", b"")).decode()
            if schema != "pivotlab/ldlt/1":
                raise InputError(f"{path}: holds no symmetric indefinite factorization; {REMEDY}")
            if file.attrs.get("tridiagonal", 0):
                raise InputError(f"{path}: D is tridiagonal, which has no pivots (Aasen's algorithm)")
            rows, D = file["permutation"][()], file["D"][()]
            stages = {name: file[f"stages/{name}"][()] for name in ("first", "growth") if f"stages/{name}" in file}
            solver = np.bytes_(file.attrs.get("solver", b"")).decode()
    except (OSError, KeyError, ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}; {REMEDY}") from None
    empty = np.zeros(0)
    sizes = sizes_of(np.reshape(D, (len(rows), -1))[:, -1])
    first, growth = (np.ravel(stages.get(name, empty)) for name in ("first", "growth"))
    return Pivots(f"Pivots of {path.name}, {solver}", np.ravel(rows).astype(int), sizes, first, growth)


def figure(pivots: Pivots) -> Figure:
    """The row of the matrix from which each row of the factors comes, by the order of its pivot, and the growth."""
    k = np.arange(1, len(pivots.rows) + 1)
    moved = int(np.count_nonzero(pivots.rows + 1 != k))
    diagonal = Series("no interchange", "bound", [1, len(k)], [1, len(k)], style="dashed", symbol="none")
    series, counts = [], []
    for size, name in PIVOTS.items():
        own = pivots.sizes == size
        counts.append(f"{np.count_nonzero(own) // size} {name}")
        if own.any():
            symbol = "circle" if size == 1 else "cross"
            series.append(Series(name, f"pivot-{size}", k[own], pivots.rows[own] + 1, style="points", symbol=symbol))
    panels = [Panel(", ".join(counts), "row k of the factors", "row of the matrix", [*series, diagonal], y_log=False)]
    grown = pivots.growth > 0
    if grown.any():
        order = pivots.sizes[pivots.first.astype(int)]
        clouds = [
            Series(
                name,
                f"pivot-{size}",
                pivots.first[own] + 1,
                pivots.growth[own],
                style="points",
                symbol="circle" if size == 1 else "cross",
            )
            for size, name in PIVOTS.items()
            if (own := grown & (order == size)).any()
        ]
        panels.append(Panel("", "row k of the pivot", "growth", clouds))
    note = f"{moved} of {len(k)} rows are not in their place. Rows of a 2×2 pivot stand beside each other."
    return Figure("pivots", pivots.title, panels, [note])
