"""The eigendecomposition of a general matrix on a GPU, without a copy through the host."""

from __future__ import annotations

from typing import Any

from . import _core
from ._on_gpu import gpu_call, require_square


def device_eig(
    A: Any,
    *,
    variant: str,
    backend: str | None,
    right: bool,
    left: bool,
    conditions: bool,
    triangular: bool,
    max_sweeps: int,
    stream: Any,
) -> dict[str, Any]:
    """The members of an Eig whose V is on the GPU of A, of its library."""
    with gpu_call(backend, stream, A=A) as call:
        n, _ = call.memories[0].shape
        require_square(call.memories[0].shape)
        options = (variant, right, left, conditions, triangular, max_sweeps)
        with call.plan_in_workspace(_core.EigPlanD, _core.EigPlanZ, n, *options) as plan:
            V = call.library.matrix(n, n if right else 0, "complex128", call.device)
            members = plan.run(call.columns(call.matrices[0]), call.columns(V))
    return members | {"V": V if right else None}
