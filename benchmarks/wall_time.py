#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measure calls with NumPy matrices on a GPU: wall time, compute time, bytes between host and GPU, and the wall time
that they allow, 1.1·(compute time + bytes at 20 GB/s).

  benchmarks/wall_time.py --n 256,1000,4096 --threads 1,0 -o FILE.json

Milliseconds of the call with the median wall time, after a first one that is not counted. Matrices are stored by
columns, as the library's own are, or by rows, as NumPy's are.
"""

import argparse
import json
import pathlib
import time
from collections.abc import Callable
from itertools import product

import numpy as np
import pivotlab

LINK = 20e9
"""Bytes a second that are expected of copies."""

PROBLEMS: dict[str, Callable] = {
    "svd": lambda n: (pivotlab.svd, "HSVD-ME-BO;exact;spectral", [general(n)]),
    "eigh": lambda n: (pivotlab.eigh, "HEV-2STAGE", [symmetric(n)]),
    "gsvd": lambda n: (pivotlab.gsvd, "auto", [general(n), general(n, 8)]),
    "ldlt": lambda n: (pivotlab.ldlt, "LDLT-RK", [symmetric(n)]),
    "eig": lambda n: (pivotlab.eig, "ZEIG-(RR);b=16", [general(n)]),
}


def general(n: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, n))


def symmetric(n: int) -> np.ndarray:
    A = general(n)
    return A + A.T


def matrices_of(result: object) -> list[np.ndarray]:
    """The matrices that the call has copied from the GPU."""
    found = (getattr(result, name, None) for name in ("U", "V", "Z", "M"))
    return [matrix for matrix in found if matrix is not None]


def measure(name: str, n: int, order: str, threads: int, seconds: float) -> dict:
    solver, variant, matrices = PROBLEMS[name](n)
    matrices = [np.array(matrix, order=order) for matrix in matrices]

    def call() -> tuple[float, float, int]:
        start = time.perf_counter()
        result = solver(*matrices, variant=variant, backend="cuda", threads=threads)
        wall = time.perf_counter() - start
        return wall, result.compute_seconds, sum(matrix.nbytes for matrix in [*matrices, *matrices_of(result)])

    call()
    begin, samples = time.perf_counter(), []
    while len(samples) < 3 or (len(samples) < 21 and time.perf_counter() - begin < seconds):
        samples.append(call())
    wall, compute, moved = sorted(samples)[len(samples) // 2]
    row = {"solver": name, "n": n, "stored_by": {"F": "columns", "C": "rows"}[order], "threads": threads}
    times = {"compute_s": compute, "wall_s": wall, "allowed_s": 1.1 * (compute + moved / LINK)}
    return row | times | {"bytes": moved, "calls": len(samples)}


def line(row: dict) -> str:
    head = f"{row['solver']:<6} {row['n']:>5} {row['stored_by']:<8} {row['threads'] or 'all':>7}"
    times = " ".join(f"{1e3 * row[key]:9.3f}" for key in ("compute_s", "wall_s", "allowed_s"))
    return f"{head} {row['bytes'] / 1e6:7.1f} {times}  {'too long' if row['wall_s'] > row['allowed_s'] else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solver", default=",".join(PROBLEMS))
    parser.add_argument("--n", default="256,1000,4096")
    parser.add_argument("--threads", default="1,0", help="numbers of threads; 0: all")
    parser.add_argument("--seconds", type=float, default=10, help="of the calls of a row, three or more")
    parser.add_argument("-o", dest="output", help="file for the rows as JSON")
    options = parser.parse_args()
    numbers = {name: [int(x) for x in getattr(options, name).split(",")] for name in ("n", "threads")}
    rows = []
    print("solver     n by       threads      MB   compute      wall   allowed  ms")
    for name, n, threads, order in product(options.solver.split(","), numbers["n"], numbers["threads"], "FC"):
        rows.append(measure(name, n, order, threads, options.seconds))
        print(line(rows[-1]), flush=True)
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
