# SPDX-License-Identifier: BSD-3-Clause
"""Matrices on a GPU, which belong to PyTorch or CuPy: their memory, streams, and what is computed on the GPU with them.

Arrays of other libraries with `__dlpack__` or `__cuda_array_interface__` are taken over by one of these two without a
copy. Nothing here copies a matrix to the host.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import numpy as np

from ._arrays import CUDA, CUDA_MANAGED, device_of, first_line
from ._core import InputError, NotSupported


class Memory(NamedTuple):
    """Where a matrix lies; strides are in elements."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    itemsize: int
    device: int

    def columns(self) -> tuple[int, int, int, int] | None:
        """(address, rows, columns, stride) of a matrix whose columns are stored contiguously; None for others."""
        rows, columns = self.shape
        down, across = self.strides
        stride = across if columns > 1 else max(rows, 1)
        is_dense = (
            (rows <= 1 or columns == 0 or down == 1) and stride >= max(rows, 1) and self.address % self.itemsize == 0
        )
        return (self.address, rows, columns, stride) if is_dense else None


class Library(Protocol):
    """What is needed of a library of arrays."""

    def take(self, name: str, array: Any) -> Any:
        """The array as one of this library, without a copy."""

    def memory(self, array: Any) -> Memory: ...

    def scope(self, device: int, stream: Any) -> Any:
        """A context in which memory and work belong to a stream of this GPU; it gives the stream as an object, which
        keeps it alive, and as an address. None: the stream that is current."""

    def by_columns(self, matrix: Any) -> Any:
        """A matrix whose columns are stored contiguously; a copy on the GPU if it is stored otherwise."""

    def transposes(self, stack: Any) -> Any:
        """The transposes of matrices (…, m, n), C-contiguous; a copy on the GPU if they are stored otherwise."""

    def transposed(self, stack: Any) -> Any:
        """The transposes of matrices as a view."""

    def stacked(self, arrays: Sequence[Any]) -> Any:
        """A stack of arrays of one shape."""

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        """A new array, C-contiguous."""

    def copy(self, array: Any) -> Any:
        """A copy on the GPU."""

    def to_host(self, array: Any) -> np.ndarray:
        """A copy on the host, when the stream's work is done."""

    def to_complex(self, matrix: Any) -> Any: ...

    def adjoint(self, stack: Any) -> Any:
        """The conjugate transposes of matrices (…, m, n)."""

    def is_hermitian(self, matrix: Any) -> bool: ...

    def is_finite(self, matrix: Any) -> bool: ...

    def matrix(self, rows: int, columns: int, dtype: str, device: int) -> Any:
        """A new matrix, stored by columns."""

    def bytes(self, count: int, device: int) -> Any:
        """New memory, aligned to 256 bytes."""

    def from_host(self, array: np.ndarray, device: int) -> Any:
        """A copy on the GPU."""

    def like(self, matrix: Any) -> Any:
        """A new matrix of the same shape and type."""

    def solve_triangular(self, M: Any, B: Any, form: str) -> Any:
        """M⁻¹·B, M⁻ᵀ·B or M⁻ᴴ·B for the forms N, T, C and a unit lower triangular M."""

    def complete(self, U: Any, first: int, end: int) -> None:
        """Replaces columns first … end − 1 of U, which are zero, by vectors that complete the others to an orthonormal
        set."""

    def completed(self, U: Any) -> Any:
        """Orthonormal columns (…, m, k) with m − k more, which complete them to a basis."""


