# SPDX-License-Identifier: BSD-3-Clause
"""Figures on the screen: plain Plotly dictionaries, without colours, which the page's script puts in by theme."""

from __future__ import annotations

import math

from . import layout
from .model import Panel, Series
from .remarks import NOT_PASSED, has_mark, in_words

SYMBOLS = {
    "circle": "circle",
    "square": "square-open",
    "diamond": "diamond",
    "triangle": "triangle-up",
    "down": "triangle-down",
    "pentagon": "pentagon",
    "plus": "cross",
    "cross": "x",
    "star": "star",
}
SCREEN_CHARACTERS = 24  # of labels along the x-axis of a panel beside another one, with a legend
CROSS = "x"  # in place of the symbol, where a case did not pass


def literal(text: str) -> str:
    """A text in which Plotly finds no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def panel(value: Panel) -> dict:
    """{"title", "data", "layout"} of a panel; a trace names its role in `meta` instead of a colour."""
    x = axis(value.x_label, value.x_log, [x for line in value.series for x in line.x])
    levels = [y for line in value.series for own in (line.y, line.low or (), line.high or ()) for y in own]
    y = axis(value.y_label, value.y_log, levels)
    longest = max((len(f"{x:g}") for x in layout.x_ticks(value)), default=1)
    if ticks := layout.x_ticks(value, min(layout.MOST_TICKS, SCREEN_CHARACTERS // longest)):
        x |= {"tickvals": ticks, "ticktext": [f"{x:g}" for x in ticks]}
    if from_zero := layout.begins_at_zero(value):
        y["rangemode"] = "tozero"
    if value.y_span:
        low, high = map(math.log10, value.y_span) if value.y_log else value.y_span
        pad = 0.05 * (high - low)
        y["range"] = [low if from_zero else low - pad, high + pad]
    if value.equal:
        y |= {"scaleanchor": "x", "scaleratio": 1}
    order = layout.by_height(value)
    data = [trace | {"legendrank": order.index(line) + 1} for line in value.series for trace in traces(line)]
    return {"title": value.title, "data": data, "layout": {"xaxis": x, "yaxis": y}}


def axis(title: str, log: bool, values: list[float]) -> dict:
    """Powers of ten only for numbers that are not best read without; on a logarithmic axis of some decades one each."""
    sizes = [abs(value) for value in values if value]
    plain = not sizes or max(sizes) < 1e5 and (min(sizes) >= 1e-3 or not log)
    result = {"title": {"text": literal(title)}, "type": "log" if log else "linear"}
    result["exponentformat"] = "none" if plain else "power"
    if log and sizes and 2 <= math.log10(max(sizes) / min(sizes)) <= 8:
        result["dtick"] = 1
    elif log and sizes and (ticks := layout.short_log_ticks(min(sizes), max(sizes))):
        result |= {"tickvals": ticks, "ticktext": [power_of_ten(tick) for tick in ticks]}
    return result


def power_of_ten(value: float) -> str:
    """ "0.002", "2·10⁻¹⁵" in the notation of a page."""
    digit, exponent = f"{value:.0e}".split("e")
    return f"{value:g}" if 1e-4 < value < 1e5 else f"{digit}·10<sup>{int(exponent)}</sup>".replace("-", "−")


def traces(line: Series) -> list[dict]:
    """The line, and under it the band between the quartiles; bars that stand on each other."""
    x, y = list(line.x), list(line.y)
    common = {"name": literal(line.label), "meta": line.role, "x": x}
    if line.style == "bars":
        heights = [top - bottom for top, bottom in zip(y, line.low, strict=True)]
        place = {"y": heights, "base": list(line.low), "offset": -0.5, "width": 1}
        return [common | place | {"type": "bar", "hovertemplate": "step %{x}: %{y:.4g} s"}]
    main = common | {
        "type": "scatter",
        "y": y,
        "mode": "markers"
        if line.style == "points"
        else "lines"
        if line.symbol == "none" or line.style == "steps"
        else "lines+markers",
        "line": {"dash": "dash" if line.style == "dashed" else "solid", "width": 2}
        | ({"shape": "hv"} if line.style == "steps" else {}),
        "marker": {"symbol": SYMBOLS.get(line.symbol, "circle"), "size": 3 if line.symbol == "dot" else 7},
        "hovertemplate": "%{x:,.4~g}: %{y:.4g}",
    }
    if any(map(in_words, y)):
        main["text"] = [f"<br>{literal(words)}" if (words := in_words(value)) else "" for value in y]
        main["hovertemplate"] += "%{text}"
    if any(has_mark(value, NOT_PASSED) for value in y):
        own = main["marker"]["symbol"]
        main["marker"]["symbol"] = [CROSS if has_mark(value, NOT_PASSED) else own for value in y]
    if not (line.low and line.high):
        return [main]
    band = {
        "x": x + x[::-1],
        "y": list(line.high) + list(line.low)[::-1],
        "fill": "toself",
        "mode": "none",
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": line.label,
    }
    return [common | band, main | {"legendgroup": line.label}]
