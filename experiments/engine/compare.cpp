#include <fmt/format.h>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/record.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// Beyond this factor a single sample is sufficient.
constexpr double kBeyondNoise = 2;

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

double geometric_median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::sqrt(sorted[half - 1] * sorted[half]);
}

std::map<std::string, double> scalar_metrics(const json& metrics) {
  std::map<std::string, double> result;
  if (!metrics.is_object()) return result;
  for (const auto& [name, value] : metrics.items()) {
    if (value.is_number()) result[name] = value;
    if (!value.is_array()) continue;
    for (std::size_t i = 0; i < value.size(); ++i)
      if (value[i].is_number()) result[fmt::format("{}.{}", name, i + 1)] = value[i];
  }
  return result;
}

Side make_side(const json& record, const std::string& quantity) {
  const json& time = record["time"][quantity];
  Side side{case_of(record["case"]).value_or(Case()),
            record["key"],
            record["status"],
            NAN,
            time["samples"],
            scalar_metrics(record["metrics"]),
            {}};
  if (time["median"].is_number()) side.median = time["median"];
  for (const json& flag : record["time"]["flags"])
    if (flag.is_string()) side.flags.push_back(flag);
  return side;
}

std::vector<Side> read_sides(const std::filesystem::path& path, const std::string& quantity) {
  std::vector<Side> sides;
  for (const json& record : read_records(path)) sides.push_back(make_side(record, quantity));
  return sides;
}

/// Returns the values that must be equal in both cases of a pair, as text.
std::string pairing_key(const Case& axes, const std::vector<std::string>& ignore) {
  Case rest = axes;
  for (const std::string& name : ignore) rest.erase(name);
  return canonical_json(rest);
}

std::map<std::string, const Side*> index_by_pairing_key(const std::vector<Side>& sides, const CompareOptions& options,
                                                        const std::filesystem::path& path) {
  std::map<std::string, const Side*> index;
  for (const Side& side : sides)
    if (const auto [place, is_new] = index.emplace(pairing_key(side.axes, options.ignore), &side); !is_new)
      throw InputError(fmt::format("{}: cases {} and {} differ only in axes that are ignored; ignore fewer",
                                   path.string(), place->second->key, side.key));
  return index;
}

Verdict judge(const RatioEstimate& estimate, const CompareOptions& options) {
  const double beyond = 1 + options.threshold;
  if (estimate.confidence < options.confidence) {
    if (estimate.upper <= 1 / kBeyondNoise) return Verdict::faster;
    return estimate.lower >= kBeyondNoise ? Verdict::slower : Verdict::unsure;
  }
  if (estimate.lower >= 1 / beyond && estimate.upper <= beyond) return Verdict::same;
  if (estimate.upper < 1 && estimate.ratio < 1 / beyond) return Verdict::faster;
  return estimate.lower > 1 && estimate.ratio > beyond ? Verdict::slower : Verdict::unsure;
}

/// Returns the least number of samples on each side for which the interval from the smallest to the largest ratio has
/// this confidence.
std::size_t samples_needed(double confidence) {
  std::size_t count = 1;
  while (1 - 2 * mann_whitney_distribution(count, count).front() < confidence) ++count;
  return count;
}

std::string percent(double fraction) {
  return fmt::format("{:.3g}%", 100 * fraction);
}

/// Returns why the comparison of two times is UNSURE.
std::string why_unsure(const Side& a, const Side& b, const RatioEstimate& estimate, const CompareOptions& options) {
  if (!a.passed() || !b.passed())
    return fmt::format("{} did not pass", b.passed() ? "A" : a.passed() ? "B" : "A and B");
  if (estimate.confidence < options.confidence) {
    const std::size_t needed = samples_needed(options.confidence);
    return fmt::format("{} and {} samples give the interval {} confidence, not {}; take {} each", a.samples.size(),
                       b.samples.size(), percent(estimate.confidence), percent(options.confidence), needed);
  }
  return fmt::format("the interval reaches across the threshold of {}", percent(options.threshold));
}

Comparison compare_sides(const Side& a, const Side& b, const CompareOptions& options) {
  Comparison result{a, b, estimate_ratio(a.samples, b.samples, options.confidence)};
  if (a.passed() && b.passed()) result.verdict = judge(result.ratio, options);
  if (result.verdict != Verdict::unsure) return result;
  result.why = why_unsure(a, b, result.ratio, options);
  const bool is_not_slower =
      result.ratio.confidence >= options.confidence && result.ratio.upper <= 1 + options.threshold;
  result.may_be_slower = a.passed() && b.passed() && !is_not_slower;
  return result;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "SAME";
    case Verdict::faster:
      return "FASTER";
    case Verdict::slower:
      return "SLOWER";
    case Verdict::unsure:
      return "UNSURE";
  }
  return "";
}

RatioEstimate estimate_ratio(const std::vector<double>& a, const std::vector<double>& b, double confidence) {
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

std::size_t ComparisonSet::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const Comparison& pair) { return pair.verdict == verdict; }));
}

std::size_t ComparisonSet::regressions() const {
  return static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), [](const Comparison& pair) {
    return pair.verdict == Verdict::slower || (pair.a.passed() && !pair.b.passed());
  }));
}

bool ComparisonSet::decided() const {
  return std::ranges::any_of(pairs, [](const Comparison& p) { return p.a.passed() && p.b.passed(); }) &&
         std::ranges::none_of(pairs, &Comparison::may_be_slower);
}

ComparisonSet compare(const std::filesystem::path& a, const std::filesystem::path& b, const CompareOptions& options) {
  if (options.quantity != "compute_s" && options.quantity != "wall_s")
    throw InputError(fmt::format("compare: unknown time '{}'; take compute_s or wall_s", options.quantity));
  const std::vector<Side> sides_a = read_sides(a, options.quantity), sides_b = read_sides(b, options.quantity);
  const auto index_a = index_by_pairing_key(sides_a, options, a), index_b = index_by_pairing_key(sides_b, options, b);

  ComparisonSet result;
  for (const Side& side : sides_a) {
    const auto partner = index_b.find(pairing_key(side.axes, options.ignore));
    if (partner == index_b.end())
      result.only_a.push_back(side.axes);
    else
      result.pairs.push_back(compare_sides(side, *partner->second, options));
  }
  for (const Side& side : sides_b)
    if (!index_a.contains(pairing_key(side.axes, options.ignore))) result.only_b.push_back(side.axes);
  if (result.pairs.empty())
    throw InputError(fmt::format("{} and {}: no case occurs in both; ignore the axes in which they differ (--ignore)",
                                 a.string(), b.string()));
  return result;
}

}  // namespace pivotlab::experiments
