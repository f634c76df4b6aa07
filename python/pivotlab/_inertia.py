# SPDX-License-Identifier: BSD-3-Clause
"""Inertia of a Hermitian matrix, and its certificates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _core
from ._arrays import as_matrix, flag, thread_count, whole_number
from ._conventions import require_text
from .typing import Backend, Triangle


class Inertia(NamedTuple):
    """Numbers of positive, negative and zero eigenvalues of a Hermitian matrix."""

    positive: int
    negative: int
    zero: int


@dataclass(frozen=True)
class InertiaCertificate:
    """Statements about the signs of eigenvalues that are certain: all bounds include rounding errors.

    docs/reference/inertia.md tells how they are proved.
    Bounds of eigenvalues are those of the equilibrated matrix, unless equilibrate=False.
    """

    status: str
    """certified: `inertia` is that of A; certified_near_zero: the undecided eigenvalues are in a tiny interval around
    zero, all others far away; undetermined: others may be near, `reason` says why."""
    level: str
    """The arithmetic that settled it: "double", "double-double" or "exact"."""
    positive: int
    """At least so many eigenvalues are positive."""
    negative: int
    """At least so many eigenvalues are negative."""
    undecided: int
    """Number of all other eigenvalues; they are zero if the status is certified."""
    near_zero: int
    """Number of eigenvalues in [−below, above]: the undecided ones or, if certified, those that bounds do not tell
    from zero."""
    below: float
    above: float
    clear: float
    """Lower bound of the moduli of all eigenvalues that are not near zero."""
    reason: str
    """Reason for undetermined."""
    text: str
    """One line that states all of this."""

    @property
    def inertia(self) -> Inertia | None:
        """The inertia of A if it is certified, else None."""
        return Inertia(self.positive, self.negative, self.undecided) if self.status == "certified" else None

    @property
    def within(self) -> float:
        """Bound of the moduli of the `near_zero` eigenvalues; 0 if there are none."""
        return max(self.below, self.above)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class InertiaShift:
    """The smallest shift that gives a matrix an inertia, found by bisection over certificates."""

    shift: float | None
    """A + shift·diag(I, 0) is certified to have the inertia; None if no such shift was found."""
    too_small: float
    """The largest shift, in modulus, that was tried and is not certified to give it; within 1e-6 of `shift`, or 0 if
    that is below 2⁻¹¹⁰ of the matrix."""
    certificates: int
    """Number of shifts tried."""
    reason: str
    """Why there is none."""
    certificate: InertiaCertificate
    """Of the shifted matrix."""


def certify_inertia(
    A: Any,
    *,
    triangle: Triangle = "whole",
    equilibrate: bool = True,
    highest: str = "exact",
    backend: Backend = "host",
    threads: int = 0,
) -> InertiaCertificate:
    """Certify the inertia of a real symmetric or Hermitian matrix A, as `pivotlab solve ldlt` does.

    Parameters
    ----------
    A : array_like, shape (n, n)
    triangle : {"whole", "lower", "upper"}
        The part of A that is read.
    equilibrate : bool
        Whether bounds of eigenvalues belong to S·A·S, S of powers of two, which decides more, or to A.
    highest : {"double", "double-double", "exact"}
        The last arithmetic that is tried; double-double up to n = 512, exact modulo primes, where that takes seconds.
    backend : {"host", "cuda", "emulation"}
        Where factorizations in double run.
    threads : int
        Threads of the host; 0 for all. They change no bit of the result.

    Returns
    -------
    InertiaCertificate

    Raises
    ------
    InputError
        A matrix that is not square or not Hermitian or has NaN or Inf.

    Examples
    --------
    >>> pivotlab.certify_inertia([[1.0, 2.0], [2.0, 1.0]]).inertia
    Inertia(positive=1, negative=1, zero=0)
    """
    threads = thread_count(threads)
    for name, text in (("triangle", triangle), ("highest", highest), ("backend", backend)):
        require_text(name, text)
    certificate = _core.certify_inertia(
        as_matrix("A", A), triangle, flag("equilibrate", equilibrate), highest, backend, threads
    )
    return InertiaCertificate(*certificate)


def shift_for_inertia(
    A: Any,
    positive: int,
    negative: int,
    *,
    rows: int | None = None,
    triangle: Triangle = "whole",
    backend: Backend = "host",
    threads: int = 0,
) -> InertiaShift:
    """Find the smallest δ for which A + δ·diag(I, 0) has the inertia (positive, negative, 0), to a relative 1e-6.

    δ is added in double, and the certificate is that of the rounded matrix.

    Parameters
    ----------
    A : array_like, shape (n, n)
        Hermitian; a KKT matrix is [H Bᵀ; B −C] with `positive` rows of H.
    positive, negative : int
        Numbers of eigenvalues; their sum is n.
    rows : int, optional
        Order of I, by default `positive`, which regularizes H by δ ≥ 0; with n all rows are shifted, and δ may be
        negative.
    triangle : {"whole", "lower", "upper"}
        The part of A that is read.
    backend : {"host", "cuda", "emulation"}
        Where factorizations in double run.
    threads : int
        Threads of the host; 0 for all. They change no bit of the result.

    Returns
    -------
    InertiaShift

    Raises
    ------
    InputError
        As of certify_inertia(), and numbers that do not fit.

    Examples
    --------
    >>> shift = pivotlab.shift_for_inertia([[-1.0, 0.0], [0.0, -1.0]], 1, 1)
    >>> 1 <= shift.shift <= 1.00001
    True
    """
    positive, negative = whole_number("positive", positive, 0), whole_number("negative", negative, 0)
    rows = positive if rows is None else whole_number("rows", rows, 0)
    for name, text in (("triangle", triangle), ("backend", backend)):
        require_text(name, text)
    options = (triangle, backend, thread_count(threads))
    *found, certificate = _core.shift_for_inertia(as_matrix("A", A), positive, negative, rows, *options)
    return InertiaShift(*found, InertiaCertificate(*certificate))
