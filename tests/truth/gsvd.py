# SPDX-License-Identifier: BSD-3-Clause
"""Random pairs against exact truth: ranks by rational arithmetic, finite generalized singular values as roots of the
characteristic polynomial of an exactly reduced pair."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
import pivotlab
from flint import arb, fmpq_mat

import exact
from harness import Outcome, order

VARIANTS = ("auto",) * 6 + ("?GT-(auto)", "?HZ0-(ME-FB-ME)", "?HZ3-(ME-FB-ME)", "?GT-(L);qr=pivoted")
LARGEST_TRUTH = 12  # of sigma; ranks are compared for all orders
RELIABLE = 0.1  # with an estimate from here on, none is reliable


@dataclass
class Problem:
    F: np.ndarray
    G: np.ndarray
    variant: str = "auto"
    by_digits: bool = True  # ranks of elements of few digits are demanded exactly; others only where they are clear
    values: bool = True  # whether sigma are compared with the truth
    extreme: bool = (
        False  # powers of two over so wide a range that a method may fail, as long as it or the judge says so
    )


# ---- Truth ----


def _rational(A: np.ndarray) -> fmpq_mat:
    return exact.matrix(A)


def _pivot_columns(A: fmpq_mat) -> tuple[fmpq_mat, list[int]]:
    """The reduced row echelon form and its pivot columns."""
    R, rank = A.rref()
    pivots, j = [], 0
    for i in range(rank):
        while R[i, j] == 0:
            j += 1
        pivots.append(j)
    return R, pivots


def _columns(A: fmpq_mat, which: list[int]) -> fmpq_mat:
    return fmpq_mat(A.nrows(), len(which), [A[i, j] for i in range(A.nrows()) for j in which])


def _null_space(A: fmpq_mat) -> tuple[fmpq_mat, list[int]]:
    """A basis of the null space, and the pivot columns."""
    R, pivots = _pivot_columns(A)
    free = [j for j in range(A.ncols()) if j not in pivots]
    N = fmpq_mat(A.ncols(), len(free))
    for c, j in enumerate(free):
        N[j, c] = 1
        for i, p in enumerate(pivots):
            N[p, c] = -R[i, j]
    return N, pivots


def finite_squares(F: np.ndarray, G: np.ndarray) -> list:
    """The squares of the finite generalized singular values as balls, descending: the eigenvalues of (Fᴴ F, Gᴴ G) on
    the pivot columns of G, after the part of F in the range of F N, G N = 0, is projected out."""
    twice = 2 if np.iscomplexobj(F) or np.iscomplexobj(G) else 1
    if twice == 2:
        F, G = F.astype(complex), G.astype(complex)
    f, g = _rational(F), _rational(G)
    N, pivots = _null_space(g)
    if not pivots:
        return []
    f_r, g_r = _columns(f, pivots), _columns(g, pivots)
    K, M = f_r.transpose() * f_r, g_r.transpose() * g_r
    if N.ncols() and f.nrows():
        B = f * N
        B = _columns(B, _pivot_columns(B)[1])
        if B.ncols():
            coupling = B.transpose() * f_r
            K -= coupling.transpose() * (B.transpose() * B).solve(coupling)
    return exact.real_roots(M.solve(K).charpoly(), twice)


def _clear(A: np.ndarray) -> bool:
    """Whether no rounding error, relative to columns, changes the rank of A."""
    norms = np.linalg.norm(A, axis=0)
    B = A[:, norms > 0] / norms[norms > 0]
    if B.size == 0:
        return True
    s = np.linalg.svd(B, compute_uv=False)
    return not np.any((s > 1e-19 * s[0]) & (s < 1e-9 * s[0])) and int(np.sum(s > 1e-9 * s[0])) == exact.rank(A)


# ---- Examination ----


def examine(problem: Problem) -> Outcome:
    F, G, variant = problem.F, problem.G, problem.variant
    try:
        r = pivotlab.gsvd(F, G, variant=variant, x=True, check=False)
    except pivotlab.InputError as refusal:
        outcome = Outcome("refused")
        reasons = ("range of double", "told from zero") + ("singular core pair",) * problem.extreme
        if not any(reason in str(refusal) for reason in reasons):
            outcome.add("invalid", f"refused: {refusal}")
        return outcome
    if r.status == "failed" and problem.extreme:
        return Outcome("refused")
    if r.status not in ("passed", "incorrect"):
        return Outcome(r.status, [("false incorrect", f"the solver: {r.status} {r.message}")])
    judged = pivotlab.judge((F, G), r)
    outcome = Outcome(judged.status)
    if r.status == "incorrect":
        if judged.passed:
            outcome.add("false incorrect", f"the solver: {r.message}")
        return outcome
    if not np.all(np.isfinite(r.sigma[r.k :])) or (r.sigma_error is not None and np.any(np.isnan(r.sigma_error))):
        outcome.add("invalid", f"sigma {r.sigma}, estimates {r.sigma_error}")
        return outcome

    both = np.vstack([F, G])
    rank_f, l, rank = exact.rank(F), exact.rank(G), exact.rank(both)
    passed = "wrong passed" if judged.passed else "invalid"
    if problem.by_digits or (_clear(F) and _clear(G) and _clear(both)):
        if (r.k, r.l) != (rank - l, l):
            outcome.add(passed, f"k, l = {r.k}, {r.l} for {rank - l}, {l}")
            return outcome
        zeros = int(np.sum(r.sigma == 0))
        if zeros != rank - rank_f:
            outcome.add(passed, f"{zeros} sigma are 0, not {rank - rank_f}")
            return outcome
    elif (r.k, r.l) != (rank - l, l):
        outcome.verdict = "not determined"
        return outcome
    if not judged.passed and not problem.extreme:
        outcome.add("false incorrect", judged.message)
    if not problem.values or max(F.shape[1] * (2 if np.iscomplexobj(both) else 1), 1) > LARGEST_TRUTH:
        return outcome
    _compare(r, finite_squares(F, G), outcome)
    return outcome


def _compare(r: pivotlab.Gsvd, squares: list, outcome: Outcome) -> None:
    sigma = np.sort(r.sigma[r.k :])[::-1]
    estimates = r.sigma_error if r.sigma_error is not None else None
    if estimates is None:
        return
    estimates = estimates[r.k :][np.argsort(-r.sigma[r.k :], kind="stable")]
    if np.any(estimates[sigma > 0] >= RELIABLE):
        outcome.verdict = "not determined"
        return
    # The estimate of σ = 0 is infinite, and of what is as small as rounding errors beside it none is claimed.
    lost = np.finfo(float).eps * max(sigma) if np.any(sigma == 0) else 0
    for x, square, estimate in zip(sigma, squares, estimates, strict=True):
        if square == 0 or x <= lost:
            continue
        error = float(abs(arb(float(x)) / arb(square).sqrt() - 1).mid())
        if not isfinite(error) or error > 10 * max(estimate, 2.0**-53):
            outcome.add("estimate violated", f"sigma {x:.6g}, relative error {error:.1e}, estimate {estimate:.1e}")


# ---- Families ----


def _variant(rng: np.random.Generator) -> str:
    return str(rng.choice(VARIANTS))


def _integers(rng: np.random.Generator, rows: int, cols: int, most: int = 3, complex_: bool = False) -> np.ndarray:
    A = rng.integers(-most, most + 1, (rows, cols)).astype(float)
    return A + 1j * rng.integers(-most, most + 1, (rows, cols)) if complex_ else A


def _of_rank(rng: np.random.Generator, rows: int, cols: int, rank: int, complex_: bool = False) -> np.ndarray:
    return _integers(rng, rows, rank, 2, complex_) @ _integers(rng, rank, cols, 2, complex_)


def integers(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, largest)
    rows = [int(rng.integers(0, n + 4)) for _ in range(2)]
    complex_ = bool(rng.random() < 0.3)
    F, G = (_of_rank(rng, m, n, int(rng.integers(0, min(m, n) + 1)), complex_) for m in rows)
    return Problem(F, G, _variant(rng))


def zero_rows_and_columns(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, largest, 1)
    F, G = (_integers(rng, int(rng.integers(0, n + 3)), n) for _ in range(2))
    for A in (F, G):
        A[:, rng.random(n) < 0.2] = 0
        A[rng.random(len(A)) < 0.2] = 0
        if n > 1 and rng.random() < 0.5:
            A[:, 0] = A[:, -1]
    return Problem(F, G, _variant(rng))


def triangular(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, largest, 2)
    G = np.triu(_integers(rng, n, n))
    G[np.diag_indices(n)] = rng.choice([1, 2, -1, 3], n)
    for j in rng.integers(0, n, int(rng.integers(0, 3))):
        G[j, j] = 0
    return Problem(_integers(rng, int(rng.integers(1, n + 2)), n), G, _variant(rng))


def graded_columns(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, LARGEST_TRUTH), 2)
    F = rng.standard_normal((n + int(rng.integers(0, 3)), n)) * 10.0 ** rng.uniform(0, rng.choice([4, 8, 12]), n)
    F *= 10.0 ** rng.choice([0, 3, 6, 12])
    G = (
        _integers(rng, int(rng.integers(1, n)), n)
        if rng.random() < 0.5
        else _of_rank(rng, n, n, int(rng.integers(1, n)))
    )
    return Problem(F, G, _variant(rng), by_digits=False)


def parallel_columns(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, LARGEST_TRUTH), 2)
    F = rng.standard_normal((n, n))
    F[:, 1] = F[:, 0] + 10.0 ** rng.uniform(-9, -2) * F[:, 1]
    return Problem(F, _integers(rng, int(rng.integers(1, n + 1)), n), _variant(rng), by_digits=False)


def hilbert(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, 10), 2)
    F = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1.0)
    G = np.diff(np.eye(n), axis=0) if rng.random() < 0.5 else _integers(rng, int(rng.integers(1, n)), n)
    return Problem(F, G, by_digits=False)


def full_rank(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, LARGEST_TRUTH), 1)
    F, G = (rng.standard_normal((n + int(rng.integers(0, 3)), n)) for _ in range(2))
    if rng.random() < 0.3:
        F, G = F[:, : n // 2] + 1j * F[:, : n // 2], G[:, : n // 2] - 2j * G[:, : n // 2][::-1]
    for A in (F, G):
        if A.size and rng.random() < 0.5:
            A *= 10.0 ** rng.uniform(-4, 4, A.shape[1])
        if A.size and rng.random() < 0.3:
            A *= 10.0 ** rng.uniform(-4, 4, (len(A), 1))
    return Problem(F, G, _variant(rng), by_digits=False)


def wide(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, LARGEST_TRUTH), 2)
    F, G = (rng.standard_normal((int(rng.integers(1, n + 1)), n)) for _ in range(2))
    return Problem(F, G, _variant(rng), by_digits=False)


def scales(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, 8), 1)
    complex_ = bool(rng.random() < 0.5)
    F, G = (_integers(rng, int(rng.integers(1, n + 2)), n, 3, complex_) for _ in range(2))
    a, b = (int(x) for x in rng.choice([-1074, -1040, -1000, -700, -650, -500, 0, 0, 500, 650, 700, 1000, 1019], 2))
    return Problem(F * 2.0**a, G * 2.0**b, _variant(rng))


def spread(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, 8), 1)
    F, G = (_integers(rng, int(rng.integers(1, n + 2)), n) for _ in range(2))
    top = int(rng.choice([100, 300, 450]))
    for A in (F, G):
        A *= 2.0 ** rng.integers(-top, top + 1, n)
    if rng.random() < 0.5:  # the same scaling of the columns of both matrices
        common = 2.0 ** rng.integers(-500, 500, n)
        F, G = F * common, G * common
    return Problem(F, G, _variant(rng), extreme=True)


def multiples(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, largest, 1)
    G = _integers(rng, n + int(rng.integers(0, 2)), n)
    return Problem(G * float(rng.choice([1, 3, -2, 7])), G, _variant(rng))


def generated(rng: np.random.Generator, largest: int) -> Problem:
    n = order(rng, min(largest, LARGEST_TRUTH), 2)
    k, seed = int(rng.integers(0, n)), int(rng.integers(1, 1000))
    name = str(rng.choice(["random", "ranks", "lapack", "graded"]))
    if name == "ranks":
        name = f"ranks;k={k};l={n - k - int(rng.integers(0, 2)) if n - k > 1 else n - k}"
    elif name == "lapack":
        name = f"lapack;type={int(rng.integers(1, 6))}"
    elif name == "graded":
        name = f"graded;g={int(rng.integers(1, 9))};side={rng.choice(['left', 'right'])}"
    pair = pivotlab.generate("gsvd", name, n, seed=seed)
    return Problem(pair.F, pair.G, _variant(rng), by_digits=name.startswith("ranks"))


FAMILIES = {
    f.__name__: f
    for f in (
        integers,
        zero_rows_and_columns,
        triangular,
        graded_columns,
        parallel_columns,
        hilbert,
        full_rank,
        wide,
        scales,
        spread,
        multiples,
        generated,
    )
}
