# SPDX-License-Identifier: BSD-3-Clause
"""Lines that users of numpy.linalg write, and calls that must not harm the process."""

import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import pivotlab
from pivotlab import InputError, _core
from pivotlab._arrays import by_columns
from pivotlab._parallel import in_parallel, workers_for


def matrices(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def hermitian(seed, *shape):
    A = matrices(seed, *shape)
    return A + np.swapaxes(A, -1, -2)


def in_process(code, timeout=300, **environment):
    """What a new Python prints that runs the code; fails if it does not end with 0."""
    code = "import os, sys, threading, time\nimport numpy as np, pivotlab\n" + textwrap.dedent(code)
    variables = {name: value for name, value in (os.environ | environment).items() if value is not None}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, env=variables)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    return done.stdout


@pytest.mark.parametrize("shape", [(1, 1), (2, 7), (3, 70), (33, 64), (2100, 2000)])
@pytest.mark.parametrize("unit", [1.0, 1 + 2j])
def test_matrices_stored_otherwise_are_copied_to_columns(shape, unit):
    A = unit * matrices(3, *shape)
    by_rows = [A, A[:-1], A[:, :-1], A[::2]]
    copies = [(given, _core.by_columns(given)) for given in by_rows]
    copies += [(given, by_columns(given)) for given in (*by_rows, A[::-1], A[:, ::-1], A[::2, ::3])]
    for given, copy in copies:
        assert len(copy) == 1 or copy.strides[0] == A.itemsize
        assert copy.dtype == A.dtype and np.array_equal(copy, given)
    assert np.shares_memory(by_columns(A.T), A)


# ---- Unpacking and stacks ----


def test_results_unpack_as_those_of_numpy():
    A, S = matrices(1, 6, 6), hermitian(2, 6, 6)
    U, s, Vh = pivotlab.svd(A)
    assert np.allclose(U * s @ Vh, A)
    w, V = pivotlab.eig(A)
    assert np.allclose(A @ V, V * w)
    w, U = pivotlab.eigh(S)
    assert np.allclose(S @ U, U * w)
    assert np.allclose(w[::-1], np.linalg.eigvalsh(S))


@pytest.mark.parametrize("shape", [(4, 5, 5), (2, 3, 4, 4), (1, 2, 2), (2, 0, 3, 3)])
def test_stacks_are_decomposed_matrix_by_matrix(shape):
    A, S = matrices(1, *shape), hermitian(2, *shape)
    n = shape[-1]
    svd, eig, eigh = pivotlab.svd(A, v=True), pivotlab.eig(A), pivotlab.eigh(S)
    assert svd.sigma.shape == shape[:-1] and svd.U.shape == svd.V.shape == eig.V.shape == eigh.U.shape == shape
    assert np.allclose(svd.U * svd.sigma[..., None, :] @ np.swapaxes(svd.V, -1, -2), A)
    assert np.allclose(A @ eig.V, eig.V * eig.eigenvalues[..., None, :])
    assert np.allclose(S @ eigh.U, eigh.U * eigh.eigenvalues[..., None, :])
    assert eigh.status == "passed" and eigh.inertia.positive.shape == shape[:-2]
    for index in np.ndindex(shape[:-2]):  # the same bits as one by one
        assert np.array_equal(svd.sigma[index], pivotlab.svd(A[index]).sigma)
        assert np.array_equal(eigh.U[index], pivotlab.eigh(S[index]).U)
    assert f"n {n}" in repr(eigh)


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.svd, pivotlab.eig, pivotlab.gsvd])
def test_no_bit_of_a_stack_depends_on_threads(solve):
    S = hermitian(3, 5, 9, 9)
    pair = () if solve is not pivotlab.gsvd else (matrices(4, 9, 9),)
    one, two = (solve(S, *pair, threads=threads) for threads in (1, 2))
    for first, second, single in zip(one, two, zip(*(solve(A, *pair, threads=2) for A in S), strict=True), strict=True):
        assert np.array_equal(second, np.stack(single))
        assert solve is pivotlab.gsvd or np.array_equal(first, second)  # gsvd calls LAPACK


