# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of shared libraries (pivotlab/plugin.h) and other versions of pivotlab in sweeps."""

import ctypes
import re
import shutil
import subprocess
import sys

import pytest

from test_own_solvers import PROGRAM, ROOT, SAME, records, study, sweep  # noqa: F401 (a fixture)

sys.path.insert(0, str(ROOT / "analysis"))
import own_plugin

pytestmark = [
    pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler"),
]
INCLUDE = ROOT / "include"


def compile_c(source: str, target, *options: str) -> None:
    command = ["cc", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-pedantic", f"-I{INCLUDE}"]
    subprocess.run([*command, *options, "-xc", "-", "-o", target], input=source, text=True, check=True)


def test_structs_of_python_are_those_of_the_header(tmp_path):
    named = {
        "pivotlab_plugin_solver": own_plugin.PluginSolver,
        "pivotlab_plugin_info": own_plugin.PluginInfo,
        "pivotlab_matrix": own_plugin.Matrix,
        "pivotlab_outcome": own_plugin.Outcome,
    }
    for make in (own_plugin.problem_struct, own_plugin.result_struct):
        named |= {(struct := make(method)).__name__: struct for method in own_plugin.PROBLEMS}
    expressions, expected = ["PIVOTLAB_PLUGIN_ABI"], [own_plugin.ABI]
    for name, struct in named.items():
        expressions.append(f"sizeof({name})")
        expected.append(ctypes.sizeof(struct))
        for field, _ in struct._fields_:
            expressions += [f"offsetof({name}, {field})", f"sizeof((({name}*)0)->{field})"]
            expected += [getattr(struct, field).offset, getattr(struct, field).size]
    prints = "".join(f'printf("%zu ", (size_t)({one}));' for one in expressions)
    includes = "#include <stddef.h>\n#include <stdio.h>\n#include <pivotlab/plugin.h>\n"
    compile_c(includes + f"int main(void) {{ {prints} return 0; }}", tmp_path / "layout")
    found = subprocess.run([tmp_path / "layout"], capture_output=True, text=True, check=True).stdout.split()
    assert dict(zip(expressions, map(int, found), strict=True)) == dict(zip(expressions, expected, strict=True))
    assert set(re.findall(r"^\} (\w+);", (INCLUDE / "pivotlab" / "plugin.h").read_text(), re.MULTILINE)) == set(named)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no CMake")
def test_the_template_is_built_and_swept(tmp_path):
    build = tmp_path / "build"
    for words in (["-S", ROOT / "examples" / "plugin", "-B", build], ["--build", build]):
        subprocess.run(["cmake", *words], check=True, capture_output=True)
    solvers = ("--solver", "build/libmine.so:diagonal;largest={0,1}", "--type", "d,z")
    done = sweep(tmp_path, "ldlt", "-n", "20", "--generator", "spectrum;kappa=100", *solvers)
    assert done.returncode == 0, done.stdout + done.stderr
    found = records(tmp_path)
    assert found["build/libmine.so:diagonal;largest=0"]["own"]["values"] == {"swaps": 0}
    own = found["build/libmine.so:diagonal;largest=1"]["own"]
    assert own["kind"] == "library" and own["versions"] == {"mine": "1.0", "abi": 1} and own["values"]["swaps"] > 0
    if shutil.which("gfortran"):
        options = ("-n", "20", "--generator", "random", "--solver", "build/libmine.so:jacobi", "--fresh")
        done = sweep(tmp_path, "eigh", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        assert records(tmp_path)["build/libmine.so:jacobi"]["metrics"]["relative_error"] < 1e-13


FAULTY = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pivotlab/plugin.h>
#ifndef NUMBER
#define NUMBER PIVOTLAB_PLUGIN_ABI
#endif
static const char* const names[] = {"right", "crashes", "aborts", "hangs", "nan", "silent", "refuses", "fails",
                                    "odd", "writes", "hogs", "boasts"};
static pivotlab_plugin_solver solvers[13] = {{"eig", "absent", "dz", "host", ""}};
static pivotlab_plugin_info info = {NUMBER, "faulty", "2.5", 13, solvers};
const pivotlab_plugin_info* pivotlab_plugin(void) {
  for (int k = 0; k < 12; ++k)
    solvers[k + 1] = (pivotlab_plugin_solver){"ldlt", names[k], strcmp(names[k], "odd") ? "d" : "z", "host", "alpha=1"};
  return &info;
}
int pivotlab_solve_ldlt(const char* solver, const char* options, const pivotlab_ldlt_problem* problem,
                        pivotlab_ldlt_result* result) {
  int64_t n = problem->A.rows;
  double *A = problem->A.data, *L = result->L.data, *d = result->d, *e = result->e;
  if (strcmp(solver, "crashes") == 0) A = (double*)16;
  if (strcmp(solver, "aborts") == 0) fputs("before the end\\n", stderr), abort();
  while (strcmp(solver, "hangs") == 0) continue;
  if (strcmp(solver, "silent") == 0) return PIVOTLAB_SOLVED;
  if (strcmp(solver, "hogs") == 0) {
    char* memory = malloc((size_t)3 << 30);
    if (memory == NULL) return strcpy(result->outcome.message, "no memory"), PIVOTLAB_FAILED;
    free(memory);
  }
  if (strcmp(solver, "refuses") == 0) return strcpy(result->outcome.message, "only even n"), PIVOTLAB_NOT_SUPPORTED;
  if (strcmp(solver, "fails") == 0) return 7;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) L[i + j * result->L.ld] = i == j;
    d[j] = A[j + j * problem->A.ld], e[j] = 0, result->perm[j] = j;
  }
  result->inertia = NULL;
  result->outcome.seconds = strcmp(solver, "boasts") ? 0x1p-20 : 0.25;
  snprintf(result->outcome.values, result->outcome.values_size, "given=%s;half=0.5", options + 6);
  if (strcmp(solver, "nan") == 0) L[2] = NAN;
  if (strcmp(solver, "writes") == 0) A[0] = 5;
  return PIVOTLAB_SOLVED;
}
"""

REASONS = {
    "right;alpha=0.5": ("passed", ""),
    "crashes": ("failed", "the solver's process was ended by signal 11 (Segmentation fault)"),
    "aborts": ("failed", "the solver's process was ended by signal 6 (Aborted): before the end"),
    "hangs": ("timeout", ""),
    "nan": ("incorrect", "L has NaN or Inf at row 3, column 1"),
    "silent": ("incorrect", "L has NaN or Inf at row 1, column 1"),
    "refuses": ("not_supported", "only even n"),
    "fails": ("failed", "returned the status 7"),
    "odd": ("not_supported", "odd takes no real matrices"),
    "writes": ("failed", "has written into A, which is read-only"),
    "hogs": ("failed", "no memory"),
    "boasts": ("failed", "states 0.25 s for a call of "),
}


def test_every_fault_of_a_library_is_a_record_with_a_reason(study):  # noqa: F811
    compile_c(FAULTY, study / "libfaulty.so", "-shared", "-fPIC")
    names = ",".join(f"libfaulty.so:{name}" for name in REASONS)
    limits = ("--timeout", "2", "--memory", "2")
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", "--solver", names, *limits)
    assert done.returncode == 1, done.stderr
    found = records(study)
    for name, (status, reason) in REASONS.items():
        record = found[f"libfaulty.so:{name}"]
        assert (name, record["status"]) == (name, status)
        assert reason in record["message"]
    right = found["libfaulty.so:right;alpha=0.5"]
    assert right["time"]["compute_s"]["median"] == 2**-20 and right["own"]["values"] == {"given": 0.5, "half": 0.5}
    assert right["own"]["versions"] == {"faulty": "2.5", "abi": 1}


@pytest.mark.parametrize(
    ("method", "solver", "reason"),
    [
        (
            "ldlt",
            "libold.so:right",
            "libold.so:right: has the number 99 of pivotlab/plugin.h; this version of pivotlab",
        ),
        ("ldlt", "libfaulty.so:none", "has no solver 'none' for ldlt; it has right, crashes, "),
        ("ldlt", "libfaulty.so:right;beta=1", "has no option 'beta'; its options are alpha"),
        ("eig", "libfaulty.so:absent", "libfaulty.so:absent: exports no function pivotlab_solve_eig"),
        ("ldlt", "libempty.so:right", "libempty.so:right: exports no function pivotlab_plugin"),
        ("ldlt", "libtext.so:right", "libtext.so:right: cannot be loaded: "),
        ("ldlt", "libnone.so:right", "libnone.so: "),
        ("ldlt", "libfaulty.so:LDLT-BP", "'LDLT-BP' is the name of a variant"),
        ("ldlt", "pivotlab@.:LDLT-BP", "pivotlab@.: has no Python package of pivotlab"),
        ("ldlt", "pivotlab@.", "names no function; write pivotlab@DIR:NAME"),
    ],
)
def test_bad_libraries_are_refused_in_one_line(study, method, solver, reason):  # noqa: F811
    if "faulty" in solver:
        compile_c(FAULTY, study / "libfaulty.so", "-shared", "-fPIC")
    compile_c(FAULTY, study / "libold.so", "-shared", "-fPIC", "-DNUMBER=99")
    compile_c("int nothing;", study / "libempty.so", "-shared", "-fPIC")
    (study / "libtext.so").write_text("no library\n")
    done = sweep(study, method, "--generator", "file:A.mtx", "--solver", solver)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and reason in done.stderr, done.stderr
    assert not (study / "run").exists()


BUILD = PROGRAM.parents[1]
VARIANTS = {"gsvd": "DGT-(L)", "ldlt": "LDLT-RK;alpha=0.5", "hsvd": "HSVD-ME-BO", "eigh": "lapack:dsyevd"}


@pytest.mark.skipif(not list(BUILD.glob("python/pivotlab/_core.*.so")), reason="the build has no Python package")
@pytest.mark.parametrize("method", VARIANTS)
def test_another_version_gives_what_this_one_gives(method, tmp_path):
    (tmp_path / "old").symlink_to(BUILD)
    ours = VARIANTS[method]
    theirs = f"pivotlab@old:{ours}"
    done = sweep(tmp_path, method, "-n", "20", "--generator", "random", "--solver", f"{theirs},{ours}")
    assert done.returncode == 0, done.stdout + done.stderr
    found = records(tmp_path)
    for metric in SAME[method][3]:
        assert found[theirs]["metrics"][metric] == found[ours]["metrics"][metric], metric
    own = found[theirs]["own"]
    assert own["kind"] == "pivotlab" and own["source"] == "old" and own["function"] == ours
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    assert re.search(rf"^commit +{own['commit']}{'$' if own['clean'] else ','}", said, re.MULTILINE)
    assert own["versions"]["pivotlab"] in said


@pytest.mark.skipif(not list(BUILD.glob("python/pivotlab/_core.*.so")), reason="the build has no Python package")
def test_a_variant_that_a_version_does_not_know_is_refused(study):  # noqa: F811
    done = sweep(study, "ldlt", "--generator", "file:A.mtx", "--solver", f"pivotlab@{BUILD}:LDLT-XX")
    assert done.returncode == 2 and "no such variant; nearest: LDLT-BP" in done.stderr, done.stderr
