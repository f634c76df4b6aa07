// SPDX-License-Identifier: BSD-3-Clause
// Samples of a time and their statistics.
#pragma once

#include <experiments/engine/spec.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Median and quartiles, interpolated linearly between order statistics (Hyndman & Fan's type 7); NaN without samples.
struct Quartiles {
  double q1, median, q3;
};
Quartiles quartiles(std::vector<double> samples);
double median_of(const std::vector<double>& samples);

/// (q3 − q1) / median; NaN for fewer than three samples.
double relative_spread(const std::vector<double>& samples);

/// An interval that encloses a quantile with this probability, whatever the distribution of the samples.
struct QuantileInterval {
  double lower, upper, confidence;
};

/// Returns the interval of the p-quantile between two order statistics: the narrowest whose tails have at most half of
/// what the confidence leaves (Hahn & Meeker, Statistical Intervals, 5.2); the samples' range, with a lower confidence,
/// for too few samples.
QuantileInterval quantile_interval(std::vector<double> samples, double p, double confidence);

/// The same of the lower quartile.
QuantileInterval lower_quartile_interval(std::vector<double> samples, double confidence);

/// From so many samples on, the lower quartile stands for a program's own time: other work only adds to samples.
constexpr std::size_t samples_for_quartile = 30;

/// Returns the time that stands for the program's own: the lower quartile of many samples, the median of few.
double own_time(const std::vector<double>& samples);

/// Returns a statistic of each pass, whose numbers of samples are given; of all samples if these are not their numbers.
std::vector<double> of_passes(const std::vector<double>& samples, const std::vector<std::size_t>& passes,
                              double (*statistic)(const std::vector<double>&));

/// The same of own_time.
std::vector<double> pass_times(const std::vector<double>& samples, const std::vector<std::size_t>& passes);

/// The times of a case, one sample per repetition.
struct Samples {
  std::vector<double> compute_s, wall_s;
  double others_cpu_s = 0;  ///< CPU time of all other processes during the samples
  /// For each sample, how many other tasks of the machine wanted a core both before and after it.
  std::vector<int> others_running = {};
  std::vector<double> probe_s = {};  ///< for each sample, the lesser time of probe_core_s() before and after it
  std::size_t earlier = 0;           ///< the first samples that are those of an earlier run
  int earlier_crowded = 0;           ///< how many of them were crowded
  std::vector<std::string> earlier_flags = {};  ///< of the earlier run, without "noisy"
  std::vector<std::size_t> passes = {};         ///< numbers of samples of earlier passes (Timing::until)
  int disturbed = 0;                            ///< samples that other work made longer (Beside::disturbs)
  std::vector<double> retaken_s = {};  ///< further such samples, of the compute phase: others were taken instead
  double retaken_wall_s = 0;           ///< the sum of those wall times that are not of an earlier run

  /// Returns whether no further sample is needed: max_repeats is reached; or min_repeats is reached, and the budget is
  /// spent or the spread of both times is small; with Timing::until, the interval of both lower quartiles instead, of
  /// the samples of this pass alone.
  bool enough(const Timing& timing) const;

  /// Returns whether a disturbed sample of so many seconds is left out: with Timing::until, as long as all samples are
  /// within the budget or there are min_repeats others.
  bool may_retake(const Timing& timing, double wall) const;
};

/// Returns the samples of an earlier run, to which others are added, from the member `time` of its record.
Samples earlier_samples(const nlohmann::json& time);

/// Returns {"median", "q1", "q3", "samples"} of one time.
nlohmann::json to_json(const std::vector<double>& samples);

/// Returns the flags of times on the host: "noisy", the spread is above the limit; "loaded", other processes left fewer
/// of the machine's cores than the case has threads. Samples of less than 0.2 s in total are never "loaded", because
/// the system counts CPU time in hundredths of a second.
std::vector<std::string> flags(const Samples& samples, const Timing& timing, int threads, int machine_cores);

/// Returns the number of samples, however short, before and after which other tasks left fewer of the machine's cores
/// than the case has threads.
int crowded_samples(const Samples& samples, int threads, int machine_cores);

}  // namespace pivotlab::experiments
