# SPDX-License-Identifier: BSD-3-Clause
"""Pictures on demand: each kind is a function from the cases of runs and a request to a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import InputError
from ..exhibits import MODULES
from ..model import Figure
from ..records import Run
from . import lines, maps, profiles
from .data import Data, load, nearest
from .request import Request

__all__ = ["KINDS", "Request", "figure"]

KINDS: dict[str, Callable[[Data, Request], Figure]] = {
    "lines": lines.lines,
    "profile": profiles.performance,
    "data-profile": profiles.budget,
    "ranking": profiles.ranking,
    "map": maps.ratio_map,
    "convergence": lines.convergence,
}
"""Of all methods; the folder of a method in `exhibits` may have more in its `PICTURES`."""


def figure(
    runs: Sequence[Run], kind: str = "lines", request: Request | None = None, where: Sequence[str] = ()
) -> Figure:
    """Returns a picture of the cases of runs of one method that meet the conditions. Raises InputError."""
    data = load(runs, where)
    kinds = KINDS | getattr(MODULES.get(data.method.name), "PICTURES", {})
    if kind not in kinds:
        raise InputError(f"--kind: no picture '{kind}' of {data.method.name}; {nearest(kind, kinds)}")
    return kinds[kind](data, request or Request())
