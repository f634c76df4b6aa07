# SPDX-License-Identifier: BSD-3-Clause
"""A library of arrays whose GPU is the host's memory, for tests of calls with arrays on a GPU."""

import ctypes
from contextlib import contextmanager

import numpy as np

from pivotlab import _gpu_arrays, _on_gpu


class GpuArray:
    """An array that says that it is on GPU `device`; its elements are a NumPy array's."""

    def __init__(self, elements, device=0):
        self.elements, self.device = elements, device
        self.shape = elements.shape

    def __getitem__(self, index):
        return GpuArray(self.elements[index], self.device)

    def __setitem__(self, index, value):
        self.elements[index] = getattr(value, "elements", value)

    def __len__(self):
        return len(self.elements)

    def __gt__(self, bound):
        return self.elements > bound

    def swapaxes(self, one, other):
        return GpuArray(self.elements.swapaxes(one, other), self.device)

    def conj(self):
        return GpuArray(self.elements.conj(), self.device)

    def __dlpack_device__(self):
        if self.elements is None:
            raise RuntimeError("Array has been deleted")
        return (2, self.device)

    def __dlpack__(self, **_):
        raise AssertionError("a copy through the host was asked for")


class FakeLibrary:
    """A library of GpuArrays; records streams, copies and allocations."""

    current = 7

    def __init__(self):
        self.copies, self.streams, self.allocated = 0, [], []

    def take(self, name, array):
        if not isinstance(array, GpuArray):
            raise BufferError(f"cannot export {type(array).__name__}")
        return array

    def memory(self, array):
        e = array.elements
        strides = tuple(stride // e.itemsize for stride in e.strides)
        return _gpu_arrays.Memory(e.ctypes.data, e.shape, strides, e.dtype.name, e.itemsize, array.device)

    @contextmanager
    def scope(self, device, stream):
        address = self.current if stream is None else _gpu_arrays.address_of(stream)
        self.streams.append((device, address))
        yield stream, address

    def by_columns(self, matrix):
        if self.memory(matrix).columns():
            return matrix
        self.copies += 1
        return GpuArray(np.asfortranarray(matrix.elements), matrix.device)

    def transposes(self, stack):
        return GpuArray(np.ascontiguousarray(stack.elements.swapaxes(-1, -2)), stack.device)

    def stacked(self, arrays):
        return GpuArray(np.stack([array.elements for array in arrays]), arrays[0].device)

    def transposed(self, stack):
        return GpuArray(stack.elements.swapaxes(-1, -2), stack.device)

    def empty(self, shape, dtype, device):
        return GpuArray(np.empty(shape, dtype), device)

    def copy(self, array):
        return GpuArray(array.elements.copy(), array.device)

    def to_host(self, array):
        return array.elements

    def from_host(self, array, device):
        return GpuArray(array.copy(), device)

    def to_complex(self, matrix):
        return GpuArray(matrix.elements.astype(complex), matrix.device)

    def adjoint(self, stack):
        return GpuArray(stack.elements.conj().swapaxes(-1, -2), stack.device)

    def is_hermitian(self, matrix):
        return np.array_equal(matrix.elements, matrix.elements.conj().T)

    def completed(self, U):
        Q = np.linalg.qr(U.elements, mode="complete")[0]
        return GpuArray(np.concatenate((U.elements, Q[..., U.shape[-1] :]), -1), U.device)

    def is_finite(self, matrix):
        return bool(np.isfinite(matrix.elements).all())

    def matrix(self, rows, columns, dtype, device):
        return GpuArray(np.empty((columns, rows), dtype=dtype).T, device)

    def complete(self, U, first, end):
        u = U.elements
        if first < end:
            zeros_last = np.hstack((u[:, :first], u[:, end:], u[:, first:end]))
            u[:, first:end] = np.linalg.qr(zeros_last)[0][:, first - end :]

    def bytes(self, count, device):
        self.allocated.append(count)
        return GpuArray(np.empty(count, np.uint8), device)


def at(array, dtype):
    """The matrix at an address."""
    address, rows, columns, stride = array
    if not rows * columns:
        return np.empty((rows, columns), dtype, order="F")
    size = np.dtype(dtype).itemsize
    memory = (ctypes.c_char * (((columns - 1) * stride + rows) * size)).from_address(address)
    return np.ndarray((rows, columns), dtype, memory, strides=(size, stride * size))


def use(monkeypatch, **plans):
    """Makes the package take GpuArrays, and plans in place of the module's; returns the library."""
    from pivotlab import _core

    library = FakeLibrary()
    monkeypatch.setitem(_gpu_arrays.LIBRARIES, __name__, lambda: library)
    monkeypatch.setattr(_gpu_arrays, "_made", {})
    monkeypatch.setattr(_on_gpu, "plans", _on_gpu.Plans())
    for name, plan in plans.items():
        monkeypatch.setattr(_core, name, plan)
    return library


def gpu(rows, columns, dtype=float, device=0):
    """A random matrix on a GPU."""
    elements = np.random.default_rng(rows + columns).standard_normal((rows, columns))
    return GpuArray(np.asfortranarray(elements.astype(dtype)), device)


def deleted():
    array = gpu(3, 2)
    array.elements = None
    return array
