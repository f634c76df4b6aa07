// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_launch.hpp"

#include "kernels/exec/cuda_error.hpp"

#include <stdexcept>

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
  const cudaGraphNode_t before = last_;
  check(cudaGraphAddKernelNode(&last_, graph_.get(), &before, before ? 1 : 0, &parameters), "cudaGraphAddKernelNode");
  if (launch.cluster_blocks == 1) return;
  const cudaLaunchAttributeValue value = cluster(launch);
  check(cudaGraphKernelNodeSetAttribute(last_, cudaLaunchAttributeClusterDimension, &value),
        "cudaGraphKernelNodeSetAttribute");
}

void Graph::add_zero_fill(void* to, std::size_t bytes) {
  cudaMemsetParams parameters{};
  parameters.dst = to;
  parameters.elementSize = 1;
  parameters.width = bytes;
  parameters.height = 1;
  const cudaGraphNode_t before = last_;
  check(cudaGraphAddMemsetNode(&last_, graph_.get(), &before, before ? 1 : 0, &parameters), "cudaGraphAddMemsetNode");
}

ExecutableGraph Graph::instantiate() const {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph_.get(), 0), "cudaGraphInstantiate");
  return ExecutableGraph(executable);
}

}  // namespace pivotlab::cuda
