// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gsvd/distributed/staged_transport.hpp"

#include "kernels/gsvd/distributed/forwarding_transport.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace pivotlab {
namespace {

/// Cuts pieces into chunks; the last chunk of a piece may be smaller.
std::vector<Piece> cut(std::span<const Piece> pieces, std::size_t chunk) {
  std::vector<Piece> chunks;
  for (const Piece& piece : pieces)
    for (std::size_t at = 0; at < piece.bytes; at += chunk)
      chunks.push_back({static_cast<std::byte*>(piece.data) + at, std::min(chunk, piece.bytes - at)});
  return chunks;
}

class StagedTransport final : public ForwardingTransport {
 public:
  StagedTransport(Transport& carrier, std::unique_ptr<Staging> staging, std::size_t chunk)
      : ForwardingTransport(carrier), staging_(std::move(staging)), chunk_(chunk) {}

  bool reaches_devices() const override { return true; }

  void expect(int from, std::span<const Piece> incoming) override {
    from_ = from;
    incoming_ = cut(incoming, chunk_);
  }

  // Sends chunk k while chunk k + 1 is copied to the host and the last received chunk to the device.
  void exchange(int to, std::span<const Piece> outgoing) override {
    const std::vector<Piece> leaving = cut(outgoing, chunk_);
    if (leaving.size() != incoming_.size()) throw std::runtime_error("a stripe comes in other pieces than it leaves");
    if (leaving.empty()) return;
    make_room(std::ranges::max(leaving, {}, &Piece::bytes).bytes);
    staging_->begin(Staging::to_host, sent_[0], leaving[0].data, leaving[0].bytes);
    for (std::size_t k = 0; k < leaving.size(); ++k) {
      staging_->wait(Staging::to_host);
      if (k + 1 < leaving.size())
        staging_->begin(Staging::to_host, sent_[(k + 1) % 2], leaving[k + 1].data, leaving[k + 1].bytes);
      const Piece out{sent_[k % 2], leaving[k].bytes}, in{received_[k % 2], incoming_[k].bytes};
      ForwardingTransport::expect(from_, {&in, 1});
      ForwardingTransport::exchange(to, {&out, 1});
      staging_->wait(Staging::to_device);
      staging_->begin(Staging::to_device, incoming_[k].data, in.data, in.bytes);
    }
    staging_->wait(Staging::to_device);
  }

 private:
  /// Allocates the chunks once, because all stripes of a computation have the same size.
  void make_room(std::size_t bytes) {
    if (bytes <= room_) return;
    for (std::byte*& buffer : sent_) buffer = staging_->allocate(bytes);
    for (std::byte*& buffer : received_) buffer = staging_->allocate(bytes);
    room_ = bytes;
  }

  std::unique_ptr<Staging> staging_;
  std::size_t chunk_, room_ = 0;
  int from_ = 0;
  std::vector<Piece> incoming_;
  std::array<std::byte*, 2> sent_{}, received_{};  // two chunks each, used alternately
};

class HostStaging final : public Staging {
 public:
  std::byte* allocate(std::size_t bytes) override { return memory_.emplace_back(new std::byte[bytes]).get(); }
  void begin(Way, void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void wait(Way) override {}

 private:
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

}  // namespace

std::unique_ptr<Staging> make_host_staging() {
  return std::make_unique<HostStaging>();
}

std::unique_ptr<Transport> over_host(Transport& carrier, std::unique_ptr<Staging> staging, std::size_t chunk) {
  return std::make_unique<StagedTransport>(carrier, std::move(staging), chunk);
}

}  // namespace pivotlab