def test_small_matrices_are_solved_side_by_side():
    together = threading.Barrier(2, timeout=200)
    assert in_parallel(lambda k: together.wait() * 0 + k, range(8), 2, str) == list(range(8))
    threads = set()
    in_parallel(lambda k: threads.add(threading.get_ident()), range(100), 3, str)
    assert len(threads) <= 3
    assert workers_for(10, 3, "HEV-RK-ME-BO", None) == 3 and workers_for(2, 3, None, None) == 2
    assert workers_for(10, 3, "lapack:dsyevd", None) == workers_for(10, 3, None, "evd") == 1


def test_the_first_matrix_that_fails_is_reported():
    def fail(k):
        if k >= 3:
            raise InputError(str(k))

    for workers in (1, 2, 4):
        with pytest.raises(InputError, match="^3: 3$"):
            in_parallel(fail, range(50), workers, str)
    A = hermitian(5, 20, 6, 6)
    A[7, 1, 2] = np.nan
    with pytest.raises(InputError, match=r"^matrix 7 of the stack: .*NaN"):
        pivotlab.eigh(A)
    with pytest.raises(InputError, match=r"^matrix \(1, 2\) of the stack: "):
        pivotlab.eigh(A.reshape(4, 5, 6, 6))
    with pytest.raises(InputError, match=r"^matrix 7 of the list: "):
        pivotlab.each(pivotlab.eigh, list(A))


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.svd, pivotlab.eig, pivotlab.ldlt])
def test_each_solves_a_list_of_any_sizes(solve):
    A = [hermitian(n, n, n) for n in (4, 1, 130, 7, 4)]
    for mine, matrix in zip(pivotlab.each(solve, A, threads=2), A, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(mine, solve(matrix, threads=2), strict=True))
    assert pivotlab.each(solve, []) == []


def test_each_takes_pairs_single_precision_and_options():
    pairs = [(matrices(1, 6, 4), matrices(2, 5, 4)), (matrices(3, 3, 2), matrices(4, 2, 2))]
    for mine, pair in zip(pivotlab.each(pivotlab.gsvd, pairs), pairs, strict=True):
        assert np.array_equal(mine.sigma, pivotlab.gsvd(*pair).sigma)
    first, second = pivotlab.each(pivotlab.svd, [np.eye(2, dtype=np.float32), np.eye(3)], v=False)
    assert first.sigma.dtype == np.float32 and second.sigma.dtype == np.float64 and first.V is None
    with pytest.warns(pivotlab.ConversionWarning):
        pivotlab.each(pivotlab.svd, [np.eye(2, dtype=int), np.eye(3)])
    with pytest.raises(InputError, match="no solver|not a solver"):
        pivotlab.each(np.linalg.svd, [np.eye(2)])
    results = pivotlab.each(pivotlab.eigh, [hermitian(1, 9, 9), np.eye(3)], max_sweeps=1, check=False)
    assert [r.status for r in results] == ["not_converged", "passed"]
    assert pivotlab.eigh(np.stack([hermitian(1, 9, 9), np.eye(9)]), max_sweeps=1, check=False).statuses == (
        "not_converged",
        "passed",
    )


def test_stacks_of_pairs_broadcast():
    F, G = matrices(1, 3, 6, 4), matrices(2, 5, 4)
    result = pivotlab.gsvd(F, G)
    assert result.Z.shape == (3, 4, 4) and result.U.shape == (3, 6, 4)
    assert np.allclose(F @ result.Z, result.U * result.sigma_f[:, None, :])
    assert pivotlab.ghsvd(F, G).eigenvalues.shape == (3, 4)
    with pytest.raises(InputError, match="do not fit"):
        pivotlab.gsvd(matrices(1, 3, 4, 4), matrices(2, 2, 4, 4))
    with pytest.raises(InputError, match="dimensions"):
        pivotlab.gsvd(matrices(1, 3, 4, 4), np.ones(4))


