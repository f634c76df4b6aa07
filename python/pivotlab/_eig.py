# SPDX-License-Identifier: BSD-3-Clause
"""Eigendecomposition of a general matrix, and of a pencil."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, by_columns, file_name, thread_count, whole_number
from ._conventions import Unpacks, members_of, named_by_driver, solver
from ._core import InputError, NotSupported
from ._device import device_eig
from ._gpu_stacks import eig_of_stack, is_stack
from ._on_gpu import on_one_gpu, refuse_stream
from ._status import described, require_passed, size
from .typing import Backend, ComplexVector, Integers, Matrix, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Eig(Unpacks):
    """A·V = V·diag(eigenvalues), Wᴴ·A = diag(eigenvalues)·Wᴴ, A·E = E·T.

    It unpacks as `eigenvalues, V`. Arrays are stored by columns. Another library's decomposition can be judged as
    `Eig(eigenvalues=…, V=…)`.
    """

    _order = ("eigenvalues", "V")

    eigenvalues: ComplexVector | Vector
    """Length n, by descending modulus; equal moduli by descending real, then imaginary part. Real if A is Hermitian."""
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
    """passed, not_converged or failed; of a pencil also incorrect."""
    message: str = ""
    statuses: tuple[str, ...] | None = None
    """Of a stack the status of each matrix, the last axis fastest; None of one matrix."""
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
    alpha: ComplexVector | None = None
    """Of a pencil: length n, eigenvalues = alpha/beta."""
    beta: ComplexVector | None = None

    @property
    def eigenvectors(self) -> Matrix | None:
        """V, as in numpy.linalg.eig."""
        return self.V

    def __repr__(self) -> str:
        shapes = {"n": np.shape(self.eigenvalues)[-1], "V": size(self.V), "W": size(self.W), "T": size(self.T)}
        sweeps = len(self.sweeps) - 1 if self.sweeps else None
        return described("Eig", variant=self.variant or None, **shapes, sweeps=sweeps, status=self.status)

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Write an HDF5 file with the eigenvalues, the matrices that were computed, the history of sweeps, status and
        these attributes (docs/reference/files.md). An existing file is replaced."""
        members = members_of(self) | {"eigenvalues": np.asarray(self.eigenvalues, dtype=complex)}
        _core.write_eig(file_name(file), members, {"solver": self.variant} | attributes)


