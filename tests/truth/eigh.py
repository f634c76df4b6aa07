# SPDX-License-Identifier: BSD-3-Clause
"""Hermitian eigenproblems: eigenvalues against roots of the exact characteristic polynomial."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pivotlab
from flint import arb

import exact
from harness import Outcome, order

EPS = 2.0**-52
VARIANTS = (
    ["HEV-RK-ME-BO"] * 4
    + ["HEV-CP-ME-BO", "HEV-RK-ME-PT", "HEV-CP-ME-PT", "HEV-RK-ME-FB;w=8", "HEV-RK-MM-PT", "HEV-CP-RR-BO;w=4"]
    + ["lapack:?syevd"]
)

Problem = dict[str, Any]


def gaussian(rng: np.random.Generator, *shape: int, complex_: bool) -> np.ndarray:
    A = rng.standard_normal(shape)
    return A + 1j * rng.standard_normal(shape) if complex_ else A


def integers(rng: np.random.Generator, *shape: int, complex_: bool, most: int = 3) -> np.ndarray:
    A = rng.integers(-most, most + 1, shape).astype(float)
    return A + 1j * rng.integers(-most, most + 1, shape) if complex_ else A


def mirrored(A: np.ndarray) -> np.ndarray:
    """The Hermitian matrix with the lower triangle of A."""
    lower = np.tril(A, -1)
    return lower + lower.conj().T + np.diag(np.diag(A).real)


def scales(rng: np.random.Generator, n: int, decades: float) -> np.ndarray:
    """Powers of two over some decades, in random order."""
    return 2.0 ** rng.integers(-int(decades * 3.33) - 1, 1, n)


def problem(rng: np.random.Generator, A: np.ndarray) -> Problem:
    variant = VARIANTS[rng.integers(len(VARIANTS))]
    if ":?" in variant:
        variant = "lapack:zheevd" if np.iscomplexobj(A) else "lapack:dsyevd"
    return {"A": A, "variant": variant, "vectors": bool(rng.random() < 0.8), "tampered": int(rng.integers(1 << 30))}


def dense(rng, largest):
    n, z = order(rng, largest), rng.random() < 0.3
    return problem(rng, mirrored(gaussian(rng, n, n, complex_=z)))


def saddle(rng, largest):
    """[H B; B* C] with a singular or regular H of small integers and tiny couplings B; C is 0 or tinier."""
    n, z = order(rng, min(largest, 20), 2), rng.random() < 0.3
    m = int(rng.integers(1, n))
    H = integers(rng, m, m, complex_=z)
    if rng.random() < 0.7:
        L = integers(rng, m, int(rng.integers(1, m + 1)), complex_=z, most=2)
        H = (L * rng.choice([-1.0, 1.0], L.shape[1])) @ L.conj().T
    size = 10.0 ** -int(rng.integers(1, 60))
    B = integers(rng, m, n - m, complex_=z) * size
    C = integers(rng, n - m, n - m, complex_=z) * (0.0 if rng.random() < 0.6 else size * 10.0 ** -int(rng.integers(60)))
    A = mirrored(np.block([[H, B], [B.conj().T, C]]))
    p = rng.permutation(n)
    return problem(rng, A[np.ix_(p, p)])


def graded(rng, largest):
    n, z = order(rng, largest, 1), rng.random() < 0.3
    d = scales(rng, n, rng.choice([3, 8, 15]))
    R = mirrored(gaussian(rng, n, n, complex_=z)) if rng.random() < 0.5 else mirrored(integers(rng, n, n, complex_=z))
    if rng.random() < 0.5:
        R = R + np.diag(rng.choice([-1.0, 1.0], n) * n)
    return problem(rng, mirrored(d[:, None] * R * d))


def deficient(rng, largest):
    """Exact rank deficiency, by integers, scaled or not."""
    n, z = order(rng, largest, 1), rng.random() < 0.3
    r = int(rng.integers(0, n + 1))
    L = integers(rng, n, r, complex_=z, most=4)
    A = (L * rng.choice([-1.0, 1.0], r)) @ L.conj().T
    if rng.random() < 0.4:
        d = scales(rng, n, 8)
        A = d[:, None] * A * d
    return problem(rng, mirrored(A))


def clustered(rng, largest):
    n, z = order(rng, largest, 1), rng.random() < 0.3
    values = rng.integers(-2, 3, n) + rng.choice([0, 1e-3, 1e-8, 1e-14]) * rng.standard_normal(n)
    Q, _ = np.linalg.qr(gaussian(rng, n, n, complex_=z))
    return problem(rng, mirrored((Q * values) @ Q.conj().T))


def geometric(rng, largest):
    n, z = order(rng, largest, 1), rng.random() < 0.3
    values = 10.0 ** -np.linspace(0, rng.choice([6, 12, 18]), n) * rng.choice([-1, 1], n)
    Q, _ = np.linalg.qr(gaussian(rng, n, n, complex_=z))
    return problem(rng, mirrored((Q * values) @ Q.conj().T))


def sparse(rng, largest):
    """Zero rows, zero diagonals, decoupled parts of different size."""
    n, z = order(rng, largest), rng.random() < 0.3
    A = integers(rng, n, n, complex_=z) * (rng.random((n, n)) < rng.choice([0.1, 0.3, 0.6]))
    d = 2.0 ** (rng.integers(0, 3, n) * -int(rng.integers(0, 60)))
    A = mirrored(A * np.sqrt(np.outer(d, d))) if rng.random() < 0.5 else mirrored(A)
    zero = rng.random(n) < rng.choice([0, 0.3])
    A[zero, :] = A[:, zero] = 0
    return problem(rng, A)


def scaled(rng, largest):
    """All sizes of numbers, up to the largest and the least."""
    n, z = order(rng, min(largest, 12), 1), rng.random() < 0.3
    A = mirrored(gaussian(rng, n, n, complex_=z) if rng.random() < 0.5 else integers(rng, n, n, complex_=z))
    k = int(rng.choice([-1074, -1072, -1060, -1022, -1000, -500, 500, 1000, 1015]))
    return problem(rng, mirrored(np.ldexp(A.real, k) + (1j * np.ldexp(A.imag, k) if z else 0)))


def wide(rng, largest):
    """Elements of very different size."""
    n, z = order(rng, min(largest, 6), 1), rng.random() < 0.3
    spread = int(rng.choice([100, 500, 900]))
    A = integers(rng, n, n, complex_=z)
    e = rng.integers(-spread, spread + 1, (n, n))
    return problem(rng, mirrored(np.ldexp(A.real, e) + (1j * np.ldexp(A.imag, e) if z else 0)))


def tiny(rng, largest):
    """Orders 0, 1 and 2 with special elements."""
    n = int(rng.integers(0, 3))
    values = [0.0, 1.0, -1.0, 3.0, 5e-324, -5e-324, 2.0**-1022, 1e-300, 1e300, 2.0**1022, 1e-16, 1 + EPS]
    return problem(rng, mirrored(rng.choice(values, (n, n))))


GENERATORS = [
    "random", "graded;g=6", "graded;g=10;order=random", "quasidefinite;g=6", "quasidefinite;g=10", "kkt",
    "kkt;kappa=1e12;h=diagonal", "hilbert", "clement", "minij", "spectrum;kappa=1e8",
]  # fmt: skip


def generated(rng, largest):
    n, generator = order(rng, min(largest, 24), 2), GENERATORS[rng.integers(len(GENERATORS))]
    kind = "z" if rng.random() < 0.3 else "d"
    return problem(rng, pivotlab.generate("eigh", generator, n=n, type=kind, seed=int(rng.integers(1 << 30))).A)


FAMILIES = {
    family.__name__: family
    for family in (dense, saddle, graded, deficient, clustered, geometric, sparse, scaled, wide, tiny, generated)
}


def norm(A: np.ndarray) -> float:
    return float(np.linalg.norm(A))


def defect(A: np.ndarray, values: np.ndarray, U: np.ndarray) -> float:
    """The larger of the residual, relative to A, and the loss of orthogonality, in units of n·2^-52."""
    if len(A) == 0 or not A.any():
        return norm(U.conj().T @ U - np.eye(len(A))) / EPS / max(len(A), 1)
    A = np.ascontiguousarray(A)
    size = np.abs(A.view(float)).max()
    k = int(np.frexp(size)[1])
    B, values = (np.ldexp(X.view(float), -k).view(X.dtype) for X in (A, values))
    residual = norm(B @ U - U * values)
    rounding = len(A) * float(np.ldexp(1.0, -1074 - k)) if k < -900 else 0.0
    return max((residual - rounding) / norm(B), norm(U.conj().T @ U - np.eye(len(A)))) / EPS / len(A)


def violations(result: pivotlab.Eigh, truth: list, A: np.ndarray) -> list[str]:
    """Eigenvalues with errors above what the result claims; for baselines, normwise."""
    found = []
    size = sum((t * t for t in truth), arb(0)).sqrt()
    zeros = np.flatnonzero(
        result.eigenvalues == 0
    )  # in any order: the least of the true ones to those without an error
    if result.estimate is not None and len(zeros):
        least = sorted((truth[j] for j in zeros), key=abs)
        truth = list(truth)
        for j, true in zip(zeros[np.argsort(result.estimate[zeros], kind="stable")], least, strict=True):
            truth[j] = true
    for j, (value, true) in enumerate(zip(result.eigenvalues, truth, strict=True)):
        error = abs(arb(value) - true)
        if result.estimate is None:
            claim = arb(30 * len(A) * EPS) * size + arb(5e-324)
        elif result.noise[j]:
            continue
        else:
            claim = arb(10 * result.estimate[j]) * abs(true)
        if error > claim:
            estimate = 0 if result.estimate is None else result.estimate[j]
            found.append(f"{value:.17g} for {true.str(20, radius=False)}, estimate {estimate:.1e}")
    return found


def tampered(result: pivotlab.Eigh, seed: int) -> pivotlab.Eigh | None:
    """The result with one eigenvalue, which it claims to know, changed by much more than its estimate, in order."""
    known = [j for j in range(len(result.eigenvalues)) if not result.noise[j] and 0 < result.estimate[j] < 1e-6]
    if not known:
        return None
    j, values = known[seed % len(known)], result.eigenvalues.copy()
    values[j] *= 1 + 1e3 * result.estimate[j] * (1 if seed % 2 else -1)
    if values[j] == result.eigenvalues[j] or not np.isfinite(values[j]) or (np.diff(values) > 0).any():
        return None
    return dataclasses.replace(result, eigenvalues=values)


def examine(problem: Problem) -> Outcome:
    A, variant = problem["A"], problem["variant"]
    baseline = ":" in variant
    try:
        result = pivotlab.eigh(A, variant=variant, vectors=problem["vectors"], check=False, threads=1)
    except pivotlab.InputError as refusal:
        outcome = Outcome("refused")
        if not any(reason in str(refusal) for reason in ("overflows", "of the largest one")):
            outcome.add("invalid", f"{variant}: {refusal}")
        return outcome
    if result.status != "passed":
        return Outcome("not determined")
    outcome = Outcome("passed")
    values = result.eigenvalues
    numbers = [values] + [x for x in (result.estimate, result.U) if x is not None]
    if len(values) != len(A) or not all(np.isfinite(x).all() for x in numbers):
        outcome.verdict = "incorrect"
        if not baseline:
            outcome.add("invalid", f"{variant}: {len(values)} eigenvalues, or NaN or Inf")
        return outcome
    if sum(result.inertia) != len(A) or result.inertia[:2] != ((values > 0).sum(), (values < 0).sum()):
        outcome.add("invalid", f"inertia {result.inertia} of {values}")
    wrong = violations(result, exact.eigenvalues(A), A)
    if result.U is not None and (size := defect(A, values, result.U)) > 100:
        wrong.append(f"residual or orthogonality of {size:.0f} n eps")
    judgement = pivotlab.judge(A, result, threads=1)
    outcome.verdict = judgement.status
    if wrong and not baseline:
        outcome.add("estimate violated", f"{variant}: {'; '.join(wrong)}")
    if wrong and judgement.passed:
        outcome.add("wrong passed", f"{variant}: {'; '.join(wrong)}")
    if not wrong and judgement.status == "incorrect":
        outcome.add("false incorrect", f"{variant}: {judgement.message}")
    other = None if wrong or baseline else tampered(result, problem["tampered"])
    if other is not None and pivotlab.judge(A, other, threads=1).passed:
        outcome.add("wrong passed", f"{variant}: with {other.eigenvalues} for {values}")
    return outcome
