// SPDX-License-Identifier: BSD-3-Clause
// The functions of bodies.hpp on a GPU, declared without CUDA's headers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pivotlab::exec_test::on_cuda {

std::vector<double> products(int depth, int blocks);
std::vector<std::int32_t> digit_products(int blocks);
std::vector<double> exchanges(int blocks);
std::vector<double> block_sums(int blocks);
std::vector<double> cluster_sums(int clusters);
std::vector<double> relayed(int blocks, int rounds);
std::vector<double> reversed_chunks(int chunks);
std::vector<double> large_reversal();
/// Another thread waits for the device during the recording.
std::vector<double> replayed(int times);
std::vector<double> replayed_cluster_sums(int clusters);
std::vector<double> with_side_branches(bool recorded);
double received_by_side_branch();
double product_after_failed_recording();

/// Requests more shared memory than the GPU has; returns the message of the CudaError.
std::string message_of_failed_launch();

/// Requests 2⁵⁰ bytes, expects std::bad_alloc, and continues to use the executor.
bool allocation_failed_cleanly();

}  // namespace pivotlab::exec_test::on_cuda
