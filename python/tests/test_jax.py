# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of JAX on the host are taken and returned. CI has no JAX; the tests run where it is."""

import numpy as np
import pytest

import pivotlab

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")
jnp = jax.numpy


def random(*shape):
    return jnp.asarray(np.random.default_rng(len(shape)).standard_normal(shape))


@pytest.mark.parametrize("name", ["eig", "eigh", "svd", "ldlt", "gsvd"])
def test_arrays_give_arrays(name):
    A = random(8, 8)
    H = A + A.T
    problem = (A, H) if name == "gsvd" else (A if name in ("eig", "svd") else H,)
    result = getattr(pivotlab, name)(*problem)
    assert all(isinstance(part, jax.Array) for part in result)
    assert pivotlab.judge(problem if name == "gsvd" else problem[0], result)


def test_stacks_and_single_precision():
    G = random(3, 4, 6)
    U, s, Vh = pivotlab.svd(G)
    assert jnp.abs((U * s[:, None, :]) @ Vh - G).max() < 1e-13
    assert pivotlab.svdvals(G.astype(jnp.float32)).dtype == jnp.float32
    A = random(5, 5)
    X = pivotlab.ldlt(A + A.T).solve(A)
    assert isinstance(X, jax.Array) and jnp.abs((A + A.T) @ X - A).max() < 1e-10
