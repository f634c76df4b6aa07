// Symmetric matrices and right-hand sides that come from the user's files.
#pragma once

#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>

namespace pivotlab::experiments {

/// A matrix of which a triangle, or the whole, is read. The other triangle becomes what the symmetry says. Throws
/// InputError for files that cannot be used, and for a whole matrix that is not symmetric: how much, and where. One
/// that is symmetric but for rounding is averaged (symmetrize()), which a line on stderr says.
AnySymmetric read_input_symmetric(const std::string& file, InputTriangle triangle, Symmetry symmetry);

/// A system: the matrix and its right-hand sides, both real or both complex.
template <class T>
struct LinearSystem {
  SymmetricMatrix<T> matrix;
  Matrix<T> B;  ///< no columns without a file
};
using AnySystem = std::variant<LinearSystem<double>, LinearSystem<std::complex<double>>>;

/// Reads right-hand sides from `file`, unless that is empty. Throws InputError where their rows do not fit.
AnySystem with_right_hand_sides(AnySymmetric matrix, const std::string& file);

/// "500 x 500, real symmetric: equidistant, seed 1", one line.
std::string describe(const AnySymmetric& matrix);

}  // namespace pivotlab::experiments
