# SPDX-License-Identifier: BSD-3-Clause
"""Pictures on demand of factorizations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import InputError
from ...limits import MOST_PANELS, require_few
from ...model import Figure
from .figures import PIVOTS, growth_panel
from .solvers import lines

if TYPE_CHECKING:
    from ...pictures.data import Data
    from ...pictures.request import Request


def growth(data: Data, request: Request) -> Figure:
    """The growth of the reduced matrix and the order of the pivot, stage by stage; a panel for each case."""
    rows = data.frame[data.frame["stages"].notna()]
    if rows.empty:
        raise InputError("--kind: growth: no record has stages; baselines have none")
    varying = data.varying([name for name, field in data.fields.items() if field.is_axis], rows)
    require_few(len(rows), MOST_PANELS, "cases", varying[0] if varying else "solver")
    notes = ["Largest element of the reduced matrix over that of A, at the row of each pivot."]
    panels = [growth_panel(row) for row in lines(rows)]
    for line in (line for panel in panels for line in panel.series):
        line.symbol = "cross" if line.label == PIVOTS[2] else "circle"
    return Figure("growth", "Growth by stages", panels, [*notes, *data.notes])
