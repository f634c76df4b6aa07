"""Reading runs: `<out>/<experiment>/manifest.json` and `<out>/<experiment>/records/<key>.json`."""

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

SCHEMA = "pivotlab/record/1"
STATUSES = (
    "passed",
    "incorrect",
    "not_converged",
    "failed",
    "out_of_memory",
    "timeout",
    "not_supported",
    "skipped",
)


def in_words(status: str) -> str:
    """ "not_supported" → "not supported"."""
    return status.replace("_", " ")


# Where a column of the frame comes from in a record.
COLUMNS = {
    "key": "key",
    "experiment": "experiment",
    "status": "status",
    "message": "message",
    "type": "case.type",
    "n": "case.n",
    "m_f": "case.m_f",
    "m_g": "case.m_g",
    "generator": "case.generator",
    "seed": "case.seed",
    "solver": "case.solver",
    "backend": "case.backend",
    "threads": "case.threads",
    "ranks": "case.ranks",
    "transport": "case.transport",
    "id": "variant.id",
    "outer": "variant.outer",
    "blocking": "variant.blocking",
    "inner": "variant.inner",
    "width": "variant.width",
    "sorting": "variant.sorting",
    "factor": "variant.factor",
    "kappa_f": "problem.kappa_f",
    "kappa_g": "problem.kappa_g",
    "wall_s": "time.wall_s.median",
    "wall_s_q1": "time.wall_s.q1",
    "wall_s_q3": "time.wall_s.q3",
    "compute_s": "time.compute_s.median",
    "compute_s_q1": "time.compute_s.q1",
    "compute_s_q3": "time.compute_s.q3",
    "generate_s": "time.generate_s",
    "judge_s": "time.judge_s",
    "samples": "time.compute_s.samples",
    "flags": "time.flags",
    "load_before": "environment.load_before",
    "load_after": "environment.load_after",
    "sweeps": "convergence.sweeps",
    "transformations": "convergence.transformations",
    "by_rank": "convergence.by_rank",
    "residual_f": "metrics.residual_f",
    "residual_g": "metrics.residual_g",
    "residual_fz": "metrics.residual_fz",
    "residual_gz": "metrics.residual_gz",
    "orthogonality_u": "metrics.orthogonality_u",
    "orthogonality_v": "metrics.orthogonality_v",
    "sigma_sum": "metrics.sigma_sum",
    "sigma_error": "metrics.sigma_error",
    "precision": "metrics.precision",
    # Of the symmetric indefinite factorization:
    "storage": "case.storage",
    "symmetry": "case.symmetry",
    "rank_tolerance": "case.tolerance",
    "pivoting": "variant.pivoting",
    "alpha": "variant.alpha",
    "residual": "metrics.residual",
    "dsyt01": "metrics.dsyt01",
    "dpot02": "metrics.dpot02",
    "solve_error": "metrics.solve_error",
    "rank": "metrics.rank",
    "positive": "metrics.inertia.positive",
    "negative": "metrics.inertia.negative",
    "zero": "metrics.inertia.zero",
    "inertia_agrees": "metrics.inertia_agrees",
    "certificate": "metrics.certificate.status",
    "certified_positive": "metrics.certificate.inertia.positive",
    "certified_negative": "metrics.certificate.inertia.negative",
    "certified_zero": "metrics.certificate.inertia.zero",
    "certificate_below": "metrics.certificate.below",
    "certificate_above": "metrics.certificate.above",
    "certificate_clear": "metrics.certificate.clear",
    "certificate_reason": "metrics.certificate.reason",
    "known_positive": "problem.inertia.positive",
    "known_negative": "problem.inertia.negative",
    "known_zero": "problem.inertia.zero",
    "pivots_1x1": "metrics.pivots_1x1",
    "pivots_2x2": "metrics.pivots_2x2",
    "swaps_1x1": "metrics.swaps_1x1",
    "swaps_2x2": "metrics.swaps_2x2",
    "max_growth": "metrics.max_growth",
    "max_multiplier": "metrics.max_multiplier",
    "max_condition": "metrics.max_condition",
    "stages": "metrics.stages",
    "gjg": "metrics.gjg.residual",
    "gjg_rounded": "metrics.gjg.residual_rounded",
    "gjg_quad": "metrics.gjg.residual_quad",
    "gjg_inertia_agrees": "metrics.gjg.inertia_agrees",
    # Of the eigendecomposition:
    "vectors": "case.vectors",
    "form": "variant.form",
    "get22": "metrics.get22",
    "left_residual": "metrics.left_residual",
    "trace_error": "metrics.trace_error",
    "departure": "metrics.departure",
    "vector_condition": "metrics.vector_condition",
    "eigenvalue_error": "metrics.eigenvalue_error",
    "relative_error": "metrics.relative_error",
    "error_over_condition": "metrics.error_over_condition",
    "largest_condition": "metrics.largest_condition",
    "norm_2": "metrics.norm_2",
    "norm_history": "convergence.norm",
    "lower_history": "convergence.lower",
    "computed_eigenvalues": "metrics.eigenvalues",
    "true_eigenvalues": "problem.eigenvalues",
}
NUMERIC = ("problem.", "metrics.", "convergence.", "variant.alpha", "environment.load_")
NOT_NUMERIC = (
    "precision",
    "inertia_agrees",
    "certificate",
    "certificate_reason",
    "gjg_inertia_agrees",
    "stages",
    "by_rank",
    "norm_history",
    "lower_history",
    "computed_eigenvalues",
    "true_eigenvalues",
)