# ---- The generalized Hermitian problem ----


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("is_complex", [False, True])
def test_eigh_of_a_pair(seed, is_complex):
    n = 2 + seed
    rng = np.random.default_rng(seed)
    A, R = (rng.standard_normal((n, n)) + 1j * is_complex * rng.standard_normal((n, n)) for _ in range(2))
    if not is_complex:
        A, R = A.real, R.real
    A = A + A.conj().T
    B = R @ R.conj().T + n * np.eye(n)
    B = (B + B.conj().T) / 2
    w, U = pivotlab.eigh(A, B)
    assert np.all(np.diff(w) <= 0)
    assert np.allclose(A @ U, B @ U * w) and np.allclose(U.conj().T @ B @ U, np.eye(n))
    L = np.linalg.inv(np.linalg.cholesky(B))
    assert np.allclose(w[::-1], np.linalg.eigvalsh(L @ A @ L.conj().T))


@pytest.mark.parametrize("a", [5e-324, 1e-310, 1.0])
def test_eigh_of_a_pair_whose_balancing_would_lose_digits(a):
    A, B = np.array([[2.0, 1.0], [1.0, -3.0]]), np.array([[2.0, 0.5], [0.5, 1.0]])
    truth = a * pivotlab.eigh(A, B).eigenvalues
    A = a * A
    lower = A + [[0, np.nan], [0, 0]]
    for w, U in (pivotlab.eigh(A, B), pivotlab.eigh(lower, B, triangle="lower")):
        assert np.allclose(w, truth, rtol=1e-14, atol=5e-324)
        assert pivotlab.judge((A, B), pivotlab.Eigh(w, U))


def test_numbers_of_the_triangle_that_is_not_read_change_no_bit():
    d = np.array([1e-6, 1.0, 1e6])
    A, B = (hermitian(seed, 3, 3) * d * d[:, None] for seed in (1, 2))
    B += 10 * np.diag(d * d)
    w, U = pivotlab.eigh(A, B)
    other = np.triu(np.full((3, 3), np.nan), 1)
    result = pivotlab.eigh(A + other, B + other, triangle="lower")
    assert np.array_equal(result.eigenvalues, w) and np.array_equal(result.U, U)


def test_eigh_of_a_pair_refuses_what_it_cannot_solve():
    A, B = hermitian(1, 4, 4), np.eye(4)
    for wrong, message in (
        (np.eye(3), "of orders 4 and 3"),
        (np.diag([1.0, 1, 1, -1]), "positive definite"),
        (matrices(2, 4, 4), "Hermitian"),
    ):
        with pytest.raises(InputError, match=message):
            pivotlab.eigh(A, wrong)
    with pytest.raises(InputError, match="lapack:dsygvd"):
        pivotlab.eigh(A, B, variant="lapack:dsyevd")
    with pytest.raises(InputError, match="on the host"):
        pivotlab.eigh(A, B, backend="emulation")
    wrong_options = (
        {"type": 4},
        {"subset_by_index": [1, 4]},
        {"subset_by_index": [0, 1, 2]},
        {"subset_by_index": 3},
        {"subset_by_value": [2, 1]},
        {"subset_by_value": [0, 1, 2]},
    )
    for options in wrong_options:
        with pytest.raises(InputError, match=next(iter(options))):
            pivotlab.eigh(A, B, **options)
    with pytest.raises(InputError, match="exclude each other"):
        pivotlab.eigh(A, subset_by_index=[0, 1], subset_by_value=[0, 1])
    singular = np.zeros((4, 4))
    assert np.array_equal(pivotlab.eigh(singular, B).eigenvalues, np.zeros(4))


# ---- The judge ----

