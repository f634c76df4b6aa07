# SPDX-License-Identifier: BSD-3-Clause
"""The judges themselves: metrics of results, right ones and some with wrong numbers, against 300 bits by their
definitions (docs/reference/metrics.md)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pivotlab
from flint import acb, acb_mat, arb, ctx

from eigh import gaussian, mirrored, scales
from harness import Outcome, order

BITS = 300
RELATIVE, ABSOLUTE = 1e-12, 1e-27
"""What judges may lose: metrics are doubles, in units of norms, from residuals with about 30 digits after the point of
the data; those of 1e-16 have 12 of them."""

Problem = dict[str, Any]
Metrics = Iterator[tuple[str, arb]]


def big(A: np.ndarray) -> acb_mat:
    A = np.atleast_2d(A)
    return acb_mat(*A.shape, [acb(x.real, x.imag) for x in A.ravel().astype(complex).tolist()])


def diagonal(values: np.ndarray) -> acb_mat:
    return big(np.diag(values))


def adjoint(A: acb_mat) -> acb_mat:
    return A.transpose().conjugate()


def square(A: acb_mat) -> arb:
    return sum((abs(x) ** 2 for x in A.entries()), arb(0))


def norm(A: acb_mat) -> arb:
    return square(A).sqrt()


def largest(numbers: list[arb]) -> arb:
    return max(numbers, key=lambda x: x.mid(), default=arb(0))


def columns(A: acb_mat) -> list[arb]:
    return [sum((abs(A[i, j]) ** 2 for i in range(A.nrows())), arb(0)).sqrt() for j in range(A.ncols())]


def gram_error(A: acb_mat, J: np.ndarray | None = None, of: np.ndarray | None = None) -> acb_mat:
    """A*JA − J'."""
    middle = A if J is None else diagonal(J) * A
    return adjoint(A) * middle - diagonal(np.ones(A.ncols()) if of is None else of)


def of_eigh(A: np.ndarray, r: Any) -> Metrics:
    a, u, values = big(A), big(r.U), diagonal(r.eigenvalues)
    yield "residual", norm(a * u - u * values) / norm(a)
    yield "orthogonality", norm(gram_error(u))
    yield "trace_error", abs(values.trace() - a.trace()) / norm(a)


def of_eig(A: np.ndarray, r: Any) -> Metrics:
    a, v, values = big(A), big(r.V), diagonal(r.eigenvalues)
    yield "residual", norm(a * v - v * values) / norm(a)
    yield "trace_error", abs(values.trace() - a.trace()) / norm(a)
    yield "squares_error", abs((values * values).trace() - (a * a).trace()) / square(a)


def of_svd(G: np.ndarray, r: Any) -> Metrics:
    g, u, v = big(G), big(r.U), big(r.V)
    scaled = diagonal(np.array([complex(x) for x in r.sigma]))
    lengths = columns(v)
    residual = g * v - u * scaled
    for j, length in enumerate(lengths):
        for i in range(residual.nrows()):
            residual[i, j] /= length
    most = largest(lengths) ** 2
    yield "residual", norm(residual) / norm(g)
    yield "orthogonality", norm(gram_error(u))
    yield "j_orthogonality", norm(gram_error(v)) / most


def of_ldlt(A: np.ndarray, r: Any) -> Metrics:
    order = r.permutation
    unscaled = diagonal(2.0 ** -r.scaling[order] if len(r.scaling) else np.ones(len(A)))
    a, left = big(A[np.ix_(order, order)]), unscaled * big(r.M)
    error = a - left * big(r.D) * adjoint(left)
    rows, sizes = ([sum((abs(x) for x in row), arb(0)) for row in one.tolist()] for one in (error, a))
    yield "residual", largest(rows) / largest(sizes)


def of_gsvd(pair: tuple[np.ndarray, np.ndarray], r: Any) -> Metrics:
    z = big(r.Z)
    for name, matrix, vectors, sigma in (("f", pair[0], r.U, r.sigma_f), ("g", pair[1], r.V, r.sigma_g)):
        a, u = big(matrix), big(vectors)
        residual = a * z - u * diagonal(sigma)
        weights = [sum((c * abs(z[i, j]) for i, c in enumerate(columns(a))), arb(0)) for j in range(z.ncols())]
        yield f"residual_{name}z", norm(residual) / (norm(a) * norm(z))
        yield f"backward_{name}", largest([e / w for e, w in zip(columns(residual), weights, strict=True)])
        yield f"orthogonality_{'uv'[name == 'g']}", norm(gram_error(u))
        yield f"residual_{name}", norm(a - u * diagonal(sigma) * z.inv()) / norm(a)
    squares = [arb(f) ** 2 + arb(g) ** 2 - 1 for f, g in zip(r.sigma_f.tolist(), r.sigma_g.tolist(), strict=True)]
    yield "sigma_sum", largest([abs(x) for x in squares])


