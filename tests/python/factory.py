# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs: records as the engine writes them, with numbers that the tests know beforehand."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from pivotlab_analysis import Library, exhibits
from pivotlab_analysis.records import Run
from pivotlab_analysis.selection import Source

NAME = re.compile(r"([DZ])HZ(\d)-\((\w\w)-(\w\w)-(\w\w)\)(?:;.*?w=(\d+))?")
ENVIRONMENT = {
    "host": "bench",
    "cpu": "Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz",
    "cores": 2,
    "memory_bytes": 8 * 2**30,
    "os": "Debian 12",
    "compiler": "GCC 12.2.0",
    "flags": "-O3 -ffp-contract=off",
    "blas": "OpenBLAS 0.3.21",
    "gpu": None,
    "driver": None,
    "load_before": 0.1,
    "load_after": 1.9,
    "frequency_before_hz": None,
    "frequency_after_hz": None,
}


def variant_of(solver: str) -> dict | None:
    match = NAME.match(solver)
    if not match:
        return None
    _, id, outer, blocking, inner, width = match.groups()
    return {
        "id": int(id),
        "outer": outer,
        "blocking": blocking,
        "inner": inner,
        "width": int(width or 16),
        "sorting": True,
        "factor": "cholesky",
    }


def quartiles(seconds: float | None) -> dict:
    if seconds is None:
        return {"median": None, "q1": None, "q3": None, "samples": []}
    return {
        "median": seconds,
        "q1": 0.9 * seconds,
        "q3": 1.2 * seconds,
        "samples": [0.9 * seconds, seconds, 1.2 * seconds],
    }


def record(
    experiment: str,
    solver: str,
    n: int,
    *,
    type: str = "d",
    generator: str = "paper",
    seed: int = 1,
    status: str = "passed",
    wall_s: float | None = 0.5,
    sweeps: int = 7,
    kappa_f: float = 2e4,
    kappa_g: float = 3e3,
    residual_f: float | None = 4e-14,
    residual_g: float | None = 5e-14,
    sigma_error: float | None = 6e-14,
    message: str = "",
) -> dict:
    """One record; what a case that did not pass cannot have is null."""
    case = {
        "method": "gsvd",
        "type": type,
        "n": n,
        "m_f": n,
        "m_g": n,
        "generator": generator,
        "seed": seed,
        "solver": solver,
        "backend": "lapack" if ":" in solver else "host",
        "threads": 2,
    }
    solved = status in ("passed", "incorrect")
    variant = variant_of(solver)
    metrics = {
        "residual_f": residual_f,
        "residual_g": residual_g,
        "residual_fz": 1e-15,
        "residual_gz": 1e-15,
        "orthogonality_u": 2e-14,
        "orthogonality_v": 2e-14,
        "sigma_sum": 3e-16,
        "sigma_error": sigma_error,
        "dgsvts3": [0.1, 0.2, 0.3, 0.4, 0.5, 0.0],
        "precision": "quad",
        "verdict_bounds": {"residual_f": 1e-12},
    }
    sweep = {
        "transformations": 100,
        "big": 10,
        "swaps": 3,
        "skipped_tiles": 0,
        "qr_tiles": 0,
        "max_inner_sweeps": 5,
        "seconds": 0.01,
    }
    return {
        "schema": "pivotlab/record/1",
        "key": hashlib.md5(json.dumps([experiment, case], sort_keys=True).encode()).hexdigest(),
        "experiment": experiment,
        "case": case,
        "variant": variant,
        "status": status,
        "message": message,
        "problem": {
            "provenance": f"{generator}, seed {seed}",
            "kappa_f": kappa_f,
            "kappa_g": kappa_g,
            "sigma_min": 1e-4,
            "sigma_max": 1e4,
            "truth": True,
        },
        "time": {
            "compute_s": quartiles(wall_s if solved else None),
            "wall_s": quartiles(wall_s if solved else None),
            "generate_s": 0.1,
            "judge_s": 0.2,
            "flags": [],
        },
        "convergence": {
            "sweeps": sweeps,
            "transformations": 100 * sweeps,
            "big": 10 * (sweeps - 1),
            "per_sweep": [sweep] * sweeps,
        }
        if solved and variant
        else None,
        "metrics": metrics if solved else None,
        "environment": dict(ENVIRONMENT),
        "provenance": {
            "version": "0.1.0",
            "commit": "0123456789abcdef",
            "clean": True,
            "started": "2026-11-21T09:00:00Z",
            "command": f"pivotlab run {experiment}",
        },
    }


