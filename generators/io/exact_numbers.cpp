// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/exact_numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pivotlab::io {

Matrix<double> split_exactly(const std::vector<Quad>& values) {
  Matrix<double> parts(static_cast<Index>(values.size()), 4);
  for (Index i = 0; i < parts.rows(); ++i) {
    int exponent = 0;
    Quad rest = frexp(values[i], &exponent);
    for (Index k = 0; k < 3; ++k) {  // three doubles hold the 113 bits of a significand in [1/2, 1)
      parts(i, k) = static_cast<double>(rest);
      rest -= parts(i, k);
    }
    parts(i, 3) = exponent;
  }
  return parts;
}

std::vector<Quad> join_exactly(const Matrix<double>& parts, Index count, const hdf5::Place& place) {
  if (parts.rows() != count || parts.cols() != 4)
    place.fail(fmt::format("is {} x {}, not {} x 4", parts.rows(), parts.cols(), count), "write the file again");
  std::vector<Quad> values(count);
  for (Index i = 0; i < count; ++i) {
    constexpr int largest = std::numeric_limits<Quad>::max_exponent + 1;  // exponent of a significand below 1
    const double exponent = parts(i, 3);
    const auto bad = [&](std::string_view what) {
      place.fail(fmt::format("row {}: {}", i + 1, what), "write the file again");
    };
    if (exponent != std::trunc(exponent) || std::abs(exponent) > largest)
      bad("the exponent is not an exponent of Quad");
    Quad& value = values[i];
    value = ldexp(Quad(parts(i, 0)) + parts(i, 1) + parts(i, 2), static_cast<int>(exponent));
    if (!isfinite(value)) bad("a value is not finite");
  }
  return values;
}

}  // namespace pivotlab::io
