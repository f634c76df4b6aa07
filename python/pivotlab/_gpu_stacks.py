# SPDX-License-Identifier: BSD-3-Clause
"""Stacks of small matrices on a GPU: one kernel for all of them. Results are stacks on the GPU, of the argument's
library; the host reads statuses only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from . import _core
from ._arrays import as_signs
from ._conventions import Unpacks
from ._core import InputError, NotSupported
from ._device import TWO_STAGE
from ._gpu_arrays import Library, library_of, take
from ._inertia import Inertia
from ._on_gpu import HOST_COPIES, is_wide, memory_errors, refuse_other_backends
from ._status import described

BACKEND = "cuda"
STATUSES = {0: "passed", 1: "incorrect", 2: "not_converged", 3: "failed", 6: "not_supported"}


def is_stack(array: Any) -> bool:
    return len(getattr(array, "shape", ())) > 2


@dataclass
class Stacks:
    """A call with a stack of matrices, whose memory and work belong to a stream."""

    library: Library
    device: int
    address: int
    """Of the stream."""
    given: Any
    """(…, n, m), C-contiguous: the transposes, by which matrices are stored by columns."""
    shape: tuple[int, ...]
    rows: int
    columns: int
    dtype: str

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def place(self) -> tuple[str, int, int]:
        return BACKEND, self.device, self.address

    def function(self, name: str) -> Callable[..., Any]:
        """The function of the module for the stack's type."""
        return getattr(_core, f"{name}_{'z' if self.dtype == 'complex128' else 'd'}")

    def numbers(self, *last: int, dtype: str | None = None) -> Any:
        """A new array (…, *last)."""
        return self.library.empty((*self.shape, *last), dtype or self.dtype, self.device)

    def at(self, array: Any) -> int:
        """The address of an array; 0 for None."""
        return 0 if array is None else self.library.memory(array).address

    def stack(self, transposes: Any) -> tuple[int, int, int, int]:
        """Where the matrices of (…, columns, rows) are."""
        if transposes is None:
            return 0, 0, 0, 0
        *_, columns, rows = self.library.memory(transposes).shape
        return self.at(transposes), self.count, rows, columns

    def statuses(self, status: Any) -> dict[str, Any]:
        """The members status, of the first matrix that has not passed, message and statuses."""
        numbers = self.library.to_host(status).reshape(-1)
        wrong = np.flatnonzero(numbers)
        if not len(wrong):
            return {"status": "passed", "message": "", "statuses": ("passed",) * self.count}
        places = ", ".join(str(tuple(map(int, np.unravel_index(k, self.shape)))) for k in wrong[:5])
        rest = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        return {
            "status": STATUSES[int(numbers[wrong[0]])],
            "statuses": tuple(STATUSES[int(number)] for number in numbers),
            "message": f"the matrices {places}{rest} have not passed; their results are NaN if they are not finite or, "
            "where that is required, not Hermitian",
        }


@contextmanager
def stacks(backend: str | None, stream: Any, name: str, array: Any, adjoint: bool = False) -> Iterator[Stacks]:
    """The context of a call with a stack on a GPU, or with that of the adjoints."""
    refuse_other_backends(backend)
    library = library_of(name, array)
    device = take(name, array, library, stack=True)[1].device
    with memory_errors(), library.scope(device, stream) as (stream, address):
        array, memory = take(name, array, library, stack=True)  # ready on the stream
        if adjoint:
            array = library.adjoint(array)
        *shape, rows, columns = array.shape
        if 0 in memory.shape:
            raise InputError(f"{name}: the shape {memory.shape} has no matrix, or matrices of no number; pass others")
        given = library.transposes(array)
        yield Stacks(library, device, address, given, tuple(shape), rows, columns, memory.dtype)


def _square(call: Stacks) -> int:
    if call.rows != call.columns:
        raise InputError(f"A: {call.rows} × {call.columns} is not square; pass square matrices")
    return call.rows


def eigh_of_stack(
    A: Any, *, variant: str, backend: str | None, vectors: bool, max_sweeps: int, stream: Any
) -> dict[str, Any]:
    """The members of an Eigh."""
    if variant != TWO_STAGE:
        _refuse_variant(variant, "HEV-RK-ME-PT", TWO_STAGE)
        variant = "HEV-RK-ME-PT"
    with stacks(backend, stream, "A", A) as call:
        n = _square(call)
        eigenvalues, estimate = call.numbers(n, dtype="float64"), call.numbers(n, dtype="float64")
        U, status = call.numbers(n, n) if vectors else None, call.numbers(dtype="int32")
        workspace = call.library.bytes(call.function("eigh_batch_workspace")(n, call.count, variant), call.device)
        arrays = call.at(eigenvalues), call.at(estimate), call.stack(U), call.at(status), call.at(workspace)
        call.function("eigh_batch")(call.stack(call.given), variant, *arrays, max_sweeps, call.place)
        members = call.statuses(status)
    U = None if U is None else call.library.transposed(U)
    return members | {"eigenvalues": eigenvalues, "estimate": estimate, "U": U, "variant": variant}


