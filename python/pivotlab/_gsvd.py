# SPDX-License-Identifier: BSD-3-Clause
"""Generalized singular value decomposition of a pair."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, of_one_type, on_host, thread_count
from ._device import device_gsvd
from ._on_gpu import on_one_gpu, refuse_stream
from ._stacks import over_stacks
from ._status import described, require_passed, size
from .typing import Backend, Matrix, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Gsvd:
    """F·Z = U·diag(sigma_f), G·Z = V·diag(sigma_g), sigma_f² + sigma_g² = 1, sigma = sigma_f/sigma_g.

    Arrays are stored by columns, and matrices are where F and G were. Another library's decomposition can be judged as
    `Gsvd(U=…, V=…, Z=…, sigma_f=…, sigma_g=…, sigma=…)`.
    """

    U: Matrix | None
    """m_F × r, orthonormal columns; None if the solver failed, as V and Z."""
    V: Matrix | None
    """m_G × r, orthonormal columns."""
    Z: Matrix | None
    """n × r."""
    sigma_f: Vector
    """Length r, in the order of the columns of U, V and Z."""
    sigma_g: Vector
    sigma: Vector
    """Length r, sigma_f/sigma_g; infinite where sigma_g is 0."""
    X: Matrix | None = None
    """r × n, X·Z = I, so that F = U·diag(sigma_f)·X; only if asked for."""
    R: Matrix | None = None
    """r × r, upper triangular: X = [0 R]·Qᴴ; only with X."""
    Q: Matrix | None = None
    """n × n, unitary; its first n − r columns span the common null space of F and G."""
    sigma_error: Vector | None = None
    """Estimates of the relative errors of sigma, from tangent reduction; if the largest is 0.1 or more, none is
    reliable."""
    k: int = 0
    """Number of infinite sigma, which come first, if the pair was reduced to a core pair."""
    l: int | None = None
    """Number of finite sigma, rank of G."""
    r: int | None = None
    """k + l, rank of [F; G]."""
    reduced: bool = False
    """Whether the pair was reduced to a core pair because of its shape or rank."""
    tolerance_f: float | None = None
    """Tolerance of |r_jj| of the pivoted QR factorization that has decided k; None without a reduction."""
    tolerance_g: float | None = None
    pivots_f: Vector = field(default_factory=lambda: np.empty(0))
    """|r_jj| of the pivoted QR factorizations, to compare with the tolerances."""
    pivots_g: Vector = field(default_factory=lambda: np.empty(0))
    status: str = "passed"
    """passed; incorrect: backward errors exceed their bounds; not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    fallback: str = "none"
    """What was taken where tangent reduction of (F, G) is impossible: none, swapped (that of (G, F)), and with
    variant="auto" hari-zimmermann."""
    fallback_reason: str = ""
    sweeps: list[dict] = field(default_factory=list)
    """Counters and seconds of each outer sweep of Hari–Zimmermann."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without copies and checks of the input; with matrices on a GPU until sigma is
    known."""

    def __repr__(self) -> str:
        ranks = f"{self.k} infinite and {self.l} finite" if self.reduced else None
        shapes = {"U": size(self.U), "V": size(self.V), "Z": size(self.Z), "sigma": ranks or len(self.sigma)}
        return described("Gsvd", variant=self.variant or None, **shapes, status=self.status)

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Writes an HDF5 file with U, V, Z, (X, R, Q), sigma, sigma_f, sigma_g, the counters of sweeps, status and
        these attributes (docs/reference/files.md). An existing file is replaced."""
        members = {f.name: getattr(self, f.name) for f in fields(self)} | {"sweeps": None}
        members |= {name: on_host(name, matrix) for name in "UVZXRQ" if (matrix := members[name]) is not None}
        write = _core.write_gsvd_z if np.iscomplexobj(self.Z) else _core.write_gsvd_d
        write(fspath(file), members, {"solver": self.variant} | attributes)


AUTOMATIC = "auto"


@over_stacks(2)
def gsvd(
    F: Any,
    G: Any,
    *,
    variant: str = AUTOMATIC,
    backend: Backend | None = None,
    x: bool = False,
    tolerance_f: float | None = None,
    tolerance_g: float | None = None,
    scale: bool = True,
    estimate_errors: bool = True,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Gsvd:
    """Computes the generalized singular value decomposition of F (m_F × n) and G (m_G × n), of any shapes and ranks.

    Matrices on a GPU (PyTorch, CuPy, or any with DLPack or `__cuda_array_interface__`) give U, V, Z and X on that GPU,
    arrays of the library of F, and sigma, sigma_f, sigma_g and sigma_error on the host. No matrix is copied through
    the host. m_F, m_G ≥ n ≥ 1 and G of full column rank are then required, and R and Q are not computed; scale and
    threads mean nothing. The call returns when sigma is known; the matrices are complete in the order of the stream.

    Args:
        F, G: matrices; other types than float64 and complex128 are converted with a ConversionWarning, on a GPU they
            are refused.
        variant: "auto" (tangent reduction, or Hari–Zimmermann where that is impossible), the name of a variant
            (pivotlab.variants("gsvd"); "?" stands for the letter of the type), or LAPACK's "lapack:dggsvd3". Arrays
            on a GPU have "auto" and the variants of tangent reduction.
        backend: "host", "cuda" or "emulation" (the GPU's kernels on the host; slow); None: where the matrices are.
        x: also compute X, R and Q.
        tolerance_f, tolerance_g: pivots up to this size count as zero when ranks are decided; the pair is then always
            reduced to a core pair. Default max(m, n)·‖A‖₁·2⁻⁵².
        scale: scale the columns of F and G by the same powers of two before ranks are decided.
        estimate_errors: estimate the errors of sigma (tangent reduction only).
        threads: threads of the host; 0 for all. They change no bit except those that LAPACK computes.
        stream: for arrays on a GPU, a stream of PyTorch or CuPy or the address of a cudaStream_t, on which F and G are
            ready and which outlives later calls; None: the current stream of the library of F.
        check: raise StatusError for an iteration that has not converged; if false, see the result's status.

    Raises:
        InputError: NaN or Inf, shapes that do not fit, an unknown variant, an invalid tolerance.
        NotSupported: the backend or a library is missing here, or does not take arrays on a GPU.
        StatusError: the solver has not passed.
        MemoryError: the memory of host or GPU does not suffice.

    Source: Novaković & Singer, "An implicit Hari–Zimmermann algorithm for the generalized SVD on the GPUs"; Drmač, "A
    tangent algorithm for computing the generalized singular value decomposition"; LAPACK xGGSVP3 for reductions.
    """
    if on_one_gpu(F=F, G=G):
        tolerances = tolerance_f is not None or tolerance_g is not None
        name = "?GT-(auto)" if variant == AUTOMATIC else variant
        asked = dict(backend=backend, x=x, tolerances=tolerances, estimate_errors=estimate_errors, stream=stream)
        return require_passed("gsvd", Gsvd(**device_gsvd(F, G, variant=name, **asked)), check)
    refuse_stream(stream)
    backend = backend or "host"
    F, G = of_one_type(as_matrix("F", F), as_matrix("G", G))
    threads = thread_count(threads)
    members = _core.gsvd(F, G, variant, backend, x, tolerance_f, tolerance_g, scale, estimate_errors, threads)
    return require_passed("gsvd", Gsvd(**members), check)
