// A pair solved over several ranks: threads of the worker process, each with a GPU or its share of the cores.
#pragma once

#include <experiments/gsvd/gsvd.hpp>
#include <memory>
#include <optional>
#include <pivotlab/distributed_gsvd.hpp>
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

template <class T>
struct GsvdOverRanks {
  GsvdResult<T> result;
  std::vector<RankTimes> ranks;
  bool resumed = false;
};

/// Solves the pair over the ranks of `wanted`, which has over_ranks. Throws the exceptions of gsvd_distributed().
template <class T>
GsvdOverRanks<T> solve_over_ranks(MatrixView<const T> F, MatrixView<const T> G, const GsvdCase& wanted);

/// Returns a transport over processes that sends stripes between their GPUs by `route`: "nccl", "mpi" (CUDA-aware MPI),
/// or "host". All ranks call it; `ranks` outlives the result. Throws SharedNotSupported for other routes, also for
/// "copy", which is for threads.
std::unique_ptr<Transport> over_route(Transport& ranks, const std::string& route);

/// Returns the options of each rank.
DistributedGsvdOptions options_of_ranks(const GsvdCase& wanted);

/// Returns whether stripes are sent through the memory of the host, and not from GPU to GPU.
bool goes_through_host(const GsvdCase& wanted);

}  // namespace pivotlab::experiments
