# SPDX-License-Identifier: BSD-3-Clause
"""Parallel strategies: files of them, and what must hold.

A file has a line for each step of a sweep, the pairs of columns one after another: "0 5 1 2 3 4". Columns count from 0;
empty lines and what follows # are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from .. import files
from ..errors import InputError

Pair = tuple[int, int]
MOST_ORDER = 256


@dataclass(frozen=True)
class Strategy:
    name: str
    order: int
    steps: list[list[Pair]]

    @property
    def repeated(self) -> int:
        """Pairs that are met twice; 0 of a cyclic strategy."""
        return sum(map(len, self.steps)) - len(self.first)

    @property
    def first(self) -> dict[Pair, int]:
        """The step, from 0, in which each pair is met first."""
        return {pair: k for k in reversed(range(len(self.steps))) for pair in self.steps[k]}


def steps_of(path: Path) -> Iterator[tuple[int, list[Pair]]]:
    """Yields the number of each line with pairs, and its pairs (p, q), p < q."""
    try:
        text = files.read_bytes(path).decode()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; name a strategy or its file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text; write a step of pairs in each line, as 0 3 1 2") from None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        wrong = next((word for word in words if not (word.isascii() and word.isdigit() and len(word) <= 9)), None)
        if wrong is not None:
            raise InputError(f"{path}:{number}: '{wrong[:20]}' is not a column; columns are whole numbers from 0")
        if len(words) % 2:
            raise InputError(f"{path}:{number}: {len(words)} numbers make no pairs; write two for each pair")
        columns = list(map(int, words))
        if columns:
            yield number, [(min(pair), max(pair)) for pair in zip(columns[::2], columns[1::2], strict=True)]


def read(path: Path, name: str | None = None) -> Strategy:
    """Reads a strategy. Raises InputError unless the pairs of each step are disjoint and every pair of columns is met,
    exactly once unless a `name` of pivotlab's own strategies is given: the quasi-cyclic ones repeat pairs."""
    seen: dict[Pair, int] = {}
    steps = []
    for number, pairs in steps_of(path):
        place = f"{path}:{number}"
        used: set[int] = set()
        for pair in pairs:
            if pair[0] == pair[1]:
                raise InputError(f"{place}: {pair[0]} {pair[1]} is not a pair; name two columns")
            if pair[1] >= MOST_ORDER:
                raise InputError(f"{place}: column {pair[1]}: at most {MOST_ORDER} columns can be drawn")
            if twice := used & {*pair}:
                raise InputError(f"{place}: column {min(twice)} is in two pairs of this step; pairs must be disjoint")
            if pair in seen and name is None:
                raise InputError(f"{place}: pair {pair[0]} {pair[1]} was met in line {seen[pair]}; meet each pair once")
            seen.setdefault(pair, number)
            used |= {*pair}
        steps.append(pairs)
    if not steps:
        raise InputError(f"{path}: no pairs; write a step of pairs in each line, as 0 3 1 2")
    order = 1 + max(q for _, q in seen)
    if lacking := next((pair for pair in combinations(range(order), 2) if pair not in seen), None):
        raise InputError(f"{path}: pair {lacking[0]} {lacking[1]} of order {order} is missing; meet every pair once")
    return Strategy(name or path.stem, order, steps)


def text(strategy: Strategy) -> str:
    """The file of a strategy."""
    lines = [" ".join(f"{p} {q}" for p, q in pairs) for pairs in strategy.steps]
    return "\n".join([f"# {strategy.name}, order {strategy.order}: a step in each line, pairs of columns", *lines, ""])
