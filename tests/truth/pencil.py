# SPDX-License-Identifier: BSD-3-Clause
"""Pencils and definite pairs, the other shapes of arguments, and forms of results of the Python package, against exact
eigenvalues: the roots of det(A − λ·B)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pivotlab
from flint import acb, arb, ctx, fmpq_poly, fmpz_poly

import exact
from harness import Outcome, order

EPS = 2.0**-52


@dataclass
class Problem:
    A: np.ndarray
    B: np.ndarray
    definite: bool
    """Whether B is positive definite and A Hermitian."""
    single: bool
    tampered: int


def integers(rng, *shape, most=5):
    return rng.integers(-most, most + 1, shape).astype(float)


def problem(rng, A, B, definite=False, single=False):
    return Problem(A, B, definite, single, int(rng.integers(1 << 30)))


def symmetric(A):
    return np.tril(A) + np.tril(A, -1).T


def regular(rng, largest):
    n = order(rng, min(largest, 10))
    return problem(rng, integers(rng, n, n), integers(rng, n, n) + 12 * np.eye(n))


def infinite(rng, largest):
    """A singular B: infinite eigenvalues, and often a singular pencil."""
    n = order(rng, min(largest, 8), 1)
    r = int(rng.integers(0, n + 1))
    return problem(rng, integers(rng, n, n), integers(rng, n, r, most=3) @ integers(rng, r, n, most=3))


def singular(rng, largest):
    """A and B share a null vector, on the right or on the left."""
    n = order(rng, min(largest, 8), 1)
    Z = integers(rng, n, n)
    A, B = integers(rng, n, n) @ Z, integers(rng, n, n) @ Z
    A[:, -1], B[:, -1] = A[:, 0], B[:, 0]
    return problem(rng, *((A, B) if n > 1 else (A * 0, B * 0)))


def scaled(rng, largest):
    """Pencils of all sizes."""
    n = order(rng, min(largest, 8))
    k = rng.choice([-1000, -500, 500, 1000], 2)
    return problem(rng, np.ldexp(integers(rng, n, n), k[0]), np.ldexp(integers(rng, n, n) + 12 * np.eye(n), k[1]))


def defective(rng, largest):
    n = order(rng, min(largest, 8))
    A = (
        np.diag(np.repeat(rng.integers(-2, 3, n), 2)[:n].astype(float))
        + np.diag(rng.integers(0, 2, max(n - 1, 0)), 1)[:n, :n]
    )
    return problem(rng, A, np.eye(n) + np.triu(integers(rng, n, n, most=1), 1))


def pair(rng, largest):
    n = order(rng, min(largest, 10))
    R = integers(rng, n, n, most=3)
    return problem(rng, symmetric(integers(rng, n, n)), R @ R.T + np.eye(n), definite=True)


def graded_pair(rng, largest):
    n = order(rng, min(largest, 8))
    R, d = integers(rng, n, n, most=3), 2.0 ** rng.integers(-12, 13, n)
    return problem(
        rng, symmetric(integers(rng, n, n)) * d * d[:, None], (R @ R.T + np.eye(n)) * d * d[:, None], definite=True
    )


def scaled_pair(rng, largest):
    n, k = order(rng, min(largest, 8)), rng.choice([-500, 500], 2)
    R = integers(rng, n, n, most=3)
    return problem(
        rng, np.ldexp(symmetric(integers(rng, n, n)), k[0]), np.ldexp(R @ R.T + np.eye(n), k[1]), definite=True
    )


def single(rng, largest):
    """Single precision, which is computed in double and rounded."""
    n = order(rng, min(largest, 8))
    R = integers(rng, n, n, most=3)
    return problem(rng, symmetric(integers(rng, n, n)), R @ R.T + np.eye(n), definite=True, single=True)


def not_finite(rng, largest):
    n = order(rng, min(largest, 6), 1)
    A, B = integers(rng, n, n), integers(rng, n, n) + 12 * np.eye(n)
    (A, B)[rng.integers(2)][tuple(rng.integers(0, n, 2))] = rng.choice([np.nan, np.inf, -np.inf])
    return problem(rng, A, B, definite=bool(rng.integers(2)))


FAMILIES = {
    family.__name__: family
    for family in (regular, infinite, singular, scaled, defective, pair, graded_pair, scaled_pair, single, not_finite)
}


def determinant(A: np.ndarray, B: np.ndarray) -> list:
    """Coefficients of det(A − λ·B), exactly, by values at n + 1 points."""
    a, b, n = exact.matrix(A), exact.matrix(B), len(A)
    total = fmpq_poly([0])
    for k in range(n + 1):
        value, factor = (a - b * k).det(), fmpq_poly([1])
        for j in range(n + 1):
            if j != k:
                factor *= fmpq_poly([-j, 1]) / (k - j)
        total += factor * value
    return total


def eigenvalues(A: np.ndarray, B: np.ndarray) -> list[acb] | None:
    """The finite ones, each as often as its multiplicity; None for a singular pencil."""
    ctx.dps = exact.DIGITS
    p = determinant(A, B) if len(A) else fmpq_poly([1])
    if p == 0:
        return None
    roots = fmpz_poly([int(c * p.denom()) for c in p.coeffs()]).complex_roots() if p.degree() > 0 else []
    return [root for root, multiplicity in roots for _ in range(int(multiplicity))]


def unscaled(p: Problem) -> tuple[np.ndarray, np.ndarray, int]:
    """A and B by powers of two near 1, and the exponent of the eigenvalues."""
    k = [int(np.frexp(np.abs(M).max(initial=0))[1]) for M in (p.A, p.B)]
    return np.ldexp(p.A, -k[0]), np.ldexp(p.B, -k[1]), k[0] - k[1]


def check_pencil(p: Problem, outcome: Outcome) -> None:
    A, B, exponent = unscaled(p)
    truth = eigenvalues(A, B)
    e = pivotlab.eig(p.A, p.B, check=False, threads=1)
    if e.status not in ("passed", "incorrect", "not_converged"):
        outcome.add("invalid", f"status {e.status}")
    if e.status != "passed":
        outcome.verdict = "not determined"
        if truth is not None:
            outcome.add("false incorrect", f"a regular pencil: {e.message}")
        return
    judged = pivotlab.judge((p.A, p.B), e, threads=1)
    outcome.verdict = judged.status
    if judged.status == "incorrect":
        outcome.add("false incorrect", judged.message)
    if len(p.A) > 0 and judged.passed:
        V = np.linalg.svd(e.V, compute_uv=False)
        if truth is None or not are_near(e, truth, A, B, exponent, float(V[0] / V[-1])):
            outcome.add("wrong passed" if truth is not None else "invalid", f"{e.eigenvalues} for {truth}")
        for wrong in tampered(p, e):
            if pivotlab.judge((p.A, p.B), wrong, threads=1):
                outcome.add("wrong passed", f"tampered: {wrong.eigenvalues}")


def tampered(p: Problem, e: pivotlab.Eig) -> list[pivotlab.Eig]:
    """Results with a wrong eigenvalue, where that changes its residual, and with one pair twice."""
    n = len(p.A)
    k = int(np.random.default_rng(p.tampered).integers(n))
    chosen = np.arange(n) == k
    v, alpha, beta = e.V[:, k], abs(e.alpha[k]), abs(e.beta[k])
    norms = np.linalg.norm(p.A), np.linalg.norm(p.B)
    is_seen = alpha * np.linalg.norm(p.B @ v) > 1e-3 * (beta * norms[0] + alpha * norms[1])
    wrong = [replace(e, alpha=e.alpha * np.where(chosen, 1 + 1e-6, 1))] if is_seen else []
    if n > 1:
        members = {name: getattr(e, name) for name in ("alpha", "beta", "V")}
        wrong.append(replace(e, **{name: np.where(chosen, np.roll(own, 1, -1), own) for name, own in members.items()}))
    return wrong


def are_near(e: pivotlab.Eig, truth: list[acb], A: np.ndarray, B: np.ndarray, exponent: int, condition: float) -> bool:
    """Whether the chordal distances of finite eigenvalues from true ones, each used once, are those of a backward error
    of the size of rounding errors, by Bauer and Fike's theorem for pencils (G. W. Stewart & J. Sun, VI.2.3)."""
    n, size = len(A), max(np.linalg.norm(A), np.linalg.norm(B))
    bound = 1000 * n * EPS * condition * size * (np.linalg.cond(0.6 * A + 0.8 * B) if n else 1)
    if not bound < 1e-3:
        return True  # not determined
    left = [(complex(float(t.real.mid()), float(t.imag.mid())), 1.0) for t in truth]
    left += [(1.0, 0.0)] * (n - len(truth))
    for a, b in zip(e.alpha, e.beta, strict=True):
        a, b = normalized(a, b, exponent)
        distances = [abs(a * d - b * c) / np.hypot(abs(c), abs(d)) for c, d in left]
        k = int(np.argmin(distances))
        if not distances[k] <= bound:
            return False
        left.pop(k)
    return True


