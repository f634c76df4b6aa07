# SPDX-License-Identifier: BSD-3-Clause
"""Stacks of arrays on a GPU without one: its memory is the host's (fake_gpu.py), and its kernels are emulated."""

import fake_gpu
import numpy as np
import pytest
from fake_gpu import GpuArray

import pivotlab
from pivotlab import NotSupported, _gpu_stacks

TYPES = [np.float64, np.complex128]


@pytest.fixture
def library(monkeypatch):
    monkeypatch.setattr(_gpu_stacks, "BACKEND", "emulation")
    return fake_gpu.use(monkeypatch)


def random(shape, dtype):
    generator = np.random.default_rng(sum(shape))
    real = generator.standard_normal(shape)
    return real + 1j * generator.standard_normal(shape) if dtype is np.complex128 else real


def hermitian(shape, dtype):
    A = random(shape, dtype)
    return A + A.conj().swapaxes(-1, -2)


def host(array):
    return array.elements


@pytest.mark.parametrize("dtype", TYPES)
def test_eigh_of_a_stack(library, dtype):
    A = hermitian((2, 3, 9, 9), dtype)
    w, U = r = pivotlab.eigh(GpuArray(A))
    assert host(w).shape == (2, 3, 9) and host(U).shape == A.shape
    assert np.allclose(host(w), np.linalg.eigvalsh(A)[..., ::-1])
    assert np.allclose(A @ host(U), host(U) * host(w)[..., None, :])
    assert r.status == "passed" and np.all(host(r.estimate) < 1e-13) and r.variant == "HEV-RK-ME-PT"
    values = pivotlab.eigh(GpuArray(A), vectors=False, ascending=False)
    assert values.U is None and np.array_equal(host(values.eigenvalues), host(w))
    assert np.allclose(host(pivotlab.eigh(GpuArray(A), ascending=True).eigenvalues), np.linalg.eigvalsh(A))


@pytest.mark.parametrize("dtype", TYPES)
def test_eig_of_a_stack(library, dtype):
    A = random((2, 3, 9, 9), dtype)
    w, V = r = pivotlab.eig(GpuArray(A))
    assert host(w).shape == (2, 3, 9) and r.status == "passed" and r.variant == "QR"
    assert np.allclose(A @ host(V), host(V) * host(w)[..., None, :])
    assert np.allclose(np.linalg.norm(host(V), axis=-2), 1)
    assert np.allclose(np.sort(np.abs(host(w))), np.sort(np.abs(np.linalg.eigvals(A))))
    assert pivotlab.eig(GpuArray(A), right=False).V is None
    assert host(pivotlab.eigvals(GpuArray(random((1, 65, 65), dtype)))).shape == (1, 65)  # has a workspace
    A[1, 0, 2, 3] = np.nan
    with pytest.raises(pivotlab.StatusError, match=r"\(1, 0\)"):
        pivotlab.eig(GpuArray(A))
    with pytest.raises(NotSupported, match="one by one"):
        pivotlab.eig(GpuArray(A), left=True)
    with pytest.raises(NotSupported, match="QR"):
        pivotlab.eig(GpuArray(A), variant="ZEIG-(RR)")


@pytest.mark.parametrize("dtype", TYPES)
def test_svd_of_a_stack(library, dtype):
    G = random((4, 12, 7), dtype)
    r = pivotlab.svd(GpuArray(G))
    U, sigma, V = host(r.U), host(r.sigma), host(r.V)
    assert U.shape == G.shape and V.shape == (4, 7, 7)
    assert np.allclose(sigma, np.linalg.svd(G, compute_uv=False))
    assert np.allclose(U * sigma[:, None, :] @ V.conj().swapaxes(-1, -2), G)
    assert r.J is None and "sigma 7" in repr(r)
    assert pivotlab.svd(GpuArray(G), v=False).V is None
    for H, shape in ((G.swapaxes(-1, -2), (7, 12)), (G, (12, 7))):
        U, sigma, Vh = map(host, pivotlab.svd(GpuArray(H), full_matrices=True))
        assert (U.shape[1:], Vh.shape[1:]) == ((shape[0],) * 2, (shape[1],) * 2)
        assert np.allclose(U[..., :7] * sigma[:, None, :] @ Vh[:, :7], H)
        assert np.allclose(U.conj().swapaxes(-1, -2) @ U, np.eye(shape[0]))
        assert pivotlab.svd(GpuArray(H), v=False).V is None
    J = np.array([1, -1, 1, 1, -1, 1, -1])
    r = pivotlab.svd(GpuArray(G), J=J)
    assert np.array_equal(host(r.J), np.tile(np.sort(J)[::-1], (4, 1)))
    assert np.allclose(host(r.sigma)[1], pivotlab.svd(G[1], J=J).sigma)


