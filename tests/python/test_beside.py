# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps whose samples are taken in turn with those of another build."""

import csv
import io
import subprocess
import sys

import pytest

from test_workers import PROGRAM

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")

# A build whose times are half as long again.
SLOW = f"""#!{sys.executable}
import json, subprocess, sys
worker = subprocess.Popen([{str(PROGRAM)!r}, *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
for line in worker.stdout:
    what, content = next(iter(json.loads(line).items())) if line.startswith("{{") else ("", None)
    if what == "ready" and "old" in sys.argv[0]:
        del content["in_turns"]
    if what == "done":
        times = content["time"]["compute_s"]
        times["samples"] = [1.5 * s for s in times["samples"]]
    sys.stdout.write(json.dumps({{what: content}}) + "\\n" if what else line)
    sys.stdout.flush()
"""


def pivotlab(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True)


def sweep(folder, *options):
    fixed = ("--threads", "1", "--backend", "host", "--quiet", "-o", "run")
    return pivotlab(folder, "sweep", "ldlt", "-n", "20:60:10", *fixed, *options)


def program(folder, name, text):
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return f"./{name}"


def test_compare_judges_the_pairs_of_a_run(tmp_path):
    done = sweep(tmp_path, "--repeat", "30", "--beside", program(tmp_path, "slow", SLOW))
    assert done.returncode == 0, done.stderr
    compared = pivotlab(tmp_path, "compare", "run", "--format", "csv")
    assert compared.returncode == 0, compared.stderr
    ratios = {row["n"]: float(row["ratio"]) for row in csv.DictReader(io.StringIO(compared.stdout))}
    assert list(ratios) == ["20", "30", "40", "50", "60"]
    assert list(ratios.values()) == pytest.approx([1 / 1.5] * 5, rel=0.2)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("none", "", "--beside: starts no worker"),
        ("ends", "#!/bin/sh\necho hello; exit 3\n", "ended with exit status 3"),
        ("old", SLOW, "takes no samples in turn"),
    ],
)
def test_programs_that_cannot_take_turns_are_refused(name, text, reason, tmp_path):
    done = sweep(tmp_path, "--beside", program(tmp_path, name, text))
    assert done.returncode == 2 and reason in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "run").exists()


def test_a_file_that_is_not_there_is_refused(tmp_path):
    done = sweep(tmp_path, "--beside", "./nothing")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "./nothing: is not a program" in done.stderr


def test_a_run_alone_has_no_pairs(tmp_path):
    assert sweep(tmp_path, "--repeat", "1").returncode == 0
    done = pivotlab(tmp_path, "compare", "run")
    assert done.returncode == 2 and "no other build was measured beside it" in done.stderr, done.stderr
