# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a run whose spec asks for none: time, rate, error and speed-up over the numeric axis that varies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from .figures import looks_of, series_of, with_peak
from .methods import COMMON, NUMBERS, Field
from .model import Figure, Headline, Panel, Series, Value
from .records import is_baseline
from .selection import TYPE_NAMES, Source, generator_options, is_number, numbers, value_of
from .tables import AS_FAST, factor_over, faster

PANELS = ("type", "generator")
WIDE = 8  # from this quotient of the largest and the smallest x on, the axis is logarithmic


def with_axis(frame: pd.DataFrame, fields: list[Field]) -> tuple[pd.DataFrame, str] | None:
    """The frame with a column `x` of the numeric axis, and the axis' heading: n, else the axis with most values, else
    an option in the names of generators or solvers, which the names then lose. None where nothing numeric varies."""
    axes = [f for f in fields if f.is_axis and f.kind in NUMBERS and f.name != "seed" and frame[f.name].nunique() > 1]
    if axis := max(axes, key=lambda f: (f.name == "n", frame[f.name].nunique()), default=None):
        return frame.assign(x=frame[axis.name]), axis.heading
    for column in ("generator", "solver"):
        options = frame[column].map(lambda name: generator_options(name)[1])
        for key in dict.fromkeys(key for own in options for key in own):
            values = pd.to_numeric(options.map(lambda own: own.get(key)), errors="coerce")  # noqa: B023
            if values.nunique() < 2:
                continue
            known = values.notna()  # a name without the option means its default, which the record may have
            chosen = (frame[f.name] for f in fields if f.place.startswith("/variant/") and f.kind in NUMBERS)
            same = next((own for own in chosen if own[known].equals(values[known].astype(own.dtype))), values)
            names = {name: frame[name].str.replace(rf";{key}=[^;]*", "", regex=True) for name in (column, "label")}
            return frame.assign(x=same, **names), key
    return None


def with_lines(frame: pd.DataFrame, fields: list[Field]) -> pd.DataFrame:
    """The frame with a column `line`: the solver, with the values of the other axes that vary for one solver."""
    own = frame["label"]
    for field in fields:
        values = frame[field.name] if field.is_axis else frame["x"]
        given = field.name in (*PANELS, "seed", "solver") or values.equals(frame["x"]) or values.equals(frame["n"])
        if not given and frame.groupby("label")[field.name].nunique().max() > 1:
            own = own + [f", {field.heading} {value}" if is_number(value) else f", {value}" for value in values]
    return frame.assign(line=own)


def values_of(rows: pd.DataFrame, column: str, only_passed: bool) -> dict[str, dict[float, Value]]:
    """By line and x the median over the seeds, or the word in place of it; own solvers before baselines."""
    order = rows.sort_values("solver", key=lambda names: names.map(is_baseline), kind="stable")
    return {
        line: {x: value_of(cases, column, only_passed=only_passed) for x, cases in own.groupby("x")}
        for line, own in order.groupby("line", sort=False)
    }


def drawn(rows: pd.DataFrame, values: Mapping[str, Mapping], looks: Mapping[str, dict], column: str) -> list[Series]:
    """A line for each solver; with several seeds a band from the smallest to the largest value of `column`."""
    lines = []
    for name, own in values.items():
        shown = {x: y for x, y in numbers(own).items() if y > 0}
        if shown:
            line = series_of(shown, name, **looks[name])
            cases = rows[(rows["line"] == name) & (rows[column].fillna(0) > 0)].groupby("x")[column] if column else ()
            if column and cases.size().max() > 1:
                line.low, line.high = ([getattr(cases, how)().get(x) for x in line.x] for how in ("min", "max"))
            lines.append(line)
    return lines


@dataclass(frozen=True)
class Part:
    """The cases of one panel."""

    title: str
    rows: pd.DataFrame
    times: dict[str, dict[float, Value]]
    """Medians by line and x."""
    first: str
    """The line of the first baseline, else the first line."""
    baselines: set[str]


