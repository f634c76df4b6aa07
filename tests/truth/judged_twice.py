# SPDX-License-Identifier: BSD-3-Clause
"""Committed records judged twice: problems of published records are solved again, and each result is judged by exact
products on a GPU and in quad or double-double. Verdicts must be equal, and metrics within the proved bounds.

    python tests/truth/judged_twice.py PROGRAM -o results/truth/judged-twice.json [--count 10] [--most 96]

PROGRAM is the program pivotlab. Records are those of variants below results/; the host solves their problems. Without a
GPU both judges are the same, which tests this script alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[2] / "results"
JUDGES = ("exact products", "double-double")
METHODS = ("gsvd", "ldlt", "eig", "eigh", "hsvd", "ghsvd")
RESIDUALS = {
    "gsvd": ("residual_fz", "residual_gz"),
    "ldlt": ("residual",),
    "eig": ("residual", "left_residual"),
    "eigh": ("residual",),
    "hsvd": ("residual",),
    "ghsvd": ("residual", "residual_f", "residual_g"),
}


def records(folder: Path) -> list[dict]:
    """The records of a run, packed or not."""
    packed = folder / "records.jsonl.gz"
    if packed.exists():
        with gzip.open(packed, "rt") as lines:
            return [json.loads(line) for line in lines]
    return [json.loads(file.read_text()) for file in sorted((folder / "records").glob("*.json"))]


def chosen(count: int, most: int) -> dict[str, list[dict]]:
    """For each method the axes of `count` judged records of different solvers and generators, the largest ones up to
    this dimension; if there are too few, also the smallest ones above it."""
    found: dict[str, dict[tuple, dict]] = defaultdict(dict)
    for manifest in sorted(RESULTS.glob("**/manifest.json")):
        for record in records(manifest.parent):
            axes, method = record["case"], record["case"]["method"]
            size = max(axes.get(name, 0) for name in ("n", "m", "m_f", "m_g"))
            files = any(mark in axes["generator"] for mark in ("file:", "files:"))
            ours = axes["backend"] in ("host", "cuda") and axes.get("ranks", 1) == 1 and "solver_digest" not in axes
            if not ours or files or record["status"] not in ("passed", "incorrect"):
                continue
            kind, far = (axes["solver"], axes["generator"], axes["type"]), (size > most, abs(size - most))
            if kind not in found[method] or far < found[method][kind][0]:
                found[method][kind] = (far, axes)
    picked = {}
    for method in METHODS:
        near = [kind for kind in found[method] if not found[method][kind][0][0]]
        kinds = sorted(near if len(near) >= count else found[method], key=lambda kind: (found[method][kind][0], kind))
        step = max(1, len(near) // count)
        picked[method] = [found[method][kind][1] for kind in kinds[::step][:count]]
    return picked


def judged(program: str, axes: dict, judge: str, folder: Path, seconds: int) -> dict:
    """Solves a case and judges it; returns its record."""
    name = judge.replace(" ", "-")
    spec = {
        "schema": "pivotlab/spec/1",
        "name": name,
        "title": "A committed case",
        "method": axes["method"],
        "axes": {axis: [value] for axis, value in axes.items() if axis not in ("method", "backend")},
        "timing": {"warmup": 0, "min_repeats": 1, "max_repeats": 1},
        "report": {"expect_incorrect": True},
    }
    file = folder / f"{name}.json"
    file.write_text(json.dumps(spec))
    command = [program, "run", str(file), "--backend", "host", "-q", "-o", str(folder), "--timeout", str(seconds)]
    done = subprocess.run(command, env=os.environ | {"PIVOTLAB_JUDGE": judge}, capture_output=True, text=True)
    found = records(folder / name)
    if len(found) != 1:
        raise RuntimeError(f"{axes}: {done.stderr.strip() or done.stdout.strip()}")
    return found[0]


def compared(method: str, axes: dict, exact: dict, other: dict) -> dict:
    """What both judges say; `agree` is whether verdicts are equal and residuals within the bounds. Beside the proved
    bound these have room for the rounding of errors to double and of their norms."""
    first, second = exact.get("metrics") or {}, other.get("metrics") or {}
    proof = first.get("proof") or {}
    differences = {}
    for name in RESIDUALS[method]:
        x, y = first.get(name), second.get(name)
        if x is not None and y is not None:
            differences[name] = {"exact": x, "other": y, "bound": proof.get("residual_error", 0)}
    agree = exact["status"] == other["status"] and all(
        abs(d["exact"] - d["other"]) <= d["bound"] + 1e-11 * max(d["exact"], d["other"]) for d in differences.values()
    )
    return {
        "case": axes,
        "status": [exact["status"], other["status"]],
        "precision": [first.get("precision"), second.get("precision")],
        "residuals": differences,
        "agree": agree,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=10, help="records of each method")
    parser.add_argument("--most", type=int, default=96, help="largest dimension")
    parser.add_argument("--seconds", type=int, default=60, help="time limit of a case")
    options = parser.parse_args()
    result = {}
    for method, cases in chosen(options.count, options.most).items():
        pairs = []
        for axes in cases:
            with tempfile.TemporaryDirectory() as folder:
                both = [judged(options.program, axes, judge, Path(folder), options.seconds) for judge in JUDGES]
                pairs.append(compared(method, axes, *both))
        proved = sum(pair["precision"][0] == "exact products" for pair in pairs)
        equal = sum(pair["agree"] for pair in pairs)
        print(f"{method}: {len(pairs)} records, {proved} judged by exact products, {equal} judged alike")
        result[method] = pairs
    options.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0 if all(pair["agree"] for pairs in result.values() for pair in pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
