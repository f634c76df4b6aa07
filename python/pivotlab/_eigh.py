# SPDX-License-Identifier: BSD-3-Clause
"""Eigendecomposition of a Hermitian matrix, and of a definite pair of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import as_matrix, file_name, real_number, thread_count, whole_number
from ._conventions import Unpacks, members_of, named_by_driver, solver
from ._core import InputError, NotSupported
from ._device import ALL, TWO_STAGE, device_eigh
from ._eigenvalues import WithEstimates
from ._ghsvd import DEFAULT as DEFAULT_OF_PAIRS
from ._ghsvd import ghsvd
from ._gpu_stacks import eigh_of_stack, is_stack
from ._inertia import Inertia
from ._on_gpu import on_one_gpu, refuse_stream
from ._problems import indefinite_pair
from ._status import require_passed
from .typing import Backend, Integers, Matrix, Triangle, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Eigh(WithEstimates, Unpacks):
    """A·U = U·diag(eigenvalues), UᴴU = I.

    It unpacks as `eigenvalues, U`. Arrays are stored by columns. Another library's decomposition can be judged as
    `Eigh(eigenvalues=…, U=…)`.
    """

    _order = ("eigenvalues", "U")

    eigenvalues: Vector
    """Length n, descending, or as asked for; to be judged, ascending is right, too."""
    U: Matrix | None = None
    """n × n, eigenvectors in this order; None with vectors=False."""
    estimate: Vector | None = None
    """Length n, estimated relative errors of the eigenvalues, between 0 and 1; the true error has been at most ten
    times as large. 0 for the eigenvalues 0 of zero rows of A, 1 for others. Those of HEV-2STAGE are
    2·(n + 4)·2⁻⁵³·‖A‖₂/|λ|, at most 1. None for baselines."""
    inertia: Inertia | None = None
    """Signs of all eigenvalues; zero counts those that the factorization or the sweeps found zero."""
    rank: int | None = None
    """Number of columns of G in A = G·J·Gᴴ; 0 for HEV-2STAGE."""
    spectral: dict = field(default_factory=dict)
    """used, refusal, defect and newton_steps of the preconditioner of variants with `spectral`."""
    status: str = "passed"
    """passed, not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    statuses: tuple[str, ...] | None = None
    """Of a stack the status of each matrix, the last axis fastest; None of one matrix."""
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

    @property
    def eigenvectors(self) -> Matrix | None:
        """U, as in numpy.linalg.eigh."""
        return self.U

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Write an HDF5 file with the eigenvalues, their estimated errors, U, inertia, status and these attributes
        (docs/reference/files.md). An existing file is replaced."""
        write = _core.write_eigh_z if np.iscomplexobj(self.U) else _core.write_eigh_d
        write(file_name(file), members_of(self), {"solver": self.variant} | attributes)

    def _selected(self, columns: slice, ascending: bool) -> Eigh:
        """These eigenvalues in this order with what belongs to them."""
        if columns == slice(None) and not ascending:
            return self

        n = self.eigenvalues.shape[-1]

        def part(own: Any) -> Any:
            chosen = own[..., columns] if own.shape[-1] == n else own  # U of a subset
            return chosen if not ascending else chosen.flip(-1) if hasattr(chosen, "flip") else chosen[..., ::-1]

        chosen = {name: getattr(self, name) for name in ("eigenvalues", "U", "estimate")}
        return replace(self, **{name: part(own) for name, own in chosen.items() if own is not None})


DEFAULT = "HEV-RK-ME-BO"


@solver(2)
def eigh(
    A: Any,
    B: Any = None,
    *,
    variant: str = DEFAULT,
    driver: str | None = None,
    backend: Backend | None = None,
    triangle: Triangle = "whole",
    vectors: bool = True,
    type: Literal[1, 2, 3] = 1,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    ascending: bool = False,
    max_sweeps: int = 60,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Eigh:
    """Compute the eigendecomposition of a Hermitian A, accurate also for small eigenvalues of graded matrices, by
    A = G·J·Gᴴ and a one-sided hyperbolic Jacobi iteration; or, with driver="2stage", on a GPU in much less time with
    errors relative to ‖A‖; or that of a definite pair (A, B).

    Parameters
    ----------
    A : array_like, shape (..., n, n)
        The matrix, real symmetric or complex Hermitian. Integers are converted with a ConversionWarning; single
        precision is computed in double, and the result is rounded. A matrix on an NVIDIA GPU is decomposed there, and U
        is an array on it. Of a stack all arrays of the result are on it, without the inertia, and one kernel decomposes
        all matrices, of up to 256 columns.
    B : array_like, shape (..., n, n), optional
        A Hermitian positive definite matrix, for A·u = λ·B·u with UᴴBU = I. It is solved on the host by ghsvd() of
        factors of D·A·D and D·B·D, D of powers of two that bring the diagonal of B near 1; they are computed in
        double-double and long double and rounded once. The result has no estimate.
    variant : str
        The name of a variant (`pivotlab.variants("eigh")`, of a pair "ghsvd"), or a baseline such as "lapack:dsyevd".
    driver : str, optional
        Another name of the variant, also "2stage" for HEV-2STAGE, "evd", "evr" or "ev_2stage", of a pair "gvd".
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels on the host, slowly; by default the host, or the GPU of A. HEV-2STAGE needs
        "cuda" for a matrix on the host, which it copies.
    triangle : {"whole", "lower", "upper"}
        The part of A and B that is read. Both triangles of "whole" must agree, on the host but for rounding: (A +
        Aᴴ)/2 is decomposed if |a_ij − conj(a_ji)| ≤ 8·2⁻⁵²·min(r_i, r_j), r_i the largest |Re|, |Im| in row and column
        i. Matrices in single precision must agree exactly.
    vectors : bool
        Compute U; baselines decide themselves. Without U HEV-2STAGE takes less than half of the time, and the last bits
        of the eigenvalues may be others.
    type : {1, 2, 3}
        The problem of a pair: A·u = λ·B·u, A·B·u = λ·u or B·A·u = λ·u, with UᴴBU = I, for 3 with UᴴB⁻¹U = I. For 2 and
        3 the factor of D·B·D is inverted in double, and relative errors of eigenvalues grow with the square root of its
        condition.
    subset_by_index : (int, int), optional
        The first and the last index of the eigenvalues that are returned; the least has the index 0, as in SciPy. All
        are computed: only HEV-2STAGE saves the time of vectors that are not wanted.
    subset_by_value : (float, float), optional
        Only eigenvalues λ with lowest < λ ≤ highest are returned; this saves time as subset_by_index does.
    ascending : bool
        Order of the eigenvalues, ascending as in NumPy, or descending.
    max_sweeps : int
        Largest number of sweeps, at least 1.
    threads : int
        Threads of the host; 0 for all. They change no bit except those that LAPACK computes.
    stream : optional
        For arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
    check : bool
        Raise StatusError for an iteration that has not converged; if false, see the result's status.

    Returns
    -------
    Eigh
        `w, U = eigh(A)`, and more members by name.

    Raises
    ------
    InputError
        A matrix that is not Hermitian or has NaN or Inf, a B that is not positive definite, an unknown variant.
    NotSupported
        The backend or a library is missing here, or the GPU of the argument cannot run the variant.
    StatusError
        The solver has not passed.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    O(n³) operations a sweep, O(n²) memory.

    Source: Slapničar, "Highly accurate symmetric eigenvalue decomposition and hyperbolic SVD" (2003).

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> A = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> w, U = pivotlab.eigh(A)
    >>> np.allclose(w, [3, 1]) and np.allclose(A @ U, U * w)
    True
    >>> np.allclose(pivotlab.eigh(A, np.diag([1.0, 4.0]), subset_by_index=[0, 0]).eigenvalues, 0.34861, rtol=1e-4)
    True
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 1)
    variant = named_by_driver(variant, DEFAULT, TWO_STAGE if driver == "2stage" else driver, ("sy", "he"), A, B)
    part = subset_by_index, subset_by_value
    if B is not None:
        if backend not in (None, "host") or stream is not None:
            raise InputError("B: the pair is decomposed on the host; leave out the backend and the stream")
        variant = DEFAULT_OF_PAIRS if variant == DEFAULT else variant
        result = _of_pair(A, B, type, variant, triangle, vectors, sweeps, threads)
    elif real_number("type", type) != 1:
        raise InputError("type: is that of a pair; pass B")
    else:
        result = _of_matrix(A, variant, backend, triangle, vectors, sweeps, threads, stream, *part)
    if is_stack(A) and part != (None, None):
        raise NotSupported("subset_by_index, subset_by_value: are not for stacks on a GPU; index the result")
    chosen = _subset(result.eigenvalues, *part)
    return require_passed("eigh", result._selected(chosen, ascending), check)


