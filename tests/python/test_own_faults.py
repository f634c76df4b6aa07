# SPDX-License-Identifier: BSD-3-Clause
"""Wrong results and times of the user's solvers that look right at first."""

import sys

import pytest

from test_own_solvers import PROGRAM, records, study, sweep  # noqa: F401 (a fixture)

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


def test_later_results_that_differ_are_judged(study):  # noqa: F811
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", "--solver", "study.py:once", "--repeat", "3")
    record = records(study)["study.py:once"]
    assert done.returncode == 1 and record["status"] == "incorrect" and len(record["time"]["compute_s"]["samples"]) == 2
    assert record["metrics"]["residual"] > 0.1


SINGULAR_VALUES = """
import numpy as np
def gsvd(F, G):
    Q, R = np.linalg.qr(np.vstack([F, G]))
    U, alpha, Wh = np.linalg.svd(Q[: len(F)], full_matrices=False)
    V = Q[len(F) :] @ Wh.T
    beta = np.linalg.norm(V, axis=0)
    return {"U": U, "V": V / beta, "Z": np.linalg.solve(R, Wh.T), "alpha": alpha, "beta": beta}
def negative(F, G):
    found = gsvd(F, G)
    return {**found, **{name: -found[name] for name in ("alpha", "beta", "Z")}}
def half(F, G):
    found = gsvd(F, G)
    sigma = found["alpha"] / found.pop("beta")
    return {**found, "sigma": sigma}
def doubled(F, G):
    return {**gsvd(F, G), "X": F}
"""


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("negative", "incorrect", "a singular value is negative"),
        ("half", "failed", "the result has no beta"),
        ("doubled", "failed", "the result has Z and X; give one of them"),
    ],
)
def test_singular_values_have_one_form_and_are_not_negative(name, status, reason, tmp_path):
    (tmp_path / "study.py").write_text(SINGULAR_VALUES)
    sweep(tmp_path, "gsvd", "-n", "6", "--generator", "random", "--solver", f"study.py:{name}")
    record = records(tmp_path)[f"study.py:{name}"]
    assert (record["status"], record["message"]) == (status, reason)


FAULTS = {
    "print('pivotlab-seconds: 1e300')": "'pivotlab-seconds: 1e300' is longer than the process, which took ",
    "np.save(source + '/A.npy', 0 * A)": "has written into A.npy, which is read-only",
    "os.remove(source + '/A.npy')": "has written into A.npy, which is read-only",
    "header('(4294967296, 4294967296)')": "U.npy: has a wrong number of elements",
    "header('(99999999999999999999, 1)')": "U.npy: has a wrong number of elements",
    "header('(8, 8' + 60000 * ' ' + ')')": "U.npy: has a damaged header",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_command_has_a_reason(fault, tmp_path):
    (tmp_path / "mine.py").write_text(f"""
import os, sys
import numpy as np
source, target = sys.argv[1:3]
A = np.load(source + "/A.npy")
for name, one in zip(("eigenvalues", "U"), np.linalg.eigh(A)):
    np.save(target + f"/{{name}}.npy", one)
def header(shape):
    text = f"{{{{'descr': '<f8', 'fortran_order': False, 'shape': {{shape}}, }}}}\\n".encode()
    with open(target + "/U.npy", "wb") as file:
        file.write(b"\\x93NUMPY\\1\\0" + len(text).to_bytes(2, "little") + text)
{fault}
""")
    solver = f"cmd:{sys.executable} mine.py {{input}} {{output}}"
    sweep(tmp_path, "eigh", "-n", "8", "--generator", "random", "--solver", solver)
    record = records(tmp_path)[solver]
    assert record["status"] == "failed" and FAULTS[fault] in record["message"], record["message"]
