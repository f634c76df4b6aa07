# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a sweep: times with slopes, errors over times, a performance profile, a ranking, a ratio map, a strategy.

    python examples/pictures.py [FOLDER]

Writes six pictures and the records, runs/pivots, to FOLDER (default: here); a second call runs nothing again.
"""

import sys
from pathlib import Path

import pivotlab

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
run = pivotlab.sweep(
    "ldlt",
    n=[64, 128, 256],
    pivot=["BP", "RK", "BK"],
    generator=["random", "kkt", "graded", "spectrum;kappa=1e8"],
    seed=[1, 2, 3],
    baseline="lapack:dsytrf_rook",
    threads=1,
    out=folder / "runs" / "pivots",
)
print(run.table(by=["n", "solver"], value="error"))
pictures = {
    "times": run.plot(),
    "accuracy": run.plot(x="time", y="error", facet="generator"),
    "profile": run.plot("profile", y="error"),
    "ranking": run.plot("ranking"),
    "map": run.plot("map", x="n", by="generator", ratio_to="lapack:dsytrf_rook", y="error"),
    "strategy": pivotlab.plot_strategy("ME", 32),
}
for name, picture in pictures.items():
    picture.savefig(folder / f"{name}.png", dpi=144)
