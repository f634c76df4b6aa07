// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/inertia_certificate.hpp>

namespace pivotlab::experiments {

std::optional<bool> agrees(const InertiaReport& report, const Inertia& known) {
  const auto& [positive, negative, open] = report.inertia;
  if (report.status == InertiaStatus::certified) return report.inertia == known;
  const bool possible = known.positive >= positive && known.negative >= negative;
  if (possible && report.status == InertiaStatus::undetermined) return std::nullopt;
  return possible;
}

}  // namespace pivotlab::experiments
