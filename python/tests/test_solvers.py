# SPDX-License-Identifier: BSD-3-Clause
"""Solvers on NumPy arrays: results, forms of arguments, errors."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
import scipy.linalg

import pivotlab

RNG = np.random.default_rng(7)


def random(rows, columns, type="d"):
    real = RNG.standard_normal((rows, columns))
    return real if type == "d" else real + 1j * RNG.standard_normal((rows, columns))


def hermitian(n, type="d"):
    A = random(n, n, type)
    return A + A.conj().T


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("variant", ["auto", "?HZ0-(ME-FB-ME);w=8", "?GT-(auto)", "lapack"])
def test_gsvd_decomposes_the_pair(type, variant):
    F, G = random(24, 16, type), random(20, 16, type)
    r = pivotlab.gsvd(F, G, variant=f"lapack:{type}ggsvd3" if variant == "lapack" else variant)
    np.testing.assert_allclose(F @ r.Z, r.U * r.sigma_f, atol=1e-12)
    np.testing.assert_allclose(G @ r.Z, r.V * r.sigma_g, atol=1e-12)
    np.testing.assert_allclose(r.sigma_f**2 + r.sigma_g**2, 1, rtol=1e-14)
    expected = np.sqrt(scipy.linalg.eigh(F.conj().T @ F, G.conj().T @ G, eigvals_only=True))
    np.testing.assert_allclose(np.sort(r.sigma), expected, rtol=1e-8)
    assert r.status == "passed" and r.variant in repr(r)


def test_rank_of_integers_times_powers_of_two_by_rows():
    F = np.ldexp([[4.0, -6, -2, -2], [1, 3, -2, -2], [-4, 0, -3, -3], [5, -12, 6, 6]], [[-10], [0], [-17], [-24]])
    G = np.ldexp(
        [[0.0, 2, 1, 0], [-3, -1, 0, -1], [0, -2, -1, 0], [1, 3, 2, -1], [-1, 1, 2, -3]],
        [[-37], [-1], [-24], [-33], [-38]],
    )
    r = pivotlab.gsvd(F, G)
    assert (r.k, r.l) == (1, 3) and pivotlab.judge((F, G), r)


def test_a_small_pivot_of_integers_is_told_from_rounding_errors():
    F = np.ldexp([[6.0, 2, 6, 2, 0]], -39)
    G = np.ldexp(
        [[-1.0, 2, -1, -1, 1], [0, -1, 0, 0, -2], [0, 0, -1, -1, -1], [-1, 0, 0, 0, -2], [0, 1, -1, -1, 1]],
        [[-38], [-34], [-27], [-38], [-7]],
    )
    assert pivotlab.judge((F, G), pivotlab.gsvd(F, G))


def test_small_rows_of_f_above_large_ones_count_in_the_rank():
    F = np.ldexp([[3.0, 5, 2], [-6, 12, -16]], [[-70], [-4]])
    for G in (np.zeros((1, 3)), np.array([[2.0, 10, -12]])):
        r = pivotlab.gsvd(F, G)
        assert (r.k, r.l) == (2, np.count_nonzero(G[:, 0])) and pivotlab.judge((F, G), r)


def test_gsvd_of_any_pair_has_ranks_and_a_null_space():
    pair = pivotlab.generate("gsvd", "ranks;k=2;l=3", n=12, m_f=9, m_g=7)
    r = pivotlab.gsvd(pair.F, pair.G, x=True)
    assert (r.k, r.l, r.r, r.reduced) == (2, 3, 5, True)
    assert "2 infinite and 3 finite" in repr(r)
    np.testing.assert_allclose(r.U * r.sigma_f @ r.X, pair.F, atol=1e-12)
    np.testing.assert_allclose(pair.F @ r.Q[:, : 12 - r.r], 0, atol=1e-12)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("variant", ["LDLT-RK", "LDLT-BP", "LDLT-BK;alpha=0.5"])
def test_ldlt_factors_and_solves(type, variant):
    A = hermitian(40, type)
    f = pivotlab.ldlt(A, variant=variant)
    P = f.permutation
    np.testing.assert_allclose(f.M @ f.D @ f.M.conj().T, A[np.ix_(P, P)], atol=1e-11)
    values = np.linalg.eigvalsh(A)
    assert f.inertia == (np.sum(values > 0), np.sum(values < 0), 0)
    x = random(40, 1, type)[:, 0]
    assert f.solve(A @ x).shape == (40,)
    np.testing.assert_allclose(f.solve(A @ x), x, rtol=1e-8, atol=1e-8)
    s = f.solve_refined(A, np.column_stack([A @ x, A @ x]))
    assert s.X.shape == (40, 2) and s.backward_error < 1e-15
    assert f.certify(A).status == "certified" and f.certify(A).inertia == f.inertia
    mantissa, exponent = f.determinant()
    sign, logarithm = np.linalg.slogdet(A)
    np.testing.assert_allclose(np.log(abs(mantissa)) + exponent * np.log(2), logarithm)
    G, J = f.gjg()
    np.testing.assert_allclose(G * J @ G.conj().T, A[np.ix_(P, P)], atol=1e-11)


def test_a_pivot_of_rounding_errors_is_doubtful():
    x = np.array([3 - 2j, -2 - 1j, 1 - 2j])
    A = np.array([[1, 3 + 1j, 2j], [3 - 1j, -1, 3], [-2j, 3, 1]])
    A = np.block([[A, np.outer(x, [1, -1])], [np.outer([1, -1], x.conj()), np.zeros((2, 2))]])  # singular
    f = pivotlab.ldlt(A, variant="LDLT-BK")
    assert f.inertia == (2, 2, 1) and f.certify(A).inertia == (2, 1, 2) and f.doubtful == 1
    assert pivotlab.ldlt(A + np.diag([0, 0, 0, 1, 0]), variant="LDLT-BK").doubtful == 0
    assert list(pivotlab.ldlt(np.stack([A, np.eye(5)]), variant="LDLT-BK").doubtful) == [1, 0]


def test_a_complex_symmetric_matrix_has_no_inertia():
    A = random(10, 10, "z")
    f = pivotlab.ldlt(A + A.T, symmetry="symmetric")
    np.testing.assert_allclose(f.reconstruct(), A + A.T, atol=1e-12)
    with pytest.raises(pivotlab.InputError, match="complex symmetric"):
        f.inertia  # noqa: B018


def test_arrays_of_a_factorization_outlive_it():
    A = hermitian(30)
    M = pivotlab.ldlt(A).M
    copy = M.copy()
    for _ in range(10):
        pivotlab.ldlt(hermitian(30))
    np.testing.assert_array_equal(M, copy)
    assert not M.flags.writeable


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("variant", ["ZEIG-(RR);b=16", "ZEIG-(ME);fused", "lapack"])
def test_eig_decomposes_the_matrix(type, variant):
    A = random(24, 24, type)
    baseline = variant == "lapack"
    e = pivotlab.eig(A, variant=f"lapack:{type}geev" if baseline else variant, left=True, triangular=not baseline)
    np.testing.assert_allclose(A @ e.V, e.V * e.eigenvalues, atol=1e-12)
    np.testing.assert_allclose(e.W.conj().T @ A, e.eigenvalues[:, None] * e.W.conj().T, atol=1e-12)
    assert np.all(np.diff(np.abs(e.eigenvalues)) <= 1e-12)
    if not baseline:
        np.testing.assert_allclose(A @ e.E, e.E @ e.T, atol=1e-11)
        np.testing.assert_allclose(np.diag(e.T)[e.positions], e.eigenvalues)
        assert len(e.sweeps) > 2


# ---- Arguments ----


def layouts(A):
    """The same matrix in other orders and strides."""
    rows, columns = A.shape
    wide = np.zeros((2 * rows, 3 * columns))
    wide[::2, ::3] = A
    tall = np.asfortranarray(np.zeros((rows + 5, columns)))
    tall[:rows] = A
    yield np.ascontiguousarray(A)
    yield np.asfortranarray(A)
    yield wide[::2, ::3]
    yield tall[:rows]
    yield A[::-1, ::-1].copy()[::-1, ::-1]
    unaligned = np.frombuffer(b"x" + A.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(A.shape)
    yield unaligned
    yield A.astype(">f8")


def test_every_layout_gives_the_same_bits_and_is_not_changed():
    F, G, A = random(9, 6), random(7, 6), hermitian(8)
    warnings.simplefilter("error")
    expected = pivotlab.gsvd(F, G).U.tobytes("A"), pivotlab.ldlt(A).M.tobytes("A"), pivotlab.eig(A).V.tobytes("A")
    for f, g, a in zip(layouts(F), layouts(G), layouts(A), strict=True):
        for one in (f, g, a):
            one.flags.writeable = False
        got = pivotlab.gsvd(f, g).U.tobytes("A"), pivotlab.ldlt(a).M.tobytes("A"), pivotlab.eig(a).V.tobytes("A")
        assert got == expected
        np.testing.assert_array_equal(a, A)


@pytest.mark.parametrize("dtype", ["f2", "i8", "i4", "u1", "?"])
def test_other_types_are_converted_with_a_warning(dtype):
    A = np.eye(3, dtype=dtype)
    with pytest.warns(
        pivotlab.ConversionWarning, match=rf"^A: converted from {np.dtype(dtype)} to (float64|complex128)"
    ) as told:
        f = pivotlab.ldlt(A)
    assert told[0].filename == __file__
    np.testing.assert_array_equal(f.diagonal, 1)


def test_double_precision_gives_no_warning_and_lists_are_matrices():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pivotlab.ldlt([[1.0, 2.0], [2.0, 1.0]]).inertia == (1, 1, 0)
        assert pivotlab.gsvd(random(3, 3), random(3, 3, "z")).U.dtype == complex


def test_the_empty_matrix():
    assert pivotlab.ldlt(np.zeros((0, 0))).inertia == (0, 0, 0)
    assert len(pivotlab.eig(np.zeros((0, 0))).eigenvalues) == 0


@pytest.mark.parametrize("rows", [(3, 2), (0, 4), (0, 0)])
def test_a_pair_without_columns_is_judged(rows):
    pair = tuple(np.zeros((m, 0)) for m in rows)
    assert pivotlab.judge(pair, pivotlab.gsvd(*pair))


class Exported:
    """An array of another library in the host's memory."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def test_arrays_of_other_libraries_are_read_by_dlpack():
    A = hermitian(5, "z")
    assert pivotlab.ldlt(Exported(A)).M.tobytes("A") == pivotlab.ldlt(A).M.tobytes("A")
    assert pivotlab.ldlt(A).solve(Exported(np.ones(5))).shape == (5,)


