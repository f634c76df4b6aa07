// SPDX-License-Identifier: BSD-3-Clause
// A general square matrix in one HDF5 file.
//
//   /A                                 n × n; float64 or the compound {r, i}
//   /eigenvalues                       n × 1, complex, rounded, for other readers; only if known
//   /eigenvalues_re_exact, …_im_exact  the same without rounding (exact_numbers.hpp)
//   attributes                         schema, type, n, provenance, and those of the caller

#include "generators/io/check.hpp"
#include "generators/io/exact_numbers.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/input_file.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;

constexpr const char* schema = "pivotlab/general/1";

const std::vector<std::string> datasets{"/A", "/eigenvalues_re_exact", "/eigenvalues_im_exact"};

/// Reads the attributes of a file of write_general() into A.
template <class T>
GeneralMatrix<T> with_attributes(const io::hdf5::OldFile& file, Matrix<T> A) {
  GeneralMatrix<T> matrix{.A = std::move(A)};
  const Index n = matrix.A.rows();
  const Place re{file.name(), "/eigenvalues_re_exact"}, im{file.name(), "/eigenvalues_im_exact"};
  const auto re_parts = io::hdf5::read_optional(file, re.object), im_parts = io::hdf5::read_optional(file, im.object);
  if (re_parts && im_parts) {
    const std::vector<Quad> real = io::join_exactly(*re_parts, n, re), imag = io::join_exactly(*im_parts, n, im);
    for (std::size_t k = 0; k < real.size(); ++k) matrix.eigenvalues.emplace_back(real[k], imag[k]);
  }
  matrix.provenance = file.text("provenance").value_or(file.name().string());
  return matrix;
}

/// Returns the shape given by the attribute schema or by the file's only matrix.
MatrixShape square_shape(const std::filesystem::path& file, const io::InputFile& input) {
  const auto* own = input.with_schema(schema);
  const MatrixShape shape = own != nullptr ? io::hdf5::read_shape(*own, "/A") : input.shape();
  io::require_square(file, shape.rows, shape.cols);
  return shape;
}

template <class T>
void write(hid_t file, const Place& root, const GeneralMatrix<T>& matrix) {
  using io::hdf5::write_attribute;
  write_attribute(file, root, "schema", std::string(schema));
  write_attribute(file, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(file, root, "n", std::int64_t{matrix.A.cols()});
  write_attribute(file, root, "provenance", matrix.provenance);
  io::hdf5::write_matrix(file, Place{root.file, "/A"}, matrix.A.view(), {});
  if (matrix.eigenvalues.empty()) return;
  Matrix<std::complex<double>> rounded(matrix.A.cols(), 1);
  std::vector<Quad> re, im;
  for (const auto& value : matrix.eigenvalues) {
    rounded.data()[re.size()] = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
    re.push_back(value.real());
    im.push_back(value.imag());
  }
  io::hdf5::write_matrix(file, Place{root.file, "/eigenvalues"}, std::as_const(rounded).view(), {});
  const Matrix<double> re_parts = io::split_exactly(re), im_parts = io::split_exactly(im);
  io::hdf5::write_matrix(file, Place{root.file, "/eigenvalues_re_exact"}, re_parts.view(), {});
  io::hdf5::write_matrix(file, Place{root.file, "/eigenvalues_im_exact"}, im_parts.view(), {});
}

}  // namespace

AnyGeneral read_general(const std::filesystem::path& file) {
  io::InputFile input(file, datasets);
  square_shape(file, input);
  const auto* own = input.with_schema(schema);
  AnyMatrix any = own != nullptr ? io::hdf5::read_matrix(*own, "/A") : input.read();
  return std::visit(
      [&]<class T>(Matrix<T>& A) -> AnyGeneral {
        if (own != nullptr) return with_attributes(*own, std::move(A));
        return GeneralMatrix<T>{.A = std::move(A), .provenance = file.string()};
      },
      any);
}

MatrixShape read_general_shape(const std::filesystem::path& file) {
  return square_shape(file, io::InputFile(file, datasets));
}

void write_general(const std::filesystem::path& file, const AnyGeneral& any,
                   const std::map<std::string, std::string>& attributes) {
  std::visit(
      [&](const auto& matrix) {
        io::require_elements(file, "matrix A", matrix.A.rows(), matrix.A.cols());
        io::require_square(file, matrix.A.rows(), matrix.A.cols());
        io::require_finite(file, "matrix A", matrix.A.view());
        io::require_truth(file, "eigenvalues", matrix.eigenvalues.size(), matrix.A.rows());
        const io::hdf5::Silence silence;
        io::hdf5::NewFile output(file);
        write(output, Place{file, ""}, matrix);
        io::hdf5::write_attributes(output, Place{file, ""}, attributes);
        output.commit();
      },
      any);
}

}  // namespace pivotlab
