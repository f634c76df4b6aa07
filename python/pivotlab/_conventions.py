# SPDX-License-Identifier: BSD-3-Clause
"""What every solver has of numpy.linalg: stacks (…, m, n), the precision and the kind of the given arrays, results that
unpack, and names of LAPACK's drivers."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

import numpy as np

from ._arrays import CPU, SINGLE, InputError, device_of, flag, in_double, on_host, thread_count
from ._parallel import LARGEST, in_parallel, workers_for

P = ParamSpec("P")
Result = TypeVar("Result")

ROUNDING = 2.0**-23
"""Largest relative error of the square of a double that was rounded to single precision."""


class Unpacks:
    """A result that unpacks, counts and indexes as a tuple of its first members."""

    _order: ClassVar[tuple[str, ...]] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter([getattr(self, name) for name in self._order])

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, index: Any) -> Any:
        return tuple(self)[index]

    def __bool__(self) -> bool:
        return True

    def _converted(self, convert: Callable[[str, Any], Any]) -> Any:
        """The result with converted arrays."""
        own = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return replace(self, **{name: convert(name, a) for name, a in own.items() if isinstance(a, np.ndarray)})  # type: ignore[type-var]

    @classmethod
    def _stacked(cls, results: Sequence[Any], shape: tuple[int, ...], final: tuple[int, ...]) -> Any:
        """One result of the same type. Arrays are stacked, statuses are that of the first that has not passed, times
        are added, lists and dictionaries are listed."""

        def joined(name: str, own: list[Any]) -> Any:
            first = own[0]
            if any(isinstance(one, np.ndarray) for one in own):
                return stacked(name, own, shape, final)
            if isinstance(first, tuple):  # an inertia
                return type(first)(*(stacked(name, list(part), shape, final) for part in zip(*own, strict=True)))
            if name.endswith("seconds"):
                return sum(own)
            if name == "statuses":
                return tuple(r.status for r in results)
            if name in ("status", "message"):
                worst = next((r for r in results if r.status != "passed"), results[0])
                return getattr(worst, name)
            if isinstance(first, list | dict):
                return own
            return first if all(one == first for one in own) else stacked(name, own, shape, final)

        return cls(**{f.name: joined(f.name, [getattr(r, f.name) for r in results]) for f in fields(cls)})  # type: ignore[arg-type]


def stacked(name: str, own: list[Any], shape: tuple[int, ...], final: tuple[int, ...]) -> np.ndarray:
    """Arrays of one shape as a stack; an empty one of the shape `final` if that is another one."""
    if len({np.shape(array) for array in own}) > 1:
        raise InputError(f"{name}: has other shapes for other matrices of the stack; decompose them one by one")
    whole = np.reshape(own, shape + np.shape(own[0]))
    return whole if shape == final else np.empty(final + np.shape(own[0]), whole.dtype)


def members_of(result: Any) -> dict[str, Any]:
    """The members of a result as the module takes them: arrays of any kind in double precision on the host."""

    def plain(name: str, member: Any) -> Any:
        if not hasattr(member, "shape"):
            return member
        array = on_host(name, member)
        return in_double(name, array) if array.dtype.kind in "fc" else array

    if getattr(result, "statuses", None) is not None:
        raise InputError("result: is of a stack; decompose its matrices one by one")
    return {f.name: plain(f.name, getattr(result, f.name)) for f in fields(result)}


TEXTS = frozenset(("variant", "driver", "backend"))
"""Options that are texts or, where that is their default, None."""


def require_text(name: str, value: Any, default: Any = "") -> None:
    """Raises TypeError for an option that must be a text, as its default is, and InputError for an empty one."""
    if value is default or not (name in TEXTS or isinstance(default, str)):
        return
    if not isinstance(value, str):
        raise TypeError(f"{name}: {value!r} is not a text; pass one")
    if not value:
        raise InputError(f"{name}: is empty; pass a name, or leave it out")


def solver(count: int, own: int | None = None, least: int = 1) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorates a solver whose first `count` arguments are matrices. Those on a GPU are passed on. Those on the host
    are passed one by one where one of them is a stack, whose leading axes broadcast, and in double precision. The
    arrays of the result are stacks, in single precision if all arguments are, and of the first argument's library.

    Small ones are solved side by side, one a thread, unless routines of a library compute, as for more than `own`
    matrices a call: their bits may depend on the number of threads. Below `least` rows and columns a call is so short
    that threads would wait for Python's lock."""

    def decorate(solve: Callable[P, Result]) -> Callable[P, Result]:
        signature = inspect.signature(solve)
        names = list(signature.parameters)[:count]

        @wraps(solve)
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.items():
                require_text(name, value, default := signature.parameters[name].default)
                given[name] = flag(name, value) if isinstance(default, bool) else value
            matrices = {name: given.pop(name) for name in names if given.get(name) is not None}
            if any(device_of(name, matrix)[0] != CPU for name, matrix in matrices.items()):
                return solve(**matrices, **given)  # type: ignore[call-arg]
            arrays = {name: on_host(name, matrix) for name, matrix in matrices.items()}
            single = bool(arrays) and all(array.dtype.str[1:] in SINGLE for array in arrays.values())
            arrays = {name: in_double(name, array) if single else array for name, array in arrays.items()}
            if any(array.ndim > 2 for array in arrays.values()):
                side_by_side = len(arrays) <= call.own  # type: ignore[attr-defined]
                side_by_side &= max(max(a.shape[-2:], default=0) for a in arrays.values()) >= least
                result = _of_stacks(solve, arrays, given, side_by_side)
            else:
                result = solve(**arrays, **given)  # type: ignore[call-arg]
            of_library = _library_of(next(iter(matrices.values()), None))
            if not single and of_library is None:
                return result

            values = getattr(result, "eigenvalues", getattr(result, "sigma", None))

            def convert(name: str, array: np.ndarray) -> Any:
                return (of_library or np.asarray)(_rounded(name, array, values) if single else array)

            return result._converted(convert)

        call.own = count if own is None else own  # type: ignore[attr-defined]
        call.least = least  # type: ignore[attr-defined]
        return call

    return decorate


