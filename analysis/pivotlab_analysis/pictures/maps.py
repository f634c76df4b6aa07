# SPDX-License-Identifier: BSD-3-Clause
"""Ratio maps: how a solver compares with another one over two axes."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..limits import MOST_PANELS, require_few
from ..model import Figure, HeatMap
from ..selection import TIMES
from .data import Data, lines_of, over_reference, spelled, without_option
from .lines import axis_of
from .request import Request

MOST_COLUMNS, MOST_ROWS = 24, 30


def ratio_map(data: Data, request: Request) -> Figure:
    """A panel for each solver but the reference: geometric means of the ratios of a cell's cases."""
    y = data.named(request.y, "--y", number=True)
    if not request.ratio_to:
        raise InputError("--ratio-to: missing; name the solver that a map compares with")
    solver = data.solver_named(request.ratio_to, "--ratio-to")
    x = data.named(request.x, "--x") if request.x else axis_of(data, request)
    if request.by == Request.by and "generator" not in data.varying(["generator"]):
        raise InputError("--by: missing; name the column of the rows")
    row = "problem" if request.by == Request.by else data.named(request.by[0], "--by")
    if len(request.by) > 1:
        raise InputError(f"--by: a map has one column of rows, not {','.join(request.by)}; name one")
    if request.facet not in (None, "solver"):
        raise InputError("--facet: the panels of a map are the solvers; leave it out")
    label = data.labels[solver]
    base = over_reference(data, data.frame, y, solver)
    data.frame = without_option(data.frame.assign(value=base), x)
    if row in data.fields:
        data.frame = without_option(data.frame, row)
    frame = lines_of(data, ["solver"], [x, row], True)
    frame = frame[(data.every["solver"].loc[frame.index] != solver) & (frame["value"] > 0)]
    frame = frame[(frame["status"] == "passed") | (y not in TIMES)]
    frame = frame[frame[x].notna() & frame[row].notna()]
    if frame.empty:
        raise InputError(f"--ratio-to: no case beside one of {label} for the same problem; name another solver")
    lines = list(dict.fromkeys(frame.sort_values("line")["line"]))
    columns, rows = (sorted(frame[name].unique()) for name in (x, row))
    require_few(len(lines), MOST_PANELS, "solvers", "solver")
    require_few(len(columns), MOST_COLUMNS, f"values of {x}", x)
    require_few(len(rows), MOST_ROWS, f"values of {row}", "generator" if row == "problem" else row)
    names = [list(map(spelled, values)) for values in (columns, rows)]
    heading = "generator" if row == "problem" else data.heading(row)
    cells = np.exp(np.log(frame["value"]).groupby([frame["line"], frame[row], frame[x]]).mean())
    most = max(1.5, cells.max(), 1 / cells.min())
    panels = []
    for line in lines:
        values = [[cells.get((line, r, c)) for c in columns] for r in rows]
        panels.append(HeatMap(line, data.heading(x), heading, *names, values, most))
    what = data.heading(y).partition(" [")[0]
    title = f"{what[0].upper()}{what[1:]} over that of {label}"
    notes = ["Geometric means over the cases of a cell; below 1, blue: less than the named solver."]
    return Figure("map", title, panels, notes)
