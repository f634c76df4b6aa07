// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <experiments/engine/progress.hpp>

#include <cmath>
#include <iostream>
#include <support/text/terminal.hpp>

namespace pivotlab::experiments {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

std::string format_duration(double seconds) {
  constexpr double day = 86400;
  if (seconds < 1e-4) return "0.0 s";
  if (seconds < 59.5) return fmt::format("{:.2g} s", seconds);
  if (seconds >= 1e4 * day) return fmt::format("{:.2g} days", seconds / day);
  if (seconds >= 2 * day) return fmt::format("{:.1f} days", seconds / day);
  const auto whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

void rewrite_line(std::ostream& terminal, std::string_view line) {
  terminal << "\r\033[K" << line.substr(0, terminal_width() - 1) << std::flush;
}

Progress::Progress(std::ostream& stream, std::vector<const PlannedCase*> todo, bool quiet)
    : stream_(stream),
      total_(todo.size()),
      quiet_(quiet),
      terminal_(&stream == &std::cerr && ::isatty(STDERR_FILENO) != 0) {
  for (const PlannedCase* planned : todo) {
    total_weight_ += weight(*planned);
    for (const auto& [name, value] : planned->axes) {
      const auto first = todo.front()->axes.find(name);
      if (first == todo.front()->axes.end() || first->second != value) varying_.insert(name);
    }
  }
}

Progress::~Progress() {
  hide();
}

void Progress::hide() {
  if (terminal_ && !quiet_) rewrite("");
}

double Progress::weight(const PlannedCase& planned) const {
  return planned.estimate.solve_s + planned.estimate.judge_s;
}

void Progress::working_on(int worker, const PlannedCase& planned) {
  current_[worker] = label(planned);
  tick();
}

void Progress::remark(const std::string& line) {
  if (quiet_) return;
  hide();
  stream_ << on_terminal(line) << std::endl;
  last_line_s_ = never_s;
}

void Progress::finished(int worker, const PlannedCase& planned, const std::string& status, const std::string& message,
                        double seconds) {
  current_.erase(worker);
  ++done_;
  done_weight_ += weight(planned);
  if (quiet_) return;
  const bool worth_a_line = !terminal_ || status != "passed";
  if (worth_a_line) {
    if (terminal_) rewrite("");
    stream_ << fmt::format("[{}/{}] {} {}", done_, total_, status, label(planned))
            << (std::isnan(seconds) ? "" : "  " + format_duration(seconds))
            << (message.empty() ? "" : ": " + on_terminal(message))
            << (done_ < total_ && !terminal_ ? "  " + remaining() : "") << '\n'
            << std::flush;
  }
  last_line_s_ = never_s;
  tick();
}

void Progress::tick() {
  const double now_s = timer_.seconds();
  if (!terminal_ || quiet_ || now_s - last_line_s_ < 0.5) return;
  last_line_s_ = now_s;
  rewrite(fmt::format("[{}/{}] {}  {}", done_, total_, remaining(), current()));
}

std::string Progress::current() const {
  std::string text;
  for (const auto& [worker, label] : current_)
    text += current_.size() == 1 ? label : fmt::format("{}{}: {}", text.empty() ? "" : "  ", worker, label);
  return text;
}

std::string Progress::label(const PlannedCase& planned) const {
  Case shown;
  for (const auto& [name, value] : planned.axes)
    if (varying_.contains(name)) shown.emplace(name, value);
  return on_terminal(describe(shown.empty() ? planned.axes : shown));
}

std::string Progress::remaining() const {
  // The estimates are accurate enough for ratios only; the measured time gives the scale.
  if (!(done_weight_ > 0)) return "ETA ?";
  return "ETA " + format_duration(timer_.seconds() * (total_weight_ - done_weight_) / done_weight_);
}

}  // namespace pivotlab::experiments
