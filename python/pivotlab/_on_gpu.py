# SPDX-License-Identifier: BSD-3-Clause
"""Calls of solvers with matrices on a GPU: checks of the arguments, plans that are kept, the caller's stream."""

from __future__ import annotations

import atexit
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import InputError, NotSupported
from ._gpu_arrays import Library, Memory, is_on_gpu, library_of, take

PLANS = 8
"""How many plans are kept for later calls."""

KEPT_BYTES = 1 << 30
"""How much memory of GPUs the workspaces of kept plans have in all."""

HOST_COPIES = "pass copies in the host's memory (tensor.cpu(), cupy.asnumpy(array))"


@dataclass
class Kept:
    """A plan with the stream and the workspace that must not end before it."""

    plan: Any
    stream: Any
    workspace: Any = None
    bytes: int = 0


class Plans:
    """The plans that were used last. A plan is taken out while it is used, so that threads never share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple, Kept] = OrderedDict()

    def take(self, key: tuple) -> Kept | None:
        with self._lock:
            return self._kept.pop(key, None)

    def keep(self, key: tuple, used: Kept) -> None:
        """Keeps a plan, and gives up those that were used longest ago, or this one if it is too large."""
        dropped = []  # freed after the lock
        with self._lock:
            dropped.append(self._kept.pop(key, None))
            self._kept[key] = used
            while len(self._kept) > PLANS or sum(kept.bytes for kept in self._kept.values()) > KEPT_BYTES:
                dropped.append(self._kept.popitem(last=False))

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


plans = Plans()
atexit.register(plans.clear)  # while the GPU's driver still runs


def on_one_gpu(**arrays: Any) -> bool:
    """Whether the arrays are on a GPU. Raises InputError if only some are."""
    places = {name: is_on_gpu(name, array) for name, array in arrays.items()}
    if len(set(places.values())) > 1:
        where = " and ".join(f"{name} {'on a GPU' if gpu else 'on the host'}" for name, gpu in places.items())
        raise InputError(f"{', '.join(places)}: are in different memories, {where}; pass both in one")
    return next(iter(places.values()))


def is_wide(G: Any, J: Any) -> bool:
    """Whether matrices (…, m, n) on a GPU have more columns than rows. Raises InputError if they also have signs."""
    rows, columns = G.shape[-2:] if len(G.shape) >= 2 else (1, 1)
    if J is not None and rows < columns:
        raise InputError(
            f"J: of a matrix on a GPU with {rows} rows and {columns} columns there is none; append rows of 0"
        )
    return rows < columns


def refuse_stream(stream: Any) -> None:
    """Raises InputError for a stream beside arrays of the host."""
    if stream is not None:
        raise InputError("stream: is for arrays on a GPU, and the arrays are on the host; leave it out")


@dataclass
class Call:
    """A call of a solver on a stream of a GPU, whose arrays belong to one library."""

    library: Library
    device: int
    stream: Any
    address: int
    """Of the stream."""
    matrices: list[Any]
    """The arguments, of float64 or complex128; all are complex if one of them is."""

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        return [self.library.memory(matrix).shape for matrix in self.matrices]

    @property
    def dtype(self) -> str:
        return self.library.memory(self.matrices[0]).dtype

    def order(self) -> int:
        """The order of the argument A. Raises InputError if it is not square or empty."""
        rows, columns = self.shapes[0]
        if rows != columns or rows == 0:
            raise InputError(f"A: {rows} × {columns} is not square with at least one row, as on a GPU it has to be")
        return rows

    def pair_shape(self) -> tuple[int, int, int]:
        """Rows of F, rows of G, and the columns of both. Raises InputError if they have different numbers of them."""
        (m_f, n), (m_g, columns) = self.shapes
        if n != columns:
            raise InputError(f"F, G: have {n} and {columns} columns; pass matrices with as many")
        return m_f, m_g, n

    def matrix(self, rows: int, columns: int) -> Any:
        """A new matrix of the arguments' type."""
        return self.library.matrix(rows, columns, self.dtype, self.device)

    def with_values_on_gpu(self, members: dict[str, Any]) -> dict[str, Any]:
        """The members of a result, with values as arrays of the library."""
        names = {"eigenvalues", "sigma", "sigma_f", "sigma_g"} & members.keys()
        return members | {name: self.library.from_host(members[name], self.device) for name in names}

    def columns(self, *matrices: Any) -> list[tuple[int, int, int, int] | None]:
        """Where matrices lie, all of which are stored by columns."""
        places = [self.library.memory(matrix).columns() for matrix in matrices]
        assert None not in places
        return places

    def bytes(self, count: int) -> tuple[Any, int]:
        """New memory, and its address."""
        memory = self.library.bytes(count, self.device)
        return memory, self.library.memory(memory).address

    @contextmanager
    def plan(self, key: tuple, make: Callable[[], Kept]) -> Iterator[Any]:
        """A plan, which is kept unless the call fails."""
        key = (*key, self.device, self.address)
        used = plans.take(key) or make()
        yield used.plan
        plans.keep(key, used)

    def kind(self, method: str) -> Any:
        """The class of the module's plans for the arguments' type."""
        return getattr(_core, f"{method}Plan{'Z' if self.dtype == 'complex128' else 'D'}")

    def plan_in_workspace(self, method: str, *arguments: Any) -> Any:
        """A plan of a method for these arguments, with a workspace of its own."""
        kind = self.kind(method)

        def make() -> Kept:
            count = kind.workspace_bytes(*arguments)
            workspace, address = self.bytes(count)
            return Kept(kind(*arguments, self.device, self.address, address), self.stream, workspace, count)

        return self.plan((kind, *arguments), make)

    def refuse_non_finite(self, names: str) -> None:
        """Raises InputError for NaN and Inf."""
        for name, matrix in zip(names, self.matrices, strict=True):
            if not self.library.is_finite(matrix):
                raise InputError(f"{name}: has NaN or Inf; pass finite numbers")


