// SPDX-License-Identifier: BSD-3-Clause
// The memory of the current GPU, for BatchMemory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace pivotlab::batch {

std::shared_ptr<void> take_on_gpu(std::size_t bytes);
void copy_to_gpu(void* to, const void* from, std::size_t bytes);
void copy_from_gpu(void* to, const void* from, std::size_t bytes);
double seconds_on_gpu(const std::function<void()>& work);

}  // namespace pivotlab::batch
