# SPDX-License-Identifier: BSD-3-Clause
"""The symmetric indefinite factorization: rank, inertia, certificates and solutions against exact arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pivotlab

import exact
from harness import Outcome, order

EPS = 2.0**-52
# Eigenvalues of the equilibrated matrix beyond this, relative to the largest, are beyond rounding errors: n·ε with the
# growth of n = 40, and two digits. Those nearer to zero that are not exactly zero are not determined in double.
CLEAR = 1e-11
FEW_ULP = 8 * EPS  # relative to the largest element of a solution
VARIANTS = (
    None,
    "LDLT-RK",
    "LDLT-BP",
    "LDLT-BK",
    "LDLT-BP;equilibrate=on",
    "LDLT-BK;equilibrate=on",
    "LDLT-RBT",
    "LDLT-RBT;depth=0",
    "LDLT-RBT;equilibrate=on",
)


@dataclass
class Problem:
    A: np.ndarray
    b: np.ndarray
    symmetry: str
    variant: str | None


def symmetric(A: np.ndarray) -> np.ndarray:
    """The matrix with the lower triangle of A."""
    L = np.tril(A, -1)
    diagonal = np.diag(A).real if np.iscomplexobj(A) else np.diag(A)
    return L + L.conj().T + np.diag(diagonal)


def problem(rng: np.random.Generator, A: np.ndarray, symmetry: str = "hermitian") -> Problem:
    """Adds a right-hand side: A times small integers if that is exact, so that it is in the range of A, or integers."""
    n = len(A)
    x = rng.integers(-8, 9, n).astype(float)
    with np.errstate(over="ignore", invalid="ignore"):
        b = A @ x
    if not np.all(np.isfinite(b)) or rng.random() < 0.3:
        b = rng.integers(-8, 9, n).astype(A.dtype)
    return Problem(A, b, symmetry, VARIANTS[rng.integers(len(VARIANTS))])


def is_complex(rng: np.random.Generator) -> bool:
    return rng.random() < 0.25


def small_integers(rng: np.random.Generator, n: int, complex_: bool, most: int = 3) -> np.ndarray:
    A = rng.integers(-most, most + 1, (n, n)).astype(float)
    if complex_:
        A = A + 1j * rng.integers(-most, most + 1, (n, n))
    return symmetric(A)


def drawn(rng: np.random.Generator, largest: int, least: int = 0) -> tuple[int, bool]:
    complex_ = is_complex(rng)
    return order(rng, min(largest, 10 if complex_ else 24), least), complex_


def integers(rng, largest):
    n, complex_ = drawn(rng, largest)
    return problem(rng, small_integers(rng, n, complex_))


def sparse(rng, largest):
    n, complex_ = drawn(rng, largest)
    A = small_integers(rng, n, complex_)
    keep = symmetric((rng.random((n, n)) < 0.3).astype(float))
    return problem(rng, A * keep)


def deficient(rng, largest):
    """Small integers of exact rank r < n: L·S·Lᴴ."""
    n, complex_ = drawn(rng, largest, 1)
    r = int(rng.integers(0, n))
    L = rng.integers(-3, 4, (n, r)).astype(float)
    if complex_:
        L = L + 1j * rng.integers(-2, 3, (n, r))
    return problem(rng, L @ np.diag(rng.choice([-1.0, 1.0], r)) @ L.conj().T)


def graded(rng, largest):
    """D·R·D with a random R, D of powers of two over many orders of magnitude, in any order."""
    n, complex_ = drawn(rng, largest, 1)
    R = small_integers(rng, n, complex_, 8) + np.diag(rng.integers(-20, 21, n))
    reach = int(rng.choice([10, 40, 150]))
    d = np.exp2(rng.integers(-reach, reach + 1, n))
    p = problem(rng, d[:, None] * R * d)
    if rng.random() < 0.5:
        p.b = p.b if rng.random() < 0.5 else (d * np.arange(1, n + 1)).astype(p.A.dtype)
    return p


def graded_deficient(rng, largest):
    p = deficient(rng, largest)
    d = np.exp2(rng.integers(-30, 31, len(p.A)))
    return problem(rng, d[:, None] * p.A * d)


def scaled(rng, largest):
    """Integers times a power of two, from denormal numbers to the largest ones."""
    n, complex_ = drawn(rng, largest, 1)
    A = small_integers(rng, n, complex_)
    exponent = int(rng.choice([-1074, -1073, -1060, -1022, -600, 600, 1000, 1021]))
    p = problem(rng, np.ldexp(A.real, exponent) + (1j * np.ldexp(A.imag, exponent) if complex_ else 0))
    if rng.random() < 0.5:
        p.b = (np.ldexp(rng.integers(-8, 9, n).astype(float), max(min(exponent, 1019), -1074))).astype(p.A.dtype)
    return p


def saddle_point(rng, largest):
    """[H B; Bᵀ 0] with couplings of any size; H may be singular."""
    n = order(rng, min(largest, 24), 2)
    m = int(rng.integers(1, n // 2 + 1))
    A = small_integers(rng, n, False)
    A[n - m :, n - m :] = 0
    size = 2.0 ** int(rng.choice([0, 0, -20, -60, -120, -300]))
    A[n - m :, : n - m] *= size
    A[: n - m, n - m :] *= size
    if rng.random() < 0.3:
        A[n - m :, n - m :] -= 2.0 ** int(rng.integers(-60, 0)) * np.eye(m)
    return problem(rng, A)


def zeros(rng, largest):
    """Zero rows, columns and matrices."""
    n, complex_ = drawn(rng, largest)
    A = small_integers(rng, n, complex_)
    keep = rng.random(n) < rng.choice([0.0, 0.5, 0.9])
    return problem(rng, keep[:, None] * A * keep)


def tiny(rng, largest):
    """Orders 0 and 1."""
    n = int(rng.integers(0, 2))
    value = rng.choice([0.0, 1.0, -3.0, 5e-324, -(2.0**-1022), 2.0**1023, -1.7e308])
    return problem(rng, np.full((n, n), value))


def repeated(rng, largest):
    """Few distinct eigenvalues: a reflector times integers; zero may be among them only up to rounding."""
    n = order(rng, min(largest, 16), 1)
    v = rng.integers(-3, 4, n).astype(float)
    v[0] += v @ v == 0
    H = np.eye(n) - 2 * np.outer(v, v) / (v @ v)
    return problem(rng, symmetric(H @ np.diag(rng.integers(-2, 3, n).astype(float)) @ H))


def ill_conditioned(rng, largest):
    """Hilbert matrices, scaled and with signs; normal equations of Vandermonde matrices."""
    n = order(rng, min(largest, 14), 1)
    i = np.arange(n)
    kind = rng.integers(4)
    if kind == 0:
        A = 1 / (i[:, None] + i + 1)
    elif kind == 1:
        A = (i[:, None] + 1) * (i + 1) / (i[:, None] + i + 1)
    elif kind == 2:
        V = ((i[:, None] + 1) / n) ** i
        A = V.T @ V
    else:
        A = np.where(rng.random(n) < 0.5, -1, 1)[:, None] / (i[:, None] + i + 1)
    return problem(rng, symmetric(A))


def complex_symmetric(rng, largest):
    n = order(rng, min(largest, 8), 1)
    A = rng.integers(-3, 4, (n, n)) + 1j * rng.integers(-3, 4, (n, n))
    return problem(rng, np.tril(A) + np.tril(A, -1).T, "symmetric")


def generated(rng, largest):
    """Every generator."""
    name = rng.choice(
        [
            "equidistant",
            "equidistant;nullity=2",
            "spectrum",
            "spectrum;kappa=1e12",
            "latb4;type=3",
            "latb4;type=8",
            "random",
            "random;entries=uniform",
            "graded",
            "graded;g=20;order=random",
            "lowrank",
            "kkt",
            "kkt;delta=1e-8",
            "quasidefinite",
            "clement",
            "hilbert",
            "fiedler",
            "minij",
        ]
    )
    n = order(rng, min(largest, 20), 4)
    matrix = pivotlab.generate("ldlt", str(name), n, seed=int(rng.integers(1, 1000)))
    return problem(rng, matrix.A)


FAMILIES = {
    f.__name__: f
    for f in (
        integers,
        sparse,
        deficient,
        graded,
        graded_deficient,
        scaled,
        saddle_point,
        zeros,
        tiny,
        repeated,
        ill_conditioned,
        complex_symmetric,
        generated,
    )
}


def equilibrated(A: np.ndarray) -> np.ndarray:
    """S·A·S, S of powers of two such that the largest elements of its rows are near 1, by exponents."""
    with np.errstate(divide="ignore"):
        logarithms = np.log2(np.abs(A).astype(np.longdouble)).astype(float)
    s = np.zeros(len(A))
    for _ in range(60):
        rows = np.max(logarithms + s[:, None] + s, axis=1, initial=-np.inf)
        s -= np.where(np.isfinite(rows), rows, 0) / 2
    s = np.round(s).astype(int)
    shift = s[:, None] + s
    parts = np.ldexp(A.real.astype(np.longdouble), shift).astype(float)
    return parts + 1j * np.ldexp(A.imag.astype(np.longdouble), shift).astype(float) if np.iscomplexobj(A) else parts


def is_determined(A: np.ndarray, zeros_: int) -> bool:
    """Whether all eigenvalues but the exact zeros are beyond rounding errors, in some scaling."""
    sizes = np.sort(np.abs(np.linalg.eigvalsh(equilibrated(A))))
    return len(sizes) == zeros_ or sizes[zeros_] > CLEAR * sizes[-1]


def exact_solution(A: np.ndarray, b: np.ndarray) -> list[Fraction]:
    """Real and then imaginary parts."""
    if np.iscomplexobj(A):
        A = np.block([[A.real, -A.imag], [A.imag, A.real]])
        b = np.concatenate([b.real, b.imag])
    return [row[0] for row in exact.solve(A, b[:, None])]


def condition(A: np.ndarray, truth: list[Fraction]) -> Fraction:
    """Skeel's condition ‖|A⁻¹||A||x|‖/‖x‖ in the maximum norm: how much relative changes of elements change x."""
    if np.iscomplexobj(A):
        A = np.block([[A.real, -A.imag], [A.imag, A.real]])
    inverse = exact.solve(A, np.eye(len(A)))
    sizes = [sum(abs(Fraction(float(a))) * abs(t) for a, t in zip(row, truth, strict=True)) for row in A]
    largest = max(sum(abs(x) * s for x, s in zip(row, sizes, strict=True)) for row in inverse)
    size = max(map(abs, truth))
    return largest / size if size else Fraction(0)


