"""Tables from records: the published number, the measured one, and their ratio.

Every builder takes a Source and the options of the spec's `report` entry and gives a Table. A size or a variant that
no record covers says "not run"; one whose cases did not pass says why, in the words of the status.
"""

from __future__ import annotations

from .contest import contest, longer
from .model import NOT_RUN, Column, Finding, Table, Value
from .remarks import NOT_PASSED, remarks_of
from .selection import (
    TYPE_NAMES,
    Source,
    by_size,
    generator_options,
    hz,
    is_number,
    numbers,
    pair_label,
    ratio,
    resolve,
    sizes_in_words,
    solver_label,
    value_of,
    width_labels,
    with_marked_times,
)


def compared(group: str, format: str, published_on: str, measured_on: str) -> list[Column]:
    """The three columns that every comparison with the paper has; the hardware of both sides in their heads."""
    published, measured = (
        "\n".join(filter(None, ("published", published_on))),
        "\n".join(filter(None, ("measured", measured_on))),
    )
    return [Column(published, format, group), Column(measured, format, group), Column("ratio", "ratio", group)]


def relative_slowdown(
    source: Source, *, title: str, published: str, reference: str, type: str, ran_only: bool = False
) -> Table:
    """Tables 2 and 3: by how many per cent each ID is slower than the reference, over all sizes.

    ran_only leaves out the IDs that the experiment does not contain.
    """
    paper = source.library[published]
    reference = resolve(reference, type)
    reference_id, suffix = reference.split("-", 1)
    rows = source.frame[source.frame["type"] == type]

    def times(id: int) -> dict[int, Value]:
        return by_size(rows[rows["solver"] == f"{reference_id[:-1]}{id}-{suffix}"], "wall_s")

    base = numbers(times(int(reference_id[-1])))
    table = Table(published, title, [Column("ID", "integer")], [])
    for statistic in ("maximal", "minimal", "average"):
        table.columns += compared(f"{statistic} relative slowdown [%]", "percent", paper.hardware, source.hardware)
    covered: set[int] = set()
    partly: dict[str, list[int]] = {}  # sizes of which IDs
    for id in range(8):
        if id == int(reference_id[-1]):
            continue
        own = times(id)
        if ran_only and not own:
            continue
        slowdown = {n: 100 * (t - base[n]) / base[n] for n, t in numbers(own).items() if n in base}
        covered |= slowdown.keys()
        row: list[Value] = [id]
        for statistic, reduce in (("max", max), ("min", min), ("avg", lambda v: sum(v) / len(v))):
            known = paper.column(f"slowdown_{statistic}", "id").get(id)
            measured = reduce(slowdown.values()) if slowdown else NOT_RUN
            row += [known, measured, relative_time_ratio(measured, known)]
        table.rows.append(row)
        if 0 < len(slowdown) < len(base.keys() | own.keys()):
            partly.setdefault(sizes_in_words(slowdown), []).append(id)
    for sizes, ids in partly.items():
        table.notes.append(f"ID {', '.join(map(str, ids))}: only n = {sizes} could be compared.")
    table.notes.insert(
        0,
        f"Reference: {reference}. Published over n = {paper.meta['sizes']} on {paper.meta['hardware']}; "
        f"measured over n = {sizes_in_words(covered)} on {source.hardware}.",
    )
    table.notes.insert(
        1, "Ratio: measured over published run time relative to the reference, (100 + measured)/(100 + published)."
    )
    return table


def relative_time_ratio(measured: Value, published: Value) -> Value:
    if is_number(measured) and is_number(published):
        return (100 + measured) / (100 + published)
    return None


def error_maxima(
    source: Source, *, title: str, published: str, type: str, factor: float = 10, ran_only: bool = False
) -> Table:
    """Table 6: the largest relative normwise errors with respect to F and G over all sizes, ID by ID.

    The finding: every error stays within `factor` times the published maximum, scaled with n.
    """
    paper = source.library[published]
    rows = hz(source.frame, type)
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
            if scale != 1:
                row.append(ratio(measured, known * scale))
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
        bound = f"{factor:g}× the published maxima of {paper.item}" + (" scaled with n" if scale != 1 else "")
        table.findings.append(
            Finding(False, f"The {name} errors exceed {bound}: {', '.join(outside)}.")
            if outside
            else Finding(True, f"All {name} errors with (ME-FB-ME) stay within {bound}.")
        )
    if scale != 1:
        table.notes.append(
            f"Errors grow with n: “scaled” divides by the published value times {measured_n}/{paper.meta['n_max']}."
        )
    return table


def emphasize_minima(table: Table) -> None:
    for j, column in enumerate(table.columns):
        values = [row[j] for row in table.rows if is_number(row[j])]
        if column.format == "precise" and values:
            table.emphasized |= {(i, j) for i, row in enumerate(table.rows) if row[j] == min(values)}


