// A pair solved over several ranks: threads of the worker process, each with a GPU or its share of the cores.
#pragma once

#include <experiments/gsvd/gsvd_case.hpp>
#include <memory>
#include <optional>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/transport.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Where a rank's time went, step by step of the outermost level.
struct RankTimes {
  std::optional<int> device;  ///< its GPU's number; several ranks may share one
  std::vector<StepSeconds> steps;
};

template <class T>
struct GsvdOverRanks {
  GsvdResult<T> result;
  std::vector<RankTimes> ranks;
  bool resumed = false;
};

/// `wanted` has over_ranks. Throws what gsvd_distributed does.
template <class T>
GsvdOverRanks<T> solve_over_ranks(MatrixView<const T> F, MatrixView<const T> G, const GsvdCase& wanted,
                                  const CheckpointOptions& checkpoint = {});

/// Processes as ranks, between whose GPUs stripes go by `route`: "nccl", "mpi", which takes their memory, or "host".
/// Called by all ranks; `ranks` outlives the result. Throws SharedNotSupported, also for the threads' "copy".
std::unique_ptr<Transport> over_route(Transport& ranks, const std::string& route);

/// The options of each rank.
DistributedGsvdOptions options_of_ranks(const GsvdCase& wanted);

/// Stripes take the way through the host's memory where true, else they go from GPU to GPU.
bool goes_through_host(const GsvdCase& wanted);

}  // namespace pivotlab::experiments
