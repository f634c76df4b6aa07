# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the symmetric indefinite factorization: the thesis' data sheets, inertia, bounds, errors and times."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ... import tables
from ...methods import in_words
from ...model import NOT_RUN, NOTHING, Column, Finding, Headline, Table, Value
from ...records import is_baseline
from ...selection import ON_GPU, Source, cell, is_number, ratio, resolve, sizes_in_words, value_of, with_marked_times
from ...tables import Quantity, by_solver, compared, emphasize_minima, faster, listing
from .. import registry
from .solvers import USUAL_ALPHA, USUAL_TOLERANCE, at_usual_tolerance, contestants, lines, with_contestants

registry.table("ldlt-cases")(tables.cases)

INERTIA = {"positive": "+", "negative": "−", "zero": "0"}
SHEET = {
    "rank": Column("rank", "integer"),
    **{sign: Column(head, "integer", "inertia") for sign, head in INERTIA.items()},
    "pivots_1x1": Column("1×1", "integer", "pivots"),
    "pivots_2x2": Column("2×2", "integer", "pivots"),
    "swaps_1x1": Column("1×1", "integer", "swaps"),
    "swaps_2x2": Column("2×2", "integer", "swaps"),
    "max_growth": Column("growth", "ratio"),
    "max_multiplier": Column("largest", "ratio", "max|M|"),
    "multiplier_bound": Column("bound", "ratio", "max|M|"),
    "max_condition": Column("largest", "ratio", "κ₂ of 2×2"),
    "condition_bound": Column("bound", "ratio", "κ₂ of 2×2"),
    "residual": Column("relative", "scientific", "error"),
    "dsyt01": Column("dsyt01", "ratio", "error"),
    "solve_error": Column("of x", "scientific", "error"),
    "compute_s": Column("time [s]", "seconds"),
}


COUNTS = {
    name: f"{SHEET[name].label} {SHEET[name].group}".strip()
    for name in ("rank", "pivots_1x1", "pivots_2x2", "swaps_1x1", "swaps_2x2")
}


def bounds_finding(frame: pd.DataFrame) -> list[Finding]:
    """Returns the finding whether the factors are within their bounds, up to rounding."""
    rows = frame[frame["multiplier_bound"].notna() & frame["max_multiplier"].notna()]
    if rows.empty:
        return []
    beyond = [rows[f"max_{name}"] > (1 + 1e-12) * rows[f"{name}_bound"] for name in ("multiplier", "condition")]
    broken = rows[beyond[0] | beyond[1]]
    if broken.empty:
        text = f"max|M| and κ₂ of every 2×2 pivot stay within their bounds in all {len(rows)} cases that have some."
        return [Finding(True, text)]
    names = ", ".join(f"{row.problem} (n = {row.n}, {row.solver})" for row in broken.head(5).itertuples())
    return [Finding(False, f"max|M| or κ₂ of a 2×2 pivot exceeds its bound in {len(broken)} cases: {names}.")]


def certificate(rows: pd.DataFrame) -> list[Value]:
    """Returns the best of several certificates of a matrix: counts, status, bounds of the eigenvalues."""
    quality = rows["certificate"].map({"certified": 0, "certified_near_zero": 1, "undetermined": 2})
    if quality.isna().all():
        return [None] * (len(INERTIA) + 3)
    best = rows.loc[quality.idxmin()]
    counts = [cell(best[f"certified_{sign}"]) for sign in INERTIA]
    return [*counts, in_words(best["certificate"]), cell(best[["below", "above"]].max()), cell(best["clear"])]


