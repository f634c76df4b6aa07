# SPDX-License-Identifier: BSD-3-Clause
"""Values and shapes of numpy.linalg and scipy.linalg, for stacks and every kind of array: docs/reference/parity.md."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import pivotlab
from pivotlab import InputError

RNG = np.random.default_rng(11)


def random(*shape, dtype="d"):
    real = RNG.standard_normal(shape)
    return (real + 1j * RNG.standard_normal(shape) if np.dtype(dtype).kind == "c" else real).astype(dtype)


def adjoint(A):
    return A.conj().swapaxes(-1, -2)


def hermitian(*shape, dtype="d"):
    A = random(*shape, dtype=dtype)
    return A + adjoint(A)


def definite(n, dtype="d"):
    R = random(n, n, dtype=dtype)
    P = R @ adjoint(R) + n * np.eye(n, dtype=dtype)
    return np.tril(P, -1) + adjoint(np.tril(P, -1)) + np.diag(np.diag(P).real)


def eps(dtype):
    return 200 * np.finfo(dtype).eps


DTYPES = ["f", "d", "F", "D"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,), (1, 0, 2)])
def test_values_shapes_and_types_of_numpy(shape, dtype):
    A, S, G = random(*shape, 5, 5, dtype=dtype), hermitian(*shape, 5, 5, dtype=dtype), random(*shape, 4, 6, dtype=dtype)
    w, U = pivotlab.eigh(S, ascending=True)
    expected = np.linalg.eigh(S)
    assert w.dtype == expected.eigenvalues.dtype and U.dtype == expected.eigenvectors.dtype and U.shape == S.shape
    np.testing.assert_allclose(w, expected.eigenvalues, atol=eps(dtype))
    np.testing.assert_allclose(S @ U, U * w[..., None, :], atol=eps(dtype))
    np.testing.assert_allclose(pivotlab.eigvalsh(S, ascending=True), np.linalg.eigvalsh(S), atol=eps(dtype))
    for full in (False, True):
        U, s, Vh = pivotlab.svd(G, full_matrices=full)
        like = np.linalg.svd(G, full_matrices=full)
        assert (U.shape, s.shape, Vh.shape) == tuple(part.shape for part in like)
        assert (U.dtype, s.dtype, Vh.dtype) == tuple(part.dtype for part in like)
        np.testing.assert_allclose(s, like.S, atol=eps(dtype))
        np.testing.assert_allclose(U * s[..., None, :] @ Vh[..., :4, :], G, atol=eps(dtype))
        np.testing.assert_allclose(
            Vh @ adjoint(Vh), np.eye(Vh.shape[-2]) * np.ones_like(Vh @ adjoint(Vh)), atol=eps(dtype)
        )
    np.testing.assert_allclose(pivotlab.svdvals(G), np.linalg.svd(G, compute_uv=False), atol=eps(dtype))
    hermitian_svd = pivotlab.svd(S, hermitian=True)
    np.testing.assert_allclose(hermitian_svd.S, np.linalg.svd(S, hermitian=True).S, atol=eps(dtype))
    U, s, Vh = hermitian_svd
    np.testing.assert_allclose(U * s[..., None, :] @ Vh, S, atol=eps(dtype))
    w, V = pivotlab.eig(A)
    assert w.dtype == (V.dtype if A.size else expected.eigenvalues.dtype) and V.shape == A.shape
    assert V.dtype == np.result_type(A.dtype, np.complex64)
    np.testing.assert_allclose(A @ V, V * w[..., None, :], atol=eps(dtype))
    np.testing.assert_allclose(by_parts(pivotlab.eigvals(A)), by_parts(np.linalg.eigvals(A)), atol=10 * eps(dtype))
    assert pivotlab.eig(S).eigenvalues.dtype == expected.eigenvalues.dtype  # real, as those of a Hermitian matrix are


def by_parts(values):
    return np.sort(values.real, axis=-1) + 1j * np.sort(values.imag, axis=-1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_pencils_and_pairs_of_scipy(dtype):
    A, B, S, P = random(6, 6, dtype=dtype), random(6, 6, dtype=dtype), hermitian(6, 6, dtype=dtype), definite(6, dtype)
    double = np.result_type(dtype, "d")
    for kind in (1, 2, 3):
        w, U = pivotlab.eigh(S, P, type=kind, ascending=True)
        like, vectors = scipy.linalg.eigh(S.astype(double), P.astype(double), type=kind)
        np.testing.assert_allclose(w, like, atol=20 * eps(dtype))
        np.testing.assert_allclose(np.abs(U), np.abs(vectors), atol=20 * eps(dtype))
        low = pivotlab.eigh(np.tril(S), np.tril(P), type=kind, triangle="lower", ascending=True).eigenvalues
        np.testing.assert_allclose(low, like, atol=20 * eps(dtype))
    e = pivotlab.eig(A, B, left=True)
    np.testing.assert_allclose(A @ e.V, B @ e.V * e.eigenvalues, atol=20 * eps(dtype))
    np.testing.assert_allclose(adjoint(e.W) @ A, e.eigenvalues[:, None] * (adjoint(e.W) @ B), atol=20 * eps(dtype))
    np.testing.assert_allclose(e.alpha / e.beta, e.eigenvalues, rtol=eps(dtype))
    like = scipy.linalg.eigvals(A.astype(double), B.astype(double))
    np.testing.assert_allclose(
        by_parts(pivotlab.eigvals(A, B)), by_parts(like), rtol=50 * eps(dtype), atol=50 * eps(dtype)
    )
    assert pivotlab.eig(np.stack([A, A]), B).V.shape == (2, 6, 6) and pivotlab.eigh(np.stack([S, S]), P).U.shape == (
        2,
        6,
        6,
    )


def test_pencils_that_are_not_regular():
    E = np.diag([1.0, 0.0, 2.0])
    assert np.array_equal(pivotlab.eigvals(np.eye(3), E), [np.inf, 1, 0.5])
    with pytest.raises(pivotlab.StatusError, match="incorrect.*singular for every lambda"):
        pivotlab.eig(E, E)
    with pytest.raises(np.linalg.LinAlgError):
        pivotlab.eig(np.zeros((2, 2)), np.zeros((2, 2)))
    large = pivotlab.eig(1e300 * np.diag([1.0, 2.0]), 1e-5 * np.eye(2))
    assert np.allclose(large.eigenvalues / 1e305, [2, 1])
    for wrong, words in ((np.eye(2), "of one order"), (np.full((3, 3), np.nan), "NaN")):
        with pytest.raises(InputError, match=words):
            pivotlab.eig(np.eye(3), wrong)
    A, B = random(5, 5), random(5, 5)
    for a, b in ((-1060, 0), (0, -1060), (-1060, -1060), (1020, 0), (1020, 1020), (1020, -60), (-1000, 900)):
        scaled = np.ldexp(A, a), np.ldexp(B, b)
        assert pivotlab.judge(scaled, pivotlab.eig(*scaled)), (a, b)  # by alpha and beta, which have all digits
    with pytest.raises(InputError, match="QZ"):
        pivotlab.eig(E, E, conditions=True)


def test_pencils_and_pairs_are_judged():
    A, B, S, P = random(7, 7), random(7, 7), hermitian(7, 7), definite(7)
    e, h = pivotlab.eig(A, B), pivotlab.eigh(S, P)
    assert pivotlab.judge((A, B), e) and pivotlab.judge((S, P), h)
    assert pivotlab.judge((A, B), pivotlab.Eig(*scipy.linalg.eig(A, B)))
    assert pivotlab.judge((S, P), pivotlab.Eigh(*scipy.linalg.eigh(S, P)))
    assert pivotlab.judge((A, B), pivotlab.Eig(e.eigenvalues * 1.001, e.V)).failed == ("residual",)
    assert "alpha/beta" in pivotlab.judge((A, B), replace(e, eigenvalues=e.eigenvalues * (1 + 1e-9))).message
    contradicted = replace(h, inertia=pivotlab.Inertia(h.inertia.positive - 1, h.inertia.negative + 1, 0))
    assert "inertia" in pivotlab.judge((S, P), contradicted).message
    tiny = np.diag([1e-300, -1e-300, 0]), np.diag([1e300, 1e300, 1])
    underflown = pivotlab.eigh(*tiny)
    assert not underflown.eigenvalues.any() and pivotlab.judge(tiny, underflown)
    assert not pivotlab.judge(tiny, replace(underflown, inertia=pivotlab.Inertia(2, 0, 1)))
    singular = B * (np.arange(7) > 0)
    g = pivotlab.gsvd(A, singular)
    assert pivotlab.judge((A, singular), g) and g.k == 1
    assert "infinite" in pivotlab.judge((A, singular), replace(g, k=0, l=7)).message
    twice = np.r_[0, 0, 2:7]
    judged = pivotlab.judge((A, B), pivotlab.Eig(e.eigenvalues[twice], e.V[:, twice]))
    assert judged.status == "not judged" and "dependent" in judged.message and not judged
    assert pivotlab.judge((S, P), pivotlab.Eigh(h.eigenvalues[twice], h.U[:, twice])).failed == ("orthogonality",)
    assert "residual" in pivotlab.judge((S, P), pivotlab.Eigh(h.eigenvalues + 1, h.U)).explain()


@pytest.mark.parametrize("dtype", ["d", "D"])
def test_subsets_of_scipy(dtype):
    S, P = hermitian(9, 9, dtype=dtype), definite(9, dtype)
    middle = [-1.2345, 2.3456]
    for pair in ((S,), (S, P)):
        for subset in ({"subset_by_index": [2, 5]}, {"subset_by_index": (8, 8)}, {"subset_by_value": middle}):
            w, U = pivotlab.eigh(*pair, ascending=True, **subset)
            like, vectors = scipy.linalg.eigh(*pair, **subset)
            np.testing.assert_allclose(w, like, atol=1e-13)
            np.testing.assert_allclose(np.abs(U), np.abs(vectors), atol=1e-12)
            descending = pivotlab.eigh(*pair, **subset)
            assert np.array_equal(descending.eigenvalues, w[::-1]) and np.array_equal(descending.U, U[:, ::-1])
    none = {"subset_by_value": (99, 100)}
    assert pivotlab.eigh(S, **none).U.shape == (9, 0)
    for subset in ({"subset_by_index": [2, 5]}, {"subset_by_value": middle}, none, {}):
        options = {"driver": "2stage", "backend": "emulation", "ascending": True} | subset
        w, U = pivotlab.eigh(S, **options)
        like, vectors = scipy.linalg.eigh(S, **subset)
        np.testing.assert_allclose(w, like, atol=1e-13)
        np.testing.assert_allclose(np.abs(U), np.abs(vectors), atol=1e-12)
        assert np.array_equal(pivotlab.eigvalsh(S, **options), w)
    assert pivotlab.eigh(np.stack([S, 2 * S]), subset_by_index=[0, 1]).U.shape == (2, 9, 2)
    assert len(pivotlab.eigh(S, subset_by_value=[100, 101]).eigenvalues) == 0


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("symmetry", ["hermitian", "symmetric"])
def test_factors_of_a_symmetric_matrix(dtype, symmetry):
    A = random(7, 7, dtype=dtype)
    transposed = adjoint if symmetry == "hermitian" else np.transpose
    scale = 10.0 ** np.arange(-3, 4).astype(dtype)
    for S in (A + transposed(A), (A + transposed(A)) * scale * scale[:, None]):
        S = np.tril(S) + transposed(np.tril(S, -1))
        L, D, perm = pivotlab.ldlt(S, symmetry=symmetry)
        assert L.dtype == D.dtype == np.dtype(dtype)
        assert np.all(np.diag(L) == 1) and np.all(np.triu(L, 1) == 0)
        np.testing.assert_allclose(
            L @ D @ transposed(L) / scale / scale[:, None] if S is not A else 0,
            S[np.ix_(perm, perm)] / scale / scale[:, None],
            rtol=max(1e-7, eps(dtype)),  # the product itself is rounded
            atol=1e7 * eps(dtype),
        )
    lu, d, p = scipy.linalg.ldl(S, hermitian=symmetry == "hermitian")
    np.testing.assert_allclose(lu @ d @ transposed(lu), S, rtol=1e-3, atol=1e-3)
    b = random(7, dtype=dtype)
    x = pivotlab.ldlt(A + transposed(A), symmetry=symmetry).solve(b)
    assert x.dtype == np.dtype(dtype)
    np.testing.assert_allclose(
        x, scipy.linalg.solve(A + transposed(A), b), rtol=1e3 * eps(dtype), atol=1e3 * eps(dtype)
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3,), (2, 2), (0,)])
def test_stacks_of_factors(dtype, shape):
    S = hermitian(*shape, 6, 6, dtype=dtype)
    f = pivotlab.ldlt(S)
    L, D, perm = f
    assert L.shape == D.shape == f.M.shape == S.shape and perm.shape == (*shape, 6) and L.dtype == S.dtype
    assert f.rank.shape == f.inertia.positive.shape == shape
    for index in np.ndindex(shape):
        one = pivotlab.ldlt(S[index])
        assert np.array_equal(one.ldl().L, L[index]) and one.inertia.negative == f.inertia.negative[index]
    B = random(6, 2, dtype=dtype)
    X = f.solve(B)
    assert X.shape == (*shape, 6, 2)
    np.testing.assert_allclose(S @ X, np.broadcast_to(B, X.shape), atol=1e3 * eps(dtype))
    with pytest.raises(InputError, match="columns"):
        f.solve(np.ones(6))
    with pytest.raises(AttributeError, match="factorizations"):
        f.stages  # noqa: B018


# ---- Kinds of arrays ----


def kinds(A):
    """The same numbers as other kinds of arrays."""
    wide = np.zeros((*A.shape[:-2], 2 * A.shape[-2], 3 * A.shape[-1]), A.dtype)
    wide[..., ::2, ::3] = A
    locked = A.copy()
    locked.flags.writeable = False
    unaligned = np.frombuffer(b"x" + A.tobytes(), np.uint8)[1:].view(A.dtype).reshape(A.shape)
    yield from (wide[..., ::2, ::3], np.asfortranarray(A), locked, unaligned, A.astype(A.dtype.newbyteorder("S")))
    yield from (A[..., ::-1, ::-1].copy()[..., ::-1, ::-1], A.tolist(), A.view(np.matrix) if A.ndim == 2 else A)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 5), (2, 5, 5)])
def test_every_kind_of_array_gives_the_same_bits(shape, dtype):
    A, S, E = random(*shape, dtype=dtype), hermitian(*shape, dtype=dtype), np.eye(5, dtype=dtype)
    solvers = [
        (pivotlab.eig, A), (pivotlab.eigh, S), (pivotlab.svd, A), (pivotlab.ldlt, S),
        (lambda F: pivotlab.gsvd(F, E), A), (lambda F: pivotlab.ghsvd(F, E), A),
        (lambda M: pivotlab.eig(M, E), A), (lambda M: pivotlab.eigh(M, E), S),
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solve, matrix in solvers:
            expected = [np.array(part) for part in solve(matrix)]
            for kind in kinds(matrix):
                for part, own in zip(expected, solve(kind), strict=True):
                    tolerance = 0 if not isinstance(kind, list) else eps(dtype)  # lists of single precision are double
                    np.testing.assert_allclose(own, part, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("solve", [pivotlab.eig, pivotlab.eigh, pivotlab.svd, pivotlab.ldlt])
@pytest.mark.parametrize("array", [3.0, np.float64(2), np.ones(3), np.array(1 + 1j), []])
def test_arrays_without_two_axes_are_refused_as_by_numpy(solve, array):
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.svd(array)
    with pytest.raises(InputError, match="[01] dimensions"):
        solve(array)


def test_empty_matrices():
    none, rows, columns = np.zeros((0, 0)), np.zeros((0, 3)), np.zeros((3, 0))
    for G in (none, rows, columns, np.zeros((0, 2, 3)), np.zeros((2, 0, 3))):
        for full in (False, True):
            ours, theirs = pivotlab.svd(G, full_matrices=full), np.linalg.svd(G, full_matrices=full)
            assert [np.shape(part) for part in ours] == [part.shape for part in theirs]
    assert pivotlab.eigh(none).U.shape == pivotlab.eig(none).V.shape == pivotlab.eigh(none, none).U.shape == (0, 0)
    assert pivotlab.eig(none, none).V.shape == (0, 0) and pivotlab.ldlt(none).ldl().L.shape == (0, 0)
    assert pivotlab.ldlt(none).solve(rows).shape == (0, 3)
    assert pivotlab.gsvd(columns, columns).sigma.shape == (0,)


def test_single_precision_is_rounded_and_says_so():
    A = np.full((2, 2), 3e38, "f4")
    with pytest.raises(InputError, match="eigenvalues: a number of the result is beyond single precision"):
        pivotlab.eigh(A)
    S = hermitian(5, 5, dtype="f")
    h = pivotlab.eigh(S)
    assert h.estimate.dtype == np.float32 and np.all(h.estimate >= 2.0**-24)
    tiny = pivotlab.eigh(np.array([[1, 1e-25], [1e-25, 0]], "f4"))  # the smaller eigenvalue, −1e-50, underflows
    assert tiny.eigenvalues[1] == 0 and list(tiny.estimate) == [2.0**-23, 1]
    one, stack = pivotlab.ldlt(S), pivotlab.ldlt(S[None])  # members of both are those of the double factorization
    assert np.array_equal(stack.D[0], one.D) and stack.ldl().D.dtype == one.ldl().D.dtype == np.float32
    assert stack.solve(S).dtype == pivotlab.ldlt(S[None][:0]).solve(S).dtype == np.float32
    judged = pivotlab.judge(S, h)
    assert judged.status == "not judged" and "single precision" in judged.message and judged.failed
    assert pivotlab.judge(np.eye(3, dtype="f"), pivotlab.eigh(np.eye(3, dtype="f")))
    assert pivotlab.gsvd(S, np.eye(5)).U.dtype == np.float64  # as numpy.result_type


class Foreign:
    """An array of another library in the host's memory, by the array API standard."""

    def __init__(self, array):
        self.array = array

    def __array_namespace__(self):
        return Foreign

    @staticmethod
    def from_dlpack(array):
        return Foreign(np.from_dlpack(array))

    @staticmethod
    def conj(array):
        return Foreign(array.array.conj())

    @property
    def mT(self):
        return Foreign(self.array.mT)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def test_results_are_of_the_library_of_the_argument():
    A, S = random(3, 4, 4), hermitian(4, 4)
    for solve, matrix in ((pivotlab.eig, A), (pivotlab.eigh, S), (pivotlab.ldlt, S), (pivotlab.ldlt, S[None])):
        for part, own in zip(solve(matrix), solve(Foreign(matrix)), strict=True):
            assert isinstance(own, Foreign) and np.array_equal(own.array, part)
    assert isinstance(pivotlab.svd(Foreign(A)).sigma, Foreign)
    assert np.array_equal(pivotlab.svd(Foreign(A)).Vh.array, pivotlab.svd(A).Vh)
    assert pivotlab.judge(S, pivotlab.eigh(Foreign(S)))


