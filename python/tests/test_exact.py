# SPDX-License-Identifier: BSD-3-Clause
"""Exact products against Python's fractions."""

from fractions import Fraction

import numpy as np
import pytest

import pivotlab
from pivotlab import InputError
from pivotlab.exact import matmul


def exact_entry(rows, columns):
    """The sum of products, in rational numbers."""
    return sum((Fraction(x) * Fraction(y) for x, y in zip(rows, columns, strict=True)), Fraction(0))


def largest_excess(A, B, product):
    """max(|A·B − hi − lo| − bound), without any rounding."""
    hi, lo, bound = product
    return max(
        abs(exact_entry(A[i], B[:, j]) - Fraction(hi[i, j]) - Fraction(lo[i, j])) - Fraction(bound[i, j])
        for i in range(A.shape[0])
        for j in range(B.shape[1])
    )


@pytest.mark.parametrize("options", [{}, {"moduli": 9}, {"bits": 40}, {"balance": True}])
def test_errors_are_within_the_bounds(options):
    random = np.random.default_rng(1)
    A, B = random.standard_normal((5, 30)), random.standard_normal((30, 4))
    product = matmul(A, B, **options)
    assert largest_excess(A, B, product) <= 0
    assert product.exact == ("moduli" not in options and "bits" not in options)
    assert product.hi.shape == product.lo.shape == product.bound.shape == (5, 4)


def test_a_sum_that_cancels_is_exact():
    A = np.array([[1e200, 1.0, -1e200]])
    assert matmul(A, np.ones((3, 1))).hi[0, 0] != 1  # beyond what 26 moduli hold, and the bound tells
    A = np.array([[1e20, 1.0, -1e20]])
    product = matmul(A, np.ones((3, 1)))
    assert product.exact and product.hi[0, 0] == 1 and product.lo[0, 0] == 0


def test_two_limbs_and_complex_numbers():
    random = np.random.default_rng(2)
    hi = random.standard_normal((4, 10))
    lo = hi * 2.0**-55
    B = random.standard_normal((10, 3))
    product = matmul((hi, lo), B)
    exact = [[exact_entry([*hi[i], *lo[i]], [*B[:, j], *B[:, j]]) for j in range(3)] for i in range(4)]
    errors = [
        abs(exact[i][j] - Fraction(product.hi[i, j]) - Fraction(product.lo[i, j])) for i in range(4) for j in range(3)
    ]
    assert max(errors) < 2.0**-100
    turned = matmul(1j * hi, B)
    plain = matmul(hi, B)
    assert np.array_equal(turned.hi, 1j * plain.hi) and np.array_equal(turned.lo, 1j * plain.lo)


def test_not_finite_rows_are_told():
    A = np.ones((3, 3))
    A[1, 2] = np.nan
    product = matmul(A, np.eye(3))
    assert product.rows_not_finite == 1 and product.columns_not_finite == 0
    assert np.array_equal(np.isnan(product.hi).any(axis=1), [False, True, False])
    assert not product.exact and repr(product) == "<Product hi 3 × 3, moduli 8, error not finite>"


def test_what_leaves_the_range_is_not_exact():
    A = np.random.default_rng(1).standard_normal((4, 5))
    assert not matmul(A * 1e300, A.T * 1e300).exact
    assert not matmul(A * 1e-300, A.T * 1e-20).exact
    assert not matmul(A * 1e-300, A.T).exact
    assert matmul(A * 1e-200, A.T * 1e200).exact
    assert matmul(0 * A, A.T).exact and matmul(A, 0 * A.T).exact


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        ((np.ones((2, 3)), np.ones((2, 3))), {}, "do not fit together"),
        ((np.ones((2, 3)), np.ones((3, 3))), {"moduli": 30}, "moduli: 30 is out of range"),
        ((np.ones((2, 3)), np.ones((3, 3))), {"bits": 300}, "bits: 26 moduli give at most"),
        (((np.ones((2, 3)),), np.ones((3, 3))), {}, "tuple of 1 arrays"),
        (((np.ones((2, 3)), np.ones((2, 2))), np.ones((3, 3))), {}, "limbs of the shapes"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, text):
    with pytest.raises(InputError, match=text):
        matmul(*arguments, **options)


def test_the_module_is_part_of_the_package():
    assert pivotlab.exact.matmul is matmul
