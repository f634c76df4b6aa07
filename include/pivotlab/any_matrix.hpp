// SPDX-License-Identifier: BSD-3-Clause
// A dense real or complex matrix.
#pragma once

#include <pivotlab/matrix.hpp>

#include <complex>
#include <variant>

namespace pivotlab {

using AnyMatrix = std::variant<Matrix<double>, Matrix<std::complex<double>>>;

}  // namespace pivotlab
