# SPDX-License-Identifier: BSD-3-Clause
"""Workers and shards under a real Slurm: slurm_test.py PROGRAM. Exit code 77: skipped, with the reason."""

import contextlib
import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = sys.argv[1]
DAEMONS = ("slurmctld", "slurmd", "munged")
CASES = 40


def skip(reason: str):
    print(f"skipped: {reason}")
    sys.exit(77)


def program(name: str) -> str | None:
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("localhost", 0))
        return [one.getsockname()[1] for one in sockets]


def run(*command: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=240, **options)


def answers(path: str) -> bool:
    """Returns whether a daemon listens at the socket."""
    with socket.socket(socket.AF_UNIX) as one:
        return one.connect_ex(path) == 0


class Slurm:
    """Daemons in a folder of their own; the context manager stops those that it has started."""

    def __init__(self, folder: Path):
        self.folder, self.munged = folder, False

    def __enter__(self):
        try:
            return self.start()
        except (OSError, LookupError, RuntimeError, subprocess.SubprocessError) as error:
            self.__exit__()
            skip(f"the daemons do not start: {error}")

    def start(self):
        text = (Path(__file__).parent / "slurm.conf.in").read_text().replace("@DIR@", str(self.folder))
        for k, port in enumerate(free_ports(3)):
            text = text.replace(f"@PORT{k}@", str(port))
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "state").mkdir()
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        Path("/run/munge").mkdir(exist_ok=True)
        shutil.chown("/run/munge", "munge", "munge")
        self.munged = not answers("/run/munge/munge.socket.2")
        if self.munged:
            run("runuser", "-u", "munge", "--", program("munged"))
        run(program("slurmctld"))
        for node in ("node1", "node2"):
            run(program("slurmd"), "-N", node)
        self.wait_for_nodes()
        return self

    def wait_for_nodes(self):
        for _ in range(120):
            states = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], capture_output=True, text=True).stdout.split()
            if states == ["idle", "idle"]:
                return
            time.sleep(0.5)
        raise RuntimeError(
            f"the nodes do not come up: {states}\n" + (self.folder / "slurmctld.log").read_text()[-2000:]
        )

    def __exit__(self, *_):
        files = [self.folder / f"{name}.pid" for name in ("node1", "node2", "slurmctld")]
        if self.munged:
            files.append(Path("/run/munge/munged.pid"))
        for file in files:
            with contextlib.suppress(OSError, ValueError):
                pid = int(file.read_text())
                os.kill(pid, signal.SIGTERM)
                for _ in range(100):  # it still writes into the folder
                    os.kill(pid, 0)
                    time.sleep(0.1)


def sweep(folder: Path, *options: str) -> list[str]:
    return [
        *(PROGRAM, "sweep", "ldlt", "-n", "2", "--seed", f"1:{CASES}", "--threads", "1", "--repeat", "1"),
        *("--backend", "host", "--quiet", "-o", str(folder), *options),
    ]


def check_complete(folder: Path) -> list[dict]:
    with gzip.open(folder / "records.jsonl.gz") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == CASES, len(records)
    assert all(record["status"] == "passed" for record in records)
    return records


def test_workers_on_two_nodes(folder: Path):
    run(*sweep(folder / "workers", "--jobs", "2", "--worker", "srun --exact -N1 -n1"))
    records = check_complete(folder / "workers")
    assert {record["provenance"]["workers"]["number"] for record in records} == {1, 2}


def test_lost_nodes_cost_no_case(folder: Path):
    command = sweep(folder / "lost", "--jobs", "2", "--worker", "srun --exact -N1 -n1")
    command.remove("--quiet")
    command[command.index("-n") + 1] = "150"  # for some seconds in all
    errors = folder / "lost.log"
    with errors.open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
    while process.poll() is None and f"/{CASES}] passed" not in errors.read_text():
        time.sleep(0.05)
    subprocess.run(["scancel", "--signal=KILL", "--user=root"], capture_output=True)
    lost = "was lost and is replaced"
    assert process.wait(timeout=240) == 0, errors.read_text()
    assert lost in errors.read_text()
    check_complete(folder / "lost")


def test_job_array_of_shards(folder: Path):
    command = " ".join(sweep(folder / "array", "--shard", "$SLURM_ARRAY_TASK_ID/3"))
    (folder / "array.sh").write_text(f"#!/bin/sh\n{command} >/dev/null\n")
    run("sbatch", "--wait", "--array=1-3", "-n1", f"--output={folder}/array-%a.log", str(folder / "array.sh"))
    check_complete(folder / "array")
    assert "FINISHED" in run(PROGRAM, "status", str(folder / "array")).stdout


def main():
    missing = [name for name in (*DAEMONS, "srun", "sbatch") if program(name) is None]
    if missing:
        skip(f"{', '.join(missing)} not installed; apt-get install slurmctld slurmd slurm-client munge")
    if os.geteuid() != 0:
        skip("only root can start the daemons")
    with tempfile.TemporaryDirectory(prefix="pivotlab-slurm-") as name, Slurm(Path(name)):
        for test in (test_workers_on_two_nodes, test_lost_nodes_cost_no_case, test_job_array_of_shards):
            start = time.monotonic()
            test(Path(name))
            print(f"{test.__name__}: {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
