# SPDX-License-Identifier: BSD-3-Clause
"""Exact truth about matrices of doubles: rational arithmetic and real roots with proved enclosures (FLINT)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import ctx, fmpq, fmpq_mat, fmpz_poly

DIGITS = 40  # of roots and of values computed from them; enclosures of roots are proved at any precision


def rational(x: float) -> fmpq:
    return fmpq(*float(x).as_integer_ratio())


def matrix(A: np.ndarray) -> fmpq_mat:
    """The real matrix A, exactly. A complex n x m matrix becomes the real 2n x 2m one [Re -Im; Im Re]."""
    A = np.atleast_2d(A)
    if np.iscomplexobj(A):
        A = np.block([[A.real, -A.imag], [A.imag, A.real]])
    return fmpq_mat(*A.shape, [rational(x) for x in A.ravel()])


def rank(A: np.ndarray) -> int:
    """The exact rank of A."""
    if 0 in np.shape(A):
        return 0
    return matrix(A).rank() // (2 if np.iscomplexobj(A) else 1)


def solve(A: np.ndarray, B: np.ndarray) -> list[list[Fraction]]:
    """The exact solution X of A X = B, real."""
    X = matrix(A).solve(matrix(B))
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in X.tolist()]


def real_roots(p, repeated: int = 1) -> list:
    """All roots of a polynomial over the rationals whose roots are all real, as balls (arb) in descending order, each
    as often as its multiplicity over `repeated`. Zero is exact. Raises ArithmeticError if a root is not real."""
    ctx.dps = DIGITS
    integral = fmpz_poly([int(c * p.denom()) for c in p.coeffs()]) if hasattr(p, "denom") else p
    roots = []
    for root, multiplicity in integral.complex_roots():
        if not root.imag == 0:
            raise ArithmeticError(f"the root {root} is not real")
        if multiplicity % repeated:
            raise ArithmeticError(f"a root has the multiplicity {multiplicity}")
        roots += [root.real] * (multiplicity // repeated)
    return sorted(roots, key=lambda root: root.mid(), reverse=True)


def eigenvalues(A: np.ndarray) -> list:
    """The eigenvalues of the Hermitian matrix A, in descending order, as balls; multiple ones are exactly equal."""
    return real_roots(matrix(A).charpoly(), 2 if np.iscomplexobj(A) else 1)


def inertia(A: np.ndarray) -> tuple[int, int, int]:
    """Numbers of positive, negative and zero eigenvalues of the Hermitian matrix A, exactly: by the rule of Descartes,
    which counts positive roots without error when all roots are real."""
    if len(A) == 0:
        return 0, 0, 0
    coefficients = matrix(A).charpoly().coeffs()
    twice = 2 if np.iscomplexobj(A) else 1
    zero = next(k for k, c in enumerate(coefficients) if c != 0)
    signs = [c > 0 for c in coefficients if c != 0]
    positive = sum(a != b for a, b in pairwise(signs))
    negative = len(coefficients) - 1 - positive - zero
    return positive // twice, negative // twice, zero // twice
