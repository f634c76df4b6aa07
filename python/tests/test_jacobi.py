# SPDX-License-Identifier: BSD-3-Clause
"""The Hermitian eigensolver and the singular value decompositions on NumPy arrays."""

import pickle
import warnings
from dataclasses import replace
from fractions import Fraction

import h5py
import numpy as np
import pytest

import pivotlab

RNG = np.random.default_rng(11)


def random(rows, columns, type="d"):
    real = RNG.standard_normal((rows, columns))
    return real if type == "d" else real + 1j * RNG.standard_normal((rows, columns))


def hermitian(n, type="d"):
    A = random(n, n, type)
    return A + A.conj().T


def halves(n):
    return np.repeat([1, -1], [n - n // 2, n // 2])


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("variant", ["HEV-RK-ME-BO", "HEV-CP-MM-FB;w=8", "HEV-RK-ME-BO;spectral", "lapack"])
def test_eigh_decomposes_the_matrix(type, variant):
    A = hermitian(24, type)
    driver = "dsyevd" if type == "d" else "zheevd"
    e = pivotlab.eigh(A, variant=f"lapack:{driver}" if variant == "lapack" else variant)
    np.testing.assert_allclose(A @ e.U, e.U * e.eigenvalues, atol=1e-12)
    np.testing.assert_allclose(e.U.conj().T @ e.U, np.eye(24), atol=1e-13)
    np.testing.assert_allclose(e.eigenvalues[::-1], np.linalg.eigvalsh(A), atol=1e-12)
    assert e.inertia == (np.sum(e.eigenvalues > 0), np.sum(e.eigenvalues < 0), 0)
    assert e.variant in repr(e) and "passed" in repr(e)
    if variant != "lapack":
        assert e.rank == 24 and e.sweeps and not e.noise.any()
        assert e.spectral["used"] == ("spectral" in variant)
    judgement = pivotlab.judge(A, e)
    assert judgement.passed, judgement


def test_small_eigenvalues_of_a_graded_matrix_are_accurate():
    made = pivotlab.generate("eigh", "graded;g=6;order=random;core=conditioned", n=20)
    ours, theirs = (
        pivotlab.judge(made, pivotlab.eigh(made.A, variant=v)).metrics for v in ("HEV-RK-ME-BO", "lapack:dsyevd")
    )
    assert ours["relative_error"] < 1e-12 < theirs["relative_error"]
    assert ours["error_per_estimate"] < 10 and theirs["error_per_estimate"] is None


@pytest.mark.parametrize("type", ["d", "z"])
def test_two_stages_are_judged_by_what_they_promise(type):
    made = pivotlab.generate("eigh", "graded;g=6;order=random;core=conditioned", n=20, type=type)
    e = pivotlab.eigh(made.A, driver="2stage", backend="emulation")
    judgement = pivotlab.judge(made, e)
    assert judgement.passed and 0 < e.noise.sum() < 20 and e.rank == 0 and not e.sweeps
    assert judgement.metrics["relative_error"] > 1e-12 > judgement.metrics["residual"]
    certain = pivotlab.judge(made, replace(e, estimate=np.full(20, 1e-15)))
    assert "error_per_estimate" in certain.failed, certain
    refined = pivotlab.eigh(made.A, variant="HEV-2STAGE;refine", backend="emulation")
    assert not refined.noise.any() and pivotlab.judge(made, refined).metrics["relative_error"] < 1e-15


def test_eigenvalues_that_are_noise_are_marked():
    A = hermitian(12)[:, :6]
    e = pivotlab.eigh(A @ A.T)
    assert e.rank >= 6 and e.noise.sum() == 6
    assert np.all(e.estimate[e.noise] >= 0.1)


@pytest.mark.parametrize("backend", ["host", "emulation"])
def test_what_is_smaller_than_a_zero_by_rounding_is_marked(backend):
    A = np.diag([1, 1 + 2.0**-52, 1e-20, 1e-9])
    A[0, 1] = A[1, 0] = 1  # λ = 2, 1e-9, 1.1e-16, 1e-20, and the pivot of the third one counts as zero
    e = pivotlab.eigh(A, backend=backend)
    assert np.allclose(e.eigenvalues[:2], [2, 1e-9], rtol=1e-14) and e.noise.tolist() == [False, False, True, True]
    assert pivotlab.judge(A, e)


@pytest.mark.parametrize("is_complex", [False, True])
def test_eigh_of_a_pair_with_an_ill_conditioned_b_has_residuals_of_rounding_errors(is_complex):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        A, X = (rng.standard_normal((7, 7)) + 1j * is_complex * rng.standard_normal((7, 7)) for _ in range(2))
        X[:, -1] = X[:, 0] + 1e-3 * X[:, -1]
        A, B = A + A.conj().T, X.conj().T @ X
        assert pivotlab.judge((A, B), pivotlab.eigh(A, B)), seed
        half = pivotlab.eigh(np.triu(A), np.triu(B), triangle="upper")
        assert pivotlab.judge((A, B), half), seed


def test_eigenvectors_are_optional():
    A = hermitian(9)
    e = pivotlab.eigh(A, vectors=False)
    judgement = pivotlab.judge(A, e)
    assert e.U is None and judgement.status == "not judged" and judgement.metrics["residual"] is None


@pytest.mark.parametrize("values", [[4.0, 2.0, 0.0], [70.0, 5.0, -60.0]])
def test_wrong_eigenvalues_without_vectors_do_not_pass(values):
    assert not pivotlab.judge(np.diag([3.0, 2.0, 1.0]), pivotlab.Eigh(np.array(values))).passed


def test_one_triangle_or_rounding_errors_make_a_matrix_hermitian():
    for kind in ("d", "z"):
        A = hermitian(9, kind)
        e = pivotlab.eigh(A)
        for triangle, part in (("lower", np.tril(A)), ("upper", np.triu(A))):
            np.testing.assert_array_equal(pivotlab.eigh(part, triangle=triangle).eigenvalues, e.eigenvalues)
        Q = np.linalg.qr(A)[0]
        B = (Q * np.arange(1, 10)) @ Q.conj().T
        for judged in (pivotlab.eigh(B), pivotlab.eigh(B, variant=f"lapack:{'zheevd' if kind == 'z' else 'dsyevd'}")):
            np.testing.assert_allclose(judged.eigenvalues, np.arange(9, 0, -1), rtol=1e-13)
            assert pivotlab.judge(B, judged).passed
        X = pivotlab.ldlt(B).solve_refined(B, B).X
        np.testing.assert_allclose(X, np.eye(9), atol=1e-13)
        assert pivotlab.judge(B, pivotlab.ldlt(B)).passed
        assert pivotlab.ldlt(B).certify(B).inertia == (9, 0, 0)


def test_eigenvalues_of_zero_matrices_are_determined():
    nothing = np.zeros((0, 0))
    assert pivotlab.judge(nothing, pivotlab.eigh(nothing)).passed
    assert pivotlab.eigh(nothing).noise.shape == pivotlab.ghsvd(nothing, nothing).noise.shape == (0,)
    for n in (1, 4):
        e = pivotlab.eigh(np.zeros((n, n)))
        assert not e.noise.any() and (e.estimate == 0).all() and pivotlab.judge(np.zeros((n, n)), e).passed


def test_zeros_have_no_order_among_them():
    A = np.zeros((3, 3))
    A[1, 1], A[1, 2], A[2, 1] = -(2.0**-415), 2.0**-1000, 2.0**-1000  # eigenvalues 2^-1585, 0 and -2^-415
    r = pivotlab.eigh(A, check=False)
    assert sorted(r.estimate[r.eigenvalues == 0]) == [0, 1]
    assert pivotlab.judge(A, r).passed


@pytest.mark.parametrize("exponent", [257, 262, 267])
@pytest.mark.parametrize("kind", ["d", "z"])
def test_null_vectors_beside_tiny_components_have_unit_norms(kind, exponent):
    A = np.zeros((3, 3), complex if kind == "z" else float)
    A[0, 0], A[1, 0], A[2, 0] = -(2.0**67), -(2.0**-exponent), -(2.0**262)
    A[2, 1], A[2, 2] = 2.0**-301, -1.5 * 2.0**-305
    A *= 1 if kind == "d" else np.array([[1, 1, 1], [0.6 + 0.8j, 1, 1], [0.8 - 0.6j, 0.6j - 0.8, 1]])
    A = np.tril(A, -1) + np.tril(A).conj().T
    e = pivotlab.eigh(A)
    np.testing.assert_allclose(np.linalg.norm(e.U, axis=0), 1, rtol=1e-15)
    assert pivotlab.judge(A, e), pivotlab.judge(A, e)


def test_svd_of_a_wide_matrix():
    G = np.ones((3, 5))
    for variant in ("auto", "HSVD-ME-PT", *(["lapack:dgesdd"] if pivotlab.baselines("hsvd") else [])):
        U, sigma, Vh = pivotlab.svd(G, variant=variant)
        assert (U.shape, sigma.shape, Vh.shape) == ((3, 3), (3,), (3, 5))
        assert np.allclose(sigma, [np.sqrt(15), 0, 0], atol=1e-15)
        assert np.allclose(U * sigma @ Vh, G)
        assert pivotlab.judge(G, pivotlab.Svd(U=U, sigma=sigma, V=Vh.T)).passed


def test_svd_chooses_the_preconditioner_by_the_rows():
    rng = np.random.default_rng(3)
    B, D = rng.standard_normal((12, 12)), np.logspace(0, -100, 12)
    assert pivotlab.svd(B).variant == pivotlab.svd(B * D).variant == "HSVD-ME-BO"
    r = pivotlab.svd(D[:, None] * B)
    assert r.variant == "HSVD-ME-BO;qrp" and r.estimate.max() < 1e-12
    assert np.allclose(r.sigma, pivotlab.svd((D[:, None] * B).T).sigma, rtol=1e-12, atol=0)


def test_svd_by_exact_products_has_the_digits_of_dense_matrices():
    n = 8
    U, V = (np.linalg.qr(random(n, n, "d"))[0] for _ in range(2))
    G = U * np.logspace(0, -15, n) @ V.T
    exact = [[Fraction(x) for x in row] for row in G.tolist()]
    determinant = Fraction(1)
    for k in range(n):
        determinant *= exact[k][k]
        for i in range(k + 1, n):
            factor = exact[i][k] / exact[k][k]
            exact[i] = [x - factor * y for x, y in zip(exact[i], exact[k], strict=True)]
    r = pivotlab.svd(G, driver="HSVD-ME-BO;exact")
    product = Fraction(1)
    for sigma in r.sigma:
        product *= Fraction(sigma)
    assert abs(product / abs(determinant) - 1) < 1e-14
    assert r.estimate.max() < 1e-14 < pivotlab.svd(G).estimate.max()
    assert pivotlab.judge(G, r).passed


@pytest.mark.parametrize("variant", ["auto", "HSVD-ME-BO;refine"])
def test_svd_of_zeros_and_empty_matrices(variant):
    for shape in ((3, 2), (2, 3), (3, 0), (0, 3), (0, 0)):
        G, k = np.zeros(shape), min(shape)
        r = pivotlab.svd(G, v=True, variant=variant)
        assert (r.U.shape, r.V.shape) == ((shape[0], k), (shape[1], k))
        assert np.array_equal(r.estimate, np.zeros(k)) and np.array_equal(r.sigma, np.zeros(k))
        assert pivotlab.judge(G, r).passed


def test_vectors_beside_subnormal_elements_are_orthonormal():
    G = np.array([[1.5e-323 + 1e-323j], [1]])
    U = pivotlab.svd(G, full_matrices=True).U
    np.testing.assert_allclose(U.conj().T @ U, np.eye(2), atol=1e-15)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("J", [None, halves(12)], ids=["ordinary", "hyperbolic"])
@pytest.mark.parametrize("variant", ["HSVD-ME-BO", "HSVD-RR-PT", "HSVD-ME-FB;w=4"])
def test_svd_decomposes_the_matrix(type, J, variant):
    G = random(20, 12, type)
    s = pivotlab.svd(G, J=J, variant=variant, v=True)
    np.testing.assert_allclose(G @ s.V, s.U * s.sigma, atol=1e-12 * np.linalg.norm(s.V))
    np.testing.assert_allclose(s.U.conj().T @ s.U, np.eye(12), atol=1e-13)
    signs = np.ones(12) if J is None else J
    product = (s.V.conj().T * signs) @ s.V
    np.testing.assert_allclose(product, np.diag(s.J), atol=1e-13 * np.linalg.norm(s.V) ** 2)
    np.testing.assert_allclose(np.sort(s.J * s.sigma**2), np.linalg.eigvalsh((G * signs) @ G.conj().T)[keep(signs)])
    assert s.hyperbolic == (J is not None) == ("J 6 + and 6 −" in repr(s))
    judgement = pivotlab.judge((G, J), s)
    assert judgement.passed, judgement


def keep(signs):
    """Positions of the nonzero eigenvalues of a matrix of order 20 with these signs, in ascending order."""
    negative, positive = np.sum(signs < 0), np.sum(signs > 0)
    return np.r_[:negative, 20 - positive : 20]


@pytest.mark.parametrize("routine", ["dgesvj", "dgejsv", "dgesdd"])
def test_lapack_s_svd_is_a_baseline(routine):
    G = random(15, 10)
    s = pivotlab.svd(G, variant=f"lapack:{routine}")
    np.testing.assert_allclose(s.sigma, np.linalg.svd(G, compute_uv=False))
    assert s.estimate is None and pivotlab.judge(G, s).passed
    tall = random(50, 1) + 1j * random(50, 1)  # for which LAPACKE_zgejsv has too little work space
    assert pivotlab.judge(tall, pivotlab.svd(tall, variant=f"lapack:z{routine[1:]}")).passed


def test_judge_takes_results_of_other_libraries():
    A, G = hermitian(8, "z"), random(9, 7)
    values, vectors = np.linalg.eigh(A)
    assert pivotlab.judge(A, pivotlab.Eigh(values[::-1], vectors[:, ::-1])).passed
    assert pivotlab.judge(A, pivotlab.Eigh(values, vectors)).passed
    assert not pivotlab.judge(A, pivotlab.Eigh(values[::-1], vectors)).passed
    U, sigma, Vh = np.linalg.svd(G, full_matrices=False)
    assert pivotlab.judge((G, None), pivotlab.Svd(U, sigma, V=Vh.T)).passed
    assert pivotlab.judge((G, None), pivotlab.Svd(U, sigma + 1e-8, V=Vh.T)).status == "incorrect"


@pytest.mark.parametrize("signs", ["positive", "halves", "third", "random"])
def test_generated_matrices_have_signs(signs):
    made = pivotlab.generate("hsvd", "graded;g=3", n=10, m=14, signs=signs, type="z")
    assert made.G.shape == (14, 10) and made.G.dtype == complex and set(made.J) <= {1, -1}
    assert made.provenance == f"graded;g=3, seed 1, signs {signs}" and "14 × 10" in repr(made)
    assert pivotlab.judge(made, pivotlab.svd(made.G, J=made.J, v=True)).passed


def test_lists_know_the_methods():
    assert any(e.name == "HEV-RK-ME-BO" for e in pivotlab.variants("eigh"))
    assert any(e.name.startswith("HSVD-ME-BO") for e in pivotlab.variants("hsvd"))
    assert {"lapack:dgesvj", "lapack:zgejsv"} <= {e.name for e in pivotlab.baselines("hsvd")}
    assert "lapack:dsyevd" in {e.name for e in pivotlab.baselines("eigh")}
    assert "two-sided" in {e.name for e in pivotlab.generators("hsvd")}


@pytest.mark.parametrize("type", ["d", "z"])
def test_results_are_written_and_pickled(tmp_path, type):
    e = pivotlab.eigh(hermitian(6, type))
    e.write(tmp_path / "e.h5", origin="test")
    s = pivotlab.svd(random(6, 4, type), J=halves(4), v=True)
    s.write(tmp_path / "s.h5")
    with h5py.File(tmp_path / "e.h5") as file:
        np.testing.assert_array_equal(file["eigenvalues"], e.eigenvalues)
        np.testing.assert_array_equal(file["noise"], e.noise)
        assert file.attrs["solver"].decode() == e.variant and file.attrs["origin"] == b"test"
        assert file.attrs["positive"] == e.inertia.positive
        assert file.attrs["sweeps"] == len(e.sweeps) and "U" in file
    with h5py.File(tmp_path / "s.h5") as file:
        np.testing.assert_array_equal(file["J"], s.J)
        np.testing.assert_array_equal(file["sigma"], s.sigma)
        assert "V" in file and file.attrs["solver"].decode() == s.variant
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(e)).U, e.U)
    assert pickle.loads(pickle.dumps(s)).hyperbolic


