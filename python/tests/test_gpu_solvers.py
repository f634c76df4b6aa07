# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of arrays on a GPU without one: plans whose GPU is the memory of the host (fake_gpu.py)."""

from dataclasses import fields
from types import SimpleNamespace

import fake_gpu
import numpy as np
import pytest
from fake_gpu import GpuArray, at, deleted, gpu

import pivotlab
from pivotlab import _core, _device_ldlt, _on_gpu

RNG = np.random.default_rng(17)


class FakePlan:
    """A plan of order n, or m × n, that computes on the host."""

    dtype, made, wanted = np.float64, [], []

    @staticmethod
    def workspace_bytes(*arguments):
        return 512 * arguments[0]

    def __init__(self, *arguments):
        *self.arguments, workspace = arguments
        assert workspace
        FakePlan.made.append((type(self).__name__, *self.arguments))

    def result(self, r, **matrices):
        for name, target in matrices.items():
            if target[2]:
                at(target, self.dtype)[:] = getattr(r, name)
        return {f.name: getattr(r, f.name) for f in fields(r) if f.name not in "UVZ"}


class SvdPlanD(FakePlan):
    def run(self, G, J, U, V):
        m, n, variant, v, max_sweeps, _device, _stream = self.arguments
        assert G[1:3] == U[1:3] == (m, n)
        r = pivotlab.svd(at(G, self.dtype), J=J, variant=variant, v=v, max_sweeps=max_sweeps, check=False)
        r.U[:, r.sigma == 0] = 0  # as the module's plans do
        return self.result(r, U=U, V=V)


class EighPlanD(FakePlan):
    def run(self, A, U, subset):
        n, variant, max_sweeps, _device, _stream = self.arguments
        assert A[1:3] == (n, n)
        two_stage = variant == "HEV-2STAGE"
        backend = "emulation" if two_stage else None
        r = pivotlab.eigh(at(A, self.dtype), variant=variant, backend=backend, max_sweeps=max_sweeps, check=False)
        if not two_stage:
            assert subset == (0, -1, -np.inf, np.inf)
            r.U[:, r.eigenvalues == 0] = 0
        self.wanted.append((U[2], subset))
        first, count, above, most = subset
        chosen = (
            first + np.flatnonzero((r.eigenvalues > above) & (r.eigenvalues <= most))[: None if count < 0 else count]
        )
        if U[2]:
            at(U, self.dtype)[:, : len(chosen)] = r.U[:, chosen]
        return self.result(r)


class GhsvdPlanD(FakePlan):
    def run(self, F, G, J, U, V, Z):
        m_f, m_g, n, variant, max_sweeps, threads, _device, _stream = self.arguments
        assert F[1:3] == U[1:3] == (m_f, n) and G[1:3] == V[1:3] == (m_g, n) and Z[1:3] == (n, n)
        pair = at(F, self.dtype), at(G, self.dtype), J
        if not np.isfinite(pair[0]).all():  # as the module's plans do
            r = pivotlab.Ghsvd(np.empty(0), None, None, None, np.empty(0), np.empty(0), inertia=(0, 0, 0))
            return self.result(r) | {"status": "failed", "message": "a norm is infinite"}
        options = dict(variant=variant, max_sweeps=max_sweeps, threads=threads)
        return self.result(pivotlab.ghsvd(*pair, check=False, **options), U=U, V=V, Z=Z)


class LdltPlanD(FakePlan):
    def run(self, A, M):
        n, variant, symmetry, triangle, tolerance, _device, _stream = self.arguments
        assert A[1:3] == M[1:3] == (n, n)
        options = dict(symmetry=symmetry, triangle=triangle, rank_tolerance=tolerance)
        f = pivotlab.ldlt(at(A, self.dtype), variant=variant, **options).factors
        at(M, self.dtype)[:] = f.M
        names = (
            "diagonal subdiagonal permutation interchanges stages rank doubtful inertia tolerance max_growth "
            "variant symmetry"
        )
        return {name: getattr(f, name) for name in (*names.split(), "compute_seconds")}