# ---- Generalized singular values ----


@pytest.mark.parametrize("dtype", ["d", "D"])
@pytest.mark.parametrize("rows", [(9, 7), (3, 8), (8, 3), (4, 4), (2, 9), (9, 2), (6, 6)])
@pytest.mark.parametrize("rank", [None, 3])
def test_gsvd_as_lapack_and_matlab_have_it(rows, rank, dtype):
    n, (p, q) = 6, rows
    if rank is not None:  # a common null space
        narrow = random(rank, n, dtype=dtype)
        F, G = random(p, rank, dtype=dtype) @ narrow, random(q, rank, dtype=dtype) @ narrow
    else:
        F, G = random(p, n, dtype=dtype), random(q, n, dtype=dtype)
    r = pivotlab.gsvd(F, G, x=True)
    C, S, R, Q, K, L, U, V = r.lapack()
    zeros = np.zeros((r.r, n - r.r))
    for A, W, diagonal in ((F, U, C), (G, V, S)):
        np.testing.assert_allclose(adjoint(W) @ A @ Q, diagonal @ np.hstack([zeros, R]), atol=1e-12)
        np.testing.assert_allclose(adjoint(W) @ W, np.eye(len(A)), atol=1e-13)
    assert np.all(np.tril(R, -1) == 0) and r.r == K + L and np.all(C[range(K), range(K)] == 1)
    np.testing.assert_allclose(C.T @ C + S.T @ S, np.eye(r.r), atol=1e-14)
    assert np.all(np.diag(S[:, K:]) > 0) and not np.any(S[:, :K])
    np.testing.assert_allclose(adjoint(Q) @ Q, np.eye(n), atol=1e-13)

    U, V, X, C, S = r.matlab()
    for A, W, diagonal in ((F, U, C), (G, V, S)):
        np.testing.assert_allclose(W @ diagonal @ adjoint(X), A, atol=1e-12)
        np.testing.assert_allclose(adjoint(W) @ W, np.eye(len(A)), atol=1e-13)
    np.testing.assert_allclose(C.T @ C + S.T @ S, np.eye(r.r), atol=1e-14)
    assert not np.any(S - np.diag(np.diag(S), 0)[: len(S), : r.r] if len(S) == r.r else np.triu(S, 1) + np.tril(S, -1))
    shift = max(0, r.r - p)
    assert not np.any(np.triu(C, shift + 1)) and not np.any(np.tril(C, shift - 1))
    sigma = np.sqrt(np.diag(C.T @ C)) / np.maximum(np.sqrt(np.diag(S.T @ S)), 1e-300)
    assert np.all(np.diff(np.minimum(sigma, 1e200)) >= -1e-13)


