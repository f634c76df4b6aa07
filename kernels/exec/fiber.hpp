// SPDX-License-Identifier: BSD-3-Clause
// Fibers: functions on stacks of their own that switch to each other. Internal: only host_*.cpp include it.
#pragma once

#include <cstddef>

namespace pivotlab::host {

/// A suspended fiber: its stack pointer.
using Fiber = void*;

/// Makes a fiber that runs entry(argument) on the stack [bottom, bottom + bytes) when it is first switched to. `entry`
/// must not return. Forgetting a suspended fiber runs no destructors.
Fiber make_fiber(std::byte* bottom, std::size_t bytes, void (*entry)(void*), void* argument);

/// Suspends the caller, puts it into `self`, and continues `other`. Keeps what a function of the System V ABI must
/// keep, but for the control words of the floating-point units, which no kernel changes: saving those is most of the
/// time of a switch by Boost.Context.
extern "C" void pivotlab_switch_fiber(Fiber* self, Fiber other) noexcept;

}  // namespace pivotlab::host
