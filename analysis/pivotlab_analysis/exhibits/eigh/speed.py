# SPDX-License-Identifier: BSD-3-Clause
"""Times of the Hermitian eigendecomposition."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Figure, Table
from ...selection import Source
from .. import registry, routes
from ..speeds import speed_figure, speed_table


@registry.figure("eigh-speed")
def speed(source: Source, *, title: str, type: str, reference: str, generator: str) -> Figure:
    """Time over n on the matrices of `generator` (its canonical name), and how many times as fast as the reference each
    solver is."""
    return speed_figure(source, title, type, reference, generator)


@registry.table("eigh-speed")
def table(source: Source, *, title: str, type: str, reference: str, generator: str) -> Table:
    """Median times of the Hermitian eigendecomposition alone on the matrices of `generator` (its canonical name),
    and how many times as fast as the reference each solver is."""
    return speed_table(source, title, type, reference, generator)


@registry.figure("eigh-time-accuracy")
def time_accuracy(source: Source, *, title: str, type: str = "d", solvers: Sequence[str] = ()) -> Figure:
    """Error against time, a line a solver through its orders n: the largest relative error of any of the
    eigenvalues of each kind of matrices, and the orthogonality of U over all."""
    return routes.of_values(source, title, type, solvers, "λ")
