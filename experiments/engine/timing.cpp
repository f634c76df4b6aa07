// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/timing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace pivotlab::experiments {
namespace {

double sum(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

/// Returns the samples that are not those of an earlier run or pass.
std::vector<double> new_samples(const std::vector<double>& all, std::size_t earlier) {
  return {all.begin() + static_cast<std::ptrdiff_t>(earlier), all.end()};
}

bool is_known_within(double part, const std::vector<double>& samples) {
  constexpr double confidence = 0.9;
  if (samples.size() < samples_for_quartile) return false;
  const QuantileInterval interval = lower_quartile_interval(samples, confidence);
  return interval.upper - interval.lower <= part * interval.lower;
}

}  // namespace

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

double median_of(const std::vector<double>& samples) {
  return quartiles(samples).median;
}

double relative_spread(const std::vector<double>& samples) {
  if (samples.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  const Quartiles q = quartiles(samples);
  return q.q3 == q.q1 ? 0 : (q.q3 - q.q1) / q.median;
}

QuantileInterval quantile_interval(std::vector<double> samples, double p, double confidence) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (samples.empty()) return {nan, nan, 0};
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  const auto count = static_cast<double>(n);
  // The number of samples below the quantile has the binomial distribution. The k-th smallest one, from 0, is above the
  // quartile if at most k are below it, and below it if more are.
  std::size_t lower = 0, upper = n - 1;
  double below = 0, above_lower = 0, below_upper = 0;  // P(at most k), and the tails at the ends
  for (std::size_t k = 0; k < n; ++k) {
    const auto x = static_cast<double>(k);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(x + 1) - std::lgamma(count - x + 1) + x * std::log(p) +
                      (count - x) * std::log1p(-p));
    const double tail = (1 - confidence) / 2;
    if (k == 0 || below <= tail) lower = k, above_lower = below;
    if (k == n - 1 || 1 - below <= tail) {
      upper = k, below_upper = std::max(0.0, 1 - below);
      break;
    }
  }
  return {samples[lower], samples[upper], std::max(0.0, 1 - above_lower - below_upper)};
}

QuantileInterval lower_quartile_interval(std::vector<double> samples, double confidence) {
  return quantile_interval(std::move(samples), 0.25, confidence);
}

std::vector<double> pass_times(const std::vector<double>& samples, const std::vector<std::size_t>& passes) {
  return of_passes(samples, passes, own_time);
}

std::vector<double> of_passes(const std::vector<double>& samples, const std::vector<std::size_t>& passes,
                              double (*statistic)(const std::vector<double>&)) {
  const std::size_t all = std::accumulate(passes.begin(), passes.end(), std::size_t{0});
  if (passes.empty() || all != samples.size()) return {statistic(samples)};
  std::vector<double> results;
  auto from = samples.begin();
  for (const std::size_t count : passes) {
    const auto to = from + static_cast<std::ptrdiff_t>(count);
    if (count > 0) results.push_back(statistic({from, to}));
    from = to;
  }
  return results;
}

double own_time(const std::vector<double>& samples) {
  const Quartiles q = quartiles(samples);
  return samples.size() < samples_for_quartile ? q.median : q.q1;
}

bool Samples::may_retake(const Timing& timing, double wall) const {
  const std::vector<double> wall_now = new_samples(wall_s, earlier);
  const bool in_time = sum(wall_now) + retaken_wall_s + wall < timing.budget_s;
  return timing.until > 0 && (in_time || static_cast<int>(wall_now.size()) >= timing.min_repeats);
}

bool Samples::enough(const Timing& timing) const {
  if (timing.until > 0 && earlier > 0) {
    Samples of_pass{new_samples(compute_s, earlier), new_samples(wall_s, earlier)};
    of_pass.retaken_wall_s = retaken_wall_s;
    return of_pass.enough(timing);
  }
  const auto count = static_cast<int>(wall_s.size());
  if (count >= timing.max_repeats) return true;
  if (count < timing.min_repeats) return false;
  if (sum(wall_s) + retaken_wall_s >= timing.budget_s) return true;
  if (timing.until > 0) return is_known_within(timing.until, compute_s) && is_known_within(timing.until, wall_s);
  return relative_spread(compute_s) <= timing.relative_spread && relative_spread(wall_s) <= timing.relative_spread;
}

Samples earlier_samples(const nlohmann::json& time) {
  Samples samples;
  samples.compute_s = time.at("compute_s").at("samples").get<std::vector<double>>();
  samples.wall_s = time.at("wall_s").at("samples").get<std::vector<double>>();
  samples.probe_s = time.value("core_s", std::vector<double>());
  samples.earlier = samples.wall_s.size();
  samples.earlier_crowded = time.value("crowded_samples", 0);
  samples.passes = time.value("passes", std::vector<std::size_t>{samples.earlier});
  samples.disturbed = time.value("disturbed_samples", 0);
  samples.retaken_s = time.value("retaken_s", std::vector<double>());
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
