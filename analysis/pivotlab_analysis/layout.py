"""What every drawing of a panel shares: limits, ticks, colours, and where the direct labels go without touching."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .model import Panel, Series

# Blue for ME outside, orange for MM; the full tone for FB, the lighter one for BO: four lines that stay apart for every
# kind of colour vision and in grey, the symbol (circle FB, square BO) saying the same once more.
PALETTES = {
    "light": {
        "ME-FB-ME": "#0b4f9e",
        "ME-BO-ME": "#3f8fd2",
        "MM-FB-ME": "#a53f00",
        "MM-BO-ME": "#c9740f",
        "published": "#6b7280",
        "measured": "#0b4f9e",
        "bound": "#6b7280",
        "pivot-1": "#1f5fbf",
        "pivot-2": "#c8281e",
        "solver-0": "#0b4f9e",
        "solver-1": "#2f7fc4",
        "solver-2": "#1b9aa8",
        "solver-3": "#a53f00",
        "solver-4": "#c77700",
        "solver-5": "#8a4f9e",
        "solver-6": "#55606e",
        "solver-7": "#2e7d4f",
        "solver-8": "#b0306a",
    },
    "dark": {
        "ME-FB-ME": "#6cb2ff",
        "ME-BO-ME": "#b5d8ff",
        "MM-FB-ME": "#ff8f4d",
        "MM-BO-ME": "#ffc98a",
        "published": "#9aa4b2",
        "measured": "#6cb2ff",
        "bound": "#9aa4b2",
        "pivot-1": "#6cb2ff",
        "pivot-2": "#ff7b6b",
        "solver-0": "#6cb2ff",
        "solver-1": "#a3cdfb",
        "solver-2": "#5fd3d8",
        "solver-3": "#ff8f4d",
        "solver-4": "#ffc46b",
        "solver-5": "#d3a4ec",
        "solver-6": "#b3bdc9",
        "solver-7": "#7fd6a2",
        "solver-8": "#f08fb8",
    },
}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def color(role: str, theme: str = "light") -> str:
    palette = PALETTES[theme]
    return palette.get(role, palette["solver-6"])


@dataclass(frozen=True)
class Scale:
    """One axis: its limits, and where a value lies between them."""

    low: float
    high: float
    log: bool

    def fraction(self, value: float) -> float:
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def padded(values: list[float], log: bool, padding: float, from_zero: bool = False) -> Scale:
    values = [v for v in values if v > 0] if log else values
    if not values:
        return Scale(0.1, 1.0, log) if log else Scale(0.0, 1.0, log)
    low, high = min(values), max(values)
    if log:
        span = max(math.log10(high / low), 0.6)
        middle = (math.log10(low) + math.log10(high)) / 2
        half = span * (0.5 + padding)
        return Scale(10 ** (middle - half), 10 ** (middle + half), True)
    if from_zero:
        return Scale(0.0, high * (1 + 2 * padding) or 1.0, False)
    pad = padding * (high - low) or 0.5 * abs(high) or 0.5
    return Scale(low - pad, high + pad, False)


def scales(panel: Panel) -> tuple[Scale, Scale]:
    xs = [x + side for line in panel.series for x in line.x for side in edges(line)]
    ys = [y for line in panel.series for y in (*line.y, *(line.low or ()), *(line.high or ()))]
    ys += panel.y_span or ()
    beside = 0.09 if any(line.marks for line in panel.series) else 0.04
    from_zero = not panel.y_log and min(ys, default=0) >= 0
    return padded(xs, panel.x_log, beside), padded(ys, panel.y_log, 0.09, from_zero)


def edges(line: Series) -> tuple[float, ...]:
    """How far what is drawn at a point reaches to its sides."""
    return (-0.5, 0.5) if line.style == "bars" else (0.0,)


def x_ticks(panel: Panel, at_most: int = 7) -> list[float]:
    """Sizes that occur, thinned from the largest down until their numbers cannot touch."""
    scale, _ = scales(panel)
    wanted = sorted(set(panel.x_ticks or (x for line in panel.series for x in line.x)), reverse=True)
    ticks: list[float] = []
    for x in wanted:
        if not ticks or scale.fraction(ticks[-1]) - scale.fraction(x) >= 0.98 / (at_most + 1):
            ticks.append(x)
    return ticks[::-1]


def is_plain(value: float) -> bool:
    """Whether a number is best read without a power of ten."""
    return value == 0 or 1e-3 <= abs(value) < 1e5


def number(value: float, power: bool = False) -> str:
    """A tick's number: 0.01, 250, 10⁻¹⁴, 2·10⁶; as a power of ten also where it need not be, if asked for."""
    if value == 1 or is_plain(value) and not power:
        return f"{value:g}".replace("-", "−", 1) if value < 0 else f"{value:g}"
    mantissa, exponent = f"{value:.0e}".split("e")
    text = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    return text if mantissa == "1" else f"{mantissa}·{text}"


def numbers(ticks: list[float]) -> list[str]:
    """The numbers of an axis, all of them in the same notation."""
    power = not all(map(is_plain, ticks))
    return [number(tick, power) for tick in ticks]


