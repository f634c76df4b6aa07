// SPDX-License-Identifier: BSD-3-Clause
// A transport that forwards to another one all functions that it does not override.
#pragma once

#include <pivotlab/transport.hpp>

namespace pivotlab {

class ForwardingTransport : public Transport {
 public:
  /// `other` must outlive this object.
  explicit ForwardingTransport(Transport& other) : other_(other) {}

  int rank() const override { return other_.rank(); }
  int size() const override { return other_.size(); }
  int rank_on_host() const override { return other_.rank_on_host(); }
  bool reaches_devices() const override { return other_.reaches_devices(); }
  void expect(int from, std::span<const Piece> incoming) override { other_.expect(from, incoming); }
  void exchange(int to, std::span<const Piece> outgoing) override { other_.exchange(to, outgoing); }
  void all_gather(const void* mine, std::size_t bytes, void* all) override { other_.all_gather(mine, bytes, all); }
  void throw_if_ended() override { other_.throw_if_ended(); }

 private:
  Transport& other_;
};

}  // namespace pivotlab
