# SPDX-License-Identifier: BSD-3-Clause
"""Tables and figures of the GSVD by tangent reduction: accuracy on graded families, speed, time against accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ...model import NOTHING, Column, Figure, Finding, Table
from ...records import is_baseline
from ...remarks import NOT_PASSED, remarks_of
from ...selection import TYPE_NAMES, Source, numbers, ratio, resolve, sizes_in_words, value_of
from ...tables import Quantity, by_solver, faster
from .. import registry, routes
from .solvers import label, ordered_solvers, with_families

ESTIMATE, PER_ESTIMATE = "tangent_largest_estimate", "tangent_error_per_estimate"
RELIABLE = 0.1
"""Estimates say nothing where the largest one is larger."""


@registry.table("fast-accuracy")
def fast_accuracy(
    source: Source,
    *,
    title: str,
    solvers: list[str],
    reference: str,
    type: str = "d",
    factor: float = 10,
    bound: float = 1e-10,
    per_estimate: float = 4,
) -> Table:
    """Largest relative error of any σ on the paper's and graded pairs, solver by solver, and estimates of `solvers`.

    Findings: on the paper's pairs and those with one scaled side, the error of the first of `solvers` is at most
    `factor` times that of the reference, or n·2⁻⁵³; of each, on dense pairs with more scaled sides, below `bound`; on
    all pairs with a largest estimate below 0.1, every error is at most `per_estimate` times its estimate.
    """
    names, first = [resolve(name, type) for name in solvers], resolve(reference, type)
    rows = with_families(source.frame[source.frame["type"] == type])
    contestants = [label(name) for name in ordered_solvers(rows, names[0], False)] if len(rows) else []
    keys = {"family": Column("pair"), "g": Column("g", "integer")}
    errors = Quantity("sigma_error", "largest relative error of any σ")
    table = by_solver(f"fast-accuracy-{type}", title, rows, keys, [errors], contestants)
    for name in names:
        table.columns += [Column(head, "scientific", label(name)) for head in ("estimate", "error over estimate")]
    for line, (_, group) in zip(table.rows, rows.groupby(list(keys), sort=False, dropna=False), strict=True):
        for name in names:
            cases = group[group["solver"] == name]
            line += [value_of(cases, column, "max", only_passed=False) for column in (ESTIMATE, PER_ESTIMATE)]
    if len(rows):
        table.notes.append(
            f"n = {sizes_in_words(rows['n'])}; D = diag from 1e−g to 1e+g, D′, D″ in random order. Truth of exactly "
            "these pairs from 200 decimal digits."
        )
        cases = {name: rows[rows["solver"] == name] for name in (*names, first)}
        table.findings.append(of_one_side(cases[names[0]], cases[first], factor, f"{names[0]} against {first}"))
        for name in names:
            own = cases[name]
            table.findings.append(of_more_sides(own[(own["sides"] > 1) & ~own["sparse"]], bound, name))
            table.findings.append(of_estimates(own[~(own[ESTIMATE] >= RELIABLE)], per_estimate, name))
    return table


def of_one_side(own: pd.DataFrame, other: pd.DataFrame, factor: float, who: str) -> Finding:
    keys = ["generator", "n", "seed", "sigma_error"]
    easy = own.loc[own["sides"] <= 1, [*keys, "problem"]]
    pairs = easy.merge(other[keys], on=keys[:3], suffixes=("", "_other")).dropna()
    where = "the paper's pairs and those with one scaled side"
    if pairs.empty or len(pairs) < len(easy):
        return Finding(None, f"{who}: the comparison on {where} is incomplete.")
    beyond = pairs[pairs["sigma_error"] > (factor * pairs["sigma_error_other"]).clip(lower=pairs["n"] * 2.0**-53)]
    listed = "; ".join(
        f"{row.problem}, n = {row.n}: {row.sigma_error:.1e} over {row.sigma_error_other:.1e}"
        for row in beyond.itertuples()
    )
    return Finding.unless(listed, f"{who}: the errors of σ are at most {factor:g}× as large on {where}")


def of_more_sides(rows: pd.DataFrame, bound: float, who: str) -> Finding:
    where = "dense pairs with more than one scaled side"
    if rows.empty or rows["sigma_error"].isna().any():
        return Finding(None, f"{who} on {where}: incomplete.")
    largest = float(rows["sigma_error"].max())
    return Finding(largest < bound, f"{who}: the largest error of any σ on {where} is {largest:.1e} (goal: {bound:g}).")


def of_estimates(rows: pd.DataFrame, limit: float, who: str) -> Finding:
    known = rows[rows[PER_ESTIMATE].notna()]
    if known.empty:
        return Finding(None, f"{who}: no estimates were compared with errors.")
    largest = float(known[PER_ESTIMATE].max())
    text = f"{who}: errors of σ are at most {largest:.2g}× their estimates in {len(known)} cases whose estimates are "
    return Finding(largest <= limit, f"{text}below {RELIABLE:g} (goal: {limit:g}×).")


@registry.table("fast-speed")
def fast_speed(
    source: Source, *, title: str, reference: str, type: str = "d", targets: dict[str, float] = NOTHING
) -> Table:
    """Times without copies of matrices, errors of σ and orthogonality of all solvers, a line per pair; times of cases
    that did not pass are marked.

    targets: {n: factor}, how many times as fast as the fastest other variant the reference should be at n.
    """
    own = resolve(reference, type)
    rows = with_worst_orthogonality(source.frame[source.frame["type"] == type])
    names = ordered_solvers(rows, own, False) if len(rows) else []
    keys = {"problem": Column("pair"), "n": Column("n", "integer")}
    quantities = [
        Quantity("compute_s", "time [s]", "seconds", "median"),
        Quantity("sigma_error", "largest relative error of any σ"),
        Quantity("orthogonality", "‖UᴴU − I‖, ‖VᴴV − I‖: the larger one"),
    ]
    rows = rows.assign(contestant=rows["label"]).sort_values(["problem", "n"], kind="stable")
    table = by_solver(f"fast-speed-{type}", title, rows, keys, quantities, [label(name) for name in names])
    if len(rows):
        table.notes.append(
            f"Median times on {source.hardware} without copies of matrices, {TYPE_NAMES[type]} pairs. "
            "True σ are known of the paper's pairs."
        )
    largest = {}
    for (problem, n), group in rows.groupby(["problem", "n"], sort=False):
        times = numbers({s: value_of(group[group["solver"] == s], "compute_s") for s in names if not is_baseline(s)})
        mine, others = times.pop(own, None), times
        if mine is not None and others:
            rival = min(others, key=others.get)
            largest[problem] = faster(others[rival], mine, f"{rival} → {own}, {problem}, n = {n}")
            if target := targets.get(str(n)):
                what = f"{own} over {rival}, {problem}, n = {n}"
                table.findings.append(goal(ratio(others[rival], mine), target, what))
    table.headlines += [line for lines in largest.values() for line in lines]
    return table


def goal(quotient, target: float, what: str) -> Finding:
    text = f"{what}: {quotient:.1f}× as fast (goal: {target:g}×)"
    doubts = [r.text for r in remarks_of(quotient) if r.mark == NOT_PASSED]
    return Finding(None if doubts else quotient >= target, f"{text}{''.join(f'; {doubt}' for doubt in doubts)}.")


def with_worst_orthogonality(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(orthogonality=rows[["orthogonality_u", "orthogonality_v"]].max(axis=1))


@registry.figure("time-accuracy")
def time_accuracy(source: Source, *, title: str, type: str = "d", solvers: Sequence[str] = ()) -> Figure:
    """Error against time, a line a solver through its orders n: of σ where it is known, and the orthogonality of U
    and V, the largest over all pairs."""
    rows = with_worst_orthogonality(routes.rows_of(source, type, solvers))
    panels = [
        routes.panel("Singular values", rows, "sigma_error", "largest relative error of any σ"),
        routes.panel("Vectors", rows, "orthogonality", "‖UᴴU − I‖ or ‖VᴴV − I‖"),
    ]
    return routes.figure(f"time-accuracy-{type}", title, source, rows, panels, f"{TYPE_NAMES[type]} pairs")
