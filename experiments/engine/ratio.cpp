// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/ratio.hpp>
#include <experiments/engine/timing.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pivotlab::experiments {
namespace {

/// P(U ≤ u) for u = 0, 1, … of the Mann–Whitney statistic of m and n exchangeable samples. The numbers of arrangements
/// are the coefficients of the Gaussian binomial ∏ᵢ (1 − q^(m+i)) / (1 − qⁱ), i = 1…n.
std::vector<double> mann_whitney_distribution(std::size_t m, std::size_t n) {
  const std::size_t size = m * n + 1;
  std::vector<double> count(size, 0.0);
  count[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = size; u-- > m + i;) count[u] -= count[u - m - i];
    for (std::size_t u = i; u < size; ++u) count[u] += count[u - i];
  }
  const double total = std::accumulate(count.begin(), count.end(), 0.0);
  std::partial_sum(count.begin(), count.end(), count.begin());
  for (double& c : count) c /= total;
  return count;
}

bool are_many(std::size_t m, std::size_t n) {
  return std::min(m, n) >= samples_for_quartile;
}

double geometric_median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::sqrt(sorted[half - 1] * sorted[half]);
}

/// Both intervals enclose their quartiles with at least the confidence.
RatioEstimate ratio_of_quartiles(const std::vector<double>& a, const std::vector<double>& b, double confidence) {
  const QuantileInterval of_a = lower_quartile_interval(a, std::sqrt(confidence)),
                         of_b = lower_quartile_interval(b, std::sqrt(confidence));
  return {own_time(b) / own_time(a), of_b.lower / of_a.upper, of_b.upper / of_a.lower,
          of_a.confidence * of_b.confidence};
}

}  // namespace

RatioEstimate estimate_ratio(const std::vector<double>& a, const std::vector<double>& b, double confidence) {
  if (are_many(a.size(), b.size())) return ratio_of_quartiles(a, b, confidence);
  std::vector<double> ratios;
  for (const double x : a)
    for (const double y : b) ratios.push_back(y / x);
  if (ratios.empty()) return {NAN, NAN, NAN, 0};
  std::sort(ratios.begin(), ratios.end());

  // The k-th smallest and the k-th largest ratio enclose the true one with probability 1 − 2·P(U ≤ k − 1).
  const std::vector<double> distribution = mann_whitney_distribution(a.size(), b.size());
  const auto attained = [&](std::size_t k) { return std::max(0.0, 1 - 2 * distribution[k - 1]); };
  std::size_t k = 1;
  while (k < (ratios.size() + 1) / 2 && attained(k + 1) >= confidence) ++k;
  return {geometric_median(ratios), ratios[k - 1], ratios[ratios.size() - k], attained(k)};
}

double student_p_value(double t, std::size_t degrees) {
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
  const double sine = std::sin(angle), square = std::cos(angle) * std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? std::cos(angle) : 1, sum = degrees == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k < degrees; k += 2)
    sum += term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
  const double inside = odd ? (angle + sine * sum) * 2 / std::numbers::pi : sine * sum;
  return std::max(0.0, 1 - inside);
}

double student_quantile(double probability, std::size_t degrees) {
  double low = 0, high = 1e6;
  for (int k = 0; k < 100; ++k) {
    const double middle = (low + high) / 2;
    (student_p_value(middle, degrees) > probability ? low : high) = middle;
  }
  return high;
}

RatioEstimate ratio_of_passes(const std::vector<double>& a, const std::vector<double>& b, double confidence) {
  double difference = 0, squares = 0, variance = 0;
  for (const auto* passes : {&a, &b}) {
    const auto count = static_cast<double>(passes->size());
    double mean = 0;
    for (const double time : *passes) mean += std::log(time) / count;
    for (const double time : *passes) squares += (std::log(time) - mean) * (std::log(time) - mean);
    difference = mean - difference;
    variance += 1 / count;
  }
  const std::size_t degrees = a.size() + b.size() - 2;
  const double reach =
      student_quantile(1 - confidence, degrees) * std::sqrt(variance * squares / static_cast<double>(degrees));
  return {std::exp(difference), std::exp(difference - reach), std::exp(difference + reach), confidence};
}

RatioEstimate ratio_of_pairs(const std::vector<double>& a, const std::vector<double>& b,
                             const std::vector<std::size_t>& passes, double confidence) {
  if (a.empty() || a.size() != b.size()) return {NAN, NAN, NAN, 0};
  std::vector<double> logarithms;
  for (std::size_t k = 0; k < a.size(); ++k) logarithms.push_back(std::log(b[k] / a[k]));
  if (passes.size() > 1) logarithms = of_passes(logarithms, passes, median_of);
  const QuantileInterval interval = quantile_interval(logarithms, 0.5, confidence);
  return {std::exp(median_of(logarithms)), std::exp(interval.lower), std::exp(interval.upper), interval.confidence};
}

double pairs_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || a.size() != b.size()) return 1;
  const auto count = static_cast<double>(a.size());
  double below = 0;  // pairs with the smaller sample in B; ties count as one half
  for (std::size_t k = 0; k < a.size(); ++k) below += b[k] < a[k] ? 1 : b[k] == a[k] ? 0.5 : 0;
  double tail = 0;
  for (double x = 0; x <= std::ceil(std::min(below, count - below)); ++x)
    tail += std::exp(std::lgamma(count + 1) - std::lgamma(x + 1) - std::lgamma(count - x + 1) - count * std::log(2));
  return std::min(1.0, 2 * tail);
}

double difference_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  double below = 0;  // pairs with the smaller sample in B; ties count as one half
  for (const double x : a)
    for (const double y : b) below += y < x ? 1 : y == x ? 0.5 : 0;
  const double u = std::min(below, static_cast<double>(a.size() * b.size()) - below);
  if (are_many(a.size(), b.size())) {  // the exact distribution takes long; tails of the normal one are larger
    const auto m = static_cast<double>(a.size()), n = static_cast<double>(b.size());
    const double deviation = std::sqrt(m * n * (m + n + 1) / 12);
    return std::min(1.0, std::erfc(std::max(0.0, m * n / 2 - u - 0.5) / deviation / std::numbers::sqrt2));
  }
  return std::min(1.0, 2 * mann_whitney_distribution(a.size(), b.size())[static_cast<std::size_t>(std::ceil(u))]);
}

double least_p_value(std::size_t m, std::size_t n, bool pairs) {
  if (pairs) return m == n ? std::min(1.0, 2 * std::pow(0.5, n)) : 1;
  if (are_many(m, n)) return 0;
  return m == 0 || n == 0 ? 1 : std::min(1.0, 2 * mann_whitney_distribution(m, n).front());
}

}  // namespace pivotlab::experiments
