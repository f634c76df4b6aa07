# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of solvers: arrays of any kind → float64 or complex128 matrices by columns in the host's memory."""

from __future__ import annotations

import warnings
from numbers import Real
from os import PathLike, fsdecode
from typing import Any, NoReturn

import numpy as np

from . import _core
from ._core import InputError, NotSupported, most_threads

CPU, CUDA, CUDA_MANAGED = 1, 2, 13
"""DLPack's numbers of the host's memory and of memory of NVIDIA's GPUs."""

SINGLE = ("f4", "c8")
"""NumPy's names of the types of single precision, of any order of bytes."""


LARGE = 2**25
"""Bytes of matrices that NumPy copies slowly, from storage by rows to storage by columns."""


class ConversionWarning(UserWarning):
    """An argument was converted to double precision."""


def refuse_device_array(name: str, array: Any, place: str) -> NoReturn:
    """Raises NotSupported for an array on a GPU. A copy through the host, which would hide a transfer, is never made;
    solvers that take such arrays do so before (_gpu_arrays.py)."""
    kind = f"{type(array).__module__.partition('.')[0]} array"
    raise NotSupported(
        f"{name}: the {kind} is on {place}, and is not taken from there; pass a copy in the host's memory "
        "(tensor.cpu(), cupy.asnumpy(array))"
    )


def device_of(name: str, array: Any) -> tuple[int, int | None]:
    """DLPack's number of the kind of memory that an array is in, and the index of the device, if it says so. Raises
    InputError for an array that was freed."""
    if hasattr(array, "__dlpack_device__"):
        try:
            device, index = array.__dlpack_device__()
        except Exception as error:  # other libraries raise what they like, e.g. for an array that was freed
            raise InputError(f"{name}: the array cannot be read: {first_line(error)}; pass one that exists") from None
        return int(device), index
    return (CUDA, None) if hasattr(array, "__cuda_array_interface__") else (CPU, None)


def on_host(name: str, array: Any) -> np.ndarray:
    """The argument as a NumPy array, without a copy where it is one in the host's memory."""
    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"{name}: is a masked array, whose mask would be lost; fill it with .filled(value)")
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    device, index = device_of(name, array)
    if device != CPU:
        refuse_device_array(name, array, "a GPU" if index is None else f"device {index}")
    try:
        return np.from_dlpack(array) if hasattr(array, "__dlpack_device__") else np.asarray(array)
    except Exception as error:
        raise InputError(f"{name}: cannot be read as an array: {first_line(error)}; pass a NumPy array") from None


