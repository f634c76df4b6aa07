// SPDX-License-Identifier: BSD-3-Clause
// Transport of stripes of GPUs over a transport that does not reach device memory: in chunks through host memory.
#pragma once

#include <pivotlab/transport.hpp>

#include <cstddef>
#include <memory>

namespace pivotlab {

/// Host memory and asynchronous copies for chunks from and to the device. At most one copy in each direction runs at a
/// time.
class Staging {
 public:
  enum Way { to_host, to_device };
  virtual ~Staging() = default;

  /// Allocates host memory that lives as long as this object.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void begin(Way way, void* to, const void* from, std::size_t bytes) = 0;
  /// Waits for the copy in this direction.
  virtual void wait(Way way) = 0;
};

/// Makes staging for an emulated device, whose memory is host memory.
std::unique_ptr<Staging> make_host_staging();
/// Makes staging with page-locked memory and one stream for each direction. Throws std::bad_alloc, CudaError.
std::unique_ptr<Staging> make_cuda_staging(int device);

inline constexpr std::size_t staged_chunk = std::size_t(64) << 20;
/// Number of chunks in host memory: two being sent, two being received.
inline constexpr std::size_t staged_chunks = 4;

/// Returns a transport that copies a stripe to the host, sends it by `carrier` and copies the received stripe to the
/// device, chunk by chunk, all three simultaneously. A received chunk does not overwrite a piece before it is sent, so
/// both stripes may use the same memory. A stripe arrives in exchange() only, never before. `carrier` must outlive the
/// result.
std::unique_ptr<Transport> over_host(Transport& carrier, std::unique_ptr<Staging> staging,
                                     std::size_t chunk = staged_chunk);

}  // namespace pivotlab