@registry.table("ldlt-inertia")
def inertia(source: Source, *, title: str, agree: Sequence[float] = ()) -> Table:
    """The stated inertia of each matrix beside the computed one at every tolerance of the run.

    If eigenvalues are near zero, the inertia depends on the tolerance for zero. The finding: every matrix has the
    stated one at the usual tolerance or at one of those in `agree`, which are those of the methods that the statements
    come from; and how many have it at each of them.
    """
    frame = source.frame[source.frame["known_positive"].notna() & source.frame["residual"].notna()]
    tolerances = sorted(frame["tolerance"].unique().tolist())
    certified = frame["certificate"].notna().any()

    def signs(group: str) -> list[Column]:
        return [Column(sign, "integer", group) for sign in INERTIA.values()]

    columns = [Column("matrix"), Column("n", "integer"), *signs("stated")]
    columns += [column for t in tolerances for column in signs(f"tolerance {t:.1e}")]
    columns.append(Column("largest one\nthat agrees", "scientific", "tolerance"))
    if certified:
        columns += [*signs("certified"), Column("status", "text", "certified")]
        columns += [Column(head, "scientific", "certified") for head in ("zeros within", "others beyond")]
    table = Table("ldlt-inertia", title, columns, [])
    agreeing = {t: 0 for t in tolerances if t == USUAL_TOLERANCE or t in (agree)}
    never = []
    for (matrix, n, solver), rows in frame.groupby(["problem", "n", "solver"]):
        by_tolerance = {row.tolerance: {sign: getattr(row, sign) for sign in INERTIA} for row in rows.itertuples()}
        stated = {sign: rows[f"known_{sign}"].iloc[0] for sign in INERTIA}
        computed = [by_tolerance.get(t, dict.fromkeys(INERTIA, NOT_RUN)) for t in tolerances]
        right = [t for t, own in by_tolerance.items() if own == stated]
        line = [matrix, n, *(value for own in (stated, *computed) for value in own.values())]
        table.rows.append([*map(cell, line), max(right, default="none"), *(certificate(rows) if certified else [])])
        for t in agreeing.keys() & set(right):
            agreeing[t] += 1
        never += [] if agreeing.keys() & set(right) else [f"{matrix} ({solver})"]
    if table.rows:
        total = len(table.rows)
        words = ", ".join(f"{count} at {f'{t:.1e}' if t else 0}" for t, count in agreeing.items())
        text = f"The inertia is the stated one for {total - len(never)} of {total} matrices at one tolerance at least: "
        text += words + (f"; at none: {', '.join(never)}." if never else ".")
        table.findings.append(Finding(not never, text))
        table.headlines.append(
            Headline(f"{total - len(never)} of {total}", "matrices with the stated inertia at one tolerance at least")
        )
        table.notes.append(
            "Relative to max|A|, what counts as zero; 0: exact zeros only. A statement may be of exact zeros or of "
            "eigenvalues within 1e−9·‖A‖∞: near zero, the inertia depends on that."
        )
    return table


@registry.table("ldlt-sheet")
def sheet(
    source: Source, *, title: str, published: str, matrices: list, agree: Sequence = (), stand_ins: dict = NOTHING
) -> Table:
    """Factorization data, one line per case; below the published line of each of `matrices` those of the same order.

    stand_ins: {published matrix: generator} of matrices that are not at hand. The finding: the counts in `agree` are
    the published ones.
    """
    paper, fields = source.library[published], source.method.fields
    frame = with_marked_times(at_usual_tolerance(source.frame))
    heads = [Column("matrix"), Column("n", "integer"), Column("source"), *SHEET.values()]
    table = Table(f"sheet-{'-'.join(matrices)}", title, heads, [])
    shown = pd.Series(False, index=frame.index)
    for known in paper.frame.set_index("matrix", drop=False).loc[matrices].to_dict("records"):
        name, n = known["matrix"], known["n"]
        own = (frame["problem"] == stand_ins.get(name, name)) & (frame["n"] == n)
        shown |= own
        values = [known.get(column) for column in SHEET if column != "compute_s"]
        table.rows.append([name, n, f"published, {paper.hardware}", *values, known["wall_s"]])
        table.rows += [case_line(row, f"in place of {name}" if name in stand_ins else "") for row in lines(frame[own])]
        if not own.any():
            table.rows.append([name, n, "measured", NOT_RUN, *[None] * (len(SHEET) - 1)])
        elif name not in stand_ins:
            same = frame[own & (frame["solver"] == paper.meta["solver"])]
            table.findings += [counts_finding(known, row, agree) for row in lines(same)[:1]]
            for row in lines(same)[:1]:
                table.headlines += faster(
                    known["wall_s"], row.compute_s, f"{name}, {paper.hardware} (published) → {source.hardware}"
                )
    table.rows += [case_line(row) for row in lines(frame[~shown])]
    table.findings += bounds_finding(frame)
    if len(frame):
        table.notes.append(
            f"Published with complete pivoting on {paper.hardware}; measured on {source.hardware}. "
            f"Relative error: {fields['residual'].definition}; dsyt01: {fields['dsyt01'].definition}, at most "
            f"{fields['dsyt01'].bound}; time: the factorization alone."
        )
    return table