class EigPlanD(FakePlan):
    def run(self, A, V):
        n, variant, right, *others, max_sweeps, _device, _stream = self.arguments
        assert A[1:3] == (n, n) and not any(others)
        r = pivotlab.eig(at(A, self.dtype), variant=variant, right=right, max_sweeps=max_sweeps, check=False)
        if right:
            at(V, np.complex128)[:] = r.V
        names = ("status", "message", "variant", "eigenvalues", "sweeps", "compute_seconds")
        return {name: getattr(r, name) for name in names}


class SvdPlanZ(SvdPlanD):
    dtype = np.complex128


class EighPlanZ(EighPlanD):
    dtype = np.complex128


class GhsvdPlanZ(GhsvdPlanD):
    dtype = np.complex128


class LdltPlanZ(LdltPlanD):
    dtype = np.complex128


class EigPlanZ(EigPlanD):
    dtype = np.complex128


@pytest.fixture(autouse=True)
def library(monkeypatch):
    monkeypatch.setattr(FakePlan, "made", [])
    monkeypatch.setattr(FakePlan, "wanted", [])
    real = (SvdPlanD, EighPlanD, GhsvdPlanD, LdltPlanD, EigPlanD)
    kinds = (*real, SvdPlanZ, EighPlanZ, GhsvdPlanZ, LdltPlanZ, EigPlanZ)
    plans = {plan.__name__: plan for plan in kinds}
    return fake_gpu.use(monkeypatch, **plans)


def random(rows, columns, type="d", order="F"):
    real = RNG.standard_normal((rows, columns))
    return np.array(real if type == "d" else real + 1j * RNG.standard_normal((rows, columns)), order=order)


def hermitian(n, type="d", order="F"):
    A = random(n, n, type)
    return np.array(A + A.conj().T, order=order)


def is_orthonormal(U):
    np.testing.assert_allclose(U.conj().T @ U, np.eye(U.shape[1]), atol=1e-12)
    return True


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order, copies", [("F", 0), ("C", 1)])
def test_a_matrix_on_a_gpu_is_decomposed_there(library, type, order, copies):
    G = random(9, 5, type, order)
    before = G.copy()
    r = pivotlab.svd(GpuArray(G, 3), J=[1, 1, -1, 1, -1], v=True)
    U, V = r.U.elements, r.V.elements
    np.testing.assert_allclose(G @ V, U * r.sigma.elements, atol=1e-12)
    assert is_orthonormal(U) and list(r.J) == [1, 1, 1, -1, -1]
    assert {a.device for a in (r.U, r.V)} == {3} and isinstance(r.sigma, GpuArray)
    assert (r.variant, library.copies, library.streams) == ("HSVD-ME-BO", copies, [(3, 7)])
    assert FakePlan.made == [(f"SvdPlan{type.upper()}", 9, 5, "HSVD-ME-BO", True, 60, 3, 7)]
    assert library.allocated == [512 * 9] and "U 9 × 5" in repr(r)
    np.testing.assert_array_equal(G, before)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order, copies", [("F", 0), ("C", 1)])
def test_a_hermitian_matrix_on_a_gpu_is_decomposed_there(library, type, order, copies):
    A = hermitian(6, type, order)
    r = pivotlab.eigh(GpuArray(A, 2), stream=9)
    U = r.U.elements
    np.testing.assert_allclose(A @ U, U * r.eigenvalues.elements, atol=1e-12)
    assert is_orthonormal(U) and r.U.device == 2 and sum(r.inertia) == 6 and r.inertia.zero == 0
    assert (library.copies, library.streams) == (copies, [(2, 9)])
    assert FakePlan.made == [(f"EighPlan{type.upper()}", 6, "HEV-RK-ME-BO", 60, 2, 9)]
    assert pivotlab.eigh(GpuArray(A), vectors=False).U is None and pivotlab.svd(GpuArray(A), v=False).V is None


