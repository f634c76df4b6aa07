# SPDX-License-Identifier: BSD-3-Clause
"""Test problems with their truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import as_matrix, as_vector, of_one_type, thread_count, whole_number
from ._conventions import require_text
from ._core import InputError
from ._inertia import Inertia
from ._status import described, size
from .typing import ComplexVector, Integers, Matrix, Method, Symmetry, Triangle, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Pair:
    """A pair (F, G) and its generalized singular values, if they are known.

    sigma + sigma_rest is the truth to 106 bits: sigma is rounded to double, sigma_rest is what rounding removed.
    """

    F: Matrix
    """m_F × n."""
    G: Matrix
    """m_G × n."""
    sigma: Vector | None = None
    """Descending, infinite ones first; None if unknown."""
    sigma_rest: Vector | None = None
    provenance: str = ""
    """The generator's name and seed, or the file."""

    def __repr__(self) -> str:
        truth = "known" if self.sigma is not None else "unknown"
        return described("Pair", F=size(self.F), G=size(self.G), sigma=truth, of=self.provenance or None)


@dataclass(frozen=True, repr=False, eq=False)
class Symmetric:
    """A symmetric or Hermitian matrix and its known properties; eigenvalues + eigenvalues_rest as in Pair."""

    A: Matrix
    """n × n, both triangles."""
    symmetry: Symmetry = "hermitian"
    eigenvalues: Vector | None = None
    """Ascending; None if unknown."""
    eigenvalues_rest: Vector | None = None
    inertia: Inertia | None = None
    """Of the matrix before rounding; None if unknown."""
    provenance: str = ""

    def __repr__(self) -> str:
        inertia = "unknown" if self.inertia is None else "{} {} {}".format(*self.inertia)
        return described(f"Symmetric {self.symmetry}", A=size(self.A), inertia=inertia, of=self.provenance or None)


@dataclass(frozen=True, repr=False, eq=False)
class General:
    """A square matrix and its eigenvalues, if they are known; eigenvalues + eigenvalues_rest as in Pair."""

    A: Matrix
    """n × n."""
    eigenvalues: ComplexVector | None = None
    """By descending modulus; None if unknown."""
    eigenvalues_rest: ComplexVector | None = None
    provenance: str = ""

    def __repr__(self) -> str:
        truth = "known" if self.eigenvalues is not None else "unknown"
        return described("General", A=size(self.A), eigenvalues=truth, of=self.provenance or None)


@dataclass(frozen=True, repr=False, eq=False)
class Rectangular:
    """A matrix and a sign for each column."""

    G: Matrix
    """m × n; m ≥ n for a J with both signs."""
    J: Integers | None = None
    """Length n, 1 or −1; None means 1."""
    provenance: str = ""

    def __repr__(self) -> str:
        return described("Rectangular", G=size(self.G), of=self.provenance or None)


@dataclass(frozen=True, repr=False, eq=False)
class SignedPair:
    """A pair (F, G), signs of the rows of F, and the eigenvalues of (Fᴴ·diag(J)·F, GᴴG), if they are known;
    eigenvalues + eigenvalues_rest as in Pair."""

    F: Matrix
    """m_F × n."""
    G: Matrix
    """m_G × n, m_G ≥ n."""
    J: Integers | None = None
    """Length m_F, 1 or −1; None means 1."""
    eigenvalues: Vector | None = None
    """Descending, of the stored matrices; NaN where they do not determine twenty digits. None if unknown."""
    eigenvalues_rest: Vector | None = None
    provenance: str = ""

    def __repr__(self) -> str:
        truth = "known" if self.eigenvalues is not None else "unknown"
        facts = {"F": size(self.F), "G": size(self.G), "eigenvalues": truth}
        return described("SignedPair", **facts, of=self.provenance or None)


def made_pair(F: Matrix, G: Matrix, truth: tuple | None, provenance: str) -> Pair:
    return Pair(F, G, *(truth or (None, None)), provenance)


def made_symmetric(
    A: Matrix, symmetry: Symmetry, truth: tuple | None, inertia: tuple | None, provenance: str
) -> Symmetric:
    return Symmetric(A, symmetry, *(truth or (None, None)), Inertia(*inertia) if inertia else None, provenance)


def made_general(A: Matrix, truth: tuple | None, provenance: str) -> General:
    return General(A, *(truth or (None, None)), provenance)


