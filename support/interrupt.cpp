// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>
#include <pivotlab/interrupt.hpp>

#include <utility>

namespace pivotlab {
namespace {

thread_local bool (*interrupt_wanted)() = nullptr;

constexpr const char* reason = "the call was interrupted";

bool can_interrupt() {
  return interrupt_wanted != nullptr && omp_get_level() == 0;
}

}  // namespace

InterruptScope::InterruptScope(bool (*wanted)()) : outer_(std::exchange(interrupt_wanted, wanted)) {}

InterruptScope::~InterruptScope() {
  interrupt_wanted = outer_;
}

void throw_if_interrupted() {
  if (can_interrupt() && interrupt_wanted()) throw Interrupted(reason);
}

ParallelInterrupt::ParallelInterrupt() : active_(can_interrupt()) {}

bool ParallelInterrupt::seen() {
  // Only the thread that made the scope can ask; it is the first one of the region.
  if (active_ && interrupt_wanted != nullptr && !seen_ && interrupt_wanted()) seen_ = true;
  return seen_;
}

void ParallelInterrupt::throw_if_seen() const {
  if (seen_) throw Interrupted(reason);
}

}  // namespace pivotlab
