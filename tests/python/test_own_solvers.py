# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of the user's in sweeps: judged as ours, and every fault is a record with a reason."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PIVOTLAB_PROGRAM", ROOT / "build/release/bin/pivotlab"))

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


STUDY = """
import os, signal, time
import numpy as np
def right(A, scale=1.0):
    return {"L": np.eye(len(A)), "D": np.diag(np.diag(A)), "perm": np.arange(len(A)), "own_scale": scale, "note": "a"}
def raises(A):
    one = 1
    raise RuntimeError("no pivot at stage 3")
def shape(A):
    return {"L": np.eye(3), "D": np.diag(A), "perm": np.arange(len(A))}
def nan(A):
    return np.full_like(A, np.nan), np.diag(np.diag(A)), np.arange(len(A))
def complex_(A):
    return np.eye(len(A)) * 1j, np.diag(np.diag(A)), np.arange(len(A))
def missing(A):
    return np.eye(len(A))
def text(A):
    return {"L": "x"}
def writes(A):
    A[0, 0] = 1
def crashes(A):
    print("before the crash")
    os.kill(os.getpid(), signal.SIGSEGV)
def leaves(A):
    raise SystemExit(3)
def hogs(A):
    return np.ones((1 << 17, 1 << 13))
def hangs(A):
    while True:
        time.sleep(1)
def refuses(A):
    raise NotImplementedError("only complex matrices")
def wrong(A):
    return 2 * np.eye(len(A)), np.diag(np.diag(A)), np.arange(len(A))
def forks(A):
    if os.fork() == 0:
        signal.pause()
    os._exit(7)
def masked(A):
    return {**right(A), "L": np.ma.array(np.eye(len(A)), mask=np.eye(len(A)))}
def ragged(A):
    return [np.eye(len(A)), np.arange(len(A))]
def both(A):
    return {**right(A), "d": np.diag(A), "e": 0 * np.diag(A)}
calls = []
def once(A):
    calls.append(1)
    return {**right(A), "D": np.diag(np.diag(A)) * len(calls)}
class Prepared:
    def __init__(self, shift=0):
        self.shift = shift
    def prepare(self, A):
        self.A = A
    def run(self):
        return right(self.A)
"""

REASONS = {
    "raises": ("failed", "RuntimeError: no pivot at stage 3 (study.py, line 8)"),
    "shape": ("failed", "L has the shape (3, 3), must have (6, 6)"),
    "nan": ("incorrect", "L has NaN or Inf at row 1, column 1"),
    "complex_": ("failed", "L is complex, must be real"),
    "missing": ("failed", "the result has no perm"),
    "text": ("failed", "L is str of <U1, must be an array of numbers"),
    "writes": ("failed", "ValueError: assignment destination is read-only (study.py, line 20)"),
    "crashes": ("failed", "the solver's process was ended by signal 11 (Segmentation fault): before the crash"),
    "leaves": ("failed", "SystemExit: 3 (study.py, line 25)"),
    "hogs": ("out_of_memory", "Unable to allocate"),
    "hangs": ("timeout", ""),
    "forks": ("failed", "the solver's process ended with exit status 7"),
    "refuses": ("not_supported", "only complex matrices"),
    "wrong": ("incorrect", "M is not unit lower triangular"),
    "masked": ("failed", "L is a masked array, whose mask would be lost; fill it with .filled(value)"),
    "ragged": ("failed", "L is list, must be an array of numbers"),
    "both": ("failed", "the result has D and d; give one of them"),
    "right": ("passed", ""),
    "Prepared": ("passed", ""),
}


@pytest.fixture
def study(tmp_path):
    (tmp_path / "study.py").write_text(STUDY)
    (tmp_path / "A.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n6 6 6\n"
        + "".join(f"{i} {i} {(-1) ** i * i}\n" for i in range(1, 7))
    )
    return tmp_path


