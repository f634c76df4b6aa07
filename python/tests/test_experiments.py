# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps by the command, and runs as data frames, tables and figures."""

import importlib.util
import io
import linecache
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pivotlab

TOY = Path(os.environ.get("PIVOTLAB_TOY", Path(__file__).resolve().parents[2] / "build/release/tests/toy/toy"))

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "mine"
    return pivotlab.sweep(
        "gsvd", n=[16, 24], variant="0:1", baseline="lapack:dggsvd3", out=folder, progress=False, threads=1
    )


def test_a_sweep_has_one_row_per_case(run):
    frame = run.frame
    assert len(frame) == 6 and set(frame["n"]) == {16, 24}
    assert run.status == {"passed": 6} and "6 passed" in repr(run)
    assert {"solver", "compute_s", "residual_f", "commit", "cpu", "flags"} <= set(frame.columns) | {"flags"}
    assert frame.attrs["units"]["compute_s"] == "s"
    assert not frame.isna().all().any()
    assert "Frobenius" not in run.columns.loc["residual_f", "definition"] and run.columns.loc["n", "heading"]
    assert run.names == ["mine"] and len(run.records) == 6


def test_a_sweep_has_batches(tmp_path):
    sizes = {"batch": [1, 5], "n": 6, "solver": "HEV-RK-ME-PT", "backend": "host"}
    run = pivotlab.sweep("eigh", out=tmp_path / "batches", progress=False, **sizes)
    single, batch = run.frame.sort_values("batch", na_position="first").to_dict("records")
    assert np.isnan(single["batch"]) and batch["batch"] == 5
    assert batch["problem_s"] == batch["compute_s"] / 5 and batch["batch_different"] == 0
    with pytest.raises(pivotlab.InputError, match="batches"):
        pivotlab.sweep("eigh", batch=5, n=6, solver="HEV-RK-ME-BO", backend="host", progress=False)


def test_samples_have_one_row_per_solution(run):
    samples = run.samples
    assert len(samples) >= 6 and {"key", "compute_s", "wall_s", "sample"} <= set(samples.columns)
    medians = samples.groupby("key")["compute_s"].median()
    frame = run.frame.set_index("key")["compute_s"]
    np.testing.assert_allclose(frame.loc[medians.index], medians)


def test_tables_and_figures(run, tmp_path):
    (table,) = run.tables()
    assert "DHZ0" in str(table) and len(table.frame) == 6
    assert "<table" in table._repr_html_() and "<table" in run._repr_html_()
    assert table.to("latex").count("\\\\") > 6
    with pytest.raises(pivotlab.InputError, match="markdown"):
        table.to("word")
    figures = run.figures()
    assert [figure.name for figure in figures] == ["time", "rate", "error", "speed-up"]
    assert "<svg" in figures[0]._repr_svg_()
    assert [path.name for path in figures[0].save(tmp_path, ["png"])] == ["time.png"]
    run.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 10000


def test_figures_leave_the_users_backend_alone():
    import matplotlib

    before = matplotlib.get_backend()
    import pivotlab_analysis.plots  # noqa: F401

    assert matplotlib.get_backend() == before


def test_a_second_sweep_continues(run, monkeypatch):
    folder = run.folders[0]
    packed = folder / "records.jsonl.gz"
    before = packed.stat().st_mtime_ns
    again = pivotlab.sweep("gsvd", n=[16, 24], variant="0:1", baseline="lapack:dggsvd3", out=folder, threads=1)
    assert len(again.frame) == 6 and packed.stat().st_mtime_ns == before
    with pytest.raises(pivotlab.InputError, match='method was "gsvd"'):
        pivotlab.sweep("ldlt", n=32, out=folder, progress=False)


def test_a_run_grows(tmp_path):
    first = pivotlab.sweep("ldlt", n=[8, 12], pivot="RK", threads=1, out=tmp_path / "a", progress=False)
    more = first.extend(n=16, progress=False).extend(baseline="lapack:dsytrf", progress=False)
    assert sorted(zip(more.frame["n"], more.frame["solver"], strict=True)) == [
        (n, solver) for n in (8, 12, 16) for solver in ("LDLT-RK", "lapack:dsytrf")
    ]
    before = first.frame.set_index("key")["started"]
    assert (more.frame.set_index("key")["started"].loc[before.index] == before).all()
    longer = more.extend(repeat=7, progress=False)
    assert set(
        longer.frame["samples"].map(len) if longer.frame["samples"].dtype == object else longer.frame["samples"]
    ) == {7}
    pivotlab.sweep("ldlt", n=20, threads=1, out=tmp_path / "b", progress=False)
    both = pivotlab.records(tmp_path / "a", tmp_path / "b")
    assert len(both) == 7 and set(both["run"]) == {"a", "b"} and both["machine"].nunique() == 1
    with pytest.raises(pivotlab.InputError, match="2 runs"):
        pivotlab.load_runs(tmp_path).extend(n=3)


