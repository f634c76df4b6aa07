# SPDX-License-Identifier: BSD-3-Clause
"""Tables over several GPUs, or ranks of another kind: time, sweeps and speed-up, published and measured."""

from __future__ import annotations

import pandas as pd

from ...model import NOT_RUN, NOTHING, Column, Finding, Headline, Table, Value
from ...selection import Source, is_number, ratio, resolve, value_of
from ...tables import compared, faster
from .. import registry
from .solvers import with_stems

NO_MEMORY = "n/a"
"""The paper's entry where the GPUs' memory did not suffice."""


def rows_of(source: Source, solver: str, type: str) -> pd.DataFrame:
    rows = with_stems(source.frame[source.frame["type"] == type])
    return rows[rows["stem"] == resolve(solver, type)]


def measured_note(source: Source, rows: pd.DataFrame) -> str:
    pairs = " and ".join(sorted(set(rows["generator"])))
    return (
        f"Measured on {source.hardware} with the pairs “{pairs}”: from the columns in memory to U, V, Z and Σ there, "
        "without copies of the input. The published times are wall times of other pairs."
    )


def side_by_side(known: dict, own: dict, key: tuple[int, int]) -> list[Value]:
    """Time and sweeps of one point: published, measured, ratio; published, measured."""
    time, sweeps = (value_of(own[key], c) if key in own else NOT_RUN for c in ("compute_s", "sweeps"))
    published = (getattr(known[key], c) if key in known else None for c in ("wall_s", "sweeps"))
    wall, count = (value if value is None or is_number(value) else NO_MEMORY for value in published)
    return [wall, time, ratio(time, wall), count, sweeps]


def heads(sweeps: str, published_on: str, measured_on: str) -> list[Column]:
    times = compared("time [s]", "seconds", published_on, measured_on)
    return times + [Column(side, "integer", sweeps) for side in ("published", "measured")]


@registry.table("single-gpu")
def single_gpu(source: Source, *, title: str, published: str, type: str) -> Table:
    """Table 7: time and sweeps of the single-GPU variants, solver by solver."""
    paper = source.library[published]
    known = {(row.solver, int(row.n)): row for row in paper.frame.itertuples()}
    rows = with_stems(source.frame[source.frame["type"] == type])
    own = {(name, int(n)): group for (name, n), group in rows.groupby(["stem", "n"])}
    columns = [Column("solver"), Column("n", "integer"), *heads("sweeps", paper.hardware, source.hardware)]
    lines = [[*key, *side_by_side(known, own, key)] for key in known | own]
    table = Table(published, title, columns, lines, [measured_note(source, rows)] if len(rows) else [])
    for key in [key for key in known if key in own][-1:]:
        _, _, wall, time, *_ = lines[list(known | own).index(key)]
        table.headlines += faster(
            wall, time, f"{key[0]}, n = {key[1]}, {paper.hardware} (published) → {source.hardware}"
        )
    return table


@registry.table("over-ranks")
def over_ranks(
    source: Source, *, title: str, published: str, baseline: str, type: str, solver: str, goals: dict = NOTHING
) -> Table:
    """Tables 8 to 11: time, outermost sweeps and speed-up of a variant, by n and the number of GPUs.

    Speed-ups are over the best single GPU of `baseline` where it was published, and over the fastest run of the
    report on one GPU where they were measured. goals: {GPUs: factor} that the speed-up should reach at the largest
    published n that one GPU has solved.
    """
    paper = source.library[published]
    best = source.library[baseline].frame.groupby("n")["wall_s"].min().to_dict()
    known = {(int(row.n), int(row.gpus)): row for row in paper.frame.itertuples()}
    rows = rows_of(source, solver, type)
    own, single = by_ranks(rows), best_on_one(source, rows)
    columns = [Column("n", "integer"), Column(unit(rows) + "s", "integer")]
    columns += heads("outermost sweeps", paper.hardware, source.hardware)
    columns += [Column(side, "times", "speed-up") for side in ("published", "measured")]
    table = Table(published, title, columns, [])
    options = "".join(f", {option}" for option in solver.split(";")[1:])
    speedups: dict[tuple[int, int], Value] = {}
    for key in sorted(known.keys() | own.keys()):
        wall, time, *rest = side_by_side(known, own, key)
        speedups[key] = ratio(single.get(key[0], NOT_RUN), time) if key in own else NOT_RUN
        table.rows.append([*key, wall, time, *rest, ratio(best.get(key[0]), wall), speedups[key]])
        where = f"{key[1]} {unit(rows)}{'s' if key[1] > 1 else ''}, n = {key[0]}"
        table.headlines = (
            faster(wall, time, f"{where}{options}, {paper.hardware} (published) → {source.hardware}") or table.headlines
        )
    if len(rows):
        shared = sharing_notes(rows)
        if key := max((key for key, value in speedups.items() if key[1] > 1 and is_number(value)), default=None):
            text = f"as fast on {key[1]} {unit(rows)}s as on one, n = {key[0]}{options}"
            table.headlines.append(Headline(f"{speedups[key]:.2f}×", "; ".join([text, *shared])))
        table.notes += [f"{measured_note(source, rows)} {single_note(rows)}", *shared]
        sizes = [n for n in single if n in set(paper.frame["n"]) and n in set(rows["n"])]
        for ranks, goal in goals.items() if sizes and unit(rows) == "GPU" and not shared else ():
            value = speedups.get((max(sizes), int(ranks)))
            if is_number(value):
                text = f"{resolve(solver, type)} is {value:.2f}× as fast on {ranks} GPUs as on one"
                text += f" at n = {max(sizes)} (goal: {goal:g}×)."
                table.findings.append(Finding(value >= goal, text))
    return table


