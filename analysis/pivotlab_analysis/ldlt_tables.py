"""Tables of the symmetric indefinite factorization, built as those of `tables`: published beside measured numbers."""

from __future__ import annotations

import pandas as pd

from .contest import as_fast, contest
from .model import NOT_RUN, Column, Finding, Table, Value
from .records import USUAL_ALPHA, in_words
from .selection import (
    Source,
    by_size,
    is_number,
    matrix_label,
    numbers,
    ratio,
    resolve,
    sizes_in_words,
    solver_label,
    value_of,
    with_marked_times,
)
from .tables import compared, emphasize_minima, ordered_solvers

USUAL_TOLERANCE = 2.0**-52
COUNTS = {
    "rank": "rank",
    "pivots_1x1": "1×1 pivots",
    "pivots_2x2": "2×2 pivots",
    "swaps_1x1": "1×1 swaps",
    "swaps_2x2": "2×2 swaps",
}
SHEET = {
    "rank": Column("rank", "integer"),
    "positive": Column("+", "integer", "inertia"),
    "negative": Column("−", "integer", "inertia"),
    "zero": Column("0", "integer", "inertia"),
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


def with_bounds(frame: pd.DataFrame) -> pd.DataFrame:
    """The names of the matrices, and for what has bounds, complete and rook pivoting, those that follow from α."""
    alpha = frame["alpha"].where(frame["pivoting"].isin(("complete", "rook")))
    return frame.assign(
        matrix=frame["generator"].map(matrix_label),
        multiplier_bound=(1 / alpha).where(alpha < 0.5, 1 / (1 - alpha)),
        condition_bound=(1 + alpha) / (1 - alpha),
    )


def cell(value) -> Value:
    return None if value is None or value != value else value


def beyond_bounds(rows: pd.DataFrame) -> pd.DataFrame:
    """Cases whose factors break a bound by more than rounding."""
    slack = 1 + 1e-12
    return rows[
        (rows["max_multiplier"] > slack * rows["multiplier_bound"])
        | (rows["max_condition"] > slack * rows["condition_bound"])
    ]


def bounds_finding(frame: pd.DataFrame) -> list[Finding]:
    rows = frame[frame["multiplier_bound"].notna() & frame["max_multiplier"].notna()]
    if rows.empty:
        return []
    broken = beyond_bounds(rows)
    if broken.empty:
        text = f"max|M| and κ₂ of every 2×2 pivot stay within their bounds in all {len(rows)} cases that have some."
        return [Finding(True, text)]
    names = ", ".join(f"{row.matrix} (n = {row.n}, {row.solver})" for row in broken.head(5).itertuples())
    return [Finding(False, f"max|M| or κ₂ of a 2×2 pivot exceeds its bound in {len(broken)} cases: {names}.")]


def at_usual_tolerance(frame: pd.DataFrame) -> pd.DataFrame:
    """The cases at the thesis' tolerance, if there are some; otherwise all."""
    usual = frame[frame["rank_tolerance"] == USUAL_TOLERANCE]
    return frame if usual.empty else usual


INERTIA = {"positive": "+", "negative": "−", "zero": "0"}


def has_stated_inertia(row) -> bool:
    return all(getattr(row, sign) == getattr(row, f"known_{sign}") for sign in INERTIA)


def certificate(rows: pd.DataFrame) -> list[Value]:
    """What is certain about a matrix by the best of several certificates: counts, status, where its eigenvalues are."""
    quality = rows["certificate"].map({"certified": 0, "certified_near_zero": 1, "undetermined": 2})
    if quality.isna().all():
        return [None] * (len(INERTIA) + 3)
    best = rows.loc[quality.idxmin()]
    within = best[["certificate_below", "certificate_above"]].max()
    counts = [cell(best[f"certified_{sign}"]) for sign in INERTIA]
    return [*counts, in_words(best["certificate"]), cell(within), cell(best["certificate_clear"])]


def inertia(source: Source, *, title: str, agree: list[float] | None = None) -> Table:
    """The stated inertia of each matrix beside the computed one at every tolerance of the run.

    Where eigenvalues are near zero, the inertia depends on what counts as zero. The finding: every matrix has the
    stated one at the usual tolerance or at one of those in `agree`, which are those of the methods that the statements
    come from; and how many have it at each of them.
    """
    frame = with_bounds(source.frame)
    frame = frame[frame["known_positive"].notna() & frame["residual"].notna()]
    tolerances = sorted(frame["rank_tolerance"].unique())
    table = Table("ldlt-inertia", title, [Column("matrix"), Column("n", "integer")], [])
    table.columns += [Column(sign, "integer", "stated") for sign in INERTIA.values()]
    for tolerance in tolerances:
        table.columns += [Column(sign, "integer", f"tolerance {tolerance:.1e}") for sign in INERTIA.values()]
    table.columns.append(Column("largest one\nthat agrees", "scientific", "tolerance"))
    certified = frame["certificate"].notna().any()
    if certified:
        table.columns += [Column(sign, "integer", "certified") for sign in INERTIA.values()]
        table.columns += [Column("status", "text", "certified"), Column("zeros within", "scientific", "certified")]
        table.columns += [Column("others beyond", "scientific", "certified")]
    counted = [t for t in tolerances if t == USUAL_TOLERANCE or t in (agree or [])]
    agreeing: dict[float, int] = dict.fromkeys(counted, 0)
    never = []
    for (matrix, n, solver), rows in frame.groupby(["matrix", "n", "solver"]):
        by_tolerance = {row.rank_tolerance: row for row in rows.itertuples()}
        line = [matrix, int(n), *(rows[f"known_{sign}"].iloc[0] for sign in INERTIA)]
        for tolerance in tolerances:
            row = by_tolerance.get(tolerance)
            line += [cell(getattr(row, sign)) if row else NOT_RUN for sign in INERTIA]
        right = [t for t, row in by_tolerance.items() if has_stated_inertia(row)]
        table.rows.append([*line, max(right, default="none"), *(certificate(rows) if certified else [])])
        for t in set(right) & set(counted):
            agreeing[t] += 1
        never += [] if set(right) & set(counted) else [f"{matrix} ({solver})"]
    if table.rows:
        total = len(table.rows)
        words = ", ".join(f"{count} at {f'{t:.1e}' if t else 0}" for t, count in agreeing.items())
        right = f"{total - len(never)} of {total}"
        text = f"The inertia is the stated one for {right} matrices at one tolerance at least: {words}"
        text += f"; at none: {', '.join(never)}." if never else "."
        table.findings.append(Finding(not never, text))
        table.notes.append(
            "Relative to max|A|, what counts as zero; 0: exact zeros only. A statement may be of exact zeros or of "
            "eigenvalues within 1e−9·‖A‖∞: near zero, the inertia depends on that."
        )
    return table


def published_sheet(paper, name: str) -> dict:
    return next(row for row in paper.frame.to_dict("records") if row["matrix"] == name)


def sheet(
    source: Source,
    *,
    title: str,
    published: str,
    matrices: list[str],
    agree: list[str] | None = None,
    stand_ins: dict[str, str] | None = None,
) -> Table:
    """Factorization data, a line a case; under the published line of each of `matrices` those of the same order.

    stand_ins: {published matrix: generator} of matrices that are not at hand. The finding: the counts in `agree` are
    the published ones.
    """
    paper, frame = source.library[published], with_marked_times(with_bounds(at_usual_tolerance(source.frame)))
    stand_ins = stand_ins or {}
    heads = [Column("matrix"), Column("n", "integer"), Column("source"), *SHEET.values()]
    table = Table(f"sheet-{'-'.join(matrices)}", title, heads, [])
    shown = pd.Series(False, index=frame.index)
    for name in matrices:
        known = published_sheet(paper, name)
        generator = stand_ins.get(name, name)
        own = (frame["matrix"] == generator) & (frame["n"] == known["n"])
        shown |= own
        values = [known.get(column) for column in SHEET if column != "compute_s"]
        table.rows.append([name, known["n"], f"published, {paper.hardware}", *values, known["wall_s"]])
        table.rows += [case_line(row, f"in place of {name}" if name in stand_ins else "") for row in lines(frame[own])]
        if not own.any():
            table.rows.append([name, known["n"], "measured", NOT_RUN, *[None] * (len(SHEET) - 1)])
        elif name not in stand_ins:
            same = frame[own & (frame["solver"] == paper.meta["solver"])]
            table.findings += [counts_finding(name, known, row, agree or []) for row in lines(same)[:1]]
    table.rows += [case_line(row) for row in lines(frame[~shown])]
    table.findings += bounds_finding(frame)
    if len(frame):
        table.notes.append(
            f"Published with complete pivoting on {paper.hardware}; measured on {source.hardware}. "
            "Relative error ‖A − PᵀMDMᵀP‖∞/‖A‖∞; dsyt01: LAPACK's test ratio, below 30; time: the factorization alone."
        )
    return table


def lines(rows: pd.DataFrame) -> list:
    rows = rows.assign(strength=rows["pivoting"].map(STRENGTH))
    return list(rows.sort_values(["n", "matrix", "seed", "strength", "alpha"], kind="stable").itertuples())


def case_line(row, remark: str = "") -> list[Value]:
    where = f"{row.solver}, GPU" if row.backend in ("cuda", "cusolver") else row.solver
    name = f"{row.matrix} ({row.seed})" if row.generator.startswith("permuted:") else row.matrix
    name = f"{name}, {remark}" if remark else name
    if pd.isna(row.residual):
        return [name, row.n, where, row.status, *[None] * (len(SHEET) - 1)]
    return [name, row.n, where, *(cell(getattr(row, column)) for column in SHEET)]


def counts_finding(name: str, known: dict, row, agree: list[str]) -> Finding:
    other = [column for column in agree if getattr(row, column) != known[column]]
    if pd.isna(row.residual):
        return Finding(None, f"{name}: {in_words(row.status)}.")
    if other:
        words = [f"{COUNTS[c]} {getattr(row, c):g} instead of {known[c]:g}" for c in other]
        return Finding(False, f"{name} of order {row.n}: {', '.join(words)}.")
    return Finding(True, f"{name} of order {row.n}: {', '.join(COUNTS[c] for c in agree)} as published.")


def same_alpha(frame: pd.DataFrame, alpha: float | None) -> pd.DataFrame:
    wanted = USUAL_ALPHA if cell(alpha) is None else alpha
    return frame[(frame["alpha"] - wanted).abs() < 1e-9]


def alpha_table(source: Source, *, title: str, published: str, stand_ins: dict[str, str] | None = None) -> Table:
    """Table 3.1: relative errors for different α; then the matrices of the run that the source has not."""
    paper, frame = source.library[published], with_bounds(source.frame)
    frame = frame[frame["solver"].str.startswith(paper.meta["solver"]) & (frame["backend"] != "emulation")]
    stand_ins = stand_ins or {}
    names = [(name, stand_ins.get(name, name), n) for name, n in paper.meta["sizes"].items()]
    matched = {(own, n) for _, own, n in names}
    cases = frame.drop_duplicates(["matrix", "n"])[["matrix", "n"]].itertuples(index=False)
    others = [(matrix, n) for matrix, n in cases if (matrix, n) not in matched]
    table = Table(published, title, [Column("α")], [])
    for name, own, n in names:
        measured_of = f"{name}, n = {n}" if own == name else f"{name}, n = {n} (measured: {own})"
        table.columns += compared(measured_of, "precise", paper.hardware, source.hardware)
    table.columns += [Column(f"measured\n{source.hardware}", "precise", f"{matrix}, n = {n}") for matrix, n in others]
    for known in paper.frame.to_dict("records"):
        rows = same_alpha(frame, known["alpha"])

        def error(matrix: str, n: int, rows=rows) -> Value:
            return value_of(rows[(rows["matrix"] == matrix) & (rows["n"] == n)], "residual", "max", only_passed=False)

        line: list[Value] = ["α₀" if cell(known["alpha"]) is None else f"{known['alpha']:g}"]
        for name, own, n in names:
            measured = error(own, n)
            line += [known[name], measured, ratio(measured, known[name])]
        table.rows.append(line + [error(matrix, n) for matrix, n in others])
    emphasize_minima(table)
    table.notes.append("The smallest error of a column stands out; α₀ = (1+√17)/8 ≈ 0.6404.")
    if stand_ins:
        table.notes.append(f"Not at hand: {', '.join(stand_ins)}; a random matrix of the same order stands in.")
    return table


def bounds(source: Source, *, title: str) -> Table:
    """For each pivoting and α the largest |M|, κ₂ and growth of all cases, beside the bounds."""
    frame = with_bounds(source.frame)
    frame = frame[frame["pivoting"].notna() & frame["residual"].notna()]
    columns = [Column("pivoting"), Column("α", "ratio"), Column("cases", "integer")]
    columns += [SHEET[c] for c in ("max_multiplier", "multiplier_bound", "max_condition", "condition_bound")]
    columns += [Column("growth", "ratio"), Column("relative error", "scientific")]
    table = Table("ldlt-bounds", title, columns, [])
    for (pivoting, alpha), rows in frame.groupby(["pivoting", "alpha"]):
        largest = rows[["max_multiplier", "multiplier_bound", "max_condition", "condition_bound"]].max().tolist()
        rest = rows[["max_growth", "residual"]].max().tolist()
        table.rows.append([pivoting, alpha, len(rows), *map(cell, largest + rest)])
    table.findings += bounds_finding(frame)
    if len(frame):
        table.notes.append("Maxima of all matrices. Partial pivoting bounds neither |M| nor κ₂.")
    return table


def rank(source: Source, *, title: str, published: str, agree: list[str] | None = None) -> Table:
    """Numerical ranks; the finding: those of the solvers in `agree` are the published ones."""
    paper, frame = source.library[published], with_bounds(source.frame)
    known, matlab = paper.column("rank"), paper.column("rank_matlab")
    columns = [Column("n", "integer"), Column("published", "integer", "rank"), Column("MATLAB", "integer", "rank")]
    solvers = ordered_solvers(frame) or [paper.meta["solver"]]
    columns += [Column(f"measured\n{solver}", "integer", "rank") for solver in solvers]
    table = Table(published, title, columns, [])
    for n in sorted(known.keys() | set(frame["n"])):
        rows = frame[frame["n"] == n]
        own = {s: value_of(rows[rows["solver"] == s], "rank", only_passed=False) for s in solvers}
        table.rows.append([int(n), known.get(n), matlab.get(n), *own.values()])
        for solver in agree or []:
            if n in known and is_number(own.get(solver)):
                text = f"{solver} finds rank {own[solver]:g} at n = {n}; published: {known[n]}."
                table.findings.append(Finding(own[solver] == known[n], text))
    table.notes.append(
        "Complete pivoting ends, and what is left of D does not count, at max|A|·tolerance, by default 2⁻⁵²."
    )
    return table


def with_contestants(frame: pd.DataFrame) -> pd.DataFrame:
    """Who takes part: the solver, with those of symmetry, backend, cores and storage that vary in the run."""
    own = ~frame["solver"].astype(str).str.contains(":")
    on_gpu = frame["backend"].isin(("cuda", "cusolver"))
    cores_vary = frame.loc[~on_gpu, "threads"].nunique() > 1
    symmetry_varies = frame.groupby("type")["symmetry"].nunique().max() > 1
    storage_varies = frame.loc[own & ~on_gpu, "storage"].nunique() > 1

    def name(row) -> str:
        words = [solver_label(row.solver)]
        gpu, peer = row.backend in ("cuda", "cusolver"), ":" in row.solver
        if symmetry_varies and row.type == "z":
            words.append("Hermitian" if row.symmetry == "hermitian" else "symmetric")
        if gpu and not peer:
            words.append("GPU")
        if row.backend == "emulation":
            words.append("emulated")
        if storage_varies and not gpu and not peer:
            words.append(row.storage)
        if cores_vary and not gpu:
            words.append(f"{row.threads:.0f} core" + ("s" if row.threads != 1 else ""))
        return ", ".join(words)

    return frame.assign(contestant=[name(row) for row in frame.itertuples()])


STRENGTH = {"complete": 0, "rook": 1, "partial": 2}


def contestants(rows: pd.DataFrame, reference: str) -> list[str]:
    """The reference's solver first, of it the sequential, packed one, then by solver, number of cores and storage."""
    order = rows.assign(
        peer=rows["solver"].str.contains(":"),
        other=rows["solver"] != reference,
        strength=rows["pivoting"].map(STRENGTH),
        device=rows["backend"].isin(("cuda", "cusolver")),
        full=rows["storage"] == "full",
    ).sort_values(["other", "peer", "strength", "solver", "symmetry", "device", "threads", "full"])
    return list(dict.fromkeys(order["contestant"]))


def speed(source: Source, *, title: str, type: str, reference: str) -> Table:
    """Median times of the factorization alone, and how many times as fast as the reference each is."""
    rows = with_contestants(source.frame[source.frame["type"] == type])
    names = contestants(rows, resolve(reference, type))
    times = {name: by_size(rows[rows["contestant"] == name], "compute_s") for name in names}
    table = contest("ldlt-speed", title, times, as_fast)
    if len(rows):
        table.notes.append(f"Median times of the factorization alone on {source.hardware}; as fast as {names[0]}.")
    return table


def errors(source: Source, *, title: str) -> Table:
    """The largest relative error of all matrices of an order, for every solver."""
    rows = with_contestants(source.frame)
    names = contestants(rows, "LDLT-BP")
    heads = [Column(name, "scientific", "largest relative error") for name in names]
    table = Table("ldlt-errors", title, [Column("n", "integer"), Column("matrices", "integer"), *heads], [])
    for n, group in rows.groupby("n"):
        own = {name: group[group["contestant"] == name] for name in names}
        worst = [value_of(own[name], "residual", "max", only_passed=False) for name in names]
        table.rows.append([int(n), len(group.drop_duplicates(["generator", "seed"])), *worst])
    if numbers(dict(enumerate(rows["residual"].dropna()))):
        table.notes.append("‖A − PᵀMDMᵀP‖∞/‖A‖∞ in extended precision.")
    return table


GJG = {
    "gjg": Column("computed", "scientific", "G in double"),
    "gjg_rounded": Column("rounded from quad", "scientific", "G in double"),
    "gjg_quad": Column("computed", "scientific", "G in quad"),
}


def gjg(source: Source, *, title: str) -> Table:
    """Figure 3.22 as a table: the largest error of all matrices of an order, in double and in quad.

    The findings: errors are below n units of roundoff in either precision, and J has the same signs in both.
    """
    rows = source.frame[source.frame["gjg"].notna()]
    heads = [Column("n", "integer"), Column("matrices", "integer"), *GJG.values()]
    table = Table("ldlt-gjg", title, [*heads, Column("computed / rounded", "ratio")], [])
    for n, group in rows.groupby("n"):
        worst = [cell(group[name].max()) for name in GJG]
        table.rows.append([int(n), len(group), *worst, ratio(worst[0], worst[1])])
    if len(rows):
        small = {name: (rows[name] < rows["n"] * 2.0**-bits).all() for name, bits in (("gjg", 53), ("gjg_quad", 113))}
        orders = sizes_in_words(rows["n"])
        for name, unit in (("gjg", "2⁻⁵³ in double"), ("gjg_quad", "2⁻¹¹³ in quad")):
            words = "is below" if small[name] else "is not always below"
            table.findings.append(Finding(bool(small[name]), f"The error of G J Gᵀ {words} n·{unit} (n = {orders})."))
        same = rows["gjg_inertia_agrees"].map(bool)
        text = f"J has as many 1 and −1 in double as in quad for {same.sum()} of {len(rows)} matrices."
        table.findings.append(Finding(bool(same.all()), text))
        table.notes.append(
            "‖PAPᵀ − GJGᵀ‖∞/‖A‖∞ in sums twice as long as G; complete pivoting. Rounded from quad: "
            "what double can hold of the quad G."
        )
    return table


CASE_COLUMNS = {
    "type": Column("type"),
    "n": Column("n", "integer"),
    "matrix": Column("matrix"),
    "seed": Column("seed", "integer"),
    "contestant": Column("solver"),
    "status": Column("status"),
    "compute_s": Column("time [s]", "seconds"),
} | {name: SHEET[name] for name in SHEET if name not in ("compute_s", "multiplier_bound", "condition_bound")}


def cases(source: Source, *, title: str) -> Table:
    """Every case of the run in one line."""
    frame = with_marked_times(with_contestants(with_bounds(source.frame)))
    table = Table("ldlt-cases", title, list(CASE_COLUMNS.values()), [])
    for values in frame[list(CASE_COLUMNS)].itertuples(index=False):
        table.rows.append([cell(value) for value in values])
    return table


BUILDERS = {
    "ldlt-sheet": sheet,
    "ldlt-alpha-table": alpha_table,
    "ldlt-inertia": inertia,
    "ldlt-bounds": bounds,
    "ldlt-rank": rank,
    "ldlt-speed": speed,
    "ldlt-errors": errors,
    "ldlt-gjg": gjg,
    "ldlt-cases": cases,
}
