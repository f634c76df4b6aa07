// SPDX-License-Identifier: BSD-3-Clause
// Quadruple precision in files of doubles: value = (column 0 + column 1 + column 2)·2^(column 3), without rounding.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <vector>

#include "generators/io/place.hpp"

namespace pivotlab::io {

/// Splits numbers into n × 4 doubles.
Matrix<double> split_exactly(const std::vector<Quad>& values);

/// Joins the parts. Throws InputError unless they are those of `count` finite numbers.
std::vector<Quad> join_exactly(const Matrix<double>& parts, Index count, const hdf5::Place& place);

}  // namespace pivotlab::io