@solver(2, own=1)
def eig(
    A: Any,
    B: Any = None,
    *,
    variant: str | None = None,
    driver: str | None = None,
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
    """Compute the eigendecomposition of A by a Jacobi-like iteration, or that of the pencil A − λ·B.

    Parameters
    ----------
    A : array_like, shape (..., n, n)
        The matrix, real or complex. Integers are converted with a ConversionWarning; single precision is computed in
        double, and the result is rounded. A matrix on an NVIDIA GPU is decomposed there, and the eigenvalues
        and V are arrays on it. Of a stack one kernel with a QR iteration decomposes all matrices, of up
        to 256 columns: the variant is QR, whose errors are relative to the norm of the balanced matrix.
    B : array_like, shape (..., n, n), optional
        For A·v = λ·B·v. B may be singular: eigenvalues are then infinite. The pencil is solved by LAPACK's zggev on the
        host, in complex arithmetic also if both are real: the eigenvalues are those of a pencil near (A, B), with
        changes of about n·2⁻⁵² times ‖A‖ and ‖B‖, and its residuals are tested. Variants, condition numbers and the
        triangular form do not exist for it.
    variant : str, optional
        The name of a variant (`pivotlab.variants("eig")`) or a baseline such as "lapack:zgeev"; by default
        "ZEIG-(RR);b=16;finish", as for the command; for a matrix on a GPU "ZEIG-(RR);b=16", whose residuals nothing
        tests: judge() the result.
    driver : str, optional
        Another name of the variant, also "geev" or "geevx".
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels on the host, slowly; by default the host, or the GPU of A.
    right, left : bool
        Compute right and left eigenvectors.
    conditions : bool
        Compute the condition numbers of the eigenvalues.
    triangular : bool
        Also return T and E.
    max_sweeps : int
        Largest number of sweeps.
    threads : int
        Threads of the host; 0 for all. They change no bit except those that LAPACK computes.
    stream : optional
        For arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
    check : bool
        Raise StatusError for a solver that has not passed; if false, see the result's status.

    Returns
    -------
    Eig
        `w, V = eig(A)`, and more members by name.

    Raises
    ------
    InputError
        A matrix that is not square or has NaN or Inf, an unknown variant.
    NotSupported
        The backend or a library is missing here; left vectors, condition numbers, the triangular form and variants with
        refine or finish of a matrix on a GPU, which the host computes.
    StatusError
        The solver has not passed.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    O(n³) operations a sweep, O(n²) memory; a pencil takes about 70·n³ complex operations.

    Source: a poster on a parallel Jacobi method for general complex matrices on a GPU, after G. M. Shroff, Numer. Math.
    58 (1990); for pencils C. B. Moler and G. W. Stewart, SIAM J. Numer. Anal. 10 (1973).

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> A = np.array([[1.0, 2.0], [0.0, 3.0]])
    >>> w, V = pivotlab.eig(A)
    >>> np.allclose(w, [3, 1]) and np.allclose(A @ V, V * w)
    True
    >>> np.allclose(pivotlab.eig(A, np.diag([1.0, 0.0])).eigenvalues, [np.inf, 1])
    True
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 0)
    variant = named_by_driver(variant, None, driver, ("", ""), A, B)
    if B is not None:
        if variant is not None or backend not in (None, "host") or conditions or triangular or stream is not None:
            raise InputError("B: LAPACK's QZ algorithm on the host solves the pencil; leave out what selects others")
        return require_passed("eig", _of_pencil(A, B, right, left, threads), check)
    if on_one_gpu(A=A) and is_stack(A):
        if left or conditions or triangular:
            raise NotSupported("left, conditions, triangular: are not for stacks on a GPU; pass matrices one by one")
        of_stack = eig_of_stack(A, variant=variant, backend=backend, right=right, stream=stream)
        return require_passed("eig", Eig(**of_stack), check)
    if on_one_gpu(A=A):
        vectors = dict(right=right, left=left, conditions=conditions, triangular=triangular)
        members = device_eig(
            A, variant=variant or "ZEIG-(RR);b=16", backend=backend, max_sweeps=sweeps, stream=stream, **vectors
        )
        return require_passed("eig", Eig(**members), check)
    refuse_stream(stream)
    matrix = as_matrix("A", A)
    members = _core.eig(matrix, variant, backend or "host", right, left, conditions, triangular, sweeps, threads)
    if np.array_equal(matrix, matrix.conj().T):  # the imaginary parts are rounding errors
        members["eigenvalues"] = members["eigenvalues"].real.copy()
    return require_passed("eig", Eig(**members), check)


def _of_pencil(A: Any, B: Any, right: bool, left: bool, threads: int) -> Eig:
    a, b = (by_columns(as_matrix(name, given).astype(complex)) for name, given in (("A", A), ("B", B)))
    members = _core.pencil(a, b, left, threads)
    return Eig(**members | ({} if right else {"V": None}), variant="lapack:zggev")


def eigvals(A: Any, B: Any = None, **options: Any) -> ComplexVector | Vector:
    """Compute the eigenvalues of A, or of the pencil A − λ·B, by `eig`, whose options it has.

    Parameters
    ----------
    A, B : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (..., n)
        By descending modulus; real if A is Hermitian and there is no B.

    Examples
    --------
    >>> import pivotlab
    >>> pivotlab.eigvals([[2.0, 0.0], [0.0, 5.0]])
    array([5., 2.])
    """
    return eig(A, B, right=False, **options).eigenvalues
