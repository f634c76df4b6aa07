# SPDX-License-Identifier: BSD-3-Clause
"""Relative errors of eigenvalues and singular values of graded matrices, beside their estimates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from ..figures import looks_of, series_of
from ..model import Column, Figure, Finding, Panel, Table
from ..records import is_baseline
from ..selection import TYPE_NAMES, Source, generator_options, sizes_in_words, solver_label
from ..tables import Quantity, by_solver

ROUNDOFF = 2.0**-53


@dataclass(frozen=True)
class Family:
    """A kind of generators: over how many decades D or the values extend."""

    name: str
    usual_g: float | None = (
        None  # default of the option g, the half of the decades; None: the decades are those of kappa
    )
    determined: bool = False  # whether the matrices determine all values well, for any grading
    position: Callable[[Mapping[str, str]], float] | None = (
        None  # place of a generator on the axis, if it has another one
    )
    axis: str = "decades"

    def decades(self, options: Mapping[str, str]) -> float:
        if self.position is not None:
            return self.position(options)
        if self.usual_g is not None:
            return 2 * float(options.get("g", self.usual_g))
        return math.log10(float(options.get("kappa", 1000)))


@dataclass(frozen=True)
class Study:
    """Relative errors of the values of a method: the symbol of a value, and the families of matrices by key.

    key_of: the key of a generator's kind and options.
    promises: how many times its estimate an error may be, by method of the variants; 10 for others.
    """

    method: str
    symbol: str
    families: Mapping[str, Family]
    key_of: Callable[[str, Mapping[str, str]], str] = lambda kind, options: kind
    promises: Mapping[str, float] = field(default_factory=dict)
    problems: str = "matrices"
    in_words: str = "{} matrices"  # problems of the families that determine all values

    @property
    def heading(self) -> str:
        return f"largest |Δ{self.symbol}| / |{self.symbol}|"

    def with_decades(self, frame: pd.DataFrame, type: str) -> pd.DataFrame:
        """The rows of these families with errors: family and decades, in order."""
        rows = frame[(frame["type"] == type) & frame["relative_error"].notna()]
        kinds = rows["generator"].map(generator_options)
        keys = kinds.map(lambda kind: self.key_of(*kind))
        known = keys.map(lambda key: key in self.families).astype(bool)  # of an empty frame, too
        rows, kinds = rows[known], kinds[known]
        families = [self.families[key] for key in keys[known]]
        decades = [family.decades(options) for family, (_, options) in zip(families, kinds, strict=True)]
        order = {family.name: place for place, family in enumerate(self.families.values())}
        rows = rows.assign(family=[family.name for family in families], decades=decades)
        return rows.sort_values(["family", "decades"], key=lambda x: x.map(order) if x.name == "family" else x)

    def figure(self, source: Source, title: str, reference: str, type: str) -> Figure:
        """A panel for each family: largest error of any value over the decades, with the largest estimate of the
        reference."""
        rows = self.with_decades(source.frame, type)
        panels = [self._panel(name, group, rows, reference) for name, group in rows.groupby("family", sort=False)]
        note = f"n = {sizes_in_words(rows['n'])}, {TYPE_NAMES[type]} {self.problems}; above 1 no digit of some"
        return Figure(
            f"{self.method}-accuracy-{type}", title, panels, [f"{note} {self.symbol} is correct."][: len(panels)]
        )

    def _panel(self, family: str, group: pd.DataFrame, rows: pd.DataFrame, reference: str) -> Panel:
        lines = []
        for solver, look in looks_of(solvers_of(rows)).items():
            worst = group[group["solver"] == solver].groupby("decades")["relative_error"].max()
            if len(worst):
                lines.append(series_of(worst.clip(lower=ROUNDOFF).to_dict(), solver_label(solver), **look))
        estimates = group[group["solver"] == reference].groupby("decades")["largest_estimate"].max().dropna()
        if len(estimates):
            name = f"estimate of {solver_label(reference)}"
            lines.append(series_of(estimates.to_dict(), name, role="bound", style="dashed", symbol="none"))
        ticks = sorted(group["decades"].unique().tolist())
        axis = next(known.axis for known in self.families.values() if known.name == family)
        return Panel(family, axis, self.heading, lines, x_ticks=ticks)

    def table(self, source: Source, title: str, reference: str, type: str, bound: float) -> Table:
        """A row for each family and number of decades, a column for each solver, and the reference's largest estimate.

        Findings: on families that determine their values all errors of the reference are at most `bound`; all errors of
        variants are at most ten times their estimates; no undetected sign is wrong.
        """
        rows = self.with_decades(source.frame, type).assign(contestant=lambda x: x["label"])
        rows = rows.assign(decades=rows["decades"].round().astype(int))
        keys = {"family": Column("matrix"), "decades": Column("decades", "integer")}
        names = [solver_label(name) for name in solvers_of(rows)]
        quantities = [Quantity("relative_error", self.heading)]
        table = by_solver(f"{self.method}-accuracy-{type}", title, rows, keys, quantities, names)
        table.columns.append(Column("largest estimate", "scientific", solver_label(reference)))
        for line, (_, group) in zip(table.rows, rows.groupby(list(keys), sort=False), strict=True):
            largest = group.loc[group["solver"] == reference, "largest_estimate"].max()
            line.append(None if pd.isna(largest) else float(largest))
        if rows.empty:
            return table
        sizes = f"n = {sizes_in_words(rows['n'])}, {TYPE_NAMES[type]} {self.problems}"
        table.notes.append(f"{sizes}; true {self.symbol} of the stored {self.problems} in quad.")
        table.findings += self._findings(rows, reference, bound)
        return table

    def _findings(self, rows: pd.DataFrame, reference: str, bound: float) -> list[Finding]:
        findings = []
        determined = [family.name for family in self.families.values() if family.determined]
        own = rows[(rows["solver"] == reference) & rows["family"].isin(determined)]
        if len(own):
            largest = float(own["relative_error"].max())
            where = self.in_words.format((" and " if len(determined) < 3 else ", ").join(determined))
            text = f"{reference}: the largest error of any {self.symbol} of {where} is {largest:.1e}"
            findings.append(Finding(largest <= bound, f"{text} (goal: {bound:g})."))
        promises = rows[rows["error_per_estimate"].notna()]
        if len(promises):
            wrong = int(promises["wrong_signs"].sum()) if "wrong_signs" in promises else 0
            by_goal = {
                goal: (float(group["error_per_estimate"].max()), len(group))
                for goal, group in promises.groupby(self.promised(promises))
            }
            who = "all variants" if len(by_goal) == 1 else "variants"
            most = " and ".join(
                f"{largest:.2g}× their estimates in {count} cases (goal: {goal:g}×)"
                for goal, (largest, count) in by_goal.items()
            )
            signs = f"; {wrong} signs are wrong without a word" if "wrong_signs" in promises else ""
            kept = all(largest <= goal for goal, (largest, _) in by_goal.items())
            findings.append(Finding(kept and not wrong, f"Errors of {who} are at most {most}{signs}."))
        return findings

    def promised(self, rows: pd.DataFrame) -> list[float]:
        """How many times their estimates the errors of rows may be."""
        return [self.promises.get(getattr(row, "method", None), 10) for row in rows.itertuples()]


def solvers_of(rows: pd.DataFrame) -> list[str]:
    """Variants first, by length of name, then baselines."""
    return sorted(rows["solver"].unique(), key=lambda name: (is_baseline(name), len(name), name))
