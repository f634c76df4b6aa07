// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/input_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "generators/io/check.hpp"

namespace pivotlab {
namespace io {
namespace {

std::string first_bytes(const std::filesystem::path& file) {
  std::string bytes(16, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(stream.gcount());
  return bytes;
}

/// Throws InputError if the file cannot be a Matrix Market file.
void require_text(const std::filesystem::path& file, const std::string& dataset) {
  const auto start = first_bytes(file);
  const bool is_gzip = start.starts_with("\x1f\x8b");
  const bool is_text = start.starts_with("%%");  // the reader checks the rest of the banner
  if (!is_gzip && !is_text)
    fail(file, "", fmt::format("is neither HDF5 nor Matrix Market (it begins with {})", printable(start)),
         "convert it to one of them");
  if (!dataset.empty()) fail(file, dataset, "a Matrix Market file has no datasets", "give the name of the file alone");
}

template <class T>
PackedTriangle<T> packed(const Matrix<T>& A, InputTriangle triangle, pivotlab::Symmetry symmetry) {
  PackedTriangle<T> result(A.rows());
  for (Index j = 0; j < A.cols(); ++j) {
    result.diagonal(j) = A(j, j);
    for (Index i = j + 1; i < A.rows(); ++i)
      result.column(j)[i] = triangle == InputTriangle::lower            ? A(i, j)
                            : symmetry == pivotlab::Symmetry::hermitian ? conjugate(A(j, i))
                                                                        : A(j, i);
  }
  return result;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& text, const std::vector<std::string>& own) : file_(text) {
  const auto& name = text.native();
  const auto colon = name.rfind(":/");
  if (colon != std::string::npos && !std::filesystem::exists(text)) {
    file_ = name.substr(0, colon);
    dataset_ = name.substr(colon + 1);
  }
  if (!hdf5::has_signature(file_)) {
    require_text(file_, dataset_);
    text_.emplace(file_);
  } else if (dataset_.empty()) {
    hdf5_.emplace(file_, hdf5::Wanted{.objects = {}, .optional = own, .list = true});
  } else {
    hdf5_.emplace(file_, hdf5::Wanted{.objects = {dataset_}});
  }
}

const hdf5::OldFile* InputFile::with_schema(std::string_view schema) const {
  return hdf5_ && dataset_.empty() && hdf5_->text("schema") == schema ? &*hdf5_ : nullptr;
}

std::string InputFile::object() const {
  if (!dataset_.empty()) return dataset_;
  const auto& matrices = hdf5_->matrices();
  if (matrices.empty()) fail(file_, "", "has no matrix", "name a dataset, as in file.h5:/group/dataset");
  if (matrices.size() > 1)
    fail(file_, "", fmt::format("has {} matrices", matrices.size()),
         fmt::format("name one as {}:{}", file_.filename().string(),
                     in_ascii(fmt::format("{} ({})", matrices.front(), fmt::join(matrices, ", ")))));
  return matrices.front();
}

MatrixShape InputFile::shape() const {
  return text_ ? text_->shape() : hdf5::read_shape(*hdf5_, object());
}

AnyMatrix InputFile::read() {
  return text_ ? text_->read() : hdf5::read_matrix(*hdf5_, object());
}

AnyTriangle InputFile::read_triangle(InputTriangle triangle, pivotlab::Symmetry symmetry) {
  if (!text_) return hdf5::read_triangle(*hdf5_, object(), triangle, symmetry);
  require_square(file_, shape().rows, shape().cols);
  return std::visit([&](const auto& A) -> AnyTriangle { return packed(A, triangle, symmetry); }, read());
}

void require_square(const std::filesystem::path& file, Index rows, Index cols) {
  if (rows != cols) fail(file, "matrix A", fmt::format("is {} x {}", rows, cols), "give a square matrix");
}

void require_truth(const std::filesystem::path& file, std::string_view what, std::size_t count, Index rows) {
  if (count != 0 && count != static_cast<std::size_t>(rows))
    fail(file, std::string(what), fmt::format("there are {} for {} rows", count, rows),
         "give one for each row, or none");
}

}  // namespace io

AnyMatrix read_matrix(const std::filesystem::path& file) {
  return io::InputFile(file).read();
}

MatrixShape read_matrix_shape(const std::filesystem::path& file) {
  return io::InputFile(file).shape();
}

struct MatrixFile::Opened {
  io::InputFile file;
};

MatrixFile::MatrixFile(const std::filesystem::path& file) : opened_(new Opened{io::InputFile(file)}) {}
MatrixFile::~MatrixFile() = default;

MatrixShape MatrixFile::shape() const {
  return opened_->file.shape();
}

AnyMatrix MatrixFile::read() {
  return opened_->file.read();
}

}  // namespace pivotlab
