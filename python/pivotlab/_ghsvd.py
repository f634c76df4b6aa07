# SPDX-License-Identifier: BSD-3-Clause
"""Generalized hyperbolic singular value decomposition of a pair with signs."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, as_signs, file_name, of_one_type, thread_count, whole_number
from ._conventions import Unpacks, members_of, named_by_driver, solver
from ._device import device_ghsvd
from ._eigenvalues import WithEstimates
from ._inertia import Inertia
from ._on_gpu import on_one_gpu, refuse_stream
from ._status import require_passed
from .typing import Backend, Integers, Matrix, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Ghsvd(WithEstimates, Unpacks):
    """F·Z = U·diag(sigma_f), Uᴴ·diag(J₀)·U = diag(J), G·Z = V·diag(sigma_g), VᴴV = I, sigma_f² + sigma_g² = 1, where
    J₀ are the signs that were given. eigenvalues = J·sigma_f²/sigma_g² are those of (Fᴴ·diag(J₀)·F, GᴴG).

    It unpacks as `eigenvalues, Z`. Arrays are stored by columns. Another library's decomposition can be judged as
    `Ghsvd(eigenvalues=…, U=…, V=…, Z=…, sigma_f=…, sigma_g=…)`.
    """

    _order = ("eigenvalues", "Z")

    eigenvalues: Vector
    """Length n, descending."""
    U: Matrix | None
    """m_F × n; columns of eigenvalues 0 are zero. None if the solver failed, as V and Z."""
    V: Matrix | None
    """m_G × n, orthonormal columns."""
    Z: Matrix | None
    """n × n, the eigenvectors."""
    sigma_f: Vector
    """Length n, in the order of the eigenvalues."""
    sigma_g: Vector
    J: Integers | None = None
    """Length n, the signs of the eigenvalues, 0 for an eigenvalue 0; None means these."""
    estimate: Vector | None = None
    """Length n, estimated relative errors of the eigenvalues, between 0 and 1. The true error is at most ten times as
    large, with the direct method 30 times. 0 for an eigenvalue that is 0 because F has few nonzero rows or columns, 1
    for another eigenvalue 0. None for baselines."""
    inertia: Inertia | None = None
    """Signs of the eigenvalues."""
    tangent_bits: int = 0
    """Significand of T = B*JB and of its factorization: 106 or 53; 113 where all was computed in quadruple precision,
    because the factors in double precision did not satisfy their equations; 0 if there is no T."""
    factored_on: str = "host"
    """Backend that has computed T and its factorization: "host" with 106 bits."""
    variant: str = ""
    """Name of the variant or baseline that has computed the result."""
    status: str = "passed"
    """passed, incorrect (an equation does not hold to rounding errors), not_converged or failed."""
    message: str = ""
    """The reason if the status is not passed."""
    statuses: tuple[str, ...] | None = None
    """Of a stack the status of each matrix, the last axis fastest; None of one matrix."""
    sweeps: list[dict] = field(default_factory=list)
    """Counters and seconds of each sweep."""
    reduction_seconds: float = 0.0
    """Time of the QR factorization of G, and of B."""
    factor_seconds: float = 0.0
    """Time of T and its factorization."""
    sweep_seconds: float = 0.0
    """Time of the iteration."""
    compute_seconds: float = 0.0
    """Time of the algorithm alone, without checks of the input and copies to or from a GPU."""

    def _members(self) -> dict[str, Any]:
        """The members as the module takes them."""
        J = np.sign(self.eigenvalues) if self.J is None else self.J
        return members_of(self) | {"J": np.asarray(J, dtype=np.int64)}

    def write(self, file: str | PathLike[str], **attributes: str) -> None:
        """Write an HDF5 file with the eigenvalues, J, sigma_f, sigma_g, the estimated errors, U, V, Z, status and
        these attributes (docs/reference/files.md). An existing file is replaced."""
        write = _core.write_ghsvd_z if np.iscomplexobj(self.Z) else _core.write_ghsvd_d
        write(file_name(file), self._members(), {"solver": self.variant} | attributes)


DEFAULT = "GHSVD-TR-ME-BO"


@solver(2)
def ghsvd(
    F: Any,
    G: Any,
    J: Any = None,
    *,
    variant: str = DEFAULT,
    driver: str | None = None,
    backend: Backend | None = None,
    max_sweeps: int = 60,
    threads: int = 0,
    stream: Any = None,
    check: bool = True,
) -> Ghsvd:
    """Compute the generalized hyperbolic singular value decomposition of (F, G; J), and so the eigenvalues of
    (Fᴴ·diag(J)·F, GᴴG), without forming these matrices in double precision. Small eigenvalues are accurate however much
    the norms of rows and columns differ, where the pair determines them; `estimate` says where it does not.

    Parameters
    ----------
    F : array_like, shape (..., m_F, n)
        A matrix of any shape and rank. Integers are converted with a ConversionWarning; single precision is computed in
        double, and the result is rounded. A pair on an NVIDIA GPU is decomposed there, and U, V and Z are arrays on it;
        with double-double, which is the default, F·R⁻¹ goes to the host for one step.
    G : array_like, shape (..., m_G, n)
        A matrix of full column rank, m_G ≥ n.
    J : array_like of m_F signs 1 and −1, optional
        Signs of the rows of F; None means 1, which is the generalized SVD.
    variant : str
        The name of a variant (`pivotlab.variants("ghsvd")`) or a baseline such as "lapack:dsygvd".
    driver : str, optional
        Another name of the variant, also "gvd".
    backend : {"host", "cuda", "emulation"}, optional
        "emulation" runs the GPU's kernels and LAPACK on the host, slowly; by default the host, or the GPU of F and G.
        The host does what is in double-double.
    max_sweeps : int
        Largest number of sweeps, at least 1.
    threads : int
        Threads of the host; 0 for all. They change no bit except those that LAPACK computes.
    stream : optional
        For arrays on a GPU: a stream of PyTorch or CuPy, or its address; the current one by default.
    check : bool
        Raise StatusError for a G that is not of full column rank, for an iteration that has not converged, and for
        factors that do not satisfy their equations; if false, see the result's status.

    Returns
    -------
    Ghsvd
        `w, Z = ghsvd(F, G, J)`, and more members by name.

    Raises
    ------
    InputError
        Shapes that do not fit, NaN or Inf, a zero column of G, a J of another length or with other elements,
        eigenvalues or vectors beyond the range of double, an unknown variant.
    NotSupported
        The backend or a library is missing here, or the GPU of the arguments cannot run the variant.
    StatusError
        The solver has not passed.
    MemoryError
        The memory of host or GPU does not suffice.

    Notes
    -----
    O((m_F + m_G)·n²) operations for the reduction and O(n³) a sweep; O((m_F + m_G)·n) memory.

    Source: Drmač, "A tangent algorithm for computing the generalized singular value decomposition" (1998), for the
    reduction; Singer, Di Napoli, Novaković & Čaklović, SIAM J. Sci. Comput. 42 (2020), for the direct method.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> F, G = np.diag([3.0, 4.0]), np.diag([1.0, 2.0])
    >>> w, Z = pivotlab.ghsvd(F, G, [1, -1])
    >>> np.allclose(w, [9, -4])
    True
    """
    threads, sweeps = thread_count(threads), whole_number("max_sweeps", max_sweeps, 1)
    variant = named_by_driver(variant, DEFAULT, driver, ("sy", "he"), F, G)
    if on_one_gpu(F=F, G=G):
        options = dict(variant=variant, backend=backend, max_sweeps=sweeps, threads=threads, stream=stream)
        return _result(device_ghsvd(F, G, J, **options), check)
    refuse_stream(stream)
    F, G = of_one_type(as_matrix("F", F), as_matrix("G", G))
    signs = as_signs("J", J, F.shape[0], "row of F")
    return _result(_core.ghsvd(F, G, signs, variant, backend or "host", sweeps, threads), check)


def _result(members: dict[str, Any], check: bool) -> Ghsvd:
    if len(members["eigenvalues"]) == 0 and ":" not in members["variant"]:
        members["estimate"] = np.empty(0)
    return require_passed("ghsvd", Ghsvd(**members | {"inertia": Inertia(*members["inertia"])}), check)