class OnGpu:
    __cuda_array_interface__ = {"shape": (2, 2), "typestr": "<f8", "data": (0, False), "version": 3}


class Tensor:
    """As libraries of arrays on GPUs describe theirs."""

    def __dlpack_device__(self):
        return (2, 1)

    def __dlpack__(self, **_):
        raise AssertionError("read")


BAD = {
    "dtype": (TypeError, "dtype <U1", np.array([["a"]])),
    "object": (TypeError, "dtype object", np.array([[None]])),
    "long double": (TypeError, "float128", np.eye(2, dtype=np.longdouble)),
    "large integer": (ValueError, "larger than a double", np.array([[2**53 + 1]])),
    "largest integer": (ValueError, "larger than a double", np.array([[2**64 - 1]], dtype=np.uint64)),
    "masked": (ValueError, "filled", np.ma.array(np.eye(2), mask=np.eye(2))),
    "dimensions": (ValueError, "1 dimensions", np.ones(3)),
    "ragged": (ValueError, "cannot be read", [[1.0], [1.0, 2.0]]),
    "not square": (ValueError, "3 x 2|3 × 2|square", np.ones((3, 2))),
    "NaN": (ValueError, "NaN|nan|finite", np.array([[np.nan]])),
    "Inf": (ValueError, "Inf|inf|finite", np.array([[np.inf]])),
    "nothing": (TypeError, "dtype object", None),
}