def refuse_other_backends(backend: str | None) -> None:
    """Raises NotSupported for a backend that takes no arrays on a GPU."""
    if backend not in (None, "cuda"):
        raise NotSupported(f"backend: {backend!r} does not take arrays on a GPU; leave it out, or {HOST_COPIES}")


@contextmanager
def memory_errors() -> Iterator[None]:
    """PyTorch's error for too little memory is no MemoryError; here it becomes one."""
    try:
        yield
    except RuntimeError as error:
        if type(error).__name__ == "OutOfMemoryError":
            raise MemoryError(str(error).partition("\n")[0]) from None
        raise


@contextmanager
def gpu_call(backend: str | None, stream: Any, adjoint: bool = False, **arrays: Any) -> Iterator[Call]:
    """A context in which memory and work belong to the stream, or to the one that is current, with the matrices or
    their adjoints."""
    refuse_other_backends(backend)
    name, first = next(iter(arrays.items()))
    library = library_of(name, first)
    device = take(name, first, library)[1].device
    with memory_errors(), library.scope(device, stream) as (stream, address):
        taken = [take(name, array, library) for name, array in arrays.items()]  # ready on the stream
        devices = {memory.device for _, memory in taken}
        if len(devices) > 1:
            where = " and ".join(str(memory.device) for _, memory in taken)
            raise InputError(f"{', '.join(arrays)}: are on the GPUs {where}; copy one to the other's GPU")
        matrices = _of_one_type(library, taken)
        matrices = [library.adjoint(matrix) for matrix in matrices] if adjoint else matrices
        yield Call(library, device, stream, address, [library.by_columns(matrix) for matrix in matrices])


def _of_one_type(library: Library, matrices: list[tuple[Any, Memory]]) -> list[Any]:
    """The matrices, all complex if one of them is."""
    is_complex = any(memory.dtype == "complex128" for _, memory in matrices)
    return [library.to_complex(array) if is_complex and m.dtype == "float64" else array for array, m in matrices]
