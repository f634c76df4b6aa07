# SPDX-License-Identifier: BSD-3-Clause
"""General eigenproblems: eigenvalues against roots of the exact characteristic polynomial.

A complex problem is c·D⁻¹·A·D with a real A, D of powers of i and a Gaussian integer c, so that its eigenvalues are
those of A times c.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pivotlab
from flint import acb, arb, ctx, fmpz_poly

import exact
from harness import Outcome, order

EPS = 2.0**-52
# Ratio of sizes of rows from which on the solver separates eigenvalues (kernels/eig/host/separation.hpp).
SEPARATED = 2.0**10
VARIANTS = [
    None,
    None,
    None,
    "ZEIG-(RR);b=16;finish",
    "ZEIG-(ME);finish",
    "ZEIG-(ME);fused;finish",
    "ZEIG-(MM);b=8;finish",
    "ZEIG-(RR);b=16;refine;finish",
    "ZEIG-(RR);b=16;refine;extended;finish",
    "lapack:?geev",
]

Problem = dict[str, Any]


def scaled(A: np.ndarray, k: np.ndarray | int) -> np.ndarray:
    """2^k·A, element by element."""
    if np.iscomplexobj(A):
        return np.ldexp(A.real, k) + 1j * np.ldexp(A.imag, k)
    return np.ldexp(A, k)


def problem(rng: np.random.Generator, R: np.ndarray, *, graded: bool = False, exponent: int = 0) -> Problem:
    """The problem of the real R or a complex matrix that is similar to a multiple of it, times 2^exponent."""
    A, factor = np.asarray(R, float), 1
    if rng.random() < 0.3 and np.all(np.trunc(A) == A) and np.abs(A).max(initial=0) < 2**40:  # exact products
        factor = complex(*rng.integers(1, 4, 2))
        powers = np.array([1, 1j, -1, -1j])[np.arange(len(A)) % 4]
        A = factor * (A * powers.conj()[:, None] * powers)
    variant = VARIANTS[rng.integers(len(VARIANTS))]
    if variant == "lapack:?geev":
        variant = "lapack:zgeev" if np.iscomplexobj(A) else "lapack:dgeev"
    return {
        "A": scaled(A, exponent),
        "R": np.ldexp(R, exponent),
        "factor": factor,
        "graded": graded,
        "variant": variant,
        "left": bool(rng.random() < 0.4),
        "seed": int(rng.integers(1 << 30)),
    }


def integers(rng, n, most=5):
    return rng.integers(-most, most + 1, (n, n)).astype(float)


def dense(rng, largest):
    n = order(rng, largest)
    return problem(rng, rng.standard_normal((n, n)) if rng.random() < 0.5 else integers(rng, n))


def companion(coefficients: np.ndarray) -> np.ndarray:
    """The companion matrix of x^n − c₁·x^(n−1) − … − c_n."""
    n = len(coefficients)
    A = np.zeros((n, n))
    A[0] = coefficients
    A[np.arange(1, n), np.arange(n - 1)] = 1
    return A


def huge_root(rng, largest):
    """Companion matrices of polynomials with roots of very different sizes, in all four directions."""
    n = order(rng, min(largest, 8), 2)
    huge = int(rng.integers(1, n))
    roots = rng.integers(1, 100, n) * rng.choice([-1.0, 1.0], n)
    roots[:huge] *= 10.0 ** rng.integers(4, 26)
    if rng.random() < 0.3:
        roots[huge:] *= 10.0 ** -rng.integers(4, 20)
    A = companion(-np.poly(roots)[1:])
    A = [A, A.T, A[::-1, ::-1], A.T[::-1, ::-1]][rng.integers(4)]
    p = rng.permutation(n) if rng.random() < 0.5 else np.arange(n)
    return problem(rng, A[np.ix_(p, p)], graded=True)


def graded(rng, largest):
    """Blocks of very different sizes, with couplings of sizes between theirs."""
    n = order(rng, min(largest, 12), 2)
    d = np.sort(rng.integers(0, 4, n))[::-1] * int(rng.integers(12, 60))
    A = integers(rng, n, 9) + 20 * np.eye(n)
    A = np.ldexp(A, (d[:, None] + d) // 2)
    e = rng.integers(-20, 21, n)
    A = np.ldexp(A, e[:, None] - e)
    p = rng.permutation(n)
    return problem(rng, A[np.ix_(p, p)], graded=True)


def by_rows(rng, largest):
    """Graded by rows or columns over up to 15 decades."""
    n = order(rng, largest, 1)
    d = rng.integers(-50, 1, n)
    A = np.ldexp(integers(rng, n, 9), d[:, None])
    return problem(rng, A if rng.random() < 0.5 else A.T)


def similar(rng, largest):
    """D⁻¹·A·D with widely different powers of two in D."""
    n = order(rng, largest, 1)
    d = rng.integers(-200, 201, n)
    return problem(rng, np.ldexp(integers(rng, n), d[:, None] - d))


def deficient(rng, largest):
    """Exact rank deficiency: the eigenvalue 0, often defective."""
    n = order(rng, largest, 1)
    r = int(rng.integers(0, n + 1))
    return problem(rng, rng.integers(-3, 4, (n, r)).astype(float) @ rng.integers(-3, 4, (r, n)))


def defective(rng, largest):
    """Jordan blocks, nilpotent matrices, cyclic shifts: also after a similarity by integers of determinant 1."""
    n = order(rng, min(largest, 10), 1)
    A = np.diag(np.repeat(rng.integers(-2, 3, n), 2)[:n].astype(float)) + np.diag(rng.integers(0, 2, n - 1), 1)
    if rng.random() < 0.2:
        A = np.roll(np.eye(n), 1, axis=0)
    for _ in range(int(rng.integers(0, n))):
        i, j = rng.integers(0, n, 2)
        if i != j:  # rows, then the inverse on columns
            A[i] += A[j]
            A[:, j] -= A[:, i]
    return problem(rng, A)


def clustered(rng, largest):
    n = order(rng, largest, 1)
    values = rng.integers(-2, 3, n) + rng.choice([0, 1e-3, 1e-8, 1e-13]) * rng.standard_normal(n)
    V = rng.standard_normal((n, n)) + rng.choice([0, 3]) * np.eye(n)
    return problem(rng, np.linalg.solve(V.T, (V * values).T).T)


def far_from_normal(rng, largest):
    n = order(rng, largest, 1)
    A = np.triu(rng.standard_normal((n, n))) * 10.0 ** rng.integers(0, 4) + np.tril(integers(rng, n), -1)
    return problem(rng, A)


def sparse(rng, largest):
    n = order(rng, largest)
    A = integers(rng, n) * (rng.random((n, n)) < rng.choice([0.1, 0.3]))
    zero = rng.random(n) < rng.choice([0, 0.3])
    A[zero, :] = A[:, zero] = 0
    return problem(rng, A)


def all_scales(rng, largest):
    """All sizes of numbers, up to the largest and the least."""
    n = order(rng, min(largest, 12), 1)
    k = int(rng.choice([-1074, -1073, -1060, -1022, -1000, -500, 500, 1000, 1015]))
    return problem(rng, integers(rng, n), exponent=k)


def wide(rng, largest):
    """Elements of very different sizes."""
    n, spread = order(rng, min(largest, 6), 1), int(rng.choice([10, 20, 40]))
    return problem(rng, np.ldexp(integers(rng, n), rng.integers(-spread, spread + 1, (n, n))))


def tiny(rng, largest):  # noqa: ARG001
    n = int(rng.integers(0, 3))
    sizes = [[0.0, 1.0, -1.0, 3.0, 1e-16, 1 + EPS], [0.0, 5e-324, -5e-324, 1e-320], [0.0, 1e300, -2e300, 2.0**1022]]
    values = sizes[rng.integers(3)]  # roots of very different sizes take FLINT minutes
    return problem(rng, rng.choice(values, (n, n)))


def named(rng, largest):
    """Frank's, Grcar's and Clement's matrices and upper Hessenberg ones."""
    n, kind = order(rng, min(largest, 16), 2), int(rng.integers(4))
    i, j = np.indices((n, n))
    if kind == 0:
        A = np.where(i <= j + 1, np.minimum(n - i, n - j), 0)
    elif kind == 1:
        A = np.where(i == j + 1, -1, np.where((j >= i) & (j <= i + 3), 1, 0))
    elif kind == 2:
        A = np.where(i == j + 1, i, np.where(j == i + 1, n - j, 0))
    else:
        A = np.triu(integers(rng, n), -1)
    return problem(rng, A.astype(float))


