# SPDX-License-Identifier: BSD-3-Clause
"""Refined decompositions of graded, clustered and singular problems against 150 digits (mpmath)."""

import mpmath
import numpy as np
import pytest

import pivotlab
from pivotlab import InputError, NotSupported

N = 12
DIGITS = 150


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(DIGITS):
        yield


def long(A):
    return mpmath.matrix(A.tolist())


def eigenvalues(A):
    """Of a Hermitian matrix of long numbers, descending."""
    return sorted(mpmath.eigsy((A + A.T) / 2, eigvals_only=True), reverse=True)


def roots(values):
    return [mpmath.sqrt(max(value, 0)) for value in values]


def singular_values(G):
    return roots(eigenvalues(G.T * G))


def generalized_values(F, G):
    inverse = mpmath.inverse(mpmath.cholesky(G.T * G))
    return roots(eigenvalues(inverse * (F.T * F) * inverse.T))


def check(refined, truth, all_determined=True):
    """All bounds hold; determined values are within 2 ulp."""
    assert len(refined.values) == len(truth)
    for value, low, bound, known, true in zip(*refined, refined.determined, truth, strict=True):
        assert abs(mpmath.mpf(float(value)) + mpmath.mpf(float(low)) - true) <= mpmath.mpf(float(bound))
        assert not known or abs(mpmath.mpf(float(value)) - true) <= 2 * np.spacing(abs(value))
    assert refined.determined.all() or not all_determined


def orthonormal(U):
    return np.abs(U.conj().T @ U - np.eye(U.shape[1])).max() < 8 * 2.0**-52


def grading(decades, kind):
    d = 10.0 ** -np.linspace(0, decades, N)
    return np.random.default_rng(decades).permutation(d) if kind == "shuffled" else d[:: -1 if kind == "up" else 1]


GRADED = [(decades, kind) for decades in (4, 8, 12, 16, 24) for kind in ("down", "up", "shuffled", "signs")]


@pytest.mark.parametrize("decades, kind", GRADED)
def test_graded_matrices_keep_all_digits(decades, kind):
    random = np.random.default_rng([decades, len(kind)])
    d = grading(decades, kind)
    B, C = random.standard_normal((2, N + 2, N))
    R = B.T @ B / N + np.diag(N * random.choice([-1.0, 1.0], N)) * (kind == "signs")
    A = d[:, None] * (R + R.T) * d
    A = (A + A.T) / 2
    check(pivotlab.refine(A, pivotlab.eigh(A)), eigenvalues(long(A)))
    G = B * d
    check(pivotlab.refine(G, pivotlab.svd(G)), singular_values(long(G)))
    check(pivotlab.refine((G, C), pivotlab.gsvd(G, C)), generalized_values(long(G), long(C)))


@pytest.mark.parametrize("gap", [1e-4, 1e-9, 1e-15, 0])
def test_clusters_are_resolved_from_vectors_of_any_solver(gap):
    random = np.random.default_rng(3)
    Q, _ = np.linalg.qr(random.standard_normal((N, N)))
    A = (Q * (random.integers(1, 4, N) + gap * random.standard_normal(N))) @ Q.T
    A = (A + A.T) / 2
    refined = pivotlab.refine(A, pivotlab.Eigh(*np.linalg.eigh(A)))
    check(refined, eigenvalues(long(A)))
    assert orthonormal(refined.result.U)
    U = np.linalg.eigh(A)[1] + 1e-6 * random.standard_normal((N, N))  # neither eigenvectors nor orthonormal
    check(pivotlab.refine(A, pivotlab.Eigh(refined.values, U)), eigenvalues(long(A)))


def test_multiple_values_are_exact():
    A = np.kron(np.eye(3), [[2.0, 1.0], [1.0, 2.0]])
    refined = pivotlab.refine(A, pivotlab.eigh(A))
    assert np.array_equal(refined.values, [3, 3, 3, 1, 1, 1]) and refined.determined.all()


def test_zeros_are_not_determined_and_their_bounds_say_so():
    random = np.random.default_rng(4)
    G = (random.integers(-3, 4, (N, 3)) @ random.integers(-3, 4, (3, N - 2))).astype(float)
    refined = pivotlab.refine(G, pivotlab.svd(G))
    check(refined, singular_values(long(G)), all_determined=False)
    assert np.array_equal(refined.determined, np.arange(N - 2) < 3)
    assert (refined.bound[3:] < 1e-20).all() and orthonormal(refined.result.U) and orthonormal(refined.result.V)
    A = G.T @ G  # integers
    check(pivotlab.refine(A, pivotlab.eigh(A)), eigenvalues(long(A)), all_determined=False)


@pytest.mark.parametrize("shape", [(9, 5), (5, 9), (6, 6)])
@pytest.mark.parametrize("size", [1e-200, 1, 1e200])
def test_matrices_of_any_shape_and_size(shape, size):
    random = np.random.default_rng(5)
    G = random.standard_normal(shape) * size
    refined = pivotlab.refine(G, pivotlab.svd(G))
    tall = long(G if shape[0] >= shape[1] else G.T)
    check(refined, singular_values(tall))
    _, s, Vh = refined.result
    U = refined.result.U
    assert np.abs((U * s) @ Vh - G).max() <= 8 * np.spacing(s[0]) and orthonormal(U) and orthonormal(Vh.T)


def test_complex_matrices_have_the_values_of_real_ones():
    random = np.random.default_rng(6)
    A = random.standard_normal((N, N))
    A = A + A.T
    phase = np.array([1, 1j, -1, -1j])[random.integers(0, 4, N)]
    H = phase[:, None] * A * phase.conj()
    refined = pivotlab.refine(H, pivotlab.eigh(H))
    check(refined, eigenvalues(long(A)))
    assert orthonormal(refined.result.U) and np.iscomplexobj(refined.result.U)


