# SPDX-License-Identifier: BSD-3-Clause
"""A wheel (scripts/wheel) needs nothing of the system but the C and C++ libraries and zlib."""

import subprocess
from pathlib import Path

import pytest

import pivotlab

SITE = Path(pivotlab.__file__).parents[1]
OF_EVERY_SYSTEM = {"libc", "libm", "libstdc++", "libgcc_s", "libz", "ld-linux-x86-64", "libpthread", "libdl", "librt"}


@pytest.fixture(autouse=True)
def only_of_a_wheel():
    if not (SITE / "pivotlab.libs").exists():
        pytest.skip("not installed from a repaired wheel")


@pytest.mark.parametrize("file", [Path(pivotlab._core.__file__), pivotlab.program()], ids=["module", "command"])
def test_it_loads_only_its_own_libraries(file):
    loader = ["/lib64/ld-linux-x86-64.so.2", "--list", file]
    listed = subprocess.run(loader, capture_output=True, text=True, env={}, check=True).stdout
    assert "not found" not in listed
    loaded = [Path(line.split(" => ")[1].split(" (")[0]) for line in listed.splitlines() if " => " in line]
    own = [library for library in loaded if SITE in library.parents]
    others = {library.name.split(".so")[0] for library in loaded if library not in own}
    assert {"libfmt", "libgomp"} <= {library.name.split("-")[0] for library in own} and others <= OF_EVERY_SYSTEM


def test_the_command_runs_in_an_empty_environment(tmp_path):
    done = subprocess.run([pivotlab.program(), "sweep", "eigh", "-n", "16", "--backend", "host"], cwd=tmp_path,
                          capture_output=True, text=True, env={})  # fmt: skip
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stderr
