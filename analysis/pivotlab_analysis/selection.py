"""Choosing records: which rows of a frame belong to an exhibit, and one number for each of its points."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import pandas as pd

from . import remarks
from .model import NOT_RUN, Value
from .published import Library
from .records import in_words
from .remarks import Remark, marked, remarks_of

TYPE_NAMES = {"s": "single", "d": "real", "c": "single complex", "z": "complex"}
PEERS = {
    "ggsvd3": "LAPACK {t}ggsvd3",
    "sygvd": "normal equations, {t}sygvd",
    "hegvd": "normal equations, {t}hegvd",
    "geqrf+gesdd": "QR + SVD, {t}gesdd",
}
LIBRARIES = {"lapack": "LAPACK", "cusolver": "cuSOLVER"}
SUBVARIANTS = ("ME-FB-ME", "ME-BO-ME", "MM-FB-ME", "MM-BO-ME")
# In which order a case's statuses speak for a point that several cases make up: the worst first.
SEVERITY = ("failed", "out_of_memory", "timeout", "not_converged", "incorrect", "not_supported", "skipped")


@dataclass(frozen=True)
class Source:
    """What a builder of tables and figures may look at."""

    frame: pd.DataFrame
    library: Library
    hardware: str
    others: tuple[pd.DataFrame, ...] = ()
    """Frames of the report's other runs on the same hardware."""


def resolve(pattern: str, type: str) -> str:
    """Puts a type's letter for the question mark: "?HZ0-…" → "ZHZ0-…", "lapack:?ggsvd3" → "lapack:zggsvd3"."""
    return pattern.replace("?", type if ":" in pattern else type.upper())


def solver_label(solver: str) -> str:
    """A solver's name as a reader would say it."""
    if ":" not in solver:
        return solver
    library, routine = solver.split(":", 1)
    letter = routine[0]
    plain = "+".join(part[1:] for part in routine.split("+"))
    if library == "lapack" and plain in PEERS:
        return PEERS[plain].format(t=letter)
    return f"{LIBRARIES.get(library, library)} {routine}"


def width_labels(frame: pd.DataFrame) -> dict[str, str]:
    """Names for solvers, the Hari–Zimmermann ones first and by block width, told apart by it where that suffices."""
    own = frame[frame["id"].notna()].drop_duplicates("solver").sort_values("width")
    stems = [re.sub(r";w=\d+", "", name) for name in own["solver"]]
    only_width = len(set(stems)) == 1 and own["width"].is_unique
    labels = {
        name: f"{stem.split('-')[0]}, w = {width:.0f}" if only_width else name
        for name, stem, width in zip(own["solver"], stems, own["width"], strict=True)
    }
    peers = sorted(set(frame["solver"]) - labels.keys(), key=lambda name: (len(name), name))
    return labels | {name: solver_label(name) for name in peers}


def subvariant(row) -> str:
    return f"{row.outer}-{row.blocking}-{row.inner}"


def plain(rows: pd.DataFrame) -> pd.DataFrame:
    """Those without options such as another width; in a run whose rows all have the same options, all of them."""
    options = rows["solver"].astype(str).str.extract(r"^[^;]*;?(.*)$", expand=False)
    return rows if options.nunique() == 1 else rows[options == ""]


def hz(frame: pd.DataFrame, type: str, id: int | None = None, default_options: bool = True) -> pd.DataFrame:
    """The Hari–Zimmermann rows of a type (and an ID); only the plain ones, if `default_options`."""
    rows = frame[(frame["type"] == type) & frame["id"].notna()]
    if id is not None:
        rows = rows[rows["id"] == id]
    if default_options:
        rows = plain(rows)
    return rows.assign(subvariant=[subvariant(row) for row in rows.itertuples()])


def worst(statuses: pd.Series) -> str:
    present = set(statuses)
    return next((status for status in SEVERITY if status in present), NOT_RUN)


TIMES = ("wall_s", "compute_s")


