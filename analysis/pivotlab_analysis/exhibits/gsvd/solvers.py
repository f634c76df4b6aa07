# SPDX-License-Identifier: BSD-3-Clause
"""Solvers and pairs of the generalized SVD: their names for readers, and which cases belong to a point."""

from __future__ import annotations

import pandas as pd

from ...records import is_baseline
from ...selection import generator_options, solver_label

BASELINES = {
    "ggsvd3": "LAPACK {0}ggsvd3",
    "sygvd": "normal equations, {0}sygvd",
    "hegvd": "normal equations, {0}hegvd",
    "geqrf+gesdd": "QR + SVD, {0}gesdd",
}
SUBVARIANTS = ("ME-FB-ME", "ME-BO-ME", "MM-FB-ME", "MM-BO-ME")


def prepare(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with names for readers."""
    return frame.assign(label=frame["solver"].map(label), problem=frame["generator"].map(pair_label))


def with_stems(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of our variants, with their names without the block width, which the papers' names do not contain, as
    the column `stem`: "ZHZ0-(ME-FB-ME);sort=off"."""
    own = frame[frame["id"].notna()]
    return own.assign(stem=[row.solver.replace(f";w={row.width:.0f}", "") for row in own.itertuples()])


def label(solver: str) -> str:
    """Returns a solver's name for readers."""
    library, _, routine = solver.partition(":")
    letter, plain = routine[:1], "+".join(part[1:] for part in routine.split("+"))
    return BASELINES[plain].format(letter) if library == "lapack" and plain in BASELINES else solver_label(solver)


def pair_label(generator: str) -> str:
    """A pair's name without the folders of its files: "cholesky:lund_a.mtx.gz,lund_b.mtx.gz"."""
    kind, colon, files = generator.partition(":")
    return kind + colon + ",".join(name.rsplit("/", 1)[-1] for name in files.split(","))


def width_labels(frame: pd.DataFrame) -> dict[str, str]:
    """Returns names of solvers, variants first, by block width alone where it distinguishes them."""
    own = with_stems(frame).drop_duplicates("solver").sort_values("width")
    only_width = own["stem"].nunique() == 1 and own["width"].is_unique
    labels = {
        row.solver: f"{row.type.upper()}HZ{row.id:.0f}, w = {row.width:.0f}" if only_width else row.solver
        for row in own.itertuples()
    }
    baselines = sorted(set(frame["solver"]) - labels.keys(), key=lambda name: (len(name), name))
    return labels | {name: label(name) for name in baselines}


def variants(frame: pd.DataFrame, type: str, id: int | None = None) -> pd.DataFrame:
    """The rows of our variants of a type (and an ID), with their subvariants: those without options such as another
    width; in a run whose rows all have the same options, all of them."""
    rows = frame[(frame["type"] == type) & frame["id"].notna()]
    rows = rows if id is None else rows[rows["id"] == id]
    options = rows["solver"].astype(str).str.replace(r"^[^;]*;?", "", regex=True)
    rows = rows if options.nunique() == 1 else rows[options == ""]
    return rows.assign(subvariant=rows["outer"] + "-" + rows["blocking"] + "-" + rows["inner"])


def ordered_solvers(rows: pd.DataFrame, reference: str, peers_only: bool) -> list[str]:
    """The reference, then the others, variants before baselines; with `peers_only` no other variants."""
    names = sorted(rows["solver"].unique(), key=lambda name: (is_baseline(name), len(name), name))
    return [reference] + [name for name in names if name != reference and (is_baseline(name) or not peers_only)]


PAPER = "the paper's recipe"
SPARSE = ("arrow", "band")
PRIMES = ("D′", "D″", "D‴", "D⁗")
GRADED = {"side": "right", "on": "f", "permute": "none", "g": "8", "truth": "auto"}  # a name leaves out its defaults
FAMILIES = ("(B·D, C)", "(D·B, C)", "(B, C·D)", "(B, D·C)", "(B·D, C·D)", "(D·B, D·C)")


def grading_of(generator: str) -> tuple[str, float] | None:
    """The family of graded pairs, such as "(B·D, C)", and g; None for a pair that is not graded."""
    kind, options = generator_options(generator)
    if kind == "two-sided":
        return two_sided(options)
    if kind != "graded":
        return None
    options = GRADED | options

    def factor(letter: str, matrix: str) -> str:
        if options["on"] not in (matrix, "both"):
            return letter
        diagonal = "D′" if options["permute"] == matrix else "D"
        return f"{letter}·{diagonal}" if options["side"] == "right" else f"{diagonal}·{letter}"

    return f"({factor('B', 'f')}, {factor('C', 'g')})", float(options["g"])


def two_sided(options: dict[str, str]) -> tuple[str, float]:
    """The family of pairs whose sides are scaled independently, such as "(D′·B·D″, C)" or "arrow, (D′·B·D″, C)"."""
    primes = iter(PRIMES)

    def scale(side: str) -> list[str]:
        how = options.get(side, "none")
        return [] if how == "none" else ["D"] if how == "ascending" else [next(primes)]

    f, g = (
        "·".join([*scale(f"rows_{matrix}"), letter, *scale(f"columns_{matrix}")]) for matrix, letter in ("fB", "gC")
    )
    pattern = options.get("pattern", "dense")
    return ("" if pattern == "dense" else f"{pattern}, ") + f"({f}, {g})", float(options.get("g", GRADED["g"]))


def with_grading(frame: pd.DataFrame) -> pd.DataFrame:
    """The graded pairs by family and g, the named families in their order, then the others."""
    grading = frame["generator"].map(grading_of)
    graded = frame[grading.notna()]
    family, g = zip(*grading.dropna(), strict=True) if len(graded) else ((), ())
    order = [FAMILIES.index(name) if name in FAMILIES else len(FAMILIES) for name in family]
    graded = graded.assign(family=family, g=g, order=order, contestant=graded["solver"].map(width_labels(graded)))
    return graded.sort_values(["order", "family", "g"], kind="stable")


def with_families(frame: pd.DataFrame) -> pd.DataFrame:
    """The paper's and the graded pairs: family, g, number of scaled sides, and whether the matrices are sparse."""
    grading = frame["generator"].map(lambda name: (PAPER, None) if name.startswith("paper") else grading_of(name))
    rows, known = frame[grading.notna()], list(grading.dropna())
    family, g = ([one[place] for one in known] for place in (0, 1))
    rows = rows.assign(family=family, g=g, contestant=rows["label"], sides=[name.count("D") for name in family])
    rows = rows.assign(sparse=[name.startswith(SPARSE) for name in family])
    return rows.sort_values(["sparse", "sides", "family", "g"], kind="stable")