def ranks_record(
    experiment: str,
    solver: str,
    n: int,
    ranks: int,
    *,
    compute_s: float = 0.5,
    sweeps: int = 2,
    devices: list[int] | None = None,
    status: str = "passed",
) -> dict:
    """Of a solver over ranks: on step k rank r computes k + 1 and exchanges r + 1 seconds, and sends 100 bytes."""
    inside = re.sub(r"\((\w\w-\w\w), ", "(", solver)
    result = record(experiment, inside, n, type="z", generator="random", status=status, wall_s=compute_s, sweeps=sweeps)
    result["case"] |= {"solver": solver, "ranks": ranks, "transport": "copy"}
    if devices is not None:
        result["case"] |= {"backend": "cuda", "threads": 1}
    key = json.dumps([experiment, result["case"]], sort_keys=True)
    result["key"] = hashlib.md5(key.encode()).hexdigest()
    if result["variant"]:
        result["variant"] |= {"outermost": "ME", "stripes": re.search(r"\(\w\w-(\w\w)", solver)[1]}
    if result["convergence"]:
        steps = sweeps * (2 * ranks - 1) if ranks > 1 else 0
        result["convergence"]["by_rank"] = [
            {
                "device": devices[rank] if devices else None,
                "compute_s": [1.0 + step for step in range(steps)],
                "exchange_s": [1.0 + rank] * steps,
                "bytes_sent": [100] * steps,
            }
            for rank in range(ranks)
        ]
    return result


PIVOTINGS = {"BP": "complete", "RK": "rook", "BK": "partial"}
USUAL_ALPHA = (1 + 17**0.5) / 8