@pytest.mark.parametrize("type", ["d", "z"])
def test_two_stages_on_a_gpu_compute_the_wanted_vectors(type):
    A = hermitian(9, type)
    whole = pivotlab.eigh(A, driver="2stage", backend="emulation")
    w = whole.eigenvalues
    for options, columns, subset in (
        ({}, slice(9), (0, -1, -np.inf, np.inf)),
        ({"subset_by_index": [2, 4]}, slice(4, 7), (4, 3, -np.inf, np.inf)),
        ({"subset_by_value": (w[5], w[2])}, slice(2, 5), (0, -1, w[5], w[2])),
        ({"subset_by_value": (w[0], 99)}, slice(0, 0), (0, -1, w[0], 99.0)),
    ):
        r = pivotlab.eigh(GpuArray(A, 1), driver="2stage", **options)
        np.testing.assert_array_equal(r.eigenvalues.elements, w[columns])
        np.testing.assert_array_equal(r.U.elements, whole.U[:, columns])
        assert r.U.device == 1 and FakePlan.wanted[-1] == (3 if "subset_by_index" in options else 9, subset)
        assert pivotlab.eigh(GpuArray(A), driver="2stage", vectors=False, **options).U is None
    assert r.variant == "HEV-2STAGE" and FakePlan.wanted[-1][0] == 0
    zero = pivotlab.eigh(GpuArray(np.zeros((3, 3), order="F")), driver="2stage")
    np.testing.assert_array_equal(zero.U.elements, np.eye(3)[:, ::-1])  # complete as they are
    with pytest.raises(pivotlab.InputError, match="exclude each other"):
        pivotlab.eigh(GpuArray(A), driver="2stage", subset_by_index=[0, 1], subset_by_value=[0, 1])


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order, copies", [("F", 0), ("C", 2)])
def test_a_pair_on_a_gpu_is_decomposed_there(library, type, order, copies):
    F, G = random(11, 6, type, order), random(8, 6, type, order)
    J = np.where(np.arange(11) % 3, 1, -1)
    r = pivotlab.ghsvd(GpuArray(F, 1), GpuArray(G, 1), J, stream=5, threads=1)
    U, V, Z = (matrix.elements for matrix in (r.U, r.V, r.Z))
    np.testing.assert_allclose(F @ Z, U * r.sigma_f.elements, atol=1e-12)
    np.testing.assert_allclose(G @ Z, V * r.sigma_g.elements, atol=1e-12)
    np.testing.assert_allclose(U.conj().T @ (J[:, None] * U), np.diag(r.J), atol=1e-11)
    assert is_orthonormal(V) and {a.device for a in (r.U, r.V, r.Z)} == {1} and sum(r.inertia) == 6
    assert (library.copies, library.streams, r.factored_on) == (copies, [(1, 5)], "host")
    assert FakePlan.made == [(f"GhsvdPlan{type.upper()}", 11, 8, 6, "GHSVD-TR-ME-BO", 60, 1, 1, 5)]
    assert "U 11 × 6" in repr(r)
    np.testing.assert_allclose(pivotlab.ghsvd(F, G, J).eigenvalues, r.eigenvalues.elements, rtol=1e-12)


PAIRS = [
    ("^F, G: have 4 and 3 columns", lambda: (gpu(5, 4), gpu(5, 3)), {}),
    ("^G: 3 × 4 ", lambda: (gpu(5, 4), gpu(3, 4)), {}),
    ("^G: 3 × 0 ", lambda: (gpu(5, 0), gpu(3, 0)), {}),
    ("^J: ", lambda: (gpu(5, 4), gpu(5, 4)), {"J": [1, -1]}),
    ("^F, G: are in different memories", lambda: (gpu(5, 4), np.ones((5, 4))), {}),
    ("^F, G: are on the GPUs 0 and 1", lambda: (gpu(5, 4), gpu(5, 4, device=1)), {}),
    ("^F: has NaN or Inf", lambda: (GpuArray(np.full((5, 4), np.nan, order="F")), gpu(5, 4)), {}),
    ("^stream: ", lambda: (np.ones((5, 4)), np.ones((5, 4))), {"stream": 7}),
]


