# SPDX-License-Identifier: BSD-3-Clause
"""Random (G, J) against exact eigenvalues of J·GᴴG: singular value decompositions and hyperbolic ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pivotlab
from flint import arb, ctx, fmpq, fmpq_mat

import exact
from harness import Outcome, order

EPS = 2.0**-52
SMALLEST = 2.0**-1074
VARIANTS = ("HSVD-ME-BO", "HSVD-ME-PT", "HSVD-ME-FB;w=8", "HSVD-RR-PT", "HSVD-ME-BO;w=4;factor=qr")
EXACT = ("HSVD-ME-BO;exact", "HSVD-ME-PT;exact")


@dataclass
class Problem:
    G: np.ndarray
    J: np.ndarray | None = None
    variant: str = "auto"
    digits: bool = False
    """Whether every singular value has about ten digits or more: G = B·D or D·B, B of condition below 100, J = I."""
    seed: int = 0


def _draw(rng, m, n, complex_=None):
    G = rng.standard_normal((m, n))
    return G + 1j * rng.standard_normal((m, n)) if (rng.random() < 0.4 if complex_ is None else complex_) else G


def _signs(rng, n):
    return None if rng.random() < 0.5 else rng.choice([1, -1], n)


def _problem(rng, G, J=None, digits=False):
    """The problem with a variant: mostly the default one, else any that has J, or that keeps the digits."""
    mixed = J is not None and len(set(J)) == 2
    variant = "auto"
    if rng.random() < 0.4 and not digits:
        variant = str(rng.choice(VARIANTS if mixed else (*VARIANTS, "HSVD-ME-BO;qrp", "HSVD-ME-PT;qrp", *EXACT)))
    return Problem(G, J, variant, digits, int(rng.integers(2**31)))


def _shape(rng, largest, limit=12):
    n = order(rng, min(largest, limit), 1)
    return n + int(rng.integers(0, 4)), n


def random(rng, largest):
    m, n = _shape(rng, largest, 16)
    return _problem(rng, _draw(rng, m, n), _signs(rng, n))


def wide(rng, largest):
    n, m = _shape(rng, largest)
    J = None if rng.random() < 0.7 else rng.choice([1, -1], 1).repeat(n)
    G = _draw(rng, m, n) if rng.random() < 0.7 else np.ones((m, n)) * 2.0 ** rng.integers(-500, 500)
    return _problem(rng, G, J)


def _well_conditioned(rng, m, n):
    Q, _ = np.linalg.qr(_draw(rng, m, n))
    return Q * rng.uniform(0.5, 2, n)


def _scales(rng, n, range_):
    return 2.0 ** np.round(rng.permutation(np.linspace(-rng.uniform(5, range_), 0, n)))


def columns(rng, largest):
    m, n = _shape(rng, largest, 8)
    J = _signs(rng, n)
    return _problem(rng, _well_conditioned(rng, m, n) * _scales(rng, n, 400), J, J is None)


def rows(rng, largest):
    n = order(rng, min(largest, 8), 1)
    G = _scales(rng, n, 400)[:, None] * _well_conditioned(rng, n, n)
    return _problem(rng, G, None, digits=True)


def both(rng, largest):
    n = order(rng, min(largest, 8), 1)
    G = _scales(rng, n, 150)[:, None] * _draw(rng, n, n) * _scales(rng, n, 150)
    return _problem(rng, G, _signs(rng, n))


def laeuchli(rng, largest):
    n = order(rng, min(largest, 12), 2)
    mu = 10.0 ** rng.uniform(-9, -1)
    return _problem(rng, np.vstack([np.ones((1, n)), mu * np.eye(n)]), rng.choice([1, -1], n))


def parallel(rng, largest):
    """Parallel columns of tiny size beside a unit vector."""
    n = order(rng, min(largest, 9), 2)
    p = 2.0 ** -float(rng.integers(100, 500))
    v = rng.integers(-3, 4, n - 1) + 1j * rng.integers(-3, 4, n - 1)
    G = np.zeros((n, n), complex)
    G[: n - 1, : n - 1] = np.outer(v, rng.integers(-3, 4, n - 1) + 1j * rng.integers(-3, 4, n - 1)) * p
    G[n - 1, n - 1] = 1
    J = np.ones(n, int)
    J[n - 1] = rng.choice([1, -1])
    return _problem(rng, G, J)


def integers(rng, largest):
    """Small integers of exact rank r, with zero rows and columns."""
    m, n = _shape(rng, largest)
    r = int(rng.integers(0, n + 1))
    G = rng.integers(-3, 4, (m, r)) @ rng.integers(-3, 4, (r, n)) * 1.0
    if rng.random() < 0.3:
        G = G + 1j * (rng.integers(-3, 4, (m, r)) @ rng.integers(-3, 4, (r, n)))
    G[:, rng.random(n) < 0.2] = 0
    G[rng.random(m) < 0.2] = 0
    return _problem(rng, G, None if rng.random() < 0.8 else rng.choice([1, -1], n))


def zeros(rng, largest):
    m, n = _shape(rng, largest)
    G = np.zeros((m, n) if rng.random() < 0.7 else (n, m), complex if rng.random() < 0.3 else float)
    return _problem(rng, G)


def empty(rng, largest):
    k = int(rng.integers(0, 5))
    return _problem(rng, np.zeros((k, 0) if rng.random() < 0.5 else (0, k)))


def extreme(rng, largest):
    """All of one scale, or each column of its own, from 2^-1074 to 2^1020."""
    m, n = _shape(rng, largest, 5)
    exponents = rng.integers(-1078, 1016, n if rng.random() < 0.5 else 1)
    G = np.ldexp(np.round(rng.standard_normal((m, n)) * 64) / 64, exponents)
    if rng.random() < 0.4:
        G = G + 1j * np.ldexp(np.round(rng.standard_normal((m, n)) * 64) / 64, exponents)
    return _problem(rng, G, _signs(rng, n))


def diagonal(rng, largest):
    n = order(rng, min(largest, 6), 1)
    d = np.ldexp(rng.uniform(-2, 2, n), rng.integers(-1074, 1022, n))
    return _problem(rng, np.diag(d)[rng.permutation(n)], _signs(rng, n))


def repeated(rng, largest):
    """Multiple and clustered singular values."""
    n = order(rng, min(largest, 10), 1)
    Q, _ = np.linalg.qr(_draw(rng, n, n))
    d = rng.choice([1.0, 1.0, 2.0, 1 + 1e-10, 1e-3], n)
    G = Q * d if rng.random() < 0.5 else np.kron(np.eye(n), [[1.0, 1.0], [1.0, -1.0]])[:, :n]
    return _problem(rng, G, _signs(rng, n))


def generators(rng, largest):
    names = ("graded;g=6", "two-sided;g=8", "parallel;gap=1e-4", "hilbert", "lowrank", "random")
    n = order(rng, min(largest, 12), 2)
    made = pivotlab.generate(
        "hsvd",
        str(rng.choice(names)),
        n,
        m=n + int(rng.integers(0, 3)),
        signs=str(rng.choice(["positive", "halves", "third"])),
        type=str(rng.choice(["d", "z"])),
        seed=int(rng.integers(1, 1000)),
    )
    return _problem(rng, np.asarray(made.G), np.asarray(made.J))


FAMILIES = {
    f.__name__: f
    for f in (
        random,
        wide,
        columns,
        rows,
        both,
        laeuchli,
        parallel,
        integers,
        zeros,
        empty,
        extreme,
        diagonal,
        repeated,
        generators,
    )
}


def truth(G: np.ndarray, J: np.ndarray) -> list | None:
    """J'·σ², descending: eigenvalues of J·GᴴG as balls; as many as columns. None if some are not real."""
    n = G.shape[1]
    if n == 0:
        return []
    M = exact.matrix(G)
    twice = 2 if np.iscomplexobj(G) else 1
    signs = [fmpq(int(J[i % n])) for i in range(twice * n)]
    D = fmpq_mat(twice * n, twice * n, [signs[i] if i == j else 0 for i in range(twice * n) for j in range(twice * n)])
    try:
        return exact.real_roots((D * M.transpose() * M).charpoly(), twice)
    except ArithmeticError:
        return None