@pytest.mark.parametrize("dtype", TYPES)
def test_gsvd_of_a_stack(library, dtype):
    F, G = random((2, 3, 9, 6), dtype), random((2, 3, 7, 6), dtype)
    r = pivotlab.gsvd(GpuArray(F), GpuArray(G))
    U, V, Z, c, s, sigma = (host(array) for array in (*r, r.sigma))
    assert U.shape == F.shape and V.shape == G.shape and Z.shape == (2, 3, 6, 6)
    assert np.allclose(F @ Z, U * c[..., None, :]) and np.allclose(G @ Z, V * s[..., None, :])
    assert np.allclose(sigma, pivotlab.gsvd(F, G).sigma, rtol=1e-11) and r.variant == "HZ"
    G[1, 2, :, 4] = 0
    with pytest.raises(pivotlab.StatusError, match=r"\(1, 2\)"):
        pivotlab.gsvd(GpuArray(F), GpuArray(G))
    assert pivotlab.gsvd(GpuArray(F), GpuArray(G), check=False).statuses == ("passed",) * 5 + ("failed",)
    for options in ({"x": True}, {"variant": "?GT-(auto)"}, {"tolerance_f": 0.1}):
        with pytest.raises(NotSupported):
            pivotlab.gsvd(GpuArray(F), GpuArray(G), **options)
    with pytest.raises(pivotlab.InputError, match="^G: has the shape"):
        pivotlab.gsvd(GpuArray(F), GpuArray(G[0]))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("variant", ["LDLT-RK", "LDLT-BP", "LDLT-BK;alpha=0.5"])
def test_ldlt_of_a_stack(library, dtype, variant):
    A = hermitian((5, 8, 8), dtype)
    f = pivotlab.ldlt(GpuArray(A), variant=variant)
    L, D, perm = (host(part) for part in f)
    for k in range(5):
        assert np.allclose(L[k] @ D[k] @ L[k].conj().T, A[k][np.ix_(perm[k], perm[k])])
        assert [int(host(part)[k]) for part in f.inertia] == list(pivotlab.ldlt(A[k]).inertia)
    assert not host(f.doubtful).any()
    B = random((5, 8, 2), dtype)
    assert np.allclose(A @ host(f.solve(GpuArray(B))), B)
    lower = np.tril(A)
    assert np.array_equal(host(pivotlab.ldlt(GpuArray(lower), variant=variant, triangle="lower").L), L)


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.svd, pivotlab.eig, pivotlab.ldlt])
def test_each_of_a_list_of_any_sizes(library, solve):
    A = [hermitian((n, n), float) for n in (5, 8, 5, 3, 8)] + [hermitian((5, 5), np.complex128)]
    results = pivotlab.each(solve, map(GpuArray, A))
    for k, matrix in enumerate(A):
        one = solve(GpuArray(matrix[None]))
        for name in ("eigenvalues", "sigma", "U", "V", "L", "D", "perm"):
            if hasattr(one, name):
                assert np.array_equal(host(getattr(results[k], name)), host(getattr(one, name))[0])
    if solve is pivotlab.ldlt:
        B = random((8, 2), float)
        assert np.allclose(A[1] @ host(results[1].solve(GpuArray(B))), B)
        assert [int(host(part)) for part in results[4].inertia] == list(pivotlab.ldlt(A[4]).inertia)
    A[2][1, 1] = np.nan
    with pytest.raises((pivotlab.StatusError, pivotlab.InputError), match="list"):
        pivotlab.each(solve, map(GpuArray, A))
    if solve is not pivotlab.ldlt:
        statuses = [r.status for r in pivotlab.each(solve, map(GpuArray, A), check=False)]
        assert statuses == ["passed", "passed", "failed", "passed", "passed", "passed"]


