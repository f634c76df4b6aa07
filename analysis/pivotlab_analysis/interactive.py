"""Figures on the screen: plain Plotly dictionaries. The page's script puts the colours in, so that themes can change."""

from __future__ import annotations

import math

from . import layout
from .model import Panel, Series

SYMBOLS = {"circle": "circle", "square": "square-open", "diamond": "diamond", "triangle": "triangle-up"}
CHARACTER = 6.4  # pixels of an average character of a label


def panel(value: Panel) -> dict:
    """{"title", "data", "layout"} of a panel; a trace names its role in `meta` instead of a colour."""
    x_scale, y_scale = layout.scales(value)
    ticks, rows = layout.x_ticks(value), layout.y_ticks(value)
    labels = layout.labels(value, gap=0.068)
    overhang = max((len(l.series.label) * CHARACTER * layout_room(x_scale.fraction(l.x)) for l in labels), default=0)
    annotations = [
        {"text": l.series.label, "meta": l.series.role, "x": position(l.x, x_scale.log), "y": l.y_fraction, "xref": "x",
         "yref": "y domain", "xanchor": "left", "yanchor": "middle", "xshift": 9, "showarrow": False}
        for l in labels
    ]  # fmt: skip
    annotations += [
        {"text": mark.text, "meta": line.role, "x": position(mark.x, x_scale.log), "y": position(mark.y, y_scale.log),
         "xanchor": "right", "xshift": -2, "yshift": 11, "showarrow": False}
        for line in value.series for mark in line.marks
    ]  # fmt: skip
    return {
        "title": value.title,
        "data": [item for line in value.series for item in traces(line)],
        "layout": {
            "xaxis": axis(value.x_label, x_scale) | {"tickvals": ticks, "ticktext": [f"{x:g}" for x in ticks]},
            "yaxis": axis(value.y_label, y_scale) | {"tickvals": rows, "ticktext": [layout.number(y) for y in rows]},
            "annotations": annotations,
            "margin": {"l": 66, "r": 18 + math.ceil(overhang), "t": 12, "b": 50},
        },
    }


def layout_room(fraction: float) -> float:
    """How much of a label at this place hangs over the right edge."""
    return 1.0 if fraction > 0.8 else 0.0


def position(value: float, log: bool) -> float:
    """Plotly's annotations on a logarithmic axis take the logarithm."""
    return math.log10(value) if log else value


def axis(title: str, scale: layout.Scale) -> dict:
    low, high = position(scale.low, scale.log), position(scale.high, scale.log)
    return {"title": {"text": title}, "type": "log" if scale.log else "linear", "range": [low, high]}


def traces(line: Series) -> list[dict]:
    """The line, and under it the band between the quartiles."""
    x, y = list(line.x), list(line.y)
    main = {
        "type": "scatter", "x": x, "y": y, "name": line.label, "meta": line.role,
        "mode": "markers" if line.style == "points" else "lines" if line.symbol == "none" else "lines+markers",
        "line": {"dash": "dash" if line.style == "dashed" else "solid", "width": 2},
        "marker": {"symbol": SYMBOLS.get(line.symbol, "circle"), "size": 7},
        "hovertemplate": "%{x:,d}: %{y:.4g}<extra>" + line.label + "</extra>",
    }  # fmt: skip
    if not (line.low and line.high):
        return [main]
    band = {
        "type": "scatter", "x": x + x[::-1], "y": list(line.high) + list(line.low)[::-1], "meta": line.role, "fill": "toself",
        "mode": "none", "hoverinfo": "skip", "name": f"{line.label} quartiles",
    }  # fmt: skip
    return [band, main]
