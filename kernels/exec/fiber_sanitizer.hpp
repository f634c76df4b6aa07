// Informs the address sanitizer about the running stack; does nothing in a build without it.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace pivotlab::host {

#ifdef __SANITIZE_ADDRESS__

inline constexpr bool sanitized = true;

/// One side of a switch: call leave() before it and arrive() after the return.
class StackSwitch {
 public:
  void leave(const void* bottom, std::size_t bytes) { __sanitizer_start_switch_fiber(&saved_, bottom, bytes); }
  static void leave_for_good(const void* bottom, std::size_t bytes) {
    __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
  }
  void arrive(const void** from_bottom, std::size_t* from_bytes) {
    __sanitizer_finish_switch_fiber(saved_, from_bottom, from_bytes);
  }

 private:
  void* saved_ = nullptr;
};

#else

inline constexpr bool sanitized = false;

class StackSwitch {
 public:
  void leave(const void*, std::size_t) {}
  static void leave_for_good(const void*, std::size_t) {}
  void arrive(const void**, std::size_t*) {}
};

#endif

}  // namespace pivotlab::host
