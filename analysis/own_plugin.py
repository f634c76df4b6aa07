# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of shared libraries: the structs of include/pivotlab/plugin.h, and the calls of their functions."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

from own_results import Fault, Timed

ABI = 1
MOST_OF_TEXT = 2048
NOT_GIVEN = np.iinfo(np.int64).min
LONGEST_REST = 1e-3
"""Seconds for which the GPU may work after the problem's stream has ended."""


class PluginSolver(Structure):
    _fields_ = [(name, c_char_p) for name in ("problem", "name", "types", "memory", "options")]


class PluginInfo(Structure):
    _fields_ = [
        ("abi", c_int64),
        ("name", c_char_p),
        ("version", c_char_p),
        ("count", c_int64),
        ("solvers", POINTER(PluginSolver)),
    ]


class Matrix(Structure):
    _fields_ = [("rows", c_int64), ("cols", c_int64), ("ld", c_int64), ("data", c_void_p)]


class Outcome(Structure):
    _fields_ = [
        ("seconds", c_double),
        ("message", c_void_p),
        ("message_size", c_int64),
        ("values", c_void_p),
        ("values_size", c_int64),
    ]


# The arrays of each result: (lengths, type), where T is the problem's type, d real, z complex and i an integer.
SQUARE = (("n", "n"), "T")
RESULTS = {
    "ldlt": {"L": SQUARE, "d": (("n",), "T"), "e": (("n",), "T"), "perm": (("n",), "i"), "inertia": ((3,), "i")},
    "eigh": {"eigenvalues": (("n",), "d"), "U": SQUARE, "estimate": (("n",), "d")},
    "eig": {"eigenvalues": (("n",), "z"), "V": (("n", "n"), "z"), "W": (("n", "n"), "z")},
    "hsvd": {"sigma": (("n",), "d"), "U": (("m_G", "n"), "T"), "V": SQUARE, "J": (("n",), "i")},
    "gsvd": {
        **{name: (("n",), "d") for name in ("sigma", "alpha", "beta")},
        **{"U": (("m_F", "n"), "T"), "V": (("m_G", "n"), "T"), "Z": SQUARE, "X": SQUARE},
    },
    "ghsvd": {
        **{"eigenvalues": (("n",), "d"), "U": (("m_F", "n"), "T"), "V": (("m_G", "n"), "T"), "Z": SQUARE},
        **{"J": (("n",), "i")},
    },
}
# The members of each problem: flags, matrices, signs.
PROBLEMS = {
    "ldlt": ("is_complex", "is_hermitian", "A"),
    "eigh": ("is_complex", "A"),
    "eig": ("is_complex", "A"),
    "hsvd": ("is_complex", "G", "J"),
    "gsvd": ("is_complex", "F", "G"),
    "ghsvd": ("is_complex", "F", "G", "J"),
}
TYPES = {"d": np.dtype(float), "z": np.dtype(complex), "i": np.dtype(np.int64)}


def problem_struct(method: str) -> type[Structure]:
    kinds = {"A": Matrix, "F": Matrix, "G": Matrix, "J": c_void_p}
    fields = [(name, kinds.get(name, c_int64)) for name in PROBLEMS[method]]
    return type(f"pivotlab_{method}_problem", (Structure,), {"_fields_": [*fields, ("stream", c_void_p)]})


def result_struct(method: str) -> type[Structure]:
    fields = [(name, c_void_p if len(lengths) == 1 else Matrix) for name, (lengths, _) in RESULTS[method].items()]
    return type(f"pivotlab_{method}_result", (Structure,), {"_fields_": [*fields, ("outcome", Outcome)]})


class Host:
    """Host memory, in which arrays are already."""

    stream = None

    def place(self, array: np.ndarray) -> int:
        return array.ctypes.data

    def send(self, array: np.ndarray) -> None:
        """Brings the elements to where the solver reads them."""

    def fetch(self, array: np.ndarray) -> None:
        """Brings them back."""

    def timed(self, call: Callable[[], int]) -> tuple[int, float]:
        start = time.perf_counter()
        status = call()
        return status, time.perf_counter() - start


