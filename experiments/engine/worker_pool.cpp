// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <poll.h>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/stop_signals.hpp>
#include <experiments/engine/worker_pool.hpp>
#include <pivotlab/error.hpp>
#include <support/files/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

namespace pivotlab::experiments {
namespace {

/// A case is given up after so many lost workers. The run is given up when so many attempts to start every worker have
/// failed, one after the other.
constexpr int most_losses = 3, most_failed_starts = 3;

/// Seconds before the next attempt to start a worker.
double pause_s(int failed_starts) {
  return failed_starts == 0 ? 0 : std::min(30.0, std::ldexp(0.5, failed_starts - 1));
}

}  // namespace

struct WorkerPool::Worker {
  Station station;
  bool ready = false;                      ///< the host is known
  std::unique_ptr<WorkerProcess> process;  ///< without an order
  int failed_starts = 0;                   ///< since it was ready
  Timer since_failure;
  std::unique_ptr<Supervisor> supervisor;  ///< of the job; null without one
  Job job;

  bool is_idle() const { return ready && !supervisor; }
  /// Null if none has been started.
  WorkerProcess* current() const { return supervisor ? &supervisor->process() : process.get(); }
};

WorkerPool::WorkerPool(const PoolOptions& options, PoolWatch watch) : options_(options), watch_(std::move(watch)) {
  for (int k = 0; k < options.workers; ++k) workers_.emplace_back().station.number = k + 1;
}

WorkerPool::~WorkerPool() {
  // All workers are ended before the first is waited for.
  for (Worker& worker : workers_) {
    if (worker.supervisor) worker.supervisor->kill();
    if (worker.process) worker.process->hang_up();
  }
}

void WorkerPool::run(std::vector<Job> jobs) {
  jobs_.assign(std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
  while (!stopped_ && !StopSignals::received()) {
    start_workers();
    deal_out();
    if (jobs_.empty() && busy().empty()) return;
    wait_for_input();
  }
}

std::vector<const Station*> WorkerPool::busy() const {
  std::vector<const Station*> stations;
  for (const Worker& worker : workers_)
    if (worker.supervisor) stations.push_back(&worker.station);
  return stations;
}

/// Starts workers, not more than there are jobs.
void WorkerPool::start_workers() {
  const auto waiting =
      std::ranges::count_if(workers_, [](const Worker& worker) { return worker.process && !worker.supervisor; });
  auto wanted = static_cast<std::ptrdiff_t>(jobs_.size()) - waiting;
  for (Worker& worker : workers_)
    if (wanted > 0 && !worker.process && !worker.supervisor &&
        worker.since_failure.seconds() >= pause_s(worker.failed_starts)) {
      worker.process = std::make_unique<WorkerProcess>(options_.worker);
      worker.ready = false;
      --wanted;
    }
}

/// Gives every idle worker the first job for which its host has room. Only some jobs are looked at, so that the time
/// does not grow with their number.
void WorkerPool::deal_out() {
  constexpr int most_passed_over = 256;
  for (Worker& worker : workers_) {
    int passed_over = 0;
    for (auto job = jobs_.begin(); job != jobs_.end() && passed_over < most_passed_over && !stopped_;) {
      if (!worker.is_idle() || !occupancy_.has_free_core(worker.station.host)) break;
      if (!fits(worker, *job) || begin_job(worker, *job)) {
        job = jobs_.erase(job);
      } else {
        ++job;
        ++passed_over;
      }
    }
  }
}

double WorkerPool::memory_of(const WorkerHost& host) const {
  return options_.memory_bytes > 0 ? options_.memory_bytes : host.available_bytes;
}

/// Reports cases that need more memory than the host of the worker has, because they could make other processes fail.
/// Returns whether cases are left. The memory of launched processes may be on other hosts.
bool WorkerPool::fits(Worker& worker, Job& job) {
  if (options_.worker.is_own() && occupancy_.is_free(worker.station.host))
    worker.station.host.available_bytes = available_memory();
  if (job.processes > 0) return true;
  const double available = memory_of(worker.station.host);
  std::erase_if(job.cases, [&](const PlannedCase* planned) {
    if (stopped_ || !(planned->estimate.bytes > available)) return false;
    const std::string message =
        fmt::format("needs about {:.3g} GB, {:.3g} GB are available", planned->estimate.bytes / 1e9, available / 1e9);
    stopped_ = !watch_.on_report(worker.station, make_report(planned->key, Status::out_of_memory, message));
    return true;
  });
  job.need.bytes = std::min(job.need.bytes, available);
  return !job.cases.empty();
}

/// The number of workers that may use the same cores.
int WorkerPool::sharers(const Worker& worker) const {
  return static_cast<int>(std::ranges::count_if(workers_, [&](const Worker& other) {
    return other.ready && other.station.host.name == worker.station.host.name &&
           other.station.host.cores == worker.station.host.cores;
  }));
}

/// Returns the command that starts the processes of a job.
std::string WorkerPool::launch_command(const Job& job, const Allocation& allocation) const {
  constexpr std::string_view number = "{ranks}";
  std::string command = options_.launch;
  for (std::size_t at = 0; (at = command.find(number, at)) != std::string::npos;)
    command.replace(at, number.size(), std::to_string(job.processes));
  if (workers_.size() == 1 || allocation.gpus.empty()) return command;
  return fmt::format("env CUDA_VISIBLE_DEVICES={} {}",
                     visible_devices(std::getenv("CUDA_VISIBLE_DEVICES"), allocation.gpus), command);
}

/// Returns false if other jobs occupy what the job needs.
bool WorkerPool::begin_job(Worker& worker, const Job& job) {
  Station& station = worker.station;
  const auto allocation = occupancy_.occupy(station.host, job.need, sharers(worker), memory_of(station.host));
  if (!allocation) return false;
  station.allocation = *allocation;
  station.current_case.clear();
  worker.job = job;
  WorkOrder order = watch_.make_order(job);
  if (workers_.size() > 1 && job.processes == 0) {
    order.cores = allocation->cores;
    order.gpus = allocation->gpus;
  }
  const Watch watch{.timeout_s = watch_.timeout_s,
                    .on_case =
                        [this, &station](const std::string& key) {
                          station.current_case = key;
                          watch_.on_case(station, key);
                        },
                    .on_report =
                        [this, &station](const nlohmann::json& report) {
                          const bool go_on = watch_.on_report(station, report);
                          station.current_case.clear();
                          stopped_ |= !go_on;
                          return go_on;
                        }};
  const bool launched = job.processes > 0;
  auto process = launched ? std::make_unique<WorkerProcess>(WorkerStart{launch_command(job, *allocation)})
                          : std::move(worker.process);
  worker.supervisor = std::make_unique<Supervisor>(std::move(order), watch, std::move(process), launched);
  return true;
}

void WorkerPool::wait_for_input() {
  std::vector<pollfd> polls;
  double timeout_s = 1;
  for (const Worker& worker : workers_) {
    const WorkerProcess* process = worker.current();
    const int events = process != nullptr && process->has_rest() ? POLLIN | POLLOUT : POLLIN;
    polls.push_back({process == nullptr ? -1 : process->socket(), static_cast<short>(events), 0});
    if (worker.supervisor) timeout_s = std::min(timeout_s, worker.supervisor->seconds_left());
  }
  const timespec timeout{static_cast<time_t>(timeout_s), static_cast<long>(std::fmod(timeout_s, 1) * 1e9)};
  const int ready = ::ppoll(polls.data(), polls.size(), &timeout, &StopSignals::mask_before());
  watch_.on_tick();
  std::size_t k = 0;
  for (Worker& worker : workers_) {
    const int events = ready > 0 ? polls[k++].revents : 0;
    if (stopped_ || StopSignals::received()) continue;
    if ((events & POLLOUT) != 0) worker.current()->send_rest();
    look_after(worker, (events & ~POLLOUT) != 0);
  }
}

void WorkerPool::look_after(Worker& worker, bool has_input) {
  if (!worker.supervisor) {
    if (has_input) read_description(worker);
    return;
  }
  if (has_input) worker.supervisor->read();
  if (!worker.supervisor->finished()) worker.supervisor->check_time();
  if (worker.supervisor->finished() && !stopped_) end_job(worker);
}

/// Reads what a worker sends without an order: its description, after which an order may be given, or its end.
void WorkerPool::read_description(Worker& worker) {
  const bool is_open = worker.process->receive();
  try {
    for (std::string line; !worker.ready && worker.process->next_line(line);) {
      if (!is_host(line)) continue;
      worker.station.host = read_host(line);
      worker.ready = true;
      worker.failed_starts = 0;
    }
    if (worker.process->sends_endless_line()) throw InputError("it sends text without end and no description");
  } catch (const InputError& error) {
    return let_go(worker, error.what());
  }
  if (!is_open) let_go(worker, worker.process->wait());
}

/// Lets go of a worker that has ended without an order; another will be started in its place.
void WorkerPool::let_go(Worker& worker, const std::string& how) {
  worker.process.reset();
  if (std::exchange(worker.ready, false)) return;
  ++worker.failed_starts;
  worker.since_failure.restart();
  watch_.remark(fmt::format("worker {} has not started: {}", worker.station.number, how));
  const auto has_failed = [](const Worker& one) { return one.failed_starts >= most_failed_starts; };
  if (std::ranges::all_of(workers_, has_failed))
    throw InputError(fmt::format("{}no worker can be started: {}", options_.worker.is_own() ? "" : "--worker: ", how));
}

void WorkerPool::end_job(Worker& worker) {
  Supervisor& supervisor = *worker.supervisor;
  occupancy_.release(worker.station.host, worker.station.allocation);
  if (worker.job.processes == 0) worker.process = supervisor.take_worker();
  worker.ready = worker.process != nullptr;
  Job left = std::move(worker.job);
  left.cases = supervisor.cases_without_report();
  if (!supervisor.why_lost().empty()) {
    watch_.remark(fmt::format("worker {} on {} was lost and is replaced: {}", worker.station.number,
                              worker.station.host.name, supervisor.why_lost()));
    if (!left.cases.empty()) retry(worker, std::move(left));
  } else if (!left.cases.empty()) {
    jobs_.push_front(std::move(left));
  }
  worker.supervisor.reset();
  worker.station.current_case.clear();
}

/// Puts the cases of a lost worker back. The current one is reported as failed when it has lost several workers.
void WorkerPool::retry(const Worker& worker, Job job) {
  const std::string& key = worker.supervisor->current_case();
  const PlannedCase* blamed = job.cases.front();
  for (const PlannedCase* planned : job.cases)
    if (planned->key == key) blamed = planned;
  if (++losses_[blamed->key] == most_losses) {
    std::erase(job.cases, blamed);
    const std::string message =
        fmt::format("{} workers were lost with this case: {}", most_losses, worker.supervisor->why_lost());
    stopped_ = !watch_.on_report(worker.station, make_report(blamed->key, Status::failed, message));
  }
  if (!job.cases.empty()) jobs_.push_front(std::move(job));
}

}  // namespace pivotlab::experiments
