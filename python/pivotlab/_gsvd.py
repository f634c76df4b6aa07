# SPDX-License-Identifier: BSD-3-Clause
"""Generalized singular value decomposition of a pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import as_matrix, file_name, of_one_type, real_number, thread_count
from ._conventions import Unpacks, members_of, named_by_driver, solver
from ._core import InputError, NotSupported
from ._device import device_gsvd
from ._gpu_stacks import gsvd_of_stack, is_stack
from ._on_gpu import on_one_gpu, refuse_stream
from ._status import described, require_passed, size
from ._svd import completed
from .typing import Backend, Matrix, Vector


class LapackGsvd(NamedTuple):
    """Uᴴ·F·Q = C·[0 R], Vᴴ·G·Q = S·[0 R], as LAPACK's xGGSVD3 has it."""

    C: Matrix
    """m_F × (K + L), LAPACK's D₁: sigma_f on the diagonal, which begins with K ones."""
    S: Matrix
    """m_G × (K + L), LAPACK's D₂: sigma_g on the diagonal that begins in column K."""
    R: Matrix
    """(K + L) × (K + L), upper triangular and regular."""
    Q: Matrix
    """n × n, unitary."""
    K: int
    """Number of infinite sigma."""
    L: int
    """Rank of G."""
    U: Matrix
    """m_F × m_F, unitary."""
    V: Matrix
    """m_G × m_G, unitary."""


class MatlabGsvd(NamedTuple):
    """F = U·C·Xᴴ, G = V·S·Xᴴ, CᴴC + SᴴS = I, as MATLAB's [U,V,X,C,S] = gsvd(F,G) has it."""

    U: Matrix
    """m_F × m_F, unitary."""
    V: Matrix
    """m_G × m_G, unitary."""
    X: Matrix
    """n × q, of full column rank q = rank of [F; G]; MATLAB has q = min(m_F + m_G, n) columns, also of a lower rank."""
    C: Matrix
    """m_F × q, sigma_f ascending on the diagonal that ends in the last column."""
    S: Matrix
    """m_G × q, sigma_g descending on the main diagonal."""