E, ONE = np.eye(6), np.ones
WRONG_SHAPES = [
    (E, lambda: pivotlab.Eig(eigenvalues=ONE(6), V=np.eye(3))),
    (E, lambda: pivotlab.Eig(eigenvalues=ONE(2), V=E)),
    (E, lambda: pivotlab.Eig(eigenvalues=ONE(6), V=E, W=np.eye(2))),
    (E, lambda: pivotlab.Eig(eigenvalues=ONE(6), V=E, T=np.eye(2), E=E)),
    (E, lambda: pivotlab.Eig(eigenvalues=ONE(6), V=E, T=E, E=np.eye(7))),
    (np.ones((6, 5)), lambda: pivotlab.Eig(eigenvalues=ONE(6), V=E)),
    (E, lambda: pivotlab.Eigh(eigenvalues=ONE(6), U=np.eye(3))),
    (E, lambda: pivotlab.Eigh(eigenvalues=ONE(6), U=np.ones((6, 5)))),
    (E, lambda: pivotlab.Eigh(eigenvalues=ONE(3), U=E)),
    (E, lambda: pivotlab.Eigh(eigenvalues=ONE(6), U=E, estimate=ONE(2))),
    (E, lambda: pivotlab.Eigh(eigenvalues=ONE(6), U=E, estimate=ONE(0))),
    (np.ones((3, 6, 6)), lambda: pivotlab.Eigh(eigenvalues=ONE(6), U=E)),
    (E, lambda: pivotlab.Svd(sigma=ONE(6), U=np.eye(3), V=E)),
    (E, lambda: pivotlab.Svd(sigma=ONE(6), U=E, V=np.eye(7))),
    (E, lambda: pivotlab.Svd(sigma=ONE(6), U=E, V=E, estimate=ONE(1))),
    (E, lambda: pivotlab.Svd(sigma=ONE(6), U=E, V=E, J=ONE(5))),
    ((E, E), lambda: pivotlab.Gsvd(U=np.eye(3), V=E, Z=E, sigma_f=ONE(6), sigma_g=ONE(6), sigma=ONE(6))),
    ((E, E), lambda: pivotlab.Gsvd(U=E, V=E, Z=E, sigma_f=ONE(2), sigma_g=ONE(6), sigma=ONE(6))),
    ((E, E), lambda: pivotlab.Gsvd(U=E, V=E, Z=E, sigma_f=ONE(6), sigma_g=ONE(6), sigma=ONE(1))),
    ((E, E), lambda: pivotlab.Gsvd(U=E, V=E, Z=E, sigma_f=ONE(6), sigma_g=ONE(6), sigma=ONE(6), X=np.eye(5))),
    (
        (E, E),
        lambda: pivotlab.Gsvd(U=E, V=E, Z=E, sigma_f=ONE(6), sigma_g=ONE(6), sigma=ONE(6), sigma_error=ONE(5)),
    ),
    ((E, np.eye(5)), lambda: pivotlab.Gsvd(U=E, V=E, Z=E, sigma_f=ONE(6), sigma_g=ONE(6), sigma=ONE(6))),
    ((E, E, ONE(6)), lambda: pivotlab.Ghsvd(ONE(6), E, E, np.eye(2), ONE(6), ONE(6), ONE(6))),
    ((E, E, ONE(6)), lambda: pivotlab.Ghsvd(ONE(6), E, E, E, ONE(6), ONE(6), ONE(3))),
    ((E, E, ONE(6)), lambda: pivotlab.Ghsvd(ONE(6), E, E, E, ONE(6), ONE(2), ONE(6))),
    (pivotlab.General(E, eigenvalues=ONE(5) + 0j), lambda: pivotlab.Eig(eigenvalues=ONE(6), V=E)),
    (pivotlab.Pair(E, E, sigma=ONE(7)), lambda: pivotlab.gsvd(E, E)),
    (pivotlab.Symmetric(E, eigenvalues=ONE(5)), lambda: pivotlab.ldlt(E)),
    (np.eye(5), lambda: pivotlab.ldlt(E)),
]


@pytest.mark.parametrize("case", range(len(WRONG_SHAPES)))
def test_judge_refuses_other_shapes(case):
    problem, result = WRONG_SHAPES[case]
    with pytest.raises(InputError) as refused:
        pivotlab.judge(problem, result())
    assert "\n" not in str(refused.value)


