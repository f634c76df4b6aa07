# SPDX-License-Identifier: BSD-3-Clause
"""Times of the singular value decomposition."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Figure, Table
from ...selection import Source
from .. import registry, routes
from ..speeds import speed_figure, speed_table


@registry.figure("hsvd-speed")
def speed(source: Source, *, title: str, type: str, reference: str, generator: str) -> Figure:
    """Time over n on the matrices of `generator` (its canonical name), and how many times as fast as the reference each
    solver is."""
    return speed_figure(source, title, type, reference, generator)


@registry.table("hsvd-speed")
def table(source: Source, *, title: str, type: str, reference: str, generator: str) -> Table:
    """Median times of the singular value decomposition alone on the matrices of `generator` (its canonical name),
    and how many times as fast as the reference each solver is."""
    return speed_table(source, title, type, reference, generator)


@registry.figure("hsvd-time-accuracy")
def time_accuracy(source: Source, *, title: str, type: str = "d", solvers: Sequence[str] = ()) -> Figure:
    """Error against time, a line a solver through its orders n: the largest relative error of any of the
    singular values of each kind of matrices, and the orthogonality of U over all."""
    return routes.of_values(source, title, type, solvers, "σ")
