// SPDX-License-Identifier: BSD-3-Clause
// Informs the address sanitizer about the running stack; does nothing in a build without it.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace pivotlab::host {

#ifdef __SANITIZE_ADDRESS__

inline constexpr bool sanitized = true;

/// One side of a switch: call leave() or leave_to_thread() before it and arrive() after the return.
class StackSwitch {
 public:
  void leave(const void* bottom, std::size_t bytes) { __sanitizer_start_switch_fiber(&saved_, bottom, bytes); }
  /// The same for a switch to the stack of the thread of the host.
  void leave_to_thread() {
    thread_local const Stack own;
    leave(own.bottom, own.bytes);
  }
  void arrive() { __sanitizer_finish_switch_fiber(saved_, nullptr, nullptr); }

 private:
  struct Stack {
    Stack() {
      pthread_attr_t attributes;
      pthread_getattr_np(pthread_self(), &attributes);
      pthread_attr_getstack(&attributes, &bottom, &bytes);
      pthread_attr_destroy(&attributes);
    }
    void* bottom = nullptr;
    std::size_t bytes = 0;
  };

  void* saved_ = nullptr;
};

#else

inline constexpr bool sanitized = false;

class StackSwitch {
 public:
  void leave(const void*, std::size_t) {}
  void leave_to_thread() {}
  void arrive() {}
};

#endif

}  // namespace pivotlab::host