def test_a_judgement_is_its_verdict():
    A = matrices(1, 6, 6)
    good, bad = pivotlab.svd(A, v=True), pivotlab.Svd(U=np.eye(6), sigma=np.ones(6), V=np.eye(6))
    assert pivotlab.judge(A, good) and pivotlab.judge(A, good).status == "passed"
    assert not pivotlab.judge(A, bad) and pivotlab.judge(A, bad).status == "incorrect"


def test_judge_takes_ascending_eigenvalues():
    S = hermitian(1, 6, 6)
    assert pivotlab.judge(S, pivotlab.Eigh(*np.linalg.eigh(S)))
    w, U = np.linalg.eigh(S)
    assert not pivotlab.judge(S, pivotlab.Eigh(w, U[:, ::-1]))
    assert not pivotlab.judge(S, pivotlab.Eigh(w[::-1], U))
    ours = pivotlab.eigh(S, ascending=True)
    assert pivotlab.judge(S, ours)
    assert not pivotlab.judge(S, replace(ours, inertia=pivotlab.Inertia(6, 0, 0)))


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 1), (0, 3)])
@pytest.mark.parametrize("is_complex", [False, True])
def test_judge_takes_full_matrices_of_the_svd(shape, is_complex):
    G = matrices(1, *shape) + 1j * is_complex * matrices(2, *shape)
    assert pivotlab.judge(G, pivotlab.svd(G, full_matrices=True))
    U, s, Vh = np.linalg.svd(G)
    assert pivotlab.judge(G, pivotlab.Svd(U=U, sigma=s, V=Vh.conj().T))
    vectors = U.T if shape[0] > shape[1] else Vh
    for wrong in (vectors[0].copy(), 0):
        vectors[-1] = wrong
        assert not pivotlab.judge(G, pivotlab.Svd(U=U, sigma=s, V=Vh.conj().T))


@pytest.mark.parametrize("is_complex", [False, True])
def test_wrong_left_vectors_of_a_pencil_do_not_pass(is_complex):
    A, B = matrices(3, 2, 5, 5) + 1j * is_complex * matrices(4, 2, 5, 5)
    for right in ((A, B), (A, np.diag([1.0, 2, 3, 4, 0]) @ B)):
        e = pivotlab.eig(*right, left=True)
        judged = pivotlab.judge(right, e)
        assert judged and judged.metrics["left_residual"] < 1e-14
        judged = pivotlab.judge(right, replace(e, W=e.W[:, ::-1]))
        assert judged.status == "incorrect" and judged.failed == ("left_residual",)
        equal = e.W.copy()
        equal[:, 1] = equal[:, 0]
        assert not pivotlab.judge(right, replace(e, W=equal))


def test_judge_refuses_contradictions_and_singular_forms():
    A, B = matrices(5, 2, 4, 4)
    r = pivotlab.gsvd(A, B)
    assert pivotlab.judge((A, B), r)
    for wrong in ({"r": 3}, {"l": 3}, {"k": 1}):
        assert pivotlab.judge((A, B), replace(r, **wrong)).status == "incorrect"
    wide = pivotlab.gsvd(A, B[:3])  # with an infinite sigma
    for given in (wide, replace(wide, reduced=False, k=0, l=None, r=None)):
        assert pivotlab.judge((A, B[:3]), given)
        without = pivotlab.judge((A, B[:3]), replace(given, R=None, Q=None))
        assert without.status == "not judged" and "R and Q are not given" in without.message
    e = pivotlab.eig(A, triangular=True)
    assert pivotlab.judge(A, e)
    judged = pivotlab.judge(A, replace(e, E=np.zeros((4, 4))))
    assert judged.status == "incorrect" and "E is zero" in judged.message


