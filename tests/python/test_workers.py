# SPDX-License-Identifier: BSD-3-Clause
"""Runs with several workers: those that are killed cost nothing but time."""

import gzip
import json
import os
import random
import signal
import subprocess
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PIVOTLAB_PROGRAM", ROOT / "build/release/bin/pivotlab"))
CASES = int(os.environ.get("PIVOTLAB_STRESS_CASES", "400"))

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


def sweep(folder: Path, *options: str) -> list[str]:
    return [
        *(str(PROGRAM), "sweep", "ldlt", "-n", "2", "--seed", f"1:{CASES}", "--threads", "1", "--repeat", "1"),
        *("--backend", "host", "--format", "csv", "--quiet", "-o", str(folder), *options),
    ]


def workers(parent: int) -> list[int]:
    """Returns the processes below `parent` that are workers, not what they forked."""
    below, found = {parent}, []
    for process in sorted(int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()):
        try:
            above = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except (OSError, IndexError):
            continue
        if above not in below:
            continue
        below.add(process)
        is_worker = words[0].endswith(b"pivotlab") and words[1:2] == [b"work"]
        if is_worker and above not in found:
            found.append(process)
    return found


def finish(command: list[str], folder: Path, kill_every_s: float) -> tuple[subprocess.CompletedProcess, int]:
    """Runs the command and kills random workers meanwhile; returns its end and how many were killed."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killed, done, chance = 0, threading.Event(), random.Random(20261124)

    def kill_some():
        nonlocal killed
        while not done.wait(kill_every_s * chance.uniform(0.5, 1.5)):
            if alive := workers(process.pid):
                os.kill(chance.choice(alive), signal.SIGKILL)
                killed += 1

    killer = threading.Thread(target=kill_some)
    killer.start()
    try:
        output, errors = process.communicate(timeout=3600)
    finally:
        done.set()
        killer.join()
    return subprocess.CompletedProcess(command, process.returncode, output, errors), killed


def check_complete(folder: Path, printed: str):
    with gzip.open(folder / "records.jsonl.gz") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == CASES
    assert {record["status"] for record in records} == {"passed"}
    assert len({record["key"] for record in records}) == CASES
    lines = printed.splitlines()[1:]
    assert len(lines) == CASES, "a case ran twice, or not at all"


@pytest.mark.parametrize("command", [(), ("--worker", "env")])
def test_killed_workers_are_replaced_and_no_case_is_lost(tmp_path, command):
    end, killed = finish(sweep(tmp_path / "a", "--jobs", "4", *command), tmp_path, 0.25)
    assert end.returncode == 0, end.stderr
    assert killed >= 1
    check_complete(tmp_path / "a", end.stdout)


def test_shards_finish_a_plan_together(tmp_path):
    shards = [
        subprocess.Popen(sweep(tmp_path / "a", "--shard", f"{k}/3"), stdout=subprocess.PIPE, text=True)
        for k in (1, 2, 3)
    ]
    printed = [shard.communicate()[0].splitlines() for shard in shards]
    assert [shard.returncode for shard in shards] == [0, 0, 0]
    check_complete(tmp_path / "a", "\n".join([printed[0][0], *(line for lines in printed for line in lines[1:])]))
    status = subprocess.run([PROGRAM, "status", tmp_path / "a"], capture_output=True, text=True)
    assert status.returncode == 0
    assert f"{CASES} passed, 0 running, 0 missing" in status.stdout
