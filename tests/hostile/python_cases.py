# SPDX-License-Identifier: BSD-3-Clause
"""Cases of the Python module. Each function returns what is wrong, or an empty text; check.py runs it in a process.

Right answers: exact rational arithmetic (FLINT), mpmath, or by definition.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pivotlab
from mpmath import mp

from matrix_market import read

sys.path.append(str(Path(__file__).resolve().parents[1] / "truth"))
import exact  # noqa: E402

INPUTS = Path(__file__).resolve().parent / "inputs"
REFUSALS = (pivotlab.InputError, pivotlab.StatusError)


def inputs(case: dict) -> list[np.ndarray]:
    return [read(INPUTS / name) for name in case["files"]]


def sigma_error(case: dict) -> str:
    """The estimates of a reduced pair hold: errors are at most four of them, or `factor`."""
    F, G = inputs(case)
    r = pivotlab.gsvd(F, G, threads=1)
    wrong = []
    for x, t, estimate in zip(r.sigma[r.k :], map(Fraction, case["truth"]), r.sigma_error[r.k :], strict=True):
        error = float(abs(Fraction(float(x)) - t) / t)
        if not error <= case.get("factor", 4) * estimate:
            wrong.append(f"sigma = {x:.17g}: relative error {error:.1e}, sigma_error {estimate:.1e}")
    return "; ".join(wrong)


def eigenvectors(case: dict) -> str:
    """Residuals of eig() are those of a backward stable method, and the judge agrees."""
    n = case.get("frank", 0)
    A = np.array([[min(n - i, n - j) if i <= j + 1 else 0 for j in range(n)] for i in range(n)], float)
    if not n:
        (A,) = inputs(case)
    r = pivotlab.eig(A, left=case["left"], threads=1)
    residual = max(np.linalg.norm(A @ r.V - r.V * r.eigenvalues, axis=0)) / np.linalg.norm(A)
    bound = 30 * len(A) * np.finfo(float).eps
    j = pivotlab.judge(A, r)
    if residual <= bound and j.passed:
        return ""
    return f"residual {residual:.1e}, bound {bound:.1e}; judge: {j.status} {j.message}"


def graded_solution(case: dict) -> str:
    """ldlt() of D R D, D graded and R well-conditioned, has the exact inertia and solves to full accuracy."""
    (A,) = inputs(case)
    b = np.exp2(np.round(np.log2(np.abs(np.diag(A))) / 2)) * np.arange(1.0, len(A) + 1)  # as the rows of A
    f = pivotlab.ldlt(A, variant=case["variant"])
    if tuple(f.inertia) != exact.inertia(A):
        return f"inertia {tuple(f.inertia)} for {exact.inertia(A)}"
    truth = [row[0] for row in exact.solve(A, b[:, None])]
    error = max(float(abs(Fraction(float(x)) - t) / abs(t)) for x, t in zip(f.solve(b), truth, strict=True))
    return "" if error <= 1e-10 else f"largest relative error of x {error:.1e}"


def growth(case: dict) -> str:
    """The growth of every stage is that of an elimination in the same order of pivots with 50 digits."""
    mp.dps = 50
    (A,) = inputs(case)
    n = len(A)
    f = pivotlab.ldlt(A, variant=case["variant"], threads=1)
    p = [int(i) for i in f.permutation]
    M = [[mp.mpf(A[i, j]) for j in p] for i in p]
    largest = max(abs(x) for row in M for x in row)
    worst = 0.0
    for k, size, told in zip(f.stages["first"], f.stages["size"], f.stages["growth"], strict=True):
        true = max(abs(M[i][j]) for i in range(k, n) for j in range(k, i + 1)) / largest
        worst = max(worst, abs(float(true) / float(told) - 1))
        a, b, c = M[k][k], M[k + 1][k] if size == 2 else 0, M[k + 1][k + 1] if size == 2 else 1
        det = a * c - b * b
        for i in range(k + size, n):
            x, y = M[i][k], M[i][k + 1] if size == 2 else 0
            if x == 0 and y == 0:
                continue
            u, w = (x * c - y * b) / det, (y * a - x * b) / det
            for j in range(k + size, i + 1):
                M[i][j] -= u * M[j][k] + (w * M[j][k + 1] if size == 2 else 0)
            for j in range(k + size, i):
                M[j][i] = M[i][j]
    return "" if worst < 1e-6 else f"the growth of a stage is off by a factor of {worst + 1:.3g}"


def solution_error(A: np.ndarray, b: np.ndarray, tolerance: float, solve: Callable) -> str:
    """solve(A, b) is refused, or right to the tolerance relative to the largest element."""
    truth = [row[0] for row in exact.solve(A, b[:, None])]
    try:
        x = solve(A, b)
    except REFUSALS:
        return ""
    size = min(max(abs(t) for t in truth), Fraction(2) ** 1023)
    error = max(
        float(abs(Fraction(float(a)) - t) / size) if np.isfinite(a) else np.inf for a, t in zip(x, truth, strict=True)
    )
    return "" if error <= tolerance else f"forward error {error:.2g}"


def refined(variant: str) -> Callable:
    return lambda A, b: pivotlab.ldlt(A, variant=variant, threads=1).solve_refined(A, b).X


def hilbert(n: int) -> np.ndarray:
    return np.array([[1 / (i + j + 1) for j in range(n)] for i in range(n)])


def refined_hilbert_8() -> str:
    return solution_error(hilbert(8), np.ones(8), 1.8e-15, refined("LDLT-RK"))


def refined_hilbert_7() -> str:
    return solution_error(hilbert(7), (-1.0) ** np.arange(7), 1.8e-15, refined("LDLT-BK"))


def refined_vandermonde() -> str:
    V = np.vander((np.arange(10) + 1) / 10, increasing=True)
    A = V.T @ V
    return solution_error(np.tril(A) + np.tril(A, -1).T, np.ones(10), 1.8e-15, refined("LDLT-RK"))


def refined_scaled_hilbert() -> str:
    A = np.array([[(i + 1) * (j + 1) / (i + j + 1) for j in range(14)] for i in range(14)])
    return solution_error(A, A @ np.ones(14), 1.8e-15, refined("LDLT-RK"))


def refined_overflow() -> str:
    A = np.array([[1.0, 2.0], [2.0, 2.0**-10]]) * 2.0**-1000
    return solution_error(A, np.array([2.0**40, 3 * 2.0**40]), 1.8e-15, refined("LDLT-RK"))


def solve_overflow() -> str:
    A = np.array([[2.0**-530, 2.0**-500], [2.0**-500, 2.0**-531]])
    plain = lambda A, b: pivotlab.ldlt(A, variant="LDLT-RK", threads=1).solve(b)  # noqa: E731
    return solution_error(A, np.array([2.0**600, 2.0**600]), 1e-10, plain)


def empty_pair(F: np.ndarray, G: np.ndarray) -> str:
    """All sigma of a pair with an empty matrix are 0 (F) or infinite (G), and the judge agrees."""
    r = pivotlab.gsvd(F, G, x=True)
    j = pivotlab.judge((F, G), r)
    right = np.all(r.sigma == 0) if len(F) == 0 else np.all(np.isinf(r.sigma))
    return "" if right and j.passed else f"sigma {r.sigma[:3]}; judge: {j.status} {j.message}"


DIAGONAL = np.diag([3.0, 2.0, 1.0])
PAIR = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 0.0], [1.0, 1.0]])


def must_not_pass(problem, result) -> str:
    j = pivotlab.judge(problem, result)
    return "judge says passed" if j.passed else ""


def ascending_eigenvalues() -> str:
    j = pivotlab.judge(DIAGONAL, pivotlab.Eigh(eigenvalues=np.array([1.0, 2.0, 3.0]), U=np.eye(3)[:, ::-1]))
    return "" if j.passed else f"judge says {j.status} {j.message}"


def truth_value_of_a_judgement() -> str:
    j = pivotlab.judge(DIAGONAL, dataclasses.replace(pivotlab.eigh(DIAGONAL), eigenvalues=np.array([4.0, 2.0, 0.0])))
    try:
        accepted = bool(j)
    except TypeError:
        accepted = False
    return "" if not j.passed and not accepted else f"status {j.status}, bool {accepted}"


def wrong_eigenvalues(values: list[float]) -> str:
    return must_not_pass(DIAGONAL, pivotlab.Eigh(eigenvalues=np.array(values), U=None))


def estimate_of_nan() -> str:
    r = pivotlab.gsvd(*PAIR, x=True)
    return must_not_pass(PAIR, dataclasses.replace(r, sigma_error=np.full(len(r.sigma), np.nan)))


def wrong_inertia() -> str:
    return must_not_pass(DIAGONAL, dataclasses.replace(pivotlab.eigh(DIAGONAL), inertia=(0, 3, 0)))


def rank_zero() -> str:
    return must_not_pass(PAIR, pivotlab.gsvd(*PAIR, tolerance_f=1e10, tolerance_g=1e10, x=True))


def semidefinite_pair() -> str:
    """definite_pair takes a semidefinite K, as the Laplacian of a path is."""
    K, M = read(INPUTS / "path-laplacian_K.mtx"), read(INPUTS / "path-laplacian_M.mtx")
    pair = pivotlab.definite_pair(K, M)
    sigma = pivotlab.gsvd(pair.F, pair.G).sigma
    error = np.max(np.abs(sigma**2 - [1.767591879, 0.5657414540, 0.0]))
    return "" if error < 1e-9 and abs(sigma[2]) < 1e-15 else f"sigma {sigma}"


SINGLE: dict[str, Callable[[], str]] = {
    "N6-a": lambda: empty_pair(np.zeros((0, 16)), np.diag(np.arange(1.0, 17))),
    "N6-b": lambda: empty_pair(np.eye(18, 16) + 1.0, np.zeros((0, 16))),
    "N6-c": lambda: empty_pair(np.diag(np.arange(1.0, 25)), np.zeros((0, 24))),
    "N6-d": lambda: empty_pair(np.zeros((0, 40)), np.eye(42, 40) + 1.0),
    "N8-a": refined_hilbert_8,
    "N8-b": refined_hilbert_7,
    "N8-c": refined_vandermonde,
    "N8-d": refined_scaled_hilbert,
    "N8-e": refined_overflow,
    "N8-f": solve_overflow,
    "N15-a": lambda: wrong_eigenvalues([4.0, 2.0, 0.0]),
    "N15-b": lambda: wrong_eigenvalues([70.0, 5.0, -60.0]),
    "N15-c": ascending_eigenvalues,
    "N15-d": truth_value_of_a_judgement,
    "N15-e": estimate_of_nan,
    "N15-f": wrong_inertia,
    "N15-g": rank_zero,
    "public-path-laplacian": semidefinite_pair,
}
WITH_FILES: dict[str, Callable[[dict], str]] = {
    f.__name__: f for f in (sigma_error, eigenvectors, graded_solution, growth)
}
