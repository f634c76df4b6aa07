// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/matrix_file.hpp"

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab::io {

void write_matrix_file(const std::filesystem::path& file, const std::string& dataset, const AnyMatrix& matrix) {
  std::visit([&](const auto& A) { require_elements(file, "/" + dataset, A.rows(), A.cols()); }, matrix);
  const hdf5::Silence silence;
  hdf5::NewFile output(file);
  std::visit([&](const auto& A) { hdf5::write_matrix(output, {file, "/" + dataset}, A.view(), {}); }, matrix);
  output.commit();
}

}  // namespace pivotlab::io
