"""The GSVD of matrices on a GPU, without a copy through the host."""

from __future__ import annotations

from typing import Any

from . import _core
from ._core import InputError, NotSupported
from ._gpu_arrays import Memory
from ._on_gpu import HOST_COPIES, Call, Kept, gpu_call, require_as_many_columns

ANY_PAIR = f"{HOST_COPIES}, which may have any shape and rank"


def device_gsvd(
    F: Any, G: Any, *, variant: str, backend: str | None, x: bool, tolerances: bool, estimate_errors: bool, stream: Any
) -> dict[str, Any]:
    """The members of a Gsvd whose matrices are on the GPU of F and G, of the library of F."""
    if tolerances:
        raise NotSupported(f"tolerance_f, tolerance_g: no rank is decided on a GPU; leave them out, or {ANY_PAIR}")
    with gpu_call(backend, stream, F=F, G=G) as call:
        _require_shapes(*call.memories)
        return _decompose(call, variant, x, estimate_errors)


def _require_shapes(f: Memory, g: Memory) -> None:
    require_as_many_columns(f.shape[1], g.shape[1])
    for name, (rows, columns) in (("F", f.shape), ("G", g.shape)):
        if not 1 <= columns <= rows:
            shape = f"{rows} × {columns} is not of at least as many rows as columns"
            raise InputError(f"{name}: {shape}, as on a GPU it has to be; {ANY_PAIR}")


def _decompose(call: Call, variant: str, x: bool, estimate_errors: bool) -> dict[str, Any]:
    (m_f, n), (m_g, _) = (memory.shape for memory in call.memories)
    kind = _core.GsvdPlanZ if call.dtype == "complex128" else _core.GsvdPlanD
    shape = (m_f, m_g, n, variant)

    def make() -> Kept:
        return Kept(kind(*shape, call.device, call.address), call.stream)

    with call.plan((kind, *shape), make) as plan:
        factors = [call.matrix(rows, columns) for rows, columns in ((m_f, n), (m_g, n), (n, n), (n, n if x else 0))]
        _workspace, address = call.bytes(plan.workspace_bytes)  # of this call only
        matrices = [call.columns(matrix) for matrix in (*call.matrices, *factors)]
        members = plan.run(*matrices, address, estimate_errors)
    passed = members["status"] == "passed"
    if not passed:
        call.refuse_non_finite("FG")
        members["message"] += f"; {ANY_PAIR}"
    U, V, Z, X = factors if passed else [None] * 4
    ranks = {"k": 0, "l": n, "r": n}
    return members | ranks | {"U": U, "V": V, "Z": Z, "X": X if x else None} | {"variant": plan.variant}
