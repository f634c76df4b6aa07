# SPDX-License-Identifier: BSD-3-Clause
"""Reads JSON from outside; errors are one line with its place."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

from .errors import InputError
from .files import read_bytes

DEEPEST = 100
"""Largest nesting of objects and lists, as in the engine; it limits recursion."""


def finite(text: str) -> float:
    """A number, or one of the words NaN and Infinity."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"number {text[:60]} is beyond double precision")
    return number


def without_repeated_keys(pairs: list[tuple]) -> dict:
    for key, count in Counter(key for key, _ in pairs).items():
        if count > 1:
            raise ValueError(f"key {key!r} occurs twice in one object")
    return dict(pairs)


def is_too_deep(value) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        children = (v.values() if isinstance(v, dict) else v for v in level)
        level = [child for members in children for child in members if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def parse_object(text: bytes, place: str, remedy: str) -> dict:
    """Returns the object in a JSON text. Raises InputError "<place>: <error>; <remedy>"."""
    too_deep = f"{place}: more than {DEEPEST} objects and lists inside one another; {remedy}"
    try:
        value = json.loads(
            text.decode(), parse_float=finite, parse_constant=finite, object_pairs_hook=without_repeated_keys
        )
    except RecursionError:
        raise InputError(too_deep) from None
    except ValueError as error:
        raise InputError(f"{place}: {error}; {remedy}") from None
    if not isinstance(value, dict):
        raise InputError(f"{place}: not a JSON object; {remedy}")
    if is_too_deep(value):
        raise InputError(too_deep)
    return value


def read_object(path: Path, remedy: str) -> dict:
    """Returns the object in a JSON file. Raises InputError "<path>: <error>; <remedy>"."""
    try:
        text = read_bytes(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path and its permissions") from None
    return parse_object(text, str(path), remedy)
