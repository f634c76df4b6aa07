# SPDX-License-Identifier: BSD-3-Clause
"""Refinement of decompositions: values to the last digit, with bounds of their errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import as_matrix, of_one_type, thread_count, whole_number
from ._conventions import Unpacks
from ._core import InputError, NotSupported
from ._eigh import Eigh
from ._gpu_arrays import Library
from ._gsvd import Gsvd
from ._on_gpu import HOST_COPIES, gpu_call, on_one_gpu
from ._status import described
from ._svd import Svd
from .typing import Booleans, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Refined(Unpacks):
    """Values values + values_lo with bounds of their errors, and the refined decomposition.

    It unpacks as `values, values_lo, bound`. Values descend.
    """

    _order = ("values", "values_lo", "bound")

    values: Vector
    """Length n, rounded to double: eigenvalues, singular values, or sigma_f/sigma_g, which may be infinite."""
    values_lo: Vector
    """Length n, what `values` leave, rounded to double."""
    bound: Vector
    """Length n, bounds of \\|truth − values − values_lo\\|; infinite if nothing is known."""
    determined: Booleans
    """Length n: whether bound ≤ 2⁻⁵³·\\|values\\|, so that `values` have errors of at most 2 ulp."""
    result: Eigh | Svd | Gsvd
    """The decomposition with refined values and vectors, in descending order; vectors are orthonormal up to their
    rounding. Left vectors of singular values that have not even six digits are arbitrary orthonormal ones; of a pair
    they are None where a matrix has fewer rows than columns."""
    steps: int
    """How often vectors were corrected."""

    def __repr__(self) -> str:
        return described("Refined", values=len(self.values), determined=int(self.determined.sum()), steps=self.steps)


def refine(
    A: Any,
    result: Eigh | Svd | Gsvd,
    *,
    backend: Literal["host", "cuda"] | None = None,
    max_steps: int = 12,
    threads: int = 0,
) -> Refined:
    """Refine a decomposition by Newton steps on vectors in two limbs: every value that the matrix determines gets all
    its digits, and every value a bound of its error, whatever the vectors were.

    Parameters
    ----------
    A : array_like, shape (n, n) or (m, n), or a pair of matrices (F, G)
        What was decomposed, in double precision: a Hermitian matrix, both triangles equal to the last bit, a matrix, or
        a pair of which [F; G] has full column rank. With arrays on GPU 0, A and vectors, all arrays of the result are
        there; they are copied through the host.
    result : Eigh, Svd or Gsvd
        Its decomposition by any solver, with all vectors. Only vectors are used: U, for m ≥ n V, or Z.
    backend : {"host", "cuda"}
        Where the steps run: the host, or GPU 0, by exact products; None: where A is.
    max_steps : int
        Largest number of steps; two or three are usual, more for clusters.
    threads : int
        Threads of the host; 0 for all. They change no bit of the result.

    Returns
    -------
    Refined
        `values, values_lo, bound = refine(A, result)`, and more members by name.

    Raises
    ------
    InputError
        A is not Hermitian to the last bit, shapes do not fit, vectors are missing, NaN or Inf.
    NotSupported
        A hyperbolic singular value decomposition, eigenvectors of a pair, or a backend that is missing here.
    MemoryError
        The memory does not suffice.

    Notes
    -----
    O(n³) operations in double-double, O(n²) memory. Absolute errors are near n·2⁻¹⁰³·‖A‖, so that values above about
    1e-13·‖A‖ are determined; smaller ones of matrices that are graded as their vectors. Multiple and clustered values
    are determined like others. Bounds hold up to rounding errors of norms, for which they have room.

    Source: Ogita and Aishima, "Iterative refinement for symmetric eigenvalue decomposition" (2018; II, 2019), with own
    bounds and forms for singular values and pairs (docs/notebook/refinement.md).

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> A = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    >>> r = pivotlab.refine(A, pivotlab.eigh(A))
    >>> r.values[0] == 2 + np.sqrt(2), bool(r.determined.all()), bool((r.bound < 1e-28).all())
    (np.True_, True, True)
    """
    options = (whole_number("max_steps", max_steps, 0), thread_count(threads))
    if isinstance(result, Gsvd):
        if not isinstance(A, tuple | list) or len(A) != 2:
            raise InputError("A: is not a pair; pass (F, G) with a result of gsvd()")
        (F, G, Z), place = _matrices(backend, F=A[0], G=A[1], Z=result.Z)
        members = place(_core.refine_gsvd(F, G, Z, place.backend, *options))
        sigma = {"sigma": members["values"], "sigma_f": members["sigma_f"], "sigma_g": members["sigma_g"]}
        vectors = {"U": members["U"], "V": members["V"], "Z": members["vectors"]}
        refined: Any = replace(result, **sigma, **vectors, X=None, R=None, Q=None, sigma_error=members["relative"])
    elif isinstance(result, Svd):
        if result.hyperbolic:
            raise NotSupported("result: is hyperbolic; pass an ordinary singular value decomposition")
        (G, U, V), place = _matrices(backend, G=A, U=result.U, V=result.V)
        k = min(G.shape)
        members = place(_core.refine_svd(G, U[:, :k], V[:, :k], place.backend, *options))
        vectors = {"U": members["U"], "V": members["vectors"]} if k > 0 else {}
        refined = replace(result, sigma=members["values"], estimate=2 * members["relative"], **vectors)
    elif isinstance(result, Eigh):
        if isinstance(A, tuple):
            raise NotSupported("A: is a pair; the refinement of eigenvectors takes one matrix")
        (A, U), place = _matrices(backend, A=A, U=result.U)
        members = place(_core.refine_eigh(A, U, place.backend, *options))
        vectors = {"U": members["vectors"]} if len(A) > 0 else {}
        refined = replace(result, eigenvalues=members["values"], estimate=members["relative"], **vectors)
    else:
        raise TypeError(f"result: {type(result).__name__} is not a result of eigh(), svd() or gsvd()")
    own = {name: members[name] for name in ("values", "values_lo", "bound", "determined", "steps")}
    return Refined(**own, result=refined)


@dataclass(frozen=True)
class _Place:
    """Where the steps run, and where arrays of the result belong: on the host, or on a GPU."""

    backend: str
    library: Library | None = None

    def __call__(self, members: dict[str, Any]) -> dict[str, Any]:
        """The members there, with relative errors of rounded values and flags of NumPy's type."""
        members |= {"relative": _relative(members), "determined": members["determined"].astype(bool)}
        if self.library is None:
            return members
        arrays = {name: x for name, x in members.items() if isinstance(x, np.ndarray)}
        return members | {name: self.library.from_host(x, 0) for name, x in arrays.items()}


def _matrices(backend: str | None, **matrices: Any) -> tuple[tuple[np.ndarray, ...], _Place]:
    """Matrices of one type on the host, and their place; raises InputError for vectors that are missing."""
    for name, matrix in matrices.items():
        if matrix is None:
            raise InputError(f"{name}: the result has none; decompose with all vectors")
    if not on_one_gpu(**matrices):
        return of_one_type(*(as_matrix(name, matrix) for name, matrix in matrices.items())), _Place(backend or "host")
    with gpu_call(backend, None, **matrices) as call:
        if call.device != 0:
            raise NotSupported(f"A: is on GPU {call.device}, and refinements run on GPU 0; {HOST_COPIES}")
        on_host = (np.asfortranarray(call.library.to_host(matrix)) for matrix in call.matrices)
        return tuple(on_host), _Place("cuda", call.library)


def _relative(members: dict[str, Any]) -> Vector:
    """Relative errors of rounded values, between 0 and 1."""
    values = np.abs(members["values"])
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.where(members["bound"] == 0, 0, members["bound"] / values) + 2.0**-53
    return np.where(errors < 1, errors, 1.0)
