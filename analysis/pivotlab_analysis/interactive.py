"""Figures on the screen: plain Plotly dictionaries, without colours, which the page's script puts in by theme."""

from __future__ import annotations

import math

from . import layout
from .model import Panel, Series
from .remarks import NOT_PASSED, has_mark, in_words

SYMBOLS = {"circle": "circle", "square": "square-open", "diamond": "diamond", "triangle": "triangle-up"}
CROSS = "x"  # in place of the symbol, where a case did not pass
CHARACTER = 6.4  # pixels of an average character of a label


def panel(value: Panel) -> dict:
    """{"title", "data", "layout"} of a panel; a trace names its role in `meta` instead of a colour."""
    x_scale, y_scale = layout.scales(value)
    ticks, rows = layout.x_ticks(value), layout.y_ticks(value)
    labels = layout.labels(value, gap=0.068, character=0.018)
    over_the_edge = [len(label.series.label) for label in labels if x_scale.fraction(label.x) > 0.8]
    return {
        "title": value.title,
        "data": [item for line in value.series for item in traces(line)],
        "layout": {
            "xaxis": axis(value.x_label, x_scale) | {"tickvals": ticks, "ticktext": layout.numbers(ticks)},
            "yaxis": axis(value.y_label, y_scale) | {"tickvals": rows, "ticktext": layout.numbers(rows)},
            "annotations": [line_label(label, x_scale) for label in labels] + mark_labels(value, x_scale, y_scale),
            "shapes": [leader(label) for label in labels if label.is_away],
            "margin": {"l": 66, "r": 18 + math.ceil(CHARACTER * max(over_the_edge, default=0)), "t": 12, "b": 50},
        },
    }


def line_label(label: layout.Label, x_scale: layout.Scale) -> dict:
    return {
        "text": label.series.label,
        "meta": label.series.role,
        "x": position(label.x, x_scale.log),
        "y": label.y_fraction,
        "xref": "x",
        "yref": "y domain",
        "xanchor": "left",
        "yanchor": "middle",
        "xshift": 9,
        "showarrow": False,
    }


def leader(label: layout.Label) -> dict:
    """From the end of a line to its label; shapes take values also on a logarithmic axis."""
    return {
        "type": "line",
        "name": label.series.role,
        "x0": label.end_x,
        "y0": label.end_fraction,
        "x1": label.x,
        "y1": label.y_fraction,
        "xref": "x",
        "yref": "y domain",
        "layer": "below",
        "line": {"width": 0.8},
    }


def mark_labels(value: Panel, x_scale: layout.Scale, y_scale: layout.Scale) -> list[dict]:
    return [
        {
            "text": mark.text,
            "meta": line.role,
            "x": position(mark.x, x_scale.log),
            "y": position(mark.y, y_scale.log),
            "xanchor": "right" if mark.above else "left",
            "xshift": -2 if mark.above else 3,
            "yshift": 11 if mark.above else -11,
            "showarrow": False,
        }
        for line in value.series
        for mark in line.marks
    ]


def position(value: float, log: bool) -> float:
    """Plotly's annotations on a logarithmic axis take the logarithm."""
    return math.log10(value) if log else value


def axis(title: str, scale: layout.Scale) -> dict:
    low, high = position(scale.low, scale.log), position(scale.high, scale.log)
    return {"title": {"text": title}, "type": "log" if scale.log else "linear", "range": [low, high]}


def bars(line: Series) -> dict:
    """With a place and a width of their own, so that they stand on each other and not side by side."""
    return {
        "type": "bar",
        "x": list(line.x),
        "y": [top - bottom for top, bottom in zip(line.y, line.low, strict=True)],
        "base": list(line.low),
        "offset": -0.5,
        "width": 1,
        "name": line.label,
        "meta": line.role,
        "marker": {},
        "hovertemplate": "step %{x}: %{y:.4g} s<extra>" + line.label + "</extra>",
    }


def traces(line: Series) -> list[dict]:
    """The line, and under it the band between the quartiles."""
    x, y = list(line.x), list(line.y)
    if line.style == "bars":
        return [bars(line)]
    main = {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": line.label,
        "meta": line.role,
        "mode": "markers" if line.style == "points" else "lines" if line.symbol == "none" else "lines+markers",
        "line": {"dash": "dash" if line.style == "dashed" else "solid", "width": 2},
        "marker": {"symbol": SYMBOLS.get(line.symbol, "circle"), "size": 3 if line.symbol == "dot" else 7},
        "hovertemplate": "%{x:,.4~g}: %{y:.4g}<extra>" + line.label + "</extra>",
    }
    if any(map(in_words, y)):
        main["text"] = [f"<br>{words}" if (words := in_words(value)) else "" for value in y]
        main["hovertemplate"] = main["hovertemplate"].replace("<extra>", "%{text}<extra>")
    if any(has_mark(value, NOT_PASSED) for value in y):
        own = main["marker"]["symbol"]
        main["marker"]["symbol"] = [CROSS if has_mark(value, NOT_PASSED) else own for value in y]
    if not (line.low and line.high):
        return [main]
    band = {
        "type": "scatter",
        "x": x + x[::-1],
        "y": list(line.high) + list(line.low)[::-1],
        "meta": line.role,
        "fill": "toself",
        "mode": "none",
        "hoverinfo": "skip",
        "name": f"{line.label} quartiles",
    }
    return [band, main]