@pytest.mark.parametrize("array, words", [(OnGpu(), "on a GPU.*cupy.asnumpy"), (Tensor(), "device 1.*tensor.cpu")])
def test_what_the_host_reads_is_not_taken_from_a_gpu(array, words):
    with pytest.raises(pivotlab.NotSupported, match=f"^B: .*{words}"):
        pivotlab.ldlt(np.eye(2)).solve(array)


@pytest.mark.parametrize("backend", ["host", "emulation"])
@pytest.mark.parametrize("triangle", ["whole", "lower", "upper"])
@pytest.mark.parametrize("kind", ["real", "symmetric", "hermitian"])
def test_ldlt_of_rows_is_that_of_columns(backend, triangle, kind):
    rng = np.random.default_rng(3)
    G = rng.standard_normal((20, 20)) + (0 if kind == "real" else 1j * rng.standard_normal((20, 20)))
    A = G + (G.conj() if kind == "hermitian" else G).T
    unread = {"whole": None, "lower": np.triu_indices(20, 1), "upper": np.tril_indices(20, -1)}[triangle]
    if unread:
        A[unread] = np.nan
    options = dict(backend=backend, triangle=triangle, symmetry="symmetric" if kind == "symmetric" else "hermitian")

    def results(order, place=None):
        B = np.array(A, order=order)
        if place:
            B[place] = 30
            B[4, 4] = np.inf if place == (4, 4) else B[4, 4]
        try:
            return [part.tolist() for part in pivotlab.ldlt(B, **options)]
        except pivotlab.InputError as error:
            return str(error)

    for place in (None, (2, 7), (7, 2), (4, 4)):
        assert results("C", place) == results("F", place)
    assert not isinstance(results("C"), str)
    assert "element (5, 5) is not finite" in results("C", (4, 4))


