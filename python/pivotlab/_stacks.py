# SPDX-License-Identifier: BSD-3-Clause
"""Stacks of matrices (…, m, n): one call for each matrix, as numpy.linalg does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ._arrays import CPU, InputError, device_of, on_host

P = ParamSpec("P")
Result = TypeVar("Result")


def over_stacks(count: int) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorates a solver whose first `count` arguments are matrices. Where one of them is a stack in the host's memory,
    the solver is called for each matrix, and the arrays of the result are stacks. Leading axes broadcast."""

    def decorate(solve: Callable[P, Result]) -> Callable[P, Result]:
        signature = inspect.signature(solve)
        names = list(signature.parameters)[:count]

        @wraps(solve)
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            given = signature.bind(*args, **kwargs).arguments
            matrices = {name: given.pop(name) for name in names if given.get(name) is not None}
            if not any(_is_stack(name, matrix) for name, matrix in matrices.items()):
                return solve(*args, **kwargs)
            stacks = {name: on_host(name, matrix) for name, matrix in matrices.items()}
            for name, stack in stacks.items():
                if stack.ndim < 2:
                    raise InputError(f"{name}: has {stack.ndim} dimensions; pass matrices")
            return _solved(lambda own: solve(**own, **given), stacks)  # type: ignore[call-arg]

        return call

    return decorate


def _is_stack(name: str, matrix: Any) -> bool:
    if isinstance(matrix, list | tuple):
        try:
            return np.ndim(matrix) > 2
        except ValueError:  # what is no array is told later
            return False
    return getattr(matrix, "ndim", 0) > 2 and device_of(name, matrix)[0] == CPU


def _solved(solve: Callable[[dict[str, np.ndarray]], Result], stacks: dict[str, np.ndarray]) -> Result:
    try:
        shape = np.broadcast_shapes(*(stack.shape[:-2] for stack in stacks.values()))
    except ValueError:
        shapes = " and ".join(str(stack.shape) for stack in stacks.values())
        raise InputError(
            f"{', '.join(stacks)}: the shapes {shapes} do not fit; pass as many matrices of each"
        ) from None
    whole = {name: np.broadcast_to(stack, shape + stack.shape[-2:]) for name, stack in stacks.items()}
    results = [solve({name: stack[index] for name, stack in whole.items()}) for index in np.ndindex(shape)]
    if not results:  # the shapes are those of any matrix
        one = solve({name: np.eye(*stack.shape[-2:], dtype=stack.dtype) for name, stack in stacks.items()})
        return _joined([one], (1,), shape)
    return _joined(results, shape, shape)


def _joined(results: Sequence[Any], shape: tuple[int, ...], final: tuple[int, ...]) -> Any:
    """One result of the same type. Arrays are stacked, statuses are that of the first that has not passed, times are
    added, lists and dictionaries are listed."""

    def stacked(name: str, own: list[Any]) -> np.ndarray:
        if len({np.shape(array) for array in own}) > 1:
            raise InputError(f"{name}: has other shapes for other matrices of the stack; decompose them one by one")
        whole = np.reshape(own, shape + np.shape(own[0]))
        return whole if shape == final else np.empty(final + np.shape(own[0]), whole.dtype)

    def joined(name: str, own: list[Any]) -> Any:
        first = own[0]
        if isinstance(first, np.ndarray):
            return stacked(name, own)
        if isinstance(first, tuple):  # an inertia
            return type(first)(*(stacked(name, list(part)) for part in zip(*own, strict=True)))
        if name.endswith("seconds"):
            return sum(own)
        if name in ("status", "message"):
            worst = next((r for r in results if r.status != "passed"), results[0])
            return getattr(worst, name)
        if isinstance(first, list | dict):
            return own
        return first if all(one == first for one in own) else stacked(name, own)

    kind = type(results[0])
    return kind(**{f.name: joined(f.name, [getattr(r, f.name) for r in results]) for f in fields(kind)})