class Torch:
    def __init__(self) -> None:
        self.torch = importlib.import_module("torch")

    def take(self, name: str, array: Any) -> Any:
        torch = self.torch
        if not isinstance(array, torch.Tensor):
            array = torch.from_dlpack(array) if hasattr(array, "__dlpack__") else torch.as_tensor(array, device="cuda")
        if array.requires_grad:
            raise InputError(f"{name}: requires a gradient, which is not computed; pass {name}.detach()")
        if array.layout != torch.strided:
            raise TypeError(f"{name}: the layout {array.layout} is not dense; pass {name}.to_dense()")
        return array

    def memory(self, array: Any) -> Memory:
        dtype = str(array.dtype).removeprefix("torch.")
        return Memory(
            array.data_ptr(), tuple(array.shape), array.stride(), dtype, array.element_size(), array.device.index
        )

    @contextmanager
    def scope(self, device: int, stream: Any) -> Iterator[tuple[Any, int]]:
        cuda = self.torch.cuda
        with cuda.device(device):
            if stream is None:
                current = cuda.current_stream(device)
            elif (address := address_of(stream)) <= 1:  # PyTorch takes the address 0 for a new stream
                current = cuda.default_stream(device)
            else:
                current = cuda.ExternalStream(address, device=device)
            with cuda.stream(current):
                yield (current if stream is None else stream), current.cuda_stream

    def by_columns(self, matrix: Any) -> Any:
        matrix = matrix.resolve_conj().resolve_neg()  # PyTorch conjugates and negates lazily
        return matrix if self.memory(matrix).columns() else matrix.mT.contiguous().mT

    def transposes(self, stack: Any) -> Any:
        return stack.resolve_conj().resolve_neg().mT.contiguous()

    def stacked(self, arrays: Sequence[Any]) -> Any:
        return self.torch.stack(list(arrays))

    def transposed(self, stack: Any) -> Any:
        return stack.mT

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        return self.torch.empty(shape, dtype=getattr(self.torch, dtype), device=f"cuda:{device}")

    def copy(self, array: Any) -> Any:
        return array.clone()

    def to_host(self, array: Any) -> np.ndarray:
        return array.cpu().numpy()

    def to_complex(self, matrix: Any) -> Any:
        return matrix.to(self.torch.complex128)

    def adjoint(self, stack: Any) -> Any:
        return stack.mH

    def is_hermitian(self, matrix: Any) -> bool:
        return self.torch.equal(matrix, matrix.mH)

    def is_finite(self, matrix: Any) -> bool:
        return bool(self.torch.isfinite(matrix).all())

    def matrix(self, rows: int, columns: int, dtype: str, device: int) -> Any:
        kind = getattr(self.torch, dtype)
        return self.torch.empty((columns, rows), dtype=kind, device=f"cuda:{device}").mT

    def bytes(self, count: int, device: int) -> Any:
        return self.torch.empty(count, dtype=self.torch.uint8, device=f"cuda:{device}")

    def from_host(self, array: np.ndarray, device: int) -> Any:
        return self.torch.from_numpy(array.copy()).to(f"cuda:{device}")

    def like(self, matrix: Any) -> Any:
        return self.torch.empty_like(matrix)

    def solve_triangular(self, M: Any, B: Any, form: str) -> Any:
        factor = {"N": M, "T": M.mT, "C": M.mH}[form]
        return self.torch.linalg.solve_triangular(factor, B, upper=form != "N", unitriangular=True)

    def complete(self, U: Any, first: int, end: int) -> None:
        if first < end:
            zeros_last = self.torch.cat((U[:, :first], U[:, end:], U[:, first:end]), 1)
            U[:, first:end] = self.torch.linalg.qr(zeros_last).Q[:, first - end :]

    def completed(self, U: Any) -> Any:
        Q = self.torch.linalg.qr(U, mode="complete").Q
        return self.torch.cat((U, Q[..., U.shape[-1] :]), -1).mT.contiguous().mT


