// Power iteration for the largest singular value, a minimal method as an example.
#pragma once

#include <pivotlab/matrix.hpp>
#include <string>
#include <string_view>
#include <variants/grammar.hpp>
#include <vector>

namespace pivotlab::toy {

enum class Start { ones, first };

struct PowerVariant {
  Start start = Start::ones;
  double tolerance = 1e-14;  ///< relative change of σ that ends the iteration
};
const Grammar<PowerVariant>& power_names();

/// A square matrix with its largest singular value.
struct PowerMatrix {
  Matrix<double> A;
  double sigma = 0;  ///< 0: unknown
  std::string provenance;
};
/// H·D·H of order n, H a reflector and D = diag(1, ratio, …, ratio).
PowerMatrix make_matrix(double ratio, Index n, std::uint64_t seed);

struct PowerResult {
  double sigma = 0;
  std::vector<double> v;  ///< right singular vector
  int iterations = 0;
  bool converged = false;
  double seconds = 0;
};
PowerResult power_iteration(const Matrix<double>& A, const PowerVariant& variant);
/// The baseline: power iteration with 10,000 steps and without a test of convergence.
PowerResult many_steps(const Matrix<double>& A);

struct PowerMetrics {
  struct Bounds {
    double error = 1e-8;
  } bounds;
  double error = 0;     ///< |σ − true σ|/true σ; NaN where it is unknown
  double residual = 0;  ///< ‖Aᵀ·A·v − σ²·v‖₂/σ²
};
PowerMetrics judge(const PowerMatrix& matrix, const PowerResult& result);

}  // namespace pivotlab::toy
