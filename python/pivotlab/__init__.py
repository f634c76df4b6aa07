# SPDX-License-Identifier: BSD-3-Clause
"""Pivoting algorithms of dense linear algebra, their test problems, judges and experiments.

    r = pivotlab.gsvd(F, G)                         r.U, r.V, r.Z, r.sigma
    f = pivotlab.ldlt(A); f.solve(b); f.inertia     L, D, perm = f
    w, V = pivotlab.eig(A)                          and more members by name
    w, U = pivotlab.eigh(A)                         also estimate, inertia
    U, s, Vh = pivotlab.svd(G)                      svd(G, J=J) is hyperbolic
    g = pivotlab.ghsvd(F, G, J)                     g.eigenvalues of (FᴴJF, GᴴG), g.Z, g.estimate
    h = pivotlab.eigh(H, S)                         h.eigenvalues and h.U of H·c = E·S·c
    hi, lo, bound = pivotlab.exact.matmul(A, B)     products without rounding errors
    pivotlab.refine(A, pivotlab.eigh(A)).values     to the last digit, with bounds; also of svd and gsvd
    pivotlab.judge((F, G), r)                       errors in quadruple precision
    pivotlab.sweep("gsvd", n=[64, 128], baseline="lapack:dggsvd3").frame

Matrices, or stacks of them (…, m, n), are NumPy arrays of any order, or whatever DLPack or NumPy reads in the host's
memory; results are arrays of the same library and precision, stored by columns. All calls may be made from several
threads, release Python's lock, and end at Ctrl-C after at most one step of a sweep or one panel. docs/guide/python.md
is the guide.
"""

import atexit
import sys

if "t" in sys.abiflags:
    raise ImportError("pivotlab has no build for free-threaded Python; use the usual Python of the same version")

from . import _core, _cuda_libraries
from . import exact as exact
from ._arrays import ConversionWarning
from ._core import InputError, NotSupported
from ._each import each
from ._eig import Eig, eig, eigvals
from ._eigh import Eigh, eigh, eigvalsh
from ._exhibits import Figure, Table
from ._experiments import Runs, load_runs, records, sweep
from ._files import (
    read_general,
    read_matrix,
    read_pair,
    read_raw_pair,
    read_symmetric,
    write_general,
    write_matrix,
    write_pair,
    write_raw_pair,
    write_symmetric,
)
from ._ghsvd import Ghsvd, ghsvd
from ._gsvd import Gsvd, gsvd
from ._inertia import Inertia, InertiaCertificate, InertiaShift, certify_inertia, shift_for_inertia
from ._judge import Judgement, judge
from ._ldlt import Ldlt, LdltStack, Solution, ldlt
from ._lists import Entry, baselines, expand, generators, options, variants
from ._own_solvers import solver
from ._pictures import plot, plot_pivots, plot_strategy
from ._problems import (
    General,
    Pair,
    Rectangular,
    SignedPair,
    Symmetric,
    definite_pair,
    difference_operator,
    generate,
    indefinite_pair,
)
from ._program import program
from ._refine import Refined, refine
from ._status import StatusError
from ._svd import Svd, svd, svdvals

_cuda_libraries.offer()
atexit.register(_core.end_calls)

__version__ = _core.version

__all__ = [
    "ConversionWarning", "Eig", "Eigh", "Entry", "Figure", "General", "Ghsvd", "Gsvd", "Inertia",
    "InertiaCertificate", "InertiaShift", "InputError", "Judgement", "Ldlt", "LdltStack", "NotSupported", "Pair",
    "Rectangular", "Refined", "Runs", "SignedPair", "Solution", "StatusError", "Svd", "Symmetric", "Table", "baselines",
    "certify_inertia", "definite_pair", "difference_operator", "each", "eig", "eigh", "eigvals", "eigvalsh",
    "expand", "generate", "generators", "ghsvd", "gsvd", "indefinite_pair", "judge", "ldlt", "load_runs", "options",
    "plot", "plot_pivots", "plot_strategy", "program", "read_general", "read_matrix", "read_pair", "read_raw_pair",
    "read_symmetric", "records", "refine", "shift_for_inertia", "solver", "svd", "svdvals", "sweep", "variants",
    "write_general", "write_matrix", "write_pair", "write_raw_pair", "write_symmetric",
]  # fmt: skip
