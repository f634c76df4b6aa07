# SPDX-License-Identifier: BSD-3-Clause
"""Layout common to figures on paper and on the screen: colours, order of the legend, ticks."""

from __future__ import annotations

import json
import math
from pathlib import Path

from .model import Panel, Series

# Blue for ME outside, orange for MM; the full tone for FB, the lighter one for BO: four lines that stay apart for every
# kind of colour vision and in grey, the symbol (circle FB, square BO) saying the same once more.
PALETTES = json.loads((Path(__file__).parent / "assets" / "palettes.json").read_text(encoding="utf-8"))
MOST_TICKS, MOST_PLACES = 8, 24


def short_log_ticks(low: float, high: float) -> list[float]:
    """The numbers 1, 2, 5 times powers of ten on a logarithmic axis of less than two decades; empty on a longer one and
    on one too short for them."""
    if not 0 < 5 * low <= high < 100 * low:
        return []
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    numbers = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    return [number for number in numbers if low / 2.5 <= number <= high * 2.5]


def by_height(panel: Panel) -> list[Series]:
    """Returns the lines in the order of the legend: by their last values, descending."""
    return sorted(reversed(panel.series), key=lambda line: line.y[-1] if len(line.y) else -math.inf, reverse=True)


def begins_at_zero(panel: Panel) -> bool:
    levels = [y for line in panel.series for y in line.y]
    return not panel.y_log and min(levels, default=0) >= 0 and (not panel.y_span or panel.y_span[0] >= 0)


def x_ticks(panel: Panel, most: int = MOST_TICKS) -> list[float]:
    """Returns the panel's ticks, or those of points at few whole numbers, thinned to at most `most` + 1 so that labels
    do not touch; empty where the drawing library chooses them."""
    points = {x for line in panel.series for x in line.x}
    few = len(points) <= (MOST_PLACES if panel.x_log else MOST_TICKS) and all(x % 1 == 0 for x in points)
    wanted = panel.x_ticks or (points if few else ())
    places = {x: math.log(x) if panel.x_log else x for x in sorted(wanted, reverse=True)}
    ticks: list[float] = []
    for x, place in places.items():
        if not ticks or places[ticks[-1]] - place >= (max(places.values()) - min(places.values())) / most:
            ticks.append(x)
    return ticks[::-1]
