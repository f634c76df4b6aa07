// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/in_pairs.hpp>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/worker_host.hpp>
#include <experiments/engine/worker_process.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

bool uses_gpus(const WorkOrder& order) {
  return std::ranges::any_of(order.cases, [](const PlannedCase* planned) { return planned->estimate.gpu_bytes > 0; });
}

/// Returns whether all cases have one thread of the host.
bool is_serial(const WorkOrder& order) {
  return !uses_gpus(order) && std::ranges::all_of(order.cases, [](const PlannedCase* planned) {
    const auto threads = planned->axes.find("threads");
    return threads != planned->axes.end() && to_string(threads->second) == "1";
  });
}

/// A worker that takes samples of the cases of an order, one after the other, whenever it is asked for one.
class Build {
 public:
  Build(const WorkOrder& order, const WorkerStart& start) : order_(order), worker_(start) {
    worker_.send(to_line(order));
  }
  Build(const Build&) = delete;
  Build& operator=(const Build&) = delete;
  ~Build() { worker_.hang_up(); }

  /// Waits until it has prepared the next case.
  void begin(const PlannedCase& planned) {
    key_ = planned.key;
    report_ = nullptr;
    wait_for_turn();
  }

  /// Returns whether the case has not ended.
  bool is_open() const { return report_.is_null(); }

  /// Lets it take a sample, unless the case has ended, and waits.
  void sample() {
    if (!is_open()) return;
    send("sample", true);
    wait_for_turn();
  }

  /// Ends the case; returns the report on it.
  json end() {
    if (is_open()) {
      send("sample", false);
      wait_for_turn();
    }
    send("written", key_);
    return std::move(report_);
  }

  bool is_lost() const { return lost_; }
  const json& provenance() const { return provenance_; }

 private:
  void send(const char* what, const json& content) { worker_.send(json{{what, content}}.dump() + '\n'); }

  /// Waits until it may take a sample of the current case, or its case has ended.
  void wait_for_turn() {
    Message message = next_message();
    if (message.report) report_ = std::move(*message.report);
    const auto& how = message.ended ? message.ended : message.killed;
    if (!how) return;
    lost_ = true;
    report_ = make_report(key_, status_of_end(*how), *how);
  }

  /// Returns the next message on the current case, or how its process has ended.
  Message next_message() {
    for (std::string line; wait_for_line(worker_, line);) {
      if (is_host(line)) provenance_ = read_host(line, true).provenance;
      std::optional<Message> message = read_message(line, order_.cases);
      if (message && (message->key == key_ || message->ended || message->killed)) return *std::move(message);
    }
    return {.ended = worker_.wait()};
  }

  const WorkOrder order_;
  WorkerProcess worker_;
  bool lost_ = false;
  std::string key_;  ///< of the current case
  json provenance_{{"version", "unknown"}, {"commit", "unknown"}, {"clean", false}};
  json report_;  ///< on the current case; null until it has ended
};

WorkOrder order_in_turns(WorkOrder order) {
  order.beside.clear();
  order.in_turns = true;
  order.cores = usable_cores();
  return order;
}

/// The order of the other build, which never has enough samples by itself.
WorkOrder order_beside(WorkOrder order) {
  order.timing.min_repeats = order.timing.max_repeats = 100'000'000;
  order.checkpoint_s = 0;
  for (auto& [key, time] : order.earlier) time = json::parse(time).at("beside").dump();
  return order;
}

}  // namespace

void solve_in_pairs(const WorkOrder& order, Connection& connection) {
  // Both builds take one core, so that other work on it disturbs both.
  if (is_serial(order)) use_cores({::sched_getcpu()});
  const bool with_gpus = uses_gpus(order);
  const WorkOrder in_turns = order_in_turns(order);
  Build ours(in_turns, {.with_gpus = with_gpus});
  Build theirs(order_beside(in_turns), {.command = order.beside + (with_gpus ? "" : " --no-gpus")});
  for (const PlannedCase* planned : order.cases) {
    if (!connection.send("turn", planned->key)) return;
    ours.begin(*planned);
    theirs.begin(*planned);
    do {  // at least once: a build that has failed leaves the other one a result
      for (Build* build : {&theirs, &ours}) build->sample();
    } while (ours.is_open() && theirs.is_open());
    json report = ours.end(), beside = theirs.end();
    report["beside"] = theirs.provenance();
    for (const char* member : {"status", "message", "time", "metrics"}) report["beside"][member] = beside[member];
    std::string answer;
    if (!connection.send("done", report) || !connection.receive(answer)) return;
    if (ours.is_lost() || theirs.is_lost()) return;
  }
}

}  // namespace pivotlab::experiments
