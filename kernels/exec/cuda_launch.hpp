// SPDX-License-Identifier: BSD-3-Clause
// Launches of kernels, at once or as part of a graph.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace pivotlab::cuda {

/// A launch of a kernel, in clusters of blocks if there is more than one in a cluster. All blocks of a resident grid
/// run at the same time, or the launch fails.
struct Launch {
  const void* kernel;
  int blocks, threads, cluster_blocks;
  bool resident;
  int shared_bytes;
  void** parameters;
};

/// Launches on a stream of the current device.
void launch(const Launch& launch, cudaStream_t stream);

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
};

using ExecutableGraph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;

/// Operations that run one after the other, but for side branches. They are added by calls because the capture of a
/// stream fails as soon as any thread of the process waits for the device.
class Graph {
 public:
  Graph();
  void add(const Launch& launch);
  void add_zero_fill(void* to, std::size_t bytes);

  /// Begins a side branch: operations that are added until end_side() start after all operations before them. Those
  /// added after end_side() do not wait for the branch until join() or the next begin_side(), and their blocks are
  /// scheduled first.
  void begin_side();
  void end_side();
  void join();

  ExecutableGraph instantiate() const;

 private:
  using Nodes = std::vector<cudaGraphNode_t>;

  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph> graph_;
  Nodes before_;              // that the next operation waits for
  Nodes main_;                // before_ of the main chain, from begin_side() to end_side()
  Nodes side_;                // last of the side branch, until it is joined
  bool prioritized_ = false;  // some nodes have a priority
};

}  // namespace pivotlab::cuda