def test_arguments_are_not_changed_and_threads_change_no_bit():
    A, G = hermitian(70), random(80, 66)
    before = A.copy(), G.copy()
    warnings.simplefilter("error")
    calls = [
        lambda threads: pivotlab.eigh(A, threads=threads).U,
        lambda threads: pivotlab.svd(np.ascontiguousarray(G), J=halves(66).tolist(), threads=threads).U,
    ]
    for call in calls:
        assert call(1).tobytes("A") == call(2).tobytes("A")
    np.testing.assert_array_equal(A, before[0])
    np.testing.assert_array_equal(G, before[1])


@pytest.mark.parametrize(
    "kind, words, call",
    [
        (ValueError, "variant|HEV", lambda: pivotlab.eigh(np.eye(2), variant="HEV-XX-ME-BO")),
        (ValueError, "max_sweeps: 0", lambda: pivotlab.eigh(np.eye(2), max_sweeps=0)),
        (ValueError, "symmetric", lambda: pivotlab.eigh(np.array([[0.0, 1.0], [2.0, 0.0]]))),
        (ValueError, "append rows of zeros", lambda: pivotlab.svd(np.ones((2, 3)), J=[1, -1, 1])),
        (ValueError, "symmetric", lambda: pivotlab.eigh(np.array([[0.0, 1.0], [2.0, 0.0]]), variant="lapack:dsyevd")),
        (ValueError, "Hermitian", lambda: pivotlab.judge(np.array([[0.0, 1], [2, 0]]), pivotlab.eigh(np.eye(2)))),
        (ValueError, "triangle: unknown", lambda: pivotlab.eigh(np.eye(2), triangle="left")),
        (ValueError, "finite|NaN", lambda: pivotlab.svd(np.array([[np.nan]]))),
        (ValueError, "J: has the shape", lambda: pivotlab.svd(np.eye(2), J=[1])),
        (ValueError, "J: has the shape", lambda: pivotlab.svd(np.eye(2), J=[])),
        (ValueError, "J: has an element", lambda: pivotlab.svd(np.eye(2), J=[1, 2])),
        (ValueError, "J: has an element", lambda: pivotlab.svd(np.eye(2), J=[1.0, np.nan])),
        (TypeError, "J: dtype complex128", lambda: pivotlab.svd(np.eye(2), J=[1j, 1])),
        (ValueError, "no hyperbolic.*leave out J", lambda: pivotlab.svd(np.eye(2), J=[1, -1], variant="lapack:dgesdd")),
        (ValueError, "lapack:", lambda: pivotlab.svd(np.eye(2), variant="lapack:dgesvd")),
        (ValueError, "for hsvd", lambda: pivotlab.generate("eigh", m=3)),
        (ValueError, "signs|third", lambda: pivotlab.generate("hsvd", signs="even")),
        (ValueError, "v=True", lambda: pivotlab.judge((np.eye(2), None), pivotlab.svd(np.eye(2), v=False))),
        (ValueError, "shapes", lambda: pivotlab.judge(np.eye(3), pivotlab.eigh(np.eye(2)))),
        (TypeError, "Eigh, Svd or Ghsvd", lambda: pivotlab.judge(np.eye(3), 3)),
    ],
)
def test_bad_input_is_an_error_of_one_line(kind, words, call):
    with pytest.raises(kind, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_an_iteration_that_does_not_converge_raises_with_its_result():
    A, G = hermitian(30), random(30, 30)
    for name, call in {
        "eigh": lambda **options: pivotlab.eigh(A, max_sweeps=1, **options),
        "svd": lambda **options: pivotlab.svd(G, max_sweeps=1, **options),
    }.items():
        with pytest.raises(pivotlab.StatusError, match=f"^{name}: not_converged: ") as raised:
            call()
        assert raised.value.result.U.shape == (30, 30)
        assert call(check=False).status == "not_converged"


def test_the_emulation_runs_the_kernels():
    s = pivotlab.svd(random(40, 33), backend="emulation", v=True)
    assert s.status == "passed" and s.V.shape == (33, 33)


@pytest.mark.skipif(not pivotlab._core.why_no_device(), reason="has a GPU")
def test_a_missing_gpu_is_not_supported():
    for solve in (pivotlab.eigh, pivotlab.svd):
        with pytest.raises(pivotlab.NotSupported, match="GPU|CUDA"):
            solve(np.eye(2), backend="cuda")
