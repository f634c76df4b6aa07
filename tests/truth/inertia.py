# SPDX-License-Identifier: BSD-3-Clause
"""Certificates of inertia (certify_inertia and Ldlt.certify) against exact rational arithmetic.

A fault is a certified inertia that is wrong, a lower bound above the truth, an eigenvalue outside the bounds that are
claimed, and a status that does not fit the counts. What stays undetermined is counted, not a fault.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pivotlab

import exact
from harness import Outcome, order

LEVELS = ("double", "double-double", "exact")


@dataclass
class Problem:
    A: np.ndarray
    level: str
    equilibrate: bool
    through_factors: bool  # of another matrix of the same order


def _problem(rng: np.random.Generator, A: np.ndarray) -> Problem:
    level = LEVELS[2] if rng.random() < 0.6 else LEVELS[rng.integers(2)]
    return Problem(A, level, bool(rng.random() < 0.7), bool(rng.random() < 0.2))


def _hermitian(rng: np.random.Generator, B: np.ndarray) -> np.ndarray:
    """The Hermitian matrix with the lower triangle of B; some are real."""
    lower = np.tril(B, -1)
    return lower + lower.conj().T + np.diag(np.diag(B).real).astype(B.dtype)


def _entries(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    B = rng.standard_normal((n, m))
    return B + 1j * rng.standard_normal((n, m)) if rng.random() < 0.3 else B


def _integers(rng: np.random.Generator, n: int, m: int, largest: int) -> np.ndarray:
    B = rng.integers(-largest, largest + 1, (n, m)).astype(float)
    return B + 1j * rng.integers(-largest, largest + 1, (n, m)) if rng.random() < 0.3 else B


def _of_rank(rng: np.random.Generator, n: int, r: int, largest: int = 3) -> np.ndarray:
    X = _integers(rng, n, r, largest)
    return (X * rng.choice([-1.0, 1.0], r)) @ X.conj().T


def dense(rng, largest):
    return _problem(rng, _hermitian(rng, _entries(rng, *[order(rng, largest)] * 2)))


def small_integers(rng, largest):
    n = order(rng, largest)
    return _problem(rng, _hermitian(rng, _integers(rng, n, n, 2)))


def low_rank(rng, largest):
    n = order(rng, largest)
    return _problem(rng, _of_rank(rng, n, int(rng.integers(0, n + 1))))


def hidden_gap(rng, largest):
    """Large, middle and small eigenvalues of integers, some of them zero."""
    n = order(rng, min(largest, 12), 1)
    sizes = np.sort(rng.integers(0, 45, 3))[::-1]
    sizes = [sizes[0], sizes[1] // 2, 0]
    ranks = rng.integers(0, n + 1, 3)
    return _problem(rng, sum(2.0**s * _of_rank(rng, n, int(r), 2) for s, r in zip(sizes, ranks, strict=True)))


def kkt(rng, largest):
    """[H Bᵀ; B 0], at times with dependent rows of B and rows of all scales."""
    n, m = order(rng, max(1, largest // 2), 1), order(rng, max(1, largest // 3))
    B = _integers(rng, m, n, 4).real
    if m > 1 and rng.random() < 0.3:
        B[-1] = B[0] - (B[1] if m > 2 else 0)
    H = _of_rank(rng, n, int(rng.integers(0, n + 1))).real
    K = np.block([[H, B.T], [B, np.zeros((m, m))]])
    scale = 2.0 ** rng.integers(-20, 21, n + m) if rng.random() < 0.5 else np.ones(n + m)
    return _problem(rng, K * scale[:, None] * scale)


def graded(rng, largest):
    n = order(rng, min(largest, 12))
    scale = 2.0 ** -np.cumsum(rng.integers(0, 60, n))
    with np.errstate(under="ignore"):
        return _problem(rng, _hermitian(rng, _entries(rng, n, n) * scale[:, None] * scale))


def nearly_singular(rng, largest):
    """An integer matrix of low rank with one element changed by an ulp or less."""
    n = order(rng, largest, 1)
    A = _of_rank(rng, n, int(rng.integers(0, n)))
    i = int(rng.integers(n))
    A[i, i] += 2.0 ** -int(rng.integers(30, 60))
    return _problem(rng, A)


def extreme(rng, largest):
    """Entries of all sizes, denormals and zeros among them."""
    n = order(rng, min(largest, 7))
    A = _hermitian(rng, _entries(rng, n, n))
    sizes = np.tril(rng.integers(-1080, 1020, (n, n)))
    sizes = sizes + np.tril(sizes, -1).T
    with np.errstate(under="ignore"):
        return _problem(rng, A.real * 2.0 ** (sizes / 2) * 2.0 ** (sizes - sizes / 2))


def one_scale(rng, largest):
    """Integers times one power of two, from denormals to the largest numbers."""
    n = order(rng, largest)
    A = _hermitian(rng, _integers(rng, n, n, 3))
    return _problem(rng, A * 2.0 ** int(rng.choice([-1074, -1073, -1060, -1030, -1000, 1000, 1015, 1021])))


def decaying(rng, largest):
    n = order(rng, min(largest, 20), 1)
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = rng.choice([-1.0, 1.0], n) * 10.0 ** -(np.arange(n) * rng.uniform(0, 2))
    return _problem(rng, _hermitian(rng, Q * values @ Q.T))


def zero_rows(rng, largest):
    n = order(rng, largest)
    keep = (rng.random(n) < 0.6).astype(float)
    return _problem(rng, _hermitian(rng, _integers(rng, n, n, 5)) * keep[:, None] * keep)


FAMILIES = {
    f.__name__: f
    for f in (
        dense, small_integers, low_rank, hidden_gap, kkt, graded,
        nearly_singular, extreme, one_scale, decaying, zero_rows,
    )
}  # fmt: skip


def examine(problem: Problem) -> Outcome:
    A = problem.A
    n = len(A)
    try:
        if problem.through_factors:
            certificate = pivotlab.ldlt(np.eye(n, dtype=A.dtype)).certify(A)
        else:
            options = dict(equilibrate=problem.equilibrate, highest=problem.level)
            certificate = pivotlab.certify_inertia(A, **options)
    except pivotlab.InputError as error:
        outcome = Outcome("refused")
        outcome.add("false incorrect", str(error))
        return outcome
    truth = exact.inertia(A)
    c = certificate
    outcome = Outcome("passed" if c.status == "certified" else "not determined")
    told = f"{c} for {truth}"
    if c.positive + c.negative + c.undecided != n or c.near_zero < 0:
        outcome.add("invalid", told)
    if c.positive > truth[0] or c.negative > truth[1]:
        outcome.add("wrong passed", told)
    if c.status == "certified" and c.inertia != truth:
        outcome.add("wrong passed", told)
    if c.status != "certified" and (c.inertia is not None or c.near_zero != c.undecided):
        outcome.add("invalid", told)
    if c.status == "certified_near_zero" and c.clear < 1000 * c.within:
        outcome.add("estimate violated", told)
    if not problem.equilibrate and not problem.through_factors and 0 < n <= 12:
        values = [abs(value) for value in exact.eigenvalues(A)]
        if np.isfinite(c.within) and sum(bool(value > c.within) for value in values) > n - c.near_zero:
            outcome.add("estimate violated", f"{told}: eigenvalues {values}")
        if sum(bool(value < c.clear) for value in values) > c.near_zero:
            outcome.add("estimate violated", f"{told}: eigenvalues {values}")
    return outcome
