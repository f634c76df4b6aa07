# SPDX-License-Identifier: BSD-3-Clause
"""The generalized hyperbolic singular value decomposition on NumPy arrays."""

import pickle

import h5py
import numpy as np
import pytest
import scipy.linalg

import pivotlab

RNG = np.random.default_rng(12)


def random(rows, columns, type="d"):
    real = RNG.standard_normal((rows, columns))
    return real if type == "d" else real + 1j * RNG.standard_normal((rows, columns))


def thirds(m):
    return np.where(np.arange(m) % 3 == 0, -1, 1)


def check(F, G, J, r, atol=1e-11):
    """Asserts the equations of the decomposition."""
    np.testing.assert_allclose(F @ r.Z, r.U * r.sigma_f, atol=atol)
    np.testing.assert_allclose(G @ r.Z, r.V * r.sigma_g, atol=atol)
    np.testing.assert_allclose(r.V.conj().T @ r.V, np.eye(len(r.eigenvalues)), atol=1e-12)
    product = (r.U.conj().T * J) @ r.U
    np.testing.assert_allclose(product, np.diag(np.sign(r.eigenvalues)), atol=1e-13 * np.linalg.norm(r.U) ** 2)
    np.testing.assert_allclose(r.sigma_f**2 + r.sigma_g**2, 1)
    np.testing.assert_allclose(r.J * (r.sigma_f / r.sigma_g) ** 2, r.eigenvalues)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("variant", ["GHSVD-TR-ME-BO", "GHSVD-TR-MM-PT;precision=working", "GHSVD-HZ-ME-PT", "lapack"])
def test_ghsvd_decomposes_the_pair(type, variant):
    F, G, J = random(30, 12, type), random(20, 12, type), thirds(30)
    driver = "dsygvd" if type == "d" else "zhegvd"
    r = pivotlab.ghsvd(F, G, J, variant=f"lapack:{driver}" if variant == "lapack" else variant)
    check(F, G, J, r)
    expected = scipy.linalg.eigh((F.conj().T * J) @ F, G.conj().T @ G, eigvals_only=True)
    np.testing.assert_allclose(r.eigenvalues[::-1], expected, rtol=1e-10)
    assert r.inertia == (np.sum(r.eigenvalues > 0), np.sum(r.eigenvalues < 0), 0)
    assert r.variant in repr(r) and "U 30 × 12" in repr(r) and "passed" in repr(r)
    if variant != "lapack":
        bits = {"GHSVD-TR-ME-BO": 106, "GHSVD-HZ-ME-PT": 0}.get(variant, 53)
        assert r.tangent_bits == bits and r.sweeps and not r.noise.any()
    judgement = pivotlab.judge((F, G, J), r)
    assert judgement.passed, judgement


def test_without_signs_it_is_the_generalized_svd():
    F, G = random(15, 9), random(12, 9)
    r = pivotlab.ghsvd(F, G)
    check(F, G, np.ones(15), r)
    np.testing.assert_allclose(np.sqrt(r.eigenvalues), np.sort(pivotlab.gsvd(F, G).sigma)[::-1])
    assert pivotlab.judge((F, G), r).passed


def test_eigenvalues_of_a_graded_pair_are_accurate():
    made = pivotlab.generate("ghsvd", "two-sided;columns_f=random;g=4", n=20, m_f=40, m_g=40)
    ours, theirs = (
        pivotlab.judge(made, pivotlab.ghsvd(made.F, made.G, made.J, variant=v))
        for v in ("GHSVD-TR-ME-BO", "lapack:dsygvd")
    )
    assert ours.passed and not theirs.passed
    assert ours.metrics["relative_error"] < 1e-13 and theirs.metrics["relative_error"] > 1e-8
    assert ours.metrics["wrong_signs"] == 0 and theirs.metrics["error_per_estimate"] is None
    truth = made.eigenvalues + made.eigenvalues_rest
    np.testing.assert_allclose(pivotlab.ghsvd(made.F, made.G, made.J).eigenvalues, truth, rtol=1e-13)


def test_eigenvalues_that_are_not_determined_are_marked():
    F, G = random(5, 9), random(9, 9)
    r = pivotlab.ghsvd(F, G, thirds(5))
    assert r.noise.sum() == 0 and r.inertia == (3, 2, 4) and np.sum(r.J == 0) == 4  # F has five rows
    assert pivotlab.judge((F, G, thirds(5)), r).passed
    zero = r.J == 0
    claimed = np.where(zero, 1e-12, r.eigenvalues), np.where(zero, 1e-15, r.estimate)
    wrong = pivotlab.Ghsvd(claimed[0], r.U, r.V, r.Z, r.sigma_f, r.sigma_g, np.where(zero, 1, r.J), claimed[1])
    judgement = pivotlab.judge((F, G, thirds(5)), wrong)
    assert judgement.metrics["wrong_signs"] == 4 and "wrong_signs" in judgement.message


