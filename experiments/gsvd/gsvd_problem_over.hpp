// The problem of a case of the GSVD over several processes, each with its columns of the pair.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <memory>
#include <pivotlab/transport.hpp>

namespace pivotlab::experiments {

/// Up to this dimension every rank generates the whole pair, and the first rank gathers the whole decomposition and
/// judges it like that of a single process. Above it, a rank has only its columns, and all ranks judge by random
/// vectors.
inline constexpr Index whole_limit = 4096;

/// Implements Method::make_problem_over(). Pairs above `limit` are not kept whole on a rank.
std::unique_ptr<Problem> make_gsvd_problem_over(Transport& ranks, const GsvdCase& gsvd_case, Index limit = whole_limit);

}  // namespace pivotlab::experiments