def case_line(row, remark: str = "") -> list[Value]:
    where = f"{row.solver}, GPU" if row.backend in ON_GPU else row.solver
    name = f"{row.problem} ({row.seed})" if row.generator.startswith("permuted:") else row.problem
    name = f"{name}, {remark}" if remark else name
    if pd.isna(row.residual):
        return [name, row.n, where, row.status, *[None] * (len(SHEET) - 1)]
    return [name, row.n, where, *(cell(getattr(row, column)) for column in SHEET)]


def counts_finding(known: dict, row, agree: list[str]) -> Finding:
    other = [column for column in agree if getattr(row, column) != known[column]]
    name = known["matrix"]
    if pd.isna(row.residual):
        return Finding(None, f"{name}: {in_words(row.status)}.")
    if other:
        words = [f"{COUNTS[c]} {getattr(row, c):g} instead of {known[c]:g}" for c in other]
        return Finding(False, f"{name} of order {row.n}: {', '.join(words)}.")
    return Finding(True, f"{name} of order {row.n}: {', '.join(COUNTS[c] for c in agree)} as published.")


@registry.table("ldlt-alpha-table")
def alpha_table(source: Source, *, title: str, published: str, stand_ins: dict[str, str] = NOTHING) -> Table:
    """Table 3.1: relative errors for different α; then the run's matrices that the source lacks."""
    paper, frame = source.library[published], source.frame
    frame = frame[(frame["pivoting"] == "complete") & (frame["backend"] != "emulation")]
    names = {name: (stand_ins.get(name, name), n) for name, n in paper.meta["sizes"].items()}
    cases = frame[["problem", "n"]].drop_duplicates().itertuples(index=False)
    others = [case for case in map(tuple, cases) if case not in names.values()]
    table = Table(published, title, [Column("α")], [])
    for name, (own, n) in names.items():
        head = f"{name}, n = {n}" + ("" if own == name else f" (measured: {own})")
        table.columns += compared(head, "precise", paper.hardware, source.hardware)
    table.columns += [Column(f"measured\n{source.hardware}", "precise", f"{matrix}, n = {n}") for matrix, n in others]
    for known in paper.frame.to_dict("records"):
        alpha = cell(known["alpha"])
        rows = frame[(frame["alpha"] - (USUAL_ALPHA if alpha is None else alpha)).abs() < 1e-9]
        errors = {
            (matrix, n): value_of(rows[(rows["problem"] == matrix) & (rows["n"] == n)], "residual", "max", False)
            for matrix, n in (*names.values(), *others)
        }
        line: list[Value] = ["α₀" if alpha is None else f"{alpha:g}"]
        for name, case in names.items():
            line += [known[name], errors[case], ratio(errors[case], known[name])]
        table.rows.append(line + [errors[case] for case in others])
    emphasize_minima(table)
    table.notes.append("The smallest error of a column stands out; α₀ = (1+√17)/8 ≈ 0.6404.")
    if stand_ins:
        table.notes.append(f"Not at hand: {', '.join(stand_ins)}; a random matrix of the same order stands in.")
    return table


@registry.table("ldlt-bounds")
def bounds(source: Source, *, title: str) -> Table:
    """For each pivoting and α the largest |M|, κ₂ and growth of all cases, beside the bounds."""
    frame = source.frame[source.frame["pivoting"].notna() & source.frame["residual"].notna()]
    columns = {"pivoting": Column("pivoting"), "alpha": Column("α", "ratio"), "cases": Column("cases", "integer")}
    maxima = {name: SHEET[name] for name in SHEET if "multiplier" in name or "condition" in name}
    maxima |= {"max_growth": SHEET["max_growth"], "residual": Column("relative error", "scientific")}
    groups = frame.groupby(["pivoting", "alpha"], as_index=False)
    largest = groups.agg(cases=("n", "size"), **{name: (name, "max") for name in maxima})
    table = listing("ldlt-bounds", title, largest, columns | maxima)
    table.findings += bounds_finding(frame)
    if len(frame):
        table.notes.append("Maxima of all matrices. Partial pivoting bounds neither |M| nor κ₂.")
    return table


