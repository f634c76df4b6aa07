"""From a run to the tables and figures that its spec's `report` asks for, and to the verdict on all of it."""

from __future__ import annotations

import fnmatch
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import (
    eig_figures,
    eig_tables,
    figures,
    ldlt_figures,
    ldlt_tables,
    ranks_figures,
    ranks_tables,
    tables,
)
from .errors import InputError
from .model import Figure, Finding, Table
from .published import Library
from .records import STATUSES, Run, in_words, is_peer
from .selection import Source

TABLES = tables.BUILDERS | ranks_tables.BUILDERS | ldlt_tables.BUILDERS | eig_tables.BUILDERS
FIGURES = figures.BUILDERS | ranks_figures.BUILDERS | ldlt_figures.BUILDERS | eig_figures.BUILDERS


@dataclass
class Section:
    """A run with its exhibits."""

    run: Run
    tables: list[Table]
    figures: list[Figure]

    @property
    def findings(self) -> list[Finding]:
        """What the exhibits say, each statement once."""
        found = [finding for exhibit in (*self.tables, *self.figures) for finding in exhibit.findings]
        return list(dict.fromkeys(found))


def build_sections(runs: list[Run], library: Library) -> list[Section]:
    return [build_section(run, library, [other for other in runs if other is not run]) for run in runs]


def build_section(run: Run, library: Library, others: Sequence[Run] = ()) -> Section:
    kind = {"ldlt": "ldlt-cases", "eig": "eig-cases"}.get(run.spec.get("method"), "cases")
    wanted = run.spec.get("report") or {"tables": [{"kind": kind, "title": f"All cases of {run.name}"}]}
    place = f"{run.path / 'manifest.json'}: report"
    lists = [wanted] if isinstance(wanted, list) else [wanted.get(part, []) for part in ("tables", "figures")]
    if not all(isinstance(entry, dict) for entries in lists for entry in entries):
        raise InputError(f"{place}: an entry is no object; correct the spec")
    if isinstance(wanted, list):
        wanted = {
            "tables": [entry for entry in wanted if entry.get("kind") in TABLES],
            "figures": [entry for entry in wanted if entry.get("kind") in FIGURES],
        }
    alike = tuple(other.frame for other in others if other.hardware == run.hardware)
    source = Source(run.frame, library, run.hardware, alike)
    return Section(
        run,
        [build(entry, TABLES, source, f"{place}.tables") for entry in wanted.get("tables", [])],
        [build(entry, FIGURES, source, f"{place}.figures") for entry in wanted.get("figures", [])],
    )


def build(entry: dict, builders: dict[str, Callable], source: Source, place: str):
    """Calls the builder that the entry's kind names with the entry's other members as its options."""
    options = dict(entry)
    kind = options.pop("kind", None)
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
    return by_name or (bool(report.get("expect_incorrect")) and is_peer(record))


def judge(sections: list[Section]) -> Verdict:
    """One line on everything: how many cases passed, and whether the findings hold."""
    counts: Counter[str] = Counter()
    expected = problems = planned = 0
    for section in sections:
        run = section.run
        problems += len(run.problems)
        planned += max((run.planned or 0) - len(run.records) - len(run.problems), 0)
        for record in run.records:
            if is_expected(run, record):
                expected += 1
            else:
                counts[record["status"]] += 1
    findings = list(dict.fromkeys(finding for section in sections for finding in section.findings))
    total = counts.total()
    bad = counts["incorrect"] + counts["not_converged"] + counts["failed"]
    stopped = counts["timeout"] + counts["out_of_memory"]
    sentence = verdict_sentence(counts, total, expected, planned, problems)
    broken = [finding for finding in findings if finding.holds is False]
    if broken:
        sentence += f" {len(broken)} of {len(findings)} findings do not hold."
    if bad or problems or broken or (total and not counts["passed"]):
        return Verdict("bad", sentence, findings)
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
