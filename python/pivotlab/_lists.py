# SPDX-License-Identifier: BSD-3-Clause
"""What is available: variants, generators, baselines."""

from __future__ import annotations

from dataclasses import dataclass

from . import _core
from ._program import listed
from .typing import Method


@dataclass(frozen=True)
class Entry:
    """A variant, generator or baseline, or an option of a generator's name."""

    method: str
    name: str
    summary: str
    default: str = ""
    """Default of an option."""


def _entries(topic: str, heading: str, method: str | None) -> list[Entry]:
    lines = listed(topic, method)
    return [Entry(line["method"], line[heading], line["summary"], str(line.get("default") or "")) for line in lines]


def variants(method: Method | None = None) -> list[Entry]:
    """Lists the variants of a method, or of all. options() are what their names may have after a semicolon."""
    return _entries("variants", "variant", method)


def options(method: Method | None = None) -> list[Entry]:
    """Lists the options of variants' names, with defaults and, indented, the choices."""
    return _entries("options", "option", method)


def generators(method: Method | None = None) -> list[Entry]:
    """Lists generators of test problems and, indented, the options of their names."""
    return _entries("generators", "generator", method)


def baselines(method: Method | None = None) -> list[Entry]:
    """Lists reference solvers of other libraries."""
    return _entries("baselines", "baseline", method)


def expand(pattern: str) -> list[str]:
    """Expands alternatives and ranges in braces: "DHZ{0..7}-({ME,MM}-FB-ME);w={16,32}" gives 32 names. Raises
    InputError for braces that do not match."""
    return _core.expand(pattern)
