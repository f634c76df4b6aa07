# SPDX-License-Identifier: BSD-3-Clause
"""Colours and symbols: a solver has the same ones in all pictures of the same runs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from ..figures import LIBRARY_ROLES, OWN_ROLES
from ..records import is_baseline

SYMBOLS = {
    "solver-0": "circle",
    "solver-1": "down",
    "solver-2": "plus",
    "solver-3": "square",
    "solver-4": "triangle",
    "solver-5": "diamond",
    "solver-6": "pentagon",
    "solver-7": "cross",
    "solver-8": "star",
}
"""A symbol for each colour, for readers who do not see colours."""


def look(role: str, turn: int) -> dict:
    """The look of the lines that have a colour: the first solid, further ones dashed with other symbols."""
    symbols = list(SYMBOLS.values())
    symbol = symbols[(symbols.index(SYMBOLS[role]) + 4 * turn) % len(symbols)]
    return {"role": role, "symbol": symbol, "style": "dashed" if turn else "solid"}


def of_solvers(names: Sequence[str]) -> dict[str, dict]:
    """Looks of all solvers of the runs. The colour follows from the name; where two names would have one colour, the
    later name has the next one. Libraries have colours of their own."""
    looks: dict[str, dict] = {}
    for library, roles in ((False, OWN_ROLES), (True, LIBRARY_ROLES)):
        uses = dict.fromkeys(roles, 0)
        for name in sorted(name for name in names if is_baseline(name) == library):
            start = zlib.crc32(name.encode()) % len(roles)
            turned = roles[start:] + roles[:start]
            role = min(turned, key=uses.get)
            looks[name] = look(role, uses[role])
            uses[role] += 1
    return looks


def of_values(names: Sequence[str]) -> dict[str, dict]:
    """Looks of lines that are no solvers, in their order."""
    roles = list(SYMBOLS)
    return {name: look(roles[index % len(roles)], index // len(roles)) for index, name in enumerate(names)}
