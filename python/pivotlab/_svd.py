# SPDX-License-Identifier: BSD-3-Clause
"""Ordinary and hyperbolic singular value decompositions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_array, as_matrix, as_signs, file_name, thread_count, whole_number
from ._conventions import Unpacks, members_of, named_by_driver, solver
from ._core import InputError, NotSupported
from ._device import device_svd
from ._eigh import eigh
from ._gpu_stacks import is_stack, svd_of_stack
from ._on_gpu import on_one_gpu, refuse_stream
from ._status import described, require_passed, size
from .typing import Backend, Integers, Matrix, Vector

AUTOMATIC = "auto"


@dataclass(frozen=True, repr=False, eq=False)
class Svd(Unpacks):
    """G·V = U·diag(sigma), UᴴU = I, Vᴴ·diag(J₀)·V = diag(J), where J₀ are the signs that were given.

    J₀ = 1 is the ordinary SVD, G = U·diag(sigma)·Vᴴ. G is m × n, and k = min(m, n). It unpacks as `U, sigma, Vh`.
    Arrays are stored by columns. Another library's decomposition can be judged as `Svd(U=…, sigma=…, V=…)`.
    """

    _order = ("U", "sigma", "Vh")

    U: Matrix | None
    """m × k, orthonormal columns, or m × m; those of sigma = 0 are arbitrary. None if the solver failed."""
    sigma: Vector
    """Length k; J·sigma² descends: sigma of J = 1 descend, those of J = −1 ascend."""
    J: Integers | None = None
    """Length k, all 1 before all −1; None means 1."""
    V: Matrix | None = None
    """n × k, or n × n; None with v=False."""
    estimate: Vector | None = None
    """Length k, estimated relative errors of sigma²; for sigma = 0 it is 0 if zero columns (rows, if m < n) determine
    it, else 1. None for baselines."""
    status: str = "passed"
    """passed, not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    statuses: tuple[str, ...] | None = None
    """Of a stack the status of each matrix, the last axis fastest; None of one matrix."""
    sweeps: list[dict] = field(default_factory=list)
    """Counters and seconds of each sweep."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without copies and checks of the input."""

    @property
    def S(self) -> Vector:
        """sigma, as in numpy.linalg.svd."""
        return self.sigma

    @property
    def Vh(self) -> Matrix | None:
        """k × n, Vᴴ."""
        if self.V is None:
            return None
        if not hasattr(self.V, "swapaxes"):  # only what the array API standard has
            return self.V.__array_namespace__().conj(self.V).mT
        adjoint = self.V.conj().swapaxes(-1, -2)
        return adjoint.resolve_conj() if hasattr(adjoint, "resolve_conj") else adjoint  # PyTorch conjugates lazily

    @property
    def hyperbolic(self) -> bool:
        """Whether a sign is −1."""
        return self.J is not None and bool((as_array(self.J) < 0).any())

    def __repr__(self) -> str:
        J = as_array(self.J)
        signs = f"{int((J > 0).sum())} + and {int((J < 0).sum())} −" if self.hyperbolic else None
        facts = {"U": size(self.U), "V": size(self.V), "J": signs, "sweeps": len(self.sweeps) or None}
        return described(
            "Svd", variant=self.variant or None, sigma=np.shape(self.sigma)[-1], **facts, status=self.status
        )

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Write an HDF5 file with sigma, J, the estimated errors, U, (V), status and these attributes. An existing file
        is replaced. docs/reference/files.md describes it."""
        members = members_of(self) | {"J": as_signs("J", self.J, len(self.sigma))}
        write = _core.write_svd_z if np.iscomplexobj(members["U"]) else _core.write_svd_d
        write(file_name(file), members, {"solver": self.variant} | attributes)


@solver(1)
def svd(
    G: Any,
    *,
    J: Any = None,
    full_matrices: bool = False,
    hermitian: bool = False,
    variant: str = AUTOMATIC,
    driver: str | None = None,
    backend: Backend | None = None,
    v: bool = True,
    max_sweeps: int = 60,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Svd:
    """Compute the singular value decomposition of G, or the hyperbolic one of (G, J), by a one-sided Jacobi iteration.
    Small singular values are accurate however much the norms of columns differ, without J also of rows, and with
    `exact` those of any dense matrix.

    Parameters
    ----------
    G : array_like, shape (..., m, n)
        The matrix. Integers are converted with a ConversionWarning; single precision is computed in double, and the
        result is rounded. A matrix on an NVIDIA GPU is decomposed there, and U, sigma and V are arrays on it. Of a
        stack all arrays of the result are on it, and one kernel decomposes all matrices, of up to 256 columns (rows, if
        they are fewer).
    J : array_like of n signs 1 and −1, optional
        For the hyperbolic decomposition, m ≥ n; None means 1.
    full_matrices : bool
        Complete U to m × m and V to n × n, which takes O(max(m, n)³) more operations. Unlike in NumPy the default is
        false. Without J.
    hermitian : bool
        G is Hermitian: decompose it by eigh(), whose variants then count. Relative accuracy is that of its eigenvalues.
    variant : str
        "auto" (HSVD-ME-BO, on the host without J with `qrp` where rows differ in size), the name of a variant
        (`pivotlab.variants("hsvd")`), or, without J, a baseline such as "lapack:dgesvj". "HSVD-ME-BO;exact", of
        a matrix of the host without J, takes two to three times as long, and relative errors of all singular values are
        of size ε whatever the condition of G is; "HSVD-ME-BO;exact;spectral" begins with LAPACK's eigenvectors of GᴴG.
        Variants with `refine`, also of eigh() and gsvd(), refine values to the last digit (refine()).
    driver : str, optional
        Another name of the variant, also "gesdd", "gesvj" or "gejsv".
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels on the host, slowly; by default the host, or the GPU of G.
    v : bool
        Compute V; baselines always do.
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
    Svd
        `U, s, Vh = svd(G)`, and more members by name; V is that of G = U·diag(s)·Vᴴ.

    Raises
    ------
    InputError
        NaN or Inf, a J of another length or with other elements, or with both signs and m < n, on a GPU any J and
        m < n, an unknown variant.
    NotSupported
        The backend or a library is missing here, or the GPU of the argument cannot run the variant.
    StatusError
        The solver has not passed.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    O(m·n²) operations a sweep for m ≥ n, O(m·n) memory.

    Source: Veselić, "A Jacobi eigenreduction algorithm for definite matrix pairs" (1993); Hari, Singer & Singer (2010,
    2014) for the blocks.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> G = np.array([[3.0, 0.0, 0.0], [4.0, 0.0, 5.0]])
    >>> U, s, Vh = pivotlab.svd(G)
    >>> U.shape, s.shape, Vh.shape, np.allclose(U * s @ Vh, G)
    ((2, 2), (2,), (2, 3), True)
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 1)
    if hermitian:
        return _of_hermitian(G, J, variant, driver, backend, v, sweeps, threads, stream, check)
    name = named_by_driver(variant, AUTOMATIC, driver, ("", ""), G)
    if on_one_gpu(G=G):
        if full_matrices and J is not None:
            raise _no_completion()
        name = "HSVD-ME-BO" if name == AUTOMATIC else name
        of_gpu = svd_of_stack if is_stack(G) else device_svd
        options: dict[str, Any] = dict(variant=name, backend=backend, v=v, max_sweeps=sweeps, stream=stream)
        members = of_gpu(G, J, full_matrices=full_matrices, **options)
        return require_passed("svd", Svd(**members), check)
    refuse_stream(stream)
    matrix = as_matrix("G", G)
    signs = as_signs("J", J, matrix.shape[1])
    result = Svd(**_core.svd(matrix, signs, name, backend or "host", v, sweeps, threads))
    if result.U is not None and result.V is not None:  # xGESVJ leaves columns of sigma = 0 empty
        U, V = (_with_all_columns(M, np.count_nonzero(result.sigma), threads) for M in (result.U, result.V))
        result = replace(result, U=U, V=V)
    if full_matrices and J is not None:
        raise _no_completion()
    if full_matrices and result.U is not None:
        V = None if result.V is None else completed(result.V, threads)
        result = replace(result, U=completed(result.U, threads), V=V)
    return require_passed("svd", result, check)