def _of_matrix(
    A: Any,
    variant: str,
    backend: Any,
    triangle: Any,
    vectors: bool,
    sweeps: int,
    threads: int,
    stream: Any,
    by_index: Sequence[int] | None = None,
    by_value: Sequence[float] | None = None,
) -> Eigh:
    def wanted(n: int) -> tuple[int, int, float, float]:
        """The vectors that the variant is to compute, as the module takes them."""
        if not variant.upper().startswith(TWO_STAGE) or by_index is by_value is None:
            return ALL
        if by_value is not None:
            low, high = _interval(by_index, by_value)
            return 0, -1, low, high
        columns = _subset(np.empty(n), by_index, by_value)
        return columns.start, columns.stop - columns.start, -np.inf, np.inf

    if on_one_gpu(A=A):
        if triangle != "whole":
            raise NotSupported("triangle: of a matrix on a GPU both are read; fill them, or copy it to the host")
        options: dict[str, Any] = dict(
            variant=variant, backend=backend, vectors=vectors, max_sweeps=sweeps, stream=stream
        )
        if is_stack(A):
            return Eigh(**eigh_of_stack(A, **options))
        members = device_eigh(A, subset=wanted(A.shape[-1]), **options)
    else:
        refuse_stream(stream)
        A = as_matrix("A", A)
        subset = wanted(A.shape[-1])
        members = _core.eigh(A, variant, backend or "host", triangle, vectors, subset, sweeps, threads)
        is_empty = len(A) == 0 or (by_value is not None and subset != ALL)
        if vectors and members["U"] is None and members["status"] == "passed" and is_empty:
            members["U"] = np.empty((len(A), 0), A.dtype)
        if len(A) == 0 and ":" not in variant:
            members["estimate"] = np.empty(0)
    return Eigh(**members | {"inertia": Inertia(*members["inertia"])})