@pytest.mark.parametrize("solve", [pivotlab.ldlt, pivotlab.eig, pivotlab.eigh])
@pytest.mark.parametrize("case", BAD)
def test_bad_matrices_are_refused_in_one_line(solve, case):
    kind, words, matrix = BAD[case]
    with pytest.raises(kind, match=words) as raised:
        solve(matrix)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 250


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: pivotlab.gsvd(np.ones((3, 2)), np.ones((3, 3))), "columns"),
        (lambda: pivotlab.gsvd(np.eye(2), np.eye(2), variant="ZHZ0-(ME-FB-ME)"), "DHZ0"),
        (lambda: pivotlab.gsvd(np.eye(2), np.eye(2), variant="DHZ9-(ME-FB-ME)"), "DHZ"),
        (lambda: pivotlab.gsvd(np.eye(2), np.eye(2), backend="gpu"), "cuda"),
        (lambda: pivotlab.gsvd(np.eye(2), np.eye(2), tolerance_f=-1.0), "tolerance"),
        (lambda: pivotlab.gsvd(np.eye(2), np.eye(2), threads=-1), "threads: -1"),
        (lambda: pivotlab.ldlt(np.array([[0.0, 1.0], [2.0, 0.0]])), "symmetric"),
        (lambda: pivotlab.ldlt(np.eye(2), triangle="left"), "triangle"),
        (lambda: pivotlab.ldlt(np.eye(2), symmetry="skew"), "symmetry"),
        (lambda: pivotlab.ldlt(np.zeros((2, 2))).solve(np.ones(2)), "singular"),
        (lambda: pivotlab.ldlt(np.eye(2)).solve(np.ones(3)), "3"),
        (lambda: pivotlab.ldlt(np.eye(2)).solve(np.ones(2) * 1j), "is complex"),
        (lambda: pivotlab.ldlt(np.eye(2)).solve(np.ones((2, 2, 2))), "3 dimensions"),
        (lambda: pivotlab.ldlt(np.eye(2)).certify(np.eye(2) * 1j), "dtype"),
        (lambda: pivotlab.eig(np.eye(2), variant="ZEIG-(XX)"), "ZEIG"),
        (lambda: pivotlab.eig(np.eye(2), max_sweeps=-1), "max_sweeps"),
        (lambda: pivotlab.generate("svd"), "gsvd, ldlt, eig, eigh, hsvd, ghsvd"),
        (lambda: pivotlab.generate("gsvd", "papers"), "paper"),
        (lambda: pivotlab.generate("ldlt", m_f=3), "m_f"),
        (lambda: pivotlab.expand("DHZ{0"), "DHZ"),
        (lambda: pivotlab.read_pair("/nowhere/pair.h5"), "/nowhere/pair.h5"),
        (lambda: pivotlab.write_matrix("/nowhere/a.mtx", np.eye(2)), "/nowhere/a.mtx"),
        (lambda: pivotlab.variants("svd"), "gsvd, ldlt, eig"),
    ],
)
def test_bad_input_is_an_input_error_of_one_line(call, words):
    with pytest.raises(pivotlab.InputError, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(not pivotlab._core.why_no_device(), reason="has a GPU")
def test_a_missing_gpu_is_not_supported():
    with pytest.raises(pivotlab.NotSupported, match="GPU|CUDA"):
        pivotlab.ldlt(np.eye(2), backend="cuda")


def test_a_matrix_that_is_too_large_is_a_memory_error():
    column = np.zeros((1, 1))
    huge = np.lib.stride_tricks.as_strided(column, (1, 2**44), (8, 8))  # by columns; no element is read
    with pytest.raises((MemoryError, pivotlab.InputError)):
        pivotlab.gsvd(huge, huge)


def test_an_iteration_that_does_not_converge_raises_with_its_result():
    A = random(30, 30)
    with pytest.raises(pivotlab.StatusError, match="^eig: not_converged: .*sweep") as raised:
        pivotlab.eig(A, variant="ZEIG-(RR);b=16", max_sweeps=1)
    assert raised.value.status == raised.value.result.status == "not_converged"
    assert pivotlab.eig(A, variant="ZEIG-(RR);b=16", max_sweeps=1, check=False).status == "not_converged"
    assert pivotlab.eig(A, max_sweeps=1).status == "passed"  # by the Schur form


def test_results_can_be_pickled():
    r = pivotlab.gsvd(random(4, 4), random(4, 4))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(r)).Z, r.Z)


