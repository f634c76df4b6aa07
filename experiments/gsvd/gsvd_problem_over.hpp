// A pair that several processes work on, each with its columns.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <memory>
#include <pivotlab/transport.hpp>

namespace pivotlab::experiments {

/// Up to this dimension every rank makes the whole pair, and the first one gets the whole decomposition and judges it
/// as that of a single process. Above, a rank has its columns, and all judge by random vectors.
inline constexpr Index whole_limit = 4096;

/// As Method::make_problem_over() says. Pairs larger than `limit` are large.
std::unique_ptr<Problem> make_gsvd_problem_over(Transport& ranks, const GsvdCase& gsvd_case, Index limit = whole_limit);

}  // namespace pivotlab::experiments
