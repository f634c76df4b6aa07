// SPDX-License-Identifier: BSD-3-Clause
// Progress of a run: finished cases, remaining time, current case.
#pragma once

#include <cstddef>
#include <experiments/engine/plan.hpp>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <support/timer.hpp>
#include <vector>

namespace pivotlab::experiments {

/// "0.42 s", "3 min 20 s", "2 h 5 min", "3.5 days".
std::string format_duration(double seconds);

/// Replaces the line of the terminal behind stderr; an empty one clears it.
void rewrite_line(std::ostream& terminal, std::string_view line);

/// On a terminal, prints one line that is rewritten, with failures above it; elsewhere, prints a line per case.
class Progress {
 public:
  /// `todo`: the cases that will be run. Writes to `stream`; it counts as a terminal if it is std::cerr and stderr is
  /// one.
  Progress(std::ostream& stream, std::vector<const PlannedCase*> todo, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A worker, by its number, begins or resumes a case.
  void working_on(int worker, const PlannedCase& planned);
  void finished(int worker, const PlannedCase& planned, const std::string& status, const std::string& message,
                double seconds);
  void remark(const std::string& line);  ///< prints a line above
  void hide();                           ///< clears the line until the next tick, before other output to the terminal
  void tick();                           ///< rewrites the line, at most twice a second

 private:
  std::string current() const;
  std::string label(const PlannedCase& planned) const;
  std::string remaining() const;
  void rewrite(const std::string& line) { rewrite_line(stream_, line); }
  double weight(const PlannedCase& planned) const;

  std::ostream& stream_;
  std::size_t total_;
  bool quiet_, terminal_;
  std::set<std::string> varying_;  ///< axes with more than one value
  std::size_t done_ = 0;
  double done_weight_ = 0, total_weight_ = 0;
  std::map<int, std::string> current_;  ///< the cases that workers solve, by their numbers
  static constexpr double never_s = -1;
  Timer timer_;
  double last_line_s_ = never_s;  ///< time of the line on the terminal
};

}  // namespace pivotlab::experiments
