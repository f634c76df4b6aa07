# SPDX-License-Identifier: BSD-3-Clause
"""The examples of `pivotlab sweep METHOD --help` are accepted, up to the plan of their cases."""

import json
import shlex
import subprocess

import pytest

from test_own_solvers import PROGRAM, ROOT

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
METHODS = [one["name"] for one in json.loads((ROOT / "experiments" / "methods.json").read_text())["methods"]]


@pytest.mark.parametrize("method", METHODS)
def test_examples_of_sweep_are_accepted(method, tmp_path):
    def run(*words):
        return subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120)

    run("generate", "eigh", "random", "-n", "4", "-o", "A.mtx.gz")
    examples = run("sweep", method, "--help").stdout.partition("\nExamples:\n")[2].splitlines()
    assert examples
    for example in examples:
        words = shlex.split(example)[1:]
        done = run(*words, "--only", "passed", *(() if "-o" in words else ("-o", "run", "--fresh")))
        assert done.returncode == 1 and "\n0 of " in f"\n{done.stderr}", (example, done.stderr)
