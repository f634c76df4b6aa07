# SPDX-License-Identifier: BSD-3-Clause
"""cuBLAS and cuSOLVER are found in Python packages, and what the user chooses goes before."""

import sys

import pytest

from pivotlab import _cuda_libraries


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Installed packages: one with both libraries, one with cuSOLVER, and one that has neither."""
    for file in ["cu13/lib/libcublas.so.13", "cu13/lib/libcusolver.so.12", "cusolver/lib/libcusolver.so.11",
                 "cufft/lib/libcufft.so.11"]:  # fmt: skip
        path = tmp_path / "nvidia" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "nvidia", raising=False)
    return tmp_path / "nvidia"


def test_folders_with_a_library_are_offered(packages):
    environment = {}
    _cuda_libraries.offer(environment)
    assert environment == {_cuda_libraries.VARIABLE: f"{packages}/cu13/lib:{packages}/cusolver/lib"}


def test_the_users_choice_stays(packages):
    environment = {_cuda_libraries.VARIABLE: "/opt/cuda"}
    _cuda_libraries.offer(environment)
    assert environment == {_cuda_libraries.VARIABLE: "/opt/cuda"}


def test_nothing_is_offered_without_packages(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    environment = {}
    _cuda_libraries.offer(environment)
    assert environment == {}