def forward_error(x: np.ndarray, truth: list[Fraction]) -> float:
    """max|x − truth|/max|truth| with the moduli of complex numbers; infinity if x is not finite."""
    if not np.all(np.isfinite(x)):
        return math.inf
    parts = np.concatenate([x.real, x.imag]) if np.iscomplexobj(x) else x
    n = len(x)
    differences = [Fraction(float(a)) - t for a, t in zip(parts, truth, strict=True)]

    def largest(values: list[Fraction]) -> Fraction:
        pairs = zip(values[:n], values[n:], strict=True) if len(values) > n else ((v, 0) for v in values)
        return max((a * a + b * b for a, b in pairs), default=Fraction(0))

    size, error = largest(list(truth)), largest(differences)
    if error == 0:
        return 0.0
    return math.inf if size == 0 else math.sqrt(float(error / size))


def backward_error(A: np.ndarray, x: np.ndarray, b: np.ndarray) -> float:
    """‖b − A·x‖∞/(‖A‖∞‖x‖∞ + ‖b‖∞), exactly, of real or embedded systems."""
    if np.iscomplexobj(A):
        A = np.block([[A.real, -A.imag], [A.imag, A.real]])
        x, b = (np.concatenate([v.real, v.imag]) for v in (x, b))
    rows = [[Fraction(float(a)) for a in row] for row in A]
    xs, bs = [Fraction(float(v)) for v in x], [Fraction(float(v)) for v in b]
    r = max(
        (abs(t - sum(a * v for a, v in zip(row, xs, strict=True))) for row, t in zip(rows, bs, strict=True)), default=0
    )
    norm = max((sum(map(abs, row)) for row in rows), default=0)
    scale = norm * max(map(abs, xs), default=0) + max(map(abs, bs), default=0)
    return float(r / scale) if r else 0.0


