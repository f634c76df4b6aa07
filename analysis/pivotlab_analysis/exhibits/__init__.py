# SPDX-License-Identifier: BSD-3-Clause
"""The exhibits of a run, as its spec's report names them, and the verdict on all of them.

The tables and figures of a method lie in the folder of its name. It may define for this package: `prepare`, which
completes the frame of a run; `DETAILS`, columns of lists of cases; `add_command`, which adds a command; `PICTURES`,
kinds of pictures on demand; `FILE_PICTURES`, modules that `read` a solver's file and
make its `figure`; and `CONVERGENCE`, the number of each sweep that pictures draw. A method without a folder has
the list of its cases.
"""

from __future__ import annotations

import fnmatch
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages

import pandas as pd

from .. import sweeps
from ..errors import InputError
from ..methods import METHODS, STATUSES, in_words
from ..model import Figure, Finding, Table
from ..published import Library
from ..records import Run, is_baseline
from ..selection import Source, matrix_label, solver_label
from ..tables import cases, others
from .registry import FIGURES, TABLES, table

# All modules are imported, for builders register themselves; those of folders by the name of their method.
_imported = {info.name: import_module(info.name) for info in walk_packages(__path__, f"{__name__}.")}
table("others")(others)
MODULES = {name: module for name in METHODS if (module := _imported.get(f"{__name__}.{name}"))}


def prepared(run: Run) -> pd.DataFrame:
    """The run's frame with names for readers, `label` of solvers and `problem` of matrices, and all that the method
    adds."""
    problem = run.frame["generator"].map(matrix_label) if "generator" in run.frame else ""
    names = {"label": run.frame["solver"].map(solver_label), "problem": problem}
    prepare = getattr(MODULES.get(run.method.name), "prepare", lambda frame: frame)
    return prepare(run.frame.assign(**names))


def source_of(run: Run, library: Library, others: Sequence[Run] = ()) -> Source:
    """Returns the input of the builders; others: the report's other runs."""
    alike = [other for other in others if other.hardware == run.hardware and other.method is run.method]
    details = getattr(MODULES.get(run.method.name), "DETAILS", ())
    return Source(run.method, prepared(run), library, run.hardware, details, lambda: [*map(prepared, alike)])


@dataclass
class Section:
    """A run with its exhibits."""

    run: Run
    tables: list[Table]
    figures: list[Figure]


def build_sections(runs: list[Run], library: Library) -> list[Section]:
    return [section_of(run, library, [other for other in runs if other is not run]) for run in runs]


def section_of(run: Run, library: Library, others: Sequence[Run]) -> Section:
    """The section of a run; an empty one with a problem, if something in its records surprises a builder, so that the
    other runs are shown."""
    try:
        return build_section(run, library, others)
    except InputError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        problem = f"{run.path}: its tables and figures cannot be made: {type(error).__name__}: {reason}"
        return Section(Run(run.path, run.manifest, [], [*run.problems, problem]), [], [])


def build_section(run: Run, library: Library, others: Sequence[Run] = ()) -> Section:
    source = source_of(run, library, others)
    if not (wanted := run.spec.get("report")):
        table = cases(source, title=f"All cases of {run.name}")
        table.headlines = sweeps.headlines(source)
        return Section(run, [table], sweeps.figures(source))
    place = f"{run.path / 'manifest.json'}: report"
    entries = [wanted.get(part, []) if isinstance(wanted, dict) else [None] for part in ("tables", "figures")]
    if not all(isinstance(entry, dict) for part in entries for entry in part):
        raise InputError(f"{place}: an entry is not an object; correct the spec")
    tables = [build(entry, TABLES, source, f"{place}.tables") for entry in entries[0]]
    figures = [build(entry, FIGURES, source, f"{place}.figures") for entry in entries[1]]
    for exhibits in (tables, figures):  # names, of files and labels, are unique in a run
        names: Counter[str] = Counter()
        for exhibit in exhibits:
            names[exhibit.name] += 1
            exhibit.name += f"-{names[exhibit.name]}" if names[exhibit.name] > 1 else ""
    return Section(run, tables, figures)