@pytest.mark.parametrize("dtype", ["f", "F"])
def test_gsvd_forms_of_single_precision(dtype):
    F, G = random(5, 3, dtype=dtype), random(2, 3, dtype=dtype)
    r = pivotlab.gsvd(F, G, x=True)
    C, S, R, Q, K, L, U, V = r.lapack()
    assert U.dtype == V.dtype == dtype and (K, L) == (1, 2)
    for A, W, diagonal in ((F, U, C), (G, V, S)):
        np.testing.assert_allclose(adjoint(W) @ A @ Q, diagonal @ R, atol=1e-5)
        np.testing.assert_allclose(adjoint(W) @ W, np.eye(len(A)), atol=1e-5)
    U, V, X, C, S = r.matlab()
    np.testing.assert_allclose(U @ C @ adjoint(X), F, atol=1e-5)


def test_a_stack_of_pairs_of_other_forms_is_refused():
    F, stack = np.diag([1e-12, 1.0, 1.0]) + 1, np.stack([np.eye(3), np.diag([1.0, 1.0, 0.0])])
    for G in (stack, stack[::-1]):
        with pytest.raises(InputError, match="one by one"):
            pivotlab.gsvd(F, G)


def test_gsvd_forms_need_x_of_one_pair():
    F = random(4, 3)
    for result in (pivotlab.gsvd(F, F), pivotlab.gsvd(np.stack([F, F]), F, x=True)):
        with pytest.raises(InputError, match="x=True"):
            result.matlab()


