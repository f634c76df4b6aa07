// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/symmetrize.hpp>

#include <experiments/ldlt/symmetric_files.hpp>
#include <experiments/problems/file_source.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::experiments {
namespace {

using Complex = std::complex<double>;

AnyMatrix read_right_hand_sides(const std::string& name, Index n) {
  MatrixFile file(name);
  if (const Index rows = file.shape().rows; rows != n)
    throw InputError(fmt::format("{}: right-hand sides: have {} rows where A has {}; give as many", name, rows, n));
  return file.read();
}

/// Reads the whole matrix; prints a line on stderr if the triangles were averaged.
AnySymmetric read_whole_symmetric(const std::string& file, Symmetry symmetry) {
  Symmetrization averaged;
  AnySymmetric any = read_symmetric_but_for_rounding(file, symmetry, averaged);
  if (averaged.elements == 0) return any;
  fmt::print(stderr,
             "pivotlab: {}: matrix A: it is symmetric but for rounding, so its triangles are averaged (pairs that "
             "differ: {}, at most by {:.2g} ulp at ({}, {})); --triangle lower takes one as it is\n",
             on_terminal(file), averaged.elements, averaged.ulps, averaged.row + 1, averaged.column + 1);
  std::visit([](auto& matrix) { matrix.provenance += " (triangles averaged)"; }, any);
  return any;
}

}  // namespace

InputTriangle parse_triangle(std::string_view name) {
  if (name == "whole") return InputTriangle::whole;
  return name == "lower" ? InputTriangle::lower : InputTriangle::upper;
}

CommandOption triangle_option(std::string& triangle) {
  return {"--triangle", &triangle, "Part of A that is read: whole, lower or upper",
          "NAME",       false,     {"whole", "lower", "upper"}};
}

AnySymmetric read_input_symmetric(const std::string& file, InputTriangle triangle, Symmetry symmetry) {
  if (triangle == InputTriangle::whole) return read_whole_symmetric(file, symmetry);
  const Symmetry stated = read_symmetric_shape(file, symmetry).symmetry;
  return std::visit(
      [&]<class T>(const PackedTriangle<T>& A) -> AnySymmetric {
        return SymmetricMatrix<T>{.A = unpack(A, stated), .symmetry = stated, .provenance = file};
      },
      read_triangle(file, triangle, symmetry));
}

AnySystem with_right_hand_sides(AnySymmetric any, const std::string& file) {
  const Index n = std::visit([](const auto& matrix) { return matrix.A.rows(); }, any);
  AnyMatrix B = file.empty() ? AnyMatrix(Matrix<double>(n, 0)) : read_right_hand_sides(file, n);
  if (auto* real = std::get_if<SymmetricMatrix<double>>(&any)) {
    if (auto* right = std::get_if<Matrix<double>>(&B)) return LinearSystem<double>{std::move(*real), std::move(*right)};
    SymmetricMatrix<Complex> complex{
        .A = to_complex(std::move(real->A)), .symmetry = Symmetry::hermitian, .provenance = real->provenance};
    return LinearSystem<Complex>{std::move(complex), std::get<Matrix<Complex>>(std::move(B))};
  }
  return LinearSystem<Complex>{std::get<SymmetricMatrix<Complex>>(std::move(any)), to_complex(std::move(B))};
}

}  // namespace pivotlab::experiments