def _signed_pair(made: dict[str, Any], signs: str, seed: int, threads: int) -> SignedPair:
    F, G = made["F"], made["G"]
    J = _core.generate_signs(signs, F.shape[0], seed)
    truth = _core.true_signed_eigenvalues(F, G, J, threads) if G.shape[0] >= G.shape[1] else None
    return SignedPair(F, G, J, *(truth or (None, None)), f"{made['provenance']}, signs {signs}")


def truth_of(name: str, values: Any, rest: Any, dtype: type = float) -> tuple[np.ndarray, np.ndarray]:
    """Truth as two vectors of one length, empty if it is unknown."""
    high = as_vector(name, () if values is None else values, dtype)
    low = np.zeros_like(high) if rest is None else as_vector(f"{name}_rest", rest, dtype)
    if high.shape != low.shape:
        raise InputError(f"{name}_rest: has {len(low)} elements, {name} has {len(high)}; pass as many")
    return high, low


# ---- Generators ----


@overload
def generate(method: Literal["gsvd"], generator: str = ..., n: int = ..., **options: Any) -> Pair: ...
@overload
def generate(method: Literal["ldlt", "eigh"], generator: str = ..., n: int = ..., **options: Any) -> Symmetric: ...
@overload
def generate(method: Literal["eig"], generator: str = ..., n: int = ..., **options: Any) -> General: ...
@overload
def generate(method: Literal["hsvd"], generator: str = ..., n: int = ..., **options: Any) -> Rectangular: ...
@overload
def generate(method: Literal["ghsvd"], generator: str = ..., n: int = ..., **options: Any) -> SignedPair: ...
def generate(
    method: Method,
    generator: str | None = None,
    n: int = 100,
    *,
    m_f: int | None = None,
    m_g: int | None = None,
    m: int | None = None,
    signs: Literal["positive", "halves", "third", "random"] | None = None,
    type: Literal["d", "z"] | None = None,
    symmetry: Symmetry = "hermitian",
    seed: int = 1,
    threads: int = 0,
) -> Pair | Symmetric | General | Rectangular | SignedPair:
    """Generate a test problem in quadruple precision, rounded once, with its truth.

    Parameters
    ----------
    method : str
        "gsvd" gives a Pair, "ldlt" and "eigh" a Symmetric, "eig" a General, "hsvd" a Rectangular, "ghsvd" a SignedPair,
        whose truth is computed up to n = 64, which takes a few seconds there.
    generator : str, optional
        Name with options, such as "graded;g=8;side=left" (`pivotlab.generators(method)`); by default "paper" for gsvd,
        "equidistant" for ldlt, else "random".
    n : int
        Order; columns of F and G.
    m_f, m_g : int, optional
        Rows of F and G; n by default.
    m : int, optional
        Rows of G for hsvd; n by default.
    signs : {"positive", "halves", "third", "random"}, optional
        Pattern of J for hsvd (by default "positive") and ghsvd (by default "third"): all 1, the second half −1, every
        third −1, or random signs.
    type : {"d", "z"}, optional
        Real or complex; by default "z" for eig, else "d".
    symmetry : {"hermitian", "symmetric"}
        Symmetry of a complex matrix for ldlt.
    seed : int
        Of random numbers.
    threads : int
        Threads of the host; 0 for all. They change no bit.

    Returns
    -------
    Pair, Symmetric, General, Rectangular or SignedPair
        The matrices, with truth + truth_rest to 106 bits.

    Raises
    ------
    InputError
        An unknown method, generator or option, or an order that the generator does not have.

    Examples
    --------
    >>> pivotlab.generate("gsvd", "paper", 4)
    <Pair F 4 × 4, G 4 × 4, ...>
    """
    optional = {"generator": generator, "signs": signs, "type": type}
    texts = {"method": method, "symmetry": symmetry} | {k: text for k, text in optional.items() if text is not None}
    for name, text in texts.items():
        require_text(name, text)
    order, seed, threads = whole_number("n", n, 0), whole_number("seed", seed, 0), thread_count(threads)
    if method not in ("gsvd", "ghsvd") and (m_f is not None or m_g is not None):
        raise InputError(f"m_f, m_g: are rows of a pair, and {method} takes one matrix; leave them out")
    if method != "hsvd" and m is not None:
        raise InputError(f"m: is for hsvd, and the method is {method}; leave it out")
    if method not in ("hsvd", "ghsvd") and signs is not None:
        raise InputError(f"signs: are for hsvd and ghsvd, and the method is {method}; leave them out")
    if method in ("gsvd", "ghsvd"):
        rows = [order if m is None else whole_number(name, m, 0) for name, m in (("m_f", m_f), ("m_g", m_g))]
        generator = generator or ("paper" if method == "gsvd" else "random")
        made = _core.generate_pair(generator, type or "d", order, *rows, seed, threads, method == "gsvd")
        return made_pair(**made) if method == "gsvd" else _signed_pair(made, signs or "third", seed, threads)
    if method in ("ldlt", "eigh"):
        generator = generator or ("equidistant" if method == "ldlt" else "random")
        return made_symmetric(**_core.generate_symmetric(generator, type or "d", symmetry, order, seed, threads))
    if method == "eig":
        return made_general(**_core.generate_general(generator or "random", type or "z", order, seed, threads))
    if method == "hsvd":
        rows = order if m is None else whole_number("m", m, 0)
        signs = signs or "positive"
        arguments = (generator or "random", type or "d", order, rows, signs, seed, threads)
        G, J, name = _core.generate_rectangular(*arguments)
        return Rectangular(G, J, f"{name}, seed {seed}, signs {signs}")
    raise InputError(f"method: unknown {method!r}; one of gsvd, ldlt, eig, eigh, hsvd, ghsvd is expected")