def round_ticks(low: float, high: float, at_most: int, least: float = 0) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten between low and high, no closer than `least`."""
    steps = (m * 10.0**k for k in range(-12, 13) for m in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= at_most and step >= least)
    return [float(f"{i * step:.12g}") for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def y_ticks(panel: Panel, at_most: int = 8) -> list[float]:
    """Powers of ten, thinned to a few; 1, 2, 5 in between where fewer than three; round numbers on a
    linear axis, integers where it begins at zero and has room for some."""
    _, scale = scales(panel)
    if not scale.log:
        counts = scale.low == 0 and scale.high >= 2
        return round_ticks(scale.low, scale.high, at_most, least=1 if counts else 0)
    first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
    decades = [e for e in range(first, last + 1) if scale.low <= 10.0**e <= scale.high]
    if len(decades) >= 3:
        step = -(-len(decades) // at_most)
        return [10.0**e for e in decades if e % step == 0]
    return [m * 10.0**e for e in range(first, last + 1) for m in (1, 2, 5) if scale.low <= m * 10.0**e <= scale.high]


@dataclass(frozen=True)
class Label:
    series: Series
    x: float
    y_fraction: float
    end_x: float  # where the line ends
    end_fraction: float

    @property
    def is_away(self) -> bool:
        """Too far from the line's end to be taken for its label without a leader."""
        return self.x != self.end_x or abs(self.y_fraction - self.end_fraction) > 0.1


MANY_EARLY_ENDS = 5


def labels(panel: Panel, gap: float = 0.065, character: float = 0.015) -> list[Label]:
    """A direct label at the end of each line; where ends come close, labels move apart and keep their order;
    where a line ends early, its label keeps clear of the other lines. Clouds of dots have theirs beside the panel, and
    so has every line where many end early."""
    x_scale, y_scale = scales(panel)
    right = max((line.x[-1] for line in panel.series if len(line.x)), default=0.0)
    ends = [
        (line, right if line.symbol == "dot" else line.x[-1] + edges(line)[-1], y_scale.fraction(line.y[-1]))
        for line in panel.series
        if len(line.x)
    ]
    early = [end for end in ends if x_scale.fraction(end[1]) < 0.8]
    if len(early) >= MANY_EARLY_ENDS:
        ends.sort(key=lambda end: end[2])
        heights = spread([end[2] for end in ends], gap)
        return [Label(line, right, y, x, end) for (line, x, end), y in zip(ends, heights, strict=True)]
    placed: list[Label] = []
    while ends:
        first = ends[0]
        near = [end for end in ends if abs(x_scale.fraction(end[1]) - x_scale.fraction(first[1])) < 0.2]
        ends = [end for end in ends if end not in near]
        near.sort(key=lambda end: end[2])
        for (line, x, end), y in zip(near, spread([end[2] for end in near], gap), strict=True):
            inside = x_scale.fraction(x) < 0.8
            place = clear_place(line, x, y, panel, placed, gap, character) if inside else y
            placed.append(Label(line, x, place, x, end))
    return placed


def clear_place(
    own: Series, x: float, wanted: float, panel: Panel, placed: list[Label], gap: float, character: float
) -> float:
    """The height nearest to the wanted one at which a label that begins at x touches no line and no other label."""
    x_scale, y_scale = scales(panel)
    left = x_scale.fraction(x)
    right = min(1.0, left + 0.04 + character * len(own.label))
    taken = [label.y_fraction for label in placed if abs(x_scale.fraction(label.x) - left) < right - left]
    for line in panel.series:
        points = [(x_scale.fraction(a), y_scale.fraction(b)) for a, b in zip(line.x, line.y, strict=True)]
        if line.style == "points":
            taken += [height for at, height in points if left <= at <= right]
            continue
        for (a, at_a), (b, at_b) in zip(points, points[1:], strict=False):
            if a == b:  # a label begins to the right of an upright line
                continue
            steps = [a + (b - a) * k / 40 for k in range(41)]
            taken += [at_a + (at_b - at_a) * (t - a) / (b - a) for t in steps if left <= t <= right]
    places = sorted((k / 200 for k in range(4, 197)), key=lambda y: abs(y - wanted))
    return next((y for y in places if all(abs(y - other) >= 0.6 * gap for other in taken)), wanted)


def spread(places: list[float], gap: float) -> list[float]:
    """The places nearest to the ascending ones given (least squares), at least a gap apart and within [0, 1]."""
    blocks: list[list[float]] = []  # [sum of wanted starts, count]: runs of labels that touch
    for index, place in enumerate(places):
        blocks.append([place - index * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    starts = [total / count for total, count in blocks for _ in range(int(count))]
    result = [start + index * gap for index, start in enumerate(starts)]
    for index in range(len(result) - 1, -1, -1):  # down from the upper edge, then up from the lower one
        result[index] = min(result[index], 1.0 - (len(result) - 1 - index) * gap)
    return [max(place, index * gap) for index, place in enumerate(result)]
