"""Figures on paper: matplotlib, as SVG, PNG and PDF."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib import patheffects, ticker
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from . import files, layout
from .model import Figure, Panel, Series
from .remarks import NOT_PASSED, footnotes, has_mark

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "semibold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelcolor": "#374151",
    "axes.edgecolor": "#9ca3af",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e5e7eb",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "xtick.color": "#4b5563",
    "ytick.color": "#4b5563",
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.hashsalt": "pivotlab",  # the same figure gives the same file
    "pdf.fonttype": 42,
}
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "triangle": "^", "dot": ".", "none": ""}
HALO = [patheffects.withStroke(linewidth=2.5, foreground="white")]  # keeps a label legible on a line
LEADER = {"arrowstyle": "-", "linewidth": 0.7, "alpha": 0.6, "relpos": (0, 0.5), "shrinkA": 1, "shrinkB": 4}
CROSS = "#111827"  # over the points of cases that did not pass
FORMATS = ("svg", "png", "pdf")


def draw(figure: Figure):
    """A matplotlib figure with the panels side by side, two in a row."""
    columns = min(2, max(1, len(figure.panels)))
    rows = max(1, -(-len(figure.panels) // columns))
    with plt.rc_context(STYLE):
        canvas, axes = plt.subplots(
            rows, columns, figsize=(6.2 * columns, 4.0 * rows + 0.5), squeeze=False, layout="constrained"
        )
        canvas.suptitle(figure.title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
        flat = list(axes.flat)
        for ax, panel in zip(flat, figure.panels, strict=False):
            draw_panel(ax, panel)
        for ax in flat[len(figure.panels) :]:
            ax.set_axis_off()
        if notes := [*figure.notes, *footnotes(figure)]:
            canvas.supxlabel("\n".join(notes), x=0.01, ha="left", fontsize=7, color="#6b7280", wrap=True)
    return canvas


def draw_panel(ax: Axes, panel: Panel) -> None:
    x_scale, y_scale = layout.scales(panel)
    ax.set_title(panel.title)
    ax.set_xlabel(panel.x_label)
    ax.set_ylabel(panel.y_label)
    ax.set_xscale("log" if panel.x_log else "linear")
    ax.set_yscale("log" if panel.y_log else "linear")
    ax.set_xlim(x_scale.low, x_scale.high)
    ax.set_ylim(y_scale.low, y_scale.high)
    ax.set_xticks(ticks := layout.x_ticks(panel), layout.numbers(ticks))
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    ax.set_yticks(ticks := layout.y_ticks(panel), layout.numbers(ticks))
    ax.yaxis.set_minor_locator(ticker.NullLocator())
    if not any(len(line.x) for line in panel.series):
        ax.text(0.5, 0.5, "not run", transform=ax.transAxes, ha="center", va="center", color="#6b7280")
    for line in panel.series:
        draw_series(ax, line)
    beside = offset_copy(ax.get_xaxis_transform(), fig=ax.figure, x=7, units="points")
    for label in layout.labels(panel):
        shade = layout.color(label.series.role)
        ax.annotate(
            label.series.label,
            (label.end_x, label.end_fraction),
            xycoords=("data", "axes fraction"),
            xytext=(label.x, label.y_fraction),
            textcoords=beside,
            va="center",
            fontsize=8,
            color=shade,
            annotation_clip=False,
            path_effects=HALO,
            arrowprops=LEADER | {"color": shade} if label.is_away else None,
        )


def draw_series(ax: Axes, line: Series) -> None:
    shade = layout.color(line.role)
    if line.style == "bars":
        heights = [top - bottom for top, bottom in zip(line.y, line.low, strict=True)]
        ax.bar(line.x, heights, width=1.0, bottom=line.low, color=shade, label=line.label, linewidth=0)
        return
    if line.low and line.high:
        ax.fill_between(line.x, line.low, line.high, color=shade, alpha=0.15, linewidth=0)
    hollow, dot = line.symbol == "square", line.symbol == "dot"
    dot_size = 2.5 if len(line.x) > 500 else 4.0
    ax.plot(
        line.x,
        line.y,
        color=shade,
        label=line.label,
        marker=MARKERS[line.symbol],
        linestyle={"solid": "-", "dashed": (0, (5, 3)), "points": ""}[line.style],
        markerfacecolor="white" if hollow else shade,
        markersize=dot_size if dot else STYLE["lines.markersize"],
        markeredgewidth=1.4 if hollow else 0.0 if dot else 0.8,
    )
    if crossed := [(x, y) for x, y in zip(line.x, line.y, strict=True) if has_mark(y, NOT_PASSED)]:
        ax.plot(*zip(*crossed, strict=True), color=CROSS, marker="x", linestyle="", markersize=8, zorder=4)
    for mark in line.marks:
        ax.annotate(
            mark.text,
            (mark.x, mark.y),
            xytext=(-1, 6) if mark.above else (2, -6),
            textcoords="offset points",
            ha="right" if mark.above else "left",
            va="bottom" if mark.above else "top",
            fontsize=7.5,
            color=shade,
            path_effects=HALO,
        )


def save(figure: Figure, folder: Path, formats=FORMATS) -> list[Path]:
    """Writes `<folder>/<name>.<format>` for each format; gives the paths."""
    canvas = draw(figure)
    paths = []
    for kind in formats:
        path = folder / f"{figure.name}.{kind}"
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        content = io.BytesIO()
        with plt.rc_context(STYLE):
            canvas.savefig(content, format=kind, dpi=160, metadata=metadata, facecolor="white")
        files.write(path, content.getvalue())
        paths.append(path)
    plt.close(canvas)
    return paths
