// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gsvd/distributed/staged_transport.hpp"
#include "kernels/gsvd/distributed/stripe_solver.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>

namespace pivotlab {

DistributedMemory distributed_gsvd_memory(ScalarType type, Index m_f, Index m_g, Index n, int ranks,
                                          const DistributedGsvdOptions& options, bool through_host) {
  require_valid(options.variant.inner);
  const StripeLayout layout(n, options.variant.inner, ranks);
  const auto bytes = [&](Index rows, Index columns) {
    return static_cast<std::size_t>(rows * columns) * (type == ScalarType::z ? 16 : 8);
  };
  const Index f = m_f + layout.border(), g = m_g + layout.border(), z = layout.order;
  const std::size_t start_f = bytes(f, layout.columns()), start_g = bytes(g, layout.columns());
  const std::size_t pair = bytes(f + g + z, layout.columns());
  const std::size_t stripe = ranks > 1 ? bytes(f + g + z, layout.width) : 0;
  const std::size_t result = bytes(m_f + m_g + n, layout.columns());
  const std::size_t collectives = 2 * bytes(std::max({f, g, z}), ranks);

  DistributedMemory memory;
  const bool on_host = options.backend == Backend::host;
  const Index tile = 2 * options.variant.inner.width;
  const std::size_t work = pair + (on_host || !through_host ? stripe : 0);
  // This counts the panels and square matrices of each thread's tile, and the chunks being sent and received.
  const std::size_t on_this_host =
      on_host ? work + static_cast<std::size_t>(thread_count(options.threads)) * bytes(512 + 10 * tile, tile)
              : (through_host ? staged_chunks * std::min(stripe, staged_chunk) : 0);
  memory.host = start_f + on_this_host + std::max(start_g, result) + collectives;
  if (!on_host && !options.checkpoint.path.empty()) memory.host += pair / 2;  // a stripe that is written to the file
  if (!on_host) {
    // This counts Gram matrices by chunks of rows, factors of F and G, transformations, the columns of the QR fallback,
    // and staging.
    const auto tiles = static_cast<std::size_t>(layout.columns() / tile);
    const std::size_t chunks = std::clamp<std::size_t>((528 + 2 * tiles - 1) / (2 * tiles), 1, 32);
    memory.device = work + tiles * (2 * chunks + 6) * bytes(tile, tile) + 32 * bytes(2 * std::max(f, g), tile) +
                    (std::size_t(64) << 20);
  }
  return memory;
}

}  // namespace pivotlab
