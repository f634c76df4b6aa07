# SPDX-License-Identifier: BSD-3-Clause
"""Eigendecomposition of a Hermitian matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from typing import Any

from . import _core
from ._arrays import as_matrix, thread_count, whole_number
from ._core import InputError, NotSupported
from ._device import device_eigh
from ._eigenvalues import WithEstimates
from ._ghsvd import ghsvd
from ._ldlt import Inertia
from ._on_gpu import on_one_gpu, refuse_stream
from ._problems import indefinite_pair
from ._stacks import over_stacks
from ._status import require_passed
from .typing import Backend, Matrix, Triangle, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Eigh(WithEstimates):
    """A·U = U·diag(eigenvalues), UᴴU = I.

    Arrays are stored by columns. Another library's decomposition can be judged as `Eigh(eigenvalues=…, U=…)`.
    """

    eigenvalues: Vector
    """Length n, descending; to be judged, ascending is right, too."""
    U: Matrix | None = None
    """n × n, eigenvectors in this order; None with vectors=False."""
    estimate: Vector | None = None
    """Length n, estimated relative errors of the eigenvalues, between 0 and 1; the true error has been at most ten
    times as large. 0 for the eigenvalues 0 of zero rows of A, 1 for others. None for baselines."""
    inertia: Inertia | None = None
    """Signs of the eigenvalues; zero counts those that the factorization or the sweeps found zero."""
    rank: int | None = None
    """Number of columns of G in A = G·J·Gᴴ."""
    spectral: dict = field(default_factory=dict)
    """used, refusal, defect and newton_steps of the preconditioner of variants with `spectral`."""
    status: str = "passed"
    """passed, not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    sweeps: list[dict] = field(default_factory=list)
    """Counters and seconds of each sweep of the hyperbolic SVD."""
    factor_seconds: float = 0.0
    """Time of the factorization A = G·J·Gᴴ."""
    spectral_seconds: float = 0.0
    """Time of the preconditioner."""
    sweep_seconds: float = 0.0
    """Time of the hyperbolic SVD."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without copies and checks of the input."""

    def __iter__(self) -> Iterator[Any]:
        """eigenvalues, U, as in `w, U = eigh(A)`; the eigenvalues descend, those of numpy.linalg.eigh ascend."""
        return iter((self.eigenvalues, self.U))

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Writes an HDF5 file with the eigenvalues, their estimated errors, U, inertia, status and these attributes
        (docs/reference/files.md). An existing file is replaced."""
        members = {f.name: getattr(self, f.name) for f in fields(self)}
        write = _core.write_eigh_z if getattr(self.U, "dtype", None) == "complex128" else _core.write_eigh_d
        write(fspath(file), members, {"solver": self.variant} | attributes)


DEFAULT = "HEV-RK-ME-BO"


@over_stacks(2)
def eigh(
    A: Any,
    B: Any = None,
    *,
    variant: str = DEFAULT,
    backend: Backend | None = None,
    triangle: Triangle = "whole",
    vectors: bool = True,
    max_sweeps: int = 60,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Eigh:
    """Computes the eigendecomposition of a real symmetric or complex Hermitian A (n × n), accurate also for small
    eigenvalues of graded matrices, by A = G·J·Gᴴ and a one-sided hyperbolic Jacobi iteration.

    Args:
        A: the matrix; other types than float64 and complex128 are converted with a ConversionWarning. A matrix on an
            NVIDIA GPU is decomposed there, and U is an array on it. A stack (…, n, n) in the host's memory is
            decomposed matrix by matrix, and the result has stacks.
        B: a Hermitian positive definite matrix, for the generalized problem A·U = B·U·diag(eigenvalues), UᴴBU = I. It
            is solved by ghsvd() of factors of A and B; its result has no estimate.
        variant: the name of a variant (pivotlab.variants("eigh")), or a baseline such as "lapack:dsyevd".
        backend: "host", "cuda" or "emulation" (the GPU's kernels on the host; slow); by default the host, or the GPU of
            A.
        triangle: the part of A that is read, "whole", "lower" or "upper". Both triangles of "whole" must agree, on the
            host but for rounding: (A + Aᴴ)/2 is decomposed if |a_ij − conj(a_ji)| ≤ 8·2⁻⁵²·min(r_i, r_j), r_i the
            largest |Re|, |Im| in row and column i.
        vectors: compute U; baselines decide themselves.
        max_sweeps: largest number of sweeps, at least 1.
        threads: threads of the host; 0 for all. They change no bit except those that LAPACK computes.
        stream: of arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
        check: raise StatusError for an iteration that has not converged; if false, see the result's status.

    Raises:
        InputError: a matrix that is not Hermitian or has NaN or Inf, an unknown variant.
        NotSupported: the backend or a library is missing here, or the GPU of the argument cannot run the variant.
        StatusError: the solver has not passed.
        MemoryError: the memory of host or GPU does not suffice.

    Source: Slapničar, "Highly accurate symmetric eigenvalue decomposition and hyperbolic SVD" (2003).
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 1)
    if B is not None:
        if variant != DEFAULT or backend not in (None, "host") or stream is not None:
            raise InputError("B: the generalized problem has one variant, on the host; leave out the other arguments")
        return _generalized(A, B, vectors, sweeps, threads, check)
    if on_one_gpu(A=A):
        if triangle != "whole":
            raise NotSupported("triangle: of a matrix on a GPU both are read; fill them, or copy it to the host")
        members = device_eigh(A, variant=variant, backend=backend, vectors=vectors, max_sweeps=sweeps, stream=stream)
    else:
        refuse_stream(stream)
        members = _core.eigh(as_matrix("A", A), variant, backend or "host", triangle, vectors, sweeps, threads)
    members["inertia"] = Inertia(*members["inertia"])
    return require_passed("eigh", Eigh(**members), check)


def _generalized(A: Any, B: Any, vectors: bool, sweeps: int, threads: int, check: bool) -> Eigh:
    """By factors of A and B and their generalized hyperbolic SVD."""
    pair = indefinite_pair(A, B)
    solved = ghsvd(pair.F, pair.G, pair.J, max_sweeps=sweeps, threads=threads, check=False)
    U = solved.Z / solved.sigma_g if vectors and solved.Z is not None else None
    members = {name: getattr(solved, name) for name in ("eigenvalues", "inertia", "status", "message", "variant")}
    members |= {"sweeps": solved.sweeps, "compute_seconds": solved.compute_seconds}
    return require_passed("eigh", Eigh(U=U, **members), check)
