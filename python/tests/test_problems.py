# SPDX-License-Identifier: BSD-3-Clause
"""Generators, judges, files and lists."""

from dataclasses import replace

import numpy as np
import pytest

import pivotlab


def test_generated_problems_have_their_truth():
    pair = pivotlab.generate("gsvd", "graded;g=4", n=20)
    np.testing.assert_allclose(np.sort(pivotlab.gsvd(pair.F, pair.G).sigma)[::-1], pair.sigma, rtol=1e-12)
    assert 0 < np.max(np.abs(pair.sigma_rest / pair.sigma)) <= 2**-53
    matrix = pivotlab.generate("ldlt", "kkt", n=30)
    assert pivotlab.ldlt(matrix.A).inertia == matrix.inertia
    general = pivotlab.generate("eig", "similarity;kappa=1e2", n=16)
    assert pivotlab.judge(general, pivotlab.eig(general.A)).metrics["eigenvalue_error"] < 1e-13
    assert all("seed" in p.provenance or p.provenance in repr(p) for p in (pair, matrix, general))
    same = pivotlab.generate("gsvd", "graded;g=4", n=20, threads=1)
    np.testing.assert_array_equal(pair.F, same.F)


@pytest.mark.parametrize("type", ["d", "z"])
def test_judges_pass_good_results_and_not_wrong_ones(type):

    pair = pivotlab.generate("gsvd", "random", n=20, type=type)
    r = pivotlab.gsvd(pair.F, pair.G)
    good = pivotlab.judge(pair, r)
    assert good.passed and good.metrics["precision"] == "quad" and "residual_f" in repr(good)
    assert 0 < good.metrics["orthogonality_u"] < good.bounds["orthogonality_u"]
    assert good.metrics["sigma_error"] < 1e-13
    unknown = pivotlab.judge((pair.F, pair.G), r).metrics
    assert unknown["reference"] == "refined" and unknown["known"] == 20 and unknown["sigma_error"] < 1e-13
    wrong = pivotlab.judge(pair, replace(r, U=r.U * (1 + 1e-10)))
    assert wrong.status == "incorrect" and "orthogonality_u" in wrong.message

    symmetric = pivotlab.generate("ldlt", "random", n=20, type=type)
    f = pivotlab.ldlt(symmetric.A)
    assert pivotlab.judge(symmetric, f).passed
    assert not pivotlab.judge(symmetric.A + np.eye(20), f).passed

    general = pivotlab.generate("eig", "random", n=20, type=type)
    e = pivotlab.eig(general.A, left=True, triangular=True)
    judged = pivotlab.judge(general, e)
    assert judged.passed and judged.metrics["left_residual"] < 1e-13 and judged.metrics["similarity"] is not None
    assert not pivotlab.judge(general, replace(e, V=e.V[:, ::-1])).passed


def test_results_of_other_libraries_can_be_judged():
    A = np.random.default_rng(1).standard_normal((20, 20))
    values, vectors = np.linalg.eig(A)
    assert pivotlab.judge(A, pivotlab.Eig(eigenvalues=values, V=vectors)).passed


def test_a_reduced_pair_is_judged_with_its_ranks():
    pair = pivotlab.generate("gsvd", "ranks;k=2;l=3", n=12, m_f=9, m_g=7)
    judged = pivotlab.judge(pair, pivotlab.gsvd(pair.F, pair.G, x=True))
    assert judged.passed
    assert judged.metrics["reduction"]["k"] == 2


def test_a_result_of_another_size_is_refused():
    r = pivotlab.gsvd(np.eye(3), np.eye(3))
    with pytest.raises(ValueError):
        pivotlab.judge((np.eye(4), np.eye(4)), r)
    with pytest.raises(TypeError, match="ndarray is not a Gsvd"):
        pivotlab.judge(np.eye(3), np.eye(3))


@pytest.mark.parametrize("type", ["d", "z"])
def test_files_keep_every_bit(tmp_path, type):
    pair = pivotlab.generate("gsvd", "random", n=6, type=type)
    pivotlab.write_pair(tmp_path / "pair.h5", pair)
    read = pivotlab.read_pair(tmp_path / "pair.h5")
    for name in ("F", "G", "sigma", "sigma_rest"):
        np.testing.assert_array_equal(getattr(read, name), getattr(pair, name))
    pivotlab.write_pair(tmp_path / "plain.h5", (pair.F, pair.G), compression=0)
    assert pivotlab.read_pair(tmp_path / "plain.h5").sigma is None
    pivotlab.write_raw_pair(tmp_path / "raw", pair)
    np.testing.assert_array_equal(pivotlab.read_raw_pair(tmp_path / "raw", type, 6, 6, 6).G, pair.G)

    pivotlab.write_matrix(tmp_path / "a.mtx.gz", pair.F)
    np.testing.assert_array_equal(pivotlab.read_matrix(tmp_path / "a.mtx.gz"), pair.F)

    symmetric = pivotlab.generate("ldlt", "equidistant", n=6, type=type)
    pivotlab.write_symmetric(tmp_path / "s.h5", symmetric)
    again = pivotlab.read_symmetric(tmp_path / "s.h5")
    np.testing.assert_array_equal(again.A, symmetric.A)
    np.testing.assert_array_equal(again.eigenvalues_rest, symmetric.eigenvalues_rest)
    assert again.inertia == symmetric.inertia and again.symmetry == "hermitian"

    general = pivotlab.generate("eig", "similarity", n=6, type=type)
    pivotlab.write_general(tmp_path / "g.h5", general)
    np.testing.assert_array_equal(pivotlab.read_general(tmp_path / "g.h5").eigenvalues, general.eigenvalues)


