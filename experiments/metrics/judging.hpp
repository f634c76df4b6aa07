// SPDX-License-Identifier: BSD-3-Clause
// Settings of the verification of a solution: precision, device, and threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <pivotlab/matrix.hpp>
#include <pivotlab/status.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

enum class JudgePrecision { quad, double_double, exact_products };
std::string_view to_string(JudgePrecision precision);

/// Where the errors were measured.
enum class JudgeDevice { host, gpu };
std::string_view to_string(JudgeDevice device);

/// The largest dimension that is judged in Quad by default; above it double-double is accurate enough.
inline constexpr Index quad_judgement_limit = 128;

/// The largest dimension that is judged in full by default, with inverses and products of matrices. Above it the errors
/// are estimated from a few random vectors (gsvd_probes.hpp), unless Σ is known and the memory of a GPU suffices.
inline constexpr Index full_judgement_limit = 16384;

/// The unit of LAPACK's ratios, DLAMCH('Precision').
inline constexpr double ulp = 0x1p-52;

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Returns error/norm, where 0/0 is 0.
inline double relative(double error, double norm) {
  return error == 0 ? 0 : error / norm;
}

/// Names what the eigenvalues or singular values of a result are compared with.
enum class Reference {
  construction,  ///< values that the construction of the problem prescribes
  extended,      ///< values from a computation in extended precision
  residuals,     ///< Rayleigh quotients with bounds (residual_reference.hpp)
  refined,       ///< values that a refinement of the result's vectors proves (pivotlab/refine.hpp)
  working        ///< values from another algorithm in double
};
std::string_view to_string(Reference reference);

struct JudgeOptions {
  /// Nothing: Quad up to quad_judgement_limit, exact products on a GPU from a dimension of the method on, double-double
  /// elsewhere. exact_products: these at any dimension, if there is a GPU; the others: without a GPU.
  std::optional<JudgePrecision> precision = {};
  int threads = 0;                       ///< never changes a bit
  std::optional<Index> full_limit = {};  ///< nothing: the limit of the method
};

/// Returns the options that the environment variable PIVOTLAB_JUDGE sets: one of the precisions, to compare judges.
/// Throws InputError for another value.
JudgeOptions judge_options_of_environment();

/// The precision without exact products, and the threads, for a problem whose largest dimension is `size`. Small ones
/// take one thread: several take longer to meet than to work.
inline JudgePrecision precision_for(const JudgeOptions& options, Index size) {
  if (options.precision && *options.precision != JudgePrecision::exact_products) return *options.precision;
  return size <= quad_judgement_limit ? JudgePrecision::quad : JudgePrecision::double_double;
}
inline int threads_for(const JudgeOptions& options, Index size) {
  return size <= 48 ? 1 : options.threads;
}

/// The bounds that a judge by exact products (kernels/exact) proves for its own errors.
struct JudgeProof {
  int moduli = 0;                                  ///< of the products
  double residual_error = not_a_number;            ///< bound of the errors of the residuals, in their units
  std::optional<double> orthogonality_error = {};  ///< the same of the orthogonality
};

/// Returns whether an error that is known up to `bound` says what is needed: three digits, or six digits less than the
/// threshold of the verdict, and on which side of the threshold it is.
inline bool is_settled(double error, double bound, double threshold) {
  return bound <= std::max(1e-3 * error, 1e-6 * threshold) && std::abs(error - threshold) > bound;
}

/// From this dimension on, a GPU measures by exact products if there is one.
inline constexpr Index proof_order = 512;

/// Returns whether a GPU may measure a problem of this dimension, by exact products.
inline bool may_prove(const JudgeOptions& options, Index size, Index least = proof_order) {
  const bool wanted = options.precision ? *options.precision == JudgePrecision::exact_products : size >= least;
  return wanted && size <= options.full_limit.value_or(size);
}

/// The members that the metrics of all methods have.
struct JudgeReport {
  JudgePrecision precision = JudgePrecision::quad;
  JudgeDevice device = JudgeDevice::host;
  std::optional<JudgeProof> proof = {};  ///< of a judge by exact products
  Status verdict = Status::incorrect;    ///< passed or incorrect; skipped: not judged
  std::string message = {};  ///< the metrics beyond their bounds, or another reason, one line; empty if passed

  /// Tells that a GPU has measured by exact products, up to these errors.
  void set_proof(const JudgeProof& proved) {
    precision = JudgePrecision::exact_products, device = JudgeDevice::gpu, proof = proved;
  }
};

/// A metric and its bound in a passed result.
struct BoundedMetric {
  std::string name;
  double value, bound;  ///< infinite bound: the metric is not part of the verdict
};

/// Lists the metrics that exceed their bounds, in one line: "dsyt01 41 > 30, …"; "dsyt01 cannot be computed" where it
/// or its bound is NaN. Empty if there is none.
std::string describe_failures(const std::vector<BoundedMetric>& metrics);

}  // namespace pivotlab::experiments
