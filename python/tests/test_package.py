# SPDX-License-Identifier: BSD-3-Clause
"""The package as it is installed."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import pivotlab

ROOT = Path(__file__).parents[2]


def test_the_tools_that_build_it_have_one_version():
    pins = set((ROOT / "analysis" / "requirements.txt").read_text().split())
    requires = re.search(r"requires = \[(.*)\]", (ROOT / "pyproject.toml").read_text())[1]
    assert set(re.findall(r'"(.*?)"', requires)) <= pins


def test_it_has_the_project_s_version():
    version = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(")[1])[1]
    assert pivotlab.__version__ == version
    assert f'version = "{version}"' in (ROOT / "analysis" / "pyproject.toml").read_text()
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {version} (" in (ROOT / "CHANGELOG.md").read_text()
    assert f'version("{version}")' in (ROOT / "packaging/spack/packages/pivotlab/package.py").read_text()


def test_it_contains_its_licence():
    try:
        files = metadata.files("pivotlab")
    except metadata.PackageNotFoundError:
        pytest.skip("not installed by pip")
    assert {"LICENSE", "THIRD_PARTY.md"} <= {file.name for file in files if "licenses" in file.parts}


def test_it_is_typed():
    folder = Path(pivotlab.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    assert [name for name in ("def gsvd", "def judge_eig", "class LdltFactorsZ") if name not in stub] == []


def test_importing_it_takes_no_large_package():
    code = "import sys, pivotlab; print(sorted({'pandas', 'matplotlib', 'scipy', 'tqdm'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_the_script_is_the_command():
    script = Path(sys.executable).parent / "pivotlab"
    if not script.exists():
        pytest.skip("not installed by pip")
    done = subprocess.run([script, "list", "variants"], capture_output=True, text=True)
    assert done.returncode == 0 and "LDLT-RK" in done.stdout
    assert subprocess.run([script, "sweep", "gsvd", "-n", "x"], capture_output=True).returncode == 2
    piped = subprocess.run(f"{script} list variants | head -1", shell=True, capture_output=True, text=True)
    assert piped.stdout.startswith("method") and piped.stderr == ""


def test_free_threaded_python_is_refused_in_one_line():
    code = "import sys; sys.abiflags = 't'; import pivotlab"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith("ImportError: pivotlab has no build for free-threaded Python")
