# SPDX-License-Identifier: BSD-3-Clause
"""The process of a solver in a sweep: loads its file, takes a problem, and answers with what the solver returns.

experiments/own/python_solver.cpp starts it and speaks with it through descriptor 3; what the solver prints goes to
descriptors 1 and 2.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import platform
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from own_arrays import LIBRARIES, NumpyArrays, timed
from own_plugin import Plugin
from own_results import Fault, Timed, as_array, sorted_out
from own_version import Version

STREAM = 3
LOADING = "PIVOTLAB_LOADING"
"""The variable that names a file to the sweeps that it starts, which are refused: each would load the file again."""
MOST_OF_TRACEBACK = 8000


class Stream:
    """Messages: a line of JSON, and the arrays that it lists, by columns."""

    def __init__(self) -> None:
        os.set_inheritable(STREAM, False)
        self.reader = os.fdopen(STREAM, "rb")
        self.writer = os.fdopen(os.dup(STREAM), "wb")

    def receive(self) -> dict[str, Any]:
        line = self.reader.readline()
        if not line:
            sys.exit(0)
        message = json.loads(line)
        message["arrays"] = {name: self._array(*form) for name, *form in message.get("arrays", [])}
        return message

    def _array(self, is_complex: bool, shape: list[int]) -> np.ndarray:
        dtype = np.dtype(complex if is_complex else float)
        content = self.reader.read(dtype.itemsize * int(np.prod(shape)))
        return np.frombuffer(content, dtype).reshape(shape, order="F")  # read-only, as the bytes are

    def send(self, message: dict[str, Any], arrays: Mapping[str, np.ndarray] | None = None) -> None:
        arrays = arrays or {}
        listed = [[name, np.iscomplexobj(array), array.shape] for name, array in arrays.items()]
        self.writer.write(json.dumps(message | {"arrays": listed}).encode() + b"\n")
        for array in arrays.values():
            self.writer.write(array.tobytes(order="F"))
        self.writer.flush()

    def send_fault(self, error: BaseException, file: str) -> None:
        """An exception by its last line and its place in the solver's file, with the whole traceback."""
        kinds = {"out_of_memory": MemoryError, "not_supported": NotImplementedError}
        status = next((name for name, kind in kinds.items() if isinstance(error, kind)), "failed")
        line = traceback.format_exception_only(error)[-1].strip()
        if isinstance(error, Fault):
            return self.send({"fault": str(error), "traceback": "", "status": status})
        places = [
            f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).name == Path(file).name
        ]
        where = f" ({Path(file).name}, line {places[-1]})" if places else ""
        text = "".join(traceback.format_exception(error))[-MOST_OF_TRACEBACK:]
        self.send({"fault": line + where, "traceback": text, "status": status})


def load(file: str, name: str) -> Any:
    """The function or class of this name; a name that `pivotlab.solver` gave comes first."""
    path = Path(file).resolve()
    sys.path[0] = str(path.parent)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    os.environ[LOADING] = path.name
    spec.loader.exec_module(module)
    del os.environ[LOADING]
    named = {
        known: one for one in vars(module).values() if isinstance(known := getattr(one, "pivotlab_name", None), str)
    }
    found = named.get(name, vars(module).get(name))
    if not callable(found):
        own = [
            key for key, one in vars(module).items() if getattr(one, "__module__", None) == path.stem and callable(one)
        ]
        raise Fault(f"has no function '{name}'; it has {', '.join(own) or 'none'}")
    return found


def check_options(solver: Any, options: dict[str, Any]) -> inspect.Signature:
    """Raises Fault for an option that the solver does not take."""
    signature = inspect.signature(solver)
    names = [p.name for p in signature.parameters.values() if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    takes_all = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    for option in options:
        if option not in names and not takes_all:
            raise Fault(f"has no argument '{option}'; its arguments are {', '.join(names)}")
    return signature


def prepared(
    solver: Any,
    options: dict[str, Any],
    arrays: dict[str, np.ndarray],
    signs: list[float],
    library: NumpyArrays,
) -> Callable[[], Any]:
    """What is timed: the function with its arguments, or run() of a class after prepare()."""
    takes_signs = solver.prepare if inspect.isclass(solver) else solver
    arguments = list(arrays.values())
    if signs:
        if "J" in inspect.signature(takes_signs).parameters:
            J = np.array(signs)
            J.flags.writeable = False
            arguments.append(J)
        elif min(signs) < 0:
            raise NotImplementedError("the problem has signs -1, and the solver has no argument J")
    arguments = [library.given(one) for one in arguments]
    if not inspect.isclass(solver):
        return lambda: solver(*arguments, **options)
    made = solver(**options)
    made.prepare(*arguments)
    return made.run


class Function:
    """A function or a class of a Python file."""

    def __init__(self, file: str, name: str, method: str, options: dict[str, Any]) -> None:
        self.solver, self.options = load(file, name), options
        check_options(self.solver, options)
        self.identity = {"versions": {"python": platform.python_version(), "numpy": np.__version__}}
        text = getattr(sys.modules[Path(file).stem], "pivotlab_text", "")  # of a function of a notebook
        self.identity |= {"text": text} if text else {}
        self.library = LIBRARIES[getattr(self.solver, "pivotlab_arrays", "numpy")]()

    def prepare(self, arrays: dict[str, np.ndarray], signs: list[float]) -> Callable[[], Timed]:
        run = prepared(self.solver, self.options, arrays, signs, self.library)
        return lambda: timed(run, self.library)


# The class that loads a solver of each kind. A loader raises Fault; its prepare(arrays, signs) returns a function that
# computes a Timed.
LOADERS = {"python": Function, "library": Plugin, "pivotlab": Version}


def serve(stream: Stream, kind: str, file: str, function: str, method: str, options: dict[str, Any]) -> None:
    solver = LOADERS[kind](file, function, method, options)
    stream.send({"identity": solver.identity})
    problem = stream.receive()
    run = solver.prepare(problem["arrays"], problem["signs"])
    stream.send({})
    while stream.receive():
        found = run()
        arrays, values = sorted_out(found.returned, problem["results"])
        sys.stdout.flush()
        stream.send({"seconds": found.seconds, "values": values}, arrays)


def generate(stream: Stream, file: str, function: str, options: dict[str, Any], problem: dict[str, Any] | None) -> None:
    """Answers with the matrices of a function that makes problems; without a problem it is not called."""
    family = load(file, function)
    signature = check_options(family, options)
    returned: Any = ()
    if problem is not None:
        returned = family(**{name: one for name, one in problem.items() if name in signature.parameters}, **options)
    matrices = returned if isinstance(returned, tuple) else (returned,)
    sys.stdout.flush()
    stream.send({}, {f"matrix {k}": as_array(f"matrix {k}", one) for k, one in enumerate(matrices, start=1)})


def main() -> None:
    stream = Stream()
    asked = stream.receive()
    del asked["arrays"]
    try:
        if "problem" in asked:
            return generate(stream, **asked)
        serve(stream, *(asked[name] for name in ("kind", "file", "function", "method", "options")))
    except BaseException as error:  # also SystemExit
        sys.stdout.flush()
        stream.send_fault(error, asked["file"])


main()
