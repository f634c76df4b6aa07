# SPDX-License-Identifier: BSD-3-Clause
"""Matrices and functions as problems of sweeps: their names for `pivotlab sweep --generator`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import as_matrix
from ._core import InputError
from ._files import write_general, write_matrix, write_pair, write_symmetric
from ._own_solvers import split_options
from ._problems import General, Pair, Symmetric
from .typing import Method

AXES = ("n", "seed", "type")
"""Arguments of functions that are axes of every problem, not options of the generator."""
LONGEST = 240
"""Bytes of a name, to which the file system lets the ending be added."""


def _symmetric(file: Path, A: Any) -> None:
    if not isinstance(A, Symmetric):
        A = as_matrix("A", A)
        hermitian = A.shape[0] != A.shape[1] or np.array_equal(A, A.conj().T)
        A = Symmetric(A, "hermitian" if hermitian or not np.iscomplexobj(A) else "symmetric")
    write_symmetric(file, A)


def _general(file: Path, A: Any) -> None:
    write_general(file, A if isinstance(A, General) else General(as_matrix("A", A)))


WRITERS: dict[str, tuple[str, Callable[[Path, Any], None]]] = {
    "ldlt": (".h5", _symmetric),
    "eigh": (".h5", _symmetric),
    "eig": (".h5", _general),
    "hsvd": (".mtx", write_matrix),
    "gsvd": (".h5", write_pair),
    "ghsvd": (".h5", write_pair),
}


def _is_one(method: Method, given: Any) -> bool:
    """Whether this is one problem: a matrix, or a pair of them; not a list of problems."""
    if isinstance(given, Symmetric | General | Pair):
        return True
    if method in ("gsvd", "ghsvd"):
        return isinstance(given, tuple) and len(given) == 2 and all(np.ndim(one) == 2 for one in given)
    if not isinstance(given, list | tuple):
        return np.ndim(given) != 3  # a stack
    return len(given) > 0 and np.ndim(given[0]) == 1


def files_of(method: Method, matrices: Any, folder: Path) -> list[str]:
    """Writes problems as <folder>/<hash>.h5, those of a dictionary as <folder>/<hash>/<name>.h5, and returns their
    generators. A file that is there is that of the same content."""
    if method not in WRITERS:
        raise InputError(f"method: unknown {method!r}; one of {', '.join(WRITERS)} is expected")
    named: Iterable[tuple[str, Any]]
    if isinstance(matrices, Mapping):
        named = matrices.items()
    else:
        named = [("", one) for one in ([matrices] if _is_one(method, matrices) else matrices)]
    named = list(named)
    if not named:
        raise InputError("matrices: there are none; pass at least one")
    generators = []
    extension, write = WRITERS[method]
    for place, (name, problem) in enumerate(named):
        if not isinstance(name, str) or Path(name).name != name or "\0" in name or len(name.encode()) > LONGEST:
            raise InputError(f"matrices: {name!r} cannot name a file; pass a shorter text without '/'")
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".part{extension}"
        try:
            write(part, problem)
        except InputError as error:
            part.unlink(missing_ok=True)
            which = repr(name) if name else place
            raise InputError(f"matrices: matrix {which}: {str(error).removeprefix(f'{part}: ')}") from None
        hashed = hashlib.sha256(part.read_bytes()).hexdigest()[:12]
        file = folder / hashed / f"{name}{extension}" if name else folder / f"{hashed}{extension}"
        file.parent.mkdir(exist_ok=True)
        part.replace(file)
        generators.append(f"file:{file}")
    return generators


def with_problems(method: Method, axes: dict[str, Any], matrices: Any, folder: Path) -> dict[str, Any]:
    """The axes with the names of functions among the generators, whose arguments are their options, and of matrices."""
    is_given = axes.get("generator") is not None
    generators = axes.pop("generator", None) or []
    if callable(generators) or (not isinstance(generators, str) and any(map(callable, generators))):
        own = {name: value for name, value in axes.items() if name in AXES}
        names, axes = split_options(
            method, generators, {name: value for name, value in axes.items() if name not in AXES}
        )
        generators, axes = names, own | axes
    if matrices is not None:
        given = [generators] if isinstance(generators, str) else list(generators)
        generators = [*given, *files_of(method, matrices, folder)]
    return {"generator": generators} | axes if is_given or generators else axes
