// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/disturbance.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/timing.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// Beyond this factor, and a slice of the scheduler's time, a single sample is sufficient.
constexpr double kBeyondNoise = 2, kSlice_s = 0.01;
/// Differences up to this come from the places of code and data in memory and from starts of threads, which are other
/// ones in every process.
constexpr double kProcessNoise_s = 50e-6;
/// The other cases' differences are those of processes and of the machine's state: the noise floor, which the samples
/// of one case do not show. A single case differs if it is an outlier among them; several cases differ if they do so by
/// this multiple of the scale of all, which half of them may exceed on purpose. Simulated pairs of runs of equal
/// programs, 9 cases with differences of 0.3 to 5 % between processes and 2 % from case to case, have a regression in
/// at most 1 % on average (SimulatedRuns).
constexpr double kBeyondOthers = 4.25;
constexpr std::size_t kCasesForScale = 5;

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
  Side side{case_of(record["case"]).value_or(Case()), record["key"], record["status"], NAN, time["samples"],
            scalar_metrics(record["metrics"])};
  if (time["median"].is_number()) side.median = time["median"];
  for (const json& flag : record["time"]["flags"])
    if (flag.is_string()) side.flags.push_back(flag);
  // Records of earlier versions tell only whether other tasks ran, not whether the case had to wait for them.
  const json& times = record["time"];
  const auto disturbed = times.value("disturbed_samples", times.value("crowded_samples", std::size_t{0}));
  const bool is_flagged = std::ranges::find(side.flags, "loaded") != side.flags.end();
  side.loaded = (is_flagged && !times.contains("disturbed_samples")) || 5 * disturbed > side.samples.size();
  const char* probe = times.contains("core_s") ? "core_s" : "probe_s";  // earlier versions had another one
  side.probe_s = times.value(probe, std::vector<double>());
  side.pass_sizes = times.value("passes", std::vector<std::size_t>());
  side.passes = pass_times(side.samples, side.pass_sizes);
  side.machine = json{record["environment"]["host"], record["environment"]["cpu"], probe}.dump();
  return side;
}

std::vector<Side> read_sides(const std::filesystem::path& path, const std::string& quantity) {
  std::vector<Side> sides;
  for (const json& record : read_records(path)) sides.push_back(make_side(record, quantity));
  return sides;
}

/// Sets Side::slowed. The usual time of a machine's probe is that of its fastest twentieth.
void find_slowed(std::vector<Side>& a, std::vector<Side>& b) {
  std::map<std::string, std::vector<double>> probes;
  for (const auto* sides : {&a, &b})
    for (const Side& side : *sides)
      probes[side.machine].insert(probes[side.machine].end(), side.probe_s.begin(), side.probe_s.end());
  for (auto& [machine, times] : probes) std::ranges::sort(times);
  for (auto* sides : {&a, &b})
    for (Side& side : *sides) {
      const std::vector<double>& times = probes[side.machine];
      const auto slowed =
          std::ranges::count_if(side.probe_s, [&](double s) { return s > slowed_core * times[times.size() / 20]; });
      side.slowed = 5 * static_cast<std::size_t>(slowed) > side.samples.size();
    }
}

double p_value(const Comparison& pair, const CompareOptions& options) {
  return (options.pairs ? pairs_p_value : difference_p_value)(pair.a.samples, pair.b.samples);
}

double own_time_of(const Side& side) {
  return side.passes.size() > 1 ? quartiles(side.passes).median : own_time(side.samples);
}

RatioEstimate ratio_of(const Side& a, const Side& b, const CompareOptions& options) {
  const double confidence = options.confidence;
  if (options.pairs) return ratio_of_pairs(a.samples, b.samples, b.pass_sizes, confidence);
  return std::min(a.passes.size(), b.passes.size()) > 1 ? ratio_of_passes(a.passes, b.passes, confidence)
                                                        : estimate_ratio(a.samples, b.samples, confidence);
}

/// Returns the values that must be equal in both cases of a pair, as text.
std::string pairing_key(const Case& axes, const std::vector<std::string>& ignore) {
  Case rest = axes;
  for (const std::string& name : ignore) rest.erase(name);
  return canonical_json(rest);
}

std::map<std::string, const Side*> index_by_pairing_key(const std::vector<Side>& sides, const CompareOptions& options,
                                                        const std::string& run) {
  std::map<std::string, const Side*> index;
  for (const Side& side : sides)
    if (const auto [place, is_new] = index.emplace(pairing_key(side.axes, options.ignore), &side); !is_new)
      throw InputError(fmt::format("{}: cases {} and {} differ only in axes that are ignored; ignore fewer", run,
                                   place->second->key, side.key));
  return index;
}

std::string percent(double fraction) {
  return fmt::format("{:.3g}%", 100 * fraction);
}

/// The scale Q_n of numbers, consistent for the normal distribution, from which up to half of them may deviate by any
/// amount (Rousseeuw & Croux, Alternatives to the median absolute deviation, 1993); 0 for less than five.
double scale_of(const std::vector<double>& x) {
  if (x.size() < kCasesForScale) return 0;
  std::vector<double> distances;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) distances.push_back(std::abs(x[i] - x[j]));
  const std::size_t half = x.size() / 2 + 1, rank = half * (half - 1) / 2 - 1;
  std::ranges::nth_element(distances, distances.begin() + static_cast<std::ptrdiff_t>(rank));
  return 2.2219 * distances[rank];
}

