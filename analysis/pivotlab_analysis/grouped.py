# SPDX-License-Identifier: BSD-3-Clause
"""Tables on demand: medians of the cases of several runs by columns of one's choice, beside their environments."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .errors import InputError
from .limits import require_few
from .methods import COMMON
from .model import Column, Table, Value
from .pictures.data import Data, load
from .pictures.request import hidden
from .records import Run, is_baseline
from .selection import TIMES, cell, value_of
from .tables import column_of

MOST_MACHINES = 4
ENVIRONMENT = [field for field in COMMON.values() if field.place.startswith("/environment/") and field.kind != "ratio"]
ENVIRONMENT += [COMMON["version"], COMMON["commit"]]


def tables(runs: Sequence[Run], by: Sequence[str], values: Sequence[str], where: Sequence[str] = ()) -> list[Table]:
    """Returns the table of medians and, of several runs, that of their environments. Raises InputError."""
    data = load(runs, where)
    keys = [data.named(word, "--by") for word in by]
    shown = [data.named(word, "--value", number=True) for word in values]
    if both := [name for name in shown if name in keys]:
        raise InputError(f"--value: {both[0]} is a column of --by; name another one")
    found = [medians(data, keys, shown)]
    return [*found, environments(data)] if len(runs) > 1 else found


def medians(data: Data, keys: list[str], values: list[str]) -> Table:
    """A line for each combination of the keys' values. Cases of several machines have columns of their own."""
    machines = sorted(data.frame["machine"].unique()) if "machine" not in keys else []
    require_few(len(machines), MOST_MACHINES, "machines beside each other", "machine")
    several = len(machines) > 1
    heads = [Column(data.fields[key].heading, column_of(data.fields[key]).format) for key in keys]
    for machine in machines if several else [""]:
        for value in values:
            column = column_of(data.fields[value])
            heads.append(Column(column.label, column.format, machine, column.help))
    frame = data.frame.assign(baseline=data.frame["solver"].map(is_baseline) if "solver" in keys else False)
    frame = frame.sort_values(["baseline", *(key for key in keys if key != "solver"), "solver"], kind="stable")
    first = [key for key in keys if key != "solver"]
    frame = frame.sort_values([*first, "baseline"], kind="stable") if first else frame
    table = Table("table", f"Medians by {', '.join(data.fields[key].heading for key in keys)}", heads, [])
    for key, rows in frame.groupby(keys, sort=False, dropna=False):
        names = [rows["label"].iloc[0] if name == "solver" else cell(one) for name, one in zip(keys, key, strict=True)]
        own = [rows[rows["machine"] == machine] for machine in machines] if several else [rows]
        table.rows.append([*names, *(median(part, value) for part in own for value in values)])
    definitions = [f"{data.fields[value].heading}: {data.fields[value].definition}" for value in values]
    table.notes.append("; ".join(definitions) + ".")
    groups = [*keys, *(["machine"] if several else [])]
    if over := hidden(data, frame, groups):
        table.notes.append(f"Medians over {', '.join(over)}.")
    table.notes += data.notes
    return table


def median(rows: pd.DataFrame, column: str) -> Value:
    return value_of(rows, column, only_passed=column in TIMES)


def environments(data: Data) -> Table:
    """What the runs ran on, side by side."""
    runs = list(dict.fromkeys(data.frame["run"]))
    table = Table("environments", "Environments", [Column(""), *map(Column, runs)], [])
    for field in ENVIRONMENT:
        own = [data.frame.loc[data.frame["run"] == run, field.name].dropna().unique() for run in runs]
        texts = ["; ".join(spelled(field.name, value) for value in values) or None for values in own]
        if any(texts):
            table.rows.append([field.heading, *texts])
    return table


def spelled(name: str, value) -> str:
    if name == "memory_bytes":
        return f"{value / 2**30:.1f} GiB"
    return value[:12] if name == "commit" else f"{value:g}" if isinstance(value, float | int) else str(value)
