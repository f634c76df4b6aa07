# SPDX-License-Identifier: BSD-3-Clause
"""Test problems with their truth, and files of matrices and pairs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._arrays import as_matrix, as_vector, of_one_type, thread_count, whole_number
from ._core import InputError
from ._inertia import Inertia
from ._program import program
from ._status import described, size
from .typing import ComplexVector, Integers, Matrix, Method, Symmetry, Triangle, Vector

File = str | PathLike[str]


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


def _pair(F: Matrix, G: Matrix, truth: tuple | None, provenance: str) -> Pair:
    return Pair(F, G, *(truth or (None, None)), provenance)


def _symmetric(A: Matrix, symmetry: Symmetry, truth: tuple | None, inertia: tuple | None, provenance: str) -> Symmetric:
    return Symmetric(A, symmetry, *(truth or (None, None)), Inertia(*inertia) if inertia else None, provenance)


def _general(A: Matrix, truth: tuple | None, provenance: str) -> General:
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
    """Generates a test problem in quadruple precision, rounded once, with its truth.

    Args:
        method: "gsvd" gives a Pair, "ldlt" and "eigh" a Symmetric, "eig" a General, "hsvd" a Rectangular, "ghsvd" a
            SignedPair, whose truth is computed up to n = 64, which takes a few seconds there.
        generator: name with options, such as "graded;g=8;side=left" (pivotlab.generators(method)); default "paper" for
            gsvd, "equidistant" for ldlt, else "random".
        n: order; columns of F and G.
        m_f, m_g: rows of F and G; default n.
        m: rows of G for hsvd; default n.
        signs: pattern of J for hsvd (default "positive") and ghsvd (default "third"): all 1, the second half −1, every
            third −1, or random signs.
        type: "d" (real) or "z" (complex); default "z" for eig, else "d".
        symmetry: of a complex matrix for ldlt.
        seed: of random numbers.
        threads: threads of the host; 0 for all. They change no bit.

    Raises:
        InputError: an unknown method, generator or option, or an order that the generator does not have.
    """
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
        return _pair(**made) if method == "gsvd" else _signed_pair(made, signs or "third", seed, threads)
    if method in ("ldlt", "eigh"):
        generator = generator or ("equidistant" if method == "ldlt" else "random")
        return _symmetric(**_core.generate_symmetric(generator, type or "d", symmetry, order, seed, threads))
    if method == "eig":
        return _general(**_core.generate_general(generator or "random", type or "z", order, seed, threads))
    if method == "hsvd":
        rows = order if m is None else whole_number("m", m, 0)
        signs = signs or "positive"
        arguments = (generator or "random", type or "d", order, rows, signs, seed, threads)
        G, J, name = _core.generate_rectangular(*arguments)
        return Rectangular(G, J, f"{name}, seed {seed}, signs {signs}")
    raise InputError(f"method: unknown {method!r}; one of gsvd, ldlt, eig, eigh, hsvd, ghsvd is expected")


def definite_pair(K: Any, M: Any) -> Pair:
    """Returns the pair of Cholesky factors, FᴴF = K and GᴴG = M, of positive semidefinite matrices.

    Its generalized singular values are √λ of K·x = λ·M·x, and the columns of Z the eigenvectors; a common null space of
    K and M is not part of the decomposition. Factors are n × n, upper triangular for a definite matrix; for a
    semidefinite one row k is that of the k-th largest pivot, and rows beyond the rank are zero. Raises InputError if K
    and M (n × n) are not exactly Hermitian, or indefinite; `eigh(K, M)` takes an indefinite K and a definite M.
    """
    return _pair(**_core.definite_pair(*of_one_type(as_matrix("K", K), as_matrix("M", M))))


def indefinite_pair(H: Any, S: Any, *, triangle: Triangle = "whole") -> SignedPair:
    """Return the pair and the signs with Fᴴ·diag(J)·F = H and GᴴG = S, whose eigenvalues by `ghsvd` are those of
    H·c = E·S·c (`eigh(H, S)` is both in one call).

    F has as many rows as the rank of H. Factors are computed in double-double and long double, and rounded once. The
    `triangle` of H and S is read; both are averaged if they agree but for rounding, as eigh() does. Raises InputError
    if H and S (n × n) are not Hermitian, or S is not positive definite.
    """
    pair, J = _core.indefinite_pair(*of_one_type(as_matrix("H", H), as_matrix("S", S)), triangle)
    return SignedPair(pair["F"], pair["G"], J, provenance=pair["provenance"])


def difference_operator(n: int, order: int) -> Matrix:
    """Returns the n × n matrix of differences of order 0 (identity), 1 or 2, bordered to full rank by rows of the
    identity, for regularization."""
    return _core.difference_operator(whole_number("n", n, 1), whole_number("order", order, 0))


# ---- Files ----


def _with_examiner(file: File) -> str:
    """The file's name. HDF5 files are examined by the command in its own process, because libhdf5 crashes on some
    damaged ones."""
    if "PIVOTLAB_EXAMINER" not in os.environ:
        _core.set_examiner(str(program()))
    return fspath(file)


def read_matrix(file: File) -> Matrix:
    """Reads a dense matrix from HDF5 ("file.h5:/dataset", or "file.h5" with one matrix) or Matrix Market, plain or
    gzip. Raises InputError for a file that cannot be used."""
    return _core.read_matrix(_with_examiner(file))


def write_matrix(file: File, A: Any) -> None:
    """Writes the smallest Matrix Market form that reads back bit for bit; gzip if the name ends in .gz. An existing
    file is replaced."""
    _core.write_matrix(fspath(file), as_matrix("A", A))


def read_pair(file: File) -> Pair:
    """Reads a pair from one HDF5 file with datasets F and G (docs/reference/files.md)."""
    return _pair(**_core.read_pair(_with_examiner(file)))


def write_pair(file: File, pair: Pair | tuple[Any, Any], *, compression: int = 4, one_triangle: bool = False) -> None:
    """Writes a pair, or two matrices (F, G), to one HDF5 file with the truth if it is known. An existing file is
    replaced. `one_triangle`: store only the lower triangles of Hermitian matrices."""
    pair = pair if isinstance(pair, Pair) else Pair(*pair)
    F, G = of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G))
    truth = truth_of("sigma", pair.sigma, pair.sigma_rest)
    _core.write_pair(
        fspath(file), F, G, *truth, pair.provenance, whole_number("compression", compression, 0), one_triangle
    )


def read_raw_pair(stem: File, type: Literal["d", "z"], m_f: int, m_g: int, n: int) -> Pair:
    """Reads <stem>.Y (F, m_f × n) and <stem>.W (G, m_g × n) of the published implementation: columns, no header."""
    shape = (whole_number("m_f", m_f, 1), whole_number("m_g", m_g, 1), whole_number("n", n, 1))
    return _pair(**_core.read_raw_pair(fspath(stem), type, *shape))


def write_raw_pair(stem: File, pair: Pair | tuple[Any, Any]) -> None:
    """Writes <stem>.Y and <stem>.W in the form of read_raw_pair(). Existing files are replaced."""
    pair = pair if isinstance(pair, Pair) else Pair(*pair)
    _core.write_raw_pair(fspath(stem), *of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G)))


def read_symmetric(file: File, symmetry: Symmetry = "hermitian") -> Symmetric:
    """Reads a file of write_symmetric(), or any symmetric matrix that read_matrix() reads; a matrix that is symmetric
    up to rounding is replaced by (A + A*)/2. `symmetry`: of a complex matrix whose file does not state it. Raises
    InputError if the matrix does not have it."""
    return _symmetric(**_core.read_symmetric(_with_examiner(file), symmetry))


def write_symmetric(file: File, matrix: Symmetric) -> None:
    """Writes one triangle, the truth if it is known, inertia and provenance to one HDF5 file. An existing file is
    replaced."""
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest)
    inertia = None if matrix.inertia is None else tuple(matrix.inertia)
    A = as_matrix("A", matrix.A)
    _core.write_symmetric(fspath(file), A, matrix.symmetry, *truth, inertia, matrix.provenance)


def read_general(file: File) -> General:
    """Reads a file of write_general(), or any square matrix that read_matrix() reads."""
    return _general(**_core.read_general(_with_examiner(file)))


def write_general(file: File, matrix: General) -> None:
    """Writes A, the truth if it is known, and provenance to one HDF5 file. An existing file is replaced."""
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest, complex)
    _core.write_general(fspath(file), as_matrix("A", matrix.A), *truth, matrix.provenance)
