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
from matplotlib import rcParams, style

from . import files
from .errors import InputError
from .model import Figure, HeatMap, Ranking
from .panels import (
    COLUMN,
    MM,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    PANEL,
    STYLE,
    characters,
    draw_heat_map,
    draw_panel,
    draw_ranking,
    height_of,
    legend_height,
    legend_of,
    literal,
)
from .remarks import footnotes

FORMATS = ("svg", "png", "pdf")
WIDTHS = {"column": COLUMN, "page": PAGE_WIDTH}
TITLE_INDENT = 18 * MM
"""Of titles of panels, which begin above the axes."""
MOST_ROWS = 12
"""Of panels beside which there are two in a row."""
LARGEST_IMAGE = 10_000
"""Pixels of a side."""


def in_lines(text: str, width: float, size: float) -> str:
    """A text in lines of at most `width` inches, for letters of this size in points."""
    return textwrap.fill(literal(text), max(8, characters(width, size)))


def subplots(
    title: str, count: int, columns: int = 2, height: float = PANEL, width: float | None = None, below: float = 0
):
    """Returns a figure with a title, the axes of its panels of this height in inches, and empty axes of the height
    `below` under them, if it is not 0. One panel is a column wide, several are a page wide, unless the width is given;
    very many make a square."""
    columns = 1 if width == COLUMN else min(columns, max(1, count))
    width = width or (COLUMN if columns == 1 else PAGE_WIDTH)
    if count > MOST_ROWS * columns:
        side = width / columns
        columns = math.ceil(math.sqrt(count * height / side))
        width = columns * side
    rows = max(1, -(-count // columns))
    with style.context(STYLE):
        size = rcParams["figure.titlesize"]
        heading = in_lines(title, width, size * 1.1)  # bold letters are wider
        lines = heading.count("\n") + 1
        canvas = matplotlib.figure.Figure(
            (width, height * rows + below + lines * 1.4 * size / 72), layout="constrained"
        )
        canvas.suptitle(heading, x=0.01, ha="left")
        grid = canvas.add_gridspec(rows + bool(below), columns, height_ratios=[height] * rows + [below] * bool(below))
        axes = [canvas.add_subplot(grid[index // columns, index % columns]) for index in range(count)]
        if below:
            canvas.add_subplot(grid[rows, :]).set_axis_off()
        return canvas, axes


def panel_height(figure: Figure, width: float | None = None) -> float:
    """Height of the panels with their legends, in inches."""
    own = width if width and len(figure.panels) == 1 else COLUMN
    if figure.common_legend:
        return PANEL
    return max((height_of(panel, own) for panel in figure.panels), default=PANEL)


def pages(figure: Figure) -> Iterator[Figure]:
    """Yields the figure in parts of which each fits a page."""
    most = max(1, int((PAGE_HEIGHT - 20 * MM) / panel_height(figure))) * 2
    parts = [figure.panels[start : start + most] for start in range(0, len(figure.panels), most)] or [[]]
    for place, panels in enumerate(parts, 1):
        several = {"name": f"{figure.name}-{place}", "title": f"{figure.title} ({place} of {len(parts)})"}
        yield replace(figure, panels=panels, **(several if len(parts) > 1 else {}))


def draw(figure: Figure, width: float | None = None):
    """A matplotlib figure with the panels side by side, two in a row. `width`: COLUMN or PAGE_WIDTH, by default a
    column for one panel and the page for several."""
    all_lines = {line.label: line for panel in figure.panels for line in panel.series} if figure.common_legend else {}
    wide = width or PAGE_WIDTH
    below = legend_height(list(all_lines), wide) + 4 * MM if all_lines else 0
    height = panel_height(figure, width)
    own = wide if width and len(figure.panels) == 1 else COLUMN
    canvas, axes = subplots(figure.title, len(figure.panels), height=height, width=width, below=below)
    with style.context(STYLE):
        for ax, panel in zip(axes, figure.panels, strict=True):
            ax.set_title(in_lines(panel.title, own - TITLE_INDENT, 1.1 * ax.title.get_fontsize()))
            match panel:
                case HeatMap():
                    draw_heat_map(ax, panel)
                case Ranking():
                    draw_ranking(ax, panel)
                case _:
                    draw_panel(ax, panel, not figure.common_legend, own)
        if all_lines:
            legend_of(canvas.axes[-1], axes, list(all_lines.values()), wide)
        if notes := [*figure.notes, *footnotes(figure)]:
            size = rcParams["legend.fontsize"]
            text = "\n".join(in_lines(note, canvas.get_figwidth(), 0.97 * size) for note in notes)
            canvas.supxlabel(text, x=0.01, ha="left", fontsize=size, color="#6b7280")
            canvas.set_figheight(canvas.get_figheight() + (text.count("\n") + 2) * 1.3 * size / 72)
    return canvas


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