def normalized(alpha: complex, beta: complex, exponent: int) -> tuple[complex, complex]:
    """(α, β) of the matrices without their powers of two, of norm 1."""
    la, lb = (np.frexp(abs(x))[1] if x else -(10**6) for x in (alpha, beta))
    a = complex(np.ldexp(alpha.real, -la), np.ldexp(alpha.imag, -la)) if alpha else 0j
    b = complex(np.ldexp(beta.real, -lb), np.ldexp(beta.imag, -lb)) if beta else 0j
    shift = la - lb - exponent
    a, b = (a, b * 2.0 ** max(-shift, -1000)) if shift > 0 else (a * 2.0 ** max(shift, -1000), b)
    size = np.hypot(abs(a), abs(b))
    return a / size, b / size


def check_pair(p: Problem, outcome: Outcome) -> None:
    A, B, exponent = unscaled(p)
    given = (p.A.astype("f4"), p.B.astype("f4")) if p.single else (p.A, p.B)
    h = pivotlab.eigh(*given, check=False, threads=1)
    if h.status != "passed":
        outcome.verdict = "not determined"
        outcome.add("false incorrect", h.message)
        return
    if p.single and not h.eigenvalues.dtype == h.U.dtype == np.float32:
        outcome.add("invalid", "not in single precision")
    truth = sorted((t.real for t in eigenvalues(A, B)), key=lambda t: t.mid(), reverse=True)
    d = 1 / np.sqrt(np.diag(B))
    norms = [np.linalg.norm(M * d * d[:, None]) for M in (A, B)]
    weights = np.sum((h.U.astype(float) / (1 / np.sqrt(np.diag(p.B)))[:, None]) ** 2, axis=0)
    for value, true, weight in zip(h.eigenvalues, truth, weights, strict=True):
        error = float(abs(arb(float(np.ldexp(float(value), -exponent))) - true).mid())
        size = abs(float(true.mid()))
        bound = 100 * len(A) * EPS * (norms[0] + size * norms[1]) * float(weight) + (2.0**-24 * size if p.single else 0)
        if not error <= bound:
            outcome.add("wrong passed", f"{h.eigenvalues}: {value} for {true}, error {error:.1e} > {bound:.1e}")
            break
    judged = pivotlab.judge(given, h, threads=1)
    outcome.verdict = judged.status
    if judged.status == "incorrect":
        outcome.add("false incorrect", judged.message)
    if len(A) > 0 and not p.single:
        k = int(np.random.default_rng(p.tampered).integers(len(A)))
        other = replace(h, U=np.where(np.arange(len(A)) == k, h.U * (1 + 1e-9), h.U))
        if pivotlab.judge(given, other, threads=1):
            outcome.add("wrong passed", f"tampered at {k}")


def examine(p: Problem) -> Outcome:
    outcome = Outcome("passed")
    if not (np.isfinite(p.A).all() and np.isfinite(p.B).all()):
        outcome.verdict = "refused"
        for solve in (pivotlab.eig, pivotlab.eigh):
            try:
                solve(p.A, p.B, threads=1)
                outcome.add("wrong passed", f"{solve.__name__} of NaN or Inf")
            except pivotlab.InputError:
                pass
        return outcome
    (check_pair if p.definite else check_pencil)(p, outcome)
    return outcome
