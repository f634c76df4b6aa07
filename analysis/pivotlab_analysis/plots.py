# SPDX-License-Identifier: BSD-3-Clause
"""Figures on paper: matplotlib, as SVG, PNG and PDF."""

from __future__ import annotations

import io
import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import matplotlib.figure
from matplotlib import rcParams, style, ticker
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from . import files, layout
from .errors import InputError
from .model import Figure, Panel, Series
from .remarks import NOT_PASSED, footnotes, has_mark

STYLE = Path(__file__).parent / "assets" / "paper.mplstyle"
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "triangle": "^", "dot": ".", "none": ""}
LINES = {"solid": "-", "dashed": (0, (5, 3)), "points": ""}
CROSS = "#111827"  # over the points of cases that did not pass
FORMATS = ("svg", "png", "pdf")

MM = 1 / 25.4  # an inch is matplotlib's unit
COLUMN, PAGE_WIDTH, PAGE_HEIGHT = 86 * MM, 178 * MM, 240 * MM
"""Of a page with two columns: a figure is as wide as one of them or as both."""
PANEL, LEGEND_LINE, BELOW_AXES = 56 * MM, 3.6 * MM, 11 * MM
"""Height of a panel without its legend, of a line of the legend, and of the labels between axes and legend."""
SHORT_LABEL = 18  # characters of which two fit beside each other below a panel
TICK_CHARACTERS = 32  # of labels along the x-axis of a panel
MOST_ROWS = 12
"""Of panels beside which there are two in a row."""
LARGEST_IMAGE = 10_000
"""Pixels of a side."""


def literal(text: str) -> str:
    """A text whose dollars are no mathematics."""
    return text.replace("$", r"\$")


def in_lines(text: str, width: float, size: float) -> str:
    """A text in lines of at most `width` inches, for letters of this size in points."""
    return textwrap.fill(literal(text), max(8, int(width * 72 / (0.56 * size))))


