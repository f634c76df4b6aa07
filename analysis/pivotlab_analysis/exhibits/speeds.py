# SPDX-License-Identifier: BSD-3-Clause
"""Times of the compute phase over n on one kind of matrices, for methods with several kinds in a run."""

from __future__ import annotations

import pandas as pd

from .. import figures, tables
from ..model import Figure, Table
from ..selection import Source, contestants, resolve, with_contestants


def rows_and_names(source: Source, type: str, reference: str, generator: str) -> tuple[pd.DataFrame, list[str]]:
    """Returns the cases of a type on the matrices of a generator, by its canonical name, and their contestants."""
    frame = source.frame
    rows = with_contestants(frame[(frame["type"] == type) & (frame["generator"] == generator)])
    return rows, contestants(rows, resolve(reference, type))


def speed_table(source: Source, title: str, type: str, reference: str, generator: str) -> Table:
    rows, names = rows_and_names(source, type, reference, generator)
    return tables.speed(source, f"{source.method.name}-speed", title, rows, names, "decomposition")


def speed_figure(source: Source, title: str, type: str, reference: str, generator: str) -> Figure:
    rows, names = rows_and_names(source, type, reference, generator)
    of = f"decomposition alone on {source.hardware}"
    return figures.speed(f"{source.method.name}-speed", title, rows, names, of)
