#include "generators/io/read_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/matrix_market.hpp"

namespace pivotlab {
namespace {

/// "file.h5:/dataset" unless there is a file of just this name.
struct Address {
  std::filesystem::path file;
  std::string dataset;  ///< empty: the file's only matrix
};

Address parse(const std::filesystem::path& text) {
  const auto& name = text.native();
  const auto colon = name.rfind(":/");
  if (colon == std::string::npos || std::filesystem::exists(text)) return {text, ""};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

/// read(file, place) of the dataset that the address means.
template <class Read>
auto read_hdf5(const Address& address, Read read) {
  const io::hdf5::Silence silence;
  const io::hdf5::OldFile file(address.file);
  if (!address.dataset.empty()) return read(file, io::hdf5::Place{address.file, address.dataset});
  const auto matrices = io::hdf5::list_matrices(file);
  if (matrices.empty()) io::fail(address.file, "", "has no matrix", "name a dataset, as in file.h5:/group/dataset");
  if (matrices.size() > 1)
    io::fail(address.file, "", fmt::format("has {} matrices", matrices.size()),
             fmt::format("name one as {}:{}", address.file.filename().string(),
                         io::in_ascii(fmt::format("{} ({})", matrices.front(), fmt::join(matrices, ", ")))));
  return read(file, io::hdf5::Place{address.file, matrices.front()});
}

std::string first_bytes(const std::filesystem::path& file) {
  std::string bytes(16, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

/// Throws InputError for what can be no Matrix Market file.
void require_text(const Address& address) {
  const auto start = first_bytes(address.file);
  const bool is_gzip = start.starts_with("\x1f\x8b");
  const bool is_text = start.starts_with("%%");  // the reader judges the rest of the banner
  if (!is_gzip && !is_text)
    io::fail(address.file, "",
             fmt::format("is neither HDF5 nor Matrix Market (it begins with {})", io::printable(start)),
             "convert it to one of them");
  if (!address.dataset.empty())
    io::fail(address.file, address.dataset, "a Matrix Market file has no datasets", "give the name of the file alone");
}

}  // namespace

AnyMatrix read_matrix(const std::filesystem::path& file) {
  const auto address = parse(file);
  if (io::hdf5::has_signature(address.file)) return read_hdf5(address, io::hdf5::read_matrix);
  require_text(address);
  return io::read_matrix_market(address.file);
}

MatrixShape read_matrix_shape(const std::filesystem::path& file) {
  const auto address = parse(file);
  if (io::hdf5::has_signature(address.file))
    return read_hdf5(address,
                     [](hid_t opened, const io::hdf5::Place& place) { return io::hdf5::read_shape(opened, place); });
  require_text(address);
  return io::read_matrix_market_shape(address.file);
}

void io::require_square(const std::filesystem::path& file, Index rows, Index cols) {
  if (rows != cols) fail(file, "matrix A", fmt::format("is {} x {}", rows, cols), "give a square matrix");
}

AnyTriangle io::read_foreign_triangle(const std::filesystem::path& file, InputTriangle triangle,
                                      pivotlab::Symmetry symmetry) {
  const auto address = parse(file);
  if (hdf5::has_signature(address.file))
    return read_hdf5(address, [&](hid_t opened, const hdf5::Place& place) {
      return hdf5::read_triangle(opened, place, triangle, symmetry);
    });
  require_text(address);
  return std::visit(
      [&]<class T>(const Matrix<T>& A) -> AnyTriangle {
        require_square(address.file, A.rows(), A.cols());
        PackedTriangle<T> packed(A.rows());
        for (Index j = 0; j < A.cols(); ++j) {
          packed.diagonal(j) = A(j, j);
          for (Index i = j + 1; i < A.rows(); ++i)
            packed.column(j)[i] = triangle == InputTriangle::lower            ? A(i, j)
                                  : symmetry == pivotlab::Symmetry::hermitian ? conjugate(A(j, i))
                                                                              : A(j, i);
        }
        return packed;
      },
      read_matrix_market(address.file));
}

}  // namespace pivotlab