FAMILIES = {
    family.__name__: family
    for family in (
        dense,
        huge_root,
        graded,
        by_rows,
        similar,
        deficient,
        defective,
        clustered,
        far_from_normal,
        sparse,
        all_scales,
        wide,
        tiny,
        named,
    )
}


def eigenvalues(p: Problem) -> list[acb]:
    """The exact eigenvalues as balls, each as often as its multiplicity."""
    ctx.dps = exact.DIGITS
    if len(p["R"]) == 0:
        return []
    q = exact.matrix(p["R"]).charpoly()
    roots = fmpz_poly([int(c * q.denom()) for c in q.coeffs()]).complex_roots()
    return [root * acb(p["factor"]) for root, multiplicity in roots for _ in range(int(multiplicity))]


def exponent(A: np.ndarray) -> int:
    """The exponent that brings the largest element next to 1."""
    largest = max(np.abs(A.real).max(initial=0), np.abs(A.imag).max(initial=0))
    return 0 if largest == 0 else -int(np.frexp(largest)[1])


def distances(found: np.ndarray, truth: list[acb]) -> np.ndarray:
    """|found − true| in the units of both, rounded."""
    exact_values = [acb(arb(float(x.real)), arb(float(x.imag))) for x in found]
    return np.array([[float(abs(x - t).mid()) for t in truth] for x in exact_values]).reshape(len(found), len(truth))


