# SPDX-License-Identifier: BSD-3-Clause
"""Lists of matrices of any sizes in one call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ._arrays import CPU, SINGLE, device_of, in_double, on_host, thread_count
from ._core import InputError
from ._gpu_arrays import library_of, take
from ._gpu_stacks import DeviceLdltStack
from ._inertia import Inertia
from ._parallel import LARGEST, in_parallel, workers_for
from ._status import require_passed

STACKED = {"eigh": 1, "svd": 1, "ldlt": 1, "eig": 1, "gsvd": 2}
"""Solvers of stacks on a GPU, and how many matrices they take."""
SQUARE = 256
"""Rows and columns of the largest square matrices of a stack on a GPU; others fit up to LARGEST."""


def each(solve: Callable[..., Any], matrices: Iterable[Any], **options: Any) -> list[Any]:
    """Solve for every matrix of a list, which may have any sizes: on the host small ones side by side, one a thread, on
    a GPU all of one shape by one kernel.

    Parameters
    ----------
    solve : callable
        `eigh`, `svd`, `eig`, `ldlt`, `gsvd` or `ghsvd`.
    matrices : iterable of array_like, or of tuples of them
        The arguments of each call; the tuples are those of pairs.
    **options
        Options of the solver, the same for all.

    Returns
    -------
    list
        What `solve(matrix, **options)` returns of each matrix, with the same bits. On a GPU it is what a stack of the
        matrix has, and a matrix that is too large for stacks is solved alone.

    Raises
    ------
    InputError
        What is no solver, or a matrix that the solver refuses, which is named by its place in the list.
    StatusError
        A matrix that has not passed, unless the option `check` is false; then see each result's status.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> results = pivotlab.each(pivotlab.eigh, [np.eye(2), np.diag([16.0, 4.0, 1.0])])
    >>> [r.eigenvalues.tolist() for r in results]
    [[1.0, 1.0], [16.0, 4.0, 1.0]]
    """
    if not hasattr(solve, "own"):
        raise InputError("solve: is not a solver of matrices; pass eigh, svd, eig, ldlt, gsvd or ghsvd")
    tasks = [given if isinstance(given, tuple) else (given,) for given in matrices]
    results: dict[int, Any] = {}
    small, groups = [], defaultdict(list)
    for place, task in enumerate(tasks):
        if any(device_of("matrices", array)[0] != CPU for array in task):
            groups[_group(solve, task)].append(place)
        else:
            tasks[place] = tuple(_in_double_or_single(array) for array in task)
            size = max(max(a.shape, default=0) for a in tasks[place])
            if len(task) <= solve.own and solve.least <= size <= LARGEST:
                small.append(place)
            else:
                groups[()].append(place)
    workers = workers_for(
        len(small), thread_count(options.get("threads", 0)), options.get("variant"), options.get("driver")
    )
    single = options if workers < 2 else options | {"threads": 1}

    def alone(places: list[int], workers: int, options: dict[str, Any]) -> list[Any]:
        named = lambda k: f"matrix {places[k]} of the list"  # noqa: E731
        return in_parallel(lambda place: solve(*tasks[place], **options), places, workers, named)

    results.update(zip(small, alone(small, workers, single), strict=True))
    for kind, places in groups.items():
        found = _of_group(solve, [tasks[k] for k in places], places, options) if kind else alone(places, 1, options)
        results.update(zip(places, found, strict=True))
    return [results[place] for place in range(len(tasks))]


def _in_double_or_single(array: Any) -> np.ndarray:
    """A NumPy array in double or single precision, so that no thread warns of a conversion."""
    own = on_host("matrices", array)
    return own if own.dtype.str[1:] in SINGLE else in_double("matrices", own)


def _group(solve: Callable[..., Any], task: tuple[Any, ...]) -> tuple[Any, ...]:
    """What matrices on a GPU have in common that are one stack; empty for a matrix that is solved alone."""
    if STACKED.get(solve.__name__) != len(task):
        return ()
    memories = [take("matrices", array, library_of("matrices", array))[1] for array in task]
    for rows, columns in (memory.shape for memory in memories):
        most = SQUARE if rows == columns else LARGEST
        if columns > most or rows > most or rows < columns:
            return ()
    return tuple((type(array).__module__, m.device, m.shape, m.dtype) for array, m in zip(task, memories, strict=True))


def _of_group(
    solve: Callable[..., Any], tasks: list[tuple[Any, ...]], places: list[int], options: dict[str, Any]
) -> list[Any]:
    """The results of matrices, or pairs, of one shape on a GPU."""
    library = library_of("matrices", tasks[0][0])
    device = take("matrices", tasks[0][0], library)[1].device
    with library.scope(device, options.get("stream")):
        stacks = [library.stacked(matrices) for matrices in zip(*tasks, strict=True)]
    at = f"matrices {', '.join(map(str, places[:5]))}{' …' if len(places) > 5 else ''} of the list"
    try:
        result = solve(*stacks, **(options if solve.__name__ == "ldlt" else options | {"check": False}))
    except InputError as error:
        raise InputError(f"{at}: {error}") from None
    if isinstance(result, DeviceLdltStack):
        return [_factors(result, k) for k in range(len(tasks))]
    arrays = {f.name: a for f in fields(result) if len(getattr(a := getattr(result, f.name), "shape", ())) and len(a)}
    parts = []
    for k, status in enumerate(result.statuses):
        message = "" if status == "passed" else f"matrix {places[k]} of the list; its results are NaN"
        own = {name: array[k] for name, array in arrays.items()}
        part = replace(result, **own, status=status, statuses=None, message=message)
        parts.append(require_passed(solve.__name__, part, options.get("check", True)))
    return parts


def _factors(stack: DeviceLdltStack, k: int) -> DeviceLdltStack:
    """The factors of matrix k."""
    names = ("M", "diagonal", "subdiagonal", "permutation", "transposes", "counts")
    parts = {name: getattr(stack, name)[k] for name in names}
    return replace(
        stack, call=replace(stack.call, shape=()), inertia=Inertia(*(part[k] for part in stack.inertia)), **parts
    )
