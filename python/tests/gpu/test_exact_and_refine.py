# SPDX-License-Identifier: BSD-3-Clause
"""Exact products and refinements of arrays on a GPU: the bits of the host, on the GPU of the arguments."""

import numpy as np
import pytest

import pivotlab

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(bool(pivotlab._core.why_no_device()), reason="has no GPU")


def random(rows, columns, type):
    A = np.random.default_rng(1).standard_normal((rows, columns))
    return A if type == "d" else A + 1j * np.random.default_rng(2).standard_normal((rows, columns))


def on_gpu(array):
    return torch.from_numpy(np.ascontiguousarray(array)).cuda()


@pytest.mark.parametrize("type", ["d", "z"])
def test_products_have_the_bits_of_the_host(type):
    A, B = random(70, 90, type), random(90, 40, type)
    for bits in (0, 60):
        host, r = pivotlab.exact.matmul(A, B, bits=bits), pivotlab.exact.matmul(on_gpu(A), on_gpu(B), bits=bits)
        assert all(x.device.type == "cuda" for x in r)
        assert (r.moduli, r.exact) == (host.moduli, host.exact)
        assert np.array_equal(r.hi.cpu(), host.hi) and np.array_equal(r.lo.cpu(), host.lo)
        assert np.all(r.bound.cpu().numpy() <= host.bound * (1 + 1e-12) + 1e-300)
    low = A * 2.0**-60
    pairs = [pivotlab.exact.matmul((f(A), f(low)), f(B)) for f in (np.asarray, on_gpu)]
    assert np.array_equal(pairs[1].lo.cpu(), pairs[0].lo)


def test_products_refuse_what_does_not_fit():
    A, B = on_gpu(random(3, 4, "d")), on_gpu(random(3, 4, "d"))
    with pytest.raises(pivotlab.InputError, match="do not fit together"):
        pivotlab.exact.matmul(A, B)
    with pytest.raises(pivotlab.InputError, match="different memories"):
        pivotlab.exact.matmul(A, B.cpu())


@pytest.mark.parametrize("type", ["d", "z"])
def test_refinements_are_on_the_gpu_of_their_matrices(type):
    A = random(60, 60, type)
    A = (A + A.conj().T) / 2
    r = pivotlab.refine(on_gpu(A), pivotlab.eigh(on_gpu(A)))
    host = pivotlab.refine(A, pivotlab.eigh(A))
    assert all(x.device.type == "cuda" for x in (*r, r.determined, r.result.U))
    assert np.array_equal(r.values.cpu(), host.values) and bool(r.determined.all())
    G = random(70, 50, type)
    of_svd = pivotlab.refine(on_gpu(G), pivotlab.svd(on_gpu(G)))
    assert np.array_equal(of_svd.values.cpu(), pivotlab.refine(G, pivotlab.svd(G)).values)
    F, G = random(70, 50, type), random(60, 50, type)[::-1].copy()
    of_pair = pivotlab.refine((on_gpu(F), on_gpu(G)), pivotlab.gsvd(on_gpu(F), on_gpu(G)))
    assert np.array_equal(of_pair.values.cpu(), pivotlab.refine((F, G), pivotlab.gsvd(F, G)).values)
    assert of_pair.result.Z.device.type == "cuda"
