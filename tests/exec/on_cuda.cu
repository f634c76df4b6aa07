// SPDX-License-Identifier: BSD-3-Clause
#include "tests/exec/on_cuda.hpp"

#include "kernels/exec/cuda_executor.hpp"
#include "tests/exec/bodies.hpp"

#include <new>
#include <thread>

namespace pivotlab::exec_test::on_cuda {

std::vector<double> products(int depth, int blocks) {
  CudaExecutor executor;
  if (depth == 4) return exec_test::products<4>(executor, blocks);
  if (depth == 8) return exec_test::products<8>(executor, blocks);
  return exec_test::products<16>(executor, blocks);
}

std::vector<std::int32_t> digit_products(int blocks) {
  CudaExecutor executor;
  return exec_test::digit_products(executor, blocks);
}

std::vector<double> exchanges(int blocks) {
  CudaExecutor executor;
  return exec_test::exchanges(executor, blocks);
}

std::vector<double> block_sums(int blocks) {
  CudaExecutor executor;
  return exec_test::block_sums(executor, blocks);
}

std::vector<double> cluster_sums(int clusters) {
  CudaExecutor executor;
  return exec_test::cluster_sums(executor, clusters);
}

std::vector<double> relayed(int blocks, int rounds) {
  CudaExecutor executor;
  return exec_test::relayed(executor, blocks, rounds);
}

std::vector<double> reversed_chunks(int chunks) {
  CudaExecutor executor;
  return exec_test::reversed_chunks(executor, chunks);
}

std::vector<double> large_reversal() {
  CudaExecutor executor;
  return exec_test::large_reversal(executor);
}

std::vector<double> replayed(int times) {
  CudaExecutor executor;
  return exec_test::replayed(executor, times, [] { std::thread(cudaDeviceSynchronize).join(); });
}

std::vector<double> replayed_cluster_sums(int clusters) {
  CudaExecutor executor;
  return exec_test::replayed_cluster_sums(executor, clusters);
}

std::vector<double> with_side_branches(bool recorded) {
  CudaExecutor executor;
  return exec_test::with_side_branches(executor, recorded);
}

double received_by_side_branch() {
  CudaExecutor executor;
  return exec_test::received_by_side_branch(executor);
}

double product_after_failed_recording() {
  CudaExecutor executor;
  return exec_test::product_after_failed_recording(executor);
}

std::string message_of_failed_launch() {
  CudaExecutor executor;
  try {
    executor.launch<Scale>(1, 1 << 20, {nullptr, 0, 1.0});
  } catch (const CudaError& error) {
    executor.synchronize();  // the failure left no pending error
    return error.what();
  }
  return "";
}

bool allocation_failed_cleanly() {
  CudaExecutor executor;
  try {
    executor.allocate<double>(std::size_t{1} << 47);
  } catch (const std::bad_alloc&) {
    return exec_test::block_sums(executor, 1).size() == 1;
  }
  return false;
}

}  // namespace pivotlab::exec_test::on_cuda