/// Returns whether one of the numbers x is an outlier of them: whether its deviation from the mean of the others, over
/// their standard deviation, has at most this probability for one of so many normal numbers (Grubbs 1950).
bool differs_from_others(double one, const std::vector<double>& x, double probability) {
  if (x.size() < kCasesForScale) return false;
  const auto others = static_cast<double>(x.size() - 1);
  const double mean = (std::accumulate(x.begin(), x.end(), 0.0) - one) / others;
  double squares = -(one - mean) * (one - mean);
  for (const double y : x) squares += (y - mean) * (y - mean);
  const double deviation = std::sqrt(std::max(squares, 0.0) / (others - 1) * (1 + 1 / others));
  return student_p_value((one - mean) / deviation, x.size() - 2) <= probability / static_cast<double>(x.size());
}

/// What all cases of a comparison tell about one of them.
class AllCases {
 public:
  AllCases(const std::vector<Comparison>& pairs, const CompareOptions& options) : options_(options) {
    for (const Comparison& pair : pairs)
      if (is_tested(pair)) tested_.push_back(p_value(pair, options));
    std::ranges::sort(tested_);
    // Cases that differ on purpose tell nothing about noise.
    if (!options.ignore.empty()) return;
    for (const Comparison& pair : pairs)
      if (pair.a.passed() && pair.b.passed() && pair.ratio.ratio > 0) logarithms_.push_back(std::log(pair.ratio.ratio));
    scale_ = scale_of(logarithms_);
  }

  bool has_enough_samples(const Side& a, const Side& b) const {
    return least_p_value(a.samples.size(), b.samples.size(), options_.pairs) <= options_.false_alarms / number();
  }
  /// Returns the least number of samples on each side that can show a difference.
  std::size_t samples_needed() const {
    std::size_t count = 1;
    const auto least = [&] { return least_p_value(count, count, options_.pairs); };
    while (least() > options_.false_alarms / number() || 1 - least() < options_.confidence) ++count;
    return count;
  }
  /// Returns whether the samples of a case differ more than by chance. Where too few cases tell the noise of processes,
  /// the tests are corrected for their number (Holm's method: those of smaller p-values must show it, too).
  bool shows_difference(const Comparison& pair) const {
    const double p = p_value(pair, options_);
    for (std::size_t k = 0; !knows_noise() && k < tested_.size() && tested_[k] <= p; ++k)
      if (tested_[k] > options_.false_alarms / static_cast<double>(tested_.size() - k)) return false;
    return p <= options_.false_alarms;
  }
  /// Returns whether B differs from A by more than the threshold and noise.
  bool is_beyond_noise(const Comparison& pair) const {
    const double logarithm = std::log(pair.ratio.ratio);
    return std::abs(logarithm) > std::log1p(options_.threshold) && stands_out(logarithm) && is_beyond_processes(pair);
  }

 private:
  bool is_beyond_processes(const Comparison& pair) const {
    if (options_.pairs && pair.b.passes.size() > 1) {
      const double confidence = knows_noise() ? options_.confidence : 1 - options_.false_alarms / number();
      const RatioEstimate of_passes = ratio_of_pairs(pair.a.samples, pair.b.samples, pair.b.pass_sizes, confidence);
      return of_passes.lower > 1 || of_passes.upper < 1;
    }
    return std::abs(own_time_of(pair.b) - own_time_of(pair.a)) > kProcessNoise_s;
  }
  bool is_tested(const Comparison& pair) const {
    return pair.a.passed() && pair.b.passed() &&
           least_p_value(pair.a.samples.size(), pair.b.samples.size(), options_.pairs) <= options_.false_alarms;
  }
  bool is_beyond_scale(double logarithm) const { return std::abs(logarithm) > kBeyondOthers * scale_; }
  bool stands_out(double logarithm) const {
    if (!knows_noise() || std::abs(logarithm) > std::log(kBeyondNoise)) return true;
    const auto is_beyond = [this](double one) { return is_beyond_scale(one); };
    const bool several = std::ranges::count_if(logarithms_, is_beyond) > 1;
    return (several && is_beyond(logarithm)) || differs_from_others(logarithm, logarithms_, options_.false_alarms);
  }
  bool knows_noise() const { return logarithms_.size() >= kCasesForScale; }
  /// Returns for how many tests a single one must be corrected.
  double number() const { return knows_noise() ? 1 : std::max(1.0, static_cast<double>(tested_.size())); }

  const CompareOptions& options_;
  std::vector<double> tested_;      ///< p-values of all cases with enough samples, ascending
  std::vector<double> logarithms_;  ///< log(B/A) of all cases; none where cases differ on purpose
  double scale_ = 0;                ///< of the logarithms
};