def test_judge_takes_results_of_other_libraries():
    F, G, J = random(16, 8), random(10, 8), thirds(16)
    values, X = scipy.linalg.eigh((F.T * J) @ F, G.T @ G)
    sigma_g = 1 / np.sqrt(1 + abs(values))
    sigma_f = np.sqrt(abs(values)) * sigma_g
    Z = X * sigma_g
    given = {"U": F @ Z / sigma_f, "V": G @ Z / sigma_g, "Z": Z, "sigma_f": sigma_f, "sigma_g": sigma_g}
    flipped = {name: array[..., ::-1] for name, array in given.items()}
    assert pivotlab.judge((F, G, J), pivotlab.Ghsvd(eigenvalues=values[::-1], **flipped)).passed
    assert not pivotlab.judge((F, G, J), pivotlab.Ghsvd(eigenvalues=-values[::-1], **flipped)).passed


@pytest.mark.parametrize("type", ["d", "z"])
def test_a_hermitian_and_a_definite_matrix_are_one_call(type):
    X, Y = random(7, 7, type), random(7, 7, type)
    H, S = X + X.conj().T, Y @ Y.conj().T + np.eye(7)
    S = (S + S.conj().T) / 2
    r = pivotlab.eigh(H, S)
    L = np.linalg.cholesky(S)
    expected = np.linalg.eigvalsh(np.linalg.solve(L, np.linalg.solve(L, H).conj().T))[::-1]
    np.testing.assert_allclose(r.eigenvalues, expected, rtol=1e-11, atol=1e-11)
    c = r.U
    np.testing.assert_allclose(H @ c, S @ c * r.eigenvalues, atol=1e-11)
    np.testing.assert_allclose(c.conj().T @ S @ c, np.eye(7), atol=1e-11)
    np.testing.assert_array_equal(pivotlab.eigh(np.zeros((2, 2)), np.eye(2)).eigenvalues, 0)
    for singular in (np.diag([1.0, -1]), np.diag([1.0, 0]), [[25.0, 3, 17], [3, 1, 3], [17, 3, 13]]):
        with pytest.raises(pivotlab.InputError, match="B: is not positive definite .* exchange A and B"):
            pivotlab.eigh(np.eye(len(singular)), singular)


@pytest.mark.parametrize("type", [2, 3])
def test_products_of_graded_matrices_keep_their_digits(type):
    A, B, d = np.diag([3.0, -2, 1, 0]) + 1, np.diag([1.0, 2, 3, 4]) + 1, 2.0 ** np.array([30, -20, 0, 10])
    of_type = {2: d, 3: 1 / d}[type]
    expected = pivotlab.eigh(A, B, type=type)
    graded = pivotlab.eigh(A / d / d[:, None], B * d * d[:, None], type=type)
    np.testing.assert_allclose(graded.eigenvalues, expected.eigenvalues, rtol=1e-13)
    np.testing.assert_allclose(np.abs(graded.U * of_type[:, None]), np.abs(expected.U), atol=1e-13)


@pytest.mark.parametrize("signs", ["positive", "halves", "third", "random"])
def test_generated_pairs_have_signs_and_truth(signs):
    made = pivotlab.generate("ghsvd", "neutral;gap=0.001", n=8, m_f=21, signs=signs, type="z")
    assert made.F.shape == (21, 8) and made.G.dtype == complex and set(made.J) <= {1, -1}
    assert made.provenance == f"neutral;gap=0.001, seed 1, signs {signs}" and "F 21 × 8" in repr(made)
    r = pivotlab.ghsvd(made.F, made.G, made.J)
    assert np.all(abs(r.eigenvalues - made.eigenvalues) <= 10 * r.estimate * abs(made.eigenvalues))
    assert pivotlab.generate("ghsvd", n=65).eigenvalues is None


def test_lists_and_sweeps_know_the_method(tmp_path):
    assert {"GHSVD-TR-ME-BO", "GHSVD-HZ-ME-PT"} <= {e.name for e in pivotlab.variants("ghsvd")}
    assert {"lapack:dsygvd", "lapack:zhegvd"} == {e.name for e in pivotlab.baselines("ghsvd")}
    assert "waves" in {e.name for e in pivotlab.generators("ghsvd")}
    runs = pivotlab.sweep("ghsvd", n=[8, 12], m_f="2n", threads=1, solver="GHSVD-TR-ME-PT", out=tmp_path / "run")
    assert list(runs.frame["n"]) == [8, 12] and list(runs.frame["m_f"]) == [16, 24]
    assert set(runs.frame["tangent_bits"]) == {106} and (runs.frame["relative_error"] < 1e-12).all()