def test_each_of_a_list_of_pairs(library):
    pairs = [(random((m, n), float), random((m + 1, n), float)) for m, n in ((6, 4), (5, 5), (6, 4))]
    results = pivotlab.each(pivotlab.gsvd, [tuple(map(GpuArray, pair)) for pair in pairs])
    for (F, G), r in zip(pairs, results, strict=True):
        one = pivotlab.gsvd(GpuArray(F[None]), GpuArray(G[None]))
        assert r.variant == "HZ" and np.array_equal(host(r.Z), host(one.Z)[0])
        assert np.allclose(G @ host(r.Z), host(r.V) * host(r.sigma_g))


def test_a_matrix_that_is_not_finite_is_named(library):
    A = hermitian((2, 3, 4, 4), float)
    A[1, 2, 0, 0] = np.nan
    with pytest.raises(pivotlab.StatusError, match=r"matrices \(1, 2\)"):
        pivotlab.eigh(GpuArray(A))
    r = pivotlab.eigh(GpuArray(A), check=False)
    assert r.statuses == ("passed",) * 5 + ("failed",)
    assert r.status == "failed" and np.isnan(host(r.eigenvalues)[1, 2]).all()
    assert np.isfinite(host(r.eigenvalues)[0]).all()
    with pytest.raises(pivotlab.InputError, match=r"A: the matrices \(1, 2\) are not Hermitian or not finite"):
        pivotlab.ldlt(GpuArray(A))


def test_what_stacks_lack_is_refused(library):
    A = GpuArray(hermitian((2, 4, 4), float))
    for call, error, text in [
        (lambda: pivotlab.eigh(A, subset_by_index=[0, 1]), pivotlab.NotSupported, "subset"),
        (lambda: pivotlab.eigh(A, variant="HEV-CP-ME-BO"), pivotlab.NotSupported, "HEV-RK-ME-PT"),
        (lambda: pivotlab.ldlt(A, rank_tolerance=1e-3), pivotlab.NotSupported, "rank_tolerance"),
        (lambda: pivotlab.ldlt(A, variant="LDLT-RK;equilibrate=on"), pivotlab.NotSupported, "equilibration"),
        (lambda: pivotlab.eigh(GpuArray(np.zeros((2, 300, 300)))), pivotlab.NotSupported, "256 columns"),
        (lambda: pivotlab.eigh(GpuArray(np.zeros((2, 3, 4)))), pivotlab.InputError, "square"),
        (lambda: pivotlab.svd(GpuArray(np.zeros((2, 3, 4))), J=[1, 1, 1, 1]), pivotlab.InputError, "^J: "),
        (lambda: pivotlab.eigh(GpuArray(np.zeros((0, 4, 4)))), pivotlab.InputError, "has no matrix"),
        (lambda: pivotlab.eigh(A, backend="host"), pivotlab.NotSupported, "backend"),
    ]:
        with pytest.raises(error, match=text):
            call()
    singular = pivotlab.ldlt(GpuArray(np.zeros((2, 4, 4))))
    with pytest.raises(pivotlab.InputError, match="are singular"):
        singular.solve(GpuArray(np.ones((2, 4, 1))))
    small = pivotlab.ldlt(GpuArray(np.eye(4)[None] * 2.0**-1000))
    with pytest.raises(pivotlab.InputError, match=r"\(0,\) have B or A⁻¹·B that are not finite"):
        small.solve(GpuArray(np.full((1, 4, 1), 2.0**100)))