def definite_pair(K: Any, M: Any, *, threads: int = 0) -> Pair:
    """Return the pair of Cholesky factors, FᴴF = K and GᴴG = M, of positive semidefinite matrices.

    Its generalized singular values are √λ of K·x = λ·M·x, and the columns of Z the eigenvectors; a common null space of
    K and M is not part of the decomposition. `eigh(K, M)` takes an indefinite K and a definite M.

    Parameters
    ----------
    K, M : array_like, shape (n, n)
        Exactly Hermitian matrices.
    threads : int
        Threads of the host; 0 for all. They change no bit.

    Returns
    -------
    Pair
        Factors n × n, upper triangular for a definite matrix; for a semidefinite one row k is that of the k-th largest
        pivot, and rows beyond the rank are zero.

    Raises
    ------
    InputError
        K or M is not exactly Hermitian, or is indefinite.

    Examples
    --------
    >>> pivotlab.definite_pair([[4.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 1.0]]).F
    array([[2., 0.],
           [0., 3.]])
    """
    matrices = of_one_type(as_matrix("K", K), as_matrix("M", M))
    return made_pair(**_core.definite_pair(*matrices, thread_count(threads)))


def indefinite_pair(H: Any, S: Any, *, triangle: Triangle = "whole", threads: int = 0) -> SignedPair:
    """Return the pair and the signs with Fᴴ·diag(J)·F = H and GᴴG = S, whose eigenvalues by `ghsvd` are those of
    H·c = E·S·c (`eigh(H, S)` is both in one call).

    Parameters
    ----------
    H, S : array_like, shape (n, n)
        Hermitian matrices; S is positive definite.
    triangle : {"whole", "lower", "upper"}
        The part of both that is read; "whole" is averaged where both triangles agree but for rounding, as for eigh().
    threads : int
        Threads of the host; 0 for all. They change no bit.

    Returns
    -------
    SignedPair
        F has as many rows as the rank of H. Factors are computed in double-double and long double, and rounded once.

    Raises
    ------
    InputError
        H or S is not Hermitian, or S is not positive definite.

    Examples
    --------
    >>> pair = pivotlab.indefinite_pair([[4.0, 0.0], [0.0, -9.0]], [[1.0, 0.0], [0.0, 1.0]])
    >>> sorted(pair.J.tolist()), pair.F.shape
    ([-1, 1], (2, 2))
    """
    require_text("triangle", triangle)
    matrices = of_one_type(as_matrix("H", H), as_matrix("S", S))
    pair, J = _core.indefinite_pair(*matrices, triangle, thread_count(threads))
    return SignedPair(pair["F"], pair["G"], J, provenance=pair["provenance"])


def difference_operator(n: int, order: int) -> Matrix:
    """Return the matrix of differences of order 0 (identity), 1 or 2, bordered to full rank by rows of the identity,
    for regularization.

    Parameters
    ----------
    n : int
        Order of the matrix.
    order : int
        0, 1 or 2.

    Returns
    -------
    ndarray, shape (n, n)

    Raises
    ------
    InputError
        Another order.

    Examples
    --------
    >>> pivotlab.difference_operator(3, 1).shape
    (3, 3)
    """
    return _core.difference_operator(whole_number("n", n, 1), whole_number("order", order, 0))