def sweep(folder: Path, method: str, *options: str) -> subprocess.CompletedProcess:
    repeat = () if "--repeat" in options else ("--repeat", "1")
    command = [PROGRAM, "sweep", method, *options, *repeat, "--threads", "1", "-o", folder / "run"]
    environment = os.environ | {"PIVOTLAB_PYTHON": sys.executable}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def records(folder: Path) -> dict[str, dict]:
    lines = gzip.decompress((folder / "run" / "records.jsonl.gz").read_bytes()).decode().splitlines()
    return {record["case"]["solver"]: record for record in map(json.loads, lines)}


def processes_in(folder: Path) -> list[str]:
    """The processes that work in the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder:
                found.append(process.name)
        except OSError:
            continue
    return found


def test_every_fault_is_a_record_with_a_reason(study):
    names = ",".join(f"study.py:{name}" for name in REASONS)
    limits = ("--timeout", "6", "--memory", "2")
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", "--solver", names, *limits)
    assert done.returncode == 1, done.stderr
    found = records(study)
    for name, (status, reason) in REASONS.items():
        record = found[f"study.py:{name}"]
        assert (name, record["status"]) == (name, status)
        assert reason in record["message"]
    assert processes_in(study) == []
    own = found["study.py:raises"]["own"]
    assert own["function"] == "raises" and "Traceback" in own["traceback"] and own["versions"]["numpy"]
    assert found["study.py:crashes"]["own"]["output"] == "before the crash\n"
    assert found["study.py:right"]["metrics"]["max_growth"] == 1
    assert found["study.py:right"]["metrics"]["inertia"] == {"positive": 3, "negative": 3, "zero": 0}


def test_options_and_further_values_are_columns(study):
    columns = "solver,own.scale,own.note,status"
    options = ("-n", "6", "--generator", "file:A.mtx", "--solver", "study.py:right;scale={0.5,2}", "--columns", columns)
    done = sweep(study, "ldlt", *options, "--format", "csv")
    assert done.returncode == 0, done.stderr
    assert [line.split(",") for line in done.stdout.split()] == [
        ["solver", "own.scale", "own.note", "status"],
        ["study.py:right;scale=0.5", "0.5", "a", "passed"],
        ["study.py:right;scale=2", "2", "a", "passed"],
    ]


def test_own_columns_are_known_to_tables_and_plots(study):
    names = ("--solver", "study.py:right;scale={0.5,2}", "--baseline", "lapack:dsytrf_rook")
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", *names)
    assert done.returncode == 0, done.stderr

    def of_run(command: str, *options: str) -> str:
        done = subprocess.run([PROGRAM, command, "run", *options], cwd=study, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    csv = of_run("table", "--by", "own.note", "--value", "own.scale", "--format", "csv").splitlines()
    assert csv == ["own.note,own.scale", "a,1.25", ","]
    csv = of_run("table", "--where", "own.scale>1", "--by", "n", "--value", "own.scale", "--format", "csv").splitlines()
    assert csv == ["n,own.scale", "6,2.0"]
    of_run("plot", "--x", "own.scale", "--y", "error", "--facet", "own.note", "-o", "own.svg")
    assert "own.scale" in (study / "own.svg").read_text()


def test_a_matrix_without_elements_is_solved(study):
    done = sweep(study, "ldlt", "-n", "0", "--generator", "random", "--solver", "study.py:right")
    assert done.returncode == 0, done.stdout


def test_solvers_of_one_problem_take_turns(study):
    for name in "ab":
        turn = f'def f(A):\n    open("turns", "a").write("{name}")\n    return right(A)\n'
        (study / f"{name}.py").write_text(STUDY + turn)
    solvers = ("--solver", "a.py:f,b.py:f", "--repeat", "3")
    assert sweep(study, "ldlt", "--generator", "file:A.mtx", *solvers).returncode == 0
    assert (study / "turns").read_text() == "ababab"


def test_a_solver_of_the_users_may_be_the_reference(study):
    solvers = ("--solver", "study.py:right,study.py:Prepared", "--baseline", "lapack:dsytrf")
    columns = ("--reference", "study.py:right", "--columns", "solver,speedup", "--format", "csv")
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", *solvers, *columns)
    rows = dict(line.split(",") for line in done.stdout.split())
    assert done.returncode == 0 and float(rows["study.py:right"]) == 1 and float(rows["lapack:dsytrf"]) > 0


def test_a_changed_file_is_another_case(study):
    options = ("--generator", "file:A.mtx", "--solver", "study.py:right")
    assert sweep(study, "ldlt", *options).returncode == 0
    first = records(study)["study.py:right"]
    assert first["own"]["digest"] == first["case"]["solver_digest"]
    (study / "study.py").write_text(STUDY + "# changed\n")
    refused = sweep(study, "ldlt", *options)
    assert refused.returncode == 2 and "--fresh" in refused.stderr
    assert sweep(study, "ldlt", *options, "--fresh").returncode == 0
    assert records(study)["study.py:right"]["key"] != first["key"]


@pytest.mark.parametrize(
    ("solver", "reason"),
    [
        ("study.py:none", "--solver: study.py:none: has no function 'none'; it has right, raises"),
        ("study.py:right;alpha=1", "--solver: study.py:right: has no argument 'alpha'; its arguments are A, scale"),
        ("study.py:right;scale", "--solver: 'study.py:right;scale': option 'scale' has no value; write scale=VALUE"),
        ("other.py:f", "--solver: other.py: "),
        ("study.py:LDLT-BP", "--solver: 'study.py:LDLT-BP': 'LDLT-BP' is the name of a variant"),
        ("broken.py:f", "--solver: broken.py:f: SyntaxError"),
        ("cmd:./none {input} {output}", "--solver: cmd:./none {input} {output}: there is no program './none'"),
        ("cmd:true {input}", "--solver: 'cmd:true {input}': lacks {output}"),
    ],
)
def test_bad_input_is_one_line(study, solver, reason):
    (study / "broken.py").write_text("def f(A:\n")
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", "--solver", solver)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and reason in done.stderr, done.stderr
    assert not (study / "run").exists()


FACTORS = """
import h5py
import numpy as np
def given(*problem):
    with h5py.File("result.h5") as file:
        found = {name: np.array(one) for name, one in file.items() if isinstance(one, h5py.Dataset)}
    if "M" in found:
        D, rows = found.pop("D"), found.pop("permutation")
        return {"M": found["M"], "d": D[:, 0], "e": D[:, 1], "perm": rows}
    names = {} if "eigenvalues" in found else {"sigma_f": "alpha", "sigma_g": "beta"}
    wanted = ("sigma", "eigenvalues", "U", "V", "W", "Z", "J", *names)
    return {names.get(name, name): one for name, one in found.items() if name in wanted}
