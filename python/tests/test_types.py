# SPDX-License-Identifier: BSD-3-Clause
"""Examples pass `mypy --strict` and pyright. CI has neither; the tests run where they are installed."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "checker, options",
    [("mypy", ["--strict", "--cache-dir=/dev/null"]), ("pyright", ["--pythonpath", sys.executable])],
)
def test_examples_are_typed(checker, options):
    for module in (checker, "matplotlib", "pandas"):
        pytest.importorskip(module)
    files = sorted(map(str, EXAMPLES.glob("*.py")))
    done = subprocess.run([sys.executable, "-m", checker, *options, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
