# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a matrix at stages of its symmetric indefinite factorization, from `pivotlab solve ldlt --stages`.

A file holds, for each stage, the magnitudes of the lower triangle, one text per row of pixels, with two hexadecimal
digits each: 00 for zero and 01 to ff in equal ratios from `low` to `high`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ... import files
from ...errors import InputError
from ...records import read_json

SCHEMA = "pivotlab/stages/1"


def magnitudes(rows: list[str], content: dict) -> np.ma.MaskedArray:
    """Returns the picture of a stage; zeros and the strictly upper triangle are masked."""
    pixels, low, high = content["pixels"], content["low"], content["high"]
    if [len(row) for row in rows] != [2 * (i + 1) for i in range(pixels)]:
        raise ValueError(f"not {pixels} rows of 1 to {pixels} pixels")
    levels = np.zeros((pixels, pixels), dtype=np.uint8)
    levels[np.tril_indices(pixels)] = np.frombuffer(bytes.fromhex("".join(rows)), dtype=np.uint8)
    levels = np.ma.masked_equal(levels, 0)
    return low * (high / low) ** ((levels - 1.0) / (0xFF - 1)) if low else levels


def read_pictures(path: Path) -> dict:
    """Reads a file of `pivotlab solve ldlt … --stages`; `stages` becomes {stage: magnitudes}."""
    remedy = "write it with pivotlab solve ldlt A --stages"
    content = read_json(path)
    if content.get("schema") != SCHEMA:
        raise InputError(f"{path}: no stages of a factorization; {remedy}")
    try:
        stages = {entry["stage"]: magnitudes(entry["rows"], content) for entry in content["stages"]}
        if not stages:
            raise ValueError("no stages")
        return {name: content[name] for name in ("problem", "n", "low", "high")} | {"stages": stages}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: damaged ({error}); {remedy}") from None


def draw(pictures: dict):
    """The lower triangle at each stage, three pictures in a row: magnitudes from blue (small) to red (large) on one
    logarithmic scale, zeros white."""
    from matplotlib import style
    from matplotlib.colors import LogNorm

    from ...plots import STYLE, subplots

    low, high = (pictures["low"], pictures["high"]) if pictures["low"] else (1.0, 1.0)
    norm = LogNorm(low, max(high, 1.01 * low))
    title = f"Factorization of {pictures['problem'].removesuffix(', seed 1')}, n = {pictures['n']}"
    canvas, axes = subplots(title, len(pictures["stages"]), columns=3)
    with style.context(STYLE):
        for ax, (stage, picture) in zip(axes, pictures["stages"].items(), strict=True):
            image = ax.imshow(picture, norm=norm, cmap="RdYlBu_r", interpolation="nearest")
            ax.plot([0.5, len(picture) - 0.5], [-0.5, len(picture) - 1.5], color="#9ca3af", linewidth=0.6)
            ax.set_title(f"stage {stage}")
            ax.set_axis_off()
        canvas.colorbar(image, ax=axes, shrink=0.6, label="magnitude; zeros white")
    return canvas


def save(arguments: argparse.Namespace) -> int:
    """Draws the stages in the format of the output's extension."""
    from ... import plots

    path, kind = arguments.output, arguments.output.suffix[1:]
    files.require_output(path, [arguments.pictures], arguments.force)
    if kind not in plots.FORMATS:
        raise InputError(f"{path}: its name tells no format; end it in .svg, .png or .pdf")
    plots.write(draw(read_pictures(arguments.pictures)), path)
    files.show(str(path))
    return 0


def add_command(commands) -> argparse.ArgumentParser:
    help = "draw a symmetric matrix at stages of its factorization"
    command = commands.add_parser("stages", help=help, description=help)
    command.add_argument(
        "pictures", type=Path, metavar="STAGES", help="file of pivotlab solve ldlt A --stages STAGES.json"
    )
    command.add_argument(
        "-o", "--output", type=Path, default=Path("stages.png"), metavar="FILE", help=".png, .svg, .pdf"
    )
    command.set_defaults(action=save)
    return command
