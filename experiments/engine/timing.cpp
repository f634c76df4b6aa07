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

Samples earlier_samples(const nlohmann::json& time) {
  Samples samples;
  samples.compute_s = time.at("compute_s").at("samples").get<std::vector<double>>();
  samples.wall_s = time.at("wall_s").at("samples").get<std::vector<double>>();
  samples.probe_s = time.value("probe_s", std::vector<double>());
  samples.earlier = samples.wall_s.size();
  samples.earlier_crowded = time.value("crowded_samples", 0);
  samples.earlier_flags = time.at("flags").get<std::vector<std::string>>();
  std::erase(samples.earlier_flags, "noisy");  // all samples together decide that
  return samples;
}

nlohmann::json to_json(const std::vector<double>& samples) {
  const Quartiles q = quartiles(samples);
  return {{"median", q.median}, {"q1", q.q1}, {"q3", q.q3}, {"samples", samples}};
}

std::vector<std::string> flags(const Samples& samples, const Timing& timing, int threads, int machine_cores) {
  constexpr double kLeastTime = 0.2, kTolerance = 0.25;
  std::vector<std::string> result;
  if (relative_spread(samples.compute_s) > timing.relative_spread) result.emplace_back("noisy");
  result.insert(result.end(), samples.earlier_flags.begin(), samples.earlier_flags.end());
  const auto first = samples.wall_s.begin() + static_cast<std::ptrdiff_t>(samples.earlier);
  const double time = std::accumulate(first, samples.wall_s.end(), 0.0);
  const bool loaded = time >= kLeastTime && machine_cores - samples.others_cpu_s / time < threads - kTolerance;
  if (loaded && std::ranges::find(result, "loaded") == result.end()) result.emplace_back("loaded");
  return result;
}

int crowded_samples(const Samples& samples, int threads, int machine_cores) {
  return samples.earlier_crowded + static_cast<int>(std::ranges::count_if(samples.others_running, [&](int others) {
           return machine_cores - others < threads;
         }));
}

}  // namespace pivotlab::experiments
