# SPDX-License-Identifier: BSD-3-Clause
"""Runs random problems of a method against exact or multiprecision truth and counts what was told wrongly.

A method's module (gsvd.py, ldlt.py, ...) has
    FAMILIES: {name: function(rng, largest order) -> problem}
    examine(problem) -> Outcome
Problem k of a run is drawn by family k mod len(FAMILIES) from the generator with the seed (seed, k), so that a problem
is known by three numbers and can be repeated by itself.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

METHODS = tuple(
    m
    for m in ("gsvd", "ldlt", "eig", "eigh", "hsvd", "ghsvd", "inertia", "pencil", "refine", "judges")
    if Path(__file__).with_name(m + ".py").exists()
)
# What must not happen: a wrong result that passes, a right one that does not, an error above the claimed estimate, and
# anything that is neither a result nor a refusal in one line (NaN, an internal error, the end of the process).
KINDS = ("wrong passed", "false incorrect", "estimate violated", "invalid")
LARGEST_ORDER = 40


@dataclass
class Outcome:
    """`verdict` is passed, incorrect, refused or not determined; `faults` are pairs of a kind and its numbers."""

    verdict: str
    faults: list[tuple[str, str]] = field(default_factory=list)

    def add(self, kind: str, text: str) -> None:
        if kind not in KINDS:
            raise ValueError(kind)
        self.faults.append((kind, text))


def order(rng: np.random.Generator, largest: int, least: int = 0) -> int:
    """Draws an order: half of them are at most 6, where faults are easy to read."""
    return int(
        rng.integers(
            least,
            max(least, min(6, largest)) + 1 if rng.random() < 0.5 else largest + 1,
        )
    )


def examine(method: str, seed: int, k: int, largest: int = LARGEST_ORDER) -> dict:
    """Draws and examines problem k. An exception is a fault of kind `invalid`, not an end of the run."""
    module = importlib.import_module(method)
    family = list(module.FAMILIES)[k % len(module.FAMILIES)]
    try:
        outcome = module.examine(module.FAMILIES[family](np.random.default_rng([seed, k]), largest))
    except Exception as failure:  # noqa: BLE001
        outcome = Outcome("error", [("invalid", f"{type(failure).__name__}: {failure}")])
    return {"problem": k, "family": family} | asdict(outcome)


def _in_process(method: str, seed: int, problems: range, largest: int) -> Iterator[dict]:
    """Outcomes of these problems from a process of its own, which is replaced when a problem ends it."""
    left = problems
    while left:
        command = [
            sys.executable,
            Path(__file__).with_name("run.py"),
            method,
            "--seed",
            seed,
            "--largest",
            largest,
        ]
        command += ["--lines", f"{left.start}:{left.stop}"]
        done = subprocess.run([str(c) for c in command], check=False, capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        yield from lines
        left = left[len(lines) :]
        if left and done.returncode >= 0:
            raise RuntimeError(done.stderr)
        if left:
            family = list(importlib.import_module(method).FAMILIES)
            fault = ("invalid", f"the process ends by signal {-done.returncode}")
            yield {
                "problem": left[0],
                "family": family[left[0] % len(family)],
                "verdict": "crash",
                "faults": [fault],
            }
            left = left[1:]


def run(
    method: str,
    count: int,
    seed: int = 1,
    jobs: int = 1,
    largest: int = LARGEST_ORDER,
    chunk: int = 100,
) -> dict:
    """Examines problems 0 to count - 1. Returns counts of verdicts and faults for each family, and all faults."""
    chunks = [range(k, min(k + chunk, count)) for k in range(0, count, chunk)]
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda part: list(_in_process(method, seed, part, largest)), chunks)
        outcomes = [outcome for part in parts for outcome in part]
    families: dict[str, Counter] = {}
    for outcome in outcomes:
        counts = families.setdefault(outcome["family"], Counter())
        counts.update(["problems", outcome["verdict"]])
        counts.update({kind for kind, _ in outcome["faults"]})
    faults = Counter(kind for outcome in outcomes for kind in {kind for kind, _ in outcome["faults"]})
    return {
        "method": method,
        "seed": seed,
        "problems": len(outcomes),
        "largest_order": largest,
        "verdicts": dict(Counter(outcome["verdict"] for outcome in outcomes)),
        "faults": {kind: faults[kind] for kind in KINDS},
        "families": {name: dict(counts) for name, counts in families.items()},
        "examples": [outcome for outcome in outcomes if outcome["faults"]][:100],
    }
