# SPDX-License-Identifier: BSD-3-Clause
"""Pictures on demand, by `pivotlab_analysis`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ._core import InputError
from ._experiments import Folder, Names, Runs, load_runs
from ._experiments import _analysis as analysis
from ._ldlt import Ldlt
from ._program import run as run_program

if TYPE_CHECKING:
    import matplotlib.figure


@contextmanager
def complaints() -> Iterator[None]:
    """Raises the package's InputError in place of that of the analysis."""
    from pivotlab_analysis import InputError as Complaint

    try:
        yield
    except Complaint as error:
        raise InputError(str(error)) from None


def listed(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _width(width: str | None) -> float | None:
    from pivotlab_analysis import plots

    if width is not None and width not in plots.WIDTHS:
        raise InputError(f"width: unknown {width!r}; one of {', '.join(plots.WIDTHS)} is expected")
    return plots.WIDTHS[width] if width else None


def plot(
    runs: Runs | Folder | Sequence[Folder],
    kind: str = "lines",
    *,
    x: str | None = None,
    y: str = "compute_s",
    by: Names = ("solver",),
    facet: str | None = None,
    where: Names = (),
    ratio_to: str | None = None,
    log: bool = False,
    width: str | None = None,
) -> matplotlib.figure.Figure:
    """Draw the cases of runs, as `pivotlab plot` does.

    Parameters
    ----------
    runs : Runs, path, or list of paths
        Runs of one method, or their folders, which are one set of cases.
    kind : str
        lines: medians over an axis with the slope of times, or a point a case over any other number; profile
        (Dolan-More), data-profile, ranking with bootstrap intervals, map of ratios over x and by, convergence, and
        growth where records have stages.
    x, y, by, facet : str
        Columns of the frame; time and error mean compute_s and the method's first error. by may be several.
    where : str or list of str
        Conditions such as "n<500" or "generator=random,kkt".
    ratio_to : str
        Values over those of this solver for the same problem.
    log : bool
        Logarithmic axes; by default those that span much.
    width : str
        "column" (86 mm) or "page" (178 mm).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        An unknown column, with the nearest ones; too many lines or panels for a page.

    Examples
    --------
    >>> run = pivotlab.sweep("ldlt", n=[8, 16], pivot=["BP", "RK"], progress=False, out="runs/two")
    >>> picture = pivotlab.plot(run, y="error")
    >>> picture.axes[0].get_ylabel()
    'rel err'
    """
    analysis()
    from pivotlab_analysis import pictures, plots

    folders = [runs] if isinstance(runs, str | PathLike) else runs
    own = folders if isinstance(folders, Runs) else load_runs(*folders)
    request = pictures.Request(x=x, y=y, by=listed(by), facet=facet, log=log, ratio_to=ratio_to)
    with complaints():
        return plots.draw(pictures.figure(own.data, kind, request, listed(where)), _width(width))


def plot_pivots(factors: Ldlt | Folder, *, width: str | None = None) -> matplotlib.figure.Figure:
    """Draw which row of the matrix each pivot of a symmetric indefinite factorization comes from, of which order it is,
    and the growth, stage by stage.

    Parameters
    ----------
    factors : Ldlt or path
        A factorization on the host, or a file of `pivotlab solve ldlt A -o FILE`.
    width : str
        "column" (86 mm) or "page" (178 mm).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        A file with something else.

    Examples
    --------
    >>> picture = pivotlab.plot_pivots(pivotlab.ldlt([[0.0, 1.0], [1.0, 0.0]]))
    >>> picture.axes[0].get_title("left")
    '0 1×1, 1 2×2'
    """
    analysis()
    import numpy as np
    from pivotlab_analysis import plots
    from pivotlab_analysis.exhibits.ldlt import pivots

    with complaints():
        if isinstance(factors, Ldlt):
            first, growth = (np.asarray(factors.stages[name]) for name in ("first", "growth"))
            sizes = pivots.sizes_of(np.append(np.diag(factors.D, -1), 0))
            own = pivots.Pivots(f"Pivots of order {len(sizes)}", factors.permutation.astype(int), sizes, first, growth)
        else:
            own = pivots.read(Path(factors))
        return plots.draw(pivots.figure(own), _width(width))


def plot_strategy(strategy: Folder, n: int | None = None, *, width: str | None = None) -> matplotlib.figure.Figure:
    """Draw a sweep of a parallel strategy: its pairs in a matrix, coloured by their step, and the steps as bars.

    Parameters
    ----------
    strategy : str or path
        ME, MM or RR, or a file with the pairs of a step in each line, columns from 0: "0 3 1 2".
    n : int
        The order of ME, MM or RR: an even number of columns, at most 256.
    width : str
        "column" (86 mm) or "page" (178 mm).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        A file in which pairs of a step are not disjoint, or not every pair is met once; an order that is not even.

    Examples
    --------
    >>> pivotlab.plot_strategy("ME", 8).get_suptitle()
    'ME, order 8: 7 steps, cyclic'
    """
    analysis()
    from pivotlab_analysis.pictures import orderings, sweep

    with complaints(), tempfile.TemporaryDirectory() as folder:
        if n is None and Path(strategy).exists():
            own = orderings.read(Path(strategy))
        else:
            table, order = Path(folder) / "strategy.txt", [] if n is None else ["-n", str(n)]
            run_program("plot", "strategy", str(strategy), *order, "-o", str(table))
            own = orderings.read(table, str(strategy))
        return sweep.draw(own, _width(width))
