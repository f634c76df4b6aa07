# SPDX-License-Identifier: BSD-3-Clause
"""Figures on paper: matplotlib, as SVG, PNG and PDF."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path

import matplotlib.figure
from matplotlib import rcParams, style, ticker
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from . import files, layout
from .errors import InputError
from .model import Figure, Panel, Series
from .remarks import NOT_PASSED, footnotes, has_mark

STYLE = Path(__file__).parent / "assets" / "paper.mplstyle"
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "triangle": "^", "dot": ".", "none": ""}
LINES = {"solid": "-", "dashed": (0, (5, 3)), "points": ""}
CROSS = "#111827"  # over the points of cases that did not pass
FORMATS = ("svg", "png", "pdf")


MOST_ROWS = 12
"""Of panels beside which there are two in a row."""
LARGEST_IMAGE = 10_000
"""Pixels of a side."""


def literal(text: str) -> str:
    """A text whose dollars are no mathematics."""
    return text.replace("$", r"\$")


def subplots(title: str, count: int, columns: int = 2, size: tuple[float, float] = (6.2, 4.0)):
    """Returns a figure with a title, and the axes of its panels; sizes are in inches. Many panels make a square."""
    columns = min(columns, max(1, count))
    if count > MOST_ROWS * columns:
        columns = math.ceil(math.sqrt(count * size[1] / size[0]))
    rows = max(1, -(-count // columns))
    with style.context(STYLE):
        canvas = matplotlib.figure.Figure(figsize=(size[0] * columns, size[1] * rows + 0.5), layout="constrained")
        canvas.suptitle(literal(title), x=0.01, ha="left", fontsize=11.5, fontweight="bold")
        return canvas, [canvas.add_subplot(rows, columns, index + 1) for index in range(count)]


def draw(figure: Figure):
    """A matplotlib figure with the panels side by side, two in a row."""
    canvas, axes = subplots(figure.title, len(figure.panels))
    with style.context(STYLE):
        for ax, panel in zip(axes, figure.panels, strict=True):
            draw_panel(ax, panel)
        if notes := [*figure.notes, *footnotes(figure)]:
            canvas.supxlabel(literal("\n".join(notes)), x=0.01, ha="left", fontsize=7, color="#6b7280", wrap=True)
    return canvas


def draw_panel(ax: Axes, panel: Panel) -> None:
    ax.set(title=literal(panel.title), xlabel=literal(panel.x_label), ylabel=literal(panel.y_label))
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
    if ticks := layout.x_ticks(panel):
        ax.set_xticks(ticks, [f"{x:g}" for x in ticks])
        ax.xaxis.set_minor_locator(ticker.NullLocator())
    if panel.y_log:
        label_powers(ax)
    elif all(y % 1 == 0 for line in panel.series for y in line.y):
        ax.yaxis.get_major_locator().set_params(integer=True)
    order = [literal(line.label) for line in layout.by_height(panel)]
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    legend = ax.legend([handles[name] for name in order], order, loc="upper left", bbox_to_anchor=(1.0, 1.03))
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
    hollow, dot = line.symbol == "square", line.symbol == "dot"
    ax.plot(
        line.x,
        line.y,
        color=shade,
        label=literal(line.label),
        marker=MARKERS[line.symbol],
        linestyle=LINES[line.style],
        markerfacecolor="white" if hollow else shade,
        markersize=(2.5 if len(line.x) > 500 else 4.0) if dot else rcParams["lines.markersize"],
        markeredgewidth=1.4 if hollow else 0.0 if dot else 0.8,
    )
    if crossed := [(x, y) for x, y in zip(line.x, line.y, strict=True) if has_mark(y, NOT_PASSED)]:
        ax.plot(*zip(*crossed, strict=True), color=CROSS, marker="x", linestyle="", markersize=8, zorder=4)


def write(canvas, path: Path) -> None:
    """Writes a figure in the format of the file's extension."""
    kind = path.suffix[1:]
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    content = io.BytesIO()
    with style.context(STYLE):
        dpi = min(160.0, LARGEST_IMAGE / max(canvas.get_size_inches()))
        canvas.savefig(content, format=kind, dpi=dpi, metadata=metadata, facecolor="white")
    canvas.set_layout_engine("none")  # other formats keep this layout, which takes most of the time of large figures
    files.write(path, content.getvalue())


def file_name(name: str) -> str:
    """A name from a spec as that of a file, which lies in no other folder."""
    plain = re.sub(r"[^\w.;=+-]+", "-", name).lstrip(".-")
    return plain[:100] or "unnamed"


def save(figure: Figure, folder: Path, formats=FORMATS) -> list[Path]:
    """Writes `<folder>/<name>.<format>` for each format; returns the paths."""
    canvas, paths = draw(figure), [folder / f"{file_name(figure.name)}.{kind}" for kind in formats]
    for path in paths:
        write(canvas, path)
    return paths


def save_all(sections, folder: Path, formats=FORMATS) -> list[Path]:
    """Writes the figures of runs with exhibits, a folder for each run. Raises InputError for a folder that a link leads
    out of `folder`."""
    figures = [(folder / file_name(section.run.name), figure) for section in sections for figure in section.figures]
    for own, _ in figures:
        if own.is_symlink():
            raise InputError(f"{own}: is a link; remove it, or choose another folder")
    return [path for own, figure in figures for path in save(figure, own, formats)]
