# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a sweep of a parallel strategy: pairs in a matrix by their step; steps as bars; an animation."""

from __future__ import annotations

import html

import matplotlib
import numpy as np
from matplotlib import style
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.ticker import MaxNLocator

from ..panels import COLUMN, MM, PAGE_WIDTH, SIZES, STYLE
from ..plots import subplots
from .orderings import Strategy

COLOURS = "viridis"
MOST_NUMBERED, MOST_BARS = 16, 64
"""Orders up to which cells have the numbers of their steps, and up to which steps are drawn as bars."""


def title_of(strategy: Strategy) -> str:
    kind = f"quasi-cyclic, {strategy.repeated} pairs twice" if strategy.repeated else "cyclic"
    return f"{strategy.name}, order {strategy.order}: {len(strategy.steps)} steps, {kind}"


def shades(strategy: Strategy) -> list:
    """The colour of each step."""
    return list(matplotlib.colormaps[COLOURS](np.linspace(0, 0.96, len(strategy.steps))))


def draw(strategy: Strategy, width: float | None = None):
    """A matplotlib figure: the matrix and, up to order MOST_BARS, the bars; in a column one below the other."""
    has_bars = strategy.order <= MOST_BARS
    width = width or (PAGE_WIDTH if has_bars else COLUMN)
    side = COLUMN if has_bars else width
    canvas, axes = subplots(title_of(strategy), 1 + has_bars, width=width, height=side - 6 * MM)
    with style.context(STYLE):
        draw_matrix(axes[0], strategy, side)
        if has_bars:
            draw_bars(axes[1], strategy)
        note = "A pair is met in the step of its colour, for both triangles."
        note += " Dots: met again." if strategy.repeated else ""
        canvas.supxlabel(note, x=0.01, ha="left", fontsize=SIZES["legend.fontsize"], color="#6b7280", wrap=True)
    return canvas


def draw_matrix(ax, strategy: Strategy, side: float) -> None:
    steps = np.full((strategy.order, strategy.order), np.nan)
    for (p, q), step in strategy.first.items():
        steps[p, q] = steps[q, p] = step + 1
    count = len(strategy.steps)
    image = ax.imshow(steps, cmap=matplotlib.colors.ListedColormap(shades(strategy)), vmin=0.5, vmax=count + 0.5)
    ax.grid(False)
    ax.set(xlabel="column q", ylabel="column p", title="pairs by step")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(8 if strategy.order > 9 else 9, integer=True, min_n_ticks=2))
    if strategy.order <= MOST_NUMBERED * side / COLUMN:
        for (p, q), step in strategy.first.items():
            for place in ((q, p), (p, q)):
                dark = step < 0.6 * count
                ax.text(*place, step + 1, ha="center", va="center", color="white" if dark else "black")
    again = [pair for k, pairs in enumerate(strategy.steps) for pair in pairs if strategy.first[pair] < k]
    if again:
        rows, columns = zip(*(place for p, q in again for place in ((p, q), (q, p))), strict=True)
        place = 0.0 if strategy.order > MOST_NUMBERED else 0.38
        dots = {"marker": ".", "linestyle": "", "color": "white", "markeredgewidth": 0.3, "markeredgecolor": "black"}
        ax.plot(np.array(columns) - place, np.array(rows) - place, markersize=min(4, 120 / strategy.order), **dots)
    ax.figure.colorbar(image, ax=ax, label="step", aspect=30, pad=0.02).ax.yaxis.set_major_locator(
        MaxNLocator(6, integer=True)
    )


def draw_bars(ax, strategy: Strategy) -> None:
    """A bar from p to q for each pair, beside those of the same step, shortest first."""
    bars, colours = [], []
    for k, (pairs, shade) in enumerate(zip(strategy.steps, shades(strategy), strict=True), start=1):
        for place, (p, q) in enumerate(sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))):
            x = k - 0.4 + 0.8 * (place + 0.5) / len(pairs)
            bars.append([(x, p), (x, q)])
            colours.append(shade)
    width = min(3.0, 0.5 * 72 * 70 * MM / len(bars) * 1.4)
    ax.add_collection(LineCollection(bars, colors=colours, linewidths=width))
    ax.set(xlim=(0.4, len(strategy.steps) + 0.6), ylim=(strategy.order - 0.5, -0.5))
    ax.set(xlabel="step", ylabel="columns p to q", title="steps as bars from p to q")
    ax.grid(axis="x", visible=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=2))


SECONDS = 0.35  # of a step


def animated(strategy: Strategy) -> str:
    """An SVG in which the pairs of each step appear in turn; without animation it shows all of them."""
    count, cell = len(strategy.steps), max(4, 480 // strategy.order)
    side, top = cell * strategy.order, 30
    colours = [to_hex(shade) for shade in shades(strategy)]
    rest = 2 * SECONDS
    lasts = count * SECONDS + rest
    rules = [f"g{{animation:{lasts:g}s step-end infinite}}", "text{font:13px sans-serif;fill:#374151}"]
    groups = []
    for k, pairs in enumerate(strategy.steps):
        start = 100 * k * SECONDS / lasts
        end = 100 * (k + 1) * SECONDS / lasts
        hidden = "0%{opacity:.08}" if k else ""
        rules.append(
            f"@keyframes s{k}{{{hidden}{start:.3f}%{{opacity:1;stroke:#111827}}{end:.3f}%{{opacity:1;stroke:none}}}}"
            f"#s{k}{{animation-name:s{k}}}"
        )
        squares = (f"M{q * cell} {p * cell}h{cell}v{cell}h-{cell}z" for pair in pairs for p, q in (pair, pair[::-1]))
        groups.append(f'<g id="s{k}" fill="{colours[k]}" stroke-width="1.5"><path d="{"".join(squares)}"/></g>')
    title = html.escape(title_of(strategy))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -{top} {side + 20} {side + top + 10}" '
        f'width="{side + 20}" height="{side + top + 10}" role="img" aria-label="{title}">\n'
        f"<title>{title}</title><style>{''.join(rules)}"
        "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
        f'</style>\n<rect x="-10" y="-{top}" width="{side + 20}" height="{side + top + 10}" fill="white"/>'
        f'<rect width="{side}" height="{side}" fill="#e5e7eb"/>'
        f'<text x="0" y="-10">{title}</text>\n' + "\n".join(groups) + "\n</svg>\n"
    )
