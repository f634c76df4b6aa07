// Samples of a time and what they say.
#pragma once

#include <experiments/engine/spec.hpp>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Median and quartiles, interpolated linearly between order statistics (Hyndman & Fan's type 7); NaN without samples.
struct Quartiles {
  double q1, median, q3;
};
Quartiles quartiles(std::vector<double> samples);

/// (q3 − q1) / median; NaN for fewer than three samples, which cannot tell.
double relative_spread(const std::vector<double>& samples);

/// The times of a case, repetition by repetition.
struct Samples {
  std::vector<double> compute_s, wall_s;
  double others_cpu_s = 0;  ///< CPU time of all other processes during the samples

  /// True when no further sample is wanted: the most are there; or the least are there and the spread of both times
  /// is small or the budget is spent.
  bool enough(const Timing& timing) const;
};

/// {"median", "q1", "q3", "samples"} of one time.
nlohmann::json to_json(const std::vector<double>& samples);

/// What makes a reader careful of a host's times: "noisy", the spread is above the limit; "loaded", other processes
/// left fewer of the machine's cores than the case has threads. The latter is not told from samples that take less than
/// 0.2 s together: the system counts in hundredths of a second.
std::vector<std::string> flags(const Samples& samples, const Timing& timing, int threads, int machine_cores);

}  // namespace pivotlab::experiments
