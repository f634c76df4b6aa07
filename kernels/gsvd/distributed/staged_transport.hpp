// Stripes of GPUs over a transport that does not reach their memory: in chunks through the host's.
#pragma once

#include <pivotlab/transport.hpp>

#include <cstddef>
#include <memory>

namespace pivotlab {

/// Memory of the host and asynchronous copies for chunks on their way to and from the device. At most one copy each way
/// is under way.
class Staging {
 public:
  enum Way { to_host, to_device };
  virtual ~Staging() = default;

  /// Allocates memory of the host, which lives as long as this object.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void begin(Way way, void* to, const void* from, std::size_t bytes) = 0;
  /// Waits for the copy that was begun.
  virtual void wait(Way way) = 0;
};

/// Staging for an emulated device, whose memory is the host's.
std::unique_ptr<Staging> make_host_staging();
/// Page-locked memory, and a stream of the device for each way. Throws std::bad_alloc, CudaError.
std::unique_ptr<Staging> make_cuda_staging(int device);

inline constexpr std::size_t staged_chunk = std::size_t(64) << 20;
/// The most chunks in the host's memory: two on their way out, two on their way in.
inline constexpr std::size_t staged_chunks = 4;

/// Brings a stripe to the host, sends it by `carrier` and takes the other to the device, chunk by chunk, all three at
/// once. What comes in place of a piece sent does not overwrite it before it is sent: they may be the same memory.
/// A stripe arrives in exchange() only, never before. `carrier` outlives the result.
std::unique_ptr<Transport> over_host(Transport& carrier, std::unique_ptr<Staging> staging,
                                     std::size_t chunk = staged_chunk);

}  // namespace pivotlab