def eig_of_stack(A: Any, *, variant: str | None, backend: str | None, right: bool, stream: Any) -> dict[str, Any]:
    """The members of an Eig."""
    if variant not in (None, "QR"):
        raise NotSupported(f"variant: {variant} is not for stacks on a GPU, which have QR; leave it out")
    with stacks(backend, stream, "A", A) as call:
        n = _square(call)
        eigenvalues, status = call.numbers(n, dtype="complex128"), call.numbers(dtype="int32")
        V = call.numbers(n, n, dtype="complex128") if right else None
        bytes = _core.eig_batch_workspace(n, call.count)
        workspace = call.library.bytes(bytes, call.device) if bytes else None
        arrays = call.at(eigenvalues), call.stack(V), call.at(status), call.at(workspace)
        call.function("eig_batch")(call.stack(call.given), *arrays, call.place)
        members = call.statuses(status)
    V = None if V is None else call.library.transposed(V)
    return members | {"eigenvalues": eigenvalues, "V": V, "variant": "QR"}


def svd_of_stack(
    G: Any, J: Any, *, full_matrices: bool, variant: str, backend: str | None, v: bool, max_sweeps: int, stream: Any
) -> dict[str, Any]:
    """The members of an Svd."""
    _refuse_variant(variant, "HSVD-ME-PT")
    wide = is_wide(G, J)
    with stacks(backend, stream, "G", G, wide) as call:
        m, n = call.rows, call.columns
        signs = None
        if J is not None:
            own = np.tile(np.asarray(as_signs("J", J, n), np.int32), (call.count, 1))
            signs = call.library.from_host(own, call.device)
        sigma, estimate = call.numbers(n, dtype="float64"), call.numbers(n, dtype="float64")
        new_signs = None if J is None else call.numbers(n, dtype="int32")
        status = call.numbers(dtype="int32")
        left, right = call.numbers(n, m), call.numbers(n, n) if v or wide else None
        vectors = call.at(sigma), call.at(new_signs), call.at(estimate)
        matrices = call.stack(left), call.stack(right), call.at(status)
        call.function("svd_batch")(call.stack(call.given), call.at(signs), *vectors, *matrices, max_sweeps, call.place)
        members = call.statuses(status)
        left = call.library.transposed(left)
        right = None if right is None else call.library.transposed(right)
        if full_matrices:
            left = call.library.completed(left)
    U, V = (right, left) if wide else (left, right)
    return members | {
        "U": U,
        "V": V if v else None,
        "sigma": sigma,
        "J": new_signs,
        "estimate": estimate,
        "variant": "HSVD-ME-PT",
    }


def gsvd_of_stack(F: Any, G: Any, *, variant: str, backend: str | None, stream: Any) -> dict[str, Any]:
    """The members of a Gsvd."""
    if variant not in ("auto", "HZ"):
        raise NotSupported(f"variant: {variant} is not for stacks on a GPU, which have HZ; leave it out")
    with stacks(backend, stream, "F", F) as call, stacks(backend, stream, "G", G) as other:
        if (other.library, other.device, other.shape, other.dtype) != (
            call.library,
            call.device,
            call.shape,
            call.dtype,
        ):
            raise InputError(
                f"G: has the shape {(*other.shape, other.rows, other.columns)} and the type {other.dtype}; pass as "
                f"many matrices of {call.dtype}, of one library and on one GPU, as of F: {call.shape}"
            )
        n = call.columns
        sigmas = tuple(call.numbers(n, dtype="float64") for _ in range(3))
        matrices, status = (
            tuple(call.numbers(n, rows) for rows in (call.rows, other.rows, n)),
            call.numbers(dtype="int32"),
        )
        arrays = *map(call.at, sigmas), *map(call.stack, matrices), call.at(status)
        call.function("gsvd_batch")(call.stack(call.given), other.stack(other.given), *arrays, call.place)
        members = call.statuses(status)
        U, V, Z = map(call.library.transposed, matrices)
    sigma, sigma_f, sigma_g = sigmas
    return members | {"U": U, "V": V, "Z": Z, "sigma": sigma, "sigma_f": sigma_f, "sigma_g": sigma_g, "variant": "HZ"}


def _refuse_variant(variant: str, *own: str) -> None:
    """Raises NotSupported for another variant than the kernels' own and the default."""
    if variant not in (*own, "HEV-RK-ME-BO", "HSVD-ME-BO"):
        names = " and ".join(own)
        raise NotSupported(f"variant: {variant} is not for stacks on a GPU, which have {names}; leave it out")


