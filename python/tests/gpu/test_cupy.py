# SPDX-License-Identifier: BSD-3-Clause
"""With CuPy, and with arrays of other libraries, on a GPU."""

import numpy as np
import pytest

import pivotlab

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(bool(pivotlab._core.why_no_device()), reason="has no GPU")


MEMBERS = ("U", "V", "Z", "sigma", "sigma_f", "sigma_g")


def random(rows, columns, type="d", order="C"):
    A = cupy.random.standard_normal((rows, columns))
    return cupy.array(A if type == "d" else A + 1j * cupy.random.standard_normal((rows, columns)), order=order)


def judged(F, G, r):
    result = pivotlab.Gsvd(**{name: cupy.asnumpy(getattr(r, name)) for name in MEMBERS})
    judgement = pivotlab.judge((cupy.asnumpy(F), cupy.asnumpy(G)), result)
    assert judgement.passed, judgement
    return True


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_give_arrays_on_the_same_gpu(type, order):
    F, G = random(90, 60, type, order), random(70, 60, type, order)
    r = pivotlab.gsvd(F, G, x=True)
    assert all(isinstance(m, cupy.ndarray) and m.device == F.device for m in (r.U, r.V, r.Z, r.X))
    assert isinstance(r.sigma, cupy.ndarray) and judged(F, G, r)
    assert float(abs(r.X @ r.Z - cupy.eye(60)).max()) < 1e-9


def test_views_of_any_strides():
    F, G = random(80, 60), random(50, 30)
    for f in (F[::2, ::2], F[::-1, :30], F[:, 29::-1], cupy.asfortranarray(F)[5:45, :30]):
        assert judged(f, G, pivotlab.gsvd(f, G))


def test_work_is_in_the_order_of_the_current_stream():
    F, G = random(80, 60), random(70, 60)
    cupy.cuda.Device().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        f, g = F * 2, G * 2
        r = pivotlab.gsvd(f, g)
    stream.synchronize()
    assert judged(f, g, r)
    r = pivotlab.gsvd(f, g, stream=stream)
    stream.synchronize()
    assert judged(f, g, r)


def test_memory_does_not_grow():
    F, G = random(64, 48), random(50, 48)
    pivotlab.gsvd(F, G)
    before = cupy.get_default_memory_pool().used_bytes()
    for _ in range(50):
        pivotlab.gsvd(F, G)
    assert cupy.get_default_memory_pool().used_bytes() == before


class Foreign:
    """An array of a library that is not known, with one interface."""

    def __init__(self, array, interface):
        self.array = array
        for name in interface:
            setattr(type(self), name, property(lambda self, name=name: getattr(self.array, name)))


@pytest.mark.parametrize("interface", [("__dlpack__", "__dlpack_device__"), ("__cuda_array_interface__",)])
def test_arrays_of_other_libraries_are_taken_over(interface):
    kind = type("Other", (Foreign,), {"__module__": "other"})
    F, G = random(30, 20), random(25, 20)
    r = pivotlab.gsvd(kind(F, interface), kind(G, interface))
    assert type(r.U).__module__.partition(".")[0] in ("cupy", "torch")
    assert judged(F, G, pivotlab.Gsvd(**{name: cupy.asarray(getattr(r, name)) for name in MEMBERS}))


def test_jax_arrays_are_taken_over(monkeypatch):
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    F = jax.numpy.asarray(np.random.default_rng(1).standard_normal((30, 20)))
    if F.devices().pop().platform != "gpu":
        pytest.skip("JAX has no GPU")
    r = pivotlab.gsvd(F, F)
    assert jax.numpy.from_dlpack(r.U).shape == (30, 20)


@pytest.mark.parametrize(
    "kind, words, pair",
    [
        (TypeError, "^F: dtype float32", lambda: (random(3, 2).astype("f4"), random(3, 2))),
        (ValueError, "^F: 2 × 3", lambda: (random(2, 3), random(3, 3))),
        (ValueError, "^G: has NaN", lambda: (random(3, 2), random(3, 2) * np.nan)),
        (ValueError, "^F, G: .*G on the host", lambda: (random(3, 2), np.ones((3, 2)))),
    ],
)
def test_bad_arrays_are_refused_in_one_line(kind, words, pair):
    with pytest.raises(kind, match=words) as raised:
        pivotlab.gsvd(*pair())
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("type", ["d", "z"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_other_solvers(type, order):
    G = random(90, 60, type, order)
    A = cupy.array(G[:60] + G[:60].conj().T, order=order)
    s, h, e, f = pivotlab.svd(G, v=True), pivotlab.eigh(A), pivotlab.eig(A), pivotlab.ldlt(A)
    assert all(isinstance(m, cupy.ndarray) for m in (s.U, s.V, h.U, e.V, f.M))
    assert float(abs(G @ s.V - s.U * cupy.asarray(s.sigma)).max()) < 1e-11
    assert float(abs(A @ h.U - h.U * cupy.asarray(h.eigenvalues)).max()) < 1e-11
    assert float(abs(A @ e.V - e.V * cupy.asarray(e.eigenvalues)).max()) < 1e-10
    B = random(60, 3, type)
    for b in (B, B[:, 0]):
        assert float(abs(A @ f.solve(b) - b).max()) < 1e-9
    A[:, 4] = A[4] = 0
    U = pivotlab.eigh(A).U
    assert float(abs(U.conj().T @ U - cupy.eye(60)).max()) < 1e-12
