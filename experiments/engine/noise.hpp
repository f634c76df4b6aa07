// SPDX-License-Identifier: BSD-3-Clause
// The noise of times on this machine: what `compare` can find.
#pragma once

#include <cstddef>
#include <vector>

namespace pivotlab::experiments {

/// Times of one process: a fixed product of matrices, again and again.
struct ProcessTimes {
  double started_s = 0;           ///< since the first process
  std::vector<double> samples_s;  ///< about 2 ms each
  std::vector<double> waited_s;   ///< for how long each was ready to run and had no core
  std::vector<double> probe_s;    ///< of the core beside each (probe_core_s())
};

/// Runs processes one after the other for so many seconds in all.
std::vector<ProcessTimes> measure_noise(double seconds);

/// Relative numbers: 0.01 is 1 %. All but the numbers of samples are those of samples that other work did not disturb,
/// as `sweep --until` takes them.
struct Noise {
  std::size_t processes = 0, samples = 0;
  std::size_t waited = 0, slowed = 0;  ///< samples that waited for a core, and others beside which it was slower
  double sample_s = 0;                 ///< median of all samples
  double of_samples = 0;               ///< median of the processes' standard deviations, from quartiles
  double of_processes = 0;             ///< standard deviation of the processes' own times about the drift
  double drift = 0;                    ///< of the own times, in a minute
};
Noise noise_of(const std::vector<ProcessTimes>& processes);

/// Returns the smallest relative difference of one case's times that `compare` finds in nine of ten pairs of runs with
/// this noise, so many cases (at least five) and so many samples of each: Grubbs' test of the difference against the
/// other cases' ones, whose standard deviation is √2 that of an own time (own_time()).
double smallest_difference(const Noise& noise, std::size_t cases, std::size_t samples);

}  // namespace pivotlab::experiments
