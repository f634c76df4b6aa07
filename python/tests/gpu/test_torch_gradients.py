# SPDX-License-Identifier: BSD-3-Clause
"""The tests of pivotlab.torch with tensors on a GPU."""

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
sys.path.append(str(Path(__file__).parents[1]))
import test_gradients as on_host  # noqa: E402
from test_gradients import *  # noqa: E402, F403

del test_single_precision_stays  # noqa: F821 (which a GPU refuses)

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch has no GPU")


@pytest.fixture(autouse=True)
def on_gpu(monkeypatch):
    monkeypatch.setattr(on_host, "DEVICE", "cuda")