def dig(record: dict, path: str):
    """The value at a dotted path, None where any part of it is missing or null."""
    value = record
    for part in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


USUAL_ALPHA = (1 + 17**0.5) / 8
LDLT = re.compile(r"LDLT-(?P<pivoting>BP|RK|BK)(?:;alpha=(?P<alpha>[^;]+))?(?P<equilibrate>;equilibrate=on)?$")
PIVOTINGS = {"BP": "complete", "RK": "rook", "BK": "partial"}
VARIANT = re.compile(
    r"[DZ]HZ(?P<id>\d)-\((?:\w+-\w+, )?(?P<outer>\w+)-(?P<blocking>\w+)-(?P<inner>\w+)\)(?:;.*?w=(?P<width>\d+))?"
)


def is_peer(record: dict) -> bool:
    """Whether another library solved the case."""
    return ":" in str(dig(record, "case.solver"))


def named(record: dict) -> dict:
    """The record, with the variant that its solver's name tells where the case was not solved."""
    if record.get("variant"):
        return record
    solver = str(dig(record, "case.solver"))
    if match := LDLT.match(solver):
        alpha = float(match["alpha"] or USUAL_ALPHA)
        variant = {"pivoting": PIVOTINGS[match["pivoting"]], "alpha": alpha}
        return record | {"variant": variant | ({"equilibrate": True} if match["equilibrate"] else {})}
    match = VARIANT.match(solver)
    if not match:
        return record
    parts = match.groupdict()
    return record | {"variant": parts | {"id": int(parts["id"]), "width": int(parts["width"] or 16)}}


def short_cpu(name: str) -> str:
    """A processor's name without its decoration."""
    name = re.sub(r"\((R|TM|r|tm)\)|\b(CPU|Processor|Intel|AMD)\b|@.*$|\b\d+-Core\b", " ", name)
    return " ".join(name.split())


def hardware_of(record: dict) -> str:
    """What a case ran on, in a few words: "Xeon Gold 6248, 2 cores" or the GPU's name."""
    if gpu := dig(record, "environment.gpu.name"):  # only cases that use it have one
        return gpu
    cpu, cores = dig(record, "environment.cpu"), dig(record, "environment.cores")
    words = [short_cpu(cpu)] if cpu else []
    if cores:
        words.append(f"{cores} core" + ("s" if cores != 1 else ""))
    return ", ".join(words) or "unknown hardware"


@dataclass
class Run:
    """One experiment's folder: its manifest, its records, and what could not be read."""

    path: Path
    manifest: dict
    records: list[dict]
    problems: list[str] = field(default_factory=list)

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
    def planned(self) -> int | None:
        """How many cases the plan holds, if the manifest says."""
        plan = self.manifest.get("plan")
        cases = plan.get("cases") if isinstance(plan, dict) else plan
        return len(cases) if isinstance(cases, list) else None

    @property
    def hardware(self) -> str:
        names = sorted({hardware_of(record) for record in self.records})
        if len(names) > 2:
            return f"{len(names)} machines"
        return " and ".join(names) or "nothing measured"  # two: most often a GPU and its host

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a record; what a record lacks is NaN or None. samples: how many; flags: "noisy,loaded"."""
        rows = [{column: dig(named(record), path) for column, path in COLUMNS.items()} for record in self.records]
        frame = pd.DataFrame(rows, columns=list(COLUMNS))
        numeric = [name for name in COLUMNS if name.endswith(("_s", "_q1", "_q3")) or COLUMNS[name].startswith(NUMERIC)]
        for name in numeric:
            if name not in NOT_NUMERIC:
                frame[name] = pd.to_numeric(frame[name], errors="coerce")
        frame["samples"] = [len(as_list(samples)) for samples in frame["samples"]]
        frame["flags"] = [",".join(map(str, as_list(flags))) for flags in frame["flags"]]
        return frame.sort_values(["type", "n", "generator", "seed", "solver"], kind="stable", ignore_index=True)


def as_list(value) -> list:
    """The list itself; an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def read_json(path: Path) -> dict:
    return read_object(path, "remove the file and run the experiment again")


