// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_launch.hpp"

#include "kernels/exec/cuda_error.hpp"

#include <stdexcept>
#include <utility>

namespace pivotlab::cuda {
namespace {

void allow_clusters(const Launch& launch) {
  constexpr int portable_cluster_blocks = 8;
  if (launch.cluster_blocks > portable_cluster_blocks)
    check(cudaFuncSetAttribute(launch.kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "cudaFuncSetAttribute(NonPortableClusterSizeAllowed)");
}

cudaLaunchAttributeValue cluster(const Launch& launch) {
  cudaLaunchAttributeValue value{};
  value.clusterDim = {static_cast<unsigned>(launch.cluster_blocks), 1, 1};
  return value;
}

cudaLaunchAttributeValue greatest_priority() {
  int least = 0;
  cudaLaunchAttributeValue value{};
  check(cudaDeviceGetStreamPriorityRange(&least, &value.priority), "cudaDeviceGetStreamPriorityRange");
  return value;
}

void set_attribute(cudaGraphNode_t node, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  check(cudaGraphKernelNodeSetAttribute(node, id, &value), "cudaGraphKernelNodeSetAttribute");
}

}  // namespace

void launch(const Launch& launch, cudaStream_t stream) {
  allow_clusters(launch);
  cudaLaunchAttribute attribute{};
  attribute.id = launch.resident ? cudaLaunchAttributeCooperative : cudaLaunchAttributeClusterDimension;
  if (launch.resident)
    attribute.val.cooperative = 1;
  else
    attribute.val = cluster(launch);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(launch.shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = launch.resident || launch.cluster_blocks > 1 ? 1 : 0;
  check(cudaLaunchKernelExC(&config, launch.kernel, launch.parameters), "cudaLaunchKernelExC");
}

Graph::Graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  graph_.reset(graph);
}

void Graph::add(const Launch& launch) {
  if (launch.resident) throw std::logic_error("a resident grid cannot be recorded");
  allow_clusters(launch);
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(launch.kernel);
  parameters.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  parameters.blockDim = dim3(static_cast<unsigned>(launch.threads));
  parameters.sharedMemBytes = static_cast<unsigned>(launch.shared_bytes);
  parameters.kernelParams = launch.parameters;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph_.get(), before_.data(), before_.size(), &parameters),
        "cudaGraphAddKernelNode");
  before_ = {node};
  if (launch.cluster_blocks > 1) set_attribute(node, cudaLaunchAttributeClusterDimension, cluster(launch));
  if (side_.empty()) return;
  set_attribute(node, cudaLaunchAttributePriority, greatest_priority());
  prioritized_ = true;
}

void Graph::add_zero_fill(void* to, std::size_t bytes) {
  cudaMemsetParams parameters{};
  parameters.dst = to;
  parameters.elementSize = 1;
  parameters.width = bytes;
  parameters.height = 1;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemsetNode(&node, graph_.get(), before_.data(), before_.size(), &parameters),
        "cudaGraphAddMemsetNode");
  before_ = {node};
}

void Graph::begin_side() {
  join();
  main_ = before_;
}

void Graph::end_side() {
  if (before_ != main_) side_ = std::exchange(before_, main_);
}

void Graph::join() {
  before_.insert(before_.end(), side_.begin(), side_.end());
  side_.clear();
}

ExecutableGraph Graph::instantiate() const {
  cudaGraphExec_t executable = nullptr;
  const unsigned long long flags = prioritized_ ? cudaGraphInstantiateFlagUseNodePriority : 0;
  check(cudaGraphInstantiate(&executable, graph_.get(), flags), "cudaGraphInstantiate");
  return ExecutableGraph(executable);
}

}  // namespace pivotlab::cuda