def test_without_vectors_eigenvalues_are_not_judged_or_incorrect():
    S = hermitian(1, 6, 6)
    judged = pivotlab.judge(S, pivotlab.eigh(S, vectors=False))
    assert judged.status == "not judged" and not judged and "U is not given" in judged.message
    assert not pivotlab.judge(S, pivotlab.Eigh(eigenvalues=np.ones(6)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_never_pass(value):
    A, S = matrices(1, 5, 5), hermitian(2, 5, 5)
    B = A + np.eye(5)

    def spoilt(result, *names):
        for name in names:
            array = np.array(getattr(result, name))
            array.flat[-1] = value
            yield type(result)(**{**vars(result), name: array})

    results = [
        *(((A, B), r) for r in spoilt(pivotlab.gsvd(A, B, x=True), *"UVZX", "sigma_f", "sigma_g")),
        *((A, r) for r in spoilt(pivotlab.eig(A, left=True), "eigenvalues", "V", "W")),
        *((S, r) for r in spoilt(pivotlab.eigh(S), "eigenvalues", "U", "estimate")),
        *((A, r) for r in spoilt(pivotlab.svd(A, v=True), "sigma", "U", "V", "estimate")),
        *(((A, B), r) for r in spoilt(pivotlab.ghsvd(A, B), "eigenvalues", *"UVZ", "sigma_f", "estimate")),
    ]
    for problem, result in results:
        judged = pivotlab.judge(problem, result)
        assert judged.status == "incorrect" and "NaN or infinite" in judged.message and "\n" not in judged.message
        assert repr(judged).startswith("<Judgement incorrect")


# ---- Threads, forks, the end of the process ----


@pytest.mark.parametrize("threads", [1025, 100_000, 2**31 - 1])
def test_numbers_of_threads_that_no_machine_has_are_refused(threads):
    A = hermitian(1, 40, 40)
    calls = [
        lambda: pivotlab.gsvd(A, A, threads=threads),
        lambda: pivotlab.eig(A, threads=threads),
        lambda: pivotlab.eigh(A, threads=threads),
        lambda: pivotlab.eigh(A, np.eye(40), threads=threads),
        lambda: pivotlab.svd(A, threads=threads),
        lambda: pivotlab.ghsvd(A, A, threads=threads),
        lambda: pivotlab.ldlt(A, threads=threads),
        lambda: pivotlab.eig(A, A, threads=threads),
        lambda: pivotlab.certify_inertia(A, threads=threads),
        lambda: pivotlab.shift_for_inertia(A, 20, 20, threads=threads),
        lambda: pivotlab.definite_pair(np.eye(40), np.eye(40), threads=threads),
        lambda: pivotlab.gsvd(A, A, x=True).lapack(threads=threads),
        lambda: pivotlab.judge(A, pivotlab.eig(A), threads=threads),
        lambda: pivotlab.generate("gsvd", "paper", 40, threads=threads),
    ]
    for call in calls:
        with pytest.raises(InputError, match=f"threads: {threads} are more than 1024"):
            call()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_child_of_a_fork_computes_the_same_bits(threads):
    calls = """
        rng = np.random.default_rng(1)
        F, G = rng.standard_normal((2, 80, 80))
        threads = THREADS
        calls = [lambda: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=threads).sigma,
                 lambda: pivotlab.eigh(F + F.T, threads=threads).eigenvalues,
                 lambda: pivotlab.svd(F, threads=threads).sigma]
        before = [call() for call in calls]
        def check():
            assert all(np.array_equal(call(), own) for call, own in zip(calls, before))
        def fork(generations):
            child = os.fork()
            if child == 0:
                try:
                    check()
                    if generations > 1:
                        fork(generations - 1)
                finally:
                    os._exit(sys.exc_info()[0] is not None)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            check()
        fork(2)
        print("done")
    """
    assert "done" in in_process(calls.replace("THREADS", str(threads)))


def test_one_thread_starts_no_other():
    code = """
        rng = np.random.default_rng(1)
        F, G = rng.standard_normal((2, 150, 150))
        A, K = F + F.T, F @ F.T
        calls = dict(
            gsvd=lambda: pivotlab.gsvd(F, G, threads=1),
            hz=lambda: pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", x=True, threads=1),
            reduced=lambda: pivotlab.gsvd(F, G[:100], threads=1),
            ghsvd=lambda: pivotlab.ghsvd(F, G, np.where(np.arange(150) % 3, 1, -1), threads=1),
            direct=lambda: pivotlab.ghsvd(F, G, variant="GHSVD-HZ-ME-PT", threads=1, check=False),
            ldlt=lambda: pivotlab.ldlt(A, threads=1), eig=lambda: pivotlab.eig(A, threads=1),
            eigh=lambda: pivotlab.eigh(A, threads=1), svd=lambda: pivotlab.svd(F, threads=1),
            judge=lambda: pivotlab.judge((F, G), pivotlab.gsvd(F, G, threads=1), threads=1),
            pair=lambda: pivotlab.eigh(A, K, threads=1), pencil=lambda: pivotlab.eig(F, G, threads=1),
            definite=lambda: pivotlab.definite_pair(K, K, threads=1),
            full=lambda: pivotlab.svd(F[:, :70], full_matrices=True, threads=1),
            judge_pencil=lambda: pivotlab.judge((F, G), pivotlab.eig(F, G, threads=1), threads=1),
            generate=lambda: pivotlab.generate("gsvd", "paper", 100, threads=1))
        for name, call in calls.items():
            child = os.fork()
            if child == 0:
                call()
                os._exit(len(os.listdir("/proc/self/task")) - 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, name
    """
    in_process(code, OMP_NUM_THREADS="4", OPENBLAS_NUM_THREADS="1")


def test_python_ends_while_threads_compute():
    code = """
        rng = np.random.default_rng(1)
        F, G = rng.standard_normal((2, SIZE, SIZE))
        def loop():
            while True:
                pivotlab.gsvd(F, G, variant="DHZ0-(ME-FB-ME)", threads=2)
        for _ in range(3):
            threading.Thread(target=loop, daemon=True).start()
        time.sleep(0.5)
        print("end", flush=True)
    """
    for size in (20, 60, 300):
        assert "end" in in_process(code.replace("SIZE", str(size)))


def test_pools_of_multiprocessing_compute_after_a_call():
    code = """
        import multiprocessing
        A = np.random.default_rng(1).standard_normal((120, 120))
        expected = pivotlab.svd(A, threads=2).sigma, pivotlab.eigh(A + A.T, driver="evd").eigenvalues
        def work(k):
            return pivotlab.svd(A, threads=2).sigma, pivotlab.eigh(A + A.T, driver="evd").eigenvalues
        with multiprocessing.get_context("fork").Pool(3) as pool:
            results = pool.map_async(work, range(6)).get(timeout=200)
        assert all(np.array_equal(own, part) for r in results for own, part in zip(r, expected))
        print("done")
    """
    assert "done" in in_process(code)


def test_threads_sleep_after_a_call():
    code = """
        A = np.random.default_rng(1).standard_normal((150, 150))
        S = A + A.T
        for call in (lambda: pivotlab.svd(A), lambda: pivotlab.eigh(S, driver="evd"), lambda: pivotlab.gsvd(A, S)):
            call()
            before = time.process_time()
            time.sleep(0.5)
            spent = time.process_time() - before
            assert spent < 0.2, spent
    """
    in_process(code, OMP_WAIT_POLICY=None, OPENBLAS_THREAD_TIMEOUT=None)


def test_limits_of_overlapping_calls_leave_the_blas_as_it_was():
    code = """
        import ctypes
        from concurrent.futures import ThreadPoolExecutor
        maps = open("/proc/self/maps").read().split()
        name = next((path for path in maps if "libopenblas" in path and "numpy" not in path), None)
        if name is None:  # another BLAS
            sys.exit()
        count = ctypes.CDLL(name).openblas_get_num_threads
        ctypes.CDLL(name).openblas_set_num_threads(7)
        A = np.random.default_rng(1).standard_normal((60, 60))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda k: pivotlab.eig(A, driver="geev", threads=1 + k % 3), range(60)))
        assert count() == 7, count()
    """
    in_process(code)


def test_many_threads_compute_at_once():
    A = matrices(1, 40, 40)
    S = A + A.T
    calls = [
        lambda: pivotlab.eig(A, threads=1).V, lambda: pivotlab.eigh(S, threads=2).U,
        lambda: pivotlab.svd(A, threads=1).V, lambda: pivotlab.ldlt(S).M,
        lambda: pivotlab.gsvd(A, S, threads=1).Z, lambda: pivotlab.ghsvd(A, S, threads=1).Z,
        lambda: pivotlab.eig(A, S, threads=1).V, lambda: pivotlab.eigh(S, A @ A.T + np.eye(40), threads=1).U,
    ]  # fmt: skip
    expected = [call().tobytes() for call in calls]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda k: calls[k % len(calls)]().tobytes(), range(40)))
    assert got == [expected[k % len(calls)] for k in range(40)]