class CuPy:
    def __init__(self) -> None:
        self.cupy = importlib.import_module("cupy")

    def take(self, name: str, array: Any) -> Any:
        if isinstance(array, self.cupy.ndarray):
            return array
        return self.cupy.from_dlpack(array) if hasattr(array, "__dlpack__") else self.cupy.asarray(array)

    def memory(self, array: Any) -> Memory:
        size = array.itemsize
        strides = tuple(stride // size if stride % size == 0 else 0 for stride in array.strides)
        return Memory(array.data.ptr, array.shape, strides, array.dtype.name, size, array.device.id)

    @contextmanager
    def scope(self, device: int, stream: Any) -> Iterator[tuple[Any, int]]:
        cuda = self.cupy.cuda
        with cuda.Device(device):
            current = cuda.get_current_stream() if stream is None else cuda.ExternalStream(address_of(stream))
            with current:
                yield (current if stream is None else stream), current.ptr

    def by_columns(self, matrix: Any) -> Any:
        return matrix if self.memory(matrix).columns() else matrix.copy(order="F")

    def transposes(self, stack: Any) -> Any:
        return self.cupy.ascontiguousarray(stack.swapaxes(-1, -2))

    def stacked(self, arrays: Sequence[Any]) -> Any:
        return self.cupy.stack(list(arrays))

    def transposed(self, stack: Any) -> Any:
        return stack.swapaxes(-1, -2)

    def empty(self, shape: tuple[int, ...], dtype: str, device: int) -> Any:
        return self.cupy.empty(shape, dtype=dtype)

    def copy(self, array: Any) -> Any:
        return array.copy()

    def to_host(self, array: Any) -> np.ndarray:
        return self.cupy.asnumpy(array)

    def to_complex(self, matrix: Any) -> Any:
        return matrix.astype(self.cupy.complex128)

    def adjoint(self, stack: Any) -> Any:
        return stack.conj().swapaxes(-1, -2)

    def is_hermitian(self, matrix: Any) -> bool:
        return bool((matrix == matrix.conj().T).all())

    def is_finite(self, matrix: Any) -> bool:
        return bool(self.cupy.isfinite(matrix).all())

    def matrix(self, rows: int, columns: int, dtype: str, device: int) -> Any:
        return self.cupy.empty((rows, columns), dtype=dtype, order="F")

    def bytes(self, count: int, device: int) -> Any:
        return self.cupy.empty(count, dtype="uint8")

    def from_host(self, array: np.ndarray, device: int) -> Any:
        return self.cupy.asarray(array)

    def like(self, matrix: Any) -> Any:
        return self.cupy.empty_like(matrix)

    def solve_triangular(self, M: Any, B: Any, form: str) -> Any:
        linalg = importlib.import_module("cupyx.scipy.linalg")
        return linalg.solve_triangular(M, B, trans=form, lower=True, unit_diagonal=True)

    def complete(self, U: Any, first: int, end: int) -> None:
        if first < end:
            zeros_last = self.cupy.concatenate((U[:, :first], U[:, end:], U[:, first:end]), 1)
            U[:, first:end] = self.cupy.linalg.qr(zeros_last)[0][:, first - end :]

    def completed(self, U: Any) -> Any:
        Q = self.cupy.linalg.qr(U, mode="complete")[0]
        return self.transposed(self.transposes(self.cupy.concatenate((U, Q[..., U.shape[-1] :]), -1)))


def address_of(stream: Any) -> int:
    """The address of a cudaStream_t: of a stream of PyTorch or CuPy, or the number itself."""
    address = getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))
    if not isinstance(address, int):
        raise TypeError(f"stream: {type(stream).__name__} is not a stream; pass one of PyTorch or CuPy, or its address")
    return address


LIBRARIES: dict[str, type] = {"torch": Torch, "cupy": CuPy}
_made: dict[str, Library] = {}


def library_of(name: str, array: Any) -> Library:
    """The library that an array belongs to; for another library's array one of these that is imported or installed."""
    own = type(array).__module__.partition(".")[0]
    loaded = [kind for kind in LIBRARIES if kind in sys.modules]
    for kind in (own,) if own in LIBRARIES else (*loaded, *LIBRARIES):
        try:
            return _made.get(kind) or _made.setdefault(kind, LIBRARIES[kind]())
        except ImportError:
            continue
    raise NotSupported(
        f"{name}: results for the {own} array on a GPU belong to PyTorch or CuPy, and neither is here; install one"
    )


def is_on_gpu(name: str, array: Any) -> bool:
    """Whether an array is in the memory of an NVIDIA GPU. Raises InputError for one that was freed."""
    kind, _ = device_of(name, array)
    return kind in (CUDA, CUDA_MANAGED)


def take(name: str, array: Any, library: Library, stack: bool = False) -> tuple[Any, Memory]:
    """A matrix, or a stack, of float64 or complex128 as one of this library, and where it lies. Raises InputError and
    TypeError."""
    try:
        array = library.take(name, array)
        memory = library.memory(array)
    except (InputError, TypeError):
        raise
    except Exception as error:  # libraries raise what they like, e.g. for an array that was freed
        raise InputError(f"{name}: the array cannot be read: {first_line(error)}; pass one that exists") from None
    if len(memory.shape) != 2 and not stack:
        raise InputError(f"{name}: has {len(memory.shape)} dimensions; pass a matrix with 2")
    if memory.dtype not in ("float64", "complex128"):
        remedy = "convert it on the GPU (tensor.double(), array.astype(float))"
        raise TypeError(f"{name}: dtype {memory.dtype} is not float64 or complex128; {remedy}")
    if memory.address == 0 and 0 not in memory.shape:
        raise InputError(f"{name}: the array has no memory, it was freed; pass one that exists")
    return array, memory
