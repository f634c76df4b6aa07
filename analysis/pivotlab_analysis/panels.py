# SPDX-License-Identifier: BSD-3-Clause
"""Panels of figures on paper, in the axes of matplotlib."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path

import numpy as np
from matplotlib import rc_params_from_file, rcParams, ticker
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from . import layout
from .model import HeatMap, Panel, Ranking, Series
from .remarks import NOT_PASSED, has_mark

STYLE = Path(__file__).parent / "assets" / "paper.mplstyle"
MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle": "^",
    "down": "v",
    "pentagon": "p",
    "plus": "P",
    "cross": "X",
    "star": "*",
    "dot": ".",
    "none": "",
}
LINES = {"solid": "-", "dashed": (0, (5, 3)), "steps": "-", "points": ""}
CROSS = "#111827"  # over the points of cases that did not pass
MANY_POINTS = 200  # from which on they are small

SIZES = rc_params_from_file(STYLE, fail_on_error=True, use_default_template=False)
MM = 1 / 25.4  # an inch is matplotlib's unit
COLUMN, PAGE_WIDTH, PAGE_HEIGHT = 86 * MM, 178 * MM, 240 * MM
"""Of a page with two columns: a figure is as wide as one of them or as both."""
PANEL = 56 * MM
"""Height of a panel of lines without its legend."""
LEGEND_LINE = 1.5 * SIZES["legend.fontsize"] / 72
BELOW_AXES = 2.1 * (SIZES["xtick.labelsize"] + SIZES["font.size"]) / 72
"""Heights of a line of the legend, and of the labels between axes and legend."""
CELL = 1.55 * SIZES["font.size"] / 72
"""Height of a row of a heat map or a ranking."""
AROUND = 24 * MM
"""Height of the title and the labels around such rows."""
TICK_CHARACTERS = int(224 / SIZES["xtick.labelsize"])  # of labels along the x-axis of a panel
MOST_CELLS = 12
"""Columns of a heat map whose cells have numbers, in a column of the page."""


def literal(text: str) -> str:
    """A text whose dollars are no mathematics."""
    return text.replace("$", r"\$")


def characters(width: float, size: float) -> int:
    """How many letters of this size in points fit a width in inches."""
    return int(width * 72 / (0.56 * size))


def legend_columns(labels: list[str], width: float) -> int:
    """As many columns as fit below the axes, three at most."""
    size = SIZES["legend.fontsize"]
    longest = max(map(len, labels), default=0) + 2 * SIZES["legend.handlelength"] + 3
    return min(3, max(1, int(characters(width - 14 * MM, size) / longest)))


def legend_height(labels: list[str], width: float) -> float:
    return math.ceil(len(labels) / legend_columns(labels, width)) * LEGEND_LINE


def height_of(panel: Panel | HeatMap | Ranking, width: float) -> float:
    """Height of a panel of this width with its legend, in inches."""
    match panel:
        case HeatMap():
            return max(PANEL, len(panel.rows) * CELL + AROUND)
        case Ranking():
            return max(0.6 * PANEL, len(panel.points) * CELL + AROUND)
    return PANEL + legend_height([line.label for line in panel.series], width)


def draw_panel(ax: Axes, panel: Panel, has_legend: bool = True, width: float = COLUMN) -> None:
    ax.set(xlabel=literal(panel.x_label), ylabel=literal(panel.y_label))
    if not panel.series:
        ax.text(0.5, 0.5, "not run", transform=ax.transAxes, ha="center", va="center", color="#6b7280")
        return
    ax.set_xscale("log" if panel.x_log else "linear")
    ax.set_yscale("log" if panel.y_log else "linear")
    for line in panel.series:
        draw_series(ax, line)
    levels = (*(panel.y_span or ()), *((0,) if layout.begins_at_zero(panel) else ()))
    ax.update_datalim([(x, y) for x in panel.series[0].x[:1] for y in levels])
    ax.autoscale_view()
    if layout.begins_at_zero(panel):
        ax.set_ylim(bottom=0)
    if panel.equal:
        ax.set_aspect("equal", adjustable="datalim")
    longest = max((len(f"{x:g}") for x in layout.x_ticks(panel)), default=1)
    if ticks := layout.x_ticks(panel, min(layout.MOST_TICKS, TICK_CHARACTERS // longest)):
        ax.set_xticks(ticks, [f"{x:g}" for x in ticks])
        ax.xaxis.set_minor_locator(ticker.NullLocator())
    elif all(x % 1 == 0 for line in panel.series for x in line.x) and not panel.x_log:
        ax.xaxis.set_major_locator(ticker.MaxNLocator(6, integer=True))
    elif panel.x_log:
        label_powers(ax, ax.xaxis, ax.get_xlim())
    if panel.y_log:
        label_powers(ax, ax.yaxis, ax.get_ylim())
    elif all(y % 1 == 0 for line in panel.series for y in line.y):
        ax.yaxis.get_major_locator().set_params(integer=True)
    if has_legend:
        below = ax.transAxes + ScaledTranslation(0, -BELOW_AXES, ax.figure.dpi_scale_trans)
        legend_of(ax, [ax], layout.by_height(panel), width, bbox_to_anchor=(0, 0), bbox_transform=below)


def legend_of(ax: Axes, drawn: list[Axes], lines: list[Series], width: float = COLUMN, **place) -> None:
    """Draws the legend of lines, of which `drawn` has the handles, below the axes."""
    handles = {}
    for one in drawn:
        handles |= dict(zip(*reversed(one.get_legend_handles_labels()), strict=True))
    order = [literal(line.label) for line in lines]
    # Some versions of matplotlib would write the label of a hollow symbol in white.
    colours = [layout.PALETTES["light"][line.role] for line in lines]
    columns = legend_columns(order, width)
    legend = ax.legend(
        [handles[name] for name in order], order, labelcolor=colours, loc="upper left", ncols=columns, **place
    )
    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(rcParams["lines.markersize"] * (2 if handle.get_marker() == "." else 1))


def label_powers(ax: Axes, axis, limits: tuple[float, float]) -> None:
    """Labels an axis with powers of ten in one notation; with 1, 2, 5 of each if there are few."""
    low, high = limits
    few = high / low < 10**2.5
    wide = axis is ax.xaxis and high / low > 10  # labels stand beside each other
    digits = (1,) if not few or high / low > 100 and wide else (1, 3) if wide else (1, 2, 5)
    narrow = axis is ax.xaxis and high / low < 4
    axis.set_major_locator(ticker.MaxNLocator(4, steps=(1, 2, 5, 10)) if narrow else ticker.LogLocator(subs=digits))
    if low >= 1e-3 and high <= 1e5:
        axis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
    else:
        axis.set_major_formatter(ticker.LogFormatterSciNotation(minor_thresholds=(3, 3) if few else None))
    axis.set_minor_locator(ticker.NullLocator())


def draw_series(ax: Axes, line: Series) -> None:
    shade = layout.PALETTES["light"][line.role]
    if line.style == "bars":
        heights = [top - bottom for top, bottom in zip(line.y, line.low, strict=True)]
        ax.bar(line.x, heights, width=1.0, bottom=line.low, color=shade, label=literal(line.label), linewidth=0)
        return
    if line.low and line.high:
        ax.fill_between(line.x, line.low, line.high, color=shade, alpha=0.15, linewidth=0)
    hollow, dot, size = line.symbol == "square", line.symbol == "dot", rcParams["lines.markersize"]
    large = 1.5 if line.symbol == "star" else 1.2 if line.symbol in ("plus", "cross", "pentagon") else 1.0
    small = 0.6 if line.style == "points" and len(line.x) > MANY_POINTS else 1.0
    ax.plot(
        line.x,
        line.y,
        color=shade,
        label=literal(line.label),
        marker=MARKERS[line.symbol],
        linestyle=LINES[line.style],
        drawstyle="steps-post" if line.style == "steps" else "default",
        markevery=0.15 if line.style == "steps" else None,
        markerfacecolor="white" if hollow else shade,
        markersize=size * (0.4 if len(line.x) > 500 else 0.7) if dot else size * small * large,
        markeredgewidth=1.0 if hollow else 0.0 if dot else 0.6,
    )
    if crossed := [(x, y) for x, y in zip(line.x, line.y, strict=True) if has_mark(y, NOT_PASSED)]:
        ax.plot(*zip(*crossed, strict=True), color=CROSS, marker="x", linestyle="", markersize=1.5 * size, zorder=4)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def draw_heat_map(ax: Axes, panel: HeatMap) -> None:
    """Colours on a logarithmic scale about 1, and numbers in the cells where they fit; grey where nothing is known."""
    values = np.array([[np.nan if v is None or v != v else v for v in row] for row in panel.values], dtype=float)
    most = panel.most
    norm = LogNorm(1 / most, most)
    image = ax.imshow(values, norm=norm, cmap="RdBu_r", aspect="auto", interpolation="nearest", origin="upper")
    ax.set_facecolor("#9ca3af")
    ax.grid(False)
    width = ax.figure.get_figwidth() / ax.get_subplotspec().get_gridspec().ncols
    ax.set(xlabel=literal(panel.x_label), ylabel=literal(panel.y_label))
    fit = max(
        1, math.ceil(len(panel.columns) * (max(map(len, panel.columns)) + 2) / (TICK_CHARACTERS * width / COLUMN))
    )
    places = range(0, len(panel.columns), fit)
    ax.set_xticks(list(places), [panel.columns[k] for k in places])
    names = [literal(shortened(name, characters(0.33 * width, SIZES["ytick.labelsize"]))) for name in panel.rows]
    ax.set_yticks(range(len(names)), names)
    if len(panel.columns) <= MOST_CELLS / 2 * width / COLUMN:
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                dark = abs(math.log(value)) > 0.6 * math.log(most)
                ax.text(j, i, f"{value:.2g}", ha="center", va="center", color="white" if dark else "black")
    bar = ax.figure.colorbar(image, ax=ax, label="ratio", aspect=30, pad=0.02)
    label_powers(ax, bar.ax.yaxis, (1 / most, most))


def draw_ranking(ax: Axes, panel: Ranking) -> None:
    """The best on top; a dashed line at 1."""
    width = ax.figure.get_figwidth() / ax.get_subplotspec().get_gridspec().ncols
    for place, point in enumerate(panel.points):
        shade = layout.PALETTES["light"][point.role]
        bar = [[max(0.0, point.x[0] - point.low[0])], [max(0.0, point.high[0] - point.x[0])]]
        ax.errorbar(point.x, [place], xerr=bar, color=shade, marker=MARKERS[point.symbol], markersize=5, capsize=3)
    names = [
        literal(shortened(point.label, characters(0.6 * width, SIZES["ytick.labelsize"]))) for point in panel.points
    ]
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.axvline(1, color="#6b7280", linestyle=LINES["dashed"], linewidth=0.8, zorder=0)
    label = textwrap.fill(panel.x_label, characters(0.45 * width, SIZES["font.size"]))
    ax.set_xlabel(literal(label), loc="right")  # it may be longer than the axis, beside long names
    ax.set_xscale("log")
    ax.grid(axis="y", visible=False)
    label_powers(ax, ax.xaxis, ax.get_xlim())
