// SPDX-License-Identifier: BSD-3-Clause
// Comparison of two runs, case by case.
#pragma once

#include <experiments/engine/ratio.hpp>
#include <experiments/engine/value.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// SAME: the interval of the ratio lies within the threshold of 1. FASTER, SLOWER: B differs from A by more than the
/// threshold and by more than noise (CompareOptions), and the samples show it. UNSURE: neither, or a side did not pass,
/// or was disturbed; Comparison::why gives the reason.
enum class Verdict { same, faster, slower, unsure };
std::string_view to_string(Verdict verdict);  ///< "SAME", "FASTER", "SLOWER", "UNSURE"

struct CompareOptions {
  std::vector<std::string> ignore;     ///< axes that may differ between A and B, e.g. solver, backend, threads
  std::string quantity = "compute_s";  ///< or "wall_s"
  double threshold = 0.05;
  double confidence = 0.90;  ///< of the intervals; requires three samples on each side
  /// Probability that two runs of equal programs differ in any case. Each case is tested for a difference by the
  /// two-sided Mann–Whitney test, and must stand out from the differences of all cases, which are the noise of
  /// processes; of fewer than five cases, the tests are corrected by Holm's method instead. With samples too few for
  /// that, FASTER and SLOWER require a factor of 2.
  double false_alarms = 0.01;
  /// The k-th samples of both sides make a pair, which has seen one state of the machine (solve_in_pairs). The test is
  /// the sign test of the pairs' ratios then; of several passes, the interval of the ratio must exclude 1, too.
  bool pairs = false;
};

/// A record, reduced to what a comparison needs.
struct Side {
  Case axes;
  std::string key, status;
  double median = 0;
  std::vector<double> samples;
  std::map<std::string, double> metrics;     ///< the scalar ones
  std::vector<std::string> flags = {};       ///< flags of the times: noisy, loaded, …
  bool loaded = false;                       ///< other work disturbed more than a sample in five
  std::string machine = {};                  ///< its host, processor and probe
  std::vector<double> passes = {};           ///< times of passes (pass_times), if there are several
  std::vector<std::size_t> pass_sizes = {};  ///< their numbers of samples
  std::vector<double> probe_s = {};          ///< of the core beside each sample (probe_core_s()), in newer records
  bool slowed = false;  ///< the core was slower beside more than a sample in five than it usually is

  bool disturbed() const { return loaded || slowed; }
  bool passed() const { return status == "passed"; }
};

struct Comparison {
  Side a, b;            ///< the axes are equal but for the ignored ones
  RatioEstimate ratio;  ///< B / A
  Verdict verdict = Verdict::unsure;
  std::string why = {};        ///< why the verdict is UNSURE; empty otherwise
  bool may_be_slower = false;  ///< UNSURE, both cases passed, and B may be slower by the threshold
};

struct ComparisonSet {
  std::vector<Comparison> pairs;     ///< in the order of A
  std::vector<Case> only_a, only_b;  ///< without a partner
  std::size_t count(Verdict verdict) const;
  std::size_t regressions() const;  ///< slower, or A passed and B did not
  /// Returns whether at least one pair passed on both sides, and each of these pairs is known to be slower or known not
  /// to be slower.
  bool decided() const;
};

/// Compares the cases of two runs. The names of the runs are for messages. Throws as the other overload.
ComparisonSet compare(std::vector<Side> a, std::vector<Side> b, const CompareOptions& options = {},
                      const std::string& name_a = "A", const std::string& name_b = "B");

/// Compares run folders or record files. Throws InputError if one cannot be read, if no cases pair, and if a case has
/// several partners because too many axes are ignored.
ComparisonSet compare(const std::filesystem::path& a, const std::filesystem::path& b,
                      const CompareOptions& options = {});

/// Compares what was measured beside each other in one run: A is the other build (member `beside` of records). Throws
/// as the other overload, and InputError if there was none.
ComparisonSet compare_pairs(const std::filesystem::path& run, CompareOptions options = {});

}  // namespace pivotlab::experiments
