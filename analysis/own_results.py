# SPDX-License-Identifier: BSD-3-Clause
"""What solvers of the user's return: arrays for the judge, and further values for the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

LONGEST_TEXT = 200


class Fault(Exception):
    """What a solver has done wrong, for the record."""


@dataclass
class Timed:
    """A result with the time of its computation."""

    seconds: float
    returned: Any


def as_array(name: str, given: Any) -> np.ndarray:
    """A result as an array of float64 or complex128."""
    if isinstance(given, np.ma.MaskedArray):
        raise Fault(f"{name} is a masked array, whose mask would be lost; fill it with .filled(value)")
    try:
        array = np.asarray(given)
    except ValueError as error:  # of lists of different lengths
        raise Fault(f"{name} is {type(given).__name__}, must be an array of numbers") from error
    if array.dtype.kind not in "biufc":
        raise Fault(f"{name} is {type(given).__name__} of {array.dtype}, must be an array of numbers")
    return array.astype(complex if array.dtype.kind == "c" else float)


def as_value(name: str, given: Any) -> Any:
    """A further number or short text."""
    given = given.item() if isinstance(given, np.generic | np.ndarray) and np.ndim(given) == 0 else given
    if isinstance(given, float) and not np.isfinite(given):
        return None
    if isinstance(given, bool | int | float) or given is None:
        return given
    if isinstance(given, str) and len(given) <= LONGEST_TEXT:
        return given
    raise Fault(
        f"{name} is {type(given).__name__}; what is no result must be a number or a text of {LONGEST_TEXT} characters"
    )


def sorted_out(returned: Any, names: list[str]) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a dictionary, a tuple in the order of the names, or one array; and the further values."""
    if isinstance(returned, tuple):
        if len(returned) > len(names):
            raise Fault(
                f"returned {len(returned)} results, of which there are at most {len(names)}: {', '.join(names)}"
            )
        returned = dict(zip(names, returned, strict=False))
    elif not isinstance(returned, Mapping):
        returned = {names[0]: returned}
    arrays = {name: as_array(name, one) for name, one in returned.items() if name in names and one is not None}
    others = {str(name).removeprefix("own_"): one for name, one in returned.items() if name not in names}
    return arrays, {name: as_value(name, one) for name, one in others.items()}
