# SPDX-License-Identifier: BSD-3-Clause
"""The cases of one or more runs as one frame, and what a request chooses of them."""

from __future__ import annotations

import difflib
import fnmatch
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ..errors import InputError
from ..exhibits import prepared
from ..methods import NUMBERS, Field, Method
from ..records import Run, hardware_of, is_baseline
from ..selection import TIMES, generator_options, is_number

MACHINE = Field("machine", "", "machine", "text", "Processor and number of cores, or the GPU")
PROBLEM = Field("problem", "", "problem", "text", "Generator, or the name of a file without its folder")
RUN = Field("run", "", "run", "text", "Folder of the records")
CONDITION = re.compile(r"(\w[\w.-]*)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.DOTALL)
ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
AS_CASE = ("solver", "label")
"""Columns that name a solver."""


def listed(text: str) -> list[str]:
    """Splits at commas outside of parentheses and braces: "A-(b, c),D" → "A-(b, c)" and "D"; braces around all of
    it are dropped, as in patterns of `pivotlab run --filter`."""
    if text.startswith("{") and text.find("}") == len(text) - 1:
        text = text[1:-1]
    return [word.strip() for word in re.split(r",(?![^({]*[)}])", text) if word.strip()]


def nearest(word: str, names: Iterable[str]) -> str:
    """The part of a message that names what may be meant."""
    names = list(dict.fromkeys(map(str, names)))
    found = difflib.get_close_matches(word, names, 3, 0.4)
    return f"nearest: {', '.join(found)}" if found else f"choose from {', '.join(names[:12])}"


def spelled(value) -> str:
    """A value of a column as a reader sees it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if is_number(value) else str(value)


@dataclass
class Data:
    """Cases of one method."""

    method: Method
    frame: pd.DataFrame
    """A row for each case, with the columns of the method, `label` (solver), `problem`, `machine`, `run`, and one for
    each option in names of generators and solvers."""
    fields: dict[str, Field]
    every: pd.DataFrame
    """All cases, also those that are not chosen, with `problem_key` (a number for each problem) and the full names of
    solvers; the names in `frame` may lose options that a picture shows in another way."""
    labels: dict[str, str]
    """Of all solvers."""
    machines: int
    notes: list[str]

    @property
    def problem_axes(self) -> list[str]:
        """The axes that make a problem: those before the solver in the order of the method."""
        axes = [name for name, field in self.fields.items() if field.is_axis]
        return axes[: axes.index("solver")]

    @property
    def solver_axes(self) -> list[str]:
        axes = [name for name, field in self.fields.items() if field.is_axis]
        return axes[axes.index("solver") + 1 :]

    def named(self, word: str, option: str, number: bool = False) -> str:
        """Returns the column that a word of the command line means. Raises InputError with the nearest ones."""
        error = next((f.name for f in self.fields.values() if f.compared and f.kind == "scientific"), "")
        name = {"time": "compute_s", "error": error}.get(word, word)
        kinds = NUMBERS if number else (*NUMBERS, "text", "flag")
        fields = {n: f for n, f in self.fields.items() if f.kind in kinds}
        known = [n for n in fields if n in self.frame and self.frame[n].notna().any()]
        if name in known:
            return name
        kind = "number" if number else "column"
        if name in self.fields:
            why = (
                "is not a number" if number and self.fields[name].kind not in NUMBERS else "has no value in these cases"
            )
            raise InputError(f"{option}: '{word}' {why}; {nearest(word, known)}")
        raise InputError(f"{option}: no {kind} '{word}'; {nearest(word, known)}")

    def heading(self, column: str) -> str:
        """The label of an axis: "time s" becomes "compute time [s]"."""
        words = {"compute_s": "compute time [s]", "wall_s": "wall time [s]", "gflops": "Gflop/s", "n": "order n"}
        return words.get(column) or self.fields[column].heading

    def varying(self, columns: Iterable[str], frame: pd.DataFrame | None = None) -> list[str]:
        frame = self.frame if frame is None else frame
        return [name for name in columns if frame[name].nunique(dropna=False) > 1]

    def solver_named(self, word: str, option: str) -> str:
        """Returns the solver that a name, its label or a pattern with one match means."""
        names = {label: solver for solver, label in self.labels.items()}
        if word in self.labels or word in names:
            return names.get(word, word)
        found = fnmatch.filter(self.labels, word)
        if len(found) != 1:
            what = f"means {len(found)} solvers" if found else "is not a solver of these cases"
            raise InputError(f"{option}: '{word}' {what}; {nearest(word, found or self.labels)}")
        return found[0]


def load(runs: Sequence[Run], where: Sequence[str] = ()) -> Data:
    """Returns the cases of all runs that meet all conditions. Raises InputError for runs of several methods, for
    records that cannot be read, and for conditions that no case meets."""
    for run in runs:
        if run.problems:
            raise InputError(run.problems[0])
        if not run.records:
            raise InputError(f"{run.path}: no records; run the experiment first")
        if run.method is not runs[0].method:
            names = f"{runs[0].path} is of {runs[0].method.name}, {run.path} of {run.method.name}"
            raise InputError(f"{names}; name runs of one method")
    frames = []
    for run, name in zip(runs, short_names([run.path for run in runs]), strict=True):
        frames.append(prepared(run).assign(run=name, machine=[hardware_of(record) for record in run.in_order]))
    mixed = [note for own in frames if (note := mixed_commits(own))]
    frame = pd.concat(frames, ignore_index=True)
    fields = runs[0].method.fields | {field.name: field for field in (PROBLEM, RUN, MACHINE)}
    frame, fields = with_options(frame, fields)
    data = Data(runs[0].method, frame, fields, frame, dict(zip(frame["solver"], frame["label"], strict=True)), 0, mixed)
    problems = frame.groupby(data.problem_axes, dropna=False, sort=False).ngroup()
    data.frame = data.every = frame.assign(problem_key=problems)
    for condition in where:
        data.frame = chosen(data, condition)
    data.machines = data.frame["machine"].nunique()
    return data


def mixed_commits(frame: pd.DataFrame) -> str:
    """A note on the cases of a folder that has grown under several commits of pivotlab; empty for one commit."""
    counts = frame["commit"].value_counts(dropna=False)
    if len(counts) < 2:
        return ""
    commits = ", ".join(f"{count} of commit {str(commit)[:12]}" for commit, count in counts.items())
    return f"{frame['run'].iloc[0]} has cases of several commits: {commits}."


def short_names(paths: Sequence[Path]) -> list[str]:
    """As many of the last parts of paths as tell them apart."""
    for count in range(1, max(len(path.parts) for path in paths) + 1):
        names = ["/".join(path.parts[-count:]) for path in paths]
        if len({*names}) == len(names):
            return names
    return [str(path) for path in paths]


def options_of(frame: pd.DataFrame, column: str) -> dict[str, pd.Series]:
    """The options in the names of a column, by key; None where a name lacks the option."""
    options = frame[column].map(lambda name: generator_options(name)[1])
    keys = dict.fromkeys(key for own in options for key, value in own.items() if value)
    return {key: options.map(lambda own: own.get(key)) for key in keys}  # noqa: B023


def with_column(
    frame: pd.DataFrame, fields: dict[str, Field], key: str, values: pd.Series, definition: str
) -> dict[str, Field]:
    """Sets a column of texts or numbers in the frame. Returns the fields with that of the column."""
    numbers = pd.to_numeric(values, errors="coerce")
    is_numeric = numbers.notna().equals(values.notna())
    frame[key] = numbers if is_numeric else values
    return fields | {key: Field(key, "", key, "number" if is_numeric else "text", definition)}


def with_options(frame: pd.DataFrame, fields: dict[str, Field]) -> tuple[pd.DataFrame, dict[str, Field]]:
    """Adds a column for each option that the method has no column of that name for, and makes those of the user's
    solvers known, `own.NAME`."""
    for name in (name for name in frame if name.startswith("own.")):
        fields = with_column(frame, fields, name, frame[name], "Option or value of the user's solver")
    for column in ("generator", "solver"):
        for key, values in options_of(frame, column).items():
            if key not in fields and key not in frame:
                fields = with_column(frame, fields, key, values, f"Option of the {column}")
    return frame, fields


def without_option(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Names of generators and solvers without the option whose values are those of a column, so that the cases that
    differ in it alone are of one line."""
    for names, also in (("generator", "problem"), ("solver", "label")):
        for key, values in options_of(frame, names).items():
            numbers = pd.to_numeric(values, errors="coerce")
            known, own = values.notna(), pd.to_numeric(frame[column], errors="coerce")
            same = numbers.notna().equals(known) and numbers[known].equals(own[known].astype(float))
            if key == column or (same and numbers.nunique() > 1):
                rid = {
                    name: frame[name].str.replace(rf";{re.escape(key)}=[^;]*", "", regex=True) for name in (names, also)
                }
                frame = frame.assign(**rid)
    return frame


def chosen(data: Data, condition: str) -> pd.DataFrame:
    """The cases that meet a condition: COLUMN=VALUES with patterns, COLUMN!=VALUES, or an order of numbers."""
    match = CONDITION.fullmatch(condition.strip())
    if not match or not match[3].strip():
        raise InputError(f"--where: '{condition}' is not a condition; write COLUMN=VALUES, or < <= > >= and a number")
    column, relation, text = data.named(match[1], "--where"), match[2], match[3].strip()
    values = data.frame[column]
    if relation in ORDERS:
        try:
            keep = ORDERS[relation](pd.to_numeric(values, errors="coerce"), float(text))
        except ValueError:
            raise InputError(f"--where: '{condition}': '{text}' is not a number; write one") from None
    else:
        own = [values, data.frame["label"]] if column == "solver" else [values]
        own += [data.frame["problem"]] if column == "generator" else []
        words = listed(text)
        keep = pd.concat([one.map(lambda value: meets(value, words)) for one in own], axis=1).any(axis=1)
        keep = keep if relation == "=" else ~keep
    if not keep.any():
        known = values.dropna().unique()
        limits = f"{match[1]} is from {spelled(min(known))} to {spelled(max(known))}" if relation in ORDERS else ""
        raise InputError(f"--where: no case has {condition}; {limits or nearest(text, map(spelled, known))}")
    return data.frame[keep]


def meets(value, words: Sequence[str]) -> bool:
    text = spelled(value)

    def equal(word: str) -> bool:
        try:
            return is_number(value) and float(word) == value
        except ValueError:
            return False

    return any(word == text or equal(word) or fnmatch.fnmatchcase(text, word) for word in words)


def lines_of(data: Data, by: Sequence[str], besides: Sequence[str], of_times: bool) -> pd.DataFrame:
    """The frame with a column `line`, which names the values of the columns `by`; of a solver also those of the other
    axes, `besides` excepted, that vary for it. Times of several machines are never of one line."""
    frame = data.frame
    parts = []
    for name in by:
        if name in AS_CASE:
            parts.append(frame["label"])
            own = frame.groupby("label")
            also = [a for a in data.solver_axes if a not in (*by, *besides) and own[a].nunique(dropna=False).max() > 1]
            parts += [frame[a].map(lambda value, a=a: axis_text(a, value)) for a in also]
        else:
            heading = data.fields[name].heading
            is_text = data.fields[name].kind not in NUMBERS
            parts.append(frame[name].map(lambda v, h=heading, t=is_text: spelled(v) if t else f"{h} = {spelled(v)}"))
    if of_times and data.machines > 1 and not {"machine", "run"} & {*by, *besides}:
        parts.append(frame["machine"])
    line = parts[0].astype(str)
    for part in parts[1:]:
        line = line + part.map(lambda text: f", {text}" if text else "")
    return frame.assign(line=line)


def axis_text(axis: str, value) -> str:
    if axis == "threads" and is_number(value):
        return f"{value:g} thread" + ("s" if value != 1 else "")
    return f"{axis} {spelled(value)}" if is_number(value) else str(value)


def order_of(frame: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """The lines: own solvers before other libraries', else by the values of the columns."""
    baseline = frame["solver"].map(is_baseline) if "solver" in by else False
    return list(dict.fromkeys(frame.assign(baseline=baseline).sort_values(["baseline", *by, "line"])["line"]))


def over_reference(data: Data, frame: pd.DataFrame, column: str, solver: str) -> pd.Series:
    """Values over those of a solver for the same problem on the same machine, of as many threads where it has several;
    only where both have passed, if they are times."""
    keys = ["problem_key", "machine"]
    rows = data.every[(data.every["solver"] == solver) & data.every[column].notna()]
    rows = rows[rows["status"] == "passed"] if column in TIMES else rows
    by_threads = [*keys, "threads"]
    exact = rows.groupby(by_threads, dropna=False)[column].median()
    counts = rows.groupby(keys, dropna=False)["threads"].nunique()
    alone = rows.groupby(keys, dropna=False)[column].median().where(counts <= 1)

    def looked_up(known: pd.Series, names: list[str]) -> pd.Series:
        places = pd.MultiIndex.from_frame(frame[names])
        return pd.Series(known.reindex(places).to_numpy(), frame.index)

    base = looked_up(exact, by_threads).fillna(looked_up(alone, keys))
    return frame[column] / base.where(base > 0)