def of_ghsvd(pair: tuple[np.ndarray, np.ndarray], r: Any) -> Metrics:
    f, g, z, u, v = big(pair[0]), big(pair[1]), big(r.Z), big(r.U), big(r.V)
    lengths = columns(z)
    for name, a, left, sigma in (("f", f, u, r.sigma_f), ("g", g, v, r.sigma_g)):
        residual = columns(a * z - left * diagonal(sigma))
        yield f"residual_{name}", largest([e / (norm(a) * x) for e, x in zip(residual, lengths, strict=True)])
    yield "orthogonality", norm(gram_error(v))


def square_matrix(rng: np.random.Generator, largest_order: int, hermitian: bool) -> np.ndarray:
    n = order(rng, min(largest_order, 12), 1)
    A = gaussian(rng, n, n, complex_=rng.random() < 0.4)
    if rng.random() < 0.4:
        d = scales(rng, n, rng.choice([2, 6]))
        A = d[:, None] * A * d
    return mirrored(A) if hermitian else A


def tall(
    rng: np.random.Generator, largest_order: int, n: int | None = None, complex_: bool | None = None
) -> np.ndarray:
    n = order(rng, min(largest_order, 10), 1) if n is None else n
    A = gaussian(rng, n + int(rng.integers(0, 4)), n, complex_=rng.random() < 0.4 if complex_ is None else complex_)
    return A * scales(rng, n, rng.choice([1, 6]))


def pair(rng: np.random.Generator, largest_order: int) -> tuple[np.ndarray, np.ndarray]:
    F = tall(rng, largest_order)
    return F, tall(rng, largest_order, F.shape[1], np.iscomplexobj(F))


def family(make: Callable[..., Any], solve: Callable[..., Any], metrics: Callable[..., Metrics], vectors: str) -> Any:
    """Draws a problem; in two of five the result has a wrong element, of any size, in one of its matrices."""

    def draw(rng: np.random.Generator, largest_order: int) -> Problem:
        matrix = make(rng, largest_order)
        wrong = float(10.0 ** -rng.integers(1, 15)) if rng.random() < 0.4 else 0.0
        return {"matrix": matrix, "solve": solve, "metrics": metrics, "wrong": wrong, "in": str(rng.choice([*vectors]))}

    return draw


FAMILIES = {
    "eigh": family(lambda rng, n: square_matrix(rng, n, True), pivotlab.eigh, of_eigh, "U"),
    "eig": family(lambda rng, n: square_matrix(rng, n, False), pivotlab.eig, of_eig, "V"),
    "svd": family(tall, pivotlab.svd, of_svd, "UV"),
    "ldlt": family(lambda rng, n: square_matrix(rng, n, True), pivotlab.ldlt, of_ldlt, "-"),
    "gsvd": family(pair, lambda p: pivotlab.gsvd(*p), of_gsvd, "UVZ"),
    "ghsvd": family(pair, lambda p: pivotlab.ghsvd(*p), of_ghsvd, "UVZ"),
}


def examine(problem: Problem) -> Outcome:
    ctx.prec = BITS
    matrix = problem["matrix"]
    try:
        result = problem["solve"](matrix)
    except pivotlab.StatusError:
        return Outcome("refused")
    if problem["wrong"] and problem["in"] != "-":
        changed = getattr(result, problem["in"]).copy()
        changed[-1, 0] += problem["wrong"] * np.abs(changed[:, 0]).max()
        result = dataclasses.replace(result, **{problem["in"]: changed})
    verdict = pivotlab.judge(matrix, result)
    outcome = Outcome("passed" if verdict else "incorrect")
    for name, truth in problem["metrics"](matrix, result):
        told, true = verdict.metrics[name], float(truth)
        if told is None or not abs(told - true) <= RELATIVE * true + ABSOLUTE:
            outcome.add("invalid", f"{name} is {true!r}, told {told!r}")
    return outcome