def test_runs_are_a_sequence(run):
    both = pivotlab.load_runs(run.folders[0].parent)
    assert len(both) == 1 and both["mine"].names == both[0].names == next(iter(both)).names
    with pytest.raises(KeyError, match="mine"):
        both["yours"]
    with pytest.raises(pivotlab.InputError, match="no such folder"):
        pivotlab.load_runs(run.folders[0] / "none")


def test_values_become_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = pivotlab.sweep("ldlt", n=10, pivot=["BP", "RK"], generator=["random", "kkt"], type=["d"], progress=False)
    assert len(run.frame) == 4 and run.folders[0].parent.name == "runs"
    run = pivotlab.sweep("gsvd", n="8:16:8", sort=[True, False], progress=False)
    assert sorted(run.frame["sorting"]) == [False, False, True, True]


@pytest.mark.parametrize(
    "axes, words", [({"nn": 3}, "--nn"), ({"n": "x"}, "x"), ({"n": 8, "baseline": "lapack:dgsvd"}, "dggsvd3")]
)
def test_a_wrong_axis_is_an_input_error(tmp_path, monkeypatch, axes, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pivotlab.InputError, match=words) as raised:
        pivotlab.sweep("gsvd", progress=False, **axes)
    assert "\n" not in str(raised.value)


def test_empty_lists_are_refused_but_for_baselines(tmp_path):
    for axes in ({"n": []}, {"n": 3, "alpha": []}, {"n": 3, "solver": []}, {"n": 3, "generator": ()}):
        with pytest.raises(pivotlab.InputError, match=": is an empty list; give values, or leave it out$"):
            pivotlab.sweep("ldlt", out=tmp_path / "run", progress=False, **axes)
    assert len(pivotlab.sweep("ldlt", n=3, baseline=[], out=tmp_path / "run", progress=False).frame) == 1


def test_failures_can_be_raised(tmp_path):
    axes = dict(n=30, timeout=1e-9, out=tmp_path / "t", progress=False)
    assert pivotlab.sweep("eig", **axes).status == {"timeout": 1}
    with pytest.raises(pivotlab.StatusError, match="timeout: ZEIG.*took longer") as raised:
        pivotlab.sweep("eig", check=True, fresh=True, **axes)
    assert len(raised.value.result.frame) == 1


def test_the_progress_bar_counts_cases(tmp_path, monkeypatch):
    pytest.importorskip("tqdm")
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    pivotlab.sweep("gsvd", n=[8, 10], out=tmp_path / "bar")
    assert "2/2" in shown.getvalue()


