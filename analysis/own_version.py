# SPDX-License-Identifier: BSD-3-Clause
"""Variants and baselines of another build or installation of pivotlab, by its package for Python."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from own_results import Fault, Timed

# The members of each result that are judged, ldlt's being those of ldl(); and the names of those that have another one.
MEMBERS = {
    "gsvd": ("sigma", "sigma_f", "sigma_g", "U", "V", "Z"),
    "ghsvd": ("eigenvalues", "U", "V", "Z", "J"),
    "eigh": ("eigenvalues", "U", "estimate"),
    "eig": ("eigenvalues", "V", "W"),
    "hsvd": ("sigma", "U", "V", "J"),
}
NAMES = {"sigma_f": "alpha", "sigma_g": "beta"}


class Version:
    """A variant or baseline of the package whose compiled module is `file`; ";backend=cuda" runs it on a GPU."""

    def __init__(self, file: str, name: str, method: str, options: dict[str, Any]) -> None:
        module = Path(file).resolve()
        package = load_package(module.parent)
        places = [word for word in name.split(";") if word.startswith("backend=")]
        self.method = method
        self.options = {
            "variant": ";".join(word for word in name.split(";") if word not in places),
            "threads": int(os.environ["OMP_NUM_THREADS"]),
            **dict(word.split("=") for word in places),
            **({} if method == "ldlt" else {"check": False}),  # the sweep judges
            **({"v": True} if method == "hsvd" else {}),
        }
        self.solve = getattr(package, {"hsvd": "svd"}.get(method, method))
        self.refused = package.InputError
        self.identity = {"versions": {"pivotlab": package.__version__}, **source_of(module.parent)}
        trial = ("F", "G") if method in ("gsvd", "ghsvd") else ("A",)
        self.prepare({name: np.eye(2) for name in trial}, [])()  # so that a wrong name is refused at once

    def prepare(self, arrays: dict[str, np.ndarray], signs: list[float]) -> Callable[[], Timed]:
        options = self.options | ({"J": np.array(signs, dtype=int)} if signs else {})
        A = arrays.get("A")
        if self.method == "ldlt" and np.iscomplexobj(A) and not np.array_equal(A, A.conj().T):
            options["symmetry"] = "symmetric"

        def run() -> Timed:
            try:
                result = self.solve(*arrays.values(), **options)
            except self.refused as error:
                raise Fault(str(error)) from error
            if self.method == "ldlt":
                return Timed(result.compute_seconds, dict(zip(("L", "D", "perm"), result.ldl(), strict=True)))
            members = {NAMES.get(name, name): getattr(result, name, None) for name in MEMBERS[self.method]}
            return Timed(result.compute_seconds, members)

        return run


def load_package(folder: Path) -> Any:
    """Imports the package that has its compiled module in this folder; a build leaves the rest with the sources."""
    sources = folder
    if not (folder / "__init__.py").exists():
        cache = folder.parents[1] / "CMakeCache.txt"
        lines = cache.read_text().splitlines() if cache.exists() else []
        homes = [line.partition("=")[2] for line in lines if line.startswith("CMAKE_HOME_DIRECTORY")]
        sources = Path(*homes) / "python" / "pivotlab"
    places = [str(sources), str(folder)]
    spec = importlib.util.spec_from_file_location(
        "pivotlab", sources / "__init__.py", submodule_search_locations=places
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["pivotlab"] = package
    try:
        spec.loader.exec_module(package)
    except (ImportError, OSError) as error:
        raise Fault(f"cannot be imported: {error}") from error
    return package


def source_of(folder: Path) -> dict[str, Any]:
    """The commit that the program of the package, or of the build, states, and whether its source was clean."""
    programs = [folder / "program" / "bin" / "pivotlab", folder.parents[1] / "bin" / "pivotlab"]
    for program in filter(Path.exists, programs):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        for line in said.splitlines():
            if line.startswith("commit "):
                commit, comma, _ = line.split(maxsplit=1)[1].partition(",")
                return {"commit": commit, "clean": not comma}
    return {}
