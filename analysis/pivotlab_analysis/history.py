# SPDX-License-Identifier: BSD-3-Clause
"""Single measurements: all samples of every time, and the history of a case over the commits that ran it."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from .methods import at
from .model import Column, Table, Value
from .records import Run
from .tables import AS_FAST, column_of, factor_over


def samples(runs: Iterable[Run]) -> str:
    """A CSV with a line for each sample: experiment, key, case, status, seconds of the compute phase and in all."""
    lines = []
    for record in (record for run in runs for record in run.records):
        case = (
            {"experiment": record["experiment"], "key": record["key"]} | record["case"] | {"status": record["status"]}
        )
        times = {name: at(record, f"/time/{name}/samples") or [] for name in ("compute_s", "wall_s")}
        pairs = pd.DataFrame({name: pd.Series(own, dtype=float) for name, own in times.items()})
        lines += [case | {"sample": k} | pair for k, pair in enumerate(pairs.to_dict("records"), start=1)]
    return pd.DataFrame(lines).to_csv(index=False, lineterminator="\n")


def histories(runs: Iterable[Run], key: str | None = None) -> list[Table]:
    """For each case that several of the runs have, or the one of that key, a line for each record by its start: commit,
    status, median time, how many times as fast as the first, and what is compared of the method."""
    found: dict[str, list[tuple[Run, dict]]] = {}
    for run in runs:
        for record in run.records:
            found.setdefault(record["key"], []).append((run, record))
    chosen = {k: own for k, own in found.items() if (len(own) > 1 if key is None else k == key)}
    return [history(own) for own in chosen.values()]


def history(records: list[tuple[Run, dict]]) -> Table:
    """The records of one case in the order of their starts."""
    records = sorted(records, key=lambda pair: at(pair[1], "/provenance/started") or "")
    method, case = records[0][0].method, records[0][1]["case"]
    errors = [f for f in method.fields.values() if f.compared and f.kind == "scientific"]
    fields = [method.fields[name] for name in ("started", "commit", "status", "compute_s", "wall_s")]
    columns = [Column("run"), *map(column_of, fields), Column(AS_FAST, "times"), *map(column_of, errors)]
    title = ", ".join(f"{name} {value}" for name, value in case.items() if name != "method")
    table = Table(f"history-{records[0][1]['key'][:12]}", title, columns, [])
    first = next((t for _, r in records if r["status"] == "passed" and (t := at(r, "/time/compute_s/median"))), None)
    for run, record in records:
        values: list[Value] = [field.of(record) for field in fields]
        values[1] = (
            f"{(values[1] or 'unknown')[:12]}{' with changes' if at(record, '/provenance/clean') is False else ''}"
        )
        factor = factor_over(values[3], first, AS_FAST) if record["status"] == "passed" else None
        table.rows.append([str(run.path), *values, factor, *(field.of(record) for field in errors)])
    return table
