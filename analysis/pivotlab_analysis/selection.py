# SPDX-License-Identifier: BSD-3-Clause
"""Selection of the rows of a frame that belong to an exhibit, and of one number for each of its points."""

from __future__ import annotations

import math
import re
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from . import remarks
from .methods import Method, in_words
from .model import NOT_RUN, Value
from .published import Library
from .records import is_baseline
from .remarks import Remark, marked, remarks_of

TIME_NAMES = {"wall_s": "wall time", "compute_s": "compute time"}
TYPE_NAMES = {"s": "single", "d": "real", "c": "single complex", "z": "complex"}
LIBRARIES = {"lapack": "LAPACK", "cusolver": "cuSOLVER"}
ON_GPU = ("cuda", "cusolver")
TIMES = ("wall_s", "compute_s", "problem_s", "gflops", "of_peak")
# In which order a case's statuses speak for a point that several cases make up: the worst first.
SEVERITY = ("failed", "out_of_memory", "timeout", "not_converged", "incorrect", "not_supported", "skipped")


@dataclass(frozen=True)
class Source:
    """Input of the builders of tables and figures."""

    method: Method
    frame: pd.DataFrame
    """The run's records, with the columns `label` (the solver as a reader would say it) and `problem`."""
    library: Library
    hardware: str
    details: tuple[str, ...] = ()
    """Columns that lists of cases have beside those that are shown by default."""
    others: Callable[[], list[pd.DataFrame]] = list
    """Makes the frames of the report's other runs on the same hardware, which few builders need."""


def resolve(pattern: str, type: str) -> str:
    """Replaces the question mark by the type's letter, upper case in a variant's name, lower case in a routine's."""
    return pattern.replace("?", type if is_baseline(pattern) else type.upper())


def solver_label(solver: str) -> str:
    """Returns a solver's name for readers: "LAPACK dgesvd"."""
    library, colon, routine = solver.partition(":")
    return f"{LIBRARIES.get(library, library)} {routine}" if colon else solver


def generator_options(name: str) -> tuple[str, dict[str, str]]:
    """ "graded;side=right;g=8" → ("graded", {"side": "right", "g": "8"})."""
    kind, *options = name.split(";")
    return kind, dict(re.split("=", option, maxsplit=1) if "=" in option else (option, "") for option in options)


def matrix_label(generator: str) -> str:
    """Returns a matrix's name: the file's without folders and extensions, or the generator's."""
    kind, _, file = generator.partition(":")
    if kind not in ("file", "permuted"):
        return generator
    name = re.sub(r"(\.mtx|\.h5|\.gz)+(?=$|:)", "", file.rsplit("/", 1)[-1])
    return name if kind == "file" else f"{name}, permuted"


def cell(value) -> Value:
    """Converts a value of a frame to one of a table: a plain number, or None."""
    value = value.item() if hasattr(value, "item") else value
    return None if value is None or value != value else value


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def numbers(values: dict[int, Value]) -> dict[int, float]:
    """Returns the points whose values are numbers."""
    return {n: v for n, v in values.items() if is_number(v)}


def ratio(measured: Value, published: Value) -> Value:
    """Returns the quotient with the remarks on both; None where one of them is not a number."""
    if is_number(measured) and is_number(published) and published != 0:
        return marked(measured / published, remarks_of(measured) + remarks_of(published))
    return None


def sizes_in_words(sizes) -> str:
    """ "64", "64 and 128", "512…9728 in steps of 512", "64, 96, 256"."""
    sizes = sorted(set(int(n) for n in sizes))
    steps = {b - a for a, b in zip(sizes, sizes[1:], strict=False)}
    if len(sizes) > 3 and len(steps) == 1:
        return f"{sizes[0]}…{sizes[-1]} in steps of {steps.pop()}"
    return (" and " if len(sizes) <= 2 else ", ").join(map(str, sizes)) or "no size"


SAID = ("label", "n", "flags", "status", "message", "cpu", "gpu")
"""Columns that remarks on a time need."""

SaidRow = namedtuple("SaidRow", SAID)