@dataclass(frozen=True, repr=False, eq=False)
class DeviceLdltStack(Unpacks):
    """The factorizations of a stack of Hermitian matrices on a GPU: P·A·Pᵀ = M·D·Mᴴ. It unpacks as `L, D, perm`.

    All arrays are on the GPU."""

    _order: ClassVar[tuple[str, ...]] = ("L", "D", "perm")

    call: Stacks
    M: Any
    """(…, n, n), unit lower triangular."""
    diagonal: Any
    """(…, n), the diagonal of D."""
    subdiagonal: Any
    """(…, n), D(i + 1, i); zero except at the first row of a block of order 2."""
    permutation: Any
    """(…, n): row i of P·A·Pᵀ is row permutation[i] of A."""
    inertia: Inertia
    """Of three arrays (…)."""
    doubtful: Any
    """(…), pivots whose signs may be those of rounding errors; the inertia is determined where there is none."""
    variant: str
    transposes: Any
    counts: Any

    @property
    def L(self) -> Any:
        return self.M

    @property
    def perm(self) -> Any:
        return self.permutation

    @property
    def D(self) -> Any:
        """(…, n, n), block diagonal."""
        n = self.call.rows
        D, rows = self.call.numbers(n, n), np.arange(n)
        D[...] = 0
        D[..., rows, rows] = self.diagonal
        D[..., rows[1:], rows[:-1]] = self.subdiagonal[..., :-1]
        D[..., rows[:-1], rows[1:]] = self.subdiagonal[..., :-1].conj()
        return D

    def solve(self, B: Any) -> Any:
        """
        Return A⁻¹·B for B (…, n, columns) with the leading axes of A. Raises InputError if a matrix is singular, and if
        B or A⁻¹·B is not finite.
        """
        own = self.call
        with stacks(None, None, "B", B) as call:
            if (call.library, call.device) != (own.library, own.device):
                raise InputError("B: is not an array of the library and on the GPU of the factors; pass one that is")
            if call.shape != own.shape or call.rows != own.rows or call.dtype != own.dtype:
                raise InputError(
                    f"B: has the shape {(*call.shape, call.rows, call.columns)} and the type {call.dtype}; pass "
                    f"{(*own.shape, own.rows)} and columns, of {own.dtype}"
                )
            X = call.library.copy(call.given)
            status = call.library.from_host(np.zeros(own.count, np.int32), call.device)
            own.function("solve_batch")(
                own.stack(self.transposes), *map(own.at, (self.diagonal, self.subdiagonal)), *self._integers(),
                call.at(status), call.stack(X), call.place
            )  # fmt: skip
            outcome = call.statuses(status)
            if outcome["status"] != "passed":
                which = outcome["message"].partition(" have")[0]
                reason = "are singular" if "incorrect" in outcome["statuses"] else "have B or A⁻¹·B that are not finite"
                raise InputError(f"A: {which} {reason}")
            return call.library.transposed(X)

    def _integers(self) -> tuple[int, int]:
        return self.call.at(self.permutation), self.call.at(self.counts)

    def __repr__(self) -> str:
        return described("DeviceLdltStack", shape=self.call.shape, variant=self.variant)


def ldlt_of_stack(
    A: Any,
    *,
    stream: Any,
    backend: str | None,
    variant: str,
    triangle: str,
    symmetry: str,
    rank_tolerance: float | None,
) -> DeviceLdltStack:
    """The factors of the matrices. Raises InputError for one that is not Hermitian or not finite."""
    if rank_tolerance is not None:
        raise NotSupported(
            f"rank_tolerance: of a stack on a GPU is that of rounding noise; leave it out, or {HOST_COPIES}"
        )
    with stacks(backend, stream, "A", A) as call:
        n = _square(call)
        if symmetry != "hermitian" and call.dtype == "complex128":
            raise NotSupported(f"symmetry: complex matrices of a stack on a GPU are Hermitian; {HOST_COPIES}")
        M, diagonal, subdiagonal = call.numbers(n, n), call.numbers(n), call.numbers(n)
        permutation, counts = call.numbers(n, dtype="int32"), call.numbers(3, dtype="int32")
        status, doubtful = call.numbers(dtype="int32"), call.numbers(dtype="int32")
        arrays = map(call.at, (diagonal, subdiagonal, permutation, counts, status, doubtful))
        call.function("ldlt_batch")(call.stack(call.given), variant, triangle, call.stack(M), *arrays, call.place)
        found = call.statuses(status)
        if found["status"] != "passed":
            which = found["message"].partition(" have")[0]
            raise InputError(f"A: {which} are not Hermitian or not finite, or their D exceeds the range of double")
    inertia = Inertia(*(counts[..., k] for k in range(3)))
    factors = (call.library.transposed(M), diagonal, subdiagonal, permutation)
    return DeviceLdltStack(call, *factors, inertia, doubtful, variant, M, counts)