def _of_stacks(
    solve: Callable[..., Any], stacks: dict[str, np.ndarray], options: dict[str, Any], side_by_side: bool
) -> Any:
    for name, stack in stacks.items():
        if stack.ndim < 2:
            raise InputError(f"{name}: has {stack.ndim} dimensions; pass matrices")
    try:
        shape = np.broadcast_shapes(*(stack.shape[:-2] for stack in stacks.values()))
    except ValueError:
        shapes = " and ".join(str(stack.shape) for stack in stacks.values())
        raise InputError(
            f"{', '.join(stacks)}: the shapes {shapes} do not fit; pass as many matrices of each"
        ) from None
    stacks = {name: in_double(name, stack) for name, stack in stacks.items()}
    whole = {name: np.broadcast_to(stack, shape + stack.shape[-2:]) for name, stack in stacks.items()}
    tasks = [{name: stack[index] for name, stack in whole.items()} for index in np.ndindex(shape)]
    workers = 1
    if side_by_side and max(size for stack in stacks.values() for size in stack.shape[-2:]) <= LARGEST:
        threads = thread_count(options.get("threads", 0))
        workers = workers_for(len(tasks), threads, options.get("variant"), options.get("driver"))
    single = options if workers < 2 else options | {"threads": 1}

    def named(place: int) -> str:
        index = tuple(map(int, np.unravel_index(place, shape)))
        return f"matrix {index[0] if len(index) == 1 else index} of the stack"

    results = in_parallel(lambda own: solve(**own, **single), tasks, workers, named)
    if results:
        return type(results[0])._stacked(results, shape, shape)
    one = solve(**{name: np.eye(*stack.shape[-2:], dtype=stack.dtype) for name, stack in stacks.items()}, **options)
    return type(one)._stacked([one], (1,), shape)  # the shapes are those of any matrix


def _rounded(name: str, array: np.ndarray, values: np.ndarray | None) -> np.ndarray:
    """The array in single precision, an estimate of relative errors of `values` with that of rounding them."""
    if array.dtype.kind not in "fc":
        return array
    if name in ("estimate", "sigma_error") and values is not None:
        array = np.where(array > 0, np.maximum(array, ROUNDING), array)
        with np.errstate(all="ignore"):
            lost = 2 * np.abs(values.astype(np.float32) - values) / np.abs(values)
        array = np.where(lost > ROUNDING, np.maximum(array, np.minimum(lost, 1)), array)  # values that underflow
    with np.errstate(over="ignore", under="ignore"):
        single = array.astype(np.complex64 if array.dtype.kind == "c" else np.float32)
    if not np.array_equal(np.isinf(single), np.isinf(array)):
        raise InputError(f"{name}: a number of the result is beyond single precision; pass the argument in double")
    return single


def _library_of(array: Any) -> Callable[[np.ndarray], Any] | None:
    """What makes arrays of the library of this one; None for NumPy's and for what is no array of a library."""
    if isinstance(array, np.ndarray | np.generic) or not hasattr(array, "__dlpack__"):
        return None
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__().from_dlpack
    library = importlib.import_module(type(array).__module__.partition(".")[0])
    return getattr(library, "from_dlpack", None)


def named_by_driver(variant: Any, default: Any, driver: str | None, kind: tuple[str, str], *matrices: Any) -> Any:
    """The name of the solver that `variant` or `driver` gives. A driver is the name of a variant, of a baseline, where
    ? stands for the letter of the type, or the end of that of LAPACK's routine: with the kind ("sy", "he") of matrices,
    "evd" is lapack:dsyevd or lapack:zheevd, with ("", "") "gesdd" is lapack:dgesdd or lapack:zgesdd."""
    if driver is None:
        return variant
    if variant != default:
        raise InputError("driver: is another name of the variant; pass one of them")
    dtypes = [getattr(matrix, "dtype", None) or np.asarray(matrix).dtype for matrix in matrices if matrix is not None]
    is_complex = any("complex" in str(dtype) or getattr(dtype, "kind", "") == "c" for dtype in dtypes)
    if driver.replace("_", "").isalnum() and driver.islower():
        driver = f"lapack:?{kind[0]}{driver}"
    return driver.replace(f":?{kind[0]}", f":{'z' if is_complex else 'd'}{kind[is_complex]}")
