# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the generalized SVD on one processor or GPU: Tables 2 to 6 of the paper, accuracy, speed."""

from __future__ import annotations

from collections.abc import Sequence

from ... import tables
from ...model import NOT_RUN, NOTHING, Column, Finding, Table, Value
from ...records import is_baseline
from ...remarks import NOT_PASSED, has_mark, remarks_of
from ...selection import (
    TIME_NAMES,
    TYPE_NAMES,
    Source,
    by_size,
    is_number,
    numbers,
    ratio,
    resolve,
    sizes_in_words,
    value_of,
)
from ...tables import LONGER, Quantity, by_solver, compared, contest, emphasize_minima, faster
from .. import registry
from .solvers import label, ordered_solvers, variants, width_labels, with_grading

registry.table("cases")(tables.cases)


@registry.table("relative-slowdown")
def relative_slowdown(
    source: Source, *, title: str, published: str, reference: str, type: str, ran_only: bool = False
) -> Table:
    """Tables 2 and 3: by how many per cent each ID is slower than the reference, over all sizes.

    ran_only leaves out the IDs that the experiment does not contain.
    """
    paper = source.library[published]
    reference = resolve(reference, type)
    stem, suffix = reference.split("-", 1)
    rows = source.frame[source.frame["type"] == type]
    times = {id: by_size(rows[rows["solver"] == f"{stem[:-1]}{id}-{suffix}"], "wall_s") for id in range(8)}
    base = numbers(times.pop(int(stem[-1])))
    table = Table(published, title, [Column("ID", "integer")], [])
    for statistic in ("maximal", "minimal", "average"):
        table.columns += compared(f"{statistic} relative slowdown [%]", "percent", paper.hardware, source.hardware)
    covered: set[int] = set()
    partly: dict[str, list[int]] = {}  # sizes of which IDs
    for id, own in times.items():
        if ran_only and not own:
            continue
        slowdown = {n: 100 * (t - base[n]) / base[n] for n, t in numbers(own).items() if n in base}
        covered |= slowdown.keys()
        row: list[Value] = [id]
        for statistic, reduce in (("max", max), ("min", min), ("avg", lambda v: sum(v) / len(v))):
            known = paper.column(f"slowdown_{statistic}", "id").get(id)
            measured = reduce(slowdown.values()) if slowdown else NOT_RUN
            comparable = is_number(measured) and is_number(known)
            row += [known, measured, (100 + measured) / (100 + known) if comparable else None]
        table.rows.append(row)
        if 0 < len(slowdown) < len(base.keys() | own.keys()):
            partly.setdefault(sizes_in_words(slowdown), []).append(id)
    table.notes = [
        f"Reference: {reference}. Published over n = {paper.meta['sizes']} on {paper.meta['hardware']}; "
        f"measured over n = {sizes_in_words(covered)} on {source.hardware}.",
        "Ratio: measured over published run time relative to the reference, (100 + measured)/(100 + published).",
    ]
    for sizes, ids in partly.items():
        table.notes.append(f"ID {', '.join(map(str, ids))}: only n = {sizes} could be compared.")
    return table


