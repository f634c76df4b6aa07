#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""write_general() with more eigenvalues than the order must raise InputError; it writes behind a buffer of the heap."""

import subprocess
import sys

CODE = """
import sys, tempfile
import numpy as np, pivotlab
count = int(sys.argv[1])
matrix = pivotlab.General(np.eye(4), eigenvalues=np.arange(count, dtype=complex))
with tempfile.TemporaryDirectory() as folder:
    try:
        pivotlab.write_general(folder + "/A.h5", matrix)
    except ValueError as error:
        print("refused:", error)
    else:
        try:
            print("wrote", len(pivotlab.read_general(folder + "/A.h5").eigenvalues), "eigenvalues")
        except ValueError as error:
            print("wrote an unreadable file:", error)
"""
wrong = 0
for count in (3, 5, 100000):
    done = subprocess.run([sys.executable, "-c", CODE, str(count)], capture_output=True, text=True)
    text = (done.stdout or done.stderr).strip().splitlines()
    right = done.returncode == 0 and text[-1].startswith("refused")
    wrong |= not right
    verdict, last = "right" if right else "WRONG", text[-1][:160] if text else "-"
    print(f"{verdict}: {count} eigenvalues for n = 4: exit code {done.returncode}, {last}")
sys.exit(wrong)