def ldlt_record(
    experiment: str,
    solver: str,
    n: int,
    *,
    generator: str = "equidistant",
    seed: int = 1,
    status: str = "passed",
    compute_s: float | None = 0.5,
    backend: str = "host",
    threads: int = 2,
    storage: str = "packed",
    tolerance: float = 2.0**-52,
    inertia: tuple[int, int, int] | None = None,
    known: tuple[int, int, int] | None = None,
    stages: list[tuple[int, int, float]] | None = None,
    **metrics,
) -> dict:
    """A record of the symmetric indefinite factorization; metrics: those that a test is about."""
    baseline = ":" in solver
    name, *options = solver.split(";")
    chosen = dict(option.split("=") for option in options)
    solved = status in ("passed", "incorrect")
    signs = ("positive", "negative", "zero")
    inertia = inertia or (n - n // 2, n // 2, 0)
    stages = stages if stages is not None else [(k, 1, 1.0) for k in range(n)]
    values = {
        "residual": 1e-15,
        "dsyt01": 0.05,
        "dpot02": 3.0,
        "solve_error": 1e-13,
        "max_multiplier": 1.5,
        "max_condition": 2.5,
        "max_growth": None if baseline else max((growth for *_, growth in stages), default=0.0),
        "pivots_1x1": sum(size == 1 for _, size, _ in stages),
        "pivots_2x2": sum(size == 2 for _, size, _ in stages),
        "swaps_1x1": 0,
        "swaps_2x2": 0,
        "rank": inertia[0] + inertia[1],
        "inertia": dict(zip(signs, inertia, strict=True)),
        "inertia_agrees": None if known is None else inertia == known,
        "tolerance": tolerance,
        "remainder": None,
        "stages": None
        if baseline
        else {
            "count": len(stages),
            "first": [first for first, *_ in stages],
            "size": [size for _, size, _ in stages],
            "growth": [growth for *_, growth in stages],
        },
        "precision": "quad",
        "device": "host",
        "verdict_bounds": {"dsyt01": 30.0},
    } | metrics
    result = record(experiment, solver, n, generator=generator, seed=seed, status=status, wall_s=compute_s)
    result["case"] = {
        "method": "ldlt",
        "type": "d",
        "symmetry": "symmetric",
        "n": n,
        "generator": generator,
        "seed": seed,
        "solver": solver,
        "storage": "full" if baseline else storage,
        "tolerance": tolerance,
        "backend": solver.split(":")[0] if baseline else backend,
        "threads": threads,
    }
    key = json.dumps([experiment, result["case"]], sort_keys=True)
    result["key"] = hashlib.md5(key.encode()).hexdigest()
    result["problem"] = {
        "provenance": generator,
        "largest_element": 1.0,
        "norm_inf": 1.0 * n,
        "smallest_eigenvalue": None,
        "largest_eigenvalue": None,
        "inertia": known and dict(zip(signs, known, strict=True)),
    }
    result["variant"] = (
        {"pivoting": PIVOTINGS[name.split("-")[1]], "alpha": float(chosen.get("alpha", USUAL_ALPHA))}
        | ({"equilibrate": True} if "equilibrate" in chosen else {})
        if not baseline
        else None
    )
    result["convergence"] = None
    result["metrics"] = values if solved else None
    return result


FORMS = {"": "steps", "fused": "fused"}


def eig_record(
    experiment: str,
    solver: str,
    n: int,
    *,
    type: str = "z",
    generator: str = "random",
    seed: int = 1,
    status: str = "passed",
    compute_s: float | None = 0.5,
    backend: str = "host",
    threads: int = 2,
    sweeps: int = 10,
    **metrics,
) -> dict:
    """A record of the eigendecomposition; metrics: those that a test is about."""
    baseline = ":" in solver
    solved = status in ("passed", "incorrect", "not_converged")
    block = re.search(r";b=(\d+)", solver)
    circle = {"re": [1.0] * n, "im": [float(k) for k in range(n)]}
    names = ("get22", "trace_error", "departure", "vector_condition", "largest_condition", "norm_2", "relative_error")
    values = {
        **dict.fromkeys((*names, "normalization"), 1.0),
        **dict.fromkeys(("left_residual", "left_get22", "similarity")),
        "residual": 1e-14,
        "eigenvalue_error": 1e-14,
        "error_over_condition": 1e-15,
        "precision": "quad",
        "device": "host",
        "verdict_bounds": {"get22": 30.0},
        "eigenvalues": circle,
    } | metrics
    result = record(experiment, solver, n, generator=generator, seed=seed, status=status, wall_s=compute_s)
    result["case"] = {
        "method": "eig",
        "type": type,
        "n": n,
        "generator": generator,
        "seed": seed,
        "solver": solver,
        "vectors": "right",
        "backend": solver.split(":")[0] if baseline else backend,
        "threads": threads,
    }
    key = json.dumps([experiment, result["case"]], sort_keys=True)
    result["key"] = hashlib.md5(key.encode()).hexdigest()
    result["problem"] = {"provenance": generator, "norm_f": 1.0, "truth": True, "eigenvalues": circle}
    switches = ("balance", "shear", "unitary", "diagonal")
    result["variant"] = (
        {
            "strategy": solver[6:8],
            "form": "blocked" if block else FORMS["fused" if ";fused" in solver else ""],
            "block": int(block[1]) if block else None,
            "damping": 1.0,
            "exponent": 0.5,
            "refine": ";refine" in solver,
        }
        | {name: f";{name}=off" not in solver for name in switches}
        if not baseline
        else None
    )
    history = [10.0 ** -(k if status != "not_converged" else 0) for k in range(sweeps + 1)]
    result["convergence"] = (
        {
            "sweeps": sweeps,
            "refined": 0,
            "norm": [1.0] * (sweeps + 1),
            "lower": history,
            "departure": history,
            "largest_tau": history,
            "seconds": [0.01] * (sweeps + 1),
        }
        if not baseline
        else None
    )
    result["metrics"] = values if solved else None
    return result


def source(records: list[dict]) -> Source:
    """What builders of exhibits get of these records."""
    return exhibits.source_of(Run(Path("t"), {}, records), Library())


def write_run(folder: Path, spec: dict, records: list[dict], planned: list[dict] | None = None) -> Path:
    """`<folder>/<experiment>` with its manifest and records; planned cases beyond the records have not run."""
    run = folder / spec["name"]
    (run / "records").mkdir(parents=True)
    plan = [{"key": r["key"], "case": r["case"]} for r in (planned or records)]
    (run / "manifest.json").write_text(json.dumps({"schema": "pivotlab/manifest/1", "spec": spec, "plan": plan}))
    for r in records:
        (run / "records" / f"{r['key']}.json").write_text(json.dumps(r))
    return run


SPECS = Path(__file__).resolve().parents[2] / "experiments" / "specs"


def spec(name: str) -> dict:
    return json.loads((SPECS / f"{name}.json").read_text(encoding="utf-8")) | {"scale": "quick"}


def subvariants(letter: str, id: int) -> list[str]:
    return [f"{letter}HZ{id}-({outer}-{blocking}-ME)" for outer in ("ME", "MM") for blocking in ("FB", "BO")]


# By how much each subvariant is slower than the first, as the paper's figures order them.
SLOWER = {"ME-FB-ME": 1.0, "ME-BO-ME": 1.15, "MM-FB-ME": 2.1, "MM-BO-ME": 2.4}


def quick_records() -> list[dict]:
    """A whole quick run, every case passed."""
    records = []
    for type, sizes in (("d", (64, 128, 192, 256)), ("z", (64, 128, 256))):
        letter = type.upper()
        for n in sizes:
            for solver in subvariants(letter, 0):
                slower = SLOWER[solver[6:14]]
                records.append(
                    record(
                        "quick",
                        solver,
                        n,
                        type=type,
                        wall_s=2e-7 * slower * n**2.4,
                        sweeps=6 + n // 96 + (slower > 2),
                        residual_f=1.2e-16 * n * slower**0.5,
                        residual_g=1.3e-16 * n,
                        kappa_f=90 * n,
                        kappa_g=60 * n,
                    )
                )
            for id in (1, 3, 4, 7):
                records.append(
                    record(
                        "quick",
                        f"{letter}HZ{id}-(ME-FB-ME)",
                        n,
                        type=type,
                        wall_s=2e-7 * (1 + id / 50) * n**2.4,
                        residual_f=(1.2 + id / 100) * 1e-16 * n,
                        residual_g=1.3e-16 * n,
                        kappa_f=90 * n,
                        kappa_g=60 * n,
                    )
                )
            if (type, n) != ("z", 256):
                records.append(
                    record("quick", f"lapack:{type}ggsvd3", n, type=type, wall_s=8e-8 * n**3, residual_f=3e-16 * n)
                )
    return records


def graded_name(side: str, on: str, g: int) -> str:
    """As the engine writes it: options in order, defaults left out."""
    options = {"g": str(g), "on": on, "side": side}
    defaults = {"g": "8", "on": "f", "side": "right"}
    return ";".join(["graded", *(f"{name}={value}" for name, value in options.items() if value != defaults[name])])


def graded_records() -> list[dict]:
    """Three families of pairs; the other methods lose digits as g grows, except where both sides are graded."""
    loss = {"lapack:dggsvd3": 1e-13, "lapack:dgeqrf+dgesdd": 1e-15, "lapack:dsygvd": 1e-8}
    records = []
    for side, on, rate in (("right", "f", 0.5), ("left", "f", 1.0), ("right", "both", 0.0)):
        for g in (4, 8, 12):
            pair = {"generator": graded_name(side, on, g)}
            for w, error in ((2, 1.7e-15), (8, 3.4e-15), (16, 4.6e-15)):
                solver = "DHZ0-(ME-FB-ME)" + ("" if w == 16 else f";w={w}")
                records.append(record("graded", solver, 32, sigma_error=error, **pair))
            for solver, error in loss.items():
                lost = error * 10.0 ** (rate * g * (2 if solver == "lapack:dsygvd" else 1))
                records.append(record("graded", solver, 32, sigma_error=lost, status="incorrect", **pair))
    return records
