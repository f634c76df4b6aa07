#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A number of threads that no machine has must be an error or be reduced, and never end the process."""

import subprocess
import sys

CODE = """
import numpy as np, pivotlab
A = np.eye(40) * 2 + np.ones((40, 40))
try:
    {call}
    print("a result")
except (ValueError, MemoryError, RuntimeError) as error:
    print(type(error).__name__, error)
"""
wrong = 0
for call in (
    "pivotlab.gsvd(A, A, threads=100000)",
    "pivotlab.eig(A, threads=100000)",
    "pivotlab.ldlt(A, threads=100000)",
    "pivotlab.generate('gsvd', 'paper', 40, threads=2**31 - 1)",
):
    done = subprocess.run([sys.executable, "-c", CODE.format(call=call)], capture_output=True, text=True)
    text = (done.stdout or done.stderr).strip().splitlines()
    right = done.returncode == 0
    wrong |= not right
    print(f"{'right' if right else 'WRONG'}: {call}: exit code {done.returncode}, {text[-1] if text else 'no message'}")
sys.exit(wrong)