def test_a_call_leaves_the_process_as_it_was(tmp_path):
    code = """
        import warnings
        warnings.simplefilter("error")
        A = np.random.default_rng(1).standard_normal((20, 20))
        before = dict(os.environ), os.getcwd(), np.geterr(), threading.active_count()
        pivotlab.judge(A, pivotlab.eig(A)), pivotlab.svd(A, full_matrices=True)
        pivotlab.gsvd(A, A[:3], x=True).matlab(), pivotlab.eig(A, A.T, left=True)
        pivotlab.write_pair(PATH, (A, A)), pivotlab.read_pair(PATH), pivotlab.eigh(A.astype("f4") + A.astype("f4").T)
        assert before == (dict(os.environ), os.getcwd(), np.geterr(), threading.active_count())
    """
    assert in_process(code.replace("PATH", repr(str(tmp_path / "pair.h5")))) == ""


def test_the_import_is_clean():
    code = "import sys, pivotlab; assert not {'torch', 'cupy', 'pandas', 'matplotlib'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# ---- Files and locales ----


@pytest.mark.parametrize("count", [3, 5, 100_000])
def test_a_truth_of_another_length_is_not_written(tmp_path, count):
    A = np.eye(4)
    with pytest.raises(InputError, match=f"there are {count} for 4 rows"):
        pivotlab.write_general(tmp_path / "A.h5", pivotlab.General(A, eigenvalues=np.arange(count, dtype=complex)))
    with pytest.raises(InputError, match=f"there are {count} for 4 rows"):
        pivotlab.write_symmetric(tmp_path / "A.h5", pivotlab.Symmetric(A, eigenvalues=np.arange(count, dtype=float)))
    assert not list(tmp_path.iterdir())


