# SPDX-License-Identifier: BSD-3-Clause
"""A study of variants: what the pivot parameter alpha of complete and rook pivoting costs and gives.

    python examples/variant_study.py [FOLDER]

Sweeps alpha over two generators of matrices, prints the table of medians, and writes alpha.png. Records go to
FOLDER/runs (default: the current folder); a second call runs nothing again.
"""

import sys
from pathlib import Path

from matplotlib.figure import Figure

import pivotlab

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
run = pivotlab.sweep(
    "ldlt",
    n=150,
    pivot=["BP", "RK"],
    alpha="0.1:0.9:0.1,a0",
    generator=["random", "kkt"],
    seed=[1, 2, 3],
    baseline="lapack:dsytrf_rook",
    out=folder / "runs" / "alpha",
)
frame = run.frame
print(run)
own = frame[frame["pivoting"].notna()]
print(own.pivot_table("residual", ["generator", "alpha"], "pivoting", aggfunc="median").to_string(float_format="%.1e"))

figure = Figure(figsize=(7, 3), layout="constrained")
for ax, (generator, cases) in zip(figure.subplots(1, 2, sharey=True), own.groupby("generator"), strict=True):
    for pivoting, line in cases.groupby("pivoting"):
        line.groupby("alpha")["residual"].median().plot(ax=ax, logy=True, marker="o", label=pivoting)
    ax.set(title=generator, xlabel="α", ylabel=run.columns.loc["residual", "heading"])
    ax.legend()
figure.savefig(folder / "alpha.png", dpi=144)
print(f"best alpha: {own.groupby('alpha')['residual'].median().idxmin():.3g} by the median of all residuals")
