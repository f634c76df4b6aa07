# SPDX-License-Identifier: BSD-3-Clause
"""Random problems of every method: nothing is told wrongly. PIVOTLAB_TRUTH_PROBLEMS=5000 runs more of them."""

import os

import pytest

import harness


@pytest.mark.parametrize("method", harness.METHODS)
def test_nothing_is_told_wrongly(method):
    result = harness.run(method, int(os.environ.get("PIVOTLAB_TRUTH_PROBLEMS", "100")))
    assert not any(result["faults"].values()), result["examples"]
