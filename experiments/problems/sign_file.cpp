// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/problems/sign_file.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>

namespace pivotlab::experiments {

std::vector<int> read_signs(const std::string& file, Index count, const std::string& of_what) {
  if (file.empty()) return std::vector<int>(count, 1);
  const AnyMatrix read = read_matrix(file);
  const auto* J = std::get_if<Matrix<double>>(&read);
  if (J == nullptr || std::min(J->rows(), J->cols()) > 1)
    throw InputError(fmt::format("--signs: {} is not a real vector; give a column of 1 and -1", file));
  if (J->size() != count)
    throw InputError(
        fmt::format("--signs: {} has {} elements, but {}; give one sign for each", file, J->size(), of_what));
  std::vector<int> signs;
  for (Index i = 0; i < count; ++i) {
    const double sign = J->data()[i];
    if (sign != 1 && sign != -1)
      throw InputError(fmt::format("--signs: element {} of {} is {}; take 1 or -1", i + 1, file, sign));
    signs.push_back(sign > 0 ? 1 : -1);
  }
  return signs;
}

void write_signs(const std::string& file, const std::vector<int>& signs) {
  Matrix<double> J(std::ssize(signs), 1);
  std::ranges::copy(signs, J.data());
  write_matrix_market(file, J);
}

}  // namespace pivotlab::experiments