@registry.table("error-maxima")
def error_maxima(
    source: Source, *, title: str, published: str, type: str, factor: float = 10, ran_only: bool = False
) -> Table:
    """Table 6: the largest relative normwise errors with respect to F and G over all sizes, ID by ID.

    The finding: every error stays within `factor` times the published maximum, scaled with n.
    """
    paper = source.library[published]
    rows = variants(source.frame, type)
    rows = rows[rows["subvariant"] == "ME-FB-ME"]
    measured_n = int(rows["n"].max()) if len(rows) else None
    scale = measured_n / paper.meta["n_max"] if measured_n else 1.0
    table = Table(f"{published}-{type}", title, [Column("ID", "integer")], [])
    for matrix in "FG":
        table.columns += compared(f"w.r.t. {matrix}", "precise", paper.hardware, source.hardware)
        if scale != 1:
            table.columns.append(Column("ratio, scaled", "ratio", f"w.r.t. {matrix}"))
    outside: list[str] = []
    for id in sorted(rows["id"].unique()) if ran_only else range(8):
        row: list[Value] = [int(id)]
        for matrix in "fg":
            known = paper.column(f"residual_{matrix}_{type}", "id")[id]
            measured = value_of(rows[rows["id"] == id], f"residual_{matrix}", "max", only_passed=False)
            row += [known, measured, ratio(measured, known)]
            row += [ratio(measured, known * scale)] if scale != 1 else []
            if is_number(measured) and measured > factor * scale * known:
                outside.append(f"ID {id} ({matrix.upper()})")
        table.rows.append(row)
    emphasize_minima(table)
    if len(rows):
        table.notes.append(
            f"Published over n = {paper.meta['sizes']} on {paper.meta['hardware']}; measured over "
            f"n = {sizes_in_words(rows['n'])} on {source.hardware}. The smallest of a column stands out."
        )
        name = TYPE_NAMES[type]
        bound = f"{factor:g}× the published maxima of {paper.meta['source']['item']}" + (
            " scaled with n" if scale != 1 else ""
        )
        text = f"All {name} errors with (ME-FB-ME) stay within {bound}."
        if outside:
            text = f"The {name} errors exceed {bound}: {', '.join(outside)}."
        table.findings.append(Finding(not outside, text))
    if scale != 1:
        table.notes.append(
            f"Errors grow with n: “scaled” divides by the published value times {measured_n}/{paper.meta['n_max']}."
        )
    return table


def by_n(table: Table, published: dict[int, float], measured: dict[int, Value]) -> Table:
    """n | published | measured | ratio over the sizes of both sides."""
    for n in sorted(published.keys() | measured.keys()):
        known, own = published.get(n), measured.get(n, NOT_RUN)
        table.rows.append([n, known, own, ratio(own, known)])
    if measured and not published.keys() & measured.keys():
        table.notes.append(f"None of the published sizes was run; measured: n = {sizes_in_words(measured)}.")
    return table


@registry.table("condition-numbers")
def condition_numbers(source: Source, *, title: str, published: str, type: str, quantity: str = "kappa_g") -> Table:
    """Tables 4 and 5, and those inside Figures 4 and 5: spectral condition numbers."""
    paper = source.library[published]
    rows = source.frame[(source.frame["type"] == type) & (source.frame["generator"] == "paper")]
    columns = [Column("n", "integer"), *compared(f"κ₂({quantity[-1].upper()})", "precise", "", "")]
    notes = ["Other pseudorandom pairs than the paper's from the same generator: the ratio tells orders of magnitude."]
    notes += [f"Published column: {paper.meta['caution']}"] if "caution" in paper.meta else []
    measured = by_size(rows, quantity, only_passed=False)
    return by_n(Table(published, title, columns, [], notes), paper.column(quantity), measured)


@registry.table("wall-time")
def wall_time(source: Source, *, title: str, published: str, solver: str, type: str) -> Table:
    """The tables inside Figures 2 and 3: wall time of the fastest variant."""
    paper = source.library[published]
    name = resolve(solver, type)
    columns = [Column("n", "integer"), *compared("wall time [s]", "seconds", paper.hardware, source.hardware)]
    note = f"{name}; published on {paper.meta['hardware']}, measured on {source.hardware}."
    rows = source.frame[source.frame["solver"] == name]
    known, own = paper.column("wall_s"), by_size(rows, "wall_s")
    table = by_n(Table(published, title, columns, [], [note]), known, own)
    if n := max(known.keys() & own.keys(), default=None):
        table.headlines += faster(
            known[n], own[n], f"{name}, n = {n}, {paper.hardware} (published) → {source.hardware}"
        )
    return table


