"""The inertia of KKT matrices, as an interior-point method needs it, with a certificate.

    python examples/kkt_inertia.py

A step of such a method solves with K = [H Aᵀ; A 0], H n × n, A m × n. It is a descent direction if K has the inertia
(n, m, 0); else a multiple of the identity is added to H until K has it. Signs that rounding errors decide mislead the
method; certify() tells them from others.
"""

import numpy as np

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


def kkt(shift: float) -> np.ndarray:
    return np.block([[H + shift * np.eye(n), A.T], [A, np.zeros((m, m))]])


shift = 0.0
while True:
    K = kkt(shift)
    f = pivotlab.ldlt(K, variant="LDLT-RK;equilibrate=on")
    certificate = f.certify(K)
    print(f"shift {shift:<8.3g} {certificate}")
    if certificate.status == "certified" and certificate.inertia == (n, m, 0):
        break
    shift = max(4 * shift, 1e-2)

step = f.solve_refined(K, np.concatenate([rng.standard_normal(n), np.zeros(m)]))
print(f"{step}, curvature along the step {step.X[:n] @ (H + shift * np.eye(n)) @ step.X[:n]:.3g}")
assert np.linalg.norm(A @ step.X[:n]) < 1e-10
