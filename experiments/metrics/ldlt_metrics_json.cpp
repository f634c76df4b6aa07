#include <experiments/metrics/ldlt_metrics.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

template <class Value>
nlohmann::json value_or_null(const std::optional<Value>& x) {
  return x ? nlohmann::json(*x) : nlohmann::json();
}

}  // namespace

nlohmann::json to_json(const std::optional<Inertia>& inertia) {
  if (!inertia) return {};
  return {{"positive", inertia->positive}, {"negative", inertia->negative}, {"zero", inertia->zero}};
}

nlohmann::json to_json(const LdltMetrics& metrics) {
  const LdltBounds& bounds = metrics.bounds;
  return {{"residual", number_or_null(metrics.residual)},
          {"dsyt01", number_or_null(metrics.dsyt01)},
          {"dpot02", number_or_null(metrics.dpot02)},
          {"solve_error", number_or_null(metrics.solve_error)},
          {"max_multiplier", number_or_null(metrics.max_multiplier)},
          {"max_condition", number_or_null(metrics.max_condition)},
          {"pivots_1x1", value_or_null(metrics.pivots_1x1)},
          {"pivots_2x2", value_or_null(metrics.pivots_2x2)},
          {"rank", value_or_null(metrics.rank)},
          {"inertia", to_json(metrics.inertia)},
          {"inertia_agrees", value_or_null(metrics.inertia_agrees)},
          {"precision", to_string(metrics.precision)},
          {"device", to_string(metrics.device)},
          {"verdict_bounds",
           {{"dsyt01", number_or_null(bounds.dsyt01)},
            {"dpot02", number_or_null(bounds.dpot02)},
            {"max_multiplier", number_or_null(bounds.max_multiplier)},
            {"max_condition", number_or_null(bounds.max_condition)}}}};
}

}  // namespace pivotlab::experiments
