"""Pictures of a matrix at stages of its symmetric indefinite factorization, from the factors in an HDF5 file.

The factors hold every stage. Before the pivot with first row k is eliminated, the rows above it hold their part of M
and D, and what is left of A is M₂₂·D₂₂·M₂₂ᵀ, the trailing blocks; here with the rows already in their final order. Of
factors without rounding errors, as those of Hadamard matrices are, this is the working matrix to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

from .errors import InputError
from .plots import STYLE

SCHEMA = "pivotlab/ldlt/1"


@dataclass(frozen=True)
class Factors:
    """P·A·Pᵀ = M·D·Mᵀ of a real matrix; D by its diagonal and subdiagonal."""

    problem: str
    M: np.ndarray
    diagonal: np.ndarray
    subdiagonal: np.ndarray
    first_rows: list[int]
    """Of the pivots, ascending; with a rank below n they end early."""

    @property
    def order(self) -> int:
        return len(self.diagonal)


def text(value) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def read_factors(path: Path) -> Factors:
    """A file that `pivotlab solve ldlt … -o` has written."""
    try:
        with h5py.File(path) as file:
            if text(file.attrs.get("schema")) != SCHEMA:
                raise InputError(f"{path}: no factors of a symmetric matrix; write them with pivotlab solve ldlt A -o")
            if text(file.attrs["type"]) != "d":
                raise InputError(f"{path}: a complex matrix; stages are drawn of real ones")
            diagonal, subdiagonal = file["D"][:].T
            first_rows = file["stages/first"][:].astype(int).tolist()
            return Factors(text(file.attrs["problem"]), file["M"][:], diagonal, subdiagonal, first_rows)
    except OSError as error:
        raise InputError(f"{path}: {error}; name a file that pivotlab solve ldlt A -o has written") from None


def working_matrix(factors: Factors, stage: int) -> np.ndarray:
    """What is in memory before stage `stage`, counted by rows from 1, and after the last one for stage = n: lower
    triangle, zeros above. Between the rows of a 2×2 pivot there is no stage: then the one before."""
    n = factors.order
    if not 1 <= stage <= n:
        raise InputError(f"stage {stage}: the matrix has the stages 1 to {n}; choose among these")
    if stage == n:
        k = n
    else:
        k = max(first for first in (0, *factors.first_rows) if first <= stage - 1)
    D = np.diag(factors.diagonal) + np.diag(factors.subdiagonal[:-1], -1) + np.diag(factors.subdiagonal[:-1], 1)
    stored = factors.M + np.tril(D) - np.eye(n)  # M has zeros where D has its blocks
    trailing = factors.M[k:, k:]
    stored[k:, k:] = trailing @ D[k:, k:] @ trailing.T
    return np.tril(stored)


def draw(factors: Factors, stages: list[int]):
    """The lower triangle at each stage, three pictures in a row: magnitudes from blue (small) to red (large) on one
    logarithmic scale, zeros white."""
    pictures = [np.abs(working_matrix(factors, stage)) for stage in stages]
    sizes = np.concatenate([picture[picture > 0] for picture in pictures])
    low, high = (sizes.min(), sizes.max()) if sizes.size else (1.0, 1.0)
    norm = LogNorm(max(low, 1e-16 * high), max(high, 1.01 * low))  # below: rounding errors
    columns = min(3, len(stages))
    rows = -(-len(stages) // columns)
    with plt.rc_context(STYLE | {"axes.grid": False}):
        canvas, axes = plt.subplots(
            rows, columns, figsize=(3.4 * columns + 0.8, 3.5 * rows + 0.5), squeeze=False, layout="constrained"
        )
        name = factors.problem.removesuffix(", seed 1")
        canvas.suptitle(f"Factorization of {name}, n = {factors.order}", x=0.01, ha="left", fontweight="bold")
        for ax in axes.flat:
            ax.set_axis_off()
        for ax, stage, picture in zip(axes.flat, stages, pictures, strict=False):
            image = ax.imshow(np.ma.masked_equal(picture, 0), norm=norm, cmap="RdYlBu_r", interpolation="nearest")
            ax.plot([0, factors.order - 1], [0, factors.order - 1], color="#9ca3af", linewidth=0.6)
            ax.set_title(f"stage {stage}")
        bar = canvas.colorbar(image, ax=axes, shrink=0.6)
        bar.set_label("magnitude; zeros white")
    return canvas


def save(path: Path, stages: list[int], output: Path) -> None:
    """Draws the stages of the factors in `path`; the ending of `output` names the format."""
    factors = read_factors(path)
    canvas = draw(factors, stages or list(np.unique(np.linspace(1, factors.order, 6).round().astype(int))))
    output.parent.mkdir(parents=True, exist_ok=True)
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(output.suffix)
    with plt.rc_context(STYLE):
        canvas.savefig(output, dpi=200, metadata=metadata, facecolor="white")
    plt.close(canvas)