def check(record: dict, place: Path) -> None:
    """What the analysis itself relies on; the JSON Schema asks for more (see validate)."""
    if record.get("schema") != SCHEMA:
        raise InputError(f"{place}: schema: {record.get('schema')!r} instead of {SCHEMA!r}; run the experiment again")
    for name in ("key", "experiment", "case", "status"):
        if name not in record:
            raise InputError(f"{place}: {name}: missing; remove the file and run the experiment again")
    if not isinstance(record["case"], dict):
        raise InputError(f"{place}: case: not a JSON object; remove the file and run the experiment again")
    if record["status"] not in STATUSES:
        raise InputError(f"{place}: status: unknown {record['status']!r}; one of {', '.join(STATUSES)} is expected")


def find_runs(paths: Iterable[Path]) -> Iterator[Path]:
    """The experiment folders that the paths name: themselves, or the folders inside them."""
    for path in paths:
        if not path.is_dir():
            raise InputError(
                f"{path}: no such folder; name a run's folder, such as runs/quick, or the folder of all runs"
            )
        inside = [path] if is_run(path) else sorted(child for child in path.iterdir() if is_run(child))
        if not inside:
            raise InputError(f"{path}: neither a manifest.json nor records inside; run an experiment first")
        yield from inside


def is_run(path: Path) -> bool:
    return (path / "manifest.json").exists() or (path / "records").is_dir()


def record_files(path: Path) -> list[Path]:
    return sorted((path / "records").glob("*.json"))


def files_of_runs(paths: Iterable[Path]) -> Iterator[Path]:
    """All files that load_runs reads."""
    for path in find_runs(paths):
        yield path / "manifest.json"
        yield from record_files(path)


def load_run(path: Path) -> Run:
    """Reads a run's folder. A record that cannot be read becomes a problem of the run; the others stay usable."""
    manifest = read_json(path / "manifest.json") if (path / "manifest.json").exists() else {}
    if not isinstance(manifest.get("spec", {}), dict):
        raise InputError(f"{path / 'manifest.json'}: spec: not a JSON object; run the experiment again with --fresh")
    run = Run(path, manifest, [])
    for file in record_files(path):
        try:
            record = read_json(file)
            check(record, file)
        except InputError as error:
            run.problems.append(str(error))
        else:
            run.records.append(record)
    return run


def load_runs(paths: Iterable[Path | str]) -> list[Run]:
    """The runs of all folders, in the order given, each once."""
    folders = dict.fromkeys(path.resolve() for path in find_runs(Path(p) for p in paths))
    return [load_run(path) for path in folders]


FLAGS = {
    "noisy": "with a spread above the limit",
    "loaded": "while the machine had other work",
    "throttled": "while heat or power slowed the GPU down",
    "resumed": "without what went before an interruption",
}
"""What the engine's flags say of a time."""


def timing_caution(runs: Iterable[Run]) -> str | None:
    """How many times the engine flagged: "87 of 132 times are noisy (with a spread above the limit)."; None without
    flags."""
    flagged = [flags for run in runs for flags in timed(run)]
    counts = {flag: sum(flag in flags for flags in flagged) for flag in FLAGS}
    words = [f"{count} {flag} ({FLAGS[flag]})" for flag, count in counts.items() if count]
    if not words:
        return None
    first, rest = words[0].split(" ", 1)
    verb = "is" if first == "1" else "are"
    return ", ".join([f"{first} of {len(flagged)} times {verb} {rest}", *words[1:]]) + "."


def timed(run: Run) -> Iterator[list]:
    """The flags of each time of a run."""
    return (as_list(dig(record, "time.flags")) for record in run.records if dig(record, "time.compute_s.samples"))


def default_schema() -> Path:
    return Path(__file__).resolve().parents[2] / "results" / "record.schema.json"


def validate(runs: Iterable[Run], schema: dict) -> list[str]:
    """Every violation of the schema and every unreadable record, a line each."""
    validator = jsonschema.Draft202012Validator(schema)
    lines = []
    for run in runs:
        lines += run.problems
        for record in run.records:
            place = run.path / "records" / f"{record['key']}.json"
            for error in validator.iter_errors(record):
                lines.append(f"{place}: {error.json_path}: {error.message}")
    return lines
