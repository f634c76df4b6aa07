# SPDX-License-Identifier: BSD-3-Clause
"""With PyTorch and a GPU in one process. Run on a GPU machine: python -m pytest python/tests/gpu"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pivotlab

torch = pytest.importorskip("torch")
from profiled import bytes_through_host  # noqa: E402

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch has no GPU")

DTYPES = {"d": torch.float64, "z": torch.complex128}


def random(rows, columns, type="d", order="C"):
    A = torch.randn(rows, columns, dtype=DTYPES[type], device="cuda")
    return A if order == "C" else A.mT.contiguous().mT


def on_host(r):
    """The result with NumPy matrices."""
    members = {name: None if (m := getattr(r, name)) is None else m.cpu().numpy() for name in "UVZX"}
    return pivotlab.Gsvd(**members, **{name: getattr(r, name).cpu() for name in ("sigma", "sigma_f", "sigma_g")})


def judged(F, G, r):
    judgement = pivotlab.judge((F.cpu(), G.cpu()), on_host(r))
    assert judgement.passed, judgement
    return True


# ---- The backend beside PyTorch ----


@pytest.mark.skipif(not pivotlab.program().exists(), reason="the package has no command")
def test_a_sweep_runs_after_a_call_on_the_gpu(tmp_path):
    pytest.importorskip("pivotlab_analysis", reason="needs pivotlab[experiments]")
    x = torch.ones(1000, device="cuda")
    assert x.sum().item() == 1000  # this process has a context now, which a fork would break
    run = pivotlab.sweep("gsvd", n=64, backend=["cuda", "host"], out=tmp_path / "s", progress=False)
    assert run.status == {"passed": 2}
    assert x.sum().item() == 1000


def test_the_cuda_backend_works_beside_pytorch():
    F = torch.randn(100, 64, dtype=torch.float64)
    G = torch.randn(100, 64, dtype=torch.float64)
    torch.cuda.synchronize()
    r = pivotlab.gsvd(F, G, backend="cuda")
    assert pivotlab.judge((F, G), r).passed
    assert torch.ones(10, device="cuda").sum().item() == 10


# ---- Tensors on the GPU ----


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (40, 33, 33), (130, 301, 129)])
def test_tensors_give_tensors_on_the_same_gpu(type, order, shape):
    m_f, m_g, n = shape
    F, G = random(m_f, n, type, order), random(m_g, n, type, order)
    before = F.clone(), G.clone()
    r = pivotlab.gsvd(F, G, x=True)
    assert {m.device for m in (r.U, r.V, r.Z, r.X)} == {F.device}
    assert {m.dtype for m in (r.U, r.V, r.Z, r.X)} == {F.dtype}
    assert (r.U.shape, r.V.shape, r.Z.shape, r.X.shape) == ((m_f, n), (m_g, n), (n, n), (n, n))
    assert r.sigma.device == r.U.device and len(r.sigma_error) == n
    assert judged(F, G, r)
    torch.testing.assert_close(r.X @ r.Z, torch.eye(n, dtype=F.dtype, device="cuda"), atol=1e-9, rtol=0)
    assert torch.equal(F, before[0]) and torch.equal(G, before[1])


def test_the_host_s_result_agrees():
    F, G = random(90, 60), random(80, 60)
    host, device = pivotlab.gsvd(F.cpu(), G.cpu()), pivotlab.gsvd(F, G, backend="cuda")
    np.testing.assert_allclose(device.sigma.cpu(), np.sort(host.sigma)[::-1], rtol=1e-11)


def test_views_and_lazily_conjugated_tensors_are_read_as_they_are_shown():
    wide, G = random(80, 70, "z"), random(50, 30, "z")
    for F in (wide[::2, 10:40], wide.conj()[:40, :30], wide.mH[:40, :30], wide[:, :30].imag.to(torch.complex128)):
        assert judged(F.resolve_conj(), G, pivotlab.gsvd(F, G))
    real = random(30, 30)
    assert judged(real.to(torch.complex128), G, pivotlab.gsvd(real, G))  # becomes complex
    expanded, one = random(1, 1).expand(40, 1), random(3, 1)
    assert judged(expanded, one, pivotlab.gsvd(expanded, one))


def test_work_is_in_the_order_of_the_current_stream():
    F, G = random(200, 150), random(180, 150)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(100_000_000)  # cycles; F and G are doubled only then
        f, g = F * 2, G * 2
        r = pivotlab.gsvd(f, g)
        assert torch.cuda.current_stream() == stream
        scaled = r.U * 1.0  # on this stream, after the factors
    stream.synchronize()
    assert judged(f, g, r) and torch.equal(scaled, r.U)


@pytest.mark.parametrize("as_number", [False, True])
def test_a_stream_can_be_given(as_number):
    F, G = random(60, 50), random(70, 50)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    r = pivotlab.gsvd(F, G, stream=stream.cuda_stream if as_number else stream)
    stream.synchronize()
    assert judged(F, G, r)
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    r = pivotlab.gsvd(F, G, stream=0)
    torch.cuda.synchronize()
    assert judged(F, G, r)


def test_threads_with_streams_of_their_own():
    def solve(k):
        with torch.cuda.stream(torch.cuda.Stream()):
            F, G = random(40 + k, 40), random(50, 40)
            return F, G, pivotlab.gsvd(F, G)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(solve, range(12)))
    torch.cuda.synchronize()
    assert all(judged(*result) for result in results)


def test_threads_on_one_stream():
    F, G = random(64, 48), random(50, 48)
    expected = pivotlab.gsvd(F, G).sigma.cpu()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: pivotlab.gsvd(F, G), range(16)))
    assert all(np.allclose(r.sigma.cpu(), expected, rtol=1e-11) for r in results)


def test_200_calls_keep_no_memory():
    F, G = random(64, 48, order="C"), random(50, 48, order="F")
    pivotlab.gsvd(F, G)
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    for _ in range(200):
        pivotlab.gsvd(F, G, x=True)
    torch.cuda.synchronize()
    assert torch.cuda.memory_allocated() == before[0]
    assert before[1] - torch.cuda.mem_get_info()[0] < 64 << 20


def test_plans_of_many_shapes_do_not_fill_the_gpu():
    def used_after(shapes):
        for m in shapes:
            pivotlab.gsvd(random(m, 20), random(30, 20))
        torch.cuda.synchronize()
        free, total = torch.cuda.mem_get_info()
        return total - free

    first = used_after(range(20, 32))
    assert used_after(range(32, 80)) - first < 64 << 20


def test_nothing_is_reported_at_the_end_of_the_interpreter():
    code = (
        "import torch, pivotlab; F = torch.randn(30, 20, dtype=torch.float64, device='cuda'); r = pivotlab.gsvd(F, F)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "nanobind" not in done.stderr, done.stderr


def test_no_matrix_goes_through_the_host(tmp_path):
    n = 512
    F, G = random(n, n), random(n, n)
    pivotlab.gsvd(F, G)
    assert sum(bytes_through_host(lambda: pivotlab.gsvd(F, G), tmp_path)) < 8 * n * n


@pytest.mark.parametrize("type", ["d", "z"])
def test_the_second_call_has_no_set_up(type):
    n = 1024
    F, G = random(n, n, type, "F"), random(n, n, type, "F")
    for call in ("first", "second", "third"):
        torch.cuda.synchronize()
        start = time.perf_counter()
        r = pivotlab.gsvd(F, G)
        known = time.perf_counter() - start
        torch.cuda.synchronize()
        done = time.perf_counter() - start
        print(f"\n{call} call, {type}, n = {n}: {1e3 * r.compute_seconds:.1f} ms compute, "
              f"{1e3 * known:.1f} ms until it returns, {1e3 * done:.1f} ms until the factors are complete")  # fmt: skip
    assert known < 2 * r.compute_seconds + 0.05


def test_the_current_device_stays():
    if torch.cuda.device_count() < 2:
        pytest.skip("has one GPU")
    F, G = random(30, 20).to("cuda:1"), random(30, 20).to("cuda:1")
    r = pivotlab.gsvd(F, G)
    assert r.U.device.index == 1 and torch.cuda.current_device() == 0 and judged(F, G, r)
    with pytest.raises(pivotlab.InputError, match="^F, G: are on the GPUs 1 and 0"):
        pivotlab.gsvd(F, G.to("cuda:0"))


BAD = {
    "float32": (TypeError, "^F: dtype float32", lambda: (random(3, 2).float(), random(3, 2)), {}),
    "integers": (TypeError, "^G: dtype int64", lambda: (random(3, 2), random(3, 2).long()), {}),
    "gradient": (
        ValueError,
        "^F: requires a gradient.*detach",
        lambda: (random(3, 2).requires_grad_(), random(3, 2)),
        {},
    ),
    "sparse": (TypeError, "^F: the layout", lambda: (random(3, 2).to_sparse(), random(3, 2)), {}),
    "vector": (ValueError, "^F: has 1 dim", lambda: (random(3, 2)[0], random(3, 2)), {}),
    "columns": (ValueError, "have 3 and 2 columns", lambda: (random(3, 3), random(3, 2)), {}),
    "wide": (ValueError, "^F: 2 × 3 .*tensor.cpu", lambda: (random(2, 3), random(3, 3)), {}),
    "host": (ValueError, "^F, G: .*G on the host", lambda: (random(3, 2), random(3, 2).cpu()), {}),
    "NaN": (ValueError, "^G: has NaN", lambda: (random(3, 2), random(3, 2) * float("nan")), {}),
    "Inf": (ValueError, "^F: has NaN or Inf", lambda: (random(3, 2) * float("inf"), random(3, 2)), {}),
    "rank": (RuntimeError, "failed.*tensor.cpu", lambda: (random(9, 3), torch.zeros_like(random(9, 3))), {}),
    "variant": (RuntimeError, "^variant: DHZ0", lambda: (random(3, 2), random(3, 2)), {"variant": "DHZ0-(ME-FB-ME)"}),
    "tall": (RuntimeError, "qr=sorted", lambda: (random(20481, 1), random(3, 1)), {"variant": "?GT-(auto);qr=pivoted"}),
    "baseline": (RuntimeError, "^variant: lapack", lambda: (random(3, 2), random(3, 2)), {"variant": "lapack:dggsvd3"}),
    "letter": (ValueError, "take DGT", lambda: (random(3, 2), random(3, 2)), {"variant": "ZGT-(auto)"}),
    "backend": (RuntimeError, "^backend: 'host'", lambda: (random(3, 2), random(3, 2)), {"backend": "host"}),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tensors_are_refused_in_one_line(case):
    kind, words, pair, options = BAD[case]
    with pytest.raises(kind, match=words) as raised:
        pivotlab.gsvd(*pair(), **options)
    assert "\n" not in str(raised.value)
    F = random(20, 10)
    assert judged(F, F, pivotlab.gsvd(F, F))  # the next call is not affected


def test_too_little_memory_is_a_memory_error():
    free, _ = torch.cuda.mem_get_info()
    F = torch.zeros(1, 1, dtype=torch.float64, device="cuda")
    rows = free // 8 // 4 * 3  # of a second copy of F there is no room
    with pytest.raises(MemoryError):
        pivotlab.gsvd(F.expand(rows, 1), F.expand(rows, 1))
