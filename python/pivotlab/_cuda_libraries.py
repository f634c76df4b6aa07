# SPDX-License-Identifier: BSD-3-Clause
"""NVIDIA's libraries from Python packages (nvidia-cublas, nvidia-cusolver), which lie where no loader looks."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path

VARIABLE = "PIVOTLAB_CUDA_LIBRARIES"


def folders() -> Iterator[str]:
    """The folders of installed packages that contain cuBLAS or cuSOLVER: nvidia/cu13/lib, nvidia/cusolver/lib, …"""
    found = importlib.util.find_spec("nvidia")
    for home in (found.submodule_search_locations or []) if found else []:
        for folder in sorted(Path(home).glob("*/lib")):
            if any(folder.glob("libcublas.so.*")) or any(folder.glob("libcusolver.so.*")):
                yield str(folder)


def offer(environment: MutableMapping[str, str] = os.environ) -> None:
    """Names these folders to this process and its children, unless the user has chosen others."""
    if VARIABLE not in environment and (found := list(folders())):
        environment[VARIABLE] = ":".join(found)
