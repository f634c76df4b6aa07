#include <experiments/metrics/gsvd_metrics.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

nlohmann::json number(double x) {
  return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json();
}
nlohmann::json number(const std::optional<double>& x) {
  return x ? number(*x) : nlohmann::json();
}

nlohmann::json to_json(const GsvdBounds& bounds) {
  return {{"residual_f", number(bounds.residual_f)},
          {"residual_g", number(bounds.residual_g)},
          {"residual_fz", number(bounds.residual_fz)},
          {"residual_gz", number(bounds.residual_gz)},
          {"backward_f", number(bounds.backward_f)},
          {"backward_g", number(bounds.backward_g)},
          {"orthogonality_u", number(bounds.orthogonality_u)},
          {"orthogonality_v", number(bounds.orthogonality_v)},
          {"sigma_sum", number(bounds.sigma_sum)},
          {"sigma_ratio", number(bounds.sigma_ratio)},
          {"sigma_backward", number(bounds.sigma_backward)},
          {"growth_f", number(bounds.growth_f)},
          {"growth_g", number(bounds.growth_g)}};
}

}  // namespace

nlohmann::json to_json(const GsvdMetrics& metrics) {
  nlohmann::json ratios = nlohmann::json::array();
  for (const double ratio : metrics.dgsvts3) ratios.push_back(number(ratio));
  return {{"residual_f", number(metrics.residual_f)},
          {"residual_g", number(metrics.residual_g)},
          {"residual_fz", number(metrics.residual_fz)},
          {"residual_gz", number(metrics.residual_gz)},
          {"backward_f", number(metrics.backward_f)},
          {"backward_g", number(metrics.backward_g)},
          {"orthogonality_u", number(metrics.orthogonality_u)},
          {"orthogonality_v", number(metrics.orthogonality_v)},
          {"sigma_sum", number(metrics.sigma_sum)},
          {"sigma_ratio", number(metrics.sigma_ratio)},
          {"sigma_error", number(metrics.sigma_error)},
          {"sigma_backward", number(metrics.sigma_backward)},
          {"dgsvts3", ratios},
          {"precision", to_string(metrics.precision)},
          {"device", to_string(metrics.device)},
          {"verdict_bounds", to_json(metrics.bounds)}};
}

}  // namespace pivotlab::experiments
