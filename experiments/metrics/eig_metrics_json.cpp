#include <experiments/metrics/eig_metrics.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {

nlohmann::json to_json(const EigMetrics& metrics) {
  const EigBounds& bounds = metrics.bounds;
  return {{"residual", number_or_null(metrics.residual)},
          {"get22", number_or_null(metrics.get22)},
          {"left_residual", number_or_null(metrics.left_residual)},
          {"left_get22", number_or_null(metrics.left_get22)},
          {"similarity", number_or_null(metrics.similarity)},
          {"normalization", number_or_null(metrics.normalization)},
          {"trace_error", number_or_null(metrics.trace_error)},
          {"departure", number_or_null(metrics.departure)},
          {"vector_condition", number_or_null(metrics.vector_condition)},
          {"largest_condition", number_or_null(metrics.largest_condition)},
          {"norm_2", number_or_null(metrics.norm_2)},
          {"eigenvalue_error", number_or_null(metrics.eigenvalue_error)},
          {"relative_error", number_or_null(metrics.relative_error)},
          {"error_over_condition", number_or_null(metrics.error_over_condition)},
          {"precision", to_string(metrics.precision)},
          {"device", to_string(metrics.device)},
          {"verdict_bounds",
           {{"get22", number_or_null(bounds.get22)},
            {"left_get22", number_or_null(bounds.left_get22)},
            {"similarity", number_or_null(bounds.similarity)},
            {"normalization", number_or_null(bounds.normalization)},
            {"trace_error", number_or_null(bounds.trace_error)},
            {"eigenvalue_error", number_or_null(bounds.eigenvalue_error)}}}};
}

}  // namespace pivotlab::experiments
