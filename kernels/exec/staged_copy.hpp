// SPDX-License-Identifier: BSD-3-Clause
// Large copies between pageable memory of the host and a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace pivotlab::cuda {

/// Copies `bytes` contiguous bytes; finished on return. Large copies go in pieces through pinned memory that is kept
/// for later copies, so that threads of the host copy one piece, and touch its pages first, while others are on their
/// way.
void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);

/// Copies `columns` columns of `column_bytes` each, contiguous on the GPU and `stride_bytes` apart on the host.
void upload_columns(void* to, const void* from, std::size_t stride_bytes, std::size_t column_bytes, std::size_t columns,
                    cudaStream_t stream);
void download_columns(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                      std::size_t columns, cudaStream_t stream);

}  // namespace pivotlab::cuda
