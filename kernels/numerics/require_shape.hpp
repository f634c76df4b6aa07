// SPDX-License-Identifier: BSD-3-Clause
// The check of a matrix that a plan is given.
#pragma once

#include <pivotlab/error.hpp>
#include <pivotlab/matrix.hpp>
#include <string>

namespace pivotlab {

/// Throws InputError unless A has the shape that the plan is for.
template <class T>
void require_shape(const char* name, MatrixView<T> A, Index rows, Index cols) {
  if (A.rows != rows || A.cols != cols)
    throw InputError(std::string("matrix ") + name + ": it is " + std::to_string(A.rows) + " x " +
                     std::to_string(A.cols) + "; the plan is for " + std::to_string(rows) + " x " +
                     std::to_string(cols));
}

}  // namespace pivotlab
