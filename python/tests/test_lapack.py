# SPDX-License-Identifier: BSD-3-Clause
"""LAPACK is loaded when it is needed, from where the user says, and refused in one line where there is none."""

import json
import os
import subprocess
import sys

import pivotlab

VARIABLE = "PIVOTLAB_LAPACK_LIBRARIES"
WITHOUT = os.environ | {VARIABLE: ""}
PENCIL = "import numpy, pivotlab; pivotlab.eigvals(numpy.eye(2), numpy.eye(2))"


def python(code, environment=os.environ):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_it_is_loaded_by_what_needs_it():
    loaded = "print('liblapacke' in open('/proc/self/maps').read())"
    assert python(f"import pivotlab; {loaded}").stdout == "False\n"
    done = python(f"{PENCIL}; print(pivotlab._core.blas_version())")
    assert "LAPACK" in done.stdout, done.stderr


def test_without_it_the_package_refuses_in_one_line():
    done = python(PENCIL, WITHOUT)
    assert "NotSupported: B: the eigenproblem of a pencil needs LAPACK, and none was found; install" in done.stderr
    done = python("import numpy, pivotlab; pivotlab.eig(numpy.eye(2), driver='ev')", WITHOUT)
    assert "needs LAPACK, and none was found" in done.stderr.splitlines()[-1]


def test_without_it_the_command_lists_no_baselines_of_it():
    command = [pivotlab.program(), "list", "baselines", "--format", "json"]
    listed = [json.loads(subprocess.run(command, capture_output=True, env=environment).stdout)
              for environment in (os.environ, WITHOUT)]  # fmt: skip
    with_lapack, without = (
        [row["baseline"] for row in rows if row["baseline"].startswith("lapack:")] for rows in listed
    )
    assert with_lapack != [] and without == []
