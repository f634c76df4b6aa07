# SPDX-License-Identifier: BSD-3-Clause
"""The members of results in dictionaries of the module and in files."""

import re
from dataclasses import fields
from pathlib import Path

import h5py
import numpy as np
import pytest

import pivotlab
from pivotlab import _core

RNG = np.random.default_rng(3)
DOCUMENTED = Path(__file__).parents[2] / "docs/reference/files.md"
CALLS = {
    "gsvd": lambda F, G, J: pivotlab.gsvd(F, G, x=True, tolerance_f=1e-9),
    "hsvd": lambda F, G, J: pivotlab.svd(F, v=True),
    "ghsvd": lambda F, G, J: pivotlab.ghsvd(F, G, J),
    "eigh": lambda F, G, J: pivotlab.eigh(G + G.T),
    "eig": lambda F, G, J: pivotlab.eig(G, left=True, conditions=True, triangular=True),
}


def names_in(text):
    return re.findall(r"`(\w+)`", text)


def documented(method):
    """Datasets and attributes of a method's files by the documentation."""
    section = DOCUMENTED.read_text().split(f"**`pivotlab/{method}/1`**")[1].split("\n\n**")[0]
    heading, *rows = section.splitlines()
    datasets = set()
    for row in rows:
        name, contents = (row.split("|") + ["", ""] * 2)[1], row.rpartition("|")[0].rpartition("|")[2]
        if group := re.search(r"`(\w+)/…`", name):
            datasets |= {f"{group[1]}/{field}" for field in names_in(contents.partition(":")[2])}
        datasets |= set(names_in(name))
    common = {"schema", "status", "message", "compute_seconds", "solver"}
    return datasets, common | set(names_in(heading)) - {"verdict"}  # `pivotlab solve` adds verdict and problem


@pytest.fixture
def problem():
    J = np.ones(7)
    J[::3] = -1
    return np.asfortranarray(RNG.standard_normal((7, 5))), np.asfortranarray(RNG.standard_normal((5, 5))), J


@pytest.mark.parametrize("method", CALLS)
def test_files_have_the_documented_members(method, problem, tmp_path):
    CALLS[method](*problem).write(tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5") as file:
        objects = []
        file.visititems(lambda name, item: objects.append(name) if isinstance(item, h5py.Dataset) else None)
        assert (set(objects), set(file.attrs)) == documented(method)


@pytest.mark.parametrize("method", CALLS)
def test_dictionaries_have_every_member(method, problem):
    F, G, J = problem
    A = np.asfortranarray(G + G.T)
    members = {
        "gsvd": lambda: _core.gsvd(F, G, "auto", "host", False, None, None, True, True, 1),
        "hsvd": lambda: _core.svd(F, np.ones(5, int), "auto", "host", False, 60, 1),
        "ghsvd": lambda: _core.ghsvd(F, G, J.astype(int), "GHSVD-TR-ME-BO", "host", 60, 1),
        "eigh": lambda: _core.eigh(A, "HEV-RK-ME-BO", "host", "whole", False, (0, -1, -np.inf, np.inf), 60, 1),
        "eig": lambda: _core.eig(G, None, "host", True, False, False, False, 100, 1),
    }[method]()
    of_pencils = {"alpha", "beta"} if method == "eig" else set()
    assert set(members) | of_pencils | {"statuses"} == {field.name for field in fields(CALLS[method](*problem))}


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.svd, pivotlab.eig, lambda A: pivotlab.gsvd(A, A)])
def test_results_of_stacks_have_no_file(solve, tmp_path):
    with pytest.raises(pivotlab.InputError, match="of a stack"):
        solve(np.stack([np.eye(2), np.eye(2)])).write(tmp_path / "r.h5")


def test_names_of_files_have_no_zero_byte(tmp_path):
    pivotlab.write_matrix(tmp_path / "a", [[1.0]])
    for call in (pivotlab.read_matrix, lambda file: pivotlab.write_matrix(file, [[2.0]])):
        with pytest.raises(pivotlab.InputError, match="zero byte"):
            call(f"{tmp_path}/a\0.mtx")