@pytest.mark.parametrize("words, pair, options", PAIRS)
def test_bad_pairs_are_refused_in_one_line(words, pair, options):
    with pytest.raises(pivotlab.InputError, match=words) as raised:
        pivotlab.ghsvd(*pair(), **options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("type", ["d", "z"])
def test_eigenvectors_of_a_general_matrix_are_complex_and_on_its_gpu(library, type):
    A = random(8, 8, type, "C")
    r = pivotlab.eig(GpuArray(A, 1), stream=5)
    np.testing.assert_allclose(A @ r.V.elements, r.V.elements * r.eigenvalues.elements, atol=1e-10)
    assert r.V.device == 1 and r.V.elements.dtype == complex and r.W is None and "V 8 × 8" in repr(r)
    assert (library.copies, library.streams, r.variant) == (1, [(1, 5)], "ZEIG-(RR);b=16")
    options = ("ZEIG-(RR);b=16", True, False, False, False, 100)
    assert FakePlan.made == [(f"EigPlan{type.upper()}", 8, *options, 1, 5)]
    assert pivotlab.eig(GpuArray(A), right=False).V is None
    with pytest.raises(pivotlab.StatusError):
        pivotlab.eig(GpuArray(A), max_sweeps=0)


@pytest.mark.parametrize("type", ["d", "z"])
def test_a_matrix_on_a_gpu_is_factored_there(library, type):
    A = hermitian(7, type)
    f, host = pivotlab.ldlt(GpuArray(A, 1), triangle="lower"), pivotlab.ldlt(A, variant="LDLT-RK")
    assert isinstance(f.M, GpuArray) and f.M.device == 1 and np.array_equal(f.M.elements, host.M)
    assert FakePlan.made == [(f"LdltPlan{type.upper()}", 7, "LDLT-RK", "hermitian", "lower", None, 1, 7)]
    assert (f.inertia, f.rank, f.n, f.backend, repr(f)) == (host.inertia, 7, 7, "cuda", repr(host))
    np.testing.assert_array_equal(f.permutation, host.permutation)
    for use in (f.inverse, f.determinant, f.gjg, f.reconstruct, lambda: f.D, lambda: f.max_multiplier):
        with pytest.raises(pivotlab.NotSupported, match="of a factorization on a GPU.*tensor.cpu"):
            use()
    for B, words in (
        (gpu(7, 2), "^B: is not an array of the library and on the GPU"),
        (gpu(6, 2, device=1), "^B: has 6 rows, and A has 7"),
        (np.ones((7, 1)), "^B: .*on the host"),
    ):
        with pytest.raises(pivotlab.InputError, match=words):
            f.solve(B)


@pytest.mark.parametrize("symmetry", ["hermitian", "symmetric"])
@pytest.mark.parametrize("type", ["d", "z"])
def test_the_steps_of_a_solution_with_factors_on_a_gpu(type, symmetry):
    A = random(9, 9, type)
    A = A + (A.conj().T if symmetry == "hermitian" else A.T)
    A[np.diag_indices(9)] = 0  # pivots of order 2
    f = pivotlab.ldlt(GpuArray(np.asfortranarray(A)), symmetry=symmetry).factors
    assert 2 in f.stages["size"]
    forms = {"N": lambda M: M, "T": lambda M: M.T, "C": lambda M: M.conj().T}
    library = SimpleNamespace(
        from_host=lambda array, device: array,
        like=np.empty_like,
        solve_triangular=lambda M, B, form: np.linalg.solve(forms[form](M), B),
    )
    B = random(9, 3, type)
    adjoint = "C" if symmetry == "hermitian" else "T"
    X = _device_ldlt._solved(library, 0, f.M.elements, f._inverse_d(), f.permutation, B, adjoint)
    np.testing.assert_allclose(A @ X, B, atol=1e-12)


def test_null_vectors_complete_the_others():
    A = hermitian(7)
    A[2], A[:, 2], A[5], A[:, 5] = 0, 0, 0, 0
    r = pivotlab.eigh(GpuArray(A))
    U = r.U.elements
    assert r.rank == 5 and r.inertia.zero == 2 and is_orthonormal(U)
    np.testing.assert_allclose(A @ U, U * r.eigenvalues.elements, atol=1e-12)
    G = random(9, 4)
    G[:, 1] = 0
    assert is_orthonormal(pivotlab.svd(GpuArray(G)).U.elements)
    assert is_orthonormal(pivotlab.eigh(GpuArray(np.zeros((3, 3), order="F"))).U.elements)


def test_plans_are_kept_with_their_workspaces_up_to_a_size(monkeypatch):
    def solve(m=6, **options):
        pivotlab.svd(GpuArray(random(m, 4)), **options)
        return len(FakePlan.made)

    assert [solve(), solve(), solve(v=False), solve(max_sweeps=9), solve(variant="HSVD-ME-FB"), solve()] == [
        1,
        1,
        2,
        3,
        4,
        4,
    ]
    monkeypatch.setattr(_on_gpu, "KEPT_BYTES", 512 * 13)
    assert [solve(7), solve(6), solve(7)] == [5, 5, 5]  # both have room
    assert [solve(8), solve(7)] == [6, 7]  # 8 takes the room of both
    assert [solve(14), solve(14)] == [8, 9]  # is larger than what is kept


BAD = [
    (TypeError, "^A: dtype float32 .*double", lambda: gpu(3, 3, "f4"), {}),
    (ValueError, "^A: has 1 dimensions", lambda: GpuArray(np.ones(3)), {}),
    (ValueError, "^A: 3 × 2 is not square", lambda: gpu(3, 2), {}),
    (ValueError, "^A: 0 × 0 is not square", lambda: gpu(0, 0), {}),
    (ValueError, "^A: the array cannot be read: Array has been deleted", deleted, {}),
    (RuntimeError, "^backend: 'host' does not take arrays on a GPU", lambda: gpu(3, 3), {"backend": "host"}),
    (TypeError, "^stream: str is not a stream", lambda: gpu(3, 3), {"stream": "7"}),
    (ValueError, "^stream: .*on the host", lambda: np.eye(3), {"stream": 7}),
]


@pytest.mark.parametrize("kind, words, matrix, options", BAD)
def test_bad_matrices_are_refused_in_one_line(kind, words, matrix, options):
    with pytest.raises(kind, match=words) as raised:
        pivotlab.eigh(matrix(), **options)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 250


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["F", "C"])
@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (4, 4)])
def test_svd_of_any_shape_with_whole_bases(library, type, order, shape):
    G = random(*shape, type, order)
    U, s, Vh = pivotlab.svd(GpuArray(G, 2), full_matrices=True)
    assert (U.shape, s.shape, Vh.shape) == ((shape[0],) * 2, (min(shape),), (shape[1],) * 2) and U.device == 2
    k = min(shape)
    np.testing.assert_allclose(U.elements[:, :k] * s.elements @ Vh.elements[:k], G, atol=1e-12)
    assert is_orthonormal(U.elements) and is_orthonormal(Vh.elements.conj().T)
    r = pivotlab.svd(GpuArray(G, 2), v=False)
    assert r.V is None and r.U.shape == (shape[0], k)
    if shape[0] < shape[1]:
        assert library.copies == (order == "F") * 2  # the adjoint of the other one is stored by columns