"""

SAME = {
    "gsvd": (["graded;g=4"], "DHZ0-(ME-FB-ME)", ["-o", "A.h5"], ("residual_f", "backward_g", "sigma_error")),
    "ldlt": (["kkt"], "lapack:dsytrf", ["-o", "A.mtx"], ("residual", "max_multiplier", "max_condition", "inertia")),
    "eig": (["random"], "ZEIG-(RR);b=16;finish", ["-o", "A.h5"], ("residual", "trace_error", "eigenvalue_error")),
    "eigh": (["graded;g=4"], "HEV-RK-ME-BO", ["-o", "A.h5"], ("residual", "orthogonality", "relative_error")),
    "hsvd": (["graded;g=4"], "HSVD-ME-BO", ["-o", "A.mtx"], ("residual", "j_orthogonality", "relative_error")),
    "ghsvd": (
        ["random", "--signs", "positive"],
        "GHSVD-TR-ME-BO",
        ["-o", "A.h5"],
        ("residual", "residual_f", "relative_error"),
    ),
}


@pytest.mark.parametrize("method", SAME)
def test_equal_factors_have_equal_metrics(method, tmp_path):
    generator, solver, output, metrics = SAME[method]
    (tmp_path / "study.py").write_text(FACTORS)

    def run(*words):
        done = subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr  # 1: the result is incorrect

    signs = generator[1:]
    run("generate", method, generator[0], "-n", "24", *output)
    option = "--baseline" if ":" in solver else "--solver" if method == "eig" else "--variant"
    run("solve", method, output[1], option, solver, "-o", "result.h5", "--threads", "1")
    done = sweep(tmp_path, method, "--generator", f"file:{output[1]}", *signs, "--solver", f"study.py:given,{solver}")
    assert done.returncode in (0, 1), done.stderr
    found = records(tmp_path)
    ours, theirs = found[solver], found["study.py:given"]
    assert theirs["status"] == ours["status"] == "passed"
    assert theirs["message"] == ours["message"]
    for name in metrics:
        assert theirs["metrics"][name] == ours["metrics"][name], name


BY_X = """
import h5py
def given(F, G):
    with h5py.File("result.h5") as file:
        return {name: file[name][()] for name in ("sigma", "U", "V", "X")}