def _of_pair(A: Any, B: Any, type: int, variant: str, triangle: Any, vectors: bool, sweeps: int, threads: int) -> Eigh:
    """By factors A = FᴴJF, B = GᴴG and the generalized hyperbolic SVD of (F, G), or of (F, G⁻ᴴ), F·z = λ·B⁻¹·z."""
    if real_number("type", type) not in (1, 2, 3):
        raise InputError(f"type: {type!r} is not 1, 2 or 3; pass one of these")
    if np.shape(A) == np.shape(B) == (0, 0):
        return _of_matrix(A, DEFAULT, None, triangle, vectors, sweeps, threads, None)
    A, B = as_matrix("A", A), as_matrix("B", B)
    exponents = _balance(A, B, triangle, type)
    of_a = exponents if type == 1 else -exponents
    scaled = _scaled(A, of_a), _scaled(B, exponents)
    try:
        pair = indefinite_pair(*scaled, triangle=triangle, threads=threads)
        inverse = None if type == 1 else _inverse(pair.G)
        G = pair.G if inverse is None else inverse.conj().T
        solved = ghsvd(pair.F, G, pair.J, variant=variant, max_sweeps=sweeps, threads=threads, check=False)
    except InputError as error:  # of the factors
        names = {"H": "A", "F": "A", "S": "B", "G": "B"}
        raise InputError(re.sub(r"\b[HFSG]\b", lambda name: names[name[0]], str(error))) from None
    U = None
    if vectors and solved.Z is not None:  # of type 2 is G·u = G⁻ᴴ·z = V·diag(sigma_g)
        U = np.einsum("ij,jk->ik", inverse, solved.V) if type == 2 else solved.Z / solved.sigma_g
        if type == 1:
            U = _corrected(*(_whole(M, triangle) for M in scaled), solved.eigenvalues, U)
        U *= np.ldexp(1.0, -exponents if type == 3 else exponents).reshape(-1, 1)
    names = ("eigenvalues", "inertia", "status", "message", "variant", "sweeps", "compute_seconds")
    return Eigh(U=U, **{name: getattr(solved, name) for name in names})


def _corrected(A: Matrix, B: Matrix, w: Vector, U: Matrix) -> Matrix:
    """U after a step of refinement, which removes components in eigenvectors of far eigenvalues: the generalized SVD
    leaves some hundred roundings of them if B is ill-conditioned."""

    def products(A: Matrix, B: Matrix, w: Vector, U: Matrix) -> Matrix:  # UᴴAU + UᴴBU·diag(w)
        images = np.einsum("ij,jk->ik", A, U) + np.einsum("ij,jk->ik", B, U) * w
        return np.einsum("ji,jk->ik", U.conj(), images)

    with np.errstate(all="ignore"):
        residuals, sizes = products(A, B, -w, U), products(*map(np.abs, (A, B, w, U)))
        gaps, largest = w - w[:, None], np.maximum(np.abs(w), np.abs(w)[:, None])
        X = residuals / gaps
        is_sure = (np.abs(residuals) > 2**-53 * sizes) & (np.abs(gaps) > largest / 16) & (np.abs(X) < 2**-26)
        X[~is_sure] = 0
    return U + np.einsum("ij,jk->ik", U, X)