def test_a_decimal_comma_changes_no_number(tmp_path):
    import shutil

    if not shutil.which("localedef"):
        pytest.skip("no localedef")
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True)
    code = """
        import locale
        names = {"gsvd": ["graded;g=2.5", "paper"], "ldlt": ["equidistant", "kkt"], "eig": ["similarity;kappa=2.5"],
                 "hsvd": ["random"], "eigh": ["random"]}
        def made():
            problems = [pivotlab.generate(method, name, 8) for method, own in names.items() for name in own]
            return [next(iter(vars(problem).values())) for problem in problems]
        def solved():
            A = np.diag([1.0, 2.5, -3.5])
            f = pivotlab.ldlt(A, variant="LDLT-RK;alpha=0.5", rank_tolerance=1e-14)
            return [f.variant, str(f.certify(A)), pivotlab.expand("LDLT-BK;alpha={0.25..0.75..0.25}")]
        before = made(), solved()
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        except locale.Error:
            print("skipped")
            sys.exit()
        after = made(), solved()
        assert all(map(np.array_equal, before[0], after[0])) and before[1] == after[1], (before[1], after[1])
        try:
            pivotlab.generate("gsvd", "graded;g=2,5", 8)
        except ValueError:
            print("done")
    """
    said = in_process(code, LOCPATH=str(tmp_path))
    if "skipped" in said:
        pytest.skip(f"no locale with a decimal comma: {made.stderr[-200:]}")
    assert "done" in said