@dataclass(frozen=True, repr=False, eq=False)
class Gsvd(Unpacks):
    """F·Z = U·diag(sigma_f), G·Z = V·diag(sigma_g), sigma_f² + sigma_g² = 1, sigma = sigma_f/sigma_g.

    It unpacks as `U, V, Z, sigma_f, sigma_g`; lapack() and matlab() have the forms of these two. Arrays are stored by
    columns, and matrices are where F and G were. Another library's decomposition can be judged as
    `Gsvd(U=…, V=…, Z=…, sigma_f=…, sigma_g=…, sigma=…)`.
    """

    _order = ("U", "V", "Z", "sigma_f", "sigma_g")

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
    statuses: tuple[str, ...] | None = None
    """Of a stack the status of each matrix, the last axis fastest; None of one matrix."""
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

    def lapack(self, *, threads: int = 0) -> LapackGsvd:
        """Return C, S, R, Q, K, L, U and V of LAPACK's xGGSVD3, of a result that gsvd() has computed with x=True of one
        pair on the host. U and V are completed by O(m³) operations in `threads` threads. Raises InputError for others.
        """
        U, V, _, R, Q = self._bases(threads)
        C, S = np.zeros((len(U), len(R))), np.zeros((len(V), len(R)))
        np.fill_diagonal(C, self.sigma_f)
        np.fill_diagonal(S[:, self.k :], self.sigma_g[self.k :])
        return LapackGsvd(C, S, R, Q, self.k, len(R) - self.k, U, V)

    def matlab(self, *, threads: int = 0) -> MatlabGsvd:
        """Return U, V, X, C and S of MATLAB's gsvd(F, G), as lapack() does: sigma ascends, infinite ones come last."""
        U, V, X, R, _ = self._bases(threads)
        shown, finite = min(len(U), len(R)), len(R) - self.k
        C, S = np.zeros((len(U), len(R))), np.zeros((len(V), len(R)))
        np.fill_diagonal(C[:, len(R) - shown :], self.sigma_f[:shown][::-1])
        np.fill_diagonal(S, self.sigma_g[::-1])
        U = np.hstack((U[:, :shown][:, ::-1], U[:, shown:]))
        V = np.hstack((V[:, :finite][:, ::-1], V[:, finite:]))
        return MatlabGsvd(U, V, X[::-1].conj().T, C, S)

    def _bases(self, threads: int) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
        """U and V completed to unitary matrices, V without the columns of infinite sigma before; X, R and Q."""
        U, V, X, R, Q = (getattr(self, name) for name in "UVXRQ")
        if X is None or R is None or Q is None or U is None or V is None or np.ndim(X) != 2:
            raise InputError("result: has no X, R and Q of one pair; compute them with x=True, on the host")
        threads = thread_count(threads)
        return completed(U, threads)[:, : len(U)], completed(V[:, self.k :], threads)[:, : len(V)], X, R, Q

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Write an HDF5 file with U, V, Z, (X, R, Q), sigma, sigma_f, sigma_g, the counters of sweeps, status and
        these attributes (docs/reference/files.md). An existing file is replaced."""
        members = members_of(self) | {"sweeps": None}
        write = _core.write_gsvd_z if np.iscomplexobj(members["Z"]) else _core.write_gsvd_d
        write(file_name(file), members, {"solver": self.variant} | attributes)


AUTOMATIC = "auto"


@solver(2, own=0)
def gsvd(
    F: Any,
    G: Any,
    *,
    variant: str = AUTOMATIC,
    driver: str | None = None,
    backend: Backend | None = None,
    x: bool = False,
    rank_tolerance: float | None = None,
    tolerance_f: float | None = None,
    tolerance_g: float | None = None,
    scale: bool = True,
    estimate_errors: bool = True,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Gsvd:
    """Compute the generalized singular value decomposition of F and G, of any shapes and ranks.

    Matrices on a GPU (PyTorch, CuPy, or any with DLPack or `__cuda_array_interface__`) give U, V, Z and X on that GPU,
    arrays of the library of F, as sigma, sigma_f and sigma_g; sigma_error is on the host. No matrix is copied through
    the host. m_F, m_G ≥ n ≥ 1 and G of full column rank are then required, and R and Q are not computed; scale and
    threads mean nothing. The call returns when sigma is known; the matrices are complete in the order of the stream.
    Of stacks one kernel decomposes all pairs, of up to 256 columns, by pointwise Hari–Zimmermann iteration (variant
    "HZ"); then x and tolerances are refused, and there is no sigma_error.

    Parameters
    ----------
    F, G : array_like, shapes (..., m_F, n) and (..., m_G, n)
        Matrices; integers are converted with a ConversionWarning; single precision is computed in double, and the
        result is rounded. On a GPU other types than float64 and complex128 are refused.
    variant : str
        "auto" (tangent reduction, or Hari–Zimmermann where that is impossible), the name of a variant
        (`pivotlab.variants("gsvd")`; "?" stands for the letter of the type), or LAPACK's "lapack:dggsvd3". Arrays on a
        GPU have "auto" and the variants of tangent reduction.
    driver : str, optional
        Another name of the variant, also "ggsvd3".
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels on the host, slowly; by default where the matrices are.
    x : bool
        Also compute X, R and Q.
    rank_tolerance : float, optional
        Pivots up to this size count as zero, relative to columns of norms in [1, 2), to which those of [F; G] are
        scaled; with scale=False relative to max|F| and max|G|.
    tolerance_f, tolerance_g : float, optional
        Pivots up to this size count as zero when ranks are decided; the pair is then always reduced to a core pair.
        Default max(m, n)·‖A‖₁·2⁻⁵².
    scale : bool
        Scale the columns of F and G by the same powers of two before ranks are decided.
    estimate_errors : bool
        Estimate the errors of sigma (tangent reduction only).
    threads : int
        Threads of the host; 0 for all. They change no bit except those that LAPACK computes.
    stream : optional
        For arrays on a GPU, a stream of PyTorch or CuPy or the address of a cudaStream_t, on which F and G are ready
        and which outlives later calls; by default the current stream of the library of F.
    check : bool
        Raise StatusError for an iteration that has not converged; if false, see the result's status.

    Returns
    -------
    Gsvd
        `U, V, Z, c, s = gsvd(F, G)`, and more members by name; `lapack()` and `matlab()` return these programs' forms.

    Raises
    ------
    InputError
        NaN or Inf, shapes that do not fit, an unknown variant, an invalid tolerance.
    NotSupported
        The backend or a library is missing here, or does not take arrays on a GPU.
    StatusError
        The solver has not passed.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    O((m_F + m_G)·n²) operations, for Hari–Zimmermann a sweep; O((m_F + m_G)·n) memory.

    Source: Novaković & Singer, "An implicit Hari–Zimmermann algorithm for the generalized SVD on the GPUs"; Drmač, "A
    tangent algorithm for computing the generalized singular value decomposition"; LAPACK xGGSVP3 for reductions.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> F, G = np.diag([3.0, 4.0]), np.eye(2)
    >>> r = pivotlab.gsvd(F, G, x=True)
    >>> np.allclose(r.sigma, [4, 3]) and np.allclose(F @ r.Z, r.U * r.sigma_f)
    True
    >>> U, V, X, C, S = r.matlab()
    >>> np.allclose(U @ C @ X.T, F) and np.allclose(V @ S @ X.T, G)
    True
    """
    variant = named_by_driver(variant, AUTOMATIC, driver, ("", ""), F, G)
    if rank_tolerance is not None and (tolerance_f is not None or tolerance_g is not None):
        raise InputError("rank_tolerance: stands for tolerance_f and tolerance_g; pass one or the other")
    given = {"rank_tolerance": rank_tolerance, "tolerance_f": tolerance_f, "tolerance_g": tolerance_g}
    rank_tolerance, tolerance_f, tolerance_g = (
        None if value is None else real_number(name, value) for name, value in given.items()
    )
    if on_one_gpu(F=F, G=G):
        if is_stack(F) or is_stack(G):
            if x or (rank_tolerance, tolerance_f, tolerance_g) != (None, None, None):
                raise NotSupported(
                    "x, rank_tolerance, tolerance_f, tolerance_g: are not for stacks on a GPU; leave them out"
                )
            of_stack = gsvd_of_stack(F, G, variant=variant, backend=backend, stream=stream)
            return require_passed("gsvd", Gsvd(**of_stack), check)
        tolerances = any(given is not None for given in (rank_tolerance, tolerance_f, tolerance_g))
        name = "?GT-(auto)" if variant == AUTOMATIC else variant
        asked = dict(backend=backend, x=x, tolerances=tolerances, estimate_errors=estimate_errors, stream=stream)
        return require_passed("gsvd", Gsvd(**device_gsvd(F, G, variant=name, **asked)), check)
    refuse_stream(stream)
    backend = backend or "host"
    F, G = of_one_type(as_matrix("F", F), as_matrix("G", G))
    threads = thread_count(threads)
    if rank_tolerance is not None:
        if not 0 <= rank_tolerance < 1:
            raise InputError(f"rank_tolerance: {rank_tolerance} is not in [0, 1); pass a relative size of pivots")
        sizes = (1, 1) if scale else (np.max(np.abs(A), initial=0) for A in (F, G))
        tolerance_f, tolerance_g = (float(rank_tolerance * size) for size in sizes)
    members = _core.gsvd(F, G, variant, backend, x, tolerance_f, tolerance_g, scale, estimate_errors, threads)
    if x and members["status"] == "passed":
        r, n = len(members["sigma"]), F.shape[1]
        for name, shape in (("X", (r, n)), ("R", (r, r)), ("Q", (n, n))):
            if members[name] is None:  # as the module returns an empty matrix
                members[name] = np.empty(shape, F.dtype, order="F")
    return require_passed("gsvd", Gsvd(**members), check)
