# SPDX-License-Identifier: BSD-3-Clause
"""Reads runs: `<out>/<experiment>/manifest.json` and the records beside it (record_store)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import jsonschema
import pandas as pd

from .errors import InputError
from .json_files import read_object
from .methods import FLAGS, METHODS, NUMBERS, STATUSES, Method, at, in_words
from .record_store import PACKED, Entry, read_entries, record_files

SCHEMA = "pivotlab/record/1"
DECORATION = re.compile(r"\((R|TM|r|tm)\)|\b(CPU|Processor|Intel|AMD)\b|@.*$|\b\d+-Core\b")  # of names of processors


def is_baseline(solver: str) -> bool:
    """Returns whether a solver belongs to another library."""
    return ":" in str(solver)


def own_values(record: dict) -> dict[str, object]:
    """Options of a solver of the user's, and what it gave beside its results, as columns own.<name>."""
    values = (at(record, "/own/values") or {}) | (at(record, "/own/options") or {})
    return {f"own.{name}": value for name, value in values.items()}


def hardware_of(record: dict) -> str:
    """Describes the hardware of a case in a few words: "Xeon Gold 6248, 2 cores" or the GPU's name."""
    if gpu := at(record, "/environment/gpu/name"):  # only cases that use it have one
        return gpu
    cpu, cores = at(record, "/environment/cpu"), at(record, "/environment/cores")
    plain = " ".join(DECORATION.sub(" ", cpu or "").split())
    counted = f"{cores} core" + ("s" if cores != 1 else "") if cores else ""
    return ", ".join(filter(None, (plain, counted))) or "unknown hardware"


@dataclass
class Run:
    """One experiment's folder: its manifest, its records, and what could not be read."""

    path: Path
    manifest: dict
    records: list[dict]
    problems: list[str] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)  # of the records, by their keys

    @property
    def spec(self) -> dict:
        return self.manifest.get("spec", self.manifest)

    @property
    def name(self) -> str:
        return self.spec.get("name") or next((r["experiment"] for r in self.records), self.path.name)

    @property
    def title(self) -> str:
        return self.spec.get("title") or self.name

    @property
    def method(self) -> Method:
        """The method of the spec, else of the records, else the first of all methods."""
        names = (self.spec.get("method"), *(record["case"].get("method") for record in self.records[:1]))
        return METHODS[next((name for name in names if name in list(METHODS)), next(iter(METHODS)))]

    @property
    def missing(self) -> int:
        """Number of cases of the plan that have no record; 0 if the manifest has no plan."""
        plan = self.manifest.get("plan")
        cases = plan.get("cases") if isinstance(plan, dict) else plan
        return max((len(cases) if isinstance(cases, list) else 0) - len(self.records) - len(self.problems), 0)

    @cached_property
    def hardware(self) -> str:
        names = sorted({hardware_of(record) for record in self.records})
        if len(names) > 2:
            return f"{len(names)} machines"
        return " and ".join(names) or "nothing measured"  # two: most often a GPU and its host

    @property
    def command(self) -> str:
        """What made its records; empty where the manifest does not say."""
        return at(self.manifest, "/provenance/command") or ""

    @property
    def failures(self) -> dict[str, str]:
        """For each status but "passed": how many cases of which solvers, and the reason of the first."""
        groups: dict[str, list[dict]] = {}
        for record in self.records:
            if record["status"] != "passed":
                groups.setdefault(record["status"], []).append(record)
        lines = {}
        for status, records in groups.items():
            solvers = ", ".join(sorted({str(record["case"].get("solver")) for record in records}))
            reason = next((record["message"] for record in records if record.get("message")), "no reason recorded")
            lines[status] = f"{len(records)} {in_words(status)}: {solvers}; for example: {reason}"
        return lines

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per record, one column per field of the method, and those of the user's solvers; values that a record
        lacks are NaN or None."""
        fields = self.method.fields.values()
        own = [own_values(record) for record in self.records]
        rows = [{f.name: f.of(record) for f in fields} | more for record, more in zip(self.records, own, strict=True)]
        frame = pd.DataFrame(
            rows, columns=[*(f.name for f in fields), *sorted({name for more in own for name in more})]
        )
        numbers = [field.name for field in fields if field.kind in NUMBERS]
        frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce")
        order = [name for name in ("type", "n", "generator", "seed", "solver") if name in frame]
        return frame.sort_values(order, kind="stable", ignore_index=True)

    @property
    def in_order(self) -> list[dict]:
        """The records in the order of the frame."""
        by_key = {record["key"]: record for record in self.records}
        return [by_key[key] for key in self.frame["key"]]


def read_json(path: Path) -> dict:
    return read_object(path, "remove the file and run the experiment again")


def check(record: dict, entry: Entry) -> None:
    """Checks the members that the analysis requires; the JSON Schema requires more (see validate)."""
    place = entry.place
    if record.get("schema") != SCHEMA:
        raise InputError(f"{place}: schema: {record.get('schema')!r} instead of {SCHEMA!r}; run the experiment again")
    for name in ("key", "experiment", "case", "status"):
        if name not in record:
            raise InputError(f"{place}: {name}: missing; {entry.remedy}")
    if not isinstance(record["case"], dict):
        raise InputError(f"{place}: case: not a JSON object; {entry.remedy}")
    if record["status"] not in STATUSES:
        raise InputError(f"{place}: status: unknown {record['status']!r}; one of {', '.join(STATUSES)} is expected")
    for place_in_record, wanted in defects(record):
        text = repr(at(record, place_in_record))
        shown = text if len(text) <= 60 else text[:60] + "…"
        raise InputError(f"{place}: {place_in_record}: {shown} in place of {wanted}; run the experiment again")


def is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_texts(value) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


REQUIRED = ("n", "generator", "solver")
"""Axes that every method has (README.md)."""


def defects(record: dict) -> Iterator[tuple[str, str]]:
    """The values of a record that the analysis cannot use: their places, and what would be usable."""
    method = METHODS.get(record["case"].get("method")) if isinstance(record["case"].get("method"), str) else None
    if method is None:
        yield "/case/method", f"one of {', '.join(METHODS)}"
        return
    for name in REQUIRED:
        if at(record, f"/case/{name}") is None and name in method.fields:
            yield f"/case/{name}", "a value"
    for one in method.fields.values():
        value = at(record, one.place)
        if value is None:
            continue
        if one.kind == "text" and not (isinstance(value, str) or is_texts(value)):
            yield one.place, "a text"
        if one.kind in NUMBERS and one.is_axis and not is_number(value):
            yield one.place, "a number"
        if one.kind == "seconds" and is_number(value) and value < 0:
            yield one.place, "a time"
    for name in ("compute_s", "wall_s"):
        samples = at(record, f"/time/{name}/samples")
        if samples is not None and not (isinstance(samples, list) and all(is_number(x) and x >= 0 for x in samples)):
            yield f"/time/{name}/samples", "a list of times"
    if (flags := at(record, "/time/flags")) is not None and not is_texts(flags):
        yield "/time/flags", "a list of texts"


def find_runs(paths: Iterable[Path]) -> Iterator[Path]:
    """Yields the experiment folders that the paths name: the paths themselves, or the folders inside them."""
    for path in paths:
        if not path.is_dir():
            remedy = "name a run's folder, such as runs/quick, or the folder of all runs"
            raise InputError(f"{path}: no such folder; {remedy}")
        inside = [path] if is_run(path) else sorted(child for child in path.iterdir() if is_run(child))
        if not inside:
            raise InputError(f"{path}: neither a manifest.json nor records inside; run an experiment first")
        yield from inside


def is_run(path: Path) -> bool:
    return any((path / name).exists() for name in ("manifest.json", PACKED)) or (path / "records").is_dir()


def files_of_runs(paths: Iterable[Path]) -> Iterator[Path]:
    """Yields all files that load_runs reads."""
    for path in find_runs(paths):
        yield path / "manifest.json"
        yield from record_files(path)


def load_run(path: Path) -> Run:
    """Reads a run's folder. A record that cannot be read becomes a problem of the run; the others stay usable."""
    manifest = read_json(path / "manifest.json") if (path / "manifest.json").exists() else {}
    if not isinstance(manifest.get("spec", {}), dict):
        raise InputError(f"{path / 'manifest.json'}: spec: not a JSON object; run the experiment again with --fresh")
    run = Run(path, manifest, [])
    for name in ("name", "title", "source", "method", "scale"):
        if not isinstance(run.spec.get(name) or "", str):
            raise InputError(
                f"{path / 'manifest.json'}: spec.{name}: not a text; run the experiment again with --fresh"
            )
    found: dict[str, tuple[tuple[str, int], dict, str]] = {}  # key → start and rank, record, place
    problems: list[tuple[str, str]] = []  # keys and messages
    for entry in read_entries(path):
        try:
            record = entry.parse()
            check(record, entry)
            if record["case"]["method"] != run.spec.get("method", record["case"]["method"]):
                raise InputError(f"{entry.place}: case: has not the method of the spec; {entry.remedy}")
        except InputError as error:
            problems.append((entry.key, str(error)))
        else:
            order = (str(at(record, "/provenance/started")), entry.rank)
            key = str(record["key"])
            if key not in found or order > found[key][0]:
                found[key] = (order, record, entry.place)
    run.problems = [message for key, message in problems if key not in found]
    for key in sorted(found):
        _, record, run.places[key] = found[key]
        run.records.append(record)
    return run


