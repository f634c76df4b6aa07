#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""threads=1 must compute on one thread: no other thread of the process may use time in the call."""

import os
import sys

os.environ["OMP_NUM_THREADS"] = "4"
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # LAPACK's own threads are not examined here
import numpy as np
import pivotlab


def threads():
    return len(os.listdir("/proc/self/task"))


rng = np.random.default_rng(1)
F, G = rng.standard_normal((150, 150)), rng.standard_normal((150, 150))
A = F + F.T
calls = {
    "gsvd auto": lambda: pivotlab.gsvd(F, G, threads=1),
    "gsvd DHZ0-(ME-FB-ME)": lambda: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=1),
    "gsvd x": lambda: pivotlab.gsvd(F, G, x=True, threads=1),
    "ldlt": lambda: pivotlab.ldlt(A, threads=1),
    "eig": lambda: pivotlab.eig(A, threads=1),
    "eigh": lambda: pivotlab.eigh(A, threads=1),
    "svd": lambda: pivotlab.svd(F, threads=1),
    "generate": lambda: pivotlab.generate("gsvd", "paper", 100, threads=1),
}
wrong = 0
for name, call in calls.items():
    child = os.fork()  # before any call in this process: every call is the first one of its process
    if child == 0:
        before = threads()
        call()
        print(
            f"{'right' if threads() <= before else 'WRONG'}: {name}: {before} threads before, {threads()} after",
            flush=True,
        )
        os._exit(threads() > before)
    wrong |= os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
sys.exit(wrong)
