// SPDX-License-Identifier: BSD-3-Clause
// Reads symmetric matrices and right-hand sides from the user's files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Parses whole, lower or upper; the option --triangle.
InputTriangle parse_triangle(std::string_view name);
CommandOption triangle_option(std::string& triangle);

/// Reads a triangle of a matrix, or the whole matrix. The other triangle follows from the symmetry. Throws InputError
/// for files that cannot be used, and for a whole matrix that is not symmetric, with the largest difference and its
/// place. A matrix that is symmetric up to rounding is averaged (symmetrize()), which is reported on stderr.
AnySymmetric read_input_symmetric(const std::string& file, InputTriangle triangle, Symmetry symmetry);

/// A system: the matrix and its right-hand sides, both real or both complex.
template <class T>
struct LinearSystem {
  SymmetricMatrix<T> matrix;
  Matrix<T> B;  ///< without columns if there is no file
};
using AnySystem = std::variant<LinearSystem<double>, LinearSystem<std::complex<double>>>;

/// Reads right-hand sides from `file`, unless that is empty. Throws InputError if the number of their rows is not the
/// matrix's order.
AnySystem with_right_hand_sides(AnySymmetric matrix, const std::string& file);

}  // namespace pivotlab::experiments
