// SPDX-License-Identifier: BSD-3-Clause
// A symmetric or Hermitian matrix in one HDF5 file.
//
//   /A                  n × n, for a Hermitian matrix the lower triangle; float64 or the compound {r, i}
//   /eigenvalues        ascending, as float64, for other readers; only if known
//   /eigenvalues_exact  the same without rounding (exact_numbers.hpp)
//   attributes          schema, type, n, symmetry, provenance, inertia = "positive negative zero" if it is known, and
//                       those of the caller
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pivotlab/symmetrize.hpp>

#include "generators/io/check.hpp"
#include "generators/io/exact_numbers.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/input_file.hpp"
#include "generators/io/symmetry.hpp"
#include "kernels/numerics/lower_tiles.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;

constexpr const char* schema = "pivotlab/symmetric/1";

const char* name_of(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? "hermitian" : "symmetric";
}

[[noreturn]] void fail_diagonal(const std::filesystem::path& file, Index row, double imaginary) {
  io::fail(file, "matrix A",
           fmt::format("it is not hermitian: element ({0}, {0}) has the imaginary part {1:.3g}", row + 1, imaginary),
           "symmetrize it, or store one triangle");
}

/// Throws InputError with the largest difference of the triangles and its position.
template <class T>
void require_symmetric(const std::filesystem::path& file, MatrixView<const T> A, Symmetry symmetry) {
  io::require_square(file, A.rows, A.cols);
  const auto [apart, row, column] =
      asymmetry(A, 0, [&](const T& x) { return symmetry == Symmetry::hermitian ? conjugate(x) : x; });
  if (apart == 0) return;
  if (row == column) fail_diagonal(file, row, apart / 2);
  double largest = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = j; i < A.rows; ++i) largest = std::max(largest, std::abs(A(i, j)));
  io::fail(file, "matrix A",
           fmt::format("it is not {0}: elements ({2}, {3}) and ({3}, {2}) are {1:.3g} apart, the largest is {4:.3g}",
                       is_complex<T> ? name_of(symmetry) : "symmetric", apart, row + 1, column + 1, largest),
           "symmetrize it, or store one triangle");
}

template <class T>
void require_real_diagonal(const std::filesystem::path& file, const PackedTriangle<T>& A) {
  if constexpr (is_complex<T>)
    for (Index i = 0; i < A.order(); ++i)
      if (const double imaginary = A.diagonal(i).imag(); imaginary != 0) fail_diagonal(file, i, imaginary);
}

Inertia parse_inertia(const std::string& text, Index n, const Place& root) {
  Inertia inertia;
  const char *at = text.data(), *end = at + text.size();
  for (Index* count : {&inertia.positive, &inertia.negative, &inertia.zero}) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, *count);
    if (error != std::errc() || *count < 0)
      root.fail("the attribute inertia is not three counts", "write the file again");
    at = next;
  }
  if (inertia.positive + inertia.negative + inertia.zero != n)
    root.fail(fmt::format("the inertia does not add up to n = {}", n), "write the file again");
  return inertia;
}

const std::vector<std::string> datasets{"/A", "/eigenvalues_exact"};

Symmetry own_symmetry(const io::hdf5::OldFile& file) {
  return file.text("symmetry") == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian;
}

/// Reads the attributes of a file of write_symmetric() into A.
template <class T>
SymmetricMatrix<T> with_attributes(const io::hdf5::OldFile& file, Matrix<T> A) {
  SymmetricMatrix<T> matrix{.A = std::move(A)};
  matrix.symmetry = own_symmetry(file);
  const Place truth{file.name(), "/eigenvalues_exact"};
  if (const auto parts = io::hdf5::read_optional(file, truth.object)) {
    matrix.eigenvalues = io::join_exactly(*parts, matrix.A.cols(), truth);
    if (!std::ranges::is_sorted(matrix.eigenvalues))
      truth.fail("the eigenvalues do not ascend", "write the file again");
  }
  if (const auto counts = file.text("inertia"))
    matrix.inertia = parse_inertia(*counts, matrix.A.cols(), {file.name(), ""});
  matrix.provenance = file.text("provenance").value_or(file.name().string());
  return matrix;
}

