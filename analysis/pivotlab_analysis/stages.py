"""Pictures of a matrix at stages of its symmetric indefinite factorization: what `pivotlab solve ldlt --stages` wrote.

A file holds, for each stage, the magnitudes of the lower triangle, a text a row of pixels: two hexadecimal digits each,
00 for zero and 01 to ff in equal ratios from `low` to `high`.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

from . import files
from .errors import InputError
from .plots import FORMATS, STYLE
from .records import read_json

SCHEMA = "pivotlab/stages/1"
LEVELS = 255


@dataclass(frozen=True)
class Pictures:
    problem: str
    n: int
    low: float
    high: float
    stages: dict[int, np.ndarray]
    """The levels of the pixels, zeros above the diagonal."""

    def magnitudes(self, stage: int) -> np.ma.MaskedArray:
        levels = np.ma.masked_equal(self.stages[stage], 0)
        return self.low * (self.high / self.low) ** ((levels - 1.0) / (LEVELS - 1)) if self.low else levels


def levels_of(rows: list[str], pixels: int) -> np.ndarray:
    levels = np.zeros((pixels, pixels), dtype=np.uint8)
    if len(rows) != pixels:
        raise ValueError(f"{len(rows)} rows of pixels instead of {pixels}")
    for i, row in enumerate(map(bytes.fromhex, rows)):
        if len(row) != i + 1:
            raise ValueError(f"{len(row)} pixels in row {i + 1}")
        levels[i, : i + 1] = np.frombuffer(row, dtype=np.uint8)
    return levels


def read_pictures(path: Path) -> Pictures:
    """A file that `pivotlab solve ldlt … --stages` has written."""
    remedy = "write it with pivotlab solve ldlt A --stages"
    content = read_json(path)
    if content.get("schema") != SCHEMA:
        raise InputError(f"{path}: no stages of a factorization; {remedy}")
    try:
        stages = {entry["stage"]: levels_of(entry["rows"], content["pixels"]) for entry in content["stages"]}
        if not stages:
            raise ValueError("no stages")
        return Pictures(content["problem"], content["n"], content["low"], content["high"], stages)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: damaged ({error}); {remedy}") from None


def draw(pictures: Pictures):
    """The lower triangle at each stage, three pictures in a row: magnitudes from blue (small) to red (large) on one
    logarithmic scale, zeros white."""
    low, high = (pictures.low, pictures.high) if pictures.low else (1.0, 1.0)
    norm = LogNorm(low, max(high, 1.01 * low))
    columns = min(3, len(pictures.stages))
    rows = -(-len(pictures.stages) // columns)
    with plt.rc_context(STYLE | {"axes.grid": False}):
        canvas, axes = plt.subplots(
            rows, columns, figsize=(3.4 * columns + 0.8, 3.5 * rows + 0.5), squeeze=False, layout="constrained"
        )
        name = pictures.problem.removesuffix(", seed 1")
        canvas.suptitle(f"Factorization of {name}, n = {pictures.n}", x=0.01, ha="left", fontweight="bold")
        for ax in axes.flat:
            ax.set_axis_off()
        for ax, stage in zip(axes.flat, pictures.stages, strict=False):
            picture = pictures.magnitudes(stage)
            image = ax.imshow(picture, norm=norm, cmap="RdYlBu_r", interpolation="nearest")
            ax.plot([0.5, len(picture) - 0.5], [-0.5, len(picture) - 1.5], color="#9ca3af", linewidth=0.6)
            ax.set_title(f"stage {stage}")
        bar = canvas.colorbar(image, ax=axes, shrink=0.6)
        bar.set_label("magnitude; zeros white")
    return canvas


def save(path: Path, output: Path) -> None:
    """Draws the stages in `path`; the ending of `output` names the format."""
    kind = output.suffix[1:]
    if kind not in FORMATS:
        raise InputError(f"{output}: its name tells no format; end it in .svg, .png or .pdf")
    canvas = draw(read_pictures(path))
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    content = io.BytesIO()
    with plt.rc_context(STYLE):
        canvas.savefig(content, format=kind, dpi=200, metadata=metadata, facecolor="white")
    plt.close(canvas)
    files.write(output, content.getvalue())
