#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A locale with a decimal comma (setlocale by a GUI toolkit, R, …) must not change the matrix of a generator."""

import os
import shutil
import subprocess
import sys
import tempfile

if len(sys.argv) == 1:  # make the locale de_DE where the system lacks it, then start again with it
    if not shutil.which("localedef"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], stderr=subprocess.DEVNULL)
        sys.exit(subprocess.run([sys.executable, __file__, "inner"], env=os.environ | {"LOCPATH": folder}).returncode)

import locale

import numpy as np
import pivotlab

names = ["graded;g=2.5", "random", "paper"]
english = [pivotlab.generate("gsvd", name, 8) for name in names]
try:
    locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
except locale.Error:
    print("skipped: no locale with a decimal comma can be made here")
    sys.exit(77)
wrong = 0
for name, before in zip(names, english, strict=True):
    after = pivotlab.generate("gsvd", name, 8)
    same = np.array_equal(before.F, after.F) and np.array_equal(before.G, after.G)
    print(f"{'right' if same else 'WRONG'}: {name}: F[-1,-1] is {before.F[-1, -1]!r}, in de_DE {after.F[-1, -1]!r}")
    wrong |= not same
sys.exit(wrong)
