// SPDX-License-Identifier: BSD-3-Clause
// A build without NCCL's header.
#include <pivotlab/transport.hpp>

namespace pivotlab {

std::unique_ptr<Transport> over_nccl(Transport& control) {
  in_agreement(control, [] {
    throw NotSupported("NCCL: this build has none; configure where nccl.h is found, or take another transport");
  });
  return nullptr;
}

}  // namespace pivotlab
