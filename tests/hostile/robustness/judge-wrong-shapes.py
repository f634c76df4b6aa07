#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""judge() must raise InputError for results whose shapes do not fit the problem; it must not read other memory."""

import subprocess
import sys

CODE = """
import numpy as np, pivotlab
I, one = np.eye(6), np.ones
try:
    print("a verdict:", pivotlab.judge({problem}, pivotlab.{result}).status)
except (ValueError, TypeError) as error:
    print("refused:", error)
"""
CASES = [
    ("I", "Eig(eigenvalues=one(6), V=np.eye(3))"),
    ("I", "Eig(eigenvalues=one(2), V=I)"),
    ("I", "Eig(eigenvalues=one(6), V=I, W=np.eye(2))"),
    ("I", "Eigh(eigenvalues=one(6), U=np.eye(3))"),
    ("I", "Eigh(eigenvalues=one(3), U=I)"),
    ("I", "Eigh(eigenvalues=one(6), U=I, estimate=one(2))"),
    ("I", "Svd(sigma=one(6), U=np.eye(3), V=I)"),
    ("I", "Svd(sigma=one(6), U=I, V=I, estimate=one(1))"),
    ("(I, I)", "Gsvd(U=np.eye(3), V=I, Z=I, sigma_f=one(6), sigma_g=one(6), sigma=one(6))"),
    ("(I, I)", "Gsvd(U=I, V=I, Z=I, sigma_f=one(2), sigma_g=one(6), sigma=one(6))"),
    ("(I, I)", "Gsvd(U=I, V=I, Z=I, sigma_f=one(6), sigma_g=one(6), sigma=one(1))"),
    ("(I, I, one(6))", "Ghsvd(eigenvalues=one(6), U=I, V=I, Z=np.eye(2), sigma_f=one(6), sigma_g=one(6), J=one(6))"),
]
wrong = 0
for problem, result in CASES:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(problem=problem, result=result)], capture_output=True, text=True
    )
    text = (done.stdout or done.stderr).strip().splitlines()
    right = done.returncode == 0 and text[-1].startswith("refused")
    wrong |= not right
    print(f"{'right' if right else 'WRONG'}: {result}: exit code {done.returncode}, {text[-1][:110] if text else '-'}")
sys.exit(wrong)
