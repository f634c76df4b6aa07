#include <pivotlab/interrupt.hpp>

#include <utility>

namespace pivotlab {
namespace {

thread_local bool (*interrupt_wanted)() = nullptr;

}  // namespace

InterruptScope::InterruptScope(bool (*wanted)()) : outer_(std::exchange(interrupt_wanted, wanted)) {}

InterruptScope::~InterruptScope() {
  interrupt_wanted = outer_;
}

void throw_if_interrupted() {
  if (interrupt_wanted != nullptr && interrupt_wanted()) throw Interrupted("the call was interrupted");
}

}  // namespace pivotlab
