# SPDX-License-Identifier: BSD-3-Clause
"""The build backend of `pip install .`: scikit-build-core, and the setting cuda=on, off or auto.

auto, the default, compiles the kernels for GPUs where there are a CUDA compiler and a GPU. A wheel without them has the
build tag 0host in its name, which pip prints.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from scikit_build_core import build as scikit

get_requires_for_build_sdist = scikit.get_requires_for_build_sdist
build_sdist = scikit.build_sdist

Settings = dict[str, Any] | None


def there_is_a_gpu() -> bool:
    return (
        Path("/proc/driver/nvidia/version").exists() or Path("/dev/nvidiactl").exists()
    )


def there_is_a_compiler() -> bool:
    return shutil.which("nvcc") is not None or Path("/usr/local/cuda/bin/nvcc").exists()


def translated(settings: Settings) -> dict[str, Any]:
    """Returns scikit-build-core's settings. Of a finished build its CUDA stays."""
    if "t" in sys.abiflags:
        raise SystemExit(
            "pivotlab has no build for free-threaded Python; use the usual Python of the same version"
        )
    result = dict(settings or {})
    cuda = str(result.pop("cuda", "auto")).lower()
    if cuda not in ("on", "off", "auto"):
        raise SystemExit(f"cuda={cuda}: on, off or auto is expected")
    if "cmake.define.PIVOTLAB_BUILD" in result:
        return result
    if cuda == "auto":
        cuda = "on" if there_is_a_compiler() and there_is_a_gpu() else "off"
    result["cmake.define.PIVOTLAB_CUDA"] = cuda.upper()
    if cuda == "off":
        result.setdefault("wheel.build-tag", "0host")
        print(
            "pivotlab: without kernels for GPUs; -C cuda=on compiles them where nvcc is found"
        )
    return result


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return scikit.get_requires_for_build_wheel(translated(config_settings))


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    return scikit.prepare_metadata_for_build_wheel(
        metadata_directory, translated(config_settings)
    )


def build_wheel(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    return scikit.build_wheel(
        wheel_directory, translated(config_settings), metadata_directory
    )