def test_results_are_written(tmp_path):
    h5py = pytest.importorskip("h5py")
    F = np.random.default_rng(1).standard_normal((5, 5))
    r, f, e = pivotlab.gsvd(F, np.eye(5)), pivotlab.ldlt(F + F.T), pivotlab.eig(F)
    for name, result in (("r", r), ("f", f), ("e", e)):
        result.write(tmp_path / f"{name}.h5", problem="mine")
        with h5py.File(tmp_path / f"{name}.h5") as file:
            assert file.attrs["problem"] == b"mine"
            assert name == "f" or file.attrs["solver"].decode() == result.variant
            if name == "r":
                np.testing.assert_array_equal(file["U"][:], r.U)


def test_a_damaged_file_is_an_error(tmp_path):
    pivotlab.write_pair(tmp_path / "pair.h5", (np.eye(50), np.eye(50)))
    content = (tmp_path / "pair.h5").read_bytes()
    (tmp_path / "pair.h5").write_bytes(content[: len(content) // 2])
    with pytest.raises(pivotlab.InputError, match="pair.h5"):
        pivotlab.read_pair(tmp_path / "pair.h5")


def test_pairs_of_definite_eigenproblems():
    K, M = np.diag([4.0, 9.0]), np.eye(2)
    pair = pivotlab.definite_pair(K, M)
    np.testing.assert_allclose(np.sort(pivotlab.gsvd(pair.F, pair.G).sigma), [2, 3])
    assert pivotlab.difference_operator(4, 1).shape == (4, 4)
    K = np.array([[1.0, -1, 0], [-1, 2, -1], [0, -1, 1]])  # semidefinite
    pair = pivotlab.definite_pair(K, np.diag([1.0, 4, 9]))
    expected = np.sqrt(np.abs(np.linalg.eigvalsh(K / np.outer([1, 2, 3], [1, 2, 3]))))
    np.testing.assert_allclose(np.sort(pivotlab.gsvd(pair.F, pair.G).sigma)[1:], expected[1:], rtol=1e-14)
    assert np.min(pivotlab.gsvd(pair.F, pair.G).sigma) < 1e-15
    with pytest.raises(pivotlab.InputError, match="K: is indefinite; take indefinite_pair.* and ghsvd"):
        pivotlab.definite_pair(np.diag([1.0, -1]), np.eye(2))


@pytest.mark.parametrize("seed", range(40))
def test_factors_of_semidefinite_matrices_have_their_rank(seed):
    generator = np.random.default_rng(seed)
    n = int(generator.integers(3, 14))
    B = generator.integers(-3, 4, (n, n - 1)).astype(float)
    rank = np.linalg.matrix_rank(B)  # of small integers it is certain
    pair = pivotlab.definite_pair(B @ B.T, np.eye(n))
    assert np.count_nonzero(np.any(pair.F, axis=1)) == rank
    sigma = pivotlab.gsvd(pair.F, pair.G).sigma
    assert np.count_nonzero(sigma == 0) == n - rank
    np.testing.assert_allclose(sigma[:rank], np.linalg.svd(B, compute_uv=False)[:rank], rtol=1e-12)


def test_lists():
    names = [entry.name for entry in pivotlab.variants("gsvd")]
    assert "DHZ0-(ME-FB-ME)" in names
    assert {entry.method for entry in pivotlab.variants()} == {"gsvd", "ldlt", "eig", "eigh", "hsvd", "ghsvd"}
    assert "kkt" in [entry.name for entry in pivotlab.generators("ldlt")]
    assert any(entry.name.startswith("lapack:") for entry in pivotlab.baselines("eig"))
    assert len(pivotlab.expand("DHZ{0..7}-({ME,MM}-FB-ME);w={16,32}")) == 32
    assert any("width" in entry.name or "w=" in entry.name for entry in pivotlab.options("gsvd"))


def test_what_cannot_be_judged_is_refused():
    S = np.array([[2.0, 1, 0], [1, -3, 4], [0, 4, 1]])
    solved, factored = pivotlab.eigh(S), pivotlab.ldlt(np.tril(S), triangle="lower")
    symmetric = pivotlab.ldlt(S + 1j * S, symmetry="symmetric")
    assert pivotlab.judge(S, factored) and pivotlab.judge(S + 1j * S, symmetric)
    for problem, result, told in (
        (np.tril(S), factored, "not Hermitian"),
        (np.tril(S + 1j * S), symmetric, "not symmetric"),
        (S * np.nan, solved, "NaN"),
        (S, replace(solved, inertia=(1, 1)), "three numbers"),
    ):
        with pytest.raises(pivotlab.InputError, match=told):
            pivotlab.judge(problem, result)
    with pytest.raises(TypeError, match="not an integer"):
        pivotlab.judge(S, replace(solved, inertia=(1.0, 2.0, 0.0)))
