# SPDX-License-Identifier: BSD-3-Clause
"""Files of matrices and pairs."""

from __future__ import annotations

import os
from os import PathLike
from typing import Any, Literal

from . import _core
from ._arrays import as_matrix, file_name, flag, of_one_type, whole_number
from ._problems import General, Pair, Symmetric, made_general, made_pair, made_symmetric, truth_of
from ._program import program
from .typing import Matrix, Symmetry

File = str | PathLike[str]


def _with_examiner(file: File) -> str:
    """The file's name. HDF5 files are examined by the command in its own process, because libhdf5 crashes on some
    damaged ones."""
    if "PIVOTLAB_EXAMINER" not in os.environ:
        _core.set_examiner(str(program()))
    return file_name(file)


def read_matrix(file: File) -> Matrix:
    """Read a dense matrix from HDF5 or Matrix Market, plain or gzip.

    Parameters
    ----------
    file : path
        "file.h5:/dataset", "file.h5" with one matrix, or a name that ends in .mtx or .mtx.gz.

    Returns
    -------
    ndarray, shape (m, n)

    Raises
    ------
    InputError
        A file that cannot be used.

    Examples
    --------
    >>> pivotlab.write_matrix("A.mtx", [[1.0, 2.0]])
    >>> pivotlab.read_matrix("A.mtx")
    array([[1., 2.]])
    """
    return _core.read_matrix(_with_examiner(file))


def write_matrix(file: File, A: Any) -> None:
    """Write the smallest Matrix Market form that reads back bit for bit.

    Parameters
    ----------
    file : path
        Gzip if the name ends in .gz. An existing file is replaced.
    A : array_like, shape (m, n)

    Raises
    ------
    InputError
        The file cannot be written.

    Examples
    --------
    >>> pivotlab.write_matrix("A.mtx.gz", [[1.0, 2.0]])
    """
    _core.write_matrix(file_name(file), as_matrix("A", A))


def read_pair(file: File) -> Pair:
    """Read a pair from one HDF5 file with datasets F and G (docs/reference/files.md).

    Parameters
    ----------
    file : path

    Returns
    -------
    Pair
        With the truth, if the file has it.

    Raises
    ------
    InputError
        A file that cannot be used.

    Examples
    --------
    >>> pivotlab.write_pair("pair.h5", ([[1.0]], [[2.0]]))
    >>> pivotlab.read_pair("pair.h5").G
    array([[2.]])
    """
    return made_pair(**_core.read_pair(_with_examiner(file)))


def write_pair(file: File, pair: Pair | tuple[Any, Any], *, compression: int = 4, one_triangle: bool = False) -> None:
    """Write a pair to one HDF5 file, with the truth if it is known.

    Parameters
    ----------
    file : path
        An existing file is replaced.
    pair : Pair or (F, G)
    compression : int
        Level of gzip, 0 to 9.
    one_triangle : bool
        Store only the lower triangles of Hermitian matrices.

    Raises
    ------
    InputError
        Matrices that are no pair, or a file that cannot be written.

    Examples
    --------
    >>> pivotlab.write_pair("pair.h5", pivotlab.generate("gsvd", "paper", 4))
    """
    pair = pair if isinstance(pair, Pair) else Pair(*pair)
    F, G = of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G))
    truth = truth_of("sigma", pair.sigma, pair.sigma_rest)
    _core.write_pair(
        file_name(file),
        F,
        G,
        *truth,
        pair.provenance,
        whole_number("compression", compression, 0),
        flag("one_triangle", one_triangle),
    )


def read_raw_pair(stem: File, type: Literal["d", "z"], m_f: int, m_g: int, n: int) -> Pair:
    """Read <stem>.Y (F) and <stem>.W (G) of the published implementation: columns, no header.

    Parameters
    ----------
    stem : path
    type : {"d", "z"}
        Real or complex.
    m_f, m_g, n : int
        Rows of F and G, and columns of both.

    Returns
    -------
    Pair

    Raises
    ------
    InputError
        Files that are missing or have another size.

    Examples
    --------
    >>> pivotlab.write_raw_pair("raw", ([[1.0]], [[2.0]]))
    >>> pivotlab.read_raw_pair("raw", "d", 1, 1, 1).F
    array([[1.]])
    """
    shape = (whole_number("m_f", m_f, 1), whole_number("m_g", m_g, 1), whole_number("n", n, 1))
    return made_pair(**_core.read_raw_pair(file_name(stem), type, *shape))


def write_raw_pair(stem: File, pair: Pair | tuple[Any, Any]) -> None:
    """Write <stem>.Y and <stem>.W in the form of read_raw_pair(). Existing files are replaced.

    Parameters
    ----------
    stem : path
    pair : Pair or (F, G)

    Raises
    ------
    InputError
        The files cannot be written.

    Examples
    --------
    >>> pivotlab.write_raw_pair("raw", pivotlab.generate("gsvd", "paper", 4))
    """
    pair = pair if isinstance(pair, Pair) else Pair(*pair)
    _core.write_raw_pair(file_name(stem), *of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G)))


def read_symmetric(file: File, symmetry: Symmetry = "hermitian") -> Symmetric:
    """Read a file of write_symmetric(), or any symmetric matrix that read_matrix() reads; a matrix that is symmetric up
    to rounding is replaced by (A + A*)/2.

    Parameters
    ----------
    file : path
    symmetry : {"hermitian", "symmetric"}
        Of a complex matrix whose file does not state it.

    Returns
    -------
    Symmetric

    Raises
    ------
    InputError
        A file that cannot be used, or a matrix without the symmetry.

    Examples
    --------
    >>> pivotlab.write_matrix("A.mtx", [[1.0, 2.0], [2.0, 1.0]])
    >>> pivotlab.read_symmetric("A.mtx").A.shape
    (2, 2)
    """
    return made_symmetric(**_core.read_symmetric(_with_examiner(file), symmetry))


def write_symmetric(file: File, matrix: Symmetric) -> None:
    """Write one triangle, the truth if it is known, inertia and provenance to one HDF5 file.

    Parameters
    ----------
    file : path
        An existing file is replaced.
    matrix : Symmetric

    Raises
    ------
    InputError
        A truth of another length, or a file that cannot be written.

    Examples
    --------
    >>> pivotlab.write_symmetric("A.h5", pivotlab.generate("ldlt", "kkt", 6))
    """
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest)
    inertia = None if matrix.inertia is None else tuple(matrix.inertia)
    A = as_matrix("A", matrix.A)
    _core.write_symmetric(file_name(file), A, matrix.symmetry, *truth, inertia, matrix.provenance)


def read_general(file: File) -> General:
    """Read a file of write_general(), or any square matrix that read_matrix() reads.

    Parameters
    ----------
    file : path

    Returns
    -------
    General

    Raises
    ------
    InputError
        A file that cannot be used.

    Examples
    --------
    >>> pivotlab.write_matrix("A.mtx", [[1.0, 2.0], [0.0, 1.0]])
    >>> pivotlab.read_general("A.mtx").A.shape
    (2, 2)
    """
    return made_general(**_core.read_general(_with_examiner(file)))


def write_general(file: File, matrix: General) -> None:
    """Write A, the truth if it is known, and provenance to one HDF5 file.

    Parameters
    ----------
    file : path
        An existing file is replaced.
    matrix : General

    Raises
    ------
    InputError
        A truth of another length, or a file that cannot be written.

    Examples
    --------
    >>> pivotlab.write_general("A.h5", pivotlab.generate("eig", "random", 6))
    """
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest, complex)
    _core.write_general(file_name(file), as_matrix("A", matrix.A), *truth, matrix.provenance)
