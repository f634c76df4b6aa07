// SPDX-License-Identifier: BSD-3-Clause
// The file of a generalized singular value decomposition (members.hpp), at once or by the columns of all ranks.
#include <pivotlab/by_columns.hpp>
#include <pivotlab/io.hpp>

#include <optional>

#include "generators/io/result_file.hpp"

namespace pivotlab {
namespace {

using Attributes = std::map<std::string, std::string>;

/// The file of rank 0, which receives columns from all ranks.
template <class T>
class FileOfColumns {
 public:
  FileOfColumns(const std::filesystem::path& name, const GsvdStripes<T>& part, const Attributes& attributes)
      : file_(name, attributes) {
    io::GsvdMembers<T>::values(part, file_);
    file_.callers();
    const auto n = static_cast<Index>(part.sigma.size());
    for (const auto& [matrix, rows] : {std::pair{"U", part.U.rows()}, {"V", part.V.rows()}, {"Z", part.Z.rows()}})
      matrices_.push_back(file_.columns<T>(matrix, rows, n));
  }
  void write(std::size_t matrix, Index column, std::span<const T> values) {
    io::hdf5::write_column(matrices_[matrix], {file_.name(), "U, V, Z"}, column, values);
  }
  void commit() {
    matrices_.clear();
    file_.commit();
  }

 private:
  io::ResultFile file_;
  std::vector<io::hdf5::Dataset> matrices_;  // U, V, Z
};

}  // namespace

template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result, const Attributes& attributes) {
  io::write_result(file, result, attributes);
}

template <class T>
void write_gsvd(const std::filesystem::path& file, const AnyGsvdResult<T>& result, const Attributes& attributes) {
  io::write_result(file, result, attributes);
}

template <class T>
void write_gsvd(Transport& transport, const std::filesystem::path& file, const GsvdStripes<T>& part,
                const Attributes& attributes) {
  const bool writes = transport.rank() == 0;
  std::optional<FileOfColumns<T>> output;
  in_agreement(transport, [&] {
    if (writes) output.emplace(file, part, attributes);
  });
  for_columns_on_first_rank(transport, part, [&](std::size_t matrix, Index column, std::span<const T> values) {
    output->write(matrix, column, values);
  });
  in_agreement(transport, [&] {
    if (writes) output->commit();
  });
}

using Complex = std::complex<double>;
template void write_gsvd(const std::filesystem::path&, const GsvdResult<double>&, const Attributes&);
template void write_gsvd(const std::filesystem::path&, const GsvdResult<Complex>&, const Attributes&);
template void write_gsvd(const std::filesystem::path&, const AnyGsvdResult<double>&, const Attributes&);
template void write_gsvd(const std::filesystem::path&, const AnyGsvdResult<Complex>&, const Attributes&);
template void write_gsvd(Transport&, const std::filesystem::path&, const GsvdStripes<double>&, const Attributes&);
template void write_gsvd(Transport&, const std::filesystem::path&, const GsvdStripes<Complex>&, const Attributes&);

}  // namespace pivotlab
