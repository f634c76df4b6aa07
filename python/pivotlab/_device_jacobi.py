"""The SVD, the Hermitian eigendecomposition and the generalized hyperbolic SVD of matrices on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import as_signs
from ._core import InputError
from ._on_gpu import gpu_call, require_as_many_columns, require_square


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


def device_ghsvd(
    F: Any, G: Any, J: Any, *, variant: str, backend: str | None, max_sweeps: int, threads: int, stream: Any
) -> dict[str, Any]:
    """The members of a Ghsvd whose matrices are on the GPU of F and G, of the library of F."""
    with gpu_call(backend, stream, F=F, G=G) as call:
        (m_f, n), (m_g, columns) = (memory.shape for memory in call.memories)
        require_as_many_columns(n, columns)
        if not 1 <= n <= m_g:
            raise InputError(
                f"G: {m_g} × {n} is not of at least as many rows as columns, and at least one; append rows"
            )
        signs = as_signs("J", J, m_f, "row of F")
        shape = (m_f, m_g, n)
        with call.plan_in_workspace(_core.GhsvdPlanD, _core.GhsvdPlanZ, *shape, variant, max_sweeps, threads) as plan:
            factors = [call.matrix(rows, n) for rows in shape]
            given = [call.columns(matrix) for matrix in call.matrices]
            members = plan.run(*given, signs, *(call.columns(factor) for factor in factors))
        if members["status"] == "failed":
            call.refuse_non_finite("FG")
            factors = [None] * 3
    return members | dict(zip("UVZ", factors, strict=True))


def _zeros(values: np.ndarray) -> tuple[int, int]:
    """The first and the end of the zeros, which are together."""
    zeros = np.flatnonzero(values == 0)
    return (int(zeros[0]), int(zeros[-1]) + 1) if len(zeros) else (0, 0)
