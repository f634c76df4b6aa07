# SPDX-License-Identifier: BSD-3-Clause
"""Table of the GSVD of pairs of any shapes and ranks."""

from __future__ import annotations

import pandas as pd

from ...model import Column, Finding, Headline, Table
from ...records import is_baseline
from ...selection import TYPE_NAMES, Source, generator_options, is_number, resolve
from ...tables import Quantity, by_solver
from .. import registry
from .solvers import label, ordered_solvers

LAPACK_THRESHOLD = 20
"""LAPACK calls test ratios above it suspicious."""


@registry.table("any-pair")
def any_pair(source: Source, *, title: str, reference: str, type: str = "d") -> Table:
    """Cases that did not pass, ranks other than the exact ones, LAPACK's test ratios and errors of σ, a line per kind
    of pairs.

    Findings: each variant passes all cases, no test ratio of it is above 20, and each solver finds the exact ranks of
    all integer pairs.
    """
    rows = source.frame[source.frame["type"] == type]
    rows = with_ranks(rows.assign(family=rows["generator"].map(family), contestant=rows["label"]))
    rows = rows.sort_values("family", kind="stable")
    names = ordered_solvers(rows, resolve(reference, type), False) if len(rows) else []
    keys = {"family": Column("pairs")}
    quantities = [
        Quantity("failed", "not passed", "integer", "sum"),
        Quantity("other_ranks", "ranks other than the exact ones", "integer", "sum"),
        Quantity("ratio", "largest test ratio", "ratio"),
        Quantity("sigma_backward", "largest error of σ over its condition"),
    ]
    table = by_solver(f"any-pair-{type}", title, rows, keys, quantities, [label(name) for name in names])
    if len(rows):
        table.columns.insert(1, Column("number", "integer"))
        for line, (_, group) in zip(table.rows, rows.groupby("family", sort=False), strict=True):
            line.insert(1, int((group["solver"] == names[0]).sum()))
        table.notes += [
            "Exact ranks and σ are those of exactly these doubles, from 200 decimal digits. Ranks differ where "
            "singular values are as small as rounding errors; σ are then not compared.",
            "Test ratios: the largest of the six of dgsvts3.",
            "The smallest σ of the regularization problems are far below the rounding errors of F: nothing bounds "
            "their relative errors.",
        ]
        worst = rows.loc[~rows["solver"].map(is_baseline), "sigma_backward"].max()
        text = f"largest error of σ over its condition, {TYPE_NAMES[type]} pairs"
        table.headlines += [Headline(f"{worst:.1e}", text)] if is_number(worst) else []
    for name in names:
        table.findings += findings_of(rows[rows["solver"] == name], name)
    return table


def family(generator: str) -> str:
    """A name for readers: "LAPACK's type 4", "integers, k = 3, l = 5", "heat, differences of order 2"."""
    kind, options = generator_options(generator)
    if kind == "lapack":
        return f"LAPACK's type {options.get('type', '4')}"
    if kind == "ranks":
        return f"integers, k = {options.get('k', '1')}, l = {options.get('l', '1')}"
    if kind == "integral":
        return f"{options.get('kernel', 'baart')}, differences of order {options.get('l', '1')}"
    return generator


def with_ranks(rows: pd.DataFrame) -> pd.DataFrame:
    """Adds `failed`, `other_ranks` (0 or 1) and `ratio`, the largest test ratio."""
    true_k, true_l = (rows[f"true_{name}"].fillna(rank_of_integers(rows["generator"], name)) for name in "kl")
    # A pair that was not reduced, and a known truth without ranks, has k = 0 and l = n.
    other = (rows["k"].fillna(0) != true_k.fillna(0)) | (rows["l"].fillna(rows["n"]) != true_l.fillna(rows["n"]))
    judged = rows["dgsvts3"].map(lambda ratios: isinstance(ratios, list))
    other = other.astype(float).where(judged)
    ratio = rows["dgsvts3"].map(lambda ratios: max((x for x in ratios if x is not None), default=None), "ignore")
    return rows.assign(
        failed=(rows["status"] != "passed").astype(int), other_ranks=other, ratio=pd.to_numeric(ratio, errors="coerce")
    )


def rank_of_integers(generators: pd.Series, name: str) -> pd.Series:
    """The option k or l of integer pairs; NaN for other pairs."""
    options = generators.map(generator_options)
    return options.map(lambda one: float(one[1].get(name, 1)) if one[0] == "ranks" else None).astype(float)


def findings_of(rows: pd.DataFrame, name: str) -> list[Finding]:
    findings = []
    if not is_baseline(name):
        failed = int(rows["failed"].sum())
        findings.append(Finding.unless(failed, f"{name} passes all {len(rows)} cases"))
        largest = float(rows["ratio"].max())
        findings.append(
            Finding(
                largest <= LAPACK_THRESHOLD, f"{name}: the largest test ratio is {largest:.3g} (LAPACK's limit: 20)."
            )
        )
    integers = rows[rows["family"].str.startswith("integers")]
    if len(integers):
        wrong = int((integers["other_ranks"] != 0).sum())
        findings.append(
            Finding.unless(wrong, f"{label(name)} finds the exact ranks of all {len(integers)} integer pairs")
        )
    return findings
