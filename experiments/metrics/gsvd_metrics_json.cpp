#include <experiments/metrics/gsvd_metrics.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

nlohmann::json to_json(const GsvdBounds& bounds) {
  return {{"residual_f", number_or_null(bounds.residual_f)},
          {"residual_g", number_or_null(bounds.residual_g)},
          {"residual_fz", number_or_null(bounds.residual_fz)},
          {"residual_gz", number_or_null(bounds.residual_gz)},
          {"backward_f", number_or_null(bounds.backward_f)},
          {"backward_g", number_or_null(bounds.backward_g)},
          {"orthogonality_u", number_or_null(bounds.orthogonality_u)},
          {"orthogonality_v", number_or_null(bounds.orthogonality_v)},
          {"sigma_sum", number_or_null(bounds.sigma_sum)},
          {"sigma_ratio", number_or_null(bounds.sigma_ratio)},
          {"sigma_backward", number_or_null(bounds.sigma_backward)},
          {"growth_f", number_or_null(bounds.growth_f)},
          {"growth_g", number_or_null(bounds.growth_g)}};
}

}  // namespace

nlohmann::json to_json(const GsvdMetrics& metrics) {
  nlohmann::json ratios = nlohmann::json::array();
  for (const double ratio : metrics.dgsvts3) ratios.push_back(number_or_null(ratio));
  return {{"probes", metrics.probes},
          {"residual_f", number_or_null(metrics.residual_f)},
          {"residual_g", number_or_null(metrics.residual_g)},
          {"residual_fz", number_or_null(metrics.residual_fz)},
          {"residual_gz", number_or_null(metrics.residual_gz)},
          {"backward_f", number_or_null(metrics.backward_f)},
          {"backward_g", number_or_null(metrics.backward_g)},
          {"orthogonality_u", number_or_null(metrics.orthogonality_u)},
          {"orthogonality_v", number_or_null(metrics.orthogonality_v)},
          {"sigma_sum", number_or_null(metrics.sigma_sum)},
          {"sigma_ratio", number_or_null(metrics.sigma_ratio)},
          {"sigma_error", number_or_null(metrics.sigma_error)},
          {"sigma_backward", number_or_null(metrics.sigma_backward)},
          {"dgsvts3", ratios},
          {"precision", to_string(metrics.precision)},
          {"device", to_string(metrics.device)},
          {"verdict_bounds", to_json(metrics.bounds)}};
}

}  // namespace pivotlab::experiments
