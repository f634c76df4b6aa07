# SPDX-License-Identifier: BSD-3-Clause
"""Small matrices on the host: one a thread, which is faster than one after the other with all threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Any, TypeVar

from ._core import InputError, all_threads

Task = TypeVar("Task")
Result = TypeVar("Result")

LARGEST = 128
"""Rows and columns of matrices that one thread decomposes. Larger ones take long enough for several, and for Ctrl-C,
which ends a call after at most one matrix of each thread."""


def workers_for(count: int, threads: int, variant: Any, driver: Any) -> int:
    """How many threads solve `count` small matrices, of `threads` that may run, 0 for all. It is one for routines of
    libraries, whose bits may depend on the number of threads."""
    if driver is not None or ":" in str(variant) or "spectral" in str(variant):
        return 1
    return min(count, threads or all_threads())


def in_parallel(
    solve: Callable[[Task], Result], tasks: Sequence[Task], workers: int, named: Callable[[int], str]
) -> list[Result]:
    """[solve(task) for task in tasks] by as many threads, this one among them. Raises the exception of the first task
    that raises one; an InputError says which one it is, by the name of its place."""
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    places, lock, ended = iter(range(len(tasks))), Lock(), False

    def work() -> None:
        while True:
            with lock:  # tasks are taken in their order, so that those before a task that fails are finished
                place = None if errors or ended else next(places, None)
            if place is None:
                return
            try:
                results[place] = solve(tasks[place])
            except BaseException as error:
                errors[place] = error

    helpers: list[Thread] = []
    try:
        for _ in range(workers - 1):
            helper = Thread(target=work)
            helper.start()
            helpers.append(helper)
        work()
    finally:
        ended = True
        for helper in helpers:
            helper.join()
    if errors:
        place, error = min(errors.items())
        raise InputError(f"{named(place)}: {error}") if isinstance(error, InputError) else error
    return [results[place] for place in range(len(tasks))]
