# SPDX-License-Identifier: BSD-3-Clause
"""Tikhonov regularization of an integral equation with the GSVD of any pair.

    python examples/regularization.py [FOLDER]

F is a discretized first-kind integral equation, G takes second differences: it has fewer rows than columns, and lines
are in its null space. x(t) minimizes ‖F·x − b‖² + t²·‖G·x‖². With F = U·Σ_F·X, G = V·Σ_G·X it is

    x(t) = Σ_j φ_j·(u_jᵀb/σ_F,j)·z_j,   φ_j = σ_j²/(σ_j² + t²),   φ_j = 1 where σ_j is infinite,

for all t from one decomposition. Prints the errors, and writes regularization.png.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import pivotlab

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
n, noise = 200, 1e-4
pair = pivotlab.generate("gsvd", "integral;kernel=baart;l=2", n=n, m_g=n - 2)
r = pivotlab.gsvd(pair.F, pair.G, x=True)
U, _, Z, sigma_f, _ = r
print(f"{pair}\n{r}\n{pivotlab.judge(pair, r)}")

t = (np.arange(n) + 0.5) / n
exact = np.sin(np.pi * t)
rng = np.random.default_rng(1)
error = rng.standard_normal(n)
b = pair.F @ exact
error *= noise * np.linalg.norm(b) / np.linalg.norm(error)
b = b + error

is_used = sigma_f > 0
coefficients = np.where(is_used, U.T @ b / np.where(is_used, sigma_f, 1), 0)


def solution(parameter: float) -> NDArray[np.float64]:
    with np.errstate(over="ignore", invalid="ignore"):
        filters = np.where(np.isinf(r.sigma), 1.0, r.sigma**2 / (r.sigma**2 + parameter**2))
    x: NDArray[np.float64] = Z @ (filters * coefficients)
    return x


parameters = np.logspace(-8, 2, 101)
residuals = np.array([np.linalg.norm(pair.F @ solution(p) - b) for p in parameters])
errors = np.array([np.linalg.norm(solution(p) - exact) for p in parameters]) / np.linalg.norm(exact)
chosen = float(parameters[residuals <= 1.1 * np.linalg.norm(error)][-1])  # the discrepancy principle
x = solution(chosen)
naive = np.linalg.norm(np.linalg.lstsq(pair.F, b, rcond=None)[0] - exact) / np.linalg.norm(exact)
print(f"relative error {np.linalg.norm(x - exact) / np.linalg.norm(exact):.1e} with t = {chosen:.1e}")
print(f"best of all t {errors.min():.1e}; least squares without regularization {naive:.1e}")

figure = Figure(figsize=(7, 3), layout="constrained")
left, right = figure.subplots(1, 2)
left.loglog(parameters, errors, label="relative error")
left.loglog(parameters, residuals / np.linalg.norm(b), label="relative residual")
left.axvline(chosen, color="gray", linestyle="--", label="discrepancy principle")
left.set(xlabel="t")
left.legend()
right.plot(t, exact, label="exact")
right.plot(t, x, "--", label="regularized")
right.legend()
figure.savefig(folder / "regularization.png", dpi=144)