@pytest.mark.skipif(not TOY.exists(), reason="the program toy is not built")
def test_a_program_with_methods_of_its_own_is_swept(tmp_path):
    code = """
import pivotlab
run = pivotlab.sweep("power", n=[4, 8], start=["O", "F"], out="run", progress=False)
assert run.status == {"passed": 4}
assert list(run.frame["n"]) == [4, 4, 8, 8] and (run.frame["error"] < 1e-8).all()
assert any("lambda err" in str(table) for table in run.tables())
"""
    variables = os.environ | {"PIVOTLAB_PROGRAM": str(TOY)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_is_part_of_the_package():
    assert pivotlab.program().is_file()
    assert pivotlab._program.run("--version").strip()


STUDY = """
import numpy as np
import pivotlab


@pivotlab.solver("eigh", name="shifted")
def mine(A, shift=0.0):
    values, U = np.linalg.eigh(A + shift * np.eye(len(A)))
    return {"eigenvalues": values - shift, "U": U, "shift_was": shift}


def plain(A):
    return np.linalg.eigvalsh(A)
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    import importlib

    (tmp_path / "own_study.py").write_text(STUDY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_study", raising=False)
    return importlib.import_module("own_study")


def test_functions_are_solvers(study, tmp_path):
    solvers = [study.mine, study.plain, "lapack:dsyevd"]
    run = pivotlab.sweep("eigh", n=12, solver=solvers, shift=[0.5, 2], out=tmp_path / "run", progress=False, threads=1)
    frame = run.frame
    assert run.status == {"passed": 4}
    names = [name.rpartition("/")[2] for name in frame["solver"]]
    assert names == [
        "own_study.py:plain",
        "own_study.py:shifted;shift=0.5",
        "own_study.py:shifted;shift=2",
        "lapack:dsyevd",
    ]
    assert list(frame["own.shift"].dropna()) == list(frame["own.shift_was"].dropna()) == [0.5, 2]
    assert (frame["relative_error"] < 1e-9).all()


CLOUDPICKLE = """
import marshal, pickle, types
def made(code, name):
    return types.FunctionType(marshal.loads(code), {}, name)
class Packed:
    def __init__(self, function):
        self.function = function
    def __reduce__(self):
        return made, (marshal.dumps(self.function.__code__), self.function.__name__)
def dumps(function):
    return pickle.dumps(Packed(function))
"""


def test_a_function_of_a_notebook_is_a_solver(tmp_path, monkeypatch):
    if importlib.util.find_spec("cloudpickle") is None:  # what is used of it
        (tmp_path / "cloudpickle.py").write_text(CLOUDPICKLE)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.delitem(sys.modules, "cloudpickle", raising=False)
    monkeypatch.chdir(tmp_path)
    text = "def typed(A):\n    import numpy as np\n    return np.linalg.eigvalsh(A)\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(keepends=True), "<cell 1>")
    cell = {"__name__": "__main__"}
    exec(compile(text, "<cell 1>", "exec"), cell)
    run = pivotlab.sweep("eigh", n=12, solver=cell["typed"], progress=False, threads=1)
    assert run.status == {"passed": 1}
    assert list(run.frame["solver"]) == ["notebook_solvers/notebook_typed.py:typed"]
    assert run.records[0]["own"]["text"] == text


UNGUARDED = """
import numpy as np
import pivotlab

def mine(A):
    return np.linalg.eigh(A)

try:
    pivotlab.sweep("eigh", n=4, solver=mine, out="run", progress=False)
except pivotlab.InputError as error:
    print(error)
    raise
"""


def test_a_script_that_sweeps_its_own_function_needs_a_guard(tmp_path):
    (tmp_path / "study.py").write_text(UNGUARDED)
    done = subprocess.run([sys.executable, "study.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "study.py: starts a run while a function is loaded from it" in done.stdout
    (tmp_path / "study.py").write_text(UNGUARDED.replace("try:", "if __name__ == '__main__':").partition("except")[0])
    subprocess.run([sys.executable, "study.py"], cwd=tmp_path, check=True)
    assert pivotlab.load_runs(tmp_path / "run").status == {"passed": 1}


def test_a_function_of_a_package_is_a_solver(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = pivotlab.sweep("eigh", n=4, solver=np.linalg.eigh, out="run", progress=False)
    assert run.status == {"passed": 1}
    assert list(run.frame["solver"]) == ["notebook_solvers/notebook_eigh.py:eigh"]


def test_functions_that_cannot_be_solvers_are_refused(study, monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)  # as if it were not installed
    with pytest.raises(pivotlab.InputError, match="marked as a solver of eigh, not of ldlt"):
        pivotlab.sweep("ldlt", n=12, solver=study.mine, progress=False)
    with pytest.raises(pivotlab.InputError, match="is not a function of a file"):
        pivotlab.sweep("eigh", n=12, solver=eval("lambda A: A"), progress=False)
    with pytest.raises(pivotlab.InputError, match="cannot name a solver"):
        pivotlab.solver("ldlt", name="LDLT-BP")


def test_pictures_and_tables_are_of_one_set_of_cases(run, tmp_path):
    picture = pivotlab.plot([run.folders[0]], y="error", width="column")
    assert picture.get_figwidth() == pytest.approx(86 / 25.4)
    assert len(run.plot("profile", y="error").axes[0].get_lines()) == 3
    assert run.table(by="n", value="error").frame.shape == (2, 2)
    with pytest.raises(pivotlab.InputError, match="nearest: profile"):
        run.plot("profil")
    with pytest.raises(pivotlab.InputError, match="one of column, page is expected"):
        run.plot(width="wide")


def test_a_strategy_of_ones_own_is_checked(tmp_path):
    (tmp_path / "mine.txt").write_text("0 3 1 2\n1 3 0 2\n2 3 0 1\n")
    assert pivotlab.plot_strategy(tmp_path / "mine.txt").get_suptitle() == "mine, order 4: 3 steps, cyclic"
    (tmp_path / "mine.txt").write_text("0 3 1 2\n")
    with pytest.raises(pivotlab.InputError, match="pair 0 1 of order 4 is missing"):
        pivotlab.plot_strategy(tmp_path / "mine.txt")
    with pytest.raises(pivotlab.InputError, match="not an even number of columns"):
        pivotlab.plot_strategy("ME", 7)