"""


def test_x_stands_for_its_inverse(tmp_path):
    (tmp_path / "study.py").write_text(BY_X)
    for words in ("generate gsvd paper -n 12 -o A.h5", "solve gsvd A.h5 --x -o result.h5"):
        subprocess.run([PROGRAM, *words.split()], cwd=tmp_path, capture_output=True, check=True)
    assert sweep(tmp_path, "gsvd", "--generator", "file:A.h5", "--solver", "study.py:given").returncode == 0
    assert records(tmp_path)["study.py:given"]["metrics"]["backward_f"] < 1e-14


CUPY = """
import numpy as np
from types import SimpleNamespace
class ndarray(np.ndarray):
    def __array__(self, *words, **more):
        raise TypeError("implicit conversion to NumPy")
waited = []
def array(one, order):
    return np.array(one, order=order).view(ndarray)
def asnumpy(one):
    assert len(waited) > 1
    return one.view(np.ndarray)
cuda = SimpleNamespace(Device=lambda: SimpleNamespace(synchronize=lambda: waited.append(1)))
"""

BY_CUPY = """
import cupy
import numpy as np
def mine(A):
    assert isinstance(A, cupy.ndarray)
    values, U = np.linalg.eigh(A.view(np.ndarray))
    return {"eigenvalues": cupy.array(values, "F"), "U": cupy.array(U, "F"), "n_was": len(values)}
mine.pivotlab_arrays = "cupy"
def absent(A):
    return A
absent.pivotlab_arrays = "torch"
"""


def test_a_function_may_ask_for_arrays_of_another_library(tmp_path):
    (tmp_path / "cupy.py").write_text(CUPY)
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')")
    (tmp_path / "study.py").write_text(BY_CUPY)
    done = sweep(tmp_path, "eigh", "-n", "12", "--generator", "random", "--solver", "study.py:mine")
    assert done.returncode == 0, done.stdout + done.stderr
    assert records(tmp_path)["study.py:mine"]["own"]["values"] == {"n_was": 12}
    done = sweep(tmp_path, "eigh", "-n", "12", "--generator", "random", "--solver", "study.py:absent")
    assert done.returncode == 2 and done.stderr.endswith("ImportError: no torch here\n"), done.stderr


VALUES = """
import numpy as np
def gsvd(F, G):
    return np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(G.T @ G, F.T @ F))))
def eig(A):
    return np.linalg.eigvals(A)
def eigh(A):
    return np.linalg.eigvalsh(A)
def hsvd(G):
    return np.linalg.svd(G, compute_uv=False)
def ghsvd(F, G, J):
    return np.linalg.eigvals(np.linalg.solve(G.T @ G, F.T * J @ F)).real