def test_svd_refuses_empty_matrices_and_other_signs():
    with pytest.raises(pivotlab.InputError, match="^G: 2 × 0 has no rows or no columns"):
        pivotlab.svd(GpuArray(np.empty((2, 0))))
    for G, J, options in ((gpu(3, 3), [1, 1], {}), (gpu(2, 3), [1, 1, 1], {})):
        with pytest.raises(pivotlab.InputError, match="^J: "):
            pivotlab.svd(G, J=J, **options)
    with pytest.raises(pivotlab.InputError, match="^full_matrices: of a hyperbolic"):
        pivotlab.svd(gpu(3, 3), J=[1, 1, 1], full_matrices=True)


def test_eigenvalues_of_hermitian_matrices_are_real():
    for A in (hermitian(7), hermitian(7, "z", "C")):
        w, V = pivotlab.eig(GpuArray(A))
        assert w.elements.dtype == float and w.elements.flags.c_contiguous
        np.testing.assert_allclose(A @ V.elements, V.elements * w.elements, atol=1e-10)
    assert pivotlab.eig(gpu(4, 4)).eigenvalues.elements.dtype == complex


def test_the_module_s_plans_check_variants_and_need_a_gpu(monkeypatch):
    monkeypatch.undo()
    with pytest.raises(pivotlab.NotSupported, match="lapack:dgesvj is not for arrays on a GPU"):
        _core.SvdPlanD.workspace_bytes(3, 3, "lapack:dgesvj", False, 60)
    with pytest.raises(pivotlab.NotSupported, match="PT"):
        _core.SvdPlanZ.workspace_bytes(3, 3, "HSVD-ME-PT", False, 60)
    for words, variant in (
        ("lapack:dsygvd is not for", "lapack:dsygvd"),
        ("direct", "GHSVD-HZ-ME-PT"),
        ("PT", "GHSVD-TR-ME-PT"),
    ):
        with pytest.raises(pivotlab.NotSupported, match=words):
            _core.GhsvdPlanD.workspace_bytes(3, 3, 3, variant, 60, 0)
    with pytest.raises(pivotlab.InputError, match="HEV"):
        _core.EighPlanD.workspace_bytes(3, "HEV-XX", 60)
    n = 16000
    assert 8 * n * n < _core.SvdPlanD.workspace_bytes(n, n, "HSVD-ME-BO", False, 60) < 10 * n * n
    assert 28 * n * n < _core.EighPlanD.workspace_bytes(n, "HEV-RK-ME-BO", 60) < 32 * n * n
    with pytest.raises(pivotlab.NotSupported, match="equilibration"):
        _core.LdltPlanD.workspace_bytes(3, "LDLT-RK;equilibrate=on", "hermitian", "whole", None)
    assert 4 * n * n < _core.LdltPlanD.workspace_bytes(n, "LDLT-BP", "hermitian", "lower", 1e-9) < 6 * n * n
    options = ("ZEIG-(RR);b=16", True, False, False, False, 100)
    assert 48 * n * n < _core.EigPlanD.workspace_bytes(n, *options) < 80 * n * n
    for variant, *wanted, words in (
        ("ZEIG-(RR);b=16", True, True, False, False, "left vectors"),
        ("ZEIG-(RR);b=16", True, False, False, True, "triangular"),
        ("ZEIG-(RR);b=16;finish", True, False, False, False, "finish"),
    ):
        with pytest.raises(pivotlab.NotSupported, match=words):
            _core.EigPlanZ.workspace_bytes(n, variant, *wanted, 100)
    if _core.why_no_device():
        with pytest.raises(pivotlab.NotSupported, match="GPU|CUDA"):
            _core.EighPlanZ(3, "HEV-RK-ME-BO", 60, 0, 0, 0)
        with pytest.raises(pivotlab.NotSupported, match="GPU|CUDA"):
            _core.GhsvdPlanZ(3, 3, 3, "GHSVD-TR-ME-BO", 60, 0, 0, 0, 0)