@pytest.mark.parametrize("type", ["d", "z"])
def test_results_are_written_and_pickled(tmp_path, type):
    r = pivotlab.ghsvd(random(9, 5, type), random(7, 5, type), thirds(9))
    r.write(tmp_path / "r.h5", origin="test")
    with h5py.File(tmp_path / "r.h5") as file:
        for name in ("eigenvalues", "J", "sigma_f", "sigma_g", "estimate", "noise"):
            np.testing.assert_array_equal(file[name], getattr(r, name))
        assert {"U", "V", "Z"} <= set(file) and file.attrs["tangent_bits"] == 106
        assert file.attrs["solver"].decode() == r.variant and file.attrs["origin"] == b"test"
        assert file.attrs["m_f"] == 9 and file.attrs["positive"] == r.inertia.positive
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(r)).Z, r.Z)


def test_arguments_are_not_changed_and_threads_change_no_bit():
    F, G = random(80, 66), np.ascontiguousarray(random(70, 66))
    before = F.copy(), G.copy()
    one, two = (pivotlab.ghsvd(F, G, thirds(80).tolist(), threads=threads) for threads in (1, 2))
    assert one.U.tobytes("A") == two.U.tobytes("A") and one.Z.tobytes("A") == two.Z.tobytes("A")
    np.testing.assert_array_equal(F, before[0])
    np.testing.assert_array_equal(G, before[1])


@pytest.mark.parametrize(
    "kind, words, call",
    [
        (ValueError, "variant|GHSVD", lambda: pivotlab.ghsvd(np.eye(2), np.eye(2), variant="GHSVD-XX-ME-BO")),
        (ValueError, "max_sweeps: 0", lambda: pivotlab.ghsvd(np.eye(2), np.eye(2), max_sweeps=0)),
        (ValueError, "number of columns", lambda: pivotlab.ghsvd(np.eye(2), np.eye(3))),
        (ValueError, "fewer rows than columns", lambda: pivotlab.ghsvd(np.ones((2, 3)), np.ones((2, 3)))),
        (ValueError, "finite|NaN", lambda: pivotlab.ghsvd(np.array([[np.nan]]), np.eye(1))),
        (ValueError, "J: has the shape .* row of F", lambda: pivotlab.ghsvd(np.eye(2), np.eye(2), [1])),
        (ValueError, "J: has an element", lambda: pivotlab.ghsvd(np.eye(2), np.eye(2), [1, 2])),
        (ValueError, "lapack:", lambda: pivotlab.ghsvd(np.eye(2), np.eye(2), variant="lapack:dggsvd3")),
        (ValueError, "for hsvd", lambda: pivotlab.generate("ghsvd", m=3)),
        (ValueError, "signs|third", lambda: pivotlab.generate("ghsvd", signs="even")),
        (ValueError, "for hsvd and ghsvd", lambda: pivotlab.generate("gsvd", signs="third")),
        (pivotlab.NotSupported, "host", lambda: direct_on_kernels()),
        (
            pivotlab.StatusError,
            "^ghsvd: failed: .*full column rank",
            lambda: pivotlab.ghsvd(np.eye(2), np.ones((2, 2))),
        ),
    ],
)
def test_bad_input_is_an_error_of_one_line(kind, words, call):
    with pytest.raises(kind, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


def direct_on_kernels():
    return pivotlab.ghsvd(np.eye(2), np.eye(2), variant="GHSVD-HZ-ME-PT", backend="emulation")


def test_a_failed_result_has_no_factors():
    r = pivotlab.ghsvd(np.eye(2), np.ones((2, 2)), check=False)
    assert r.status == "failed" and r.U is None and len(r.eigenvalues) == 0
    with pytest.raises(pivotlab.InputError, match="has no U, V or Z"):
        pivotlab.judge((np.eye(2), np.ones((2, 2))), r)


def test_the_emulation_runs_the_kernels():
    F, G, J = random(20, 9), random(9, 9), thirds(20)
    r = pivotlab.ghsvd(F, G, J, backend="emulation", variant="GHSVD-TR-ME-BO;w=16")
    assert pivotlab.judge((F, G, J), r).passed


@pytest.mark.parametrize("variant", ["GHSVD-TR-ME-BO", "GHSVD-HZ-ME-PT"])
def test_what_is_smaller_than_a_zero_by_rounding_is_marked(variant):
    F = np.diag([1, 1 + 2.0**-52, 1e-30, 1e-9])
    F[0, 1] = F[1, 0] = 1  # λ = 4, 1e-18, 1.2e-32, 1e-60, and the third one counts as zero
    r = pivotlab.ghsvd(F, np.eye(4), variant=variant)
    assert np.allclose(r.eigenvalues[:2], [4, 1e-18], rtol=1e-14) and r.noise.tolist() == [False, False, True, True]
    r = pivotlab.ghsvd(F[2:], np.eye(4), variant=variant)  # zeros by the number of rows
    assert r.inertia == (2, 0, 2) and not r.noise.any()