def load_runs(paths: Iterable[Path | str]) -> list[Run]:
    """Returns the runs of all folders, in the order given, each once."""
    folders = dict.fromkeys(path.resolve() for path in find_runs(Path(p) for p in paths))
    runs = []
    for path in folders:
        try:
            runs.append(load_run(path))
        except InputError as error:
            if len(folders) == 1:
                raise
            runs.append(Run(path, {}, [], [str(error)]))  # the others are shown
    return runs


def timing_caution(runs: Iterable[Run]) -> str | None:
    """Counts the times that the engine flagged: "87 of 132 times are noisy (with a spread above the limit)."; None if
    there are none."""
    timed = (r for run in runs for r in run.records if at(r, "/time/compute_s/samples"))
    flagged = [at(record, "/time/flags") or [] for record in timed]
    counts = {flag: sum(flag in flags for flags in flagged) for flag in FLAGS}
    words = [f"{count} {flag} ({FLAGS[flag]})" for flag, count in counts.items() if count]
    if not words:
        return None
    first, rest = words[0].split(" ", 1)
    verb = "is" if first == "1" else "are"
    return ", ".join([f"{first} of {len(flagged)} times {verb} {rest}", *words[1:]]) + "."


DEFAULT_SCHEMA = Path(__file__).resolve().parents[2] / "results" / "record.schema.json"


def validate(runs: list[Run], schema: dict) -> list[str]:
    """Returns every violation of the schema and every unreadable record, one line each."""
    validator = jsonschema.Draft202012Validator(schema)
    lines = [problem for run in runs for problem in run.problems]
    placed = ((run.places[str(record["key"])], record) for run in runs for record in run.records)
    for place, record in placed:
        lines += [f"{place}: {error.json_path}: {error.message}" for error in validator.iter_errors(record)]
    return lines
