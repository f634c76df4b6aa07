# SPDX-License-Identifier: BSD-3-Clause
"""A figure as one self-contained page: interactive, without a network."""

from __future__ import annotations

import json
import math

import plotly.offline
from markupsafe import Markup

from . import interactive, layout
from .model import Figure, HeatMap, Panel, Ranking
from .remarks import footnotes
from .render import TEMPLATES


def trace(own: dict) -> dict:
    """A trace with the colour of its role."""
    shade = layout.PALETTES["light"].get(own.get("meta", ""))
    if shade and own.get("fill"):
        return own | {"fillcolor": f"{shade}26"}
    return own | {"marker": own.get("marker", {}) | {"color": shade}, "line": own.get("line", {}) | {"color": shade}}


def of_panel(panel: Panel | HeatMap | Ranking) -> dict:
    """{"title", "data", "layout"} for Plotly."""
    match panel:
        case HeatMap():
            return of_heat_map(panel)
        case Ranking():
            return of_ranking(panel)
    drawn = interactive.panel(panel)
    return drawn | {"data": [trace(own) for own in drawn["data"]]}


def of_heat_map(panel: HeatMap) -> dict:
    known = [[value if value is not None and value == value else None for value in row] for row in panel.values]
    most = math.log10(panel.most)
    logs = [[None if value is None else math.log10(value) for value in row] for row in known]
    data = {
        "type": "heatmap",
        "x": [interactive.literal(name) for name in panel.columns],
        "y": [interactive.literal(name) for name in panel.rows],
        "z": logs,
        "text": [["" if value is None else f"{value:.3g}" for value in row] for row in known],
        "hovertemplate": "%{x}, %{y}: %{text}",
        "colorscale": "RdBu",
        "zmin": -most,
        "zmax": most,
        "showscale": False,
        "texttemplate": "%{text}",
    }
    labels = {"xaxis": panel.x_label, "yaxis": panel.y_label}
    axes = {name: {"type": "category", "title": {"text": interactive.literal(own)}} for name, own in labels.items()}
    axes["yaxis"] |= {"autorange": "reversed", "automargin": True}
    return {
        "title": panel.title,
        "data": [data],
        "layout": axes | {"height": 120 + 26 * len(panel.rows)},
    }


def of_ranking(panel: Ranking) -> dict:
    data = []
    for point in panel.points:
        bar = {"array": [point.high[0] - point.x[0]], "arrayminus": [point.x[0] - point.low[0]]}
        shade = layout.PALETTES["light"][point.role]
        own = {"x": list(point.x), "y": [interactive.literal(point.label)], "mode": "markers", "type": "scatter"}
        symbol = {"color": shade, "symbol": interactive.SYMBOLS[point.symbol], "size": 9}
        data.append(own | {"error_x": bar | {"type": "data", "symmetric": False, "color": shade}, "marker": symbol})
    axes = {"xaxis": {"type": "log", "title": {"text": interactive.literal(panel.x_label)}}}
    axes["yaxis"] = {"autorange": "reversed", "automargin": True}
    return {"title": panel.title, "data": data, "layout": axes | {"showlegend": False, "height": 120 + 26 * len(data)}}


def page(figure: Figure) -> str:
    panels = [of_panel(panel) for panel in figure.panels]
    data = json.dumps(panels, ensure_ascii=False, separators=(",", ":"), default=float).replace("<", "\\u003c")
    return TEMPLATES.get_template("figure.html.j2").render(
        title=figure.title,
        notes=[*figure.notes, *footnotes(figure)],
        panels=panels,
        data=Markup(data),
        plotly=Markup(plotly.offline.get_plotlyjs()),
    )