def test_threads_change_no_bit():
    F, G, A = random(60, 60), random(60, 60), hermitian(150)
    calls = [
        lambda threads: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=threads).U,
        lambda threads: pivotlab.ldlt(A, threads=threads).M,
        lambda threads: pivotlab.eig(A[:40, :40], threads=threads).V,
    ]
    for call in calls:
        assert call(1).tobytes("A") == call(2).tobytes("A")


@pytest.mark.parametrize("backend", ["host", "emulation"])
def test_columns_that_collapse_are_those_of_zeros(backend):
    F = np.array([[0.0, 0, -1], [2, 1, 0], [0, 0, 0]])
    G = np.array([[1, -2, 2, 2, 1, 0, 2, -2, -1], [0, 1, 1, 0, 0, -1, -2, 1, -1], [0, 0, 2, 2, 2, 0, 1, -1, 2]]).T * 1.0
    every = list(itertools.product(range(8), ("ME-FB-ME", "MM-BO-ME"), (float, complex)))
    for k, strategy, dtype in every if backend == "host" else every[::3]:  # emulation is slow; a third has all values
        pair = F.astype(dtype), G.astype(dtype)
        r = pivotlab.gsvd(*pair, variant=f"?HZ{k}-({strategy})", backend=backend)
        assert pivotlab.judge(pair, r) and np.array_equal(r.sigma > 0, [True, True, False])


