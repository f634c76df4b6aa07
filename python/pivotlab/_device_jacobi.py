"""The SVD and the Hermitian eigendecomposition of a matrix on a GPU, without a copy through the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import as_signs
from ._core import InputError
from ._on_gpu import gpu_call, require_square


def device_svd(
    G: Any, J: Any, *, variant: str, backend: str | None, v: bool, max_sweeps: int, stream: Any
) -> dict[str, Any]:
    """The members of an Svd whose matrices are on the GPU of G, of its library."""
    with gpu_call(backend, stream, G=G) as call:
        m, n = call.memories[0].shape
        if not 1 <= n <= m:
            raise InputError(f"G: {m} × {n} is not of at least as many rows as columns, and at least one; pass G.T")
        signs = as_signs("J", J, n)
        with call.plan_in_workspace(_core.SvdPlanD, _core.SvdPlanZ, m, n, variant, v, max_sweeps) as plan:
            U, V = call.matrix(m, n), call.matrix(n, n if v else 0)
            members = plan.run(call.columns(call.matrices[0]), signs, call.columns(U), call.columns(V))
        call.library.complete(U, *_zeros(members["sigma"]))
    return members | {"U": U, "V": V if v else None}


def device_eigh(
    A: Any, *, variant: str, backend: str | None, vectors: bool, max_sweeps: int, stream: Any
) -> dict[str, Any]:
    """The members of an Eigh whose matrices are on the GPU of A, of its library."""
    with gpu_call(backend, stream, A=A) as call:
        n, _ = call.memories[0].shape
        require_square(call.memories[0].shape)
        with call.plan_in_workspace(_core.EighPlanD, _core.EighPlanZ, n, variant, max_sweeps) as plan:
            U = call.matrix(n, n if vectors else 0)
            members = plan.run(call.columns(call.matrices[0]), call.columns(U))
        if vectors:
            call.library.complete(U, *_zeros(members["eigenvalues"]))
    return members | {"U": U if vectors else None}


def _zeros(values: np.ndarray) -> tuple[int, int]:
    """The first and the end of the zeros, which are together."""
    zeros = np.flatnonzero(values == 0)
    return (int(zeros[0]), int(zeros[-1]) + 1) if len(zeros) else (0, 0)
