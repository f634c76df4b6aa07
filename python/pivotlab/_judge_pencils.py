# SPDX-License-Identifier: BSD-3-Clause
"""Metrics of eigendecompositions of pencils and definite pairs, in NumPy's extended precision (64 bits on x86)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._svd import svdvals

EPS = 2.0**-52
Metrics = tuple[str, str, dict[str, Any], dict[str, float]]


def judge_pencil(
    A: np.ndarray, B: np.ndarray, alpha: np.ndarray, beta: np.ndarray, V: np.ndarray, threads: int
) -> Metrics:
    """Status, message, metrics and bounds of β·A·V = α·B·V. V has to be regular: its pairs are then those of a pencil
    (A + E, B + F) with ‖E‖, ‖F‖ up to `backward` times ‖A‖, ‖B‖; otherwise one pair may stand in place of another."""
    n = len(A)
    residual = _residual(A, B, alpha, beta, V)
    bounds = {"residual": 8 * n * EPS}
    norms = np.sqrt(np.sum(np.abs(V) ** 2, axis=0))
    if not residual <= bounds["residual"] or np.any(norms == 0):
        return "incorrect", _exceeds("residual", residual, bounds["residual"]), {"residual": residual}, bounds
    independence = float(svdvals(V / norms, threads=threads)[-1]) if n else 1.0
    backward = residual * np.sqrt(n) / independence if independence > n * EPS else np.inf
    metrics = {"residual": residual, "independence": independence, "backward": float(backward)}
    if backward > np.sqrt(EPS):
        return "not judged", "the eigenvectors are nearly dependent, so that a pair may be missing", metrics, bounds
    return "passed", "", metrics, bounds


def are_quotients(eigenvalues: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> bool:
    """Whether all eigenvalues are alpha/beta up to rounding, which may have underflown or overflown."""
    values, alpha, beta = _extended(eigenvalues, alpha, beta)
    limits = np.finfo(np.float64)
    with np.errstate(all="ignore"):
        quotients = np.where(beta == 0, np.inf, alpha / beta)
        near = np.abs(values - quotients) <= 8 * EPS * np.abs(quotients) + limits.smallest_subnormal
    return bool(np.all(near | (np.isinf(values) & (np.abs(quotients) > limits.max / 4))))


def judge_pair(A: np.ndarray, B: np.ndarray, eigenvalues: np.ndarray, U: np.ndarray) -> Metrics:
    """Status, message, metrics and bounds of A·U = B·U·Λ and UᴴBU = I, which prove that no pair is missing. Residuals
    are those of D·A·D and D·B·D, D² = diag(B)⁻¹, so that graded pairs are judged as what they are graded from."""
    n, diagonal = len(A), _extended(np.diag(B).real)[0]
    if not np.all(diagonal > 0):
        return "incorrect", "B is not positive definite", {}, {}
    d = 1 / np.sqrt(diagonal)
    rounding = np.finfo(np.float64).smallest_subnormal  # of eigenvalues that underflow
    residual = _residual(A * d * d[:, None], B * d * d[:, None], eigenvalues, np.ones(n), U / d[:, None], rounding)
    metrics = {"residual": residual, "orthogonality": _orthogonality(B, U)}
    bounds = dict.fromkeys(metrics, 8 * n * EPS)
    wrong = [_exceeds(name, value, bounds[name]) for name, value in metrics.items() if not value <= bounds[name]]
    return ("incorrect" if wrong else "passed"), ", ".join(wrong), metrics, bounds


def signs_of(A: np.ndarray, eigenvalues: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Signs of the eigenvalues, where these are 0 of uᴴ·A·u beyond its rounding errors: they may have underflown."""
    A, U = _extended(A, U)
    forms = np.sum(U.conj() * (A @ U), axis=0).real
    errors = 8 * len(A) * EPS * np.sum(np.abs(U) * (np.abs(A) @ np.abs(U)), axis=0)
    return np.sign(np.where(eigenvalues != 0, eigenvalues, np.where(np.abs(forms) > errors, forms, 0)))


def _exceeds(name: str, value: float, bound: float) -> str:
    return f"{name} {value:.1e} > {bound:.1e}"


def _extended(*arrays: np.ndarray) -> list[np.ndarray]:
    return [array.astype(np.clongdouble if np.iscomplexobj(array) else np.longdouble) for array in arrays]


def _residual(
    A: np.ndarray, B: np.ndarray, alpha: np.ndarray, beta: np.ndarray, V: np.ndarray, rounding: float = 0
) -> float:
    """max ‖β·A·v − α·B·v‖₂/((|β|·‖A‖_F + |α|·‖B‖_F)·‖v‖₂), without what a change of α by `rounding` can do."""
    A, B, alpha, beta, V = _extended(A, B, alpha, beta, V)
    norm_a, norm_b = (np.sqrt(np.sum(np.abs(M) ** 2)) for M in (A, B))
    largest = 0.0
    for j in range(V.shape[1]):  # column by column, so that Ctrl-C need not wait long
        v = V[:, j]
        of_b = B @ v
        error = np.sqrt(np.sum(np.abs(beta[j] * (A @ v) - alpha[j] * of_b) ** 2))
        error = np.maximum(error - rounding * np.sqrt(np.sum(np.abs(of_b) ** 2)), 0)
        size = (np.abs(beta[j]) * norm_a + np.abs(alpha[j]) * norm_b) * np.sqrt(np.sum(np.abs(v) ** 2))
        with np.errstate(invalid="ignore", divide="ignore"):
            largest = np.maximum(largest, error / size if error else 0.0)  # NaN stays
    return float(largest)


def _orthogonality(B: np.ndarray, U: np.ndarray) -> float:
    """max |u_iᴴ·B·u_j − δ_ij|/√(s_i·s_j), s_i = |u_i|ᵀ|B||u_i|: what relative changes of the elements of B and U do."""
    B, U = _extended(B, U)
    products = np.array([U.conj().T @ (B @ u) for u in U.T]).T.reshape(B.shape)
    scale = np.sqrt(np.sum(np.abs(U) * (np.abs(B) @ np.abs(U)), axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.max(np.abs(products - np.eye(len(B))) / np.outer(scale, scale), initial=0))
