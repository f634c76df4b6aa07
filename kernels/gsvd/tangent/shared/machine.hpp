// SPDX-License-Identifier: BSD-3-Clause
// A runner of own operations, an executor's or the host's loops, with a library of routines: what a Run wants.
#pragma once

#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <utility>

namespace pivotlab::tangent {

/// Runner has for_each, reduce_columns, upload and download; Library the rest of what run.hpp lists, but mark.
template <class Runner, class Library>
class Machine : public Runner, public Library {
 public:
  static constexpr Index least_order_of_two_passes = 0;
  static constexpr bool has_library = true;

  Machine(Runner runner, Library library, Observer observer)
      : Runner(std::move(runner)), Library(std::move(library)), observer_(std::move(observer)) {}

  void mark(std::string_view step, double flops) const {
    if (observer_) observer_(step, flops);
  }

 private:
  Observer observer_;
};

}  // namespace pivotlab::tangent
