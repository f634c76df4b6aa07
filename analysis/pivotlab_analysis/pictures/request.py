# SPDX-License-Identifier: BSD-3-Clause
"""What a picture shall show, and its cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from ..errors import InputError
from ..limits import MOST_LINES, MOST_PANELS, require_few
from ..selection import TIMES
from . import looks
from .data import Data, lines_of, order_of, over_reference

SEED = 1
"""Of random resamples."""


@dataclass(frozen=True)
class Request:
    """Options of a picture. Columns are those of `pivotlab list description`, options in names of generators and
    solvers, `run` and `machine`; time and error mean compute_s and the method's first error."""

    x: str | None = None
    y: str = "compute_s"
    by: tuple[str, ...] = ("solver",)
    facet: str | None = None
    log: bool = False
    ratio_to: str | None = None


@dataclass
class Cases:
    """The cases of a picture, with columns `line`, `facet` and `value`."""

    frame: pd.DataFrame
    lines: list[str]
    facets: list[str]
    looks: dict[str, dict]
    notes: list[str]
    value: str
    """Label of the axis of the values."""
    column: str


def looks_of(data: Data, frame: pd.DataFrame, lines: Sequence[str], by: Sequence[str]) -> dict[str, dict]:
    """Looks of lines: those of their solvers, the second line of a solver dashed."""
    if "solver" not in by:
        return looks.of_values(lines)
    of_solver = looks.of_solvers(list(data.labels))
    solvers = data.every["solver"].loc[frame.drop_duplicates("line").index]
    solvers.index = frame.drop_duplicates("line")["line"]
    found: dict[str, dict] = {}
    for line in lines:
        own = of_solver[solvers[line]]
        turn = sum(solvers[other] == solvers[line] for other in found)
        symbols = list(looks.SYMBOLS.values())
        symbol = symbols[(symbols.index(own["symbol"]) + turn) % len(symbols)]
        found[line] = own | {"symbol": symbol} | ({"style": "dashed"} if turn else {})
    return found


def cases_of(data: Data, request: Request, besides: Sequence[str] = (), most_lines: int = MOST_LINES) -> Cases:
    """The cases with a value. `besides`: columns that the picture shows in another way, as its x-axis."""
    y = data.named(request.y, "--y", number=True)
    by = [data.named(word, "--by") for word in request.by]
    facet = [data.named(request.facet, "--facet")] if request.facet else []
    shown = [*besides, *facet]
    frame = lines_of(data, by, shown, y in TIMES or bool(request.ratio_to))
    notes, label = list(data.notes), data.heading(y)
    frame = frame.assign(value=pd.to_numeric(frame[y], errors="coerce").astype(float))
    if request.ratio_to:
        solver = data.solver_named(request.ratio_to, "--ratio-to")
        frame["value"] = over_reference(data, frame, y, solver)
        label = f"{data.heading(y).partition(' [')[0]} / {data.labels[solver]}"
        frame = frame[data.every["solver"].loc[frame.index] != solver]
        notes.append("Values over those of the named solver for the same problem on the same machine.")
    usable = frame["value"].notna() & ((frame["status"] == "passed") | (y not in TIMES))
    if lost := int((frame["status"] != "passed").sum()) if y in TIMES else int(frame[y].isna().sum()):
        what = "did not pass" if y in TIMES else "have no value"
        notes.append(f"{lost} of {len(frame)} cases {what} and are left out.")
    frame = frame[usable]
    if frame.empty:
        raise InputError(f"--y: no case has a value of {y}" + (" beside the named solver" if request.ratio_to else ""))
    frame = frame.assign(facet=frame[facet[0]].astype(str) if facet else "")
    lines = order_of(frame, by)
    require_few(len(lines), most_lines, "lines", by[0])
    order = frame.sort_values(facet[0]) if facet else frame
    facets = list(dict.fromkeys(order["facet"]))
    require_few(len(facets), MOST_PANELS, "panels", facet[0] if facet else "")
    return Cases(frame, lines, facets, looks_of(data, frame, lines, by), notes, label, y)


def hidden(data: Data, frame: pd.DataFrame, groups: Sequence[str]) -> list[str]:
    """What a point stands for: "5 seeds" for each axis of which one point has several values."""
    counts = frame.groupby(list(groups), dropna=False)[[*data.problem_axes, *data.solver_axes]].nunique()
    most = counts.max()
    return [f"{data.fields[name].heading} ({most[name]:.0f})" for name in counts if most[name] > 1]