class Device:
    """Memory of the first GPU, through CUDA's driver, whose streams and addresses any runtime takes."""

    def __init__(self) -> None:
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise NotImplementedError(f"no CUDA driver: {error}") from error
        self.places: dict[int, c_void_p] = {}
        self.stream, context = c_void_p(), c_void_p()
        self.events = [c_void_p(), c_void_p()]
        self.check("cuInit", 0)
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.check("cuCtxSetCurrent", context)
        self.check("cuStreamCreate", ctypes.byref(self.stream), 1)  # CU_STREAM_NON_BLOCKING
        for event in self.events:
            self.check("cuEventCreate", ctypes.byref(event), 0)

    def check(self, function: str, *arguments: Any) -> None:
        if (error := getattr(self.driver, function)(*arguments)) != 0:
            if error in (2, 100):  # CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NO_DEVICE
                raise MemoryError("the GPU's memory is full") if error == 2 else NotImplementedError("there is no GPU")
            name = c_char_p()
            self.driver.cuGetErrorName(error, ctypes.byref(name))
            raise Fault(f"{function} has failed with {text_of(name.value) or error}")

    def place(self, array: np.ndarray) -> int | None:
        address = c_void_p()
        self.check("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(array.nbytes, 1)))
        self.places[id(array)] = address
        return address.value

    def send(self, array: np.ndarray) -> None:
        if array.nbytes:
            size = ctypes.c_size_t(array.nbytes)
            self.check("cuMemcpyHtoD_v2", self.places[id(array)], c_void_p(array.ctypes.data), size)

    def fetch(self, array: np.ndarray) -> None:
        if array.nbytes:
            size = ctypes.c_size_t(array.nbytes)
            self.check("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), self.places[id(array)], size)

    def timed(self, call: Callable[[], int]) -> tuple[int, float]:
        milliseconds = ctypes.c_float()
        self.check("cuCtxSynchronize")
        self.check("cuEventRecord", self.events[0], self.stream)
        status = call()
        self.check("cuEventRecord", self.events[1], self.stream)
        self.check("cuEventSynchronize", self.events[1])
        start = time.perf_counter()
        self.check("cuCtxSynchronize")
        if time.perf_counter() - start > LONGEST_REST:
            raise Fault("has left work on another stream than that of the problem")
        self.check("cuEventElapsedTime", ctypes.byref(milliseconds), *self.events)
        return status, milliseconds.value / 1000


def text_of(chars: bytes | None) -> str:
    return (chars or b"").decode(errors="replace")


def options_of(text: str) -> dict[str, str]:
    return dict(word.partition("=")[::2] for word in text.split(";") if word)


def value_of(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Plugin:
    """The solver of this name for a method in the library `file`."""

    def __init__(self, file: str, name: str, method: str, options: dict[str, Any]) -> None:
        try:
            library = ctypes.CDLL(str(Path(file).resolve()))
        except OSError as error:
            raise Fault(f"cannot be loaded: {error}") from error
        info = self.function(library, "pivotlab_plugin", POINTER(PluginInfo))().contents
        if info.abi != ABI:
            raise Fault(f"has the number {info.abi} of pivotlab/plugin.h; this version of pivotlab needs {ABI}")
        listed = [info.solvers[k] for k in range(info.count)]
        named = {text_of(one.name): one for one in listed if text_of(one.problem) == method}
        if name not in named:
            raise Fault(f"has no solver '{name}' for {method}; it has {', '.join(named) or 'none'}")
        self.method, self.name, self.types = method, name, text_of(named[name].types)
        self.memory = text_of(named[name].memory)
        if self.memory not in ("host", "device"):
            raise Fault(f"has '{self.memory}' for its memory, must have host or device")
        known = options_of(text_of(named[name].options))
        for option in options:
            if option not in known:
                raise Fault(f"has no option '{option}'; its options are {', '.join(known) or 'none'}")
        words = {option: str(value).lower() if isinstance(value, bool) else value for option, value in options.items()}
        self.options = ";".join(f"{option}={value}" for option, value in (known | words).items())
        self.solve = self.function(library, f"pivotlab_solve_{method}", c_int)
        self.identity = {"versions": {text_of(info.name) or "library": text_of(info.version), "abi": info.abi}}

    @staticmethod
    def function(library: ctypes.CDLL, name: str, result: Any) -> Any:
        function = getattr(library, name, None)
        if function is None:
            raise Fault(f"exports no function {name}")
        function.restype = result
        return function

    def prepare(self, arrays: dict[str, np.ndarray], signs: list[float]) -> Callable[[], Timed]:
        first = next(iter(arrays.values()))
        letter = "z" if np.iscomplexobj(first) else "d"
        if letter not in self.types:
            raise NotImplementedError(f"{self.name} takes no {'complex' if letter == 'z' else 'real'} matrices")
        memory = Host() if self.memory == "host" else Device()
        given = {name: np.array(array, order="F") for name, array in arrays.items()}
        n = first.shape[-1]
        lengths = {"n": n} | {f"m_{name}": len(array) for name, array in given.items()}
        if "J" in PROBLEMS[self.method]:
            given["J"] = np.array(signs, dtype=np.int64)
        problem, result = problem_struct(self.method)(), result_struct(self.method)()
        problem.is_complex, problem.stream = letter == "z", memory.stream
        if self.method == "ldlt":
            problem.is_hermitian = np.array_equal(first, first.conj().T)
        for name, array in given.items():
            setattr(problem, name, self.placed(array, memory))
            memory.send(array)
        results = {
            name: np.zeros([lengths.get(one, one) for one in shape], TYPES.get(kind, TYPES[letter]), order="F")
            for name, (shape, kind) in RESULTS[self.method].items()
        }
        members = {name: self.placed(array, memory) for name, array in results.items()}
        texts = [ctypes.create_string_buffer(MOST_OF_TEXT) for _ in range(2)]
        addresses = [ctypes.addressof(text) for text in texts]

        def run() -> Timed:
            for name, array in results.items():
                array.fill(NOT_GIVEN if array.dtype == np.int64 else np.nan)
                memory.send(array)
                setattr(result, name, members[name])
            result.outcome = Outcome(-1, addresses[0], MOST_OF_TEXT, addresses[1], MOST_OF_TEXT)
            for text in texts:
                text[0] = b"\0"
            words = (self.name.encode(), self.options.encode(), ctypes.byref(problem), ctypes.byref(result))
            status, seconds = memory.timed(lambda: self.solve(*words))
            message, values = (text_of(text.value) for text in texts)
            if status == 1:
                raise NotImplementedError(message or "not supported")
            if status != 0:
                raise Fault(message or f"returned the status {status}")
            self.require_unchanged(given, arrays, memory)
            found = {}
            for name, array in results.items():
                member = getattr(result, name)
                if (member.data if isinstance(member, Matrix) else member) is not None:
                    memory.fetch(array)
                    found[name] = array
            further = {name: value_of(value) for name, value in options_of(values).items()}
            own = result.outcome.seconds
            if own > 1.01 * seconds + 1e-3:  # clocks may differ a little
                raise Fault(f"states {own:.3g} s for a call of {seconds:.3g} s")
            return Timed(own if own >= 0 else seconds, further | found)

        return run

    @staticmethod
    def placed(array: np.ndarray, memory: Host | Device) -> Matrix | int | None:
        """The member of a struct for an array in this memory."""
        if array.ndim == 1:
            return memory.place(array)
        rows, cols = array.shape
        return Matrix(rows, cols, max(rows, 1), memory.place(array))

    @staticmethod
    def require_unchanged(given: dict[str, np.ndarray], arrays: dict[str, np.ndarray], memory: Host | Device) -> None:
        for name, array in arrays.items():
            memory.fetch(given[name])
            if not np.array_equal(given[name], array):
                raise Fault(f"has written into {name}, which is read-only")