def _no_completion() -> InputError:
    return InputError("full_matrices: of a hyperbolic decomposition V has no completion; leave out J")


def completed(U: Matrix, threads: int) -> Matrix:
    """U (m × k) with m − k more columns that complete orthonormal ones to a basis. They are those of sigma = 0 in the
    decomposition of [U 0]."""
    rows, columns = U.shape
    if rows <= columns:
        return U
    padded = np.zeros((rows, rows), np.result_type(U, np.float64), order="F")
    padded[:, :columns] = U
    padded[:, columns:] = _core.svd(padded, as_signs("J", None, rows), "HSVD-ME-BO", "host", False, 60, threads)["U"][
        :, columns:
    ]
    return padded.astype(U.dtype, order="F", copy=False)


def _with_all_columns(U: Matrix, rank: int, threads: int) -> Matrix:
    """U with orthonormal columns from `rank` on, if these are zero."""
    return U if U[:, rank:].any(axis=0).all() else completed(U[:, :rank], threads)[:, : U.shape[1]]


def _of_hermitian(
    A: Any,
    J: Any,
    variant: str,
    driver: Any,
    backend: Any,
    v: bool,
    sweeps: int,
    threads: int,
    stream: Any,
    check: bool,
) -> Svd:
    """By A = U·Λ·Uᴴ: the singular values are |λ|, and the signs of λ are those of the columns of V."""
    if J is not None:
        raise InputError("hermitian: is for the ordinary decomposition; leave out J")
    if on_one_gpu(G=A):
        raise NotSupported("hermitian: of a matrix on a GPU is not computed; take eigh()")
    options = {} if variant == AUTOMATIC else {"variant": variant}
    h = eigh(
        A, driver=driver, backend=backend, max_sweeps=sweeps, threads=threads, stream=stream, check=check, **options
    )
    order = np.argsort(-np.abs(h.eigenvalues), kind="stable")
    values, U = h.eigenvalues[order], None if h.U is None else h.U[:, order]
    V = U * np.where(values < 0, -1.0, 1.0) if v and U is not None else None
    estimate = None if h.estimate is None else np.minimum(2 * h.estimate[order], 1)
    facts = {name: getattr(h, name) for name in ("status", "message", "variant", "sweeps", "compute_seconds")}
    return Svd(U=U, sigma=np.abs(values), V=V, estimate=estimate, **facts)


def svdvals(G: Any, **options: Any) -> Vector:
    """Compute the singular values of G by `svd`, whose options it has.

    Parameters
    ----------
    G : array_like, shape (..., m, n)

    Returns
    -------
    ndarray, shape (..., min(m, n))
        Descending.

    Examples
    --------
    >>> import pivotlab
    >>> pivotlab.svdvals([[3.0, 0.0], [4.0, 0.0]])
    array([5., 0.])
    """
    return svd(G, v=False, **options).sigma
