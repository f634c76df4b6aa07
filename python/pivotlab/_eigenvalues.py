# SPDX-License-Identifier: BSD-3-Clause
"""What results with eigenvalues and their estimated errors have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import as_array
from ._status import described, size
from .typing import Booleans


class WithEstimates:
    """A result with the members eigenvalues, U, estimate, inertia, sweeps, variant and status."""

    @property
    def noise(self: Any) -> Booleans | None:
        """Length n, whether neither digits nor the sign of the eigenvalue are determined: 10·estimate ≥ 1."""
        return None if self.estimate is None else 10 * as_array(self.estimate) >= 1

    def __repr__(self: Any) -> str:
        inertia = None if self.inertia is None else "{} {} {}".format(*self.inertia)
        facts = {
            "n": np.shape(self.eigenvalues)[-1],
            "U": size(self.U),
            "inertia": inertia,
            "sweeps": len(self.sweeps) or None,
        }
        return described(type(self).__name__, variant=self.variant or None, **facts, status=self.status)