def check_inertia(p: Problem, f: pivotlab.Ldlt, outcome: Outcome) -> None:
    n, truth = len(p.A), exact.inertia(p.A)
    if sum(f.inertia) != n or f.rank != n - f.inertia.zero:
        outcome.add("invalid", f"inertia {tuple(f.inertia)} and rank {f.rank} of order {n}")
    if f.doubtful:
        outcome.verdict = "not determined"
    # Noise of singular matrices grows where rows are of very different sizes, and with BK, which does not bound M.
    reliable = ("equilibrate=on" in f.variant) + ("BK" not in f.variant) + (truth[2] == 0) >= 2
    if reliable and not f.doubtful and n and is_determined(p.A, truth[2]) and tuple(f.inertia) != truth:
        outcome.add("wrong passed", f"{f.variant}: inertia {tuple(f.inertia)} for {truth}")
    c = f.certify(p.A)
    if c.status == "certified" and tuple(c.inertia) != truth:
        outcome.add("wrong passed", f"{f.variant}: certified {tuple(c.inertia)} for {truth}")
    if c.inertia.positive > truth[0] or c.inertia.negative > truth[1]:
        outcome.add("wrong passed", f"{f.variant}: certified at least {tuple(c.inertia)[:2]} for {truth}")


def check_solution(p: Problem, f: pivotlab.Ldlt, outcome: Outcome) -> None:
    try:
        x = f.solve(p.b)
        if not np.all(np.isfinite(x)):
            outcome.add("invalid", f"{f.variant}: solve returns {x}")
    except pivotlab.InputError:
        pass
    s = f.solve_refined(p.A, p.b, check=False)
    if s.status not in ("passed", "incorrect", "not_converged", "failed"):
        outcome.add("invalid", f"status {s.status}")
    regular = exact.rank(p.A) == len(p.A)
    if not regular:
        if s.status == "passed" and not backward_error(p.A, s.X, p.b) <= 20 * len(p.A) * EPS:
            outcome.add("wrong passed", f"{f.variant}: no solution of a singular system: {s}")
        if math.isfinite(s.forward_error):
            outcome.add("estimate violated", f"{f.variant}: a singular matrix, and {s}")
        return
    truth = exact_solution(p.A, p.b)
    error = forward_error(s.X, truth)
    overflows = max(map(abs, truth), default=0) >= Fraction(2) ** 1023
    largest = max(map(abs, truth), default=Fraction(0))
    unit = float(min(1, Fraction(5e-324) / largest)) if largest else 0.0  # the least error where X is denormal
    singular = math.isinf(s.forward_error) and condition(p.A, truth) > 1 / EPS  # but for rounding errors: one of many X
    if s.status == "passed" and not singular and not error <= FEW_ULP + unit:
        outcome.add("wrong passed", f"{f.variant}: error {error:.1e}, {s}")
    if s.status == "passed" and not error <= 10 * s.forward_error:
        outcome.add("estimate violated", f"{f.variant}: error {error:.1e}, {s}")
    if s.status != "passed" and not overflows and condition(p.A, truth) < 1e13:  # above, it may say so
        outcome.add("false incorrect", f"{f.variant}: error {error:.1e}, {s.message}")


def examine(p: Problem) -> Outcome:
    options = {} if p.variant is None else {"variant": p.variant}
    f = pivotlab.ldlt(p.A, symmetry=p.symmetry, threads=1, **options)
    outcome = Outcome("passed")
    judgement = pivotlab.judge(pivotlab.Symmetric(p.A, p.symmetry), f, threads=1)
    if not judgement.passed:
        outcome.verdict = "incorrect"
        outcome.add("false incorrect", f"{f.variant}: {judgement.message}")
    if p.symmetry == "hermitian":
        check_inertia(p, f, outcome)
    check_solution(p, f, outcome)
    return outcome
