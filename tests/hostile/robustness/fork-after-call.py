#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A forked child (multiprocessing with "fork", as DataLoader and joblib use) must work after a call of the parent."""

import multiprocessing
import sys

import numpy as np
import pivotlab

rng = np.random.default_rng(1)
F, G = rng.standard_normal((80, 80)), rng.standard_normal((80, 80))
pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=2)
child = multiprocessing.get_context("fork").Process(
    target=lambda: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=2)
)
child.start()
child.join(20)
if child.is_alive():
    child.kill()
    sys.exit("WRONG: the child of a fork hangs: a call of some milliseconds has not ended after 20 s")
if child.exitcode:
    sys.exit(f"WRONG: the child ended with {child.exitcode}")
print("right: the child has computed its result")
