# SPDX-License-Identifier: BSD-3-Clause
"""`pip install .` compiles kernels for GPUs where there are a CUDA compiler and a GPU, or where the user says so."""

import importlib.util

import pytest

from conftest import ROOT

SPEC = importlib.util.spec_from_file_location("build_backend", ROOT / "packaging" / "build_backend.py")


@pytest.fixture
def backend(monkeypatch):
    pytest.importorskip("scikit_build_core")
    module = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(module)
    monkeypatch.setattr(module, "there_is_a_gpu", lambda: True)
    monkeypatch.setattr(module, "there_is_a_compiler", lambda: True)
    return module


HOST = {"cmake.define.PIVOTLAB_CUDA": "OFF", "wheel.build-tag": "0host"}
CUDA = {"cmake.define.PIVOTLAB_CUDA": "ON"}


def test_the_machine_decides(backend, monkeypatch, capsys):
    assert backend.translated(None) == CUDA and capsys.readouterr().out == ""
    monkeypatch.setattr(backend, "there_is_a_gpu", lambda: False)
    assert backend.translated({}) == HOST and "cuda=on" in capsys.readouterr().out
    monkeypatch.setattr(backend, "there_is_a_gpu", lambda: True)
    monkeypatch.setattr(backend, "there_is_a_compiler", lambda: False)
    assert backend.translated({"cuda": "auto"}) == HOST


def test_the_user_decides(backend):
    assert backend.translated({"cuda": "off", "verbose": "true"}) == HOST | {"verbose": "true"}
    assert backend.translated({"cuda": "On"}) == CUDA
    with pytest.raises(SystemExit, match="cuda=yes: on, off or auto is expected"):
        backend.translated({"cuda": "yes"})


def test_a_finished_build_stays_as_it_is(backend):
    settings = {"cmake.define.PIVOTLAB_BUILD": "build/release"}
    assert backend.translated(settings | {"cuda": "off"}) == settings


def test_free_threaded_python_is_refused(backend, monkeypatch):
    monkeypatch.setattr("sys.abiflags", "t")
    with pytest.raises(SystemExit, match="no build for free-threaded Python; use the usual Python"):
        backend.translated({})
