// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <experiments/commands/activity.hpp>
#include <experiments/engine/progress.hpp>
#include <iostream>

namespace pivotlab::experiments {

Activity::Activity(std::string_view step) : terminal_(::isatty(STDERR_FILENO) != 0) {
  now(step);
}

Activity::~Activity() {
  if (terminal_) rewrite_line(std::cerr, "");
}

void Activity::now(std::string_view step) {
  if (terminal_) rewrite_line(std::cerr, step);
}

}  // namespace pivotlab::experiments