/// Returns the shape given by the attribute schema or by the file's only matrix; `symmetry` applies to the latter.
SymmetricShape square_shape(const std::filesystem::path& file, const io::InputFile& input, Symmetry symmetry) {
  const auto* own = input.with_schema(schema);
  const MatrixShape shape = own != nullptr ? io::hdf5::read_shape(*own, "/A") : input.shape();
  io::require_square(file, shape.rows, shape.cols);
  return {shape.type, own != nullptr ? own_symmetry(*own) : symmetry, shape.cols};
}

template <class T>
void write(hid_t file, const Place& root, const SymmetricMatrix<T>& matrix) {
  using io::hdf5::write_attribute;
  write_attribute(file, root, "schema", std::string(schema));
  write_attribute(file, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(file, root, "n", std::int64_t{matrix.A.cols()});
  write_attribute(file, root, "symmetry", std::string(name_of(matrix.symmetry)));
  write_attribute(file, root, "provenance", matrix.provenance);
  if (const auto& inertia = matrix.inertia)
    write_attribute(file, root, "inertia",
                    fmt::format("{} {} {}", inertia->positive, inertia->negative, inertia->zero));
  io::hdf5::write_matrix(file, Place{root.file, "/A"}, matrix.A.view(),
                         {.lower_triangle = !is_complex<T> || matrix.symmetry == Symmetry::hermitian});
  if (matrix.eigenvalues.empty()) return;
  std::vector<double> rounded;
  for (const Quad& value : matrix.eigenvalues) rounded.push_back(static_cast<double>(value));
  io::hdf5::write_vector(file, Place{root.file, "/eigenvalues"}, rounded);
  const Matrix<double> parts = io::split_exactly(matrix.eigenvalues);
  io::hdf5::write_matrix(file, Place{root.file, "/eigenvalues_exact"}, parts.view(), {});
}

/// Reads a matrix. If `changed` is given, averages the triangles of a file that write_symmetric() has not written.
AnySymmetric read_symmetric(const std::filesystem::path& file, Symmetry symmetry, Symmetrization* changed) {
  io::InputFile input(file, datasets);
  symmetry = square_shape(file, input, symmetry).symmetry;
  const auto* own = input.with_schema(schema);
  AnyMatrix any = own != nullptr ? io::hdf5::read_matrix(*own, "/A") : input.read();
  return std::visit(
      [&]<class T>(Matrix<T>& A) -> AnySymmetric {
        if (own == nullptr && changed != nullptr) *changed = symmetrize(A, symmetry);
        require_symmetric<T>(file, A.view(), symmetry);
        if (own != nullptr) return with_attributes(*own, std::move(A));
        return SymmetricMatrix<T>{.A = std::move(A), .symmetry = symmetry, .provenance = file.string()};
      },
      any);
}

}  // namespace

AnySymmetric read_symmetric(const std::filesystem::path& file, Symmetry symmetry) {
  return read_symmetric(file, symmetry, nullptr);
}

AnySymmetric read_symmetric_but_for_rounding(const std::filesystem::path& file, Symmetry symmetry,
                                             Symmetrization& changed) {
  return read_symmetric(file, symmetry, &changed);
}

AnyTriangle read_triangle(const std::filesystem::path& file, InputTriangle triangle, Symmetry symmetry) {
  if (triangle == InputTriangle::whole)
    return std::visit(
        []<class T>(const SymmetricMatrix<T>& matrix) -> AnyTriangle {
          return pack<T>(matrix.A, InputTriangle::lower, matrix.symmetry);
        },
        read_symmetric(file, symmetry));
  io::InputFile input(file, datasets);
  const auto* own = input.with_schema(schema);
  if (own != nullptr) symmetry = own_symmetry(*own);
  AnyTriangle any = own != nullptr ? io::hdf5::read_triangle(*own, "/A", triangle, symmetry)
                                   : input.read_triangle(triangle, symmetry);
  if (symmetry == Symmetry::hermitian) std::visit([&](const auto& A) { require_real_diagonal(file, A); }, any);
  return any;
}

SymmetricShape read_symmetric_shape(const std::filesystem::path& file, Symmetry symmetry) {
  return square_shape(file, io::InputFile(file, datasets), symmetry);
}

void write_symmetric(const std::filesystem::path& file, const AnySymmetric& any,
                     const std::map<std::string, std::string>& attributes) {
  std::visit(
      [&](const auto& matrix) {
        io::require_elements(file, "matrix A", matrix.A.rows(), matrix.A.cols());
        io::require_finite(file, "matrix A", matrix.A.view());
        require_symmetric(file, matrix.A.view(), matrix.symmetry);
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
