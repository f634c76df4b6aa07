# SPDX-License-Identifier: BSD-3-Clause
"""What is no result, and what is no option."""

import numpy as np
import pytest

import pivotlab
from pivotlab import InputError

RNG = np.random.default_rng(3)
A, B = RNG.standard_normal((2, 5, 5)) + 3 * np.eye(5)
S = A + A.T


def negated(result, *names):
    return type(result)(**{**vars(result), **{name: -np.asarray(getattr(result, name)) for name in names}})


NEGATIVE = [
    ((A, B), pivotlab.gsvd(A, B), ("sigma_f", "sigma_g", "Z")),
    ((A, B), pivotlab.gsvd(A, B), ("sigma", "sigma_f", "U")),
    ((A, B), pivotlab.gsvd(A, B), ("sigma_error",)),
    (S, pivotlab.eigh(S), ("estimate",)),
    (A, pivotlab.svd(A, v=True), ("sigma", "U")),
    (A, pivotlab.svd(A, v=True), ("estimate",)),
    ((A, B), pivotlab.ghsvd(A, B), ("sigma_f", "U")),
    ((A, B), pivotlab.ghsvd(A, B), ("estimate",)),
]


@pytest.mark.parametrize("case", range(len(NEGATIVE)))
def test_singular_values_and_estimates_are_not_negative(case):
    problem, result, names = NEGATIVE[case]
    assert pivotlab.judge(problem, result)
    judged = pivotlab.judge(problem, negated(result, *names))
    assert judged.status == "incorrect" and ("negative" in judged.message or "between 0 and 1" in judged.message)


def test_an_unknown_baseline_is_told_as_such():
    with pytest.raises(InputError, match="^baseline 'lapack:dggsvd': no such baseline for real pairs; nearest: "):
        pivotlab.gsvd(A, B, variant="lapack:dggsvd")


@pytest.mark.parametrize("solve", [pivotlab.eigh, pivotlab.svd, pivotlab.eig, pivotlab.ldlt])
@pytest.mark.parametrize("option", ["variant", "backend", "driver"])
def test_options_that_are_names_are_texts(solve, option):
    with pytest.raises(TypeError, match=f"^{option}: 3 is not a text; pass one$"):
        solve(S, **{option: 3})
    with pytest.raises(InputError, match=f"^{option}: is empty; pass a name, or leave it out$"):
        solve(S, **{option: ""})


@pytest.mark.parametrize(
    "call",
    [
        lambda flag: pivotlab.svd(S, v=flag).V,
        lambda flag: pivotlab.eig(A, left=flag).W,
        lambda flag: pivotlab.eigh(S, vectors=flag).U,
        lambda flag: pivotlab.gsvd(A, B, x=flag).X,
        lambda flag: pivotlab.gsvd(A, B, estimate_errors=flag).sigma_error,
        lambda flag: pivotlab.exact.matmul(A, B, balance=flag).hi,
        lambda flag: pivotlab.ldlt(S).gjg(sorted=flag)[0],
    ],
)
@pytest.mark.parametrize("flag", [True, False])
def test_flags_may_be_those_of_numpy(call, flag):
    expected = call(flag)
    for other in (np.bool_(flag), int(flag)):
        assert np.array_equal(call(other), expected) if expected is not None else call(other) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: pivotlab.certify_inertia(S, triangle=None),
        lambda: pivotlab.certify_inertia(S, highest=2),
        lambda: pivotlab.certify_inertia(S, backend=None),
        lambda: pivotlab.shift_for_inertia(S, 3, 2, triangle=1),
        lambda: pivotlab.indefinite_pair(S, np.eye(5), triangle=None),
    ],
)
def test_wrong_texts_are_errors_of_one_line(call):
    with pytest.raises(TypeError, match="^[a-z]+: .* is not a text; pass one$"):
        call()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("rank_tolerance", lambda value: pivotlab.ldlt(S, rank_tolerance=value)),
        ("rank_tolerance", lambda value: pivotlab.gsvd(A, B, rank_tolerance=value)),
        ("tolerance_f", lambda value: pivotlab.gsvd(A, B, tolerance_f=value)),
        ("tolerance_g", lambda value: pivotlab.gsvd(A, B, tolerance_g=value)),
        ("subset_by_value", lambda value: pivotlab.eigh(S, subset_by_value=(value, 2))),
        ("type", lambda value: pivotlab.eigh(S, np.eye(5), type=value)),
        ("bits", lambda value: pivotlab.exact.matmul(A, B, bits=value)),
    ],
)
def test_options_that_are_numbers_are_real_numbers(name, call):
    for value in ("0.1", 1j, [0.1], np.array([1, 2])):
        with pytest.raises(TypeError, match=f"^{name}: .* is not a real number; pass one$"):
            call(value)
    with pytest.raises(InputError, match=f"^{name}: the integer exceeds the range of double; pass a smaller one$"):
        call(10**400)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("vectors", lambda value: pivotlab.eigh(S, vectors=value)),
        ("equilibrate", lambda value: pivotlab.certify_inertia(S, equilibrate=value)),
        ("balance", lambda value: pivotlab.exact.matmul(A, B, balance=value)),
        ("sorted", lambda value: pivotlab.ldlt(S).gjg(sorted=value)),
    ],
)
def test_flags_have_one_truth_value(name, call):
    with pytest.raises(TypeError, match=f"^{name}: .* is not True or False; pass one of them$"):
        call(np.array([1, 2]))


def test_generate_and_lists_take_texts():
    for name in ("method", "generator", "type", "signs", "symmetry"):
        with pytest.raises(TypeError, match=f"^{name}: 3 is not a text; pass one$"):
            pivotlab.generate(**{"method": "hsvd", "n": 4, name: 3})
    with pytest.raises(TypeError, match="^method: 3 is not a text; pass one$"):
        pivotlab.variants(3)


def test_names_of_files_may_be_bytes(tmp_path):
    pivotlab.write_matrix(bytes(tmp_path / "A.mtx"), S)
    assert np.array_equal(pivotlab.read_matrix(bytes(tmp_path / "A.mtx")), S)
