#include <fmt/format.h>
#include <sys/socket.h>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/supervisor.hpp>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// A lasting worker that works sends a sign of life every ten seconds.
constexpr double longest_silence_s = 60;

}  // namespace

Supervisor::Supervisor(WorkOrder order, Watch watch, std::string command)
    : order_(std::move(order)), watch_(std::move(watch)), command_(std::move(command)), lasting_(false) {
  begin_worker();
}

Supervisor::Supervisor(WorkOrder order, Watch watch, std::unique_ptr<WorkerProcess> lasting)
    : order_(std::move(order)), watch_(std::move(watch)), lasting_(true), process_(std::move(lasting)) {
  begin_worker();
}

void Supervisor::begin_worker() {
  current_case_.clear();
  any_case_begun_ = false;
  spent_s_.clear();
  case_timer_.restart();
  silence_.restart();
  cases_before_ = order_.cases.size();
  if (lasting_) return process_->send(to_line(order_));
  if (command_.empty()) {
    process_ = std::make_unique<WorkerProcess>(order_);
  } else {
    process_ = std::make_unique<WorkerProcess>(command_);
    process_->send(to_line(order_));
  }
}

/// Begins the next worker, unless no case is left, or the worker that ended was a lasting one or was killed.
void Supervisor::continue_without_worker() {
  process_.reset();
  buffer_.clear();
  if (order_.cases.empty() || lasting_ || !why_lost_.empty()) finished_ = true;
  if (!finished_) begin_worker();
}

double Supervisor::seconds_left() const {
  double left_s = 1;
  if (watch_.timeout_s > 0) {
    const auto spent = spent_s_.find(current_case_);
    left_s = watch_.timeout_s - (spent == spent_s_.end() ? 0 : spent->second) - case_timer_.seconds();
  }
  if (lasting_) left_s = std::min(left_s, longest_silence_s - silence_.seconds());
  return std::clamp(left_s, 0.0, 1.0);
}

void Supervisor::check_time() {
  if (finished_ || seconds_left() > 0) return;
  if (lasting_ && silence_.seconds() >= longest_silence_s)
    return give_up(fmt::format("no sign of life for {} s", longest_silence_s));
  process_->kill();
  process_->wait();
  blame(Status::timeout, fmt::format("took longer than {} s", watch_.timeout_s));
  if (!finished_) continue_without_worker();
}

/// Ends a worker that cannot be talked with.
void Supervisor::give_up(const std::string& why) {
  process_->kill();
  process_->wait();
  if (lasting_)
    why_lost_ = why;
  else
    blame(Status::failed, why);
  if (!finished_) continue_without_worker();
}

void Supervisor::read() {
  char chunk[1 << 16];
  const ssize_t count = ::recv(process_->socket(), chunk, sizeof chunk, MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  silence_.restart();
  if (count > 0) buffer_.append(chunk, static_cast<std::size_t>(count));
  std::size_t start = 0;
  for (std::size_t end; !finished_ && (end = buffer_.find('\n', start)) != std::string::npos; start = end + 1)
    handle_line(std::string_view(buffer_).substr(start, end - start));
  buffer_.erase(0, start);
  if (!finished_ && buffer_.size() > longest_line) return give_up("it sends a line without end");
  if (count > 0 || finished_) return;  // else the worker has ended; ECONNRESET: before it read our answer
  const WorkerEnd end = process_->wait();
  if (lasting_ || end.was_killed)
    why_lost_ = end.how;
  else
    handle_end(end.how);
  if (!finished_) continue_without_worker();
}

void Supervisor::handle_line(std::string_view line) {
  const std::optional<Message> message = read_message(line, order_.cases);
  if (!message) return;
  if (message->ended && lasting_) {
    handle_end(*message->ended);
    if (order_.cases.empty()) finished_ = true;
    if (!finished_) begin_worker();
  }
  if (message->ended) return;
  spent_s_[current_case_] += case_timer_.seconds();
  case_timer_.restart();
  if (!message->report) {
    current_case_ = message->key;
    any_case_begun_ = true;
    watch_.on_case(current_case_);
  } else {
    current_case_.clear();
    spent_s_[current_case_] = 0;
    finish(*message->report);
    if (!finished_) process_->send("\n");
  }
}

/// Blames the current case for the end of its worker, unless the worker has ended between two cases and solved some.
void Supervisor::handle_end(const std::string& how) {
  if (order_.cases.empty()) return;
  if (!current_case_.empty() || order_.cases.size() == cases_before_)
    blame(how.ends_with(": out of memory") ? Status::out_of_memory : Status::failed, how);
}

void Supervisor::finish(const json& report) {
  const auto key = report["key"].get<std::string>();
  std::erase_if(order_.cases, [&](const PlannedCase* planned) { return planned->key == key; });
  if (!watch_.on_report(report)) finished_ = true;
}

/// Reports a failure for the current case, or for all cases if the problem could not be made.
void Supervisor::blame(Status status, const std::string& message) {
  if (any_case_begun_ && !current_case_.empty()) return finish(make_report(current_case_, status, message));
  const std::vector<const PlannedCase*> all = order_.cases;
  for (const PlannedCase* planned : all)
    if (!finished_)
      finish(make_report(planned->key, status, (any_case_begun_ ? "" : "making the problem: ") + message));
}

}  // namespace pivotlab::experiments
