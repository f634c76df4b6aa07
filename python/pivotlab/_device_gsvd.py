"""The GSVD of matrices on a GPU, without a copy through the host."""

from __future__ import annotations

import atexit
import threading
from collections import OrderedDict
from typing import Any

from . import _core
from ._core import InputError, NotSupported
from ._gpu_arrays import Library, Memory, is_on_gpu, library_of, take

PLANS = 8
"""How many plans are kept for later calls."""

HOST_COPIES = "pass copies in the host's memory (tensor.cpu(), cupy.asnumpy(array)), which may have any shape and rank"


class Plans:
    """The plans that were used last. A plan is taken out while it is used, so that threads never share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._plans: OrderedDict[tuple, tuple[Any, Any]] = OrderedDict()

    def take(self, key: tuple) -> Any:
        """The plan with this key: (class, m_f, m_g, n, variant, device, address of the stream)."""
        with self._lock:
            plan, _ = self._plans.pop(key, (None, None))
        return plan or key[0](*key[1:])

    def keep(self, key: tuple, plan: Any, stream: Any) -> None:
        """Keeps a plan with its stream, which must not end before it."""
        dropped = []  # freed after the lock
        with self._lock:
            dropped.append(self._plans.pop(key, None))
            self._plans[key] = plan, stream
            while len(self._plans) > PLANS:
                dropped.append(self._plans.popitem(last=False))

    def clear(self) -> None:
        with self._lock:
            self._plans.clear()


plans = Plans()
atexit.register(plans.clear)  # while the GPU's driver still runs


def on_one_gpu(F: Any, G: Any) -> bool:
    """Whether the pair is on a GPU. Raises InputError if only one matrix is."""
    places = {name: is_on_gpu(name, array) for name, array in (("F", F), ("G", G))}
    if len(set(places.values())) > 1:
        where = " and ".join(f"{name} {'on a GPU' if gpu else 'on the host'}" for name, gpu in places.items())
        raise InputError(f"F, G: are in different memories, {where}; pass both in one")
    return places["F"]


def device_gsvd(
    F: Any, G: Any, *, variant: str, backend: str | None, x: bool, tolerances: bool, estimate_errors: bool, stream: Any
) -> dict[str, Any]:
    """The members of a Gsvd whose matrices are on the GPU of F and G, of the library of F."""
    if backend not in (None, "cuda"):
        raise NotSupported(f"backend: {backend!r} does not take arrays on a GPU; leave it out, or {HOST_COPIES}")
    if tolerances:
        raise NotSupported(f"tolerance_f, tolerance_g: no rank is decided on a GPU; leave them out, or {HOST_COPIES}")
    library = library_of("F", F)
    device = take("F", F, library)[1].device
    try:
        with library.scope(device, stream) as (stream, address):
            (F, f), (G, g) = take("F", F, library), take("G", G, library)  # here, so that they are ready on the stream
            _require_shapes(f, g)
            F, G = _of_one_type(library, (F, f), (G, g))
            return _decompose(library, F, G, variant, x, estimate_errors, stream, address)
    except RuntimeError as error:
        if type(error).__name__ == "OutOfMemoryError":  # PyTorch's is no MemoryError
            raise MemoryError(str(error).partition("\n")[0]) from None
        raise


def _require_shapes(f: Memory, g: Memory) -> None:
    if f.device != g.device:
        raise InputError(f"F, G: are on the GPUs {f.device} and {g.device}; copy one to the other's GPU")
    if f.shape[1] != g.shape[1]:
        raise InputError(f"F, G: have {f.shape[1]} and {g.shape[1]} columns; pass matrices with as many")
    for name, (rows, columns) in (("F", f.shape), ("G", g.shape)):
        if not 1 <= columns <= rows:
            shape = f"{rows} × {columns} is not of at least as many rows as columns"
            raise InputError(f"{name}: {shape}, as on a GPU it has to be; {HOST_COPIES}")


def _of_one_type(library: Library, *matrices: tuple[Any, Memory]) -> list[Any]:
    """The matrices by columns, all complex if one of them is."""
    is_complex = any(memory.dtype == "complex128" for _, memory in matrices)
    same = (library.to_complex(array) if is_complex and m.dtype == "float64" else array for array, m in matrices)
    return [library.by_columns(array) for array in same]


def _decompose(
    library: Library, F: Any, G: Any, variant: str, x: bool, estimate_errors: bool, stream: Any, address: int
) -> dict[str, Any]:
    f, g = library.memory(F), library.memory(G)
    (m_f, n), (m_g, _) = f.shape, g.shape
    kind = _core.DevicePlanZ if f.dtype == "complex128" else _core.DevicePlanD
    key = (kind, m_f, m_g, n, variant, f.device, address)
    plan = plans.take(key)
    U, V, Z, X = (
        library.matrix(rows, columns, f.dtype, f.device)
        for rows, columns in ((m_f, n), (m_g, n), (n, n), (n, n if x else 0))
    )
    workspace = library.bytes(plan.workspace_bytes, f.device)
    addresses = [library.memory(matrix).columns() for matrix in (F, G, U, V, Z, X)]
    members = plan.run(*addresses, library.memory(workspace).address, estimate_errors)
    plans.keep(key, plan, stream)
    passed = members["status"] == "passed"
    if not passed:
        _explain(library, F, G, members)
    matrices = {"U": U, "V": V, "Z": Z, "X": X if x else None}
    ranks = {"k": 0, "l": n, "r": n}
    return (
        members
        | ranks
        | {name: matrix if passed else None for name, matrix in matrices.items()}
        | {"variant": plan.variant}
    )


def _explain(library: Library, F: Any, G: Any, members: dict[str, Any]) -> None:
    """Raises InputError for NaN and Inf; else adds the remedy to the message."""
    for name, matrix in (("F", F), ("G", G)):
        if not library.is_finite(matrix):
            raise InputError(f"{name}: has NaN or Inf; pass finite numbers")
    members["message"] += f"; {HOST_COPIES}"