def by_n_table(table: Table, published: dict[int, float], measured: dict[int, Value]) -> Table:
    """n | published | measured | ratio over the sizes of both sides."""
    for n in sorted(published.keys() | measured.keys()):
        known, own = published.get(n), measured.get(n, NOT_RUN)
        table.rows.append([n, known, own, ratio(own, known)])
    if measured and not published.keys() & measured.keys():
        table.notes.append(f"None of the published sizes was run; measured: n = {sizes_in_words(measured)}.")
    return table


def condition_numbers(source: Source, *, title: str, published: str, type: str, quantity: str = "kappa_g") -> Table:
    """Tables 4 and 5, and those inside Figures 4 and 5: spectral condition numbers."""
    paper = source.library[published]
    rows = source.frame[(source.frame["type"] == type) & (source.frame["generator"] == "paper")]
    symbol = f"κ₂({quantity[-1].upper()})"
    table = Table(published, title, [Column("n", "integer"), *compared(symbol, "precise", "", "")], [])
    table.notes.append(
        "Other pseudorandom pairs than the paper's from the same generator: the ratio tells orders of magnitude."
    )
    if paper.caution:
        table.notes.append(f"Published column: {paper.caution}")
    return by_n_table(table, paper.column(quantity), by_size(rows, quantity, only_passed=False))


def wall_time(source: Source, *, title: str, published: str, solver: str, type: str) -> Table:
    """The tables inside Figures 2 and 3: wall time of the fastest variant."""
    paper = source.library[published]
    name = resolve(solver, type)
    columns = [Column("n", "integer"), *compared("wall time [s]", "seconds", paper.hardware, source.hardware)]
    note = f"{name}; published on {paper.meta['hardware']}, measured on {source.hardware}."
    rows = source.frame[source.frame["solver"] == name]
    return by_n_table(Table(published, title, columns, [], [note]), paper.column("wall_s"), by_size(rows, "wall_s"))


def ordered_solvers(frame) -> list[str]:
    """The Hari–Zimmermann variants first, then the peers, each in the order of the names."""
    return sorted(frame["solver"].unique(), key=lambda name: (":" in name, len(name), name))


GRADED = {"side": "right", "on": "f", "permute": "none", "g": "8", "truth": "auto"}  # a name leaves out its defaults
FAMILIES = ("(B·D, C)", "(D·B, C)", "(B, C·D)", "(B, D·C)", "(B·D, C·D)", "(D·B, D·C)")


def grading_of(generator: str) -> tuple[str, float] | None:
    """The family of graded pairs, such as "(B·D, C)", and g; None for a pair that is not graded."""
    kind, options = generator_options(generator)
    if kind != "graded":
        return None
    options = GRADED | options

    def factor(letter: str, matrix: str) -> str:
        if options["on"] not in (matrix, "both"):
            return letter
        diagonal = "D′" if options["permute"] == matrix else "D"
        return f"{letter}·{diagonal}" if options["side"] == "right" else f"{diagonal}·{letter}"

    return f"({factor('B', 'f')}, {factor('C', 'g')})", float(options["g"])


def with_grading(frame):
    graded = frame.assign(grading=[grading_of(name) for name in frame["generator"]])
    graded = graded[graded["grading"].notna()]
    return graded.assign(family=[x[0] for x in graded["grading"]], g=[x[1] for x in graded["grading"]])


def families(rows) -> list[str]:
    """The families of graded pairs that occur: the named ones in their order, then the others."""
    present, order = set(rows["family"]), list(FAMILIES)
    return sorted(present, key=lambda name: (order.index(name) if name in order else len(order), name))


def accuracy_graded(
    source: Source, *, title: str, type: str = "d", bound: float = 1e-13, bounded: list[str] | None = None
) -> Table:
    """Largest relative error of any σ on graded pairs, solver by solver.

    The finding: Hari–Zimmermann stays below `bound` on the families in `bounded` (default: on all).
    """
    rows = with_grading(source.frame[source.frame["type"] == type])
    names = width_labels(rows)
    solvers = list(names)
    heads = [Column(name, "scientific", "largest relative error of any σ") for name in names.values()]
    table = Table(f"accuracy-graded-{type}", title, [Column("pair"), Column("g", "integer"), *heads], [])
    for family in families(rows):
        for g, group in rows[rows["family"] == family].groupby("g"):
            errors = [value_of(group[group["solver"] == s], "sigma_error", "max", only_passed=False) for s in solvers]
            table.rows.append([family, int(g), *errors])
    if len(rows):
        table.notes.append(
            f"n = {sizes_in_words(rows['n'])}; D = diag from 1e−g to 1e+g, B and C well-conditioned; "
            "truth from quadruple precision."
        )
        table.findings.append(graded_finding(table, solvers, bound, bounded or families(rows), TYPE_NAMES[type]))
    return table


