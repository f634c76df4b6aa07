// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/timing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pivotlab::experiments {

Quartiles quartiles(std::vector<double> samples) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (samples.empty()) return {nan, nan, nan};
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double p) {
    const double position = p * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], position - static_cast<double>(below));
  };
  return {quantile(0.25), quantile(0.5), quantile(0.75)};
}

double relative_spread(const std::vector<double>& samples) {
  if (samples.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  const Quartiles q = quartiles(samples);
  return q.q3 == q.q1 ? 0 : (q.q3 - q.q1) / q.median;
}

bool Samples::enough(const Timing& timing) const {
  const auto count = static_cast<int>(wall_s.size());
  if (count >= timing.max_repeats) return true;
  if (count < timing.min_repeats) return false;
  const double spent = std::accumulate(wall_s.begin(), wall_s.end(), 0.0);
  return spent >= timing.budget_s ||
         (relative_spread(compute_s) <= timing.relative_spread && relative_spread(wall_s) <= timing.relative_spread);
}

nlohmann::json to_json(const std::vector<double>& samples) {
  const Quartiles q = quartiles(samples);
  return {{"median", q.median}, {"q1", q.q1}, {"q3", q.q3}, {"samples", samples}};
}

std::vector<std::string> flags(const Samples& samples, const Timing& timing, int threads, int machine_cores) {
  constexpr double kLeastTime = 0.2, kTolerance = 0.25;
  std::vector<std::string> result;
  if (relative_spread(samples.compute_s) > timing.relative_spread) result.emplace_back("noisy");
  const double time = std::accumulate(samples.wall_s.begin(), samples.wall_s.end(), 0.0);
  if (time >= kLeastTime && machine_cores - samples.others_cpu_s / time < threads - kTolerance)
    result.emplace_back("loaded");
  return result;
}

int crowded_samples(const Samples& samples, int threads, int machine_cores) {
  return static_cast<int>(
      std::ranges::count_if(samples.others_running, [&](int others) { return machine_cores - others < threads; }));
}

}  // namespace pivotlab::experiments