def said_of(rows: pd.DataFrame, usable: np.ndarray) -> Iterator[SaidRow]:
    """Returns those columns of the usable rows; itertuples would make a class at every call."""
    return map(SaidRow, *(rows[name].to_numpy()[usable].tolist() for name in SAID))


def remarks_on_time(row) -> list[Remark]:
    """Returns remarks on a case's time: the case did not pass, or its time is flagged."""
    found = [Remark(remarks.FLAGGED, flag, row.label, row.n) for flag in (row.flags or "").split(",") if flag]
    if row.status != "passed":
        words = in_words(row.status) + (f" ({row.message})" if row.message else "")
        found.insert(0, Remark(remarks.NOT_PASSED, words, row.label, row.n))
    return found


def with_marked_times(frame: pd.DataFrame) -> pd.DataFrame:
    """Adds to every time the remarks on it, for tables of single cases."""
    found = [remarks_on_time(row) for row in frame[list(SAID)].itertuples()]
    columns = {name: [marked(x, r) for x, r in zip(frame[name], found, strict=True)] for name in TIMES}
    return frame.assign(**{name: pd.Series(values, frame.index, dtype=object) for name, values in columns.items()})


def value_of(rows: pd.DataFrame, column: str, how: str = "median", only_passed: bool = True) -> Value:
    """Returns one number for the rows of one point: the median or the maximum; a word if no case has it, or None if all
    cases passed without it.

    A time carries the remarks on all cases that it is of, and one if they ran on several machines; it is one of cases
    that did not pass only where none did.
    """
    if rows.empty:
        return NOT_RUN
    values, passed = rows[column].to_numpy(dtype=float), rows["status"].to_numpy() == "passed"
    known = ~np.isnan(values)
    usable = known & passed
    if not only_passed and (not usable.any() or column not in TIMES):
        usable = known
    if not usable.any():
        return next((status for status in SEVERITY if status in set(rows["status"])), None)
    value = float(getattr(np, how)(values[usable]))
    if column not in TIMES:
        return value
    found = []
    if not passed[usable].all() or any(rows["flags"].to_numpy()[usable]):
        found = [remark for row in said_of(rows, usable) for remark in remarks_on_time(row)]
    machines = [
        {name for name in rows[column].to_numpy()[usable] if isinstance(name, str)} for column in ("cpu", "gpu")
    ]
    return marked(
        value, [*found, Remark(remarks.MIXED, "of several machines")] if max(map(len, machines)) > 1 else found
    )


def by_size(rows: pd.DataFrame, column: str, how: str = "median", only_passed: bool = True) -> dict[int, Value]:
    """Returns, for each n, the number (or the word) of its rows."""
    groups = rows[list(dict.fromkeys((*SAID, column)))].groupby("n")
    return {int(n): value_of(group, column, how, only_passed) for n, group in groups}


def with_contestants(frame: pd.DataFrame, also=lambda row: []) -> pd.DataFrame:
    """Adds the column `contestant`: the solver with backend, cores and columns of `also`, as far as they vary."""
    cores_vary = frame.loc[~frame["backend"].isin(ON_GPU), "threads"].nunique() > 1

    def name(row) -> str:
        words, on_gpu = [row.label, *also(row)], row.backend in ON_GPU
        if row.backend == "emulation" or on_gpu and not is_baseline(row.solver):
            words.append("GPU" if on_gpu else "emulated")
        if cores_vary and not on_gpu:
            words.append(f"{row.threads:.0f} core" + ("s" if row.threads != 1 else ""))
        return ", ".join(words)

    return frame.assign(contestant=[name(row) for row in frame.itertuples()])


def contestants(rows: pd.DataFrame, reference: str, by: Sequence[str] = ("solver", "device", "threads")) -> list[str]:
    """Returns the contestants in order: the reference's solver, variants, baselines, each by columns of the frame."""
    solver = rows["solver"]
    order = rows.assign(
        baseline=solver.map(is_baseline), other=solver != reference, device=rows["backend"].isin(ON_GPU)
    )
    return list(dict.fromkeys(order.sort_values(["other", "baseline", *by])["contestant"]))
