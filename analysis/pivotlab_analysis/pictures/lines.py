# SPDX-License-Identifier: BSD-3-Clause
"""Lines over a number: times, errors and ratios over an axis, errors over times, and iterations sweep by sweep."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..errors import InputError
from ..exhibits import MODULES
from ..model import Figure, Panel, Series
from ..selection import is_number
from ..sweeps import WIDE, with_axis
from .data import Data, nearest, without_option
from .request import Cases, Request, cases_of, hidden

FITTED, FEWEST_FITTED = 8, 3
"""A slope is that of the points whose x is at least the largest over FITTED, of FEWEST_FITTED at least."""


def slope(x: list[float], y: list[float]) -> float | None:
    """The exponent p of y ∝ xᵖ, by least squares of the logarithms over the larger x."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if a >= max(x) / FITTED and a > 0 and b > 0]
    if len(points) < FEWEST_FITTED:
        return None
    return float(np.polyfit(*np.log(np.array(points)).T, 1)[0])


def is_wide(values: pd.Series) -> bool:
    return 0 < WIDE * values.min() <= values.max()


def axis_of(data: Data, request: Request) -> str:
    """The column of the x-axis: the one that is named, else the axis that varies."""
    if request.x:
        return data.named(request.x, "--x", number=True)
    found = with_axis(data.frame, list(data.method.fields.values()))
    if not found:
        raise InputError("--x: no axis with numbers varies in these cases; name a column")
    same = (name for name, field in data.fields.items() if field.heading == found[1] and name in data.frame)
    return next(same, found[1])


def lines(data: Data, request: Request) -> Figure:
    """A line for each solver over an axis: medians, with the quartiles as a band; a point for each case over anything
    else."""
    x = axis_of(data, request)
    of_axis = data.fields[x].is_axis or not data.fields[x].place or data.fields[x].place.startswith("/variant/")
    data.frame = without_option(data.frame, x)
    cases = cases_of(data, request, besides=[x])
    frame = cases.frame[cases.frame[x].notna()]
    of_times = cases.column in ("compute_s", "wall_s")
    x_log = request.log or is_wide(frame[x]) or (of_times and of_axis and 0 < 3 * frame[x].min() <= frame[x].max())
    y_log = request.log or is_wide(frame["value"][frame["value"] > 0]) and (frame["value"] >= 0).all()
    if request.log and not (frame[x] > 0).all():
        raise InputError(f"--log: {x} has values that are not positive; leave --log out")
    if y_log:
        frame = frame[frame["value"] > 0]
    cases.frame = frame
    fits = of_axis and of_times and x_log and y_log and not request.ratio_to and len(cases.facets) == 1
    panels = []
    for facet in cases.facets:
        own = frame[frame["facet"] == facet]
        series = medians(cases, own, x, fits) if of_axis else points(cases, own, x)
        panels.append(Panel(facet, data.heading(x), cases.value, series, x_log=x_log, y_log=y_log))
    share_axis(panels)
    title = f"{cases.value.partition(' [')[0]} over {data.heading(x).partition(' [')[0]}"
    notes = cases.notes
    several = hidden(data, frame, ["line", "facet", x]) if of_axis else []
    if several:
        notes.insert(0, f"Medians over {', '.join(several)}; bands from quartile to quartile.")
    if fits and any("∝" in line.label for line in panels[0].series):
        first = frame[x][frame[x] >= frame[x].max() / FITTED].min()
        notes.insert(0, f"∝: slope by least squares from {data.fields[x].heading} = {first:g} on.")
    return Figure("lines", title[0].upper() + title[1:], panels, notes, common_legend=len(panels) > 1)


def share_axis(panels: list[Panel]) -> None:
    """Lets panels beside each other have the same y-axis."""
    levels = [
        y for panel in panels for line in panel.series for own in (line.y, line.low or (), line.high or ()) for y in own
    ]
    if len(panels) > 1:
        for panel in panels:
            panel.y_span = (min(levels), max(levels))


