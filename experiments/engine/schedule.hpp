// SPDX-License-Identifier: BSD-3-Clause
// Decides which cases run together, and on which cores and GPUs.
#pragma once

#include <cstdint>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/worker_host.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// The resources that a job needs while it runs. A job on a GPU gets at least an equal share of the host's cores.
struct Need {
  int cores = 1;
  int gpus = 0;
  double bytes = 0;  ///< host memory
};

/// Cases of one problem, which one worker solves one after the other.
struct Job {
  std::vector<const PlannedCase*> cases;
  std::int64_t processes = 0;  ///< number of processes that a command starts for it; 0: none
  Need need = {};
  double seconds = 0;  ///< estimate
};

/// Returns the jobs of a plan's cases. For one worker they are in the order of the plan. For several, the longest is
/// first; if whole problems leave workers idle, problems with many cases are divided whose making again takes less time
/// than their cases, unless samples are interleaved. `processes(planned)` as in Job.
std::vector<Job> make_jobs(const std::vector<const PlannedCase*>& cases, const Plan& plan, int workers,
                           const std::function<std::int64_t(const PlannedCase&)>& processes);

/// The resources that a running job occupies.
struct Allocation {
  std::vector<int> cores = {}, gpus = {};  ///< numbers of cores; places of GPUs in the worker's list
  double bytes = 0;
};

/// The cores, GPUs and memory that running jobs occupy, on all hosts. Workers on one host share them: a core or a GPU
/// belongs to one job at a time, so a case that uses all cores of its worker runs alone there.
class Occupancy {
 public:
  /// Returns what a job gets on the host of a worker, one of `workers`, or nothing as long as other jobs occupy it. A
  /// job that needs more than the host has gets all of it. `memory_bytes`: the sum of the jobs' memory stays below it.
  std::optional<Allocation> occupy(const WorkerHost& host, const Need& need, int workers, double memory_bytes);
  void release(const WorkerHost& host, const Allocation& allocation);
  bool has_free_core(const WorkerHost& host) const;
  bool is_free(const WorkerHost& host) const;

 private:
  struct Occupied {
    std::set<int> cores;
    std::set<std::string> gpus;  ///< by bus id
    double bytes = 0;
    int jobs = 0;
  };
  std::map<std::string, Occupied> hosts_;
};

/// "0-3,8".
std::string to_ranges(const std::vector<int>& numbers);

}  // namespace pivotlab::experiments
