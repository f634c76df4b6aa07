# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of the user's in sweeps: folders of files, arrays, and functions that make them."""

import importlib.util
import io
import json
import subprocess
import tarfile

import numpy as np
import pytest

import pivotlab
from pivotlab._program import environment

pytest.importorskip("pandas")

FAMILY = """
import numpy as np

def spread(n, seed=1, kappa=10.0):
    Q, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))
    signs = np.where(np.arange(n) % 3 == 0, -1, 1)
    A = (Q * (signs * np.geomspace(1, 1 / kappa, n))) @ Q.T
    return (A + A.T) / 2

def raises(n):
    raise ValueError("no luck")

def wide(n):
    return np.ones((n, n + 1))

def lopsided(n):
    return np.triu(np.ones((n, n)))

def empty(n):
    return np.full((n, n), np.nan)

def imaginary(n):
    return 1j * np.ones((n, n))

def pair(n, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, n)), rng.standard_normal((n, n))
"""


def symmetric(n, seed):
    A = np.random.default_rng(seed).standard_normal((n, n))
    return A + A.T


def command(*words):
    line = [pivotlab.program(), *map(str, words)]
    ended = subprocess.run(line, capture_output=True, text=True, env=environment())
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.py").write_text(FAMILY)
    return tmp_path


def test_a_folder_of_matrices_becomes_a_table_a_profile_and_a_ranking(here):
    (here / "set").mkdir()
    for k in range(40):
        pivotlab.write_matrix(here / "set" / f"m{k:02}.mtx", symmetric(6 + k % 5, k))
    sweep = ["sweep", "ldlt", "--generator", "file:set", "--threads", 1, "--repeat", 1, "-o", "runs/set"]
    assert "80 of 80 cases run" in command(*sweep, "--pivot", "BP,RK").stderr
    assert len(command("table", "runs/set", "--by", "problem,solver", "--value", "error").stdout.splitlines()) > 80
    for kind in ("profile", "ranking"):
        command("plot", "runs/set", "--kind", kind, "--y", "error", "-o", f"{kind}.svg")
        assert (here / f"{kind}.svg").stat().st_size > 5000
    before = pivotlab.records("runs/set").set_index("key")["started"]
    for k in range(40, 50):
        pivotlab.write_matrix(here / "set" / f"m{k}.mtx", symmetric(7, k))
    assert "70 of 150 cases run" in command(*sweep, "--pivot", "BP,RK,BK").stderr
    after = pivotlab.records("runs/set").set_index("key")["started"]
    assert len(after) == 150 and (after.loc[before.index] == before).all()


def test_arrays_are_problems(here):
    A, B = symmetric(5, 1), symmetric(7, 2)
    run = pivotlab.sweep("ldlt", matrices={"first": A, "second": B}, threads=1, out="runs/a", progress=False)
    assert run.status == {"passed": 2} and [g.rpartition("/")[2] for g in run.frame["generator"]] == [
        "first.h5",
        "second.h5",
    ]
    again = pivotlab.sweep("ldlt", matrices={"first": A}, threads=1, out="runs/a", progress=False)
    assert len(again.frame) == 2
    stack = np.stack([A, 2 * A])
    assert pivotlab.sweep("ldlt", matrices=stack, out="runs/e", progress=False).status == {"passed": 2}
    with pytest.raises(pivotlab.InputError, match=r"^matrices: matrix 1: .*NaN"):
        pivotlab.sweep("ldlt", matrices=[A, np.nan * A], out="runs/f", progress=False)
    for name in ("a/b", "a\0b", "a" * 300, 1, None):
        with pytest.raises(pivotlab.InputError, match="cannot name a file"):
            pivotlab.sweep("eigh", matrices={name: np.eye(2)})
    with pytest.raises(pivotlab.InputError, match="there are none"):
        pivotlab.sweep("ldlt", matrices=[], out="runs/f", progress=False)
    one = pivotlab.sweep("eig", matrices=A.tolist(), threads=1, out="runs/b", progress=False)
    assert one.frame["n"].tolist() == [5]
    pairs = [(symmetric(4, k), symmetric(4, k + 9)) for k in range(2)]
    assert pivotlab.sweep("gsvd", matrices=pairs, threads=1, out="runs/c", progress=False).status == {"passed": 2}
    assert pivotlab.sweep(
        "hsvd", matrices=np.ones((3, 2)) + np.eye(3, 2), threads=1, out="runs/d", progress=False
    ).status