@registry.table("scaling")
def scaling(source: Source, *, title: str, type: str, solver: str) -> Table:
    """Speed-up over one rank at the same n (strong scaling), and n³ a second and rank as a part of what the best
    solver on one rank does at the smallest n (weak scaling, where n² by the ranks, the memory of each, is the same)."""
    rows = rows_of(source, solver, type)
    single = best_on_one(source, rows)
    times = {(n, 1): time for n, time in single.items()}
    times |= {key: value_of(group, "compute_s") for key, group in by_ranks(rows).items() if key[1] > 1}
    columns = [
        Column("n", "integer"),
        Column(unit(rows) + "s", "integer"),
        Column(f"columns a {unit(rows)}", "integer"),
    ]
    columns += [Column("time [s]", "seconds"), Column("speed-up", "times"), Column("efficiency", "ratio")]
    table = Table("scaling", title, columns, [])
    if rows.empty or not single:
        return table
    base = min(single)
    for (n, ranks), time in sorted(times.items()):
        rate = n**3 / (ranks * time) if is_number(time) else time
        efficiency = ratio(rate, base**3 / single[base])
        table.rows.append([n, ranks, n // ranks, time, ratio(single.get(n, NOT_RUN), time), efficiency])
    note = f"Efficiency: n³ for each second and {unit(rows)}, by that of one at n = {base}."
    table.notes.append(f"{note} {single_note(rows)}")
    return table


def by_ranks(rows: pd.DataFrame) -> dict[tuple[int, int], pd.DataFrame]:
    return {(int(n), int(ranks)): group for (n, ranks), group in rows.groupby(["n", "ranks"])}


ALIKE = ["type", "n", "generator", "seed", "backend", "threads"]
"""Columns in which a run on one GPU or rank must agree with a run over several."""


def best_on_one(source: Source, rows: pd.DataFrame) -> dict[int, float]:
    """Seconds, by n, of the fastest Hari–Zimmermann solver that passed on one GPU or rank with the pairs of `rows`, in
    this run or another of the report."""
    best: dict[int, float] = {}
    for frame in (source.frame, *source.others()):
        alone = frame[frame["id"].notna() & ~(frame["ranks"] > 1) & (frame["status"] == "passed")]
        alike = alone.merge(rows[ALIKE].drop_duplicates())
        for n, time in alike.groupby("n")["compute_s"].min().items():
            best[int(n)] = min(time, best.get(int(n), time))
    return best


def unit(rows: pd.DataFrame) -> str:
    return "GPU" if rows.empty or set(rows["backend"]) == {"cuda"} else "rank"


def single_note(rows: pd.DataFrame) -> str:
    solvers = "the fastest of all Hari–Zimmermann solvers"
    return f"Speed-ups are over {solvers} that ran on one {unit(rows)} with these pairs."


def sharing_notes(rows: pd.DataFrame) -> list[str]:
    """Ranks that had no GPU of their own say nothing of speed-ups."""
    crowded = set()
    for row in rows.itertuples():
        devices = [rank["device"] for rank in row.by_rank] if isinstance(row.by_rank, list) else []
        if None not in devices and len(set(devices)) < len(devices):
            crowded.add((row.ranks, len(set(devices))))
    return [f"{ranks:.0f} ranks shared {gpus} GPU{'s' if gpus > 1 else ''}." for ranks, gpus in sorted(crowded)]
