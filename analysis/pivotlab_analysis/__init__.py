# SPDX-License-Identifier: BSD-3-Clause
"""Tables, plots and one self-contained HTML report from the records of pivotlab.

The package reads records, manifests and the published numbers, all of them JSON; it never runs an experiment.

    runs → records.load_runs → tables / figures (values) → render, plots, interactive → report
"""

from .errors import InputError
from .published import Library
from .records import Run, load_runs

__all__ = ["InputError", "Library", "Run", "load_runs"]
