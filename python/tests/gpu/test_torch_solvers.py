# SPDX-License-Identifier: BSD-3-Clause
"""svd(), eigh(), ghsvd(), ldlt() and eig() of PyTorch's tensors on a GPU."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

import pivotlab

torch = pytest.importorskip("torch")
from profiled import bytes_through_host  # noqa: E402

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch has no GPU")

DTYPES = {"d": torch.float64, "z": torch.complex128}


def random(rows, columns, type="d", order="F"):
    A = torch.randn(rows, columns, dtype=DTYPES[type], device="cuda")
    return A if order == "C" else A.mT.contiguous().mT


def hermitian(n, type="d", order="F"):
    A = random(n, n, type)
    A = A + A.mH
    return A.contiguous() if order == "C" else A.mT.contiguous().mT


def relative(difference, A):
    return float(difference.norm() / A.norm())


def on_gpu(values):
    return values if isinstance(values, torch.Tensor) else torch.from_numpy(values).cuda()


def on_host(r, names):
    return {name: array.cpu() if isinstance(array := getattr(r, name), torch.Tensor) else array for name in names}


def svd_error(G, r):
    n = G.shape[1]
    orthogonality = (r.U.mH @ r.U - torch.eye(n, device="cuda")).norm() / n**0.5
    return max(relative(G @ r.V - r.U * on_gpu(r.sigma), G), float(orthogonality))


def eigh_error(A, r):
    n = len(A)
    orthogonality = (r.U.mH @ r.U - torch.eye(n, device="cuda")).norm() / n**0.5
    return max(relative(A @ r.U - r.U * on_gpu(r.eigenvalues), A), float(orthogonality))


def pair(A):
    """F, G and J from one matrix."""
    half = len(A) // 2
    return A[:half], A[half:], np.where(np.arange(half) % 3, 1, -1)


def ghsvd_error(A, r):
    F, G, J = pair(A)
    n = G.shape[1]
    longest = torch.linalg.vector_norm(r.U, dim=0).max() ** 2
    hyperbolic = r.U.mH @ (on_gpu(J)[:, None] * r.U) - torch.diag(on_gpu(r.J.astype(float)))
    orthogonality = (r.V.mH @ r.V - torch.eye(n, device="cuda")).norm()
    residuals = [
        relative(B @ r.Z - Y * on_gpu(sigma), B) / float(r.Z.norm())
        for B, Y, sigma in ((F, r.U, r.sigma_f), (G, r.V, r.sigma_g))
    ]
    return max(*residuals, float(hyperbolic.norm() / longest) / n**0.5, float(orthogonality) / n**0.5)


def ldlt_error(A, f):
    n = len(A)
    D = torch.diag(on_gpu(f.diagonal.copy()))
    below = on_gpu(f.subdiagonal[:-1].copy())
    D[range(1, n), range(n - 1)], D[range(n - 1), range(1, n)] = below, below.conj()
    rows = on_gpu(f.permutation.copy())
    M = torch.tril(f.M)  # which it is
    assert torch.equal(M, f.M)
    return relative(A[rows][:, rows] - M @ D @ M.mH, A)


def eig_error(A, r):
    A = A.to(torch.complex128)
    lengths = float((torch.linalg.vector_norm(r.V, dim=0) - 1).abs().max())
    return max(relative(A @ r.V - r.V * on_gpu(r.eigenvalues), A), lengths)


METHODS = {
    "svd": SimpleNamespace(
        solve=lambda G, **options: pivotlab.svd(G, v=True, **options),
        make=lambda n, type="d", order="F": random(n + n // 3, n, type, order),
        error=svd_error,
        matrices="UV",
        values=lambda r: r.sigma,
        name="G",
    ),
    "eigh": SimpleNamespace(
        solve=pivotlab.eigh, make=hermitian, error=eigh_error, matrices="U", values=lambda r: r.eigenvalues, name="A"
    ),
    "ghsvd": SimpleNamespace(
        solve=lambda A, **options: pivotlab.ghsvd(*pair(A), variant="GHSVD-TR-ME-BO;precision=working", **options),
        make=lambda n, type="d", order="F": random(2 * (n + n // 3), n, type, order),
        error=ghsvd_error,
        matrices="UVZ",
        values=lambda r: r.eigenvalues,
        name="F",
        few="^G: 15 × 40",
    ),
    "ldlt": SimpleNamespace(
        solve=pivotlab.ldlt, make=hermitian, error=ldlt_error, matrices="M", values=lambda r: r.diagonal, name="A"
    ),
    "eig": SimpleNamespace(
        solve=pivotlab.eig,
        make=lambda n, type="d", order="F": random(n, n, type, order),
        error=eig_error,
        matrices="V",
        values=lambda r: r.eigenvalues,
        name="A",
    ),
}


@pytest.fixture(params=METHODS)
def method(request):
    return METHODS[request.param]


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n", [1, 33, 200])
def test_a_tensor_gives_tensors_on_the_same_gpu(method, type, order, n):
    A = method.make(n, type, order)
    before = A.clone()
    r = method.solve(A)
    matrices = [getattr(r, name) for name in method.matrices]
    assert {m.device for m in matrices} == {A.device}
    if method.solve is not pivotlab.ldlt:
        assert method.values(r).device == A.device
    assert method.error(A, r) < 1e-13 * max(n, 10) ** 0.5
    assert torch.equal(A, before)


@pytest.mark.parametrize("type", ["d", "z"])
def test_bits_are_those_of_the_backend_cuda(method, type):
    A = method.make(150, type)
    options = {"variant": "LDLT-RK"} if method.solve is pivotlab.ldlt else {}  # not equilibrated, as on the GPU
    r, host = method.solve(A), method.solve(A.cpu(), backend="cuda", **options)
    values = method.values(r)
    values = values.cpu().numpy() if torch.is_tensor(values) else values  # of ldlt
    np.testing.assert_array_equal(values, method.values(host))
    for name in method.matrices:
        rounding = 1e-14 if method.solve is pivotlab.eig else 0  # of the norms
        np.testing.assert_allclose(getattr(r, name).cpu().numpy(), getattr(host, name), rtol=0, atol=rounding)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(40, 90), (90, 40), (64, 64), (1, 5)])
def test_svd_of_any_shape_with_whole_bases(type, order, shape):
    G = random(*shape, type, order)
    U, s, Vh = pivotlab.svd(G, full_matrices=True)
    k = min(shape)
    assert {a.device for a in (U, s, Vh)} == {G.device} and torch.equal(pivotlab.svd(G, v=False).sigma, s)
    assert relative(U[:, :k] * s @ Vh[:k] - G, G) < 1e-13
    for Q in (U, Vh):
        assert len(Q) == len(Q.mT) and (Q.mH @ Q - torch.eye(len(Q), device="cuda")).norm() < 1e-12
    stack = torch.stack((G, 2 * G))[..., :30, :30]
    wide = stack[..., : min(k, 20), :]
    U, s, Vh = pivotlab.svd(wide, full_matrices=True)
    assert relative(U[..., :k] * s.unsqueeze(-2) @ Vh[:, : s.shape[-1]] - wide, wide) < 1e-13


@pytest.mark.parametrize("type", ["d", "z"])
def test_eigenvalues_of_hermitian_matrices_are_real(type):
    A = hermitian(60, type)
    w, V = pivotlab.eig(A)
    assert w.dtype == torch.float64 and relative(A.to(V.dtype) @ V - V * w, A) < 1e-12
    assert torch.allclose(pivotlab.eigh(A, subset_by_value=[0, 1e9]).eigenvalues, w[w > 0].sort(descending=True).values)
    assert pivotlab.eig(random(9, 9, type)).eigenvalues.is_complex()


def test_the_judges_pass_the_results():
    G, A = random(120, 90), hermitian(90, "z")
    r = pivotlab.svd(G, v=True)
    assert pivotlab.judge(G.cpu(), pivotlab.Svd(**on_host(r, ("U", "V", "sigma")))).passed
    r = pivotlab.eigh(A)
    assert pivotlab.judge(A.cpu(), pivotlab.Eigh(**on_host(r, ("U", "eigenvalues")))).passed


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("n", [1, 2, 40, 300])
def test_two_stages_compute_the_wanted_vectors(type, n):
    A = hermitian(n, type)
    r = pivotlab.eigh(A, driver="2stage")
    assert eigh_error(A, r) < 1e-13 and r.variant == "HEV-2STAGE" and not r.sweeps
    norm = float(r.eigenvalues.abs().max())
    assert float((r.eigenvalues - pivotlab.eigh(A).eigenvalues).abs().max()) <= 2 * (n + 4) * 2**-53 * norm
    host = pivotlab.eigh(A.cpu().numpy(), driver="2stage", backend="cuda")
    assert np.array_equal(host.eigenvalues, r.eigenvalues.cpu()) and np.array_equal(host.U, r.U.cpu())
    w = r.eigenvalues.cpu().numpy()
    columns = slice(n // 3, n // 3 + max(1, n // 5))
    by_index = {"subset_by_index": (n - columns.stop, n - 1 - columns.start)}
    by_value = {"subset_by_value": (w[columns.stop] if columns.stop < n else -1e9, w[columns.start])}
    for options in (by_index, by_value):
        part = pivotlab.eigh(A, driver="2stage", **options)
        assert torch.equal(part.eigenvalues, r.eigenvalues[columns])
        assert float((part.U - r.U[:, columns]).norm()) <= n * 2**-52
    values = pivotlab.eigvalsh(A, driver="2stage")
    assert float((values - r.eigenvalues).abs().max()) <= 4 * (n + 4) * 2**-53 * norm


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("precision, bits, place", [("extended", 106, "host"), ("working", 53, "cuda")])
def test_pairs_with_signs_have_the_eigenvalues_of_the_host(type, precision, bits, place):
    F, G, J = random(70, 60, type), random(80, 60, type), np.where(np.arange(70) % 3, 1, -1)
    F[:, 5] = 0
    variant = f"GHSVD-TR-ME-BO;precision={precision}".removesuffix(";precision=extended")
    r = pivotlab.ghsvd(F, G, J, variant=variant)
    host = pivotlab.ghsvd(F.cpu().numpy(), G.cpu().numpy(), J, variant=variant)
    assert (r.tangent_bits, r.factored_on, r.inertia.zero) == (bits, place, 1)
    values = on_host(r, ("eigenvalues", "sigma_f", "sigma_g", "J", "estimate"))
    errors = abs(values["eigenvalues"].numpy() - host.eigenvalues)
    assert (errors <= 10 * (r.estimate + host.estimate) * abs(host.eigenvalues)).all()
    matrices = {name: getattr(r, name).cpu().numpy() for name in "UVZ"}
    assert pivotlab.judge((F.cpu(), G.cpu(), J), pivotlab.Ghsvd(**values, **matrices, tangent_bits=bits)).passed
    G[:, 7] = G[:, 3]
    with pytest.raises(pivotlab.StatusError, match="full column rank"):
        pivotlab.ghsvd(F, G, J, variant=variant)


def test_the_hyperbolic_svd_and_null_vectors():
    G = random(90, 60, "z")
    J = np.where(np.arange(60) % 3 == 0, -1, 1)
    r = pivotlab.svd(G, J=J, v=True)
    signs, signs_of_r = on_gpu(J.astype(float)), on_gpu(r.J.astype(float))
    assert relative(G @ r.V - r.U * on_gpu(r.sigma), G) < 1e-12
    signed = r.V.mH @ (signs[:, None] * r.V)
    assert relative(signed - torch.diag(signs_of_r).to(signed.dtype), r.V.mH @ r.V) < 1e-12
    G[:, 7] = 0
    r = pivotlab.svd(G, v=True)
    assert r.sigma[-1] == 0 and svd_error(G, r) < 1e-12
    A = hermitian(50)
    A[:, 3] = A[3] = 0
    r = pivotlab.eigh(A)
    assert r.rank == 49 and r.inertia.zero == 1 and eigh_error(A, r) < 1e-12


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("symmetry", ["hermitian", "symmetric"])
@pytest.mark.parametrize("variant", ["LDLT-RK", "LDLT-BP", "LDLT-BK"])
def test_systems_are_solved_on_the_gpu(type, symmetry, variant):
    A = random(150, 150, type)
    A = A + (A.mH if symmetry == "hermitian" else A.mT)
    A.fill_diagonal_(0)
    f = pivotlab.ldlt(A, symmetry=symmetry, variant=variant)
    for B in (random(150, 4, type), random(150, 1, type)[:, 0], random(150, 3)):
        X = f.solve(B)
        assert X.device == A.device and X.shape == B.shape and X.dtype == A.dtype
        assert relative(A @ X - B, A) / float(X.norm()) < 1e-12
    with pytest.raises(pivotlab.InputError, match="^B: is on the host"):
        f.solve(np.ones(150))
    with pytest.raises(pivotlab.InputError, match="^B: has 3 rows"):
        f.solve(random(3, 1, type))
    A[:, 5] = A[5] = 0
    with pytest.raises(pivotlab.InputError, match="singular .rank 149"):
        pivotlab.ldlt(A, symmetry=symmetry, variant="LDLT-BP").solve(B)


@pytest.mark.parametrize("triangle", ["lower", "upper"])
def test_one_triangle_is_read(triangle):
    A = hermitian(100, "z")
    nan = torch.full_like(A, float("nan"))
    half = A.tril() + nan.triu(1) if triangle == "lower" else A.triu() + nan.tril(-1)
    assert ldlt_error(A, pivotlab.ldlt(half, triangle=triangle)) < 1e-12


def test_work_is_in_the_order_of_the_current_stream(method):
    A = method.make(100)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(100_000_000)  # cycles; A is doubled only then
        a = A * 2
        r = method.solve(a)
        assert torch.cuda.current_stream() == stream
    stream.synchronize()
    assert method.error(A * 2, r) < 1e-12
    for given in (stream, stream.cuda_stream, 0):
        r = method.solve(A, stream=given)
        torch.cuda.synchronize()
        assert method.error(A, r) < 1e-12


def test_threads_with_streams_of_their_own(method):
    def solve(k):
        with torch.cuda.stream(torch.cuda.Stream()):
            A = method.make(40 + k % 3)
            return A, method.solve(A)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(solve, range(12)))
    torch.cuda.synchronize()
    assert all(method.error(*result) < 1e-12 for result in results)


def test_many_calls_keep_little_memory(method):
    def used():
        torch.cuda.synchronize()
        return torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]

    pivotlab._on_gpu.plans.clear()
    for n in (64, 64):
        A = method.make(n)
        method.solve(A)
    allocated, free = used()
    for _ in range(100):
        method.solve(A)
    assert used()[0] == allocated and free - used()[1] < 64 << 20
    method.solve(method.make(104))
    of_one_plan = used()[0] - allocated
    for n in range(65, 104):
        method.solve(method.make(n))
    assert used()[0] - allocated < 12 * of_one_plan  # eight plans are kept


def test_no_matrix_goes_through_the_host(method, tmp_path):
    n = 512
    A = method.make(n)
    method.solve(A)
    assert max(bytes_through_host(lambda: method.solve(A), tmp_path)) < n * n


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("n", [512, 1536])
def test_a_later_call_takes_its_compute_time(method, type, n):
    A = method.make(n, type)
    times = []
    for _ in range(4):
        torch.cuda.synchronize()
        start = time.perf_counter()
        r = method.solve(A)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start, r.compute_seconds))
    print("".join(f"\n{1e3 * all:.2f} ms, {1e3 * compute:.2f} ms compute" for all, compute in times))
    assert min(all - 1.05 * compute for all, compute in times[1:]) < 1e-3


@pytest.mark.parametrize("case", ["NaN", "Inf", "float32", "vector", "shape", "gradient", "backend"])
def test_bad_tensors_are_refused_in_one_line(method, case):
    if case == "shape" and method.error is svd_error:
        pytest.skip("svd takes every shape")
    A = method.make(40)
    name, bad = method.name, A.clone()
    bad[3, 5] = {"NaN": float("nan"), "Inf": float("inf")}.get(case, 0)
    tensor, kind, words, options = {
        "NaN": (bad, ValueError, "finite", {}),
        "Inf": (bad, ValueError, "finite", {}),
        "float32": (A.float(), TypeError, f"^{name}: dtype float32", {}),
        "vector": (A[0], ValueError, f"^{name}: has 1 dim", {}),
        "shape": (A[:30], ValueError, getattr(method, "few", f"^{name}: 30 × 40"), {}),
        "gradient": (A.clone().requires_grad_(), ValueError, f"^{name}: requires a gradient.*detach", {}),
        "backend": (A, RuntimeError, "^backend: 'host'", {"backend": "host"}),
    }[case]
    with pytest.raises(kind, match=words) as raised:
        method.solve(tensor, **options)
    assert "\n" not in str(raised.value)
    assert method.error(A, method.solve(A)) < 1e-12  # the next call is not affected


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.ldlt])
def test_an_asymmetric_matrix_is_refused(solve):
    A = hermitian(40)
    A[3, 5] += 0.5
    with pytest.raises(pivotlab.InputError, match="column 4 .*across the diagonal by 0.5"):
        solve(A)


def test_the_current_device_stays(method):
    if torch.cuda.device_count() < 2:
        pytest.skip("has one GPU")
    A = method.make(50).to("cuda:1")
    r = method.solve(A)
    assert getattr(r, method.matrices[0]).device.index == 1 and torch.cuda.current_device() == 0


@pytest.mark.parametrize("type", DTYPES)
def test_stacks_are_solved_on_the_gpu(type):
    A = torch.randn(40, 3, 20, 20, dtype=DTYPES[type], device="cuda")
    G, A = A, A + A.mH
    w, U = r = pivotlab.eigh(A)
    assert U.is_cuda and w.is_cuda and r.noise.is_cuda and "passed" in repr(r)
    assert relative(A @ U - U * w[..., None, :], A) < 1e-13
    w, U = r = pivotlab.eigh(A, driver="2stage")
    assert r.variant == "HEV-2STAGE" and relative(A @ U - U * w[..., None, :], A) < 1e-13
    alone = pivotlab.eigh(A, driver="2stage", vectors=False)
    assert alone.U is None and relative(alone.eigenvalues - w, w) < 1e-14
    with pytest.raises(pivotlab.NotSupported, match="HEV-RK-ME-PT and HEV-2STAGE"):
        pivotlab.eigh(A, variant="HEV-CP-ME-PT")
    r = pivotlab.svd(G, J=np.where(np.arange(20) % 3, 1, -1))
    assert r.hyperbolic and " + and " in repr(r)
    U, s, Vh = pivotlab.svd(G)
    assert relative(U * s[..., None, :] @ Vh - G, G) < 1e-13
    assert relative(s - torch.linalg.svdvals(G), s) < 1e-13
    f = pivotlab.ldlt(A)
    L, D, perm = f
    rows = torch.arange(40, device="cuda")[:, None, None, None], torch.arange(3, device="cuda")[:, None, None]
    permuted = A[(*rows, perm[..., :, None].long(), perm[..., None, :].long())]
    assert relative(L @ D @ L.mH - permuted, A) < 1e-13
    assert torch.equal(f.inertia.positive.long(), (w > 0).sum(-1))
    B = torch.randn(40, 3, 20, 2, dtype=DTYPES[type], device="cuda")
    assert relative(A @ f.solve(B) - B, B) < 1e-9
    A[7, 1, 3, 3] = torch.nan
    with pytest.raises(pivotlab.InputError, match=r"\(7, 1\)"):
        pivotlab.ldlt(A)