def subplots(title: str, count: int, columns: int = 2, height: float = PANEL):
    """Returns a figure with a title, and the axes of its panels of this height in inches. One panel is a column wide,
    several are a page wide; very many make a square."""
    columns = min(columns, max(1, count))
    width = COLUMN if columns == 1 else PAGE_WIDTH
    if count > MOST_ROWS * columns:
        side = width / columns
        columns = math.ceil(math.sqrt(count * height / side))
        width = columns * side
    rows = max(1, -(-count // columns))
    with style.context(STYLE):
        size = rcParams["figure.titlesize"]
        heading = in_lines(title, width, size * 1.1)  # bold letters are wider
        lines = heading.count("\n") + 1
        canvas = matplotlib.figure.Figure((width, height * rows + lines * 1.4 * size / 72), layout="constrained")
        canvas.suptitle(heading, x=0.01, ha="left")
        return canvas, [canvas.add_subplot(rows, columns, index + 1) for index in range(count)]


def legend_columns(panel: Panel) -> int:
    return 2 if all(len(line.label) <= SHORT_LABEL for line in panel.series) else 1


def panel_height(figure: Figure) -> float:
    """Height of the panels with their legends, in inches."""
    lines = max((math.ceil(len(panel.series) / legend_columns(panel)) for panel in figure.panels), default=0)
    return PANEL + lines * LEGEND_LINE


def pages(figure: Figure) -> Iterator[Figure]:
    """Yields the figure in parts of which each fits a page."""
    most = max(1, int((PAGE_HEIGHT - 20 * MM) / panel_height(figure))) * 2
    parts = [figure.panels[start : start + most] for start in range(0, len(figure.panels), most)] or [[]]
    for place, panels in enumerate(parts, 1):
        several = {"name": f"{figure.name}-{place}", "title": f"{figure.title} ({place} of {len(parts)})"}
        yield replace(figure, panels=panels, **(several if len(parts) > 1 else {}))


def draw(figure: Figure):
    """A matplotlib figure with the panels side by side, two in a row."""
    height = panel_height(figure)
    canvas, axes = subplots(figure.title, len(figure.panels), height=height)
    with style.context(STYLE):
        for ax, panel in zip(axes, figure.panels, strict=True):
            draw_panel(ax, panel)
        if notes := [*figure.notes, *footnotes(figure)]:
            size = rcParams["legend.fontsize"]
            text = "\n".join(in_lines(note, canvas.get_figwidth(), size) for note in notes)
            canvas.supxlabel(text, x=0.01, ha="left", fontsize=size, color="#6b7280")
            canvas.set_figheight(canvas.get_figheight() + (text.count("\n") + 2) * 1.3 * size / 72)
    return canvas


def draw_panel(ax: Axes, panel: Panel) -> None:
    title = in_lines(panel.title, COLUMN, 1.1 * ax.title.get_fontsize())
    ax.set(title=title, xlabel=literal(panel.x_label), ylabel=literal(panel.y_label))
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
    if panel.y_log:
        label_powers(ax)
    elif all(y % 1 == 0 for line in panel.series for y in line.y):
        ax.yaxis.get_major_locator().set_params(integer=True)
    lines = layout.by_height(panel)
    order = [literal(line.label) for line in lines]
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    below = ax.transAxes + ScaledTranslation(0, -BELOW_AXES, ax.figure.dpi_scale_trans)
    place = {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": below, "ncols": legend_columns(panel)}
    # Some versions of matplotlib would write the label of a hollow symbol in white.
    colours = [layout.PALETTES["light"][line.role] for line in lines]
    legend = ax.legend([handles[name] for name in order], order, labelcolor=colours, **place)
    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(rcParams["lines.markersize"])


def label_powers(ax: Axes) -> None:
    """Labels the y-axis with powers of ten in one notation; with 1, 2, 5 of each if there are few."""
    low, high = ax.get_ylim()
    few = high / low < 10**2.5
    ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if few else (1,)))
    if low >= 1e-3 and high <= 1e5:
        ax.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
    else:
        ax.yaxis.set_major_formatter(ticker.LogFormatterSciNotation(minor_thresholds=(3, 3) if few else None))
    ax.yaxis.set_minor_locator(ticker.NullLocator())


def draw_series(ax: Axes, line: Series) -> None:
    shade = layout.PALETTES["light"][line.role]
    if line.style == "bars":
        heights = [top - bottom for top, bottom in zip(line.y, line.low, strict=True)]
        ax.bar(line.x, heights, width=1.0, bottom=line.low, color=shade, label=literal(line.label), linewidth=0)
        return
    if line.low and line.high:
        ax.fill_between(line.x, line.low, line.high, color=shade, alpha=0.15, linewidth=0)
    hollow, dot, size = line.symbol == "square", line.symbol == "dot", rcParams["lines.markersize"]
    ax.plot(
        line.x,
        line.y,
        color=shade,
        label=literal(line.label),
        marker=MARKERS[line.symbol],
        linestyle=LINES[line.style],
        markerfacecolor="white" if hollow else shade,
        markersize=size * (0.4 if len(line.x) > 500 else 0.7) if dot else size,
        markeredgewidth=1.0 if hollow else 0.0 if dot else 0.6,
    )
    if crossed := [(x, y) for x, y in zip(line.x, line.y, strict=True) if has_mark(y, NOT_PASSED)]:
        ax.plot(*zip(*crossed, strict=True), color=CROSS, marker="x", linestyle="", markersize=1.5 * size, zorder=4)


def write(canvas, path: Path) -> None:
    """Writes a figure in the format of the file's extension."""
    kind = path.suffix[1:]
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    content = io.BytesIO()
    with style.context(STYLE):
        dpi = min(rcParams["savefig.dpi"], LARGEST_IMAGE / max(canvas.get_size_inches()))
        canvas.savefig(content, format=kind, dpi=dpi, metadata=metadata, facecolor="white")
    canvas.set_layout_engine("none")  # other formats keep this layout, which takes most of the time of large figures
    files.write(path, content.getvalue())


def file_name(name: str) -> str:
    """A name from a spec as that of a file, which lies in no other folder."""
    plain = re.sub(r"[^\w.;=+-]+", "-", name).lstrip(".-")
    return plain[:100] or "unnamed"


def save(figure: Figure, folder: Path, formats=FORMATS) -> list[Path]:
    """Writes `<folder>/<name>.<format>` for each format, and for each page of a figure that needs several; returns the
    paths."""
    written = []
    for page in pages(figure):
        canvas = draw(page)
        for kind in formats:
            written.append(folder / f"{file_name(page.name)}.{kind}")
            write(canvas, written[-1])
    return written


def save_all(sections, folder: Path, formats=FORMATS) -> list[Path]:
    """Writes the figures of runs with exhibits, a folder for each run. Raises InputError for a folder that a link leads
    out of `folder`."""
    figures = [(folder / file_name(section.run.name), figure) for section in sections for figure in section.figures]
    for own, _ in figures:
        if own.is_symlink():
            raise InputError(f"{own}: is a link; remove it, or choose another folder")
    return [path for own, figure in figures for path in save(figure, own, formats)]
