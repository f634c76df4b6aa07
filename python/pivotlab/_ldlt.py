# SPDX-License-Identifier: BSD-3-Clause
"""Symmetric indefinite factorization: solutions of systems, inertia."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._arrays import (
    as_columns,
    as_matrix,
    file_name,
    flag,
    in_double,
    on_host,
    real_number,
    thread_count,
    whole_number,
)
from ._conventions import Unpacks, named_by_driver, solver
from ._core import InputError, NotSupported
from ._device_ldlt import DeviceFactors, device_ldlt
from ._gpu_stacks import is_stack, ldlt_of_stack
from ._inertia import Inertia, InertiaCertificate, InertiaShift, certify_inertia, shift_for_inertia
from ._ldlt_stack import LdlFactors, LdltStack, as_it_is
from ._on_gpu import on_one_gpu, refuse_stream
from ._status import StatusError, described
from .typing import Backend, Integers, Matrix, Symmetry, Triangle


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """X with A·X ≈ B, refined with residuals in extended precision."""

    X: np.ndarray
    """n × (columns of B), or length n if B was a vector."""
    status: str
    message: str
    """A remark if A is singular but X solves the system."""
    refinements: int
    """Steps of iterative refinement."""
    correction: float
    """max over columns of ‖d‖∞/‖x‖∞ in the last step x := x + d: bounds the relative error before that step."""
    backward_error: float
    """max over columns of ‖b − A·x‖∞/(‖A‖∞·‖x‖∞ + ‖b‖∞)."""
    forward_error: float
    """Estimated bound of the relative error, max over columns of ‖x − A⁻¹·b‖∞/‖A⁻¹·b‖∞; infinite if A is singular, at
    least to working precision, and without refinement."""

    def __repr__(self) -> str:
        errors = {"correction": f"{self.correction:.1e}", "backward error": f"{self.backward_error:.1e}"}
        errors["forward error"] = f"{self.forward_error:.1e}"
        return described("Solution", refinements=self.refinements, **errors, status=self.status)


@dataclass(frozen=True, repr=False, eq=False)
class Ldlt(Unpacks):
    """P·A·Pᵀ = M·D·M*, * being ᴴ for a Hermitian and ᵀ for a complex symmetric matrix.

    It unpacks as `L, D, perm`, which are factors of A itself: ldl().

    M is unit lower triangular, D block diagonal with blocks of order 1 and 2. Of an equilibrated matrix, M and D are
    the factors of S·A·S, S = diag(2^scaling); solutions and inertia are those of A. Arrays are read-only views of the
    factorization. Of a matrix on a GPU, M is an array on it, and what else can be had is D, the pivots, rank, inertia
    and solve(); the rest raises NotSupported.
    """

    factors: Any
    """The factorization in the library, in double precision."""
    backend: Backend
    threads: int
    convert: Callable[[str, np.ndarray], Any] = as_it_is
    """Gives ldl() and solve() the precision and the library of A."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ldl())

    def __len__(self) -> int:
        return len(LdlFactors._fields)

    def ldl(self) -> LdlFactors:
        """Return L, D and perm with A[perm][:, perm] = L·D·L*, as new arrays. Of an equilibrated matrix they are
        S⁻¹·M·S and S⁻¹·D·S⁻¹, which rounds nothing. Without a search L is U·M, which is not triangular. Raises
        InputError if they are beyond the range of double."""
        D = self.D
        L = self.factors.mixed_m() if self.butterfly.size else np.array(self.M, order="F")
        if len(self.scaling):
            s = self.scaling[self.permutation].astype(int)
            L, D = _times_power_of_two(L, s - s[:, None]), _times_power_of_two(D, -s - s[:, None])
        if not (np.all(np.isfinite(L)) and np.all(np.isfinite(D))):
            raise InputError("A: its own factors overflow; take M and D, which are those of S·A·S")
        return LdlFactors(self.convert("L", L), self.convert("D", D), self.convert("perm", self.permutation.copy()))

    def _converted(self, convert: Callable[[str, Any], Any]) -> Ldlt:
        return replace(self, convert=convert)

    @classmethod
    def _stacked(cls, results: Sequence[Ldlt], shape: tuple[int, ...], final: tuple[int, ...]) -> LdltStack:
        return LdltStack(tuple(results), shape, final)

    @property
    def M(self) -> Matrix:
        """n × n, unit lower triangular."""
        return self.factors.M

    @property
    def diagonal(self) -> np.ndarray:
        """Diagonal of D, length n."""
        return self.factors.diagonal

    @property
    def subdiagonal(self) -> np.ndarray:
        """D[i+1, i], length n; zero except at the first row of a block of order 2."""
        return self.factors.subdiagonal

    @property
    def D(self) -> Matrix:
        """n × n, as a new dense matrix."""
        return self.factors.dense_d()

    @property
    def permutation(self) -> Integers:
        """Row i of P·A·Pᵀ is row permutation[i] of A."""
        return self.factors.permutation

    @property
    def interchanges(self) -> Integers:
        """The interchanges in order, counted from 1, negative at the second row of a pivot of order 2."""
        return self.factors.interchanges

    @property
    def scaling(self) -> np.ndarray:
        """Exponents of S in the order of the rows of A; empty without equilibration."""
        return self.factors.scaling

    @property
    def butterfly(self) -> np.ndarray:
        """Rotations of U, M·D·M* = Uᵀ·A·U, of a factorization without a search, n × 2·(levels); otherwise empty. Row i
        has the cosine and the sine by which each level mixes it with the row that is half of its block below."""
        return self.factors.butterfly if not isinstance(self.factors, DeviceFactors) else np.empty((0, 0))

    @property
    def refusal(self) -> str:
        """Why rook pivoting replaced a factorization without a search; otherwise empty."""
        return "" if isinstance(self.factors, DeviceFactors) else self.factors.refusal

    @property
    def stages(self) -> dict[str, np.ndarray]:
        """first row, size, growth and condition of each pivot, in order; growth as in max_growth."""
        return self.factors.stages

    @property
    def n(self) -> int:
        return len(self.factors.diagonal)

    @property
    def rank(self) -> int:
        """Numerical rank: pivots that are not rounding noise or, with a rank_tolerance, above it; reliable for singular
        matrices with complete and rook pivoting only."""
        return self.factors.rank

    @property
    def doubtful(self) -> int:
        """Pivots that count in rank and inertia although rounding errors may have made their signs: within 1000 times
        the size of errors. 0 with a rank_tolerance."""
        return self.factors.doubtful

    @property
    def inertia(self) -> Inertia:
        """Signs of the pivots that count in the rank, determined if none is doubtful; without a certificate. Raises
        InputError for a complex symmetric matrix, which has no inertia."""
        if self.symmetry == "symmetric" and self.factors.is_complex:
            raise InputError("inertia: a complex symmetric matrix has none; factor a Hermitian one")
        return Inertia(*self.factors.inertia)

    @property
    def symmetry(self) -> Symmetry:
        return self.factors.symmetry

    @property
    def variant(self) -> str:
        return self.factors.variant

    @property
    def tolerance(self) -> float:
        """Absolute tolerance for zero; 0 without a rank_tolerance."""
        return self.factors.tolerance

    @property
    def max_multiplier(self) -> float:
        """Largest off-diagonal |m_ij|."""
        return self.factors.max_multiplier

    @property
    def max_growth(self) -> float:
        """Largest growth of an element of a reduced matrix over max|A|, of all stages; of a matrix on a GPU, of those
        with which a panel of up to 128 columns begins. Measured when it is first asked for, in n³/3 steps."""
        return self.factors.max_growth

    @property
    def compute_seconds(self) -> float:
        """Time of the factorization alone, without copies and checks of the input."""
        return self.factors.compute_seconds

    def __repr__(self) -> str:
        has_inertia = self.symmetry == "hermitian" or not self.factors.is_complex
        inertia = "{} {} {}".format(*self.inertia) if has_inertia else None
        return described("Ldlt", variant=self.variant, n=self.n, rank=self.rank, inertia=inertia)

    def solve(self, B: Any) -> np.ndarray:
        """Returns A⁻¹·B for B of n rows or length n, which is where A was. Raises InputError if A is singular, B does
        not fit or is not finite, or the solution overflows."""
        if isinstance(self.factors, DeviceFactors):
            return self.factors.solve(B)
        columns, is_vector = as_columns("B", B, self.factors.diagonal.dtype)
        X = self.factors.solve(columns)
        return self.convert("X", X[:, 0] if is_vector else X)

    def solve_refined(
        self, A: Any, B: Any, *, triangle: Triangle = "whole", max_refinements: int = 10, check: bool = True
    ) -> Solution:
        """Solves A·X = B with iterative refinement, residuals in double-double, from the matrix that was factored.

        X is accurate to a few ulp of its largest element, and forward_error bounds its error; up to order 256 A is
        factored in quadruple precision where the factors do not suffice for that. For a singular A it is a solution if
        there is one. Raises InputError for shapes that do not fit and numbers that are not finite, and StatusError,
        unless `check` is false, if there is no solution, it overflows, or A is singular to working precision.
        """
        columns, is_vector = as_columns("B", B, self.factors.diagonal.dtype)
        steps = whole_number("max_refinements", max_refinements, 0)
        X, *rest = self.factors.solve_refined(self._matrix(A), columns, triangle, steps)
        solution = Solution(X[:, 0] if is_vector else X, *rest)
        if check and solution.status != "passed":
            raise StatusError("solve_refined", solution.status, solution.message, solution)
        return solution

    def certify(self, A: Any, *, triangle: Triangle = "whole") -> InertiaCertificate:
        """Certifies the inertia of A, which need not be the matrix that was factored: certify_inertia(A) on the backend
        of the factorization. Raises NotSupported for complex symmetric matrices."""
        self._require_hermitian()
        return certify_inertia(self._matrix(A), triangle=triangle, backend=self.backend, threads=self.threads)

    def shift_for_inertia(
        self, A: Any, positive: int, negative: int, *, rows: int | None = None, triangle: Triangle = "whole"
    ) -> InertiaShift:
        """shift_for_inertia(A, positive, negative) on the backend of the factorization."""
        self._require_hermitian()
        options = dict(triangle=triangle, backend=self.backend, threads=self.threads)
        return shift_for_inertia(self._matrix(A), positive, negative, rows=rows, **options)

    def _require_hermitian(self) -> None:
        if self.symmetry == "symmetric" and self.factors.is_complex:
            raise NotSupported("the inertia of a complex symmetric matrix does not exist; it needs real eigenvalues")

    def inverse(self) -> Matrix:
        """Returns A⁻¹. Raises InputError if A is singular."""
        return self.factors.inverse()

    def reconstruct(self) -> Matrix:
        """Returns Pᵀ·M·D·M*·P, without a search U·M·D·M*·Uᵀ, which is A up to rounding errors."""
        return self.factors.reconstruct()

    def determinant(self) -> tuple[complex, int]:
        """Returns (mantissa, exponent) of det A = mantissa·2^exponent."""
        return self.factors.determinant()

    def gjg(self, *, sorted: bool = False) -> tuple[Matrix, Integers]:
        """Returns G (n × n) and J (length n, ±1 or 0) with P·A·Pᵀ = G·diag(J)·Gᴴ; `sorted`: +1 first, then −1, 0."""
        return self.factors.gjg(flag("sorted", sorted))

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Writes an HDF5 file with M, D, the permutation, the stages and these attributes. An existing file is
        replaced. docs/reference/files.md describes it."""
        self.factors.write(file_name(file), attributes)

    def _matrix(self, A: Any) -> np.ndarray:
        matrix = as_matrix("A", A)
        if matrix.dtype != self.factors.diagonal.dtype:
            raise InputError(f"A: dtype {matrix.dtype} is not that of the matrix that was factored; pass that matrix")
        return matrix


def _times_power_of_two(A: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        parts = np.ldexp(A.real, exponents)
        return parts + 1j * np.ldexp(A.imag, exponents) if np.iscomplexobj(A) else parts


@solver(1, least=32)
def ldlt(
    A: Any,
    *,
    variant: str | None = None,
    driver: str | None = None,
    backend: Backend | None = None,
    symmetry: Symmetry = "hermitian",
    triangle: Triangle = "whole",
    rank_tolerance: float | None = None,
    threads: int = 0,
    stream: Any = None,
) -> Ldlt:
    """Factor a symmetric or Hermitian matrix: P·A·Pᵀ = M·D·M*.

    Parameters
    ----------
    A : array_like, shape (..., n, n)
        The matrix. Integers are converted with a ConversionWarning; single precision is factored in double, and what
        ldl() and solve() return is rounded. A matrix on an NVIDIA GPU is factored there, and M is an array on it. A
        stack gives an LdltStack, on a GPU, where one kernel factors matrices of up to 256 columns, a
        DeviceLdltStack.
    variant : str, optional
        LDLT-RK (rook pivoting), LDLT-BP (complete), LDLT-BK (partial), LDLT-RBT (no search, where that suffices), with
        options such as ";alpha=0.5" and ";equilibrate=on" (`pivotlab.variants("ldlt")`); by default
        "LDLT-RK;equilibrate=on", as of `pivotlab solve ldlt`, and "LDLT-RK" of a matrix on a GPU.
    driver : str, optional
        Another name of the variant. The routines of LAPACK are baselines of sweeps and have no factorization here.
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels on the host, slowly; by default the host, or the GPU of A.
    symmetry : {"hermitian", "symmetric"}
        Symmetry of a complex matrix.
    triangle : {"whole", "lower", "upper"}
        The part of A that is read; both triangles of "whole" must agree, on the host but for rounding, as for eigh().
    rank_tolerance : float, optional
        Numbers up to rank_tolerance·max|A| count as zero, in [0, 1); by default what may be rounding noise by a
        componentwise test does, which keeps small pivots of graded matrices.
    threads : int
        Threads of the host; 0 for all. They change no bit of the result.
    stream : optional
        For arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.

    Returns
    -------
    Ldlt
        `L, D, perm = ldlt(A)` with A[perm][:, perm] = L·D·L*; also solutions, inertia, rank and the pivots.

    Raises
    ------
    InputError
        A matrix that is not square or not symmetric or has NaN or Inf, an unknown variant.
    NotSupported
        The backend is missing here, or equilibration of a matrix on a GPU.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    n³/3 multiplications and additions; comparisons of partial pivoting O(n²), of rook pivoting usually O(n²), of
    complete pivoting O(n³). O(n²) memory.

    Equilibrated factors are backward stable for S·A·S, whose rows are of one size: L·D·L* is A[perm][:, perm] up to
    errors small relative to ‖S·A·S‖ in S·A·S. Where rows of A are of very different sizes, small ones keep their
    digits, which they lose without equilibration, but the error relative to ‖A‖ may be larger. judge() measures errors
    relative to ‖A‖.

    Source: the thesis on the symmetric indefinite factorization on a GPU, chapters 1–3.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> A = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> f = pivotlab.ldlt(A)
    >>> f.inertia, f.solve([1.0, 2.0])
    (Inertia(positive=1, negative=1, zero=0), array([2., 1.]))
    >>> L, D, perm = f
    >>> np.allclose(L @ D @ L.T, A[np.ix_(perm, perm)])
    True
    """
    threads = thread_count(threads)
    if rank_tolerance is not None:
        rank_tolerance = real_number("rank_tolerance", rank_tolerance)
    variant = named_by_driver(variant, None, driver, ("", ""))
    if on_one_gpu(A=A):
        options: dict[str, Any] = dict(symmetry=symmetry, triangle=triangle, rank_tolerance=rank_tolerance)
        options |= dict(variant=variant or "LDLT-RK", backend=backend, stream=stream)
        if is_stack(A):
            return ldlt_of_stack(A, **options)  # type: ignore[return-value]
        factors = device_ldlt(A, **options)
        return Ldlt(factors, "cuda", threads)
    refuse_stream(stream)
    backend = backend or "host"
    variant = "LDLT-RK;equilibrate=on" if variant is None else variant
    matrix = in_double("A", on_host("A", A))

    def factored(matrix: np.ndarray, triangle: str) -> Ldlt:
        factors = _core.ldlt(matrix, variant, backend, symmetry, triangle, rank_tolerance, threads)
        return Ldlt(factors, backend, threads)

    is_by_rows = matrix.ndim == 2 and matrix.flags.c_contiguous and matrix.flags.aligned
    if is_by_rows and (symmetry == "symmetric" or not np.iscomplexobj(matrix)):
        other = {"lower": "upper", "upper": "lower"}.get(triangle, triangle)
        with suppress(InputError):  # it would name elements of the transpose
            return factored(matrix.T, other)  # which is stored by columns
    return factored(as_matrix("A", matrix), triangle)
