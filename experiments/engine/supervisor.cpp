// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/supervisor.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// A worker sends a sign of life every ten seconds.
constexpr double longest_silence_s = 60;

}  // namespace

Supervisor::Supervisor(WorkOrder order, Watch watch, std::unique_ptr<WorkerProcess> process, bool launched)
    : order_(std::move(order)),
      watch_(std::move(watch)),
      process_(std::move(process)),
      launched_(launched),
      cases_before_(order_.cases.size()) {
  for (std::string line; process_->next_line(line);) continue;  // what it has sent before this order
  process_->send(to_line(order_));
}

double Supervisor::seconds_left() const {
  double left_s = 1;
  if (watch_.timeout_s > 0) {
    const auto spent = spent_s_.find(current_case_);
    left_s = watch_.timeout_s - (spent == spent_s_.end() ? 0 : spent->second) - case_timer_.seconds();
  }
  if (!launched_) left_s = std::min(left_s, longest_silence_s - silence_.seconds());
  return std::clamp(left_s, 0.0, 1.0);
}

void Supervisor::check_time() {
  if (finished_ || seconds_left() > 0) return;
  if (!launched_ && silence_.seconds() >= longest_silence_s)
    return give_up(fmt::format("no sign of life for {} s", longest_silence_s));
  process_->kill();
  end_worker();
  blame(Status::timeout, fmt::format("took longer than {} s", watch_.timeout_s));
}

void Supervisor::kill() const {
  if (process_) process_->kill();
}

/// Waits for the end of the worker, and returns how it has ended; the order is finished.
std::string Supervisor::end_worker() {
  finished_ = true;
  return std::exchange(process_, nullptr)->wait();
}

/// Ends a worker that cannot be talked with.
void Supervisor::give_up(const std::string& why) {
  process_->kill();
  end_worker();
  if (launched_)
    blame(Status::failed, why);
  else
    why_lost_ = why;
}

void Supervisor::read() {
  const bool is_open = process_->receive();
  silence_.restart();
  for (std::string line; !finished_ && process_->next_line(line);) handle_line(line);
  if (finished_) return;
  if (process_->sends_endless_line()) return give_up("it sends a line without end");
  if (is_open) return;
  const std::string how = end_worker();
  if (launched_)
    handle_end(how);
  else
    why_lost_ = how;
}

void Supervisor::handle_line(std::string_view line) {
  const std::optional<Message> message = read_message(line, order_.cases);
  if (!message) return;
  if (message->ended || message->killed) {
    finished_ = true;
    if (message->ended) handle_end(*message->ended);
    if (message->killed) why_lost_ = *message->killed;
    return;
  }
  spent_s_[current_case_] += case_timer_.seconds();
  case_timer_.restart();
  if (!message->report) {
    current_case_ = message->key;
    any_case_begun_ = true;
    watch_.on_case(current_case_);
  } else {
    current_case_.clear();
    spent_s_[current_case_] = 0;
    finished_ = !finish(*message->report);
    if (!finished_) process_->send(json{{"written", message->key}}.dump() + '\n');
  }
}

/// Blames the current case for the end of its worker, unless the worker has ended between two cases and solved some.
void Supervisor::handle_end(const std::string& how) {
  if (order_.cases.empty()) return;
  if (!current_case_.empty() || order_.cases.size() == cases_before_) blame(status_of_end(how), how);
}

/// Returns false if the run is to stop.
bool Supervisor::finish(const json& report) {
  const auto key = report["key"].get<std::string>();
  std::erase_if(order_.cases, [&](const PlannedCase* planned) { return planned->key == key; });
  return watch_.on_report(report);
}

/// Reports a failure for the current case, or for all cases if the problem could not be made.
void Supervisor::blame(Status status, const std::string& message) {
  if (!current_case_.empty()) {
    finish(make_report(current_case_, status, message));
    return;
  }
  const std::vector<const PlannedCase*> all = order_.cases;
  for (const PlannedCase* planned : all)
    if (!finish(make_report(planned->key, status, (any_case_begun_ ? "" : "making the problem: ") + message))) return;
}

}  // namespace pivotlab::experiments
