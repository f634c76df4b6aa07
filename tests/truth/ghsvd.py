# SPDX-License-Identifier: BSD-3-Clause
"""Random (F, G; J) against eigenvalues of (F^H J F, G^H G) from rational arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pivotlab
from flint import arb, fmpq_mat

import exact
import harness

EPS = 2.0**-52
LARGEST = 12  # the roots of the characteristic polynomials of larger pairs take too long
VARIANTS = ("GHSVD-TR-ME-BO", "GHSVD-TR-ME-PT", "GHSVD-TR-ME-BO;precision=working", "GHSVD-HZ-ME-PT")


@dataclass
class Problem:
    F: np.ndarray
    G: np.ndarray
    J: np.ndarray
    variant: str
    extreme: bool = False  # powers of two over so wide a range that a method may fail, as long as it says so


# ---- Families ----


def _order(rng: np.random.Generator, largest: int, least: int = 0) -> int:
    return harness.order(rng, min(largest, LARGEST), least)


def _gauss(rng: np.random.Generator, m: int, n: int, real: bool) -> np.ndarray:
    A = rng.standard_normal((m, n))
    return A if real else A + 1j * rng.standard_normal((m, n))


def _integers(rng: np.random.Generator, m: int, n: int, real: bool, size: int = 4) -> np.ndarray:
    A = rng.integers(-size, size + 1, (m, n)).astype(float)
    return A if real else A + 1j * rng.integers(-size, size + 1, (m, n))


def _problem(rng: np.random.Generator, F: np.ndarray, G: np.ndarray, J: np.ndarray | None = None) -> Problem:
    if J is None:
        J = rng.choice([-1, 1], len(F)) if rng.random() < 0.85 else np.full(len(F), rng.choice([-1, 1]))
    variant = VARIANTS[0] if rng.random() < 0.5 else str(rng.choice(VARIANTS[1:]))
    return Problem(F, G, np.asarray(J, dtype=int), variant)


def _shape(rng: np.random.Generator, largest: int) -> tuple[int, int, int, bool]:
    n = _order(rng, largest, 1)
    return n, int(rng.integers(max(n - 2, 1), n + 4)), n + int(rng.integers(0, 3)), rng.random() < 0.7


def _pair(rng: np.random.Generator, largest: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """Both of full rank, as a rule: integers or normal numbers."""
    n, m_f, m_g, real = _shape(rng, largest)
    draw = _integers if rng.random() < 0.5 else _gauss
    return draw(rng, m_f, n, real), draw(rng, m_g, n, real), real


def dense(rng: np.random.Generator, largest: int) -> Problem:
    F, G, _ = _pair(rng, largest)
    return _problem(rng, F, G)


def dependent_columns(rng: np.random.Generator, largest: int) -> Problem:
    n, m_f, m_g, real = _shape(rng, largest)
    r = int(rng.integers(0, n))
    F = _integers(rng, m_f, r, real, 3) @ _integers(rng, r, n, real, 2)
    return _problem(rng, F, _integers(rng, m_g, n, real))


def cancelling_rows(rng: np.random.Generator, largest: int) -> Problem:
    """Rows of F equal in pairs with opposite signs: F^H J F has a smaller rank than F."""
    F, G, _ = _pair(rng, largest)
    k = int(rng.integers(1, len(F) + 1))
    J = np.concatenate([rng.choice([-1, 1], len(F)), np.zeros(k, dtype=int)])
    J[len(F) :] = -J[:k]
    F = np.vstack([F, F[:k]])
    order = rng.permutation(len(F))
    return _problem(rng, F[order], G, J[order])


def neutral(rng: np.random.Generator, largest: int) -> Problem:
    """Rows of F nearly equal in pairs with opposite signs."""
    p = cancelling_rows(rng, largest)
    return Problem(p.F * (1 + 2.0 ** -rng.integers(5, 50) * rng.standard_normal(p.F.shape)), p.G, p.J, p.variant)


def _nearly_parallel(rng: np.random.Generator, A: np.ndarray) -> np.ndarray:
    if A.shape[1] > 1:
        i, j = rng.permutation(A.shape[1])[:2]
        A = A.copy()
        A[:, i] = A[:, j] * rng.choice([-1, 1, 2]) + A[:, i] * 2.0 ** -rng.integers(10, 45)
    return A


def parallel_f(rng: np.random.Generator, largest: int) -> Problem:
    F, G, _ = _pair(rng, largest)
    return _problem(rng, _nearly_parallel(rng, F), G)


def parallel_g(rng: np.random.Generator, largest: int) -> Problem:
    F, G, _ = _pair(rng, largest)
    return _problem(rng, F, _nearly_parallel(rng, G))


def parallel_both(rng: np.random.Generator, largest: int) -> Problem:
    F, G, _ = _pair(rng, largest)
    return _problem(rng, _nearly_parallel(rng, F), _nearly_parallel(rng, G))


def _scales(rng: np.random.Generator, count: int, decades: float) -> np.ndarray:
    return 10.0 ** rng.uniform(-decades, 0, count)


def graded(rng: np.random.Generator, largest: int) -> Problem:
    """Rows and columns of F and G of different size, up to 12 decades."""
    F, G, _ = _pair(rng, largest)
    for side in rng.permutation(4)[: int(rng.integers(1, 4))]:
        decades = rng.uniform(1, 12)
        if side == 0:
            F = _scales(rng, len(F), decades)[:, None] * F
        elif side == 1:
            F = F * _scales(rng, F.shape[1], decades)
        elif side == 2:
            G = _scales(rng, len(G), decades)[:, None] * G
        else:
            G = G * _scales(rng, G.shape[1], decades)
    return _problem(rng, F, G)


def generated(rng: np.random.Generator, largest: int) -> Problem:
    """Public generators."""
    n = _order(rng, largest, 1)
    m = n + int(rng.integers(0, n + 1))
    name = str(
        rng.choice(
            [
                "random",
                "neutral",
                "two-sided;columns_f=random;columns_g=random;g=4",
                "two-sided;rows_f=random;g=8",
                "waves;overlap=0.2",
            ]
        )
    )
    signs = str(rng.choice(["positive", "halves", "third", "random"]))
    type = "d" if rng.random() < 0.7 else "z"
    pair = pivotlab.generate("gsvd", name, n, m_f=m, m_g=m, type=type, seed=int(rng.integers(1, 10**6)))
    J = {
        "positive": np.ones(m),
        "halves": np.where(np.arange(m) < m // 2, 1, -1),
        "third": np.where(np.arange(m) % 3 == 2, -1, 1),
        "random": rng.choice([-1, 1], m),
    }[signs]
    return _problem(rng, pair.F, pair.G, J)


def repeated(rng: np.random.Generator, largest: int) -> Problem:
    """Repeated eigenvalues: F and G have equal diagonal blocks."""
    n, m_f, m_g, real = _shape(rng, max(largest // 2, 1))
    copies = int(rng.integers(2, 4))
    if n * copies > LARGEST:
        n, m_f, m_g = 2, 3, 3
    F, G = _integers(rng, m_f, n, real), _integers(rng, m_g, n, real)
    J = np.tile(rng.choice([-1, 1], m_f), copies)
    return _problem(rng, np.kron(np.eye(copies), F), np.kron(np.eye(copies), G), J)


def zeros(rng: np.random.Generator, largest: int) -> Problem:
    """Zero rows, columns and matrices F, and F with few rows."""
    F, G, _ = _pair(rng, largest)
    F = F.copy()
    F[:, rng.random(F.shape[1]) < 0.4] = 0
    F[rng.random(len(F)) < 0.4] = 0
    if rng.random() < 0.3:
        F = F[: int(rng.integers(0, len(F) + 1))]
    if rng.random() < 0.1:
        F = F * 0
    return _problem(rng, F, G)


def empty(rng: np.random.Generator, largest: int) -> Problem:
    del largest
    n = int(rng.integers(0, 3))
    return _problem(
        rng, np.zeros((int(rng.integers(0, 3)) if n == 0 else 0, n)), np.eye(n + int(rng.integers(0, 2)), n)
    )


def one(rng: np.random.Generator, largest: int) -> Problem:
    del largest
    real = rng.random() < 0.5
    F = _gauss(rng, int(rng.integers(1, 4)), 1, real) * 2.0 ** rng.integers(-200, 200)
    return _problem(rng, F, _gauss(rng, int(rng.integers(1, 3)), 1, real))


def scaled(rng: np.random.Generator, largest: int) -> Problem:
    """F and G scaled apart by powers of two over all the range of double."""
    F, G, _ = _pair(rng, largest)
    return _problem(
        rng, np.ldexp(1.0, int(rng.integers(-1070, 1015))) * F, np.ldexp(1.0, int(rng.integers(-1000, 1015))) * G
    )


def wide_range(rng: np.random.Generator, largest: int) -> Problem:
    """Columns of F and rows of F and G scaled by powers of two over all the range of double."""
    F, G, _ = _pair(rng, min(largest, 5))
    span = int(rng.choice([100, 500, 1000]))
    powers = lambda count: np.ldexp(1.0, rng.integers(-span, 1, count))  # noqa: E731
    if rng.random() < 0.5:
        F = F * powers(F.shape[1])
    if rng.random() < 0.5:
        F = powers(len(F))[:, None] * F
    if rng.random() < 0.3:
        G = G * powers(G.shape[1])
    if rng.random() < 0.1:
        F = F * 2.0**-1074
    return replace(_problem(rng, F, G), extreme=True)


FAMILIES = {
    f.__name__: f
    for f in (
        dense,
        dependent_columns,
        cancelling_rows,
        neutral,
        parallel_f,
        parallel_g,
        parallel_both,
        graded,
        generated,
        repeated,
        zeros,
        empty,
        one,
        scaled,
        wide_range,
    )
}


# ---- Truth ----


def _gram(A: np.ndarray, signs: np.ndarray) -> fmpq_mat:
    """A^H diag(signs) A, exactly; complex ones as real matrices of twice the order."""
    a = exact.matrix(A)
    s = np.concatenate([signs, signs]) if np.iscomplexobj(A) else signs
    return a.transpose() * fmpq_mat(
        len(s), a.ncols(), [int(s[i]) * a[i, j] for i in range(len(s)) for j in range(a.ncols())]
    )


def truth(F: np.ndarray, G: np.ndarray, J: np.ndarray) -> list | None:
    """The eigenvalues as balls in descending order; None if G does not have full column rank."""
    n = G.shape[1]
    if n == 0:
        return []
    twice = 2 if np.iscomplexobj(F) or np.iscomplexobj(G) else 1
    if twice == 2:
        F, G = F.astype(complex), G.astype(complex)
    if exact.rank(G) < n:
        return None
    if len(F) == 0:
        return [arb(0)] * n
    K, N = _gram(F, J), _gram(G, np.ones(len(G), dtype=int))
    return exact.real_roots(N.solve(K).charpoly(), twice)


def _error(x: float, ball) -> float:
    """|x - t|/|t|, 0 for zero and zero."""
    if ball == 0:
        return 0.0 if x == 0 else np.inf
    if not np.isfinite(x):
        return np.inf
    return abs(float((arb(exact.rational(x)) - ball) / ball))


# ---- Examination ----


def _unit(A: np.ndarray) -> tuple[np.ndarray, int]:
    """A times a power of two that makes its largest element about 1, and the exponent of A."""
    parts = np.abs(np.concatenate([A.real.ravel(), A.imag.ravel()]))
    if not parts.size or parts.max() == 0:
        return A, 0
    e = int(np.frexp(parts.max())[1])
    half = -e // 2
    return A * np.ldexp(1.0, half) * np.ldexp(1.0, -e - half), e


def _factors(p: Problem, r) -> str:
    """What does not hold of U, V and Z, computed with NumPy."""
    U, V, Z, J = r.U, r.V, r.Z, np.asarray(r.J)
    F, ef = _unit(p.F)
    G, eg = _unit(p.G)
    m = max(len(F), len(G))
    bound = 45 * m * EPS
    if not all(np.all(np.isfinite(A)) for A in (U, V, Z, r.eigenvalues, r.sigma_f, r.sigma_g)):
        return "NaN or Inf"
    for j in range(len(J)):
        z, ez = _unit(Z[:, j])
        length = np.linalg.norm(z)
        sf = np.ldexp(r.sigma_f[j], -ez - ef)
        if J[j] != 0 and not np.linalg.norm(F @ z - U[:, j] * sf) <= bound * np.linalg.norm(F) * length:
            return f"F z - u sigma of column {j}"
        sg = np.ldexp(r.sigma_g[j], -ez - eg)
        if not np.linalg.norm(G @ z - V[:, j] * sg) <= bound * np.linalg.norm(G) * length:
            return f"G z - v sigma of column {j}"
    if not np.linalg.norm(V.conj().T @ V - np.eye(len(J))) <= bound:
        return "V is not unitary"
    largest = max(np.linalg.norm(U, axis=0), default=0.0) ** 2
    if largest and not np.linalg.norm((U.conj().T * p.J) @ U - np.diag(J.astype(float))) <= bound * largest:
        return "U is not J-unitary"
    return ""


def examine(p: Problem) -> harness.Outcome:
    try:
        r = pivotlab.ghsvd(p.F, p.G, p.J, variant=p.variant, threads=1, check=False)
    except pivotlab.InputError as refusal:
        text = str(refusal)
        outcome = harness.Outcome("refused")
        if "\n" in text or not any(word in text for word in ("range of double", "is zero", "only 2^")):
            outcome.add("invalid", f"{p.variant}: {text}")
        return outcome
    if r.status == "failed":
        outcome = harness.Outcome("refused")
        if "full column rank" not in r.message:
            outcome.add("invalid", f"{p.variant}: {r.message}")
        return outcome
    judged = pivotlab.judge((p.F, p.G, p.J), r, threads=1)
    outcome = harness.Outcome("passed" if r.status == judged.status == "passed" else "incorrect")
    if p.extreme and r.status == judged.status == "incorrect":
        return outcome
    label = f"{p.variant} ({r.tangent_bits} bits)"
    values = truth(p.F, p.G, p.J)
    if values is None:
        outcome.add("wrong passed", f"{label}: G does not have full column rank")
        return outcome
    noise = 10 * np.asarray([] if r.estimate is None else r.estimate) >= 1
    right = True
    factor = 30 if r.tangent_bits == 0 else 10
    for j, (x, t) in enumerate(zip(r.eigenvalues, values, strict=True)):
        error = _error(x, t)
        if not noise[j] and error > factor * r.estimate[j]:
            right = False
            outcome.add(
                "estimate violated",
                f"{label}: eigenvalue {j} {x:.3g} has the error {error:.1e}, estimate {r.estimate[j]:.1e}",
            )
    defect = _factors(p, r)
    if defect and outcome.verdict == "passed":
        outcome.add("wrong passed", f"{label}: {defect}")
    if (r.status == "passed") != (judged.status == "passed"):
        outcome.add("invalid", f"{label}: solver {r.status} ({r.message}), judge {judged.status} ({judged.message})")
    if not defect and right and outcome.verdict != "passed":
        outcome.add("false incorrect", f"{label}: {r.status} ({r.message}), judge {judged.message}")
    if outcome.verdict != "passed" and defect:
        outcome.add("false incorrect", f"{label}: {r.message or judged.message}")
    return outcome
