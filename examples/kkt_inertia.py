# SPDX-License-Identifier: BSD-3-Clause
"""The inertia of KKT matrices, as an interior-point method needs it, with a certificate.

    python examples/kkt_inertia.py

A step of such a method solves with K = [H Aᵀ; A 0], H n × n, A m × n. It is a descent direction if K has the inertia
(n, m, 0); else the smallest multiple of the identity that makes it so is added to H. Signs that rounding errors decide
mislead the method; certify() tells them from others.
"""

import numpy as np
from numpy.typing import NDArray

import pivotlab

matrix = pivotlab.generate("ldlt", "kkt", n=300)
f = pivotlab.ldlt(matrix.A)
certificate = f.certify(matrix.A)
print(f"{matrix}\n{f}\ncertificate: {certificate}")
assert f.inertia == certificate.inertia == matrix.inertia

rng = np.random.default_rng(3)
n, m = 120, 40
A = rng.standard_normal((m, n))
Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
H = Q * np.linspace(-1, 5, n) @ Q.T  # not convex
H = (H + H.T) / 2


def kkt(shift: float) -> NDArray[np.float64]:
    return np.block([[H + shift * np.eye(n), A.T], [A, np.zeros((m, m))]])


found = pivotlab.shift_for_inertia(kkt(0), n, m)
print(f"least shift {found.shift:.6g} of H, {found.certificates} certificates; {found.too_small:.6g} is too small")
assert found.shift is not None
shift = 2 * found.shift  # at the least one, an eigenvalue is almost zero
K = kkt(shift)
f = pivotlab.ldlt(K)
assert f.certify(K).inertia == (n, m, 0)

step = f.solve_refined(K, np.concatenate([rng.standard_normal(n), np.zeros(m)]))
print(f"{step}, curvature along the step {step.X[:n] @ (H + shift * np.eye(n)) @ step.X[:n]:.3g}")
assert np.linalg.norm(A @ step.X[:n]) < 1e-10