Verdict judge(const Comparison& pair, const AllCases& all, const CompareOptions& options) {
  const RatioEstimate& estimate = pair.ratio;
  const double beyond = 1 + options.threshold;
  if (estimate.confidence >= options.confidence && estimate.lower >= 1 / beyond && estimate.upper <= beyond)
    return Verdict::same;
  if (pair.a.disturbed() || pair.b.disturbed()) return Verdict::unsure;
  const Verdict direction = estimate.ratio > 1 ? Verdict::slower : Verdict::faster;
  if (!all.has_enough_samples(pair.a, pair.b)) {
    const bool differs = estimate.upper <= 1 / kBeyondNoise || estimate.lower >= kBeyondNoise;
    return differs && std::abs(pair.b.median - pair.a.median) > kSlice_s ? direction : Verdict::unsure;
  }
  return all.shows_difference(pair) && all.is_beyond_noise(pair) ? direction : Verdict::unsure;
}

/// Returns why the comparison of two times is UNSURE.
std::string why_unsure(const Comparison& pair, const AllCases& all, const CompareOptions& options) {
  const Side &a = pair.a, &b = pair.b;
  const auto sides = [](bool of_a, bool of_b) { return of_a && of_b ? "A and B" : of_a ? "A" : "B"; };
  if (!a.passed() || !b.passed()) return fmt::format("{} did not pass", sides(!a.passed(), !b.passed()));
  if (a.loaded || b.loaded)
    return fmt::format("other work ran beside {}; measure again on an idle machine", sides(a.loaded, b.loaded));
  if (a.slowed || b.slowed)
    return fmt::format("the core was slower beside {} than it usually is; measure again on an idle machine",
                       sides(a.slowed, b.slowed));
  if (!all.has_enough_samples(a, b))
    return fmt::format("{} and {} samples cannot show a difference; take {} each", a.samples.size(), b.samples.size(),
                       all.samples_needed());
  if (all.shows_difference(pair) && std::abs(std::log(pair.ratio.ratio)) > std::log1p(options.threshold))
    return "the difference is not beyond noise, that of processes or of the other cases";
  return fmt::format("the interval reaches across the threshold of {}", percent(options.threshold));
}

void decide(Comparison& pair, const AllCases& all, const CompareOptions& options) {
  const bool both_passed = pair.a.passed() && pair.b.passed();
  if (both_passed) pair.verdict = judge(pair, all, options);
  if (pair.verdict != Verdict::unsure) return;
  pair.why = why_unsure(pair, all, options);
  const bool is_not_slower = pair.ratio.confidence >= options.confidence && pair.ratio.upper <= 1 + options.threshold;
  pair.may_be_slower = both_passed && !is_not_slower;
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

ComparisonSet compare(std::vector<Side> a, std::vector<Side> b, const CompareOptions& options,
                      const std::string& name_a, const std::string& name_b) {
  find_slowed(a, b);
  const auto index_a = index_by_pairing_key(a, options, name_a), index_b = index_by_pairing_key(b, options, name_b);

  ComparisonSet result;
  for (const Side& side : a) {
    const auto partner = index_b.find(pairing_key(side.axes, options.ignore));
    if (partner == index_b.end())
      result.only_a.push_back(side.axes);
    else
      result.pairs.push_back({side, *partner->second, ratio_of(side, *partner->second, options)});
  }
  for (const Side& side : b)
    if (!index_a.contains(pairing_key(side.axes, options.ignore))) result.only_b.push_back(side.axes);
  const AllCases all(result.pairs, options);
  for (Comparison& pair : result.pairs) decide(pair, all, options);
  if (result.pairs.empty())
    throw InputError(fmt::format("{} and {}: no case occurs in both; ignore the axes in which they differ (--ignore)",
                                 name_a, name_b));
  return result;
}

void check_quantity(const std::string& name) {
  if (name != "compute_s" && name != "wall_s")
    throw InputError(fmt::format("compare: unknown time '{}'; take compute_s or wall_s", name));
}

ComparisonSet compare_pairs(const std::filesystem::path& run, CompareOptions options) {
  check_quantity(options.quantity);
  options.pairs = true;
  std::vector<Side> theirs, ours;
  for (const json& record : read_records(run)) {
    if (!record.contains("beside")) continue;
    json beside = record;
    beside.update(record["beside"]);
    theirs.push_back(make_side(beside, options.quantity));
    ours.push_back(make_side(record, options.quantity));
  }
  if (ours.empty())
    throw InputError(fmt::format("{}: no other build was measured beside it; sweep with --beside, or name a second run",
                                 run.string()));
  // Other work disturbs both samples of a pair alike.
  for (auto* sides : {&theirs, &ours})
    for (Side& side : *sides) side.loaded = false, side.probe_s.clear();
  return compare(std::move(theirs), std::move(ours), options, "the other build", run.string());
}

ComparisonSet compare(const std::filesystem::path& a, const std::filesystem::path& b, const CompareOptions& options) {
  check_quantity(options.quantity);
  std::vector<Side> sides_a = read_sides(a, options.quantity), sides_b = read_sides(b, options.quantity);
  return compare(std::move(sides_a), std::move(sides_b), options, a.string(), b.string());
}

}  // namespace pivotlab::experiments