def as_array(numbers: Any) -> Any:
    """An array as it is, other numbers as NumPy's."""
    return numbers if hasattr(numbers, "__dlpack__") else np.asarray(numbers)


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def in_double(name: str, array: np.ndarray) -> np.ndarray:
    """The array in float64 or complex128, with a warning if it was of another type than these and single precision.
    Raises TypeError for types without such values, InputError for integers that no double represents."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if (native := array.dtype.newbyteorder("=")) in (np.float64, np.complex128):
        return array.astype(native, copy=False)
    if kind not in "bfciu" or (kind == "f" and size > 8) or (kind == "c" and size > 16):
        remedy = "convert it with .astype(float) or .astype(complex)"
        raise TypeError(f"{name}: dtype {array.dtype} is not float64 or complex128; {remedy}")
    converted = array.astype(np.complex128 if kind == "c" else np.float64)
    if array.dtype.str[1:] in SINGLE:
        return converted
    if kind in "iu" and size == 8 and not _is_exact(array, converted):
        raise InputError(f"{name}: an integer is larger than a double can represent; convert it with .astype(float)")
    message = f"{name}: converted from {array.dtype} to {converted.dtype}; pass that to avoid a copy"
    warnings.warn(message, ConversionWarning, stacklevel=_caller())
    return converted


def _is_exact(integers: np.ndarray, converted: np.ndarray) -> bool:
    with np.errstate(invalid="ignore"):  # numbers beyond the integers' range become others
        return np.array_equal(converted.astype(integers.dtype), integers)


def _caller() -> int:
    """The stack level of the first frame outside of this package, for warnings."""
    import sys

    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "pivotlab":
        level, frame = level + 1, frame.f_back
    return level


def by_columns(matrix: np.ndarray) -> np.ndarray:
    """The matrix with consecutive elements in each column; a copy only if it is stored otherwise."""
    rows, columns = matrix.shape
    item = matrix.itemsize
    down, across = matrix.strides
    is_dense = (rows <= 1 or down == item) and (columns <= 1 or (across >= rows * item and across % item == 0))
    if is_dense and matrix.flags.aligned:
        return matrix
    is_by_rows = across == item and down > 0 and down % item == 0 and matrix.flags.aligned
    if is_by_rows and matrix.nbytes >= LARGE:
        return _core.by_columns(matrix)  # NumPy takes four times as long
    return np.asfortranarray(matrix)


def as_matrix(name: str, array: Any) -> np.ndarray:
    """A matrix that the library reads in place. It may be read-only."""
    matrix = in_double(name, on_host(name, array))
    if matrix.ndim != 2:
        raise InputError(f"{name}: has {matrix.ndim} dimensions; pass a matrix with 2")
    return by_columns(matrix)


def as_columns(name: str, array: Any, dtype: np.dtype) -> tuple[np.ndarray, bool]:
    """Right-hand sides as a matrix of this type, and whether they were one vector."""
    columns = in_double(name, on_host(name, array))
    if columns.ndim not in (1, 2):
        raise InputError(f"{name}: has {columns.ndim} dimensions; pass a vector or a matrix")
    if columns.dtype != dtype and dtype == np.float64:
        raise InputError(f"{name}: is complex, and the matrix is real; solve for its real and imaginary parts")
    is_vector = columns.ndim == 1
    columns = columns[:, None] if is_vector else columns
    return by_columns(columns.astype(dtype, copy=False)), is_vector


def as_vector(name: str, array: Any, dtype: type) -> np.ndarray:
    vector = in_double(name, on_host(name, array))
    if vector.ndim != 1:
        raise InputError(f"{name}: has {vector.ndim} dimensions; pass a vector with 1")
    if np.iscomplexobj(vector) and dtype is float:
        raise InputError(f"{name}: is complex; pass real numbers")
    return np.ascontiguousarray(vector, dtype=dtype)


def as_signs(name: str, array: Any, count: int, each: str = "column") -> np.ndarray:
    """This many signs as integers 1 and -1; all are 1 for None."""
    signs = np.ones(count) if array is None else on_host(name, array)
    if signs.dtype.kind not in "iuf":
        raise TypeError(f"{name}: dtype {signs.dtype} is not that of real numbers; pass signs 1 and -1")
    if signs.shape != (count,):
        raise InputError(f"{name}: has the shape {signs.shape}; pass a vector of {count} signs, one for each {each}")
    if not np.all(np.abs(signs) == 1):
        raise InputError(f"{name}: has an element other than 1 and -1; pass signs")
    return np.ascontiguousarray(signs, dtype=np.int64)


def of_one_type(*matrices: np.ndarray) -> tuple[np.ndarray, ...]:
    """The matrices, all complex if one of them is."""
    dtype = np.result_type(*matrices)
    return tuple(by_columns(matrix.astype(dtype, copy=False)) for matrix in matrices)


def file_name(file: str | PathLike[str]) -> str:
    """The name of a file; raises InputError for one with a zero byte, at which the system would end it."""
    name = fsdecode(file)
    if "\0" in name:
        raise InputError(f"file: {name!r} has a zero byte; leave it out")
    return name


def whole_number(name: str, value: Any, least: int) -> int:
    """The value as an int; raises InputError for others and for smaller ones."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{name}: {value!r} is not an integer; pass one") from None
    if not least <= number < 2**31:
        bound = f"least {least}" if number < least else f"most {2**31 - 1}"
        raise InputError(f"{name}: {number} is out of range; pass at {bound}")
    return number


def real_number(name: str, value: Any) -> float:
    """The value as a float; raises TypeError for others, InputError for an integer beyond the range of double."""
    number = value.item() if getattr(value, "shape", None) == () else value
    if not isinstance(number, Real) or value is np.ma.masked:
        raise TypeError(f"{name}: {value!r} is not a real number; pass one")
    try:
        return float(number)
    except OverflowError:
        raise InputError(f"{name}: the integer exceeds the range of double; pass a smaller one") from None


def flag(name: str, value: Any) -> bool:
    """The truth value, NumPy's, too; raises TypeError for an array of several."""
    try:
        return bool(value)
    except ValueError:
        raise TypeError(f"{name}: {value!r} is not True or False; pass one of them") from None


def thread_count(threads: Any) -> int:
    """A number of threads, 0 for all; raises InputError for one that no machine has."""
    number = whole_number("threads", threads, 0)
    if number > most_threads:
        raise InputError(f"threads: {number} are more than {most_threads}, the largest number; take fewer")
    return number
