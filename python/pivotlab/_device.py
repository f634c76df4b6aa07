# SPDX-License-Identifier: BSD-3-Clause
"""The solvers of matrices on a GPU, without a copy through the host; results are on the GPU and of the library of the
first argument. The factorization is in _device_ldlt.py."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._arrays import as_signs
from ._core import InputError, NotSupported
from ._on_gpu import HOST_COPIES, Kept, gpu_call, is_wide

TWO_STAGE = "HEV-2STAGE"
"""The variant of eigh that computes only the vectors that are wanted."""

ALL = (0, -1, -math.inf, math.inf)
"""The subset of all vectors: the first one in descending order, how many, and bounds of the eigenvalues."""

ANY_PAIR = f"{HOST_COPIES}, which may have any shape and rank"


def device_svd(
    G: Any, J: Any, *, full_matrices: bool, variant: str, backend: str | None, v: bool, max_sweeps: int, stream: Any
) -> dict[str, Any]:
    """The members of an Svd. A matrix with more columns than rows is decomposed as Gᴴ = V·diag(sigma)·Uᴴ."""
    wide = is_wide(G, J)
    with gpu_call(backend, stream, wide, G=G) as call:
        m, n = call.shapes[0]
        if n == 0:
            raise InputError(f"G: {m} × {n} has no rows or no columns, as on a GPU it must have; {HOST_COPIES}")
        signs = as_signs("J", J, n)
        both = v or wide
        with call.plan_in_workspace("Svd", m, n, variant, both, max_sweeps) as plan:
            left, right = call.matrix(m, n), call.matrix(n, n if both else 0)
            members = plan.run(*call.columns(*call.matrices), signs, *call.columns(left, right))
        call.library.complete(left, *_zeros(members["sigma"]))
        if full_matrices:
            left = call.library.completed(left)
        members = call.with_values_on_gpu(members)
    U, V = (right, left) if wide else (left, right)
    return members | {"U": U, "V": V if v else None}


def device_eigh(
    A: Any,
    *,
    variant: str,
    backend: str | None,
    vectors: bool,
    subset: tuple[int, int, float, float],
    max_sweeps: int,
    stream: Any,
) -> dict[str, Any]:
    """The members of an Eigh. Only HEV-2STAGE takes a subset, and has no vectors to be completed."""
    with gpu_call(backend, stream, A=A) as call:
        n = call.order()
        first, count, above, most = subset
        with call.plan_in_workspace("Eigh", n, variant, max_sweeps) as plan:
            U = call.matrix(n, (n - first if count < 0 else count) if vectors else 0)
            members = plan.run(*call.columns(*call.matrices, U), subset)
        values = members["eigenvalues"]
        if vectors and not members["variant"].startswith(TWO_STAGE):
            call.library.complete(U, *_zeros(values))
        if (above, most) != ALL[2:]:
            U = U[:, : int(((values > above) & (values <= most)).sum())]
        members = call.with_values_on_gpu(members)
    return members | {"U": U if vectors else None}


def _zeros(values: np.ndarray) -> tuple[int, int]:
    """The first and the end of the zeros, which are together."""
    zeros = np.flatnonzero(values == 0)
    return (int(zeros[0]), int(zeros[-1]) + 1) if len(zeros) else (0, 0)


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
    """The members of an Eig."""
    with gpu_call(backend, stream, A=A) as call:
        n = call.order()
        with call.plan_in_workspace("Eig", n, variant, right, left, conditions, triangular, max_sweeps) as plan:
            V = call.library.matrix(n, n if right else 0, "complex128", call.device)
            members = plan.run(*call.columns(*call.matrices, V))
        if call.library.is_hermitian(call.matrices[0]):  # the imaginary parts are rounding errors
            members["eigenvalues"] = members["eigenvalues"].real.copy()
        members = call.with_values_on_gpu(members)
    return members | {"V": V if right else None}


def device_ghsvd(
    F: Any, G: Any, J: Any, *, variant: str, backend: str | None, max_sweeps: int, threads: int, stream: Any
) -> dict[str, Any]:
    """The members of a Ghsvd."""
    with gpu_call(backend, stream, F=F, G=G) as call:
        shape = m_f, m_g, n = call.pair_shape()
        if not 1 <= n <= m_g:
            raise InputError(
                f"G: {m_g} × {n} is not of at least as many rows as columns, and at least one; append rows"
            )
        signs = as_signs("J", J, m_f, "row of F")
        with call.plan_in_workspace("Ghsvd", *shape, variant, max_sweeps, threads) as plan:
            factors = [call.matrix(rows, n) for rows in shape]
            members = plan.run(*call.columns(*call.matrices), signs, *call.columns(*factors))
        if members["status"] == "failed":
            call.refuse_non_finite("FG")
            factors = [None] * 3
        members = call.with_values_on_gpu(members)
    return members | dict(zip("UVZ", factors, strict=True))


def device_gsvd(
    F: Any, G: Any, *, variant: str, backend: str | None, x: bool, tolerances: bool, estimate_errors: bool, stream: Any
) -> dict[str, Any]:
    """The members of a Gsvd."""
    if tolerances:
        raise NotSupported(f"tolerance_f, tolerance_g: no rank is decided on a GPU; leave them out, or {ANY_PAIR}")
    with gpu_call(backend, stream, F=F, G=G) as call:
        shape = m_f, m_g, n = call.pair_shape()
        for name, rows in (("F", m_f), ("G", m_g)):
            if not 1 <= n <= rows:
                wrong = f"{rows} × {n} is not of at least as many rows as columns"
                raise InputError(f"{name}: {wrong}, as on a GPU it has to be; {ANY_PAIR}")
        kind = call.kind("Gsvd")

        def make() -> Kept:
            return Kept(kind(*shape, variant, call.device, call.address), call.stream)

        with call.plan((kind, *shape, variant), make) as plan:
            factors = [call.matrix(rows, columns) for rows, columns in ((m_f, n), (m_g, n), (n, n), (n, n if x else 0))]
            _workspace, address = call.bytes(plan.workspace_bytes)  # of this call only
            members = plan.run(*call.columns(*call.matrices, *factors), address, estimate_errors)
        passed = members["status"] == "passed"
        if not passed:
            call.refuse_non_finite("FG")
            members["message"] += f"; {ANY_PAIR}"
        members = call.with_values_on_gpu(members)
    U, V, Z, X = factors if passed else [None] * 4
    return members | {"k": 0, "l": n, "r": n, "U": U, "V": V, "Z": Z, "X": X if x else None, "variant": plan.variant}
