# SPDX-License-Identifier: BSD-3-Clause
"""gsvd() of arrays on a GPU without one: a library of arrays, and plans, whose GPU is the host's memory."""

import threading
from concurrent.futures import ThreadPoolExecutor

import fake_gpu
import numpy as np
import pytest
from fake_gpu import GpuArray, at, deleted, gpu

import pivotlab
from pivotlab import _core, _gpu_arrays, _on_gpu

RNG = np.random.default_rng(13)


class FakePlan:
    """A plan that computes on the host, as slowly as it is told to."""

    dtype, made, in_use = np.float64, [], 0
    workspace_bytes = 1024
    pause = threading.Barrier(1)

    def __init__(self, m_f, m_g, n, variant, device, stream):
        letter = "Z" if self.dtype is np.complex128 else "D"
        self.shape, self.variant = (m_f, m_g, n), variant.replace("?", letter)
        FakePlan.made.append((m_f, m_g, n, self.variant, device, stream))

    def run(self, F, G, U, V, Z, X, workspace, estimate_errors):
        assert self.in_use == 0, "two threads share a plan"
        self.in_use = 1
        self.pause.wait()
        f, g = at(F, self.dtype), at(G, self.dtype)
        assert workspace and ((f.shape[0], *g.shape)) == self.shape
        if not (np.isfinite(f).all() and np.isfinite(g).all()) or np.linalg.matrix_rank(g) < self.shape[2]:
            empty = {name: np.empty(0) for name in ("sigma", "sigma_f", "sigma_g")}
            self.in_use = 0
            return empty | {"status": "failed", "message": "QR of G: no", "sigma_error": None, "compute_seconds": 0.0}
        r = pivotlab.gsvd(f, g, variant="?GT-(auto)", x=True, estimate_errors=estimate_errors)
        at(U, self.dtype)[:], at(V, self.dtype)[:], at(Z, self.dtype)[:] = r.U, r.V, r.Z
        if X[2]:
            at(X, self.dtype)[:] = r.X
        self.in_use = 0
        numbers = {name: getattr(r, name) for name in ("sigma", "sigma_f", "sigma_g", "sigma_error")}
        return numbers | {"status": "passed", "message": "", "compute_seconds": 0.5}


class FakePlanZ(FakePlan):
    dtype = np.complex128


@pytest.fixture(autouse=True)
def library(monkeypatch):
    monkeypatch.setattr(FakePlan, "made", [])
    return fake_gpu.use(monkeypatch, GsvdPlanD=FakePlan, GsvdPlanZ=FakePlanZ)


def random(rows, columns, type="d", order="F"):
    real = RNG.standard_normal((rows, columns))
    return np.array(real if type == "d" else real + 1j * RNG.standard_normal((rows, columns)), order=order)


def decomposed(F, G, r):
    U, V, Z = r.U.elements, r.V.elements, r.Z.elements
    np.testing.assert_allclose(F @ Z, U * r.sigma_f.elements, atol=1e-12)
    np.testing.assert_allclose(G @ Z, V * r.sigma_g.elements, atol=1e-12)
    return True


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order, copies", [("F", 0), ("C", 2)])
def test_a_pair_on_a_gpu_is_decomposed_there(library, type, order, copies):
    F, G = random(9, 5, type, order), random(7, 5, type, order)
    before = F.copy(), G.copy()
    r = pivotlab.gsvd(GpuArray(F, 3), GpuArray(G, 3), x=True)
    assert decomposed(F, G, r)
    assert {a.device for a in (r.U, r.V, r.Z, r.X)} == {3} and isinstance(r.sigma, GpuArray)
    assert all(a.elements.flags.f_contiguous for a in (r.U, r.V, r.Z, r.X))
    np.testing.assert_allclose(r.X.elements @ r.Z.elements, np.eye(5), atol=1e-12)
    assert (r.variant, r.k, r.l, r.r, r.reduced) == (f"{type.upper()}GT-(auto)", 0, 5, 5, False)
    assert library.copies == copies and library.streams == [(3, 7)] and library.allocated == [1024]
    assert FakePlan.made == [(9, 7, 5, f"{type.upper()}GT-(auto)", 3, 7)]
    assert "U 9 × 5" in repr(r) and r.compute_seconds == 0.5 and len(r.sigma_error) == 5
    np.testing.assert_array_equal(F, before[0])
    np.testing.assert_array_equal(G, before[1])


