# SPDX-License-Identifier: BSD-3-Clause
"""Ordinary and hyperbolic singular value decompositions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, as_signs, thread_count, whole_number
from ._device import device_svd
from ._on_gpu import on_one_gpu, refuse_stream
from ._stacks import over_stacks
from ._status import described, require_passed, size
from .typing import Backend, Integers, Matrix, Vector

AUTOMATIC = "auto"


@dataclass(frozen=True, repr=False, eq=False)
class Svd:
    """G·V = U·diag(sigma), UᴴU = I, Vᴴ·diag(J₀)·V = diag(J), where J₀ are the signs that were given.

    J₀ = 1 is the ordinary SVD, G = U·diag(sigma)·Vᴴ. G is m × n, and k = min(m, n). Arrays are stored by columns.
    Another library's decomposition can be judged as `Svd(U=…, sigma=…, V=…)`.
    """

    U: Matrix | None
    """m × k, orthonormal columns; those of sigma = 0 are arbitrary. None if the solver failed."""
    sigma: Vector
    """Length k; J·sigma² descends: sigma of J = 1 descend, those of J = −1 ascend."""
    J: Integers | None = None
    """Length k, all 1 before all −1; None means 1."""
    V: Matrix | None = None
    """n × k; only if asked for."""
    estimate: Vector | None = None
    """Length k, estimated relative errors of sigma²; for sigma = 0 it is 0 if zero columns (rows, if m < n) determine
    it, else 1. None for baselines."""
    status: str = "passed"
    """passed, not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    sweeps: list[dict] = field(default_factory=list)
    """Counters and seconds of each sweep."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without copies and checks of the input."""

    @property
    def hyperbolic(self) -> bool:
        """Whether a sign is −1."""
        return self.J is not None and bool(np.any(np.asarray(self.J) < 0))

    def __iter__(self) -> Iterator[Any]:
        """U, sigma, V = svd(G, v=True). NumPy and LAPACK give Vᴴ in the place of V."""
        return iter((self.U, self.sigma, self.V))

    def __repr__(self) -> str:
        signs = (
            f"{np.sum(np.asarray(self.J) > 0)} + and {np.sum(np.asarray(self.J) < 0)} −" if self.hyperbolic else None
        )
        facts = {"U": size(self.U), "V": size(self.V), "J": signs, "sweeps": len(self.sweeps) or None}
        return described("Svd", variant=self.variant or None, sigma=len(self.sigma), **facts, status=self.status)

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Writes an HDF5 file with sigma, J, the estimated errors, U, (V), status and these attributes. An existing
        file is replaced. docs/reference/files.md describes it."""
        members = {f.name: getattr(self, f.name) for f in fields(self)} | {"J": as_signs("J", self.J, len(self.sigma))}
        write = _core.write_svd_z if np.iscomplexobj(self.U) else _core.write_svd_d
        write(fspath(file), members, {"solver": self.variant} | attributes)


@over_stacks(1)
def svd(
    G: Any,
    *,
    J: Any = None,
    variant: str = AUTOMATIC,
    backend: Backend | None = None,
    v: bool = False,
    max_sweeps: int = 60,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Svd:
    """Computes the singular value decomposition of G (m × n), or the hyperbolic one of (G, J), by a one-sided Jacobi
    iteration. Small singular values are accurate however much the norms of columns differ, without J also of rows.
    Of a stack (…, m, n) in the host's memory every matrix is decomposed, and the result has stacks.

    Args:
        G: the matrix; other types than float64 and complex128 are converted with a ConversionWarning. A matrix on an
            NVIDIA GPU is decomposed there, and U and V are arrays on it.
        J: n signs 1 and −1 for the hyperbolic decomposition, m ≥ n; None means 1.
        variant: "auto" (HSVD-ME-BO, on the host without J with `qrp` where rows differ in size), the name of a variant
            (pivotlab.variants("hsvd")), or, without J, a baseline such as "lapack:dgesvj".
        backend: "host", "cuda" or "emulation" (the GPU's kernels on the host; slow); by default the host, or the GPU of
            G.
        v: compute V; baselines always do.
        max_sweeps: largest number of sweeps, at least 1.
        threads: threads of the host; 0 for all. They change no bit except those that LAPACK computes.
        stream: of arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
        check: raise StatusError for an iteration that has not converged; if false, see the result's status.

    Raises:
        InputError: NaN or Inf, a J of another length or with other elements, or with both signs and m < n, an unknown
            variant, a matrix with m < n on a GPU.
        NotSupported: the backend or a library is missing here, or the GPU of the argument cannot run the variant.
        StatusError: the solver has not passed.
        MemoryError: the memory of host or GPU does not suffice.

    Source: Veselić, "A Jacobi eigenreduction algorithm for definite matrix pairs" (1993); Hari, Singer & Singer (2010,
    2014) for the blocks.
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 1)
    if on_one_gpu(G=G):
        name = "HSVD-ME-BO" if variant == AUTOMATIC else variant
        members = device_svd(G, J, variant=name, backend=backend, v=v, max_sweeps=sweeps, stream=stream)
        return require_passed("svd", Svd(**members), check)
    refuse_stream(stream)
    matrix = as_matrix("G", G)
    signs = as_signs("J", J, matrix.shape[1])
    return require_passed("svd", Svd(**_core.svd(matrix, signs, variant, backend or "host", v, sweeps, threads)), check)
