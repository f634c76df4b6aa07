// SPDX-License-Identifier: BSD-3-Clause
// A pair solved over several ranks: threads of the worker process, each with a GPU or its share of the cores.
#pragma once

#include <experiments/gsvd/gsvd.hpp>
#include <memory>
#include <optional>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/transport.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// The message for a pair with fewer rows than columns.
inline constexpr const char* few_rows_over_ranks =
    "solvers over ranks take no pair with fewer rows than columns; take a variant without an outermost level";

/// The time of a rank in each step of the outermost level.
struct RankTimes {
  std::optional<int> device;  ///< number of its GPU, which several ranks may share
  std::vector<StepSeconds> steps;
};

/// The result of a solver, which takes pairs with G of full column rank only, unless the members of AnyGsvdResult say
/// that the pair was reduced.
template <class T>
struct GsvdSolved : AnyGsvdResult<T> {
  GsvdSolved() = default;
  explicit GsvdSolved(AnyGsvdResult<T> solved) : AnyGsvdResult<T>(std::move(solved)) {}
  explicit GsvdSolved(GsvdResult<T> solved) {
    this->l = this->r = std::ssize(solved.sigma);
    static_cast<GsvdResult<T>&>(*this) = std::move(solved);
  }

  std::vector<RankTimes> ranks = {};  ///< only of solvers over ranks
  bool resumed = false;               ///< from a checkpoint
  std::optional<double> flops = {};   ///< only of Hari–Zimmermann on one GPU or host, of a pair that is not reduced
};

/// The options of each rank, the number of ranks, and the way between their GPUs.
struct RankOptions : DistributedGsvdOptions {
  int ranks = 1;
  std::string transport = {};
};
RankOptions options_of_ranks(const GsvdCase& wanted);

/// Solves the pair over ranks. Throws the exceptions of gsvd_distributed(), and NotSupported for a pair with fewer rows
/// than columns.
template <class T>
GsvdSolved<T> solve_over_ranks(MatrixView<const T> F, MatrixView<const T> G, const RankOptions& options);

/// Returns a transport over processes that sends stripes between their GPUs by `route`: "nccl", "mpi" (CUDA-aware MPI),
/// or "host". All ranks call it; `ranks` outlives the result. Throws SharedNotSupported for other routes, also for
/// "copy", which is for threads.
std::unique_ptr<Transport> over_route(Transport& ranks, const std::string& route);

/// Returns whether stripes are sent through the memory of the host, and not from GPU to GPU.
bool goes_through_host(const GsvdCase& wanted);

}  // namespace pivotlab::experiments