@pytest.mark.parametrize("scale", [True, False])
def test_x_does_not_come_from_noise_in_sigma_of_a_zero_column(scale):
    F = np.zeros((6, 2))
    F[3:5, 0] = 2e-8, -2e-8  # sigma are infinite and 0, or a rounding error
    G = np.outer([-2.0, 0, 1, -1], [1, 1])
    r = pivotlab.gsvd(F, G, x=True, scale=scale)
    assert r.k == r.l == 1 and r.sigma[1] < 1e-15
    np.testing.assert_allclose((r.V * r.sigma_g) @ r.X, G, atol=1e-15)
    assert pivotlab.judge((F, G), r)


@pytest.mark.parametrize(
    "pair",
    [
        (0.1 * np.outer([1, 3], [3, 0, -2]), [[16384.0, -0.5, -0.125], [16384, -0.5, 0.0625]]),  # σ_F is noise
        ([[0, 6.0, 0], [0, 4, 0], [0, 4, 0]], [[4096, -(2.0**-8), 0], [-1024, 2.0**-10, 6144], [-2048, 2.0**-9, 4096]]),
    ],
)
def test_columns_of_g_of_zero_columns_of_f_may_be_large(pair):
    F, G = map(np.array, pair)
    r = pivotlab.gsvd(F, G, x=True)
    assert (r.k, r.l) == (1, 2) and np.all(r.sigma[1:] < 1e-15) and pivotlab.judge((F, G), r)


def test_columns_of_g_too_small_beside_those_of_f_are_refused():
    F, G = np.array([[1.0, 2, 3], [4, 5, 7], [7, 8, 10]]) / 3, np.ones((1, 3))
    r = pivotlab.gsvd(F, G * [2.0**480, 1, 2.0**-480], x=True)
    assert (r.k, r.l) == (2, 1) and pivotlab.judge((F, G * [2.0**480, 1, 2.0**-480]), r)
    with pytest.raises(pivotlab.InputError, match=r"column 3, relative to F's, is only 2\^-10.. of the largest one"):
        pivotlab.gsvd(F, G * [2.0**510, 1, 2.0**-510])


@pytest.mark.parametrize("variant", ["auto", "?HZ0-(ME-FB-ME)"])
def test_pairs_whose_iteration_does_not_converge_are_reduced(variant):
    a, b = np.array([-2.0, -4, 2, 4, 0]), np.array([0.0, 0, 1, 0, -2])
    G = np.array([1.5 * a + b, -2 * b, a + b, a, a + b, -a])
    r = pivotlab.gsvd(np.zeros((2, 5)), G, variant=variant)
    assert (r.k, r.l) == (0, 2) and np.all(r.sigma == 0) and pivotlab.judge((np.zeros((2, 5)), G), r)


@pytest.mark.parametrize("m_f, m_g, n", [(3, 2, 4), (0, 2, 3), (2, 0, 3), (0, 0, 2), (2, 2, 0), (0, 0, 0)])
@pytest.mark.parametrize("dtype", [float, complex])
def test_forms_of_pairs_of_rank_zero(m_f, m_g, n, dtype):
    F, G = np.zeros((m_f, n), dtype), np.zeros((m_g, n), dtype)
    r = pivotlab.gsvd(F, G, x=True)
    assert r.X.shape == (0, n) and r.R.shape == (0, 0) and r.Q.shape == (n, n) and r.X.dtype == dtype
    for U, V in ((r.lapack().U, r.lapack().V), (r.matlab().U, r.matlab().V)):
        np.testing.assert_allclose(U, np.eye(m_f))
        np.testing.assert_allclose(V, np.eye(m_g))
    assert pivotlab.judge((F, G), r)