def matched(cost: np.ndarray) -> list[int]:
    """The true value of each computed one: pairs of the least cost first."""
    partner = [-1] * len(cost)
    rest = cost.copy()
    for _ in partner:
        i, j = divmod(int(np.argmin(rest)), len(cost))
        partner[i] = j
        rest[i, :] = rest[:, j] = np.inf
    return partner


def backward_error(A: np.ndarray, values: np.ndarray, V: np.ndarray) -> float:
    """max ‖A·v − λ·v‖/(n·2^-52·‖A‖), A scaled so that its elements are at most 1."""
    size = np.linalg.norm(A)
    residual = np.linalg.norm(A.astype(np.clongdouble) @ V - V * values)
    return float(residual) / (len(A) * EPS * size) if size > 0 else float(residual > 0)


def balanced(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """D⁻¹·A·D, whose rows have norms as its columns have, and the exponents of D (Osborne)."""
    B, d = A.copy(), np.zeros(len(A), dtype=int)
    for _ in range(100):
        off = np.abs(B - np.diag(np.diag(B)))
        columns, rows = off.sum(0), off.sum(1)
        both = (columns > 0) & (rows > 0)
        step = np.where(both, np.round(np.log2(np.where(both, rows, 1) / np.where(both, columns, 1)) / 4), 0).astype(
            int
        )
        if not step.any():
            break
        d += step
        B = np.ldexp(B, step - step[:, None])
    return B, d


def conditioned(A: np.ndarray, truth: list[acb]) -> list[float] | None:
    """The relative condition of each eigenvalue: |w|ᵀ|A||v|/(|wᴴv||λ|) for relative changes of the elements of A; for
    changes relative to its norm, ‖w‖‖A‖‖v‖/(|wᴴv||λ|), where rows and columns of the balanced A have sizes so similar
    that the solver does not separate eigenvalues. None if two eigenvalues agree or one is 0."""
    import mpmath

    B, d = balanced(A)
    sizes = np.maximum(np.abs(B).max(0), np.abs(B).max(1))
    norm = float(np.linalg.norm(B)) if sizes.min() > 0 and sizes.max() < SEPARATED * sizes.min() else 0
    with mpmath.workdps(80):
        M = mpmath.matrix(A.tolist())
        try:
            values, W, V = mpmath.eig(M, left=True, right=True)
        except ZeroDivisionError:
            return None
        n, found = len(A), []
        for t in truth:
            at = mpmath.mpc(*(x.mid().str(exact.DIGITS, radius=False) for x in (t.real, t.imag)))
            k = min(range(n), key=lambda k: abs(values[k] - at))
            w, v = W[k, :], V[:, k]
            product = abs(mpmath.fsum(w[i] * v[i] for i in range(n)))
            weight = mpmath.fsum(
                abs(w[i]) * abs(M[i, j]) * abs(v[j]) for i in range(n) for j in range(n) if M[i, j] != 0
            )
            if norm:
                left, right = (
                    [x[i] * mpmath.mpf(2) ** (s * int(d[i])) for i in range(n)] for x, s in ((w, 1), (v, -1))
                )
                weight = mpmath.norm(left) * norm * mpmath.norm(right)
            if product == 0 or values[k] == 0:
                return None
            found.append(float(weight / (product * abs(values[k]))))
        return found


def tampered(A: np.ndarray, result: pivotlab.Eig, seed: int) -> pivotlab.Eig | None:
    """The result with a wrong eigenvalue, or with a pair in place of another one; none where that is a small change
    beside A."""
    values, V = np.array(result.eigenvalues), np.array(result.V)
    n = len(values)
    change = abs(scaled(values.astype(complex), exponent(A))[[0, -1]]) if n else [0]
    if n < 2 or exponent(A) > 900 or change[0] - change[1] <= 1e-6 * np.linalg.norm(scaled(A, exponent(A))):
        return None
    if seed % 2:
        values[-1], V[:, -1] = values[0], V[:, 0]
    else:
        values[seed % n] += abs(values[0]) / 4
    return dataclasses.replace(result, eigenvalues=values, V=V, W=None, T=None, E=None, conditions=None)


def examine(p: Problem) -> Outcome:
    A, n = p["A"], len(p["A"])
    own = p["variant"] is None or ":" not in p["variant"]
    options = {} if p["variant"] is None else {"variant": p["variant"]}
    if own:
        options |= {"conditions": p["left"], "triangular": p["seed"] % 3 == 0}
    try:
        result = pivotlab.eig(A, left=p["left"], check=False, threads=1, **options)
    except pivotlab.NotSupported:
        return Outcome("refused")
    outcome = Outcome(result.status)
    if result.status != "passed":
        if own:
            outcome.add("false incorrect", f"{p['variant']}: {result.status} {result.message}")
        return outcome
    values = np.asarray(result.eigenvalues)
    if len(values) != n or result.V.shape != (n, n) or not np.isfinite(values).all():
        outcome.add("invalid", f"eigenvalues {values}")
        return outcome
    verdict = pivotlab.judge(A, result, threads=1)
    outcome.verdict = verdict.status
    k = exponent(A)
    B, scaled_values = scaled(A, k), scaled(values.astype(complex), k)
    error = backward_error(B, scaled_values, np.asarray(result.V)) if n else 0
    rounding = math.ldexp(1, k - 1074) / EPS  # of the eigenvalues, where they are subnormal
    if not verdict.passed:
        unit = np.abs(np.linalg.norm(result.V, axis=0) - 1).max(initial=0) <= 10 * EPS
        if unit and error <= 10 + rounding and "left_" not in verdict.message:
            outcome.add("false incorrect", f"{p['variant']}: {verdict.message}")
        elif own:
            outcome.add("invalid", f"{p['variant']}: status passed, {verdict.message}")
        return outcome
    if error > 31 + 2 * rounding:
        outcome.add("wrong passed", f"{p['variant']}: residual {error:.2g}·n·2^-52")
    compare(p, result, outcome)
    if (other := tampered(A, result, p["seed"])) is not None and pivotlab.judge(A, other, threads=1).passed:
        outcome.add("wrong passed", f"with a wrong eigenvalue: {other.eigenvalues}")
    return outcome


def lapack_error(A: np.ndarray, truth: list[acb]) -> float:
    """The largest relative error of LAPACK's eigenvalues, of the balanced matrix: what users have without pivotlab."""
    moduli = np.array([float(abs(t).mid()) for t in truth])
    relative = distances(np.linalg.eigvals(A).astype(complex), truth) / moduli
    return max(relative[i, j] for i, j in enumerate(matched(relative)))


def compare(p: Problem, result: pivotlab.Eig, outcome: Outcome) -> None:
    """Compares the eigenvalues with the true ones: in units in which the largest element of A is about 1."""
    A, n, k = p["A"], len(p["A"]), exponent(p["A"])
    truth = [t * acb(arb(2) ** k) for t in eigenvalues(p)]
    values = scaled(np.asarray(result.eigenvalues).astype(complex), k)
    if n == 0:
        return
    B = scaled(A, k)
    size, least = float(np.linalg.norm(B)), math.ldexp(1, k - 1074)
    distance = distances(values, truth)
    moduli = np.array([float(abs(t).mid()) for t in truth])
    error = [distance[i, j] for i, j in enumerate(matched(distance))]
    V = np.linalg.eig(B)[1]
    try:
        condition = np.linalg.cond(V) if np.isfinite(V).all() else np.inf
    except np.linalg.LinAlgError:
        condition = np.inf
    perturbation = 31 * n * EPS * size + n * least
    bound = min(
        (2 * n - 1) * perturbation * (2 * condition if condition < 1e12 else np.inf),  # Bauer and Fike, Ostrowski
        (2 * n - 1) * (2 * size + perturbation) ** (1 - 1 / n) * perturbation ** (1 / n),  # Elsner
    )
    if max(error) > bound:
        outcome.add("wrong passed", f"{p['variant']}: error {max(error):.2g} of an eigenvalue, bound {bound:.2g}")
    if result.conditions is not None and condition < 1e10:
        separation = np.array([[float(abs(s - t).mid()) for t in truth] for s in truth]) + np.diag([np.inf] * n)
        for i, j in enumerate(matched(distance)):
            isolated = perturbation * condition * 8 < separation[j].min()
            claim = 2 * perturbation * result.conditions[i] + least
            if isolated and not error[i] <= claim:
                outcome.add("estimate violated", f"{p['variant']}: error {error[i]:.2g}, claim {claim:.2g}")
                break
    own = p["variant"] is None or ":" not in p["variant"]
    if p["graded"] and own and not np.iscomplexobj(A) and n <= 6 and (moduli > 0).all():
        relative = distance / moduli
        conditions = conditioned(A, eigenvalues(p))
        for i, j in enumerate(matched(relative)):
            if conditions is None or conditions[j] > 1e6:
                continue
            claim = 1000 * n * EPS * conditions[j]
            if not relative[i, j] <= claim and lapack_error(B, truth) <= claim:
                outcome.add("estimate violated", f"{p['variant']}: relative error {relative[i, j]:.2g} > {claim:.2g}")
                break