def parts_of(source: Source) -> tuple[pd.DataFrame, str, list[Part]]:
    """The frame with columns `x` and `line`, the heading of the axis, and the cases by type and generator; no parts
    where nothing numeric varies."""
    fields = list(source.method.fields.values())
    found = with_axis(source.frame, fields) if len(source.frame) else None
    if not found:
        return source.frame, "", []
    frame, x_label = with_lines(found[0], fields), found[1]
    frame = frame[frame["x"].notna()]
    by = [name for name in PANELS if name in frame and frame[name].nunique() > 1]
    parts = []
    for key, rows in frame.groupby(by, sort=False) if by else [((), frame)]:
        names = dict(zip(by, key, strict=True))
        names |= {"type": TYPE_NAMES.get(names["type"], names["type"])} if "type" in names else {}
        times = values_of(rows, "compute_s", True)
        baselines = set(rows.loc[rows["solver"].map(is_baseline), "line"])
        first = next((name for name in times if name in baselines), next(iter(times)))
        parts.append(Part(", ".join(names.values()), rows, times, first, baselines))
    return frame, x_label, parts


def headlines(source: Source) -> list[Headline]:
    """For each part the times of the first baseline, or else of the slowest variant, and of the fastest variant at the
    largest x that both have; without a baseline also the largest rate."""
    _, x_label, parts = parts_of(source)
    found = []
    for part in parts:
        where = f", {part.title}" if part.title else ""
        own = {name: numbers(times) for name, times in part.times.items() if name not in part.baselines}
        others = {part.first: numbers(part.times[part.first])} if part.baselines else own
        if common := {x for times in own.values() for x in times} & {x for times in others.values() for x in times}:
            x = max(common)
            best = min((name for name in own if x in own[name]), key=lambda name: own[name][x])  # noqa: B023
            slow = max((name for name in others if x in others[name]), key=lambda name: others[name][x])  # noqa: B023
            text = f"{slow} → {best}, {x_label} = {x:g}{where}"
            found += faster(others[slow][x], own[best][x], text) if slow != best else []
        rates = values_of(part.rows, "gflops", True) if not part.baselines else {}
        if points := [(rate, line, x) for line, values in rates.items() for x, rate in numbers(values).items()]:
            rate, line, x = max(points)
            found.append(Headline(f"{rate:.0f} Gflop/s", f"largest rate: {line}, {x_label} = {x:g}{where}"))
    return found


def figures(source: Source) -> list[Figure]:
    """Times, rates, errors and speed-ups over the first baseline, a panel for each type and generator."""
    frame, x_label, parts = parts_of(source)
    if not parts:
        return []
    fields = list(source.method.fields.values())
    error = next((f for f in fields if f.compared and f.kind == "scientific" and frame[f.name].notna().any()), None)
    looks = looks_of(values_of(frame, "compute_s", True))
    x_log = 0 < WIDE * frame["x"].min() <= frame["x"].max()
    panels: dict[str, list[Panel]] = {"time": [], "rate": [], "error": [], "speed-up": []}
    for part in parts:
        title, rows, times, first = part.title or source.method.title, part.rows, part.times, part.first

        def add(kind: str, y_label: str, lines: list[Series], title: str = title, **options) -> None:
            if lines:
                panels[kind].append(Panel(title, x_label, y_label, lines, x_log=x_log, **options))

        add("time", "time [s]", drawn(rows, times, looks, "compute_s"))
        rates = drawn(rows, values_of(rows, "gflops", True), looks, "gflops")
        add("rate", "Gflop/s", with_peak(rates, rows))
        if error:
            add("error", error.heading, drawn(rows, values_of(rows, error.name, False), looks, error.name))
        speedups = {
            name: {x: factor_over(time, times[first].get(x), AS_FAST) for x, time in own.items()}
            for name, own in times.items()
            if name != first
        }
        add("speed-up", f"times as fast as {first}", drawn(rows, speedups, looks, ""), y_log=False)
    several = frame["seed"].nunique() > 1 if "seed" in frame else False
    note = ["Median of the seeds; band from the smallest to the largest value."] if several else []
    flops = [f"{field.definition}." for name, field in source.method.fields.items() if name == "flops"]
    definition = [f"{error.heading}: {error.definition}."] if error else []
    texts = {
        "time": ("Time", f"{COMMON['compute_s'].definition}.", *note),
        "rate": ("Rate", f"{COMMON['gflops'].definition}.", *flops, *note),
        "error": ("Error", *definition, *note),
        "speed-up": ("Speed-up", "Quotient of the medians."),
    }
    return [Figure(kind, texts[kind][0], own, [*texts[kind][1:]]) for kind, own in panels.items() if own]
