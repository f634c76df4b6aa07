"""What a figure on paper and on the screen share: colours, the order of the legend, ticks where there are points."""

from __future__ import annotations

import json
import math
from pathlib import Path

from .model import Panel, Series

# Blue for ME outside, orange for MM; the full tone for FB, the lighter one for BO: four lines that stay apart for every
# kind of colour vision and in grey, the symbol (circle FB, square BO) saying the same once more.
PALETTES = json.loads((Path(__file__).parent / "assets" / "palettes.json").read_text(encoding="utf-8"))
MOST_TICKS, MOST_PLACES = 8, 24


def by_height(panel: Panel) -> list[Series]:
    """The lines as the legend beside the panel lists them: by where they end, from above."""
    return sorted(reversed(panel.series), key=lambda line: line.y[-1] if len(line.y) else -math.inf, reverse=True)


def begins_at_zero(panel: Panel) -> bool:
    levels = [y for line in panel.series for y in line.y]
    return not panel.y_log and min(levels, default=0) >= 0 and (not panel.y_span or panel.y_span[0] >= 0)


def x_ticks(panel: Panel) -> list[float]:
    """The places named, or those of the points where these are few whole numbers, thinned from the largest down until
    their numbers cannot touch; empty where the drawing chooses."""
    points = {x for line in panel.series for x in line.x}
    wanted = panel.x_ticks or (points if len(points) <= MOST_PLACES and all(x % 1 == 0 for x in points) else ())
    places = {x: math.log(x) if panel.x_log else x for x in sorted(wanted, reverse=True)}
    ticks: list[float] = []
    for x, place in places.items():
        if not ticks or places[ticks[-1]] - place >= (max(places.values()) - min(places.values())) / MOST_TICKS:
            ticks.append(x)
    return ticks[::-1]
