# SPDX-License-Identifier: BSD-3-Clause
"""Tables and figures of a report as plain values, independent of how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

NOT_RUN = "not run"
NOTHING: dict = {}
"""Default of options of exhibits that are mappings."""

Value = float | int | str | None
"""A cell: a number; a word in place of one ("not run", "timeout"); None where nothing was ever published."""

Format = Literal["text", "integer", "seconds", "scientific", "precise", "percent", "ratio", "times"]


@dataclass(frozen=True)
class Finding:
    """A statement that the numbers support (`holds`), contradict, or, None, do not decide."""

    holds: bool | None
    text: str

    @classmethod
    def unless(cls, exceptions: str | int, text: str) -> Finding:
        """Returns a finding that holds if there are no exceptions; otherwise its text names or counts them."""
        return cls(not exceptions, f"{text}, but {exceptions}." if exceptions else f"{text}.")


@dataclass(frozen=True)
class Headline:
    """A number for the first screen of a report, such as "13.7 s → 2.2 s", and what it is."""

    value: str
    text: str


@dataclass(frozen=True)
class Column:
    label: str
    format: Format = "text"
    group: str = ""
    help: str = ""
    """Explanation of the column, shown under the cursor."""


@dataclass
class Table:
    name: str
    title: str
    columns: list[Column]
    rows: list[list[Value]]
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    emphasized: set[tuple[int, int]] = field(default_factory=set)
    """(row, column) of the values that stand out, as the smallest of a column in the paper's Table 6."""
    headlines: list[Headline] = field(default_factory=list)


@dataclass
class Series:
    label: str
    role: str
    """Selects the colour: the name of a subvariant, "published", "bound", "pivot-1", or "solver-0", "solver-1", …"""
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: Literal["solid", "dashed", "steps", "points", "bars"] = "solid"
    """Steps keep a value of y up to the next x. Bars reach from low to y, one unit of x wide."""
    symbol: Literal[
        "circle", "square", "diamond", "triangle", "down", "pentagon", "plus", "cross", "star", "dot", "none"
    ] = "circle"


@dataclass
class Panel:
    title: str
    x_label: str
    y_label: str
    series: list[Series]
    x_log: bool = False
    y_log: bool = True
    x_ticks: Sequence[float] | None = None
    y_span: tuple[float, float] | None = None
    """Values that the y-axis reaches at least, so that neighbouring panels can be compared."""
    equal: bool = False
    """A unit is as long on both axes."""


@dataclass
class HeatMap:
    """Ratios over two axes."""

    title: str
    x_label: str
    y_label: str
    columns: list[str]
    rows: list[str]
    values: list[list[float | None]]
    """Of each row from above; None where nothing is known."""
    most: float
    """The colours reach from its inverse to it."""
    series: Sequence[Series] = ()


@dataclass
class Ranking:
    """Values with intervals, from the best to the worst."""

    title: str
    x_label: str
    points: list[Series]
    """Each with one x and its interval (low, high)."""
    series: Sequence[Series] = ()


@dataclass
class Figure:
    name: str
    title: str
    panels: list[Panel | HeatMap | Ranking]
    notes: list[str] = field(default_factory=list)
    common_legend: bool = False
    """All panels have the same lines, which one legend below all of them names."""
