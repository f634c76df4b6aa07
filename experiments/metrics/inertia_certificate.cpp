#include <experiments/metrics/inertia_certificate.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/metrics/ldlt_metrics.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {

std::optional<bool> agrees(const InertiaReport& report, const Inertia& known) {
  const auto& [positive, negative, open] = report.inertia;
  if (report.status == InertiaStatus::certified) return report.inertia == known;
  const bool possible = known.positive >= positive && known.negative >= negative;
  if (possible && report.status == InertiaStatus::undetermined) return std::nullopt;
  return possible;
}

nlohmann::json to_json(const InertiaReport& report) {
  const InertiaEvidence& evidence = report.evidence;
  return {{"status", to_string(report.status)},
          {"inertia", to_json(std::optional(report.inertia))},
          {"below", number_or_null(report.below)},
          {"above", number_or_null(report.above)},
          {"clear", number_or_null(report.clear)},
          {"reason", report.reason},
          {"eta", number_or_null(evidence.eta)},
          {"eta_from", to_string(evidence.eta_from)},
          {"smallest_pivot", number_or_null(evidence.smallest_pivot)},
          {"inverse_norm", number_or_null(evidence.inverse_norm)},
          {"tau", number_or_null(evidence.tau)},
          {"tau_gap", number_or_null(evidence.tau_gap)},
          {"factorizations", evidence.factorizations},
          {"equilibrated", evidence.equilibrated}};
}

}  // namespace pivotlab::experiments