def _scaled(G: np.ndarray, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """G and sigma in extended precision with a largest element near 1."""
    kind = np.clongdouble if np.iscomplexobj(G) else np.longdouble
    e = np.max(np.abs(G.astype(kind)), initial=0)
    factor = np.longdouble(1) / e if e > 0 else np.longdouble(1)
    return G.astype(kind) * factor, sigma.astype(np.longdouble) * factor


def defects(G: np.ndarray, J: np.ndarray, r) -> float:
    """The largest error of the decomposition in units of max(m, n)·2^-52, computed in extended precision."""
    if not len(r.sigma):
        return 0.0
    A, s = _scaled(G, r.sigma)
    U, V, signs = r.U.astype(A.dtype), r.V.astype(A.dtype), J.astype(float)
    k = len(s)
    if A.shape[0] < A.shape[1]:
        A, U, V, signs = A.conj().T, V, U, np.full(k, float(J[0]))
    lengths = np.sqrt(np.sum(np.abs(V) ** 2, axis=0))
    norm = np.sqrt(np.sum(np.abs(A) ** 2))
    unit = SMALLEST * (np.longdouble(1) / np.max(np.abs(G.astype(A.dtype)))) if norm > 0 else 0
    error = np.abs(A @ V - U * s) / lengths
    residual = np.sqrt(np.sum(np.maximum(error - unit, 0) ** 2)) / (norm if norm > 0 else 1)
    given = (np.sum(np.abs(U), axis=0) > 0) | (s > 0)
    gram = U.conj().T @ U - np.diag(given.astype(float))
    of_v = (V.conj().T * signs) @ V - np.diag(np.asarray(r.J, float))
    frobenius = [residual, np.sqrt(np.sum(np.abs(gram) ** 2)), np.sqrt(np.sum(np.abs(of_v) ** 2)) / max(lengths) ** 2]
    return float(max(frobenius)) / (EPS * max(A.shape))


def _relative(value: arb, reference: arb) -> float:
    return float(abs(value - reference).mid() / abs(reference).mid())


def examine(problem: Problem) -> Outcome:
    ctx.dps = exact.DIGITS
    G, J, out = problem.G, problem.J, Outcome("passed")
    m, n = G.shape
    mixed = J is not None and len(set(J)) == 2
    overflows = np.max(np.abs(G.astype(np.clongdouble)), initial=0) * np.sqrt(float(max(m * n, 1))) > 2.0**1023
    try:
        r = pivotlab.svd(G, J=J, variant=problem.variant, v=True, check=False)
    except pivotlab.InputError as refusal:
        if not ((m < n and mixed) or overflows) or "\n" in str(refusal):
            out.add("invalid", f"refused: {refusal}")
        return replace(out, verdict="refused")
    k = min(m, n)
    shapes = (r.U.shape, r.sigma.shape, r.V.shape, len(r.J), len(r.estimate))
    if shapes != ((m, k), (k,), (n, k), k, k):
        out.add("invalid", f"shapes {shapes}")
        return out
    if not all(np.all(np.isfinite(x)) for x in (r.U, r.sigma, r.V, r.estimate)):
        out.add("invalid", "NaN or Inf")
        return out

    signs = np.ones(n, int) if J is None else np.asarray(J)
    judged = pivotlab.judge(G if J is None else (G, J), r)
    defect = defects(G, signs, r)
    if r.status == "passed" and not judged.passed:
        out.add("false incorrect" if defect < 30 else "wrong passed", f"{judged.message}; defect {defect:.1f}")
    if judged.passed and defect > 50:
        out.add("wrong passed", f"the judge passes a defect of {defect:.1f}")
    if r.status != "passed":
        out.verdict = "not determined"
        if not mixed:
            out.add("false incorrect", r.message)
        return out

    values = truth(G, signs) if m >= n else truth(G.conj().T, np.full(m, signs[0] if n else 1))
    if values is None:
        out.add("wrong passed", "there is no decomposition: eigenvalues are not real")
        return out
    lost = 0.0
    for x, sign, estimate, t in zip(r.sigma, r.J, r.estimate, values, strict=True):
        square = int(sign) * arb(exact.rational(x)) ** 2
        if estimate >= 0.1:
            lost = np.inf
            continue
        if t == 0:
            if x != 0:
                out.add("estimate violated", f"sigma {x:.3g} for 0, estimate {estimate:.1e}")
            continue
        error = _relative(square, t)
        lost = max(lost, error)
        if error > 10 * estimate + 1e-30:
            out.add("estimate violated", f"sigma {x:.6g}: relative error {error:.1e} of the square, {estimate:.1e}")
    if problem.digits and lost > 1e-10:
        out.add("wrong passed", f"a relative error of {lost:.1e} where ten digits are determined")
    _tamper(problem, r, out)
    return out


def _tamper(problem: Problem, r, out: Outcome) -> None:
    """A result with an error of 1e-8 must not pass."""
    rng = np.random.default_rng(problem.seed)
    if not len(r.sigma) or not np.max(r.sigma) > 2.0**-1000 or problem.J is not None:
        return
    j = int(np.argmax(r.sigma))
    what = str(rng.choice(["sigma", "U", "V", "nan", "negative"]))
    sigma, U, V = r.sigma.copy(), r.U.copy(), r.V.copy()
    if what == "sigma":
        sigma[j] *= 1 + 1e-8
    elif what == "U":
        U[rng.integers(len(U)), j] += 1e-8
    elif what == "V":
        V[rng.integers(len(V)), j] += 1e-8
    elif what == "nan":
        V[rng.integers(len(V)), j] = np.nan
    else:
        sigma[j] = -sigma[j]
    if pivotlab.judge(problem.G, replace(r, sigma=sigma, U=U, V=V)).passed:
        out.add("wrong passed", f"the judge passes a wrong result: {what}")