@registry.table("accuracy-graded")
def accuracy_graded(
    source: Source, *, title: str, type: str = "d", bound: float = 1e-13, bounded: Sequence[str] = ()
) -> Table:
    """Largest relative error of any σ on graded pairs, solver by solver.

    The finding: Hari–Zimmermann stays below `bound` on the families in `bounded` (default: on all).
    """
    rows = with_grading(source.frame[source.frame["type"] == type])
    errors = Quantity("sigma_error", "largest relative error of any σ")
    keys, solvers = {"family": Column("pair"), "g": Column("g", "integer")}, list(width_labels(rows).values())
    table = by_solver(f"accuracy-graded-{type}", title, rows, keys, [errors], solvers)
    if len(rows):
        table.notes.append(
            f"n = {sizes_in_words(rows['n'])}; D = diag from 1e−g to 1e+g, B and C well-conditioned; "
            "truth from quadruple precision."
        )
        bounded = bounded or list(rows["family"].unique())
        own = [j for j, name in enumerate(width_labels(rows), start=2) if ":" not in name]
        values = [row[j] for row in table.rows if row[0] in bounded for j in own]
        table.findings.append(graded_finding(values, bound, f"{TYPE_NAMES[type]} graded pairs {' and '.join(bounded)}"))
    return table


def graded_finding(values: list[Value], bound: float, where: str) -> Finding:
    if not values or not all(map(is_number, values)):
        return Finding(None, f"The comparison on the {where} is incomplete.")
    holds = max(values) < bound
    verb = "keeps" if holds else "does not keep"
    text = f"Hari–Zimmermann {verb} the relative error of every σ below {bound:.0e} on the {where}"
    return Finding(holds, f"{text}: at most {max(values):.1e}.")


@registry.table("speed")
def speed(
    source: Source,
    *,
    title: str,
    reference: str,
    type: str = "d",
    time: str = "wall_s",
    peers_only: bool = False,
    target_peer: str = "lapack:?ggsvd3",
    targets: dict[str, float] = NOTHING,
) -> Table:
    """Median times of all solvers, and how many times as long as the reference each takes; times of cases that did
    not pass are marked.

    targets: {n: factor}, the factor over `target_peer` that the reference should reach at n.
    """
    rows = source.frame[source.frame["type"] == type]
    reference, baseline = resolve(reference, type), resolve(target_peer, type)
    times = {
        solver: by_size(rows[rows["solver"] == solver], time, only_passed=False)
        for solver in ordered_solvers(rows, reference, peers_only)
    }
    table = contest(f"speed-{type}", title, {label(solver): own for solver, own in times.items()}, LONGER)
    if len(rows):
        table.notes.append(
            f"Median {TIME_NAMES[time]}s of interleaved runs on {source.hardware}, {TYPE_NAMES[type]} pairs."
        )
        n = max(times[reference], default=0)
        peers = {s: own.get(n) for s, own in times.items() if is_baseline(s)}
        peers = {s: t for s, t in peers.items() if is_number(t) and not has_mark(t, NOT_PASSED)}
        if peer := baseline if baseline in peers else min(peers, key=peers.get, default=None):
            table.headlines += faster(peers[peer], times[reference][n], f"{label(peer)} → {reference}, n = {n}")
    for n, target in targets.items():
        own, other = times[reference].get(int(n)), times.get(baseline, {}).get(int(n))
        if own is not None or other is not None:
            table.findings.append(speed_finding(f"{label(baseline)} at n = {n}", reference, target, ratio(other, own)))
    return table


def speed_finding(baseline: str, reference: str, target: float, quotient: Value) -> Finding:
    if quotient is None:
        return Finding(None, f"{reference} against {baseline}: {NOT_RUN}.")
    text = f"{reference} is {quotient:.1f}× as fast as {baseline} (goal: {target:g}×)"
    doubts = [f"{r.about}: {r.text}" for r in remarks_of(quotient) if r.mark == NOT_PASSED]
    if doubts:
        return Finding(None, f"{text}, but not every case passed: {'; '.join(doubts)}.")
    return Finding(quotient >= target, f"{text}.")
