// SPDX-License-Identifier: BSD-3-Clause
// The workers of a run, and the loop that waits for all of them.
#pragma once

#include <experiments/engine/schedule.hpp>
#include <experiments/engine/supervisor.hpp>
#include <experiments/engine/worker_host.hpp>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace pivotlab::experiments {

struct PoolOptions {
  int workers = 1;
  WorkerStart worker = {};
  std::string launch;       ///< as in RunOptions
  double memory_bytes = 0;  ///< limit for the memory of all cases at a time, on each host; 0: what is free
};

/// A worker as callers see it: its number from 1 on, its machine, its resources and its case.
struct Station {
  int number = 1;
  WorkerHost host = {};
  Allocation allocation = {};  ///< of the current job; cores and GPUs are empty where a job may use all
  std::string current_case = {};
};

/// The caller's part. on_case and on_report as in Watch.
struct PoolWatch {
  double timeout_s = 0;
  std::function<WorkOrder(const Job&)> make_order;
  std::function<void(const Station&, const std::string& key)> on_case;
  std::function<bool(const Station&, const nlohmann::json& report)> on_report;
  std::function<void()> on_tick;                        ///< at least once a second
  std::function<void(const std::string& line)> remark;  ///< something that the user should know
};

class WorkerPool {
 public:
  WorkerPool(const PoolOptions& options, PoolWatch watch);
  ~WorkerPool();

  /// Runs all jobs. Returns early at a stop signal and when on_report returns false. Throws InputError when no worker
  /// can be started.
  void run(std::vector<Job> jobs);

  /// The stations with a job.
  std::vector<const Station*> busy() const;

 private:
  struct Worker;

  void start_workers();
  void deal_out();
  bool begin_job(Worker& worker, const Job& job);
  bool fits(Worker& worker, Job& job);
  std::string launch_command(const Job& job, const Allocation& allocation) const;
  void wait_for_input();
  void read_description(Worker& worker);
  void look_after(Worker& worker, bool has_input);
  void end_job(Worker& worker);
  void retry(const Worker& worker, Job job);
  void let_go(Worker& worker, const std::string& how);
  double memory_of(const WorkerHost& host) const;
  int sharers(const Worker& worker) const;

  const PoolOptions options_;
  const PoolWatch watch_;
  std::list<Worker> workers_;
  std::list<Job> jobs_;
  Occupancy occupancy_;
  std::map<std::string, int> losses_;  ///< by key: workers that were lost with the case
  bool stopped_ = false;
};

}  // namespace pivotlab::experiments