def test_a_refined_pair_passes_the_judge():
    random = np.random.default_rng(7)
    F, G = random.standard_normal((2, 30, 20))
    F *= 1e-40
    refined = pivotlab.refine((F, G), pivotlab.gsvd(F, G))
    r = refined.result
    assert refined.determined.all() and pivotlab.judge((F, G), r)
    assert np.array_equal(r.sigma, refined.values) and orthonormal(r.U) and orthonormal(r.V)
    assert np.allclose(r.sigma_f / r.sigma_g, r.sigma, rtol=1e-15)


def test_infinite_values_have_infinite_bounds():
    random = np.random.default_rng(8)
    F, G = random.integers(-3, 4, (8, 6)).astype(float), random.integers(-3, 4, (4, 6)).astype(float)
    refined = pivotlab.refine((F, G), pivotlab.gsvd(F, G))
    assert np.array_equal(np.isinf(refined.bound), np.arange(6) < 2)
    assert np.array_equal(refined.determined, np.arange(6) >= 2)


def test_vectors_of_zeros_are_orthonormal():
    for G in (np.zeros((5, 3)), np.diag([2.0, 0, 1]), np.diag([2.0, 0, 1, 0])[:3].T, np.zeros((2, 4))):
        refined = pivotlab.refine(G, pivotlab.svd(G)).result
        assert orthonormal(refined.U) and orthonormal(refined.V)
    U = np.eye(3) + 1e-5 * np.random.default_rng(9).standard_normal((3, 3))
    assert orthonormal(pivotlab.refine(np.zeros((3, 3)), pivotlab.Eigh(np.zeros(3), U)).result.U)
    refined = pivotlab.refine((np.zeros((4, 2)), np.eye(2)), pivotlab.gsvd(np.zeros((4, 2)), np.eye(2))).result
    assert orthonormal(refined.U) and orthonormal(refined.V)


def test_left_vectors_of_values_with_few_digits_are_orthonormal():
    integers = [
        [-1, 2, 0, 3, 3, -2, -1],
        [-1, 3, 2, -1, -2, -3, 0],
        [-2, 1, 3, 1, -3, -2, 1],
        [1, -2, 0, -2, -2, 3, -1],
        [1, 0, -1, 3, -3, -1, -3],
    ]
    A = np.ldexp(integers, np.add.outer([27, 26, 23, 20, 0], [-6, 41, -64, -32, -63, -28, -69]))
    for G in (A, A.T):
        refined = pivotlab.refine(G, pivotlab.svd(G)).result
        assert orthonormal(refined.U) and orthonormal(refined.V) and pivotlab.judge(G, refined)


@pytest.mark.parametrize("exponents", [(0, 0), (500, 0), (-500, 0), (510, -300), (0, 700)])
@pytest.mark.parametrize(("rank", "seed"), [(3, 10), (4, 10), (1, 57), (3, 58)])
def test_parts_of_refined_values_belong_to_them(exponents, rank, seed):
    random = np.random.default_rng(seed)
    F = (random.integers(-3, 4, (5, rank)) @ random.integers(-3, 4, (rank, 4))).astype(float)
    G = random.integers(-3, 4, (5, 4)).astype(float)
    pair = tuple(np.ldexp(A, e) for A, e in zip((F, G), exponents, strict=True))
    assert pivotlab.judge(pair, pivotlab.refine(pair, pivotlab.gsvd(*pair)).result)


def test_results_unpack_and_describe_themselves():
    A = np.diag([3.0, 1.0])
    refined = pivotlab.refine(A, pivotlab.eigh(A))
    values, low, bound = refined
    assert np.array_equal(values, [3, 1]) and not low.any() and (bound < 1e-28).all()
    assert repr(refined) == "<Refined values 2, determined 2, steps 0>"
    assert isinstance(refined.result, pivotlab.Eigh) and (refined.result.estimate <= 2.0**-52).all()
    assert len(pivotlab.refine(np.empty((0, 0)), pivotlab.eigh(np.empty((0, 0)))).values) == 0


def test_a_backend_that_is_missing_is_named():
    with pytest.raises(NotSupported, match="emulation"):
        pivotlab.refine(np.eye(2), pivotlab.eigh(np.eye(2)), backend="emulation")
    with pytest.raises(InputError, match="backend"):
        pivotlab.refine(np.eye(2), pivotlab.eigh(np.eye(2)), backend="gpu")


@pytest.mark.parametrize(
    "problem, result, error, text",
    [
        (np.array([[1.0, 2.0], [3.0, 1.0]]), pivotlab.Eigh(np.ones(2), np.eye(2)), InputError, "not Hermitian"),
        (np.eye(3), pivotlab.Eigh(np.ones(2), np.eye(2)), InputError, "U: is 2 × 2, not 3 × 3"),
        (np.eye(2) * np.nan, pivotlab.Eigh(np.ones(2), np.eye(2)), InputError, "NaN or Inf"),
        (np.eye(2), pivotlab.Eigh(np.ones(2)), InputError, "U: the result has none"),
        ((np.eye(2), np.eye(2)), pivotlab.Eigh(np.ones(2), np.eye(2)), NotSupported, "is a pair"),
        (np.eye(2), pivotlab.svd(np.eye(2), J=[1, -1]), NotSupported, "hyperbolic"),
        (np.eye(2), pivotlab.gsvd(np.eye(2), np.eye(2)), InputError, "not a pair"),
        (np.eye(2), pivotlab.ldlt(np.eye(2)), TypeError, "Ldlt is not a result"),
    ],
)
def test_wrong_arguments_are_named(problem, result, error, text):
    with pytest.raises(error, match=text):
        pivotlab.refine(problem, result)