def remarks_on_time(row) -> list[Remark]:
    """Why a case's time is to be read with care: the case did not pass, or its time is flagged."""
    about = f"{solver_label(row.solver)}, n = {row.n}"
    found = [Remark(remarks.FLAGGED, flag, about) for flag in row.flags.split(",") if flag]
    if row.status != "passed":
        words = in_words(row.status) + (f" ({row.message})" if row.message else "")
        found.insert(0, Remark(remarks.NOT_PASSED, words, about))
    return found


def with_marked_times(frame: pd.DataFrame) -> pd.DataFrame:
    """For tables of single cases: every time carries the remarks on it."""
    found = [remarks_on_time(row) for row in frame.itertuples()]
    columns = {name: [marked(x, r) for x, r in zip(frame[name], found, strict=True)] for name in TIMES}
    return frame.assign(**{name: pd.Series(values, frame.index, dtype=object) for name, values in columns.items()})


def value_of(rows: pd.DataFrame, column: str, how: str = "median", only_passed: bool = True) -> Value:
    """One number for the rows of one point: the median or the maximum; a word if there is none.

    A time carries the remarks on all cases that it is of; it is one of cases that did not pass only where none did.
    """
    if rows.empty:
        return NOT_RUN
    known = rows[rows[column].notna()]
    usable = known[known["status"] == "passed"]
    if not only_passed and (usable.empty or column not in TIMES):
        usable = known
    if usable.empty:
        return worst(rows["status"])
    on_times = (remark for row in usable.itertuples() for remark in remarks_on_time(row)) if column in TIMES else ()
    return marked(float(usable[column].agg(how)), on_times)


def by_size(rows: pd.DataFrame, column: str, how: str = "median", only_passed: bool = True) -> dict[int, Value]:
    """For each n the number (or the word) of the rows of that n."""
    return {int(n): value_of(group, column, how, only_passed) for n, group in rows.groupby("n")}


def numbers(values: dict[int, Value]) -> dict[int, float]:
    """Only those points that are numbers."""
    return {n: v for n, v in values.items() if is_number(v)}


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def ratio(measured: Value, published: Value) -> Value:
    """The quotient with the remarks on both; None where one of them is no number."""
    if is_number(measured) and is_number(published) and published != 0:
        return marked(measured / published, remarks_of(measured) + remarks_of(published))
    return None


def sizes_in_words(sizes) -> str:
    """ "64", "64 and 128", "512…9728 in steps of 512", "64, 96, 256"."""
    sizes = sorted(set(int(n) for n in sizes))
    if not sizes:
        return "no size"
    steps = {b - a for a, b in zip(sizes, sizes[1:], strict=False)}
    if len(sizes) > 3 and len(steps) == 1:
        return f"{sizes[0]}…{sizes[-1]} in steps of {steps.pop()}"
    if len(sizes) <= 2:
        return " and ".join(map(str, sizes))
    return ", ".join(map(str, sizes))


def pair_label(generator: str) -> str:
    """A pair's name without the folders of its files: "cholesky:lund_a.mtx.gz,lund_b.mtx.gz"."""
    kind, colon, files = generator.partition(":")
    return kind + colon + ",".join(name.rsplit("/", 1)[-1] for name in files.split(",")) if colon else generator


def matrix_label(generator: str) -> str:
    """A matrix's name: that of its file without folders and extensions, or the generator's."""
    kind, _, file = generator.partition(":")
    if kind not in ("file", "permuted"):
        return generator
    name = re.sub(r"(\.mtx|\.h5|\.gz)+(?=$|:)", "", file.rsplit("/", 1)[-1])
    return name if kind == "file" else f"{name}, permuted"


def generator_options(name: str) -> tuple[str, dict[str, str]]:
    """ "graded;side=right;g=8" → ("graded", {"side": "right", "g": "8"})."""
    kind, *options = name.split(";")
    return kind, dict(re.split("=", option, maxsplit=1) if "=" in option else (option, "") for option in options)
