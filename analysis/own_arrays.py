# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of CuPy, PyTorch and JAX for functions that ask for them, on the GPU if there is one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from own_results import Timed


class NumpyArrays:
    """Arrays as they come."""

    def given(self, array: np.ndarray) -> Any:
        return array

    def returned(self, one: Any) -> Any:
        return one

    def complete(self, returned: Any) -> None:
        """Waits until the computation of the results has ended."""


class CupyArrays(NumpyArrays):
    def __init__(self) -> None:
        import cupy

        self.cupy = cupy

    def given(self, array: np.ndarray) -> Any:
        return self.cupy.array(array, order="F")

    def returned(self, one: Any) -> Any:
        return self.cupy.asnumpy(one) if isinstance(one, self.cupy.ndarray) else one

    def complete(self, returned: Any) -> None:
        self.cupy.cuda.Device().synchronize()


class TorchArrays(NumpyArrays):
    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def given(self, array: np.ndarray) -> Any:
        return self.torch.from_numpy(array.copy(order="F")).to(self.device)

    def returned(self, one: Any) -> Any:
        return one.detach().cpu().resolve_conj().numpy() if isinstance(one, self.torch.Tensor) else one

    def complete(self, returned: Any) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()


class JaxArrays(NumpyArrays):
    def __init__(self) -> None:
        import jax

        jax.config.update("jax_enable_x64", True)  # or numbers have 32 bits
        self.jax = jax

    def given(self, array: np.ndarray) -> Any:
        return self.jax.numpy.asarray(array)

    def returned(self, one: Any) -> Any:
        return np.asarray(one) if isinstance(one, self.jax.Array) else one

    def complete(self, returned: Any) -> None:
        self.jax.block_until_ready(returned)


LIBRARIES = {"numpy": NumpyArrays, "cupy": CupyArrays, "torch": TorchArrays, "jax": JaxArrays}


def timed(run: Callable[[], Any], library: NumpyArrays) -> Timed:
    """Calls the function and waits for its results, which it then brings to NumPy."""
    library.complete(None)
    start = time.perf_counter()
    result = run()
    library.complete(result)
    seconds = time.perf_counter() - start
    if isinstance(result, dict):
        return Timed(seconds, {name: library.returned(one) for name, one in result.items()})
    if isinstance(result, tuple):
        return Timed(seconds, tuple(map(library.returned, result)))
    return Timed(seconds, library.returned(result))