def _whole(A: Matrix, triangle: str) -> Matrix:
    if triangle == "whole":
        return A
    part = np.tril(A, -1) if triangle == "lower" else np.triu(A, 1)
    return part + part.conj().T + np.diag(A.diagonal().real)


def _balance(A: Matrix, B: Matrix, triangle: Any, type: int) -> Integers | int:
    """The exponents of powers of two D for which D·B·D has a diagonal near 1: a graded pair is then decomposed as the
    pair from which it is graded, with D·A·D, of type 2 and 3 D⁻¹·A·D⁻¹. 0 where numbers would overflow or lose digits,
    or B is not definite."""
    diagonal = np.diag(B).real
    if A.shape != B.shape or A.shape[0] != A.shape[1] or not np.all(np.isfinite(diagonal) & (diagonal > 0)):
        return 0
    exponents = -np.frexp(diagonal)[1] // 2
    read: Any = {"lower": np.tril, "upper": np.triu}.get(triangle, np.asarray)
    scaled = ((read(A), exponents if type == 1 else -exponents), (read(B), exponents))
    inside = all(np.array_equal(_scaled(_scaled(M, e), -e), M) for M, e in scaled)
    return exponents.astype(int) if inside else 0


def _scaled(A: Matrix, exponents: Any) -> Matrix:
    """D·A·D, D = diag(2^exponents)."""
    shift = np.add.outer(exponents, exponents)
    with np.errstate(all="ignore"):
        parts = np.ldexp(A.real, shift)
        return parts + 1j * np.ldexp(A.imag, shift) if np.iscomplexobj(A) else parts


def _inverse(R: Matrix) -> Matrix:
    """R⁻¹ of an upper triangular R, by back substitution; no product here starts threads of NumPy's BLAS."""
    X = np.eye(len(R), dtype=R.dtype, order="F")
    for i in reversed(range(len(R))):
        X[i] = (X[i] - np.einsum("j,jk->k", R[i, i + 1 :], X[i + 1 :])) / R[i, i]
    return X


def _interval(by_index: Sequence[int] | None, by_value: Sequence[float]) -> tuple[float, float]:
    """The bounds of the chosen eigenvalues."""
    if by_index is not None:
        raise InputError("subset_by_index, subset_by_value: exclude each other; pass one of them")
    low, high = (real_number("subset_by_value", end) for end in _two("subset_by_value", by_value))
    if not low < high:
        raise InputError(f"subset_by_value: ({low}, {high}] is empty; pass two numbers in order")
    return low, high


def _two(name: str, bounds: Any) -> tuple[Any, Any]:
    try:
        first, last = bounds
    except (TypeError, ValueError):
        raise InputError(f"{name}: {bounds!r} is not two numbers; pass the first and the last one") from None
    return first, last


def _subset(eigenvalues: Vector, by_index: Sequence[int] | None, by_value: Sequence[float] | None) -> slice:
    """Where the chosen ones of descending eigenvalues are."""
    if by_value is not None:
        low, high = _interval(by_index, by_value)
        return slice(int((eigenvalues > high).sum()), int((eigenvalues > low).sum()))
    if by_index is not None:
        n = eigenvalues.shape[-1]
        first, last = (whole_number("subset_by_index", k, 0) for k in _two("subset_by_index", by_index))
        if not first <= last < n:
            raise InputError(
                f"subset_by_index: [{first}, {last}] is not within [0, {n - 1}]; pass two indices in order"
            )
        return slice(n - 1 - last, n - first)
    return slice(None)


def eigvalsh(A: Any, B: Any = None, **options: Any) -> Vector:
    """Compute the eigenvalues of a Hermitian A, or of the definite pair (A, B), by `eigh`, whose options it has.

    Parameters
    ----------
    A, B : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (..., n)
        Descending, unless ascending=True.

    Examples
    --------
    >>> import pivotlab
    >>> pivotlab.eigvalsh([[2.0, 0.0], [0.0, 5.0]], ascending=True)
    array([2., 5.])
    """
    return eigh(A, B, vectors=False, **options).eigenvalues
