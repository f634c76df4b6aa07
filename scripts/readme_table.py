# SPDX-License-Identifier: BSD-3-Clause
"""README's table of measured times, from committed records.

A row compares the fastest case of pivotlab that passed with the fastest of a library that passed, on the same problem
and machine, with any number of threads. Its problem is the largest of its run on which a library's result passed. If
none did, the fastest that exceeds no bound more than NEARLY times stands there, marked with †. The last column has the
problem on which pivotlab is slowest in comparison, of all problems of the run and of `also`; where no right result is
faster, any wrong one counts, marked with †.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
from pivotlab_analysis.methods import at
from pivotlab_analysis.records import Run, is_baseline
from pivotlab_analysis.remarks import FLAGGED, NOT_PASSED, has_mark, marked
from pivotlab_analysis.selection import SAID, TYPE_NAMES, remarks_on_time, solver_label

HOW = ("solver", "backend", "threads", "storage")
"""Axes that tell how a problem is solved; the others are the problem."""
NEARLY = 1000


@dataclass(frozen=True)
class Row:
    work: str
    page: str
    """In docs/notebook."""
    run: str
    generator: str
    also: str = ""
    """A run of the same kind of problems on another machine."""
    errors: str = ""
    """A run with the relative errors of both solvers for the same generator at orders where they are known."""
    ours: str = ".*"
    """The variants of pivotlab that take part."""


ROWS = (
    Row("GSVD", "performance-gsvd-fast", "h200/fast-speed", "random"),
    Row("LDLᵀ", "performance-ldlt", "h200/ldlt-speed-gpu", "random", also="host/ldlt-speed"),
    Row("eigenpairs", "performance-eig", "h200/eig-speed", "random;truth=none", also="host/eig-speed"),
    Row("SVD", "performance-jacobi", "h200/hsvd-speed", "random"),
    Row("Hermitian eigenpairs", "eigh-two-stage", "h200/eigh-speed", "random"),
    Row(
        "every digit of them",
        "performance-jacobi",
        "h200/eigh-speed",
        "graded;core=conditioned;g=6;order=random",
        errors="h100/eigh-accuracy",
        ours="HEV-(RK|CP).*",
    ),
)


@dataclass(frozen=True)
class Case:
    solver: str
    seconds: float
    """With the remarks on the time."""


@dataclass(frozen=True)
class Pair:
    """One problem: the fastest case of pivotlab, and of a library."""

    problem: str
    generator: str
    n: int
    ours: Case
    theirs: Case
    passed: bool

    @property
    def ratio(self) -> float:
        return self.theirs.seconds / self.ours.seconds


def excess(record: dict) -> float:
    """Returns the largest quotient of a metric of the record and its bound."""
    metrics, bounds = record["metrics"], record["metrics"]["verdict_bounds"]
    return max(metrics[name] / bound for name, bound in bounds.items() if metrics.get(name) is not None and bound)


def best(cases: pd.DataFrame) -> Case:
    row = next(cases.loc[[cases["compute_s"].idxmin()], ["solver", "compute_s", *SAID]].itertuples())
    return Case(row.solver, marked(row.compute_s, remarks_on_time(row)))


def pairs(run: Run, variants: str, nearly: float = NEARLY) -> Iterator[Pair]:
    """Yields the pair of each problem, of these variants. Where no result of a library is right, wrong ones up to `nearly` times a bound
    count."""
    records = {record["key"]: record for record in run.records}
    frame = run.frame.assign(label=run.frame["solver"].map(solver_label)).dropna(subset="compute_s")
    frame = frame[~frame["solver"].str.fullmatch(r"cusolver:.stedc;two-stage")]  # our reduction around a library's step
    axes = [field.name for field in run.method.fields.values() if field.is_axis and field.name not in HOW]
    for _, cases in frame.groupby(axes, dropna=False):
        library = cases["solver"].map(is_baseline)
        right = cases["status"] == "passed"
        ours = cases[right & ~library & cases["solver"].str.fullmatch(variants)]
        theirs = cases[right & library]
        passed = not theirs.empty
        if not passed:
            theirs = cases[library & (cases["status"] == "incorrect")]
            theirs = theirs[[excess(records[key]) <= nearly for key in theirs["key"]]]
        if not (ours.empty or theirs.empty):
            kind = TYPE_NAMES[cases["type"].iloc[0]]
            generator, n = cases["generator"].iloc[0], int(cases["n"].iloc[0])
            problem = f"{kind} {generator.split(';')[0]}, n = {n}"
            yield Pair(problem, generator, n, best(ours), best(theirs), passed)


def seconds(case: Case, error: str = "") -> str:
    marks = "".join(mark for mark in (NOT_PASSED, FLAGGED) if has_mark(case.seconds, mark))
    return f"{case.seconds:.3g} s{marks}{error}"


def slowest(row: Row, runs: dict[str, Run]) -> str:
    """Returns where pivotlab is slowest in comparison."""
    for passed in (True, False):
        compared = [
            (pair.ratio, name, pair)
            for name in filter(None, (row.run, row.also))
            for pair in pairs(runs[name], row.ours, nearly=math.inf)
            if pair.passed == passed
        ]
        ratio, name, pair = min(compared, default=(1, "", None), key=lambda one: one[0])
        if ratio < 1:
            place = "" if name == row.run else f"{runs[name].hardware}, "
            theirs = f"{solver_label(pair.theirs.solver)} {seconds(pair.theirs)}"
            return f"{place}{pair.problem}: {seconds(pair.ours)} against {theirs}"
    return "nowhere in this run"


def error(row: Row, runs: dict[str, Run], case: Case) -> str:
    """Returns the largest relative error of the solver, whatever its block width, for the row's generator."""
    if not row.errors:
        return ""
    frame = runs[row.errors].frame
    same = (frame["generator"] == row.generator) & (frame["solver"] == re.sub(r";w=\d+", "", case.solver))
    return f", relative error {frame.loc[same, 'relative_error'].max():.0e}"