def test_rank_tolerance_of_a_pair():
    F, G = np.diag([1.0, 1e-6, 1.0]), np.diag([1.0, 1.0, 1e-7])
    assert (pivotlab.gsvd(F, G).l, pivotlab.gsvd(F, G, rank_tolerance=1e-5, scale=False).l) == (3, 2)
    assert pivotlab.gsvd(F, G, rank_tolerance=1e-5).k == 1
    for wrong in ({"rank_tolerance": 2.0}, {"rank_tolerance": 1e-3, "tolerance_f": 1.0}):
        with pytest.raises(InputError, match="^rank_tolerance"):
            pivotlab.gsvd(F, G, **wrong)


# ---- Drivers ----


@pytest.mark.parametrize("dtype", ["d", "D"])
def test_drivers_are_routines_of_lapack_or_variants(dtype):
    A, S, P, letter = random(5, 5, dtype=dtype), hermitian(5, 5, dtype=dtype), definite(5, dtype), "dz"[dtype == "D"]
    names = {
        "eig": (lambda d: pivotlab.eig(A, driver=d), ["geev", "geevx"], "ge"),
        "eigh": (lambda d: pivotlab.eigh(S, driver=d), ["evd", "evr", "ev_2stage"], "sy" if dtype == "d" else "he"),
        "pair": (lambda d: pivotlab.eigh(S, P, driver=d), ["gvd"], "sy" if dtype == "d" else "he"),
        "svd": (lambda d: pivotlab.svd(A, driver=d), ["gesdd", "gesvj", "gejsv"], ""),
        "gsvd": (lambda d: pivotlab.gsvd(A, S, driver=d), ["ggsvd3"], ""),
    }
    for solve, drivers, _ in names.values():
        for driver in drivers:
            name = solve(driver).variant
            assert name.startswith(f"lapack:{letter}") and name.endswith(driver)
    assert pivotlab.eigh(S.astype(S.dtype.newbyteorder()), driver="evd").variant.endswith("evd")
    assert pivotlab.eigh(S, driver="HEV-CP-ME-PT").variant == "HEV-CP-ME-PT"
    assert pivotlab.eigh(S, driver="2stage", backend="emulation").variant == "HEV-2STAGE"
    with pytest.raises(pivotlab.NotSupported, match="HEV-2STAGE: it runs on a GPU; take the backend cuda"):
        pivotlab.eigh(S, driver="2stage")
    assert pivotlab.eigh(S, driver="lapack:?syevd").variant == f"lapack:{letter}{'sy' if dtype == 'd' else 'he'}evd"
    with pytest.raises(InputError, match="pass one of them"):
        pivotlab.eigh(S, driver="evd", variant="HEV-CP-ME-PT")
    with pytest.raises(InputError, match="no such baseline"):
        pivotlab.svd(A, driver="gesvx")


@pytest.mark.parametrize("shape", [(6, 3), (3, 6)])
def test_columns_of_zero_singular_values_are_orthonormal(shape):
    A = random(*shape)
    A[2:, 2:] = A[:2, 2:] = A[2:, :2] = 0  # xGESVJ leaves such columns of U empty
    for full in (False, True):
        U, _, Vh = pivotlab.svd(A, driver="gesvj", full_matrices=full)
        for Q in (U, Vh.T):
            np.testing.assert_allclose(Q.T @ Q, np.eye(Q.shape[1]), atol=1e-14)


def test_results_count_and_index_as_tuples():
    S = hermitian(4, 4)
    h = pivotlab.eigh(S)
    assert len(h) == 2 and h[0] is h.eigenvalues is next(iter(h)) and h[-1] is h.eigenvectors and h
    s = pivotlab.svd(S)
    assert np.array_equal(s.Vh, s[2]) and s.S is s[1] and pivotlab.eig(S).eigenvectors.shape == (4, 4)
    assert len(pivotlab.ldlt(S)) == 3 and len(pivotlab.gsvd(S, S)) == 5 and len(pivotlab.ghsvd(S, S)) == 2
