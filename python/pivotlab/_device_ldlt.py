# SPDX-License-Identifier: BSD-3-Clause
"""The symmetric indefinite factorization of a matrix on a GPU, and solutions there, without a copy through the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ._core import InputError, NotSupported
from ._gpu_arrays import Library, is_on_gpu
from ._on_gpu import HOST_COPIES, gpu_call


@dataclass(frozen=True, eq=False)
class DeviceFactors:
    """The factors of a matrix on a GPU: M is there, all other members are on the host. It has no other members of the
    module's factors."""

    library: Library
    device: int
    M: Any
    diagonal: np.ndarray
    subdiagonal: np.ndarray
    permutation: np.ndarray
    interchanges: np.ndarray
    stages: dict[str, np.ndarray]
    rank: int
    doubtful: int
    inertia: tuple[int, int, int]
    tolerance: float
    max_growth: float
    variant: str
    symmetry: str
    compute_seconds: float

    @property
    def is_complex(self) -> bool:
        return self.diagonal.dtype == np.complex128

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotSupported(f"{name}: is not available of a factorization on a GPU; to get it, {HOST_COPIES}")

    def solve(self, B: Any) -> Any:
        """A⁻¹·B on the GPU, for B of n rows or length n."""
        n = len(self.diagonal)
        if not is_on_gpu("B", B):
            raise InputError("B: is on the host, and the factors are on a GPU; pass an array that is there")
        is_vector = len(getattr(B, "shape", ())) == 1
        with gpu_call(None, None, B=B[:, None] if is_vector else B) as call:
            columns = call.matrices[0]
            if (call.library, call.device) != (self.library, self.device):
                raise InputError("B: is not an array of the library and on the GPU of the factors; pass one that is")
            if columns.shape[0] != n:
                raise InputError(f"B: has {columns.shape[0]} rows, and A has {n}; pass one with as many")
            if call.dtype == "complex128" and not self.is_complex:
                raise InputError("B: is complex, and the matrix is real; solve for its real and imaginary parts")
            if self.rank < n:
                raise InputError(f"A: it is singular (rank {self.rank} of {n}); {HOST_COPIES} and solve_refined()")
            if self.is_complex and call.dtype == "float64":
                columns = self.library.to_complex(columns)
            adjoint = "C" if self.symmetry == "hermitian" else "T"
            solution = _solved(self.library, self.device, self.M, self._inverse_d(), self.permutation, columns, adjoint)
            return solution[:, 0] if is_vector else solution

    def _inverse_d(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Diagonal, subdiagonal and superdiagonal of D⁻¹, the latter two of length n − 1. Blocks of order 2 are scaled
        by their off-diagonal element, which dominates them."""
        diagonal, below = np.zeros_like(self.diagonal), np.zeros_like(self.diagonal)
        pairs = np.flatnonzero(self.subdiagonal)
        single = np.ones(len(diagonal), bool)
        single[pairs] = single[pairs + 1] = False
        diagonal[single] = 1 / self.diagonal[single]
        b = self.subdiagonal[pairs]
        hermitian = self.symmetry == "hermitian"
        size = np.abs(b) if hermitian else b
        a, c = self.diagonal[pairs] / size, self.diagonal[pairs + 1] / size
        determinant = size * (a * c - 1)
        diagonal[pairs], diagonal[pairs + 1], below[pairs] = c / determinant, a / determinant, -(b / size) / determinant
        return diagonal, below[:-1], below[:-1].conj() if hermitian else below[:-1]


def _solved(
    library: Library,
    device: int,
    M: Any,
    inverse_d: tuple[np.ndarray, np.ndarray, np.ndarray],
    permutation: np.ndarray,
    B: Any,
    adjoint: str,
) -> Any:
    """Pᵀ·M⁻*·D⁻¹·M⁻¹·P·B."""
    diagonal, below, above = (library.from_host(part, device)[:, None] for part in inverse_d)
    rows = library.from_host(permutation, device)
    Y = library.solve_triangular(M, B[rows], "N")
    Z = diagonal * Y
    Z[1:] += below * Y[:-1]
    Z[:-1] += above * Y[1:]
    solution = library.like(Z)
    solution[rows] = library.solve_triangular(M, Z, adjoint)
    return solution


def device_ldlt(
    A: Any,
    *,
    variant: str,
    backend: str | None,
    symmetry: str,
    triangle: str,
    rank_tolerance: float | None,
    stream: Any,
) -> DeviceFactors:
    """The factors of A, on its GPU."""
    with gpu_call(backend, stream, A=A) as call:
        n = call.order()
        with call.plan_in_workspace("Ldlt", n, variant, symmetry, triangle, rank_tolerance) as plan:
            M = call.matrix(n, n)
            members = plan.run(*call.columns(*call.matrices, M))
        return DeviceFactors(call.library, call.device, M, **members)
