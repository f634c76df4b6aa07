// SPDX-License-Identifier: BSD-3-Clause
// Estimates and tests of the ratio of two times.
#pragma once

#include <cstddef>
#include <vector>

namespace pivotlab::experiments {

/// The p-value of the two-sided Mann–Whitney test: the probability that exchangeable samples differ as much in rank.
double difference_p_value(const std::vector<double>& a, const std::vector<double>& b);

/// P(|T| > t) of Student's distribution with a whole number of degrees of freedom (Abramowitz & Stegun, 26.7.3–4).
double student_p_value(double t, std::size_t degrees);

/// An estimate of the ratio b/a of two samples' locations, with a distribution-free interval. With at least
/// `samples_for_quartile` on both sides, that of the lower quartiles: what other work adds to samples moves it least.
/// With fewer, the Hodges–Lehmann estimator of the logarithms and the exact interval of the Mann–Whitney test
/// (Hollander, Wolfe & Chicken, section 4.2–4.3).
struct RatioEstimate {
  double ratio = 0, lower = 0, upper = 0;
  double confidence = 0;  ///< attained confidence; below the requested one if there are too few samples
};
RatioEstimate estimate_ratio(const std::vector<double>& a, const std::vector<double>& b, double confidence);

/// The same of the geometric means of passes (Timing::until), at least two on each side, with Student's interval: how
/// passes differ tells the noise of processes and of time, which the samples of one pass do not show.
RatioEstimate ratio_of_passes(const std::vector<double>& a, const std::vector<double>& b, double confidence);

/// The median of the ratios b/a of pairs of samples with a distribution-free interval between two order statistics. Of
/// several passes, of which each has its number of pairs, the same of their medians: a pass is a process on each side,
/// and differs from others by more than its pairs tell. Without pairs, the ratio is NaN and the confidence 0.
RatioEstimate ratio_of_pairs(const std::vector<double>& a, const std::vector<double>& b,
                             const std::vector<std::size_t>& passes, double confidence);

/// The p-value of the two-sided sign test of the pairs' ratios; 1 without pairs.
double pairs_p_value(const std::vector<double>& a, const std::vector<double>& b);

/// The critical value of |T| for a two-sided probability of Student's distribution.
double student_quantile(double probability, std::size_t degrees);

/// Returns the least two-sided p-value that so many samples can have, by the Mann–Whitney test or the
/// sign test of pairs.
double least_p_value(std::size_t m, std::size_t n, bool pairs);

}  // namespace pivotlab::experiments
