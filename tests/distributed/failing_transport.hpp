// SPDX-License-Identifier: BSD-3-Clause
// A transport that fails at its k-th call, so that tests can interrupt a computation at every call.
#pragma once

#include "kernels/gsvd/distributed/forwarding_transport.hpp"

namespace pivotlab::test {

class FailingTransport final : public ForwardingTransport {
 public:
  /// Calls `fail` in place of the k-th call that communicates, counted from 1, or of the k-th exchange.
  FailingTransport(Transport& transport, int k, std::function<void()> fail, bool exchanges_alone = false)
      : ForwardingTransport(transport), k_(k), fail_(std::move(fail)), exchanges_alone_(exchanges_alone) {}
  int calls() const { return calls_; }

  void exchange(int to, std::span<const Piece> outgoing) override {
    count();
    ForwardingTransport::exchange(to, outgoing);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    if (!exchanges_alone_) count();
    ForwardingTransport::all_gather(mine, bytes, all);
  }

 private:
  void count() {
    if (++calls_ == k_) fail_();
  }

  int k_, calls_ = 0;
  std::function<void()> fail_;
  bool exchanges_alone_;
};

}  // namespace pivotlab::test