def build(entry: dict, builders: dict[str, Callable], source: Source, place: str):
    """Calls the builder that the entry's kind names with the entry's other members as its options."""
    known = (f"{__name__}.{source.method.name}.", cases.__module__)
    builders = {kind: builder for kind, builder in builders.items() if builder.__module__.startswith(known)}
    kind, options = entry.get("kind"), {name: value for name, value in entry.items() if name != "kind"}
    if kind not in builders:
        raise InputError(f"{place}: unknown kind {kind!r}; one of {', '.join(builders)} is expected")
    try:
        inspect.signature(builders[kind]).bind(source, **options)
    except TypeError as error:
        raise InputError(f"{place}: {kind}: {error}; correct the spec") from None
    return builders[kind](source, **options)


DEFEATS = ("incorrect", "failed", "not_converged")


@dataclass(frozen=True)
class Verdict:
    level: str
    """good, doubtful or bad"""
    sentence: str
    findings: list[Finding]


def is_expected(run: Run, record: dict) -> bool:
    """Some experiments are made to show methods that fail; their spec's report says so: `"expect_incorrect": true` of
    other libraries, `"expect_defeats": [patterns]` of solvers by name."""
    report = run.spec.get("report")
    if record["status"] not in DEFEATS or not isinstance(report, dict):
        return False
    patterns = report.get("expect_defeats", [])
    solver = str(record["case"].get("solver"))
    by_name = any(fnmatch.fnmatchcase(solver, pattern) for pattern in patterns)
    return by_name or (bool(report.get("expect_incorrect")) and is_baseline(solver))


def judge(sections: list[Section]) -> Verdict:
    """One line on everything: how many cases passed, and whether the findings hold."""
    runs = [section.run for section in sections]
    problems, planned = sum(len(run.problems) for run in runs), sum(run.missing for run in runs)
    cases = [(is_expected(run, record), record["status"]) for run in runs for record in run.records]
    counts = Counter(status for expected, status in cases if not expected)
    total, expected = counts.total(), len(cases) - counts.total()
    tables = (table for section in sections for table in section.tables)
    findings = list(dict.fromkeys(finding for table in tables for finding in table.findings))  # each once
    sentence = verdict_sentence(counts, total, expected, planned, problems)
    broken = [finding for finding in findings if finding.holds is False]
    if broken:
        sentence += f" {len(broken)} of {len(findings)} findings do not hold."
    if any(counts[status] for status in DEFEATS) or problems or broken or (total and not counts["passed"]):
        return Verdict("bad", sentence, findings)
    stopped = counts["timeout"] + counts["out_of_memory"]
    if stopped or planned or not total or any(finding.holds is None for finding in findings):
        return Verdict("doubtful", sentence, findings)
    return Verdict("good", sentence, findings)


def verdict_sentence(counts: Counter, total: int, expected: int, planned: int, problems: int) -> str:
    if not total and not expected:
        return "Nothing was run."
    if counts["passed"] == total:
        parts = [f"All {total} cases passed" if total != 1 else "The one case passed"]
    else:
        rest = ", ".join(f"{counts[s]} {in_words(s)}" for s in STATUSES if s != "passed" and counts[s])
        parts = [f"{counts['passed']} of {total} cases passed ({rest})"]
    if expected:
        defeats = plural(expected, "case")
        parts.append(f"{defeats} of other methods lost accuracy or failed, as the experiment is meant to show")
    if planned:
        parts.append(f"{plural(planned, 'planned case')} {'has' if planned == 1 else 'have'} not run")
    if problems:
        parts.append(f"{plural(problems, 'record')} could not be read")
    return "; ".join(parts) + "."


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("s" if count != 1 else "")