def test_views_are_read_in_place_or_copied_on_the_gpu(library):
    tall, wide = random(20, 6), random(14, 12, order="C")
    r = pivotlab.gsvd(GpuArray(tall[2:11]), GpuArray(wide[::2, ::2]))
    assert decomposed(tall[2:11], wide[::2, ::2], r) and library.copies == 1 and r.X is None
    row, expanded = random(1, 1), np.broadcast_to(np.ones((1, 1)), (3, 1))
    assert pivotlab.gsvd(GpuArray(row), GpuArray(expanded)).U.shape == (1, 1)


def test_a_real_matrix_beside_a_complex_one_becomes_complex_on_the_gpu():
    F, G = random(6, 4), random(5, 4, "z")
    r = pivotlab.gsvd(GpuArray(F), GpuArray(G))
    assert decomposed(F, G, r) and r.Z.elements.dtype == complex


def test_plans_are_kept_for_the_same_shape_variant_gpu_and_stream():
    def solve(m=6, device=0, stream=None, variant="auto"):
        F, G = GpuArray(random(m, 4), device), GpuArray(random(5, 4), device)
        pivotlab.gsvd(F, G, stream=stream, variant=variant)
        return len(FakePlan.made)

    assert [solve(), solve(), solve(), solve(stream=7)] == [1, 1, 1, 1]
    assert [solve(m=7), solve(device=1), solve(stream=9), solve(variant="?GT-(L)")] == [2, 3, 4, 5]
    assert solve() == 5
    assert [solve(m=8 + k) for k in range(_on_gpu.PLANS)][-1] == 13
    assert solve(m=15) == 13 and solve() == 14  # the plan that was used longest ago has been given up


def test_a_stream_is_an_address_or_a_library_s_object(library):
    class TorchStream:
        cuda_stream = 11

    class CuPyStream:
        ptr = 12

    F = GpuArray(random(4, 4))
    for stream in (TorchStream(), CuPyStream(), 13):
        pivotlab.gsvd(F, F, stream=stream)
    assert [address for _, address in library.streams] == [11, 12, 13]
    with pytest.raises(TypeError, match="^stream: str is not a stream"):
        pivotlab.gsvd(F, F, stream="7")
    with pytest.raises(pivotlab.InputError, match="^stream: .*on the host"):
        pivotlab.gsvd(np.eye(2), np.eye(2), stream=7)


def test_threads_never_share_a_plan(monkeypatch):
    F = GpuArray(random(5, 5))
    monkeypatch.setattr(FakePlan, "pause", threading.Barrier(2, timeout=200))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda _: [pivotlab.gsvd(F, F) for _ in range(4)], range(2)))
    assert len(FakePlan.made) >= 2 and all(decomposed(F.elements, F.elements, r) for r in sum(results, []))


def test_a_result_on_a_gpu_is_judged_and_written_after_a_copy(tmp_path):
    F, G = random(6, 4), random(5, 4)
    r = pivotlab.gsvd(GpuArray(F), GpuArray(G))
    with pytest.raises(pivotlab.NotSupported, match=r"^U: .*tensor.cpu\(\)"):
        pivotlab.judge((F, G), r)
    with pytest.raises(pivotlab.NotSupported, match=r"^U: .*tensor.cpu\(\)"):
        r.write(tmp_path / "r.h5")


