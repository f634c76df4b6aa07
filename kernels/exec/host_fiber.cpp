// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/fiber.hpp"

#include <cstdint>

#ifndef __x86_64__
#error "host_fiber.cpp switches stacks of x86-64; write the same for this processor"
#endif

extern "C" void pivotlab_start_fiber() noexcept;

asm(R"(
  .text
  .p2align 4
  .globl pivotlab_switch_fiber
  .hidden pivotlab_switch_fiber
  .type pivotlab_switch_fiber, @function
pivotlab_switch_fiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size pivotlab_switch_fiber, . - pivotlab_switch_fiber

  .p2align 4
  .hidden pivotlab_start_fiber
  .type pivotlab_start_fiber, @function
pivotlab_start_fiber:
  movq %r12, %rdi
  callq *%r13
  ud2
  .size pivotlab_start_fiber, . - pivotlab_start_fiber
)");

namespace pivotlab::host {

Fiber make_fiber(std::byte* bottom, std::size_t bytes, void (*entry)(void*), void* argument) {
  // From here to the end: r15, r14, r13, r12, rbx, rbp, the address of the first instruction.
  struct Frame {
    std::uint64_t r15, r14;
    void (*r13)(void*);
    void* r12;
    std::uint64_t rbx, rbp;
    void (*start)() noexcept;
  };
  std::byte* end = bottom + bytes;
  end -= reinterpret_cast<std::uintptr_t>(end) % 16;  // as a call needs it
  auto* frame = reinterpret_cast<Frame*>(end) - 1;
  *frame = {0, 0, entry, argument, 0, 0, pivotlab_start_fiber};
  return frame;
}

}  // namespace pivotlab::host