def graded_finding(table: Table, solvers: list[str], bound: float, bounded: list[str], kind: str) -> Finding:
    own = [j for j, name in enumerate(solvers, start=2) if ":" not in name]
    values = [row[j] for row in table.rows if row[0] in bounded for j in own]
    where = f"{kind} graded pairs {' and '.join(bounded)}"
    if not values or not all(is_number(value) for value in values):
        return Finding(None, f"The comparison on the {where} is incomplete.")
    largest = max(values)
    holds = largest < bound
    verb = "keeps" if holds else "does not keep"
    text = (
        f"Hari–Zimmermann {verb} the relative error of every σ below {bound:.0e} on the {where}: at most {largest:.1e}."
    )
    return Finding(holds, text)


def speed_solvers(rows, reference: str, peers_only: bool) -> list[str]:
    """The reference, then the others; with `peers_only` no other variants of our own."""
    return [reference] + [s for s in ordered_solvers(rows) if s != reference and (":" in s or not peers_only)]


def speed(
    source: Source,
    *,
    title: str,
    reference: str,
    type: str = "d",
    peers_only: bool = False,
    target_peer: str = "lapack:?ggsvd3",
    targets: dict[str, float] | None = None,
) -> Table:
    """Median wall times of all solvers, and how many times longer each takes than the reference; times of cases that
    did not pass are marked.

    targets: {n: factor}, the factor over `target_peer` that the reference should reach at n.
    """
    rows = source.frame[source.frame["type"] == type]
    reference = resolve(reference, type)
    solvers = speed_solvers(rows, reference, peers_only)
    times = {solver: by_size(rows[rows["solver"] == solver], "wall_s", only_passed=False) for solver in solvers}
    table = contest(f"speed-{type}", title, {solver_label(solver): own for solver, own in times.items()}, longer)
    if len(rows):
        table.notes.append(f"Median wall times of interleaved runs on {source.hardware}, {TYPE_NAMES[type]} pairs.")
    peer = resolve(target_peer, type)
    for n, target in (targets or {}).items():
        if int(n) in times[reference] or int(n) in times.get(peer, {}):
            quotient = ratio(times.get(peer, {}).get(int(n)), times[reference].get(int(n)))
            table.findings.append(speed_finding(reference, peer, n, target, quotient))
    return table


def speed_finding(reference: str, peer: str, n: str, target: float, quotient: Value) -> Finding:
    name = solver_label(peer)
    if quotient is None:
        return Finding(None, f"{reference} against {name} at n = {n}: {NOT_RUN}.")
    text = f"{reference} is {quotient:.1f}× as fast as {name} at n = {n} (goal: {target:g}×)"
    doubts = [f"{r.about}: {r.text}" for r in remarks_of(quotient) if r.mark == NOT_PASSED]
    if doubts:
        return Finding(None, f"{text}, but not every case passed: {'; '.join(doubts)}.")
    return Finding(quotient >= target, f"{text}.")


CASE_COLUMNS = {
    "type": Column("type"),
    "n": Column("n", "integer"),
    "generator": Column("pair"),
    "solver": Column("solver"),
    "status": Column("status"),
    "wall_s": Column("wall time [s]", "seconds"),
    "sweeps": Column("sweeps", "integer"),
    "residual_f": Column("‖F−UΣX‖/‖F‖", "scientific"),
    "residual_g": Column("‖G−VΣX‖/‖G‖", "scientific"),
    "orthogonality_u": Column("‖UᴴU−I‖", "scientific"),
    "orthogonality_v": Column("‖VᴴV−I‖", "scientific"),
    "sigma_error": Column("error of σ", "scientific"),
}
AXIS_COLUMNS = {  # where they vary
    "threads": Column("threads", "integer"),
    "ranks": Column("ranks", "integer"),
    "transport": Column("transport"),
}
SEED_COLUMNS = {
    "seed": Column("seed", "integer"),
    "kappa_f": Column("κ₂(F)", "scientific"),
    "kappa_g": Column("κ₂(G)", "scientific"),
}


def cases(source: Source, *, title: str) -> Table:
    """Every case of the run in one line, without what is alike in all of them, which a note tells. Where seeds vary,
    lines tell how pairs differ."""
    frame = with_marked_times(source.frame).assign(generator=source.frame["generator"].map(pair_label))
    varying = {name: column for name, column in AXIS_COLUMNS.items() if frame[name].nunique() > 1}
    seeds = SEED_COLUMNS if frame["seed"].nunique() > 1 else {}
    alike = [name for name in ("type", "n", "generator", "solver") if len(frame) > 1 and frame[name].nunique() == 1]
    columns = {name: column for name, column in (seeds | varying | CASE_COLUMNS).items() if name not in alike}
    table = Table("cases", title, list(columns.values()), [])
    if alike:
        words = [f"{CASE_COLUMNS[name].label} {frame[name].iloc[0]}" for name in alike]
        table.notes.append(f"All cases: {', '.join(words)}.")
    for values in frame[list(columns)].itertuples(index=False):
        table.rows.append([None if value != value else value for value in values])
    return table


BUILDERS = {
    "relative-slowdown": relative_slowdown,
    "error-maxima": error_maxima,
    "condition-numbers": condition_numbers,
    "wall-time": wall_time,
    "accuracy-graded": accuracy_graded,
    "speed": speed,
    "cases": cases,
}
