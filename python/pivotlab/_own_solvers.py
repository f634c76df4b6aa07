# SPDX-License-Identifier: BSD-3-Clause
"""Functions as solvers of sweeps: their names for `pivotlab sweep --solver`."""

from __future__ import annotations

import base64
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from ._core import InputError
from .typing import Method

F = TypeVar("F", bound=Callable[..., Any])
Arrays = Literal["numpy", "cupy", "torch", "jax"]
NOTEBOOK = "notebook_solvers"
"""Folder, in the current one, of the files of functions of notebooks."""


def solver(method: Method, *, name: str | None = None, arrays: Arrays = "numpy") -> Callable[[F], F]:
    """Mark a function, or a class with prepare() and run(), as a solver of a method's problems for `sweep`.

    The function itself does not change. docs/guide/own-solvers.md has the arguments and results of each method.

    Parameters
    ----------
    method : str
        gsvd, ldlt, eig, eigh, hsvd or ghsvd.
    name : str, optional
        Name in tables, behind that of the file; by default that of the function. Letters, digits and _.
    arrays : {"numpy", "cupy", "torch", "jax"}
        The library of the arrays that the function gets and may return, on the GPU if there is one. The time is that
        until the results are complete.

    Returns
    -------
    callable
        The decorator, which returns the function.

    Raises
    ------
    InputError
        A name with other characters; another library.

    Examples
    --------
    >>> @pivotlab.solver("eigh", name="numpy")
    ... def by_numpy(A):
    ...     return np.linalg.eigh(A)
    >>> by_numpy.pivotlab_name
    'numpy'
    """
    if name is not None and not (name.isidentifier() and name.isascii()):
        raise InputError(f"name: {name!r} cannot name a solver; use letters, digits and _")

    if arrays not in get_args(Arrays):
        raise InputError(f"arrays: {arrays!r} is not a library; choose from {', '.join(get_args(Arrays))}")

    def mark(function: F) -> F:
        function.pivotlab_method = method  # type: ignore[attr-defined]
        function.pivotlab_name = name or function.__name__  # type: ignore[attr-defined]
        function.pivotlab_arrays = arrays  # type: ignore[attr-defined]
        return function

    return mark


def split_options(method: Method, solvers: Any, axes: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The names of solvers, of which some are functions, with the axes that are arguments of these as their options,
    and the other axes."""
    listed = [solvers] if callable(solvers) or isinstance(solvers, str) else list(solvers)
    names, taken = [], set()
    for one in listed:
        if not callable(one):
            names.append(str(one))
            continue
        arguments = list(inspect.signature(one).parameters.values())
        options = {a.name: axes[a.name] for a in arguments if a.name in axes and a.default is not a.empty}
        taken |= set(options)
        names.append(_name_of(method, one) + "".join(f";{option}={_text(v)}" for option, v in options.items()))
    return names, {name: value for name, value in axes.items() if name not in taken}


def _name_of(method: Method, function: Callable[..., Any]) -> str:
    name = getattr(function, "pivotlab_name", getattr(function, "__name__", type(function).__name__))
    meant = getattr(function, "pivotlab_method", method)
    if meant != method:
        raise InputError(f"solver: {name} is marked as a solver of {meant}, not of {method}")
    file = _file_of(function) or _packed(function, name)
    here = Path.cwd()
    return f"{file.relative_to(here) if file.is_relative_to(here) else file}:{name}"


def _file_of(function: Callable[..., Any]) -> Path | None:
    """The .py file in which the function is found by its name; None for functions of notebooks, of installed packages
    and within others, and for those without a name."""
    known = getattr(function, "__globals__", None) or vars(sys.modules.get(getattr(function, "__module__", ""), object))
    names = [name for name, one in known.items() if one is function]
    if getattr(function, "__name__", "") not in names and not (names and hasattr(function, "pivotlab_name")):
        return None
    try:
        file = Path(inspect.getsourcefile(function) or "")
    except TypeError:
        return None
    is_installed = {"site-packages", "dist-packages"} & set(file.parts)
    return file if file.is_file() and file.suffix == ".py" and not is_installed else None


def _packed(function: Callable[..., Any], name: str) -> Path:
    """Write a file that another process can import, of a function that no file defines by its name: that of a package
    is imported there, any other is packed by cloudpickle, with its source text for the record."""
    module = getattr(function, "__module__", "__main__")
    if module != "__main__" and name.isidentifier() and getattr(sys.modules.get(module), name, None) is function:
        return _written(name, [f"from {module} import {name}"])
    try:
        import cloudpickle
    except ImportError:
        raise InputError(
            f"solver: {name} is not a function of a file, which a process could import; write it into a .py file, or "
            "install cloudpickle"
        ) from None
    if not name.isidentifier():
        raise InputError(f"solver: {name} cannot name a solver; give it a name by pivotlab.solver(METHOD, name=NAME)")
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = ""
    packed = base64.b64encode(cloudpickle.dumps(function)).decode()
    lines = ["import base64, pickle", f"pivotlab_text = {text!r}"]
    return _written(name, [*lines, f"{name} = pickle.loads(base64.b64decode({packed!r}))"])


def _written(name: str, lines: list[str]) -> Path:
    file = Path.cwd() / NOTEBOOK / f"notebook_{name}.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(["# Written by pivotlab.sweep", *lines, ""]), encoding="utf-8")
    return file


def _text(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return "{" + ",".join(map(_text, value)) + "}"
