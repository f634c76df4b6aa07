# SPDX-License-Identifier: BSD-3-Clause
"""Reads Matrix Market files without pivotlab and without other packages than NumPy."""

from pathlib import Path

import numpy as np


def read(path: Path) -> np.ndarray:
    """The matrix of an array or coordinate file, real or complex, with both triangles."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    layout, field, kind = lines[0][2:]
    lines = [line for line in lines if not line[0].startswith("%")]
    m, n = int(lines[0][0]), int(lines[0][1])
    is_complex = field == "complex"

    def value(parts: list[str]) -> complex:
        return complex(float(parts[0]), float(parts[1])) if is_complex else float(parts[0])

    A = np.zeros((m, n), complex if is_complex else float)
    if layout == "coordinate":
        entries = [(int(t[0]) - 1, int(t[1]) - 1, value(t[2:])) for t in lines[1:]]
    else:
        places = [(i, j) for j in range(n) for i in range(0 if kind == "general" else j, m)]
        entries = [(i, j, value(t)) for (i, j), t in zip(places, lines[1:], strict=True)]
    for i, j, x in entries:
        A[i, j] = x
        if kind != "general" and i != j:
            A[j, i] = x.conjugate() if kind == "hermitian" else x
    return A
