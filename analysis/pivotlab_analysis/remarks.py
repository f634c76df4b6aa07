# SPDX-License-Identifier: BSD-3-Clause
"""Numbers to be read with care: times of cases that did not pass, times that the engine flagged, and times of several
machines.

Such a number is a float that carries its remarks through selections and quotients; every drawing of a table or a figure
marks it, and says below it why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .methods import FLAGS
from .model import Figure, Table, Value

NOT_PASSED, FLAGGED, MIXED = "†", "~", "‡"


@dataclass(frozen=True)
class Remark:
    mark: str
    """NOT_PASSED, FLAGGED or MIXED"""
    text: str
    """ "incorrect (orthogonality_u 1.5 > 1.8e-11)", or a flag"""
    solver: str = ""
    n: int = 0

    @property
    def about(self) -> str:
        return f"{self.solver}, n = {self.n}"


class Marked(float):
    """A number with remarks; results of arithmetic are plain numbers again (see `selection.ratio`)."""

    remarks: tuple[Remark, ...] = ()


def marked(value: float, remarks: Iterable[Remark]) -> float:
    """Returns the number with the remarks, each once; the number itself if there are none."""
    unique = tuple(dict.fromkeys(remarks))
    if not unique:
        return value
    result = Marked(value)
    result.remarks = unique
    return result


def remarks_of(value: Value) -> tuple[Remark, ...]:
    return value.remarks if isinstance(value, Marked) else ()


def has_mark(value: Value, mark: str) -> bool:
    return any(remark.mark == mark for remark in remarks_of(value))


def in_words(value: Value) -> str:
    """Returns all remarks on a number in one line; empty if there are none."""
    return "; ".join(remark.text for remark in remarks_of(value))


def footnotes(exhibit: Table | Figure) -> list[str]:
    """Returns the meaning of the marks in a table or a figure; of each solver the error of the first case that did not
    pass, and the number of the others."""
    if isinstance(exhibit, Table):
        values = [value for row in exhibit.rows for value in row]
    else:
        values = [y for panel in exhibit.panels for line in panel.series for y in line.y]
    remarks = dict.fromkeys(remark for value in values for remark in remarks_of(value))
    failed = [remark for remark in remarks if remark.mark == NOT_PASSED]
    flags = {remark.text for remark in remarks if remark.mark == FLAGGED}
    notes = []
    if failed:
        notes.append(f"{NOT_PASSED} Of a case that did not pass{reasons(exhibit, failed)}.")
    if flags and isinstance(exhibit, Table):  # a figure shows none of them
        notes.append(f"{FLAGGED} Timed {', or '.join(words for flag, words in FLAGS.items() if flag in flags)}.")
    if any(remark.mark == MIXED for remark in remarks):
        notes.append(f"{MIXED} Of cases on several machines.")
    return notes


def reasons(exhibit: Table | Figure, failed: list[Remark]) -> str:
    if isinstance(exhibit, Table) and any(column.label == "status" for column in exhibit.columns):
        return ", as its status says; the CSV has the error"
    by_solver: dict[str, list[Remark]] = {}
    for remark in failed:
        by_solver.setdefault(remark.solver, []).append(remark)
    texts = [
        f"{first.about}: {first.text}" + (f", and {len(rest)} more" if rest else "")
        for first, *rest in by_solver.values()
    ]
    crossed = " (points crossed out)" if isinstance(exhibit, Figure) else ""
    return f"{crossed}: {'; '.join(texts)}"
