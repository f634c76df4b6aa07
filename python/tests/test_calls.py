# SPDX-License-Identifier: BSD-3-Clause
"""Long and many calls: signals, threads, leaks."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pivotlab

signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts this in the background may have it ignored

RNG = np.random.default_rng(5)
A = RNG.standard_normal((900, 900))
S = np.abs(A[0])
LONG = {
    "gsvd": lambda: pivotlab.gsvd(A, A.T, variant="DHZ0-(ME-FB-ME)"),
    "tangent": lambda: [pivotlab.gsvd(A[:500, :500], A[400:, 400:]) for _ in range(99)],  # LAPACK is not interrupted
    "pair": lambda: [pivotlab.eigh(A + A.T, A @ A.T + np.eye(900)) for _ in range(9)],
    "ldlt": lambda: [pivotlab.ldlt(A + A.T, variant="LDLT-BP", threads=1) for _ in range(100)],
    "eig": lambda: pivotlab.eig(A),
    "eigh": lambda: pivotlab.eigh(A + A.T),
    "svd": lambda: pivotlab.svd(A),
    "certify": lambda: [pivotlab.ldlt(A + A.T).certify(A + A.T) for _ in range(30)],
    "judge": lambda: pivotlab.judge((A, A), pivotlab.Gsvd(A, A, A, S, S, S)),
    "generate": lambda: pivotlab.generate("eig", "random;truth=computed", n=300),
}


@pytest.mark.parametrize("name", LONG)
def test_a_signal_ends_a_long_call_within_a_second(name):
    sent = []

    def interrupt():
        sent.append((time.process_time(), time.monotonic()))
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.4, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        LONG[name]()
    # A second of this process's time: beside other processes that compute, threads of BLAS wait long for each other.
    assert time.process_time() - sent[0][0] < 1
    assert time.monotonic() - sent[0][1] < 60
    assert pivotlab.ldlt(np.eye(3)).rank == 3  # the next call is not affected


def test_a_handler_of_signals_may_raise_its_own_exception():
    class Stop(Exception):
        pass

    def handler(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Stop):
            LONG["eig"]()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_during_a_call():
    done = threading.Event()

    def call():
        pivotlab.eig(A[:180, :180], threads=1)
        done.set()

    thread = threading.Thread(target=call)
    start, longest = time.monotonic(), 0.0
    thread.start()
    while not done.is_set():
        before = time.monotonic()
        time.sleep(0.001)
        longest = max(longest, time.monotonic() - before)
    took = time.monotonic() - start
    thread.join()
    assert longest < max(0.3, took / 3)


def test_calls_from_several_threads_give_the_same_bits():
    F, G, B = A[:60, :40], A[60:120, :40], A[:50, :50]
    calls = [
        lambda: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)").U,
        lambda: pivotlab.ldlt(B + B.T).M,
        lambda: pivotlab.eig(B).V,
        lambda: pivotlab.eigh(B + B.T).U,
        lambda: pivotlab.svd(F).U,
        lambda: pivotlab.generate("gsvd", "random", n=30).F,
    ]
    expected = [call().tobytes("A") for call in calls]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            got = pool.map(lambda call: call().tobytes("A"), calls)
            assert list(got) == expected


def test_files_of_several_threads(tmp_path):
    def write_and_read(k):
        pivotlab.write_pair(tmp_path / f"{k}.h5", (A[:30, :20] + k, A[:20, :20]))
        return pivotlab.read_pair(tmp_path / f"{k}.h5").F[0, 0] == A[0, 0] + k

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(write_and_read, range(40)))


def one_round():
    F, S = A[:4, :3], A[:3, :3] + A[:3, :3].T
    r = pivotlab.gsvd(F, F, x=True, threads=1)
    f = pivotlab.ldlt(S)
    assert f.M.shape == (3, 3) and f.solve(F[:3]).shape == (3, 3)
    pivotlab.eig(S, left=True, triangular=True, threads=1)
    pivotlab.eigh(S, threads=1)
    pivotlab.svd(F, v=True, threads=1)
    pivotlab.judge((F, F), r)
    for wrong in (lambda: pivotlab.ldlt(F), lambda: pivotlab.eig(S * np.nan), lambda: pivotlab.gsvd(F, "no")):
        try:
            wrong()
        except (pivotlab.InputError, TypeError):
            continue
        raise AssertionError("no error")


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_nothing_leaks_in_10000_calls():
    for _ in range(100):
        one_round()
    before = resident()
    for _ in range(1120):  # of nine calls each
        one_round()
    assert resident() - before < 1 << 20


def test_large_results_are_freed():
    B = A[:400, :400]
    pivotlab.ldlt(B + B.T)
    before = resident()
    for _ in range(50):
        pivotlab.ldlt(B + B.T).M  # noqa: B018
    assert resident() - before < 8 * B.nbytes


def test_nothing_is_reported_at_the_end_of_the_interpreter():
    code = "import pivotlab, numpy; f = pivotlab.ldlt(numpy.eye(3)); M = f.M; r = pivotlab.gsvd(f.M, f.M)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_sweep_ends_at_ctrl_c_and_keeps_its_records(tmp_path):
    def interrupt():
        journal = tmp_path / "long" / "journal.run.jsonl"
        while not journal.exists() or journal.read_text().count("\n") < 2:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    axes = dict(n=[16, 20, 700], out=tmp_path / "long", progress=False, backend="host")
    with pytest.raises(KeyboardInterrupt):
        pivotlab.sweep("eig", **axes)
    run = pivotlab.load_runs(tmp_path / "long")
    assert run.status == {"passed": 2, "missing": 1}