"""


@pytest.mark.parametrize(
    ("method", "error", "missing", "status"),
    [
        ("gsvd", "sigma_error", "residual_f", "skipped"),
        ("eig", "trace_error", "residual", "skipped"),
        ("eigh", "relative_error", "residual", "passed"),
        ("hsvd", "relative_error", "residual", "skipped"),
        ("ghsvd", "relative_error", "residual", "skipped"),
    ],
)
def test_what_is_not_given_is_not_judged(method, error, missing, status, tmp_path):
    (tmp_path / "study.py").write_text(VALUES)
    done = sweep(tmp_path, method, "-n", "12", "--generator", "random", "--solver", f"study.py:{method}")
    record = records(tmp_path)[f"study.py:{method}"]
    assert record["status"] == status, record["message"] + done.stderr
    assert record["metrics"][error] < 1e-10 and record["metrics"][missing] is None
    assert status == "passed" or record["message"].startswith("not judged: the result has no ")


COMMAND = """
import sys
import numpy as np
source, target = sys.argv[1:3]
scale = [word.partition("=")[2] for word in sys.argv[3:] if word.startswith("--scale=")]
n = int(open(source + "/shapes.txt").read().split()[2])
A = np.load(source + "/A.npy")
np.save(target + "/eigenvalues.npy", np.linalg.eigh(A)[0])
np.save(target + "/U.npy", np.linalg.eigh(A)[1])
print("pivotlab-seconds: 0.03125")
print("pivotlab-scale:", scale[0])
if n == 3:
    sys.exit("n is 3")
"""


def test_a_command_is_judged_by_its_files(tmp_path):
    (tmp_path / "mine.py").write_text(COMMAND)
    solver = f"cmd:{sys.executable} mine.py {{input}} {{output}};scale={{1,2}}"
    done = sweep(
        tmp_path, "eigh", "-n", "3,8", "--solver", solver, "--columns", "n,own.scale,status", "--format", "csv"
    )
    assert done.returncode == 1
    assert done.stdout.split() == ["n,own.scale,status", "3,1,failed", "3,2,failed", "8,1,passed", "8,2,passed"]
    lines = gzip.decompress((tmp_path / "run" / "records.jsonl.gz").read_bytes()).decode().splitlines()
    found = [json.loads(line) for line in lines]
    assert found[0]["message"] == "the solver's process ended with exit status 1: n is 3"
    assert found[2]["time"]["compute_s"]["median"] == 0.03125 < found[2]["time"]["wall_s"]["median"] + 1
    assert found[2]["own"]["values"] == {"scale": 1}


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_program_in_c(tmp_path):
    subprocess.run(["cc", "-O1", "-o", tmp_path / "mine", ROOT / "examples" / "own_command.c"], check=True)
    solvers = ("--solver", "cmd:./mine {input} {output};format=raw", "--baseline", "lapack:dsytrf")
    done = sweep(tmp_path, "ldlt", "-n", "20", "--generator", "spectrum;kappa=100", *solvers)
    assert done.returncode == 0, done.stdout + done.stderr
    own = records(tmp_path)["cmd:./mine {input} {output};format=raw"]
    assert own["metrics"]["residual"] < 1e-14 and own["metrics"]["pivots_1x1"] == 20


FORMATS = {
    "npy": ("A = np.load(file)", "np.save(file, x)"),
    "mtx": ("A = scipy.io.mmread(file)", "scipy.io.mmwrite(file, x.reshape(len(x), -1))"),
    "h5": ("A = h5py.File(file)['A'][()]", "h5py.File(file, 'w')['x'] = x.reshape(len(x), -1)"),
    "bin": ("A = np.fromfile(file).reshape(7, 7, order='F')", "x.ravel(order='F').tofile(file)"),
}


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_is_read_and_written(extension, tmp_path):
    read, write = FORMATS[extension]
    (tmp_path / "mine.py").write_text(f"""
import sys, h5py, scipy.io
import numpy as np
file = sys.argv[1] + "/A.{extension}"
{read}
for name, x in zip(("eigenvalues", "V"), np.linalg.eig(A)):
    x = x.astype(complex)
    file = sys.argv[2] + f"/{{name}}.{extension}"
    {write}
""")
    form = "raw" if extension == "bin" else extension
    solver = f"cmd:{sys.executable} mine.py {{input}} {{output}};format={form}"
    done = sweep(tmp_path, "eig", "-n", "7", "--type", "d", "--generator", "random", "--solver", solver)
    assert done.returncode == 0, done.stdout + done.stderr