BAD = [
    (TypeError, "^F: dtype float32 .*double", lambda: (gpu(3, 2, "f4"), gpu(3, 2))),
    (TypeError, "^G: dtype complex64", lambda: (gpu(3, 2), gpu(3, 2, "c8"))),
    (TypeError, "^F: dtype int64", lambda: (gpu(3, 2, "i8"), gpu(3, 2))),
    (ValueError, "^F: has 1 dimensions", lambda: (GpuArray(np.ones(3)), gpu(3, 2))),
    (ValueError, "^F, G: have 3 and 2 columns", lambda: (gpu(3, 3), gpu(3, 2))),
    (ValueError, "^F: 2 × 3 .*tensor.cpu", lambda: (gpu(2, 3), gpu(3, 3))),
    (ValueError, "^G: 2 × 3 .*tensor.cpu", lambda: (gpu(3, 3), gpu(2, 3))),
    (ValueError, "^F: 3 × 0", lambda: (gpu(3, 0), gpu(3, 0))),
    (ValueError, "^F, G: are on the GPUs 0 and 1", lambda: (gpu(3, 2), gpu(3, 2, device=1))),
    (ValueError, "^F, G: .*F on a GPU and G on the host", lambda: (gpu(3, 2), np.ones((3, 2)))),
    (ValueError, "^F, G: .*F on the host and G on a GPU", lambda: ([[1.0]], gpu(1, 1))),
    (ValueError, "^G: the array cannot be read: Array has been deleted", lambda: (gpu(3, 2), deleted())),
    (ValueError, "^G: the array cannot be read: cannot export", lambda: (gpu(3, 2), Foreign())),
    (ValueError, "^F: has NaN or Inf", lambda: (GpuArray(np.array([[np.nan]])), gpu(1, 1))),
    (ValueError, "^G: has NaN or Inf", lambda: (gpu(1, 1), GpuArray(np.array([[np.inf]])))),
    (RuntimeError, "^gsvd: failed: QR of G: no; .*tensor.cpu", lambda: (gpu(3, 2), GpuArray(np.zeros((3, 2))))),
]


class Foreign:
    """An array of a library that only has the older interface."""

    __cuda_array_interface__ = {"shape": (3, 2), "typestr": "<f8", "data": (0, False), "version": 3}


@pytest.mark.parametrize("kind, words, pair", BAD)
def test_bad_pairs_are_refused_in_one_line(kind, words, pair):
    with pytest.raises(kind, match=words) as raised:
        pivotlab.gsvd(*pair())
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 250


@pytest.mark.parametrize(
    "options, words",
    [
        (dict(backend="host"), "^backend: 'host' does not take arrays on a GPU"),
        (dict(backend="emulation"), "^backend: 'emulation'"),
        (dict(tolerance_f=1e-3), "^tolerance_f"),
    ],
)
def test_what_a_gpu_cannot_do_is_not_supported(options, words):
    with pytest.raises(pivotlab.NotSupported, match=words) as raised:
        pivotlab.gsvd(gpu(3, 2), gpu(3, 2), **options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("variant", ["DHZ0-(ME-FB-ME)", "lapack:dggsvd3"])
def test_the_module_s_plans_are_for_tangent_variants(monkeypatch, variant):
    monkeypatch.undo()
    with pytest.raises(pivotlab.NotSupported, match="not for arrays on a GPU.*GT-"):
        _core.GsvdPlanD(3, 3, 2, variant, 0, 0)
    with pytest.raises(pivotlab.InputError, match="not for real matrices; take DGT"):
        _core.GsvdPlanD(3, 3, 2, "ZGT-(auto)", 0, 0)


@pytest.mark.skipif(not _core.why_no_device(), reason="has a GPU")
def test_the_module_s_plans_need_a_gpu(monkeypatch):
    monkeypatch.undo()
    with pytest.raises(pivotlab.NotSupported, match="GPU|CUDA"):
        _core.GsvdPlanD(3, 3, 2, "DGT-(auto)", 0, 0)


def test_without_a_library_of_arrays_it_says_which_to_install(monkeypatch):
    def missing():
        raise ImportError

    monkeypatch.setattr(_gpu_arrays, "LIBRARIES", {"nowhere": missing})
    with pytest.raises(pivotlab.NotSupported, match="PyTorch or CuPy.*install one"):
        pivotlab.gsvd(gpu(3, 2), gpu(3, 2))