def test_a_function_makes_problems(here):
    run = pivotlab.sweep(
        "eigh",
        generator="study.py:spread;kappa={10,1e6}",
        n=[8, 12],
        seed=[1, 2],
        threads=1,
        out="runs/a",
        progress=False,
    )
    assert run.status == {"passed": 8}
    frame = run.frame
    assert set(frame["generator"]) == {"study.py:spread;kappa=10", "study.py:spread;kappa=1000000"}
    assert run.table(by=("kappa",), value="error").frame.shape[0] == 2 and set(frame["kappa"]) == {10, 1e6}
    assert pivotlab.sweep("gsvd", generator="study.py:pair", n=5, threads=1, out="runs/p", progress=False).status == {
        "passed": 1
    }
    assert pivotlab.sweep("ldlt", generator="study.py:spread", type="z", n=5, threads=1, out="runs/z", progress=False)

    def message(name, **options):
        failed = pivotlab.sweep("ldlt", generator=f"study.py:{name}", n=4, threads=1, out=f"runs/{name}", **options)
        assert failed.status == {"failed": 1}
        return failed.records[0]["message"]

    assert "study.py:raises: ValueError: no luck (study.py, line 11)" in message("raises")
    assert "has returned an array of shape (4, 5), must return (4, 4)" in message("wide")
    assert "has returned NaN or Inf" in message("empty")
    assert "study.py:lopsided" in message("lopsided") and "/tmp" not in message("lopsided")
    assert "has returned complex numbers, for type d" in message("imaginary")
    for name, told in (
        ("spred", "has no function 'spred'"),
        ("spread;kapa=1", "no argument 'kapa'"),
        ("x", "no function"),
    ):
        with pytest.raises(pivotlab.InputError, match=told):
            pivotlab.sweep("ldlt", generator=f"study.py:{name}", n=4, out="runs/none", progress=False)
    assert not (here / "runs/none").exists()
    (here / "study.py").write_text(FAMILY + "\n")
    with pytest.raises(pivotlab.InputError, match="has changed since its cases"):
        pivotlab.sweep("eigh", generator="study.py:spread;kappa=10", n=8, threads=1, out="runs/a", progress=False)


def test_functions_are_generators_in_python(here):
    spec = importlib.util.spec_from_file_location("study", here / "study.py")
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    run = pivotlab.sweep(
        "ldlt", generator=[study.spread, "random"], kappa=[2, 4], n=6, threads=1, out="runs/a", progress=False
    )
    assert set(run.frame["generator"]) == {"study.py:spread;kappa=2", "study.py:spread;kappa=4", "random"}


def test_a_collection_is_fetched_once(here, monkeypatch):
    site = here / "site" / "MM" / "HB"
    site.mkdir(parents=True)
    pivotlab.write_matrix("a.mtx", symmetric(6, 3))
    content = (here / "a.mtx").read_bytes()
    with tarfile.open(site / "little.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("little/little.mtx")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    monkeypatch.setenv("PIVOTLAB_SUITESPARSE", f"file://{here}/site")
    monkeypatch.setenv("PIVOTLAB_DATA", str(here / "data"))
    name = "suitesparse:HB/little"
    with pytest.raises(pivotlab.InputError, match="pivotlab data fetch suitesparse:HB/little. gets it, or put it at"):
        pivotlab.sweep("ldlt", generator=name, out="runs/a", progress=False)
    file = here / "data" / "suitesparse" / "HB" / "little.mtx.gz"
    fetched = command("data", "fetch", name)
    assert fetched.stdout == f"{file}\n" and file.exists()
    assert pivotlab.sweep("ldlt", generator=name, threads=1, out="runs/a", progress=False).status == {"passed": 1}
    listed = command("data", "list", "n<200,symmetric,real", "--format", "json").stdout
    assert "HB/lund_a" in listed and "west" not in listed and json.loads(listed)
