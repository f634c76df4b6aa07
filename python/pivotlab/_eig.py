# SPDX-License-Identifier: BSD-3-Clause
"""Eigendecomposition of a general matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, thread_count, whole_number
from ._device import device_eig
from ._on_gpu import on_one_gpu, refuse_stream
from ._stacks import over_stacks
from ._status import described, require_passed, size
from .typing import Backend, ComplexVector, Integers, Matrix, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Eig:
    """A·V = V·diag(eigenvalues), Wᴴ·A = diag(eigenvalues)·Wᴴ, A·E = E·T.

    Arrays are stored by columns. Another library's decomposition can be judged as `Eig(eigenvalues=…, V=…)`.
    """

    eigenvalues: ComplexVector
    """Length n, by descending modulus; equal moduli by descending real, then imaginary part."""
    V: Matrix | None
    """n × n, right eigenvectors in this order, with unit 2-norm."""
    W: Matrix | None = None
    """n × n, left eigenvectors in the same form; only if asked for, as all that follows."""
    conditions: Vector | None = None
    """Length n, condition numbers 1/|wᴴv| of the eigenvalues of the given matrix, for changes relative to ‖A‖."""
    T: Matrix | None = None
    """n × n, upper triangular."""
    E: Matrix | None = None
    """n × n, E·T = A·E."""
    positions: Integers | None = None
    """Eigenvalue k is element positions[k] of the diagonal of T."""
    status: str = "passed"
    """passed, not_converged or failed."""
    message: str = ""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    sweeps: list[dict] = field(default_factory=list)
    """norm, lower, departure, largest_tau and seconds of the iterate before the first sweep and after each."""
    refined: int = 0
    """Number of eigenpairs that the refinement improved."""
    finished: bool = False
    """Whether a Schur form has replaced the iterate."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without copies and checks of the input."""

    def __iter__(self) -> Iterator[Any]:
        """eigenvalues, V, as in `w, V = eig(A)`."""
        return iter((self.eigenvalues, self.V))

    def __repr__(self) -> str:
        shapes = {"n": np.shape(self.eigenvalues)[-1], "V": size(self.V), "W": size(self.W), "T": size(self.T)}
        sweeps = len(self.sweeps) - 1 if self.sweeps else None
        return described("Eig", variant=self.variant or None, **shapes, sweeps=sweeps, status=self.status)

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Writes an HDF5 file with the eigenvalues, the matrices that were computed, the history of sweeps, status and
        these attributes (docs/reference/files.md). An existing file is replaced."""
        members = {f.name: getattr(self, f.name) for f in fields(self)}
        _core.write_eig(fspath(file), members, {"solver": self.variant} | attributes)


@over_stacks(1)
def eig(
    A: Any,
    *,
    variant: str | None = None,
    backend: Backend | None = None,
    right: bool = True,
    left: bool = False,
    conditions: bool = False,
    triangular: bool = False,
    max_sweeps: int = 100,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Eig:
    """Computes the eigendecomposition of A (n × n, real or complex) by a Jacobi-like iteration.

    Args:
        A: the matrix; other types than float64 and complex128 are converted with a ConversionWarning. A matrix on an
            NVIDIA GPU is decomposed there, and V is an array on it.
        variant: the name of a variant (pivotlab.variants("eig")), or a baseline such as "lapack:zgeev"; by default
            "ZEIG-(RR);b=16;finish", as for the command; for a matrix on a GPU "ZEIG-(RR);b=16", whose residuals
            nothing tests: judge() the result.
        backend: "host", "cuda" or "emulation" (the GPU's kernels on the host; slow); by default the host, or the GPU of
            A.
        right, left: compute right and left eigenvectors.
        conditions: compute the condition numbers of the eigenvalues.
        triangular: also return T and E.
        max_sweeps: largest number of sweeps.
        threads: threads of the host; 0 for all. They change no bit of the result.
        stream: of arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
        check: raise StatusError for an iteration that has not converged; if false, see the result's status.

    Raises:
        InputError: a matrix that is not square or has NaN or Inf, an unknown variant.
        NotSupported: the backend or a library is missing here; left vectors, condition numbers, the triangular form and
            variants with refine or finish of a matrix on a GPU, which the host computes.
        StatusError: the solver has not passed.
        MemoryError: the memory of host or GPU does not suffice.

    Source: a poster on a parallel Jacobi method for general complex matrices on a GPU, after G. M. Shroff, Numer. Math.
    58 (1990).
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 0)
    if on_one_gpu(A=A):
        vectors = dict(right=right, left=left, conditions=conditions, triangular=triangular)
        members = device_eig(
            A, variant=variant or "ZEIG-(RR);b=16", backend=backend, max_sweeps=sweeps, stream=stream, **vectors
        )
        return require_passed("eig", Eig(**members), check)
    refuse_stream(stream)
    matrix = as_matrix("A", A)
    members = _core.eig(matrix, variant, backend or "host", right, left, conditions, triangular, sweeps, threads)
    return require_passed("eig", Eig(**members), check)
