# SPDX-License-Identifier: BSD-3-Clause
"""The builders of tables and figures by the kind that a spec's report names (experiments/exhibits.json)."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Figure, Table

TABLES: dict[str, Callable[..., Table]] = {}
FIGURES: dict[str, Callable[..., Figure]] = {}


def table(kind: str):
    """Registers a builder: it takes a Source and, by keyword, the options of the spec's entry."""
    return lambda builder: TABLES.setdefault(kind, builder)


def figure(kind: str):
    return lambda builder: FIGURES.setdefault(kind, builder)