def cells(row: Row, runs: dict[str, Run]) -> list[str]:
    of_generator = [pair for pair in pairs(runs[row.run], row.ours) if pair.generator == row.generator]
    pair = max(of_generator, key=lambda pair: (pair.passed, pair.n))
    ours, theirs = (f"{seconds(case)}{error(row, runs, case)}" for case in (pair.ours, pair.theirs))
    return [
        f"[{row.work}](docs/notebook/{row.page}.md), {pair.problem}",
        f"{solver_label(pair.theirs.solver)}, {theirs}",
        f"{pair.ours.solver}, {ours}",
        f"{pair.ratio:.2g}",
        slowest(row, runs),
    ]


def machines(runs: list[Run]) -> str:
    """Returns the GPUs of the runs with the version of their library: "NVIDIA H200, CUDA 13.0"."""
    gpus = [at(record, "/environment/gpu") for run in runs for record in run.records]
    return " and ".join(sorted({f"{gpu['name']}, CUDA {gpu['runtime'].split(',')[0]}" for gpu in gpus if gpu}))


def table(runs: dict[str, Run]) -> str:
    """Returns the lines of the table; `runs` by folder, "h200/fast-speed"."""
    heads = ["best alternative", "pivotlab", "ratio", "where pivotlab is slowest in comparison"]
    lines = [[f"work, {machines([runs[row.run] for row in ROWS])}", *heads], *(cells(row, runs) for row in ROWS)]
    first, *others = (f"| {' | '.join(line)} |\n" for line in lines)
    return f"{first}|---|---|---|---|---|\n{''.join(others)}"


def renewed(page: str, runs: dict[str, Run]) -> str:
    """Returns the text of README with the table made anew."""
    return re.sub(r"^\| work, .*\n(\|.*\n)+", lambda _: table(runs), page, count=1, flags=re.MULTILINE)