def medians(cases: Cases, frame: pd.DataFrame, x: str, fits: bool) -> list[Series]:
    found = []
    for line in cases.lines:
        values = frame[frame["line"] == line].groupby(x)["value"]
        if not len(values):
            continue
        middle = values.median()
        power = slope(list(middle.index), list(middle)) if fits else None
        label = line + (f"  ∝ {x}^{power:.1f}" if power is not None else "")
        series = Series(label, x=list(middle.index), y=list(middle), **cases.looks[line])
        if values.size().max() > 1:
            series.low, series.high = list(values.quantile(0.25)), list(values.quantile(0.75))
        found.append(series)
    return found


def points(cases: Cases, frame: pd.DataFrame, x: str) -> list[Series]:
    found = []
    for line in cases.lines:
        own = frame[frame["line"] == line]
        if len(own):
            looks = cases.looks[line] | {"style": "points"}
            found.append(Series(line, x=list(own[x]), y=list(own["value"]), **looks))
    return found


def convergence(data: Data, request: Request) -> Figure:
    """A number of each sweep over the sweeps: medians, with the smallest and the largest value as a band."""
    known = histories(data)
    if not known:
        raise InputError(f"--kind convergence: records of {data.method.name} have no numbers of each sweep")
    usual = getattr(MODULES.get(data.method.name), "CONVERGENCE", next(iter(known)))
    name = usual if request.y == Request.y else request.y
    if name not in known:
        raise InputError(f"--y: '{name}' is not a history of sweeps; {nearest(name, known)}")
    column, _, member = name.partition(".")
    rows = data.frame[data.frame[column].map(lambda value: isinstance(value, list) and len(value) > 0)]
    lists = [[entry.get(member) for entry in value] if member else value for value in rows[column]]
    starts = [len(values) != count + 1 for values, count in zip(lists, rows["sweeps"], strict=True)]
    long = rows.drop(columns=[c for c in rows if rows[c].map(type).isin((list, dict)).any()])
    long = long.assign(values=lists, sweep=[range(s, s + len(v)) for s, v in zip(starts, lists, strict=True)])
    data.frame = long.explode(["values", "sweep"])
    data.frame["values"] = pd.to_numeric(data.frame["values"], errors="coerce")
    data.frame["sweep"] = pd.to_numeric(data.frame["sweep"])
    field = data.fields[column]
    data.fields = data.fields | {
        "values": type(field)(
            "values", "", member or field.heading.removesuffix(" history"), "number", field.definition
        ),
    }
    changed = Request(y="values", by=request.by, facet=request.facet)
    cases = cases_of(data, changed, besides=["sweep"])
    frame = cases.frame
    y_log = request.log or is_wide(frame["value"][frame["value"] > 0])
    frame = frame[frame["value"] > 0] if y_log else frame
    panels = []
    for facet in cases.facets:
        own = frame[frame["facet"] == facet]
        panels.append(Panel(facet, "sweep", cases.value, of_sweeps(cases, own), y_log=y_log))
    share_axis(panels)
    several = hidden(data, frame, ["line", "facet", "sweep"])
    notes = [f"{field.definition}."] + cases.notes
    notes += [f"Medians over {', '.join(several)}; bands from the smallest to the largest."] if several else []
    return Figure(
        "convergence",
        f"{cases.value[0].upper()}{cases.value[1:]} by sweep",
        panels,
        notes,
        common_legend=len(panels) > 1,
    )


def of_sweeps(cases: Cases, frame: pd.DataFrame) -> list[Series]:
    found = []
    for line in cases.lines:
        values = frame[frame["line"] == line].groupby("sweep")["value"]
        if not len(values):
            continue
        middle = values.median()
        series = Series(line, x=list(middle.index), y=list(middle), **cases.looks[line])
        if values.size().max() > 1:
            series.low, series.high = list(values.min()), list(values.max())
        found.append(series)
    return found


def histories(data: Data) -> list[str]:
    """Columns with a number for each sweep; "per_sweep.big" for lists of objects."""
    found = []
    for name, field in data.fields.items():
        if field.kind != "list" or not field.place.startswith("/convergence/"):
            continue
        first = next((value for value in data.frame[name] if isinstance(value, list) and value), [])
        if first and is_number(first[0]):
            found.append(name)
        elif first and isinstance(first[0], dict):
            found += [f"{name}.{member}" for member, value in first[0].items() if is_number(value)]
    return found