@registry.table("ldlt-rank")
def rank(source: Source, *, title: str, published: str, agree: Sequence[str] = ()) -> Table:
    """Numerical ranks; the finding: those of the solvers in `agree` are the published ones."""
    paper, frame = source.library[published], source.frame
    known, matlab = paper.column("rank"), paper.column("rank_matlab")
    columns = [Column("n", "integer"), Column("published", "integer", "rank"), Column("MATLAB", "integer", "rank")]
    solvers = sorted(frame["solver"].unique(), key=lambda name: (is_baseline(name), len(name), name))
    solvers = solvers or [paper.meta["solver"]]
    columns += [Column(f"measured\n{solver}", "integer", "rank") for solver in solvers]
    table = Table(published, title, columns, [])
    for n in sorted(known.keys() | set(frame["n"].tolist())):
        rows = frame[frame["n"] == n]
        own = {s: value_of(rows[rows["solver"] == s], "rank", only_passed=False) for s in solvers}
        table.rows.append([n, known.get(n), matlab.get(n), *own.values()])
        for solver in agree:
            if n in known and is_number(own.get(solver)):
                text = f"{solver} finds rank {own[solver]:g} at n = {n}; published: {known[n]}."
                table.findings.append(Finding(own[solver] == known[n], text))
    table.notes.append(
        "Complete pivoting ends, and what is left of D does not count, at max|A|·tolerance, by default 2⁻⁵²."
    )
    return table


@registry.table("ldlt-speed")
def speed(source: Source, *, title: str, type: str, reference: str) -> Table:
    """Median times of the factorization alone, and how many times as fast as the reference each is."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    names = contestants(rows, resolve(reference, type))
    return tables.speed(source, "ldlt-speed", title, rows, names, "factorization")


@registry.table("ldlt-errors")
def errors(source: Source, *, title: str) -> Table:
    """The largest relative error of all matrices of an order, for every solver."""
    rows = with_contestants(source.frame).sort_values("n", kind="stable")
    matrices = rows.drop_duplicates(["n", "generator", "seed"]).groupby("n").size()
    keys = {"n": Column("n", "integer"), "matrices": Column("matrices", "integer")}
    errors = Quantity("residual", "largest relative error")
    rows = rows.assign(matrices=rows["n"].map(matrices))
    table = by_solver("ldlt-errors", title, rows, keys, [errors], contestants(rows, "LDLT-BP"))
    if rows["residual"].notna().any():
        field = source.method.fields["residual"]
        table.notes.append(f"{field.definition}, in {field.precision} precision.")
    return table


GJG = {
    "n": Column("n", "integer"),
    "matrices": Column("matrices", "integer"),
    "gjg_error": Column("computed", "scientific", "G in double"),
    "gjg_rounded": Column("rounded from quad", "scientific", "G in double"),
    "gjg_quad": Column("computed", "scientific", "G in quad"),
    "ratio": Column("computed / rounded", "ratio"),
}


@registry.table("ldlt-gjg")
def gjg(source: Source, *, title: str) -> Table:
    """Figure 3.22 as a table: the largest error of all matrices of an order, in double and in quad.

    The findings: errors are below n units of roundoff in either precision, and J has the same signs in both.
    """
    rows = source.frame[source.frame["gjg_error"].notna()]
    maxima = {name: (name, "max") for name in GJG if name.startswith("gjg")}
    worst = rows.groupby("n", as_index=False).agg(matrices=("n", "size"), **maxima)
    worst["ratio"] = worst["gjg_error"] / worst["gjg_rounded"]
    table = listing("ldlt-gjg", title, worst, GJG)
    if len(rows):
        orders = sizes_in_words(rows["n"])
        for name, bits, unit in (("gjg_error", 53, "2⁻⁵³ in double"), ("gjg_quad", 113, "2⁻¹¹³ in quad")):
            small = bool((rows[name] < rows["n"] * 2.0**-bits).all())
            words = "is below" if small else "is not always below"
            table.findings.append(Finding(small, f"The error of G J Gᵀ {words} n·{unit} (n = {orders})."))
        same = rows["gjg_inertia_agrees"].map(bool)
        text = f"J has as many 1 and −1 in double as in quad for {same.sum()} of {len(rows)} matrices."
        table.findings.append(Finding(bool(same.all()), text))
        table.notes.append(
            "‖PAPᵀ − GJGᵀ‖∞/‖A‖∞ in sums twice as long as G; complete pivoting. Rounded from quad: "
            "what double can hold of the quad G."
        )
    return table
