// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/schedule.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace pivotlab::experiments {
namespace {

double seconds_of(const PlannedCase& planned) {
  return planned.estimate.solve_s + planned.estimate.judge_s;
}

Need need_of(const Job& job, const Method& method) {
  Need need;
  for (const PlannedCase* planned : job.cases) {
    const auto axis = [&](std::string_view name) {
      const auto found = planned->axes.find(std::string(name));
      return found == planned->axes.end() ? 1 : static_cast<int>(std::get<std::int64_t>(found->second));
    };
    if (planned->estimate.gpu_bytes > 0) need.gpus = std::max(need.gpus, axis(method.ranks_axis()));
    need.cores = std::max(need.cores, axis("threads"));
    need.bytes = std::max(need.bytes, planned->estimate.bytes);
  }
  return need;
}

Job make_job(std::vector<const PlannedCase*> cases, std::int64_t processes, const Method& method) {
  Job job{std::move(cases), processes};
  job.need = need_of(job, method);
  job.seconds = job.cases.front()->estimate.generate_s;
  for (const PlannedCase* planned : job.cases) job.seconds += seconds_of(*planned);
  return job;
}

/// Divides a job into `parts` of about equal time.
std::vector<Job> divide(const Job& job, std::size_t parts, const Method& method) {
  std::vector<std::vector<const PlannedCase*>> cases(parts);
  for (std::size_t k = 0; k < job.cases.size(); ++k) cases[k % parts].push_back(job.cases[k]);
  std::vector<Job> jobs;
  for (auto& part : cases) jobs.push_back(make_job(std::move(part), job.processes, method));
  return jobs;
}

bool is_longer(const Job& a, const Job& b) {
  return a.seconds > b.seconds;
}

/// Returns when the last worker ends if each takes the next of the jobs, which are sorted, as soon as it is idle.
double end_of(const std::vector<Job>& jobs, int workers) {
  std::vector<double> ends(workers, 0.0);
  for (const Job& job : jobs) *std::min_element(ends.begin(), ends.end()) += job.seconds;
  return *std::max_element(ends.begin(), ends.end());
}

/// Returns into how many parts a job is divided, so that each worker gets some jobs and no part solves for less time
/// than its problem takes to make.
std::size_t parts_of(const Job& job, double longest_s) {
  const double make_s = job.cases.front()->estimate.generate_s, solve_s = job.seconds - make_s;
  const double wanted = std::ceil(job.seconds / longest_s),
               sensible = make_s > 0 ? std::floor(solve_s / make_s) : wanted;
  return static_cast<std::size_t>(std::clamp(std::min(wanted, sensible), 1.0, static_cast<double>(job.cases.size())));
}

}  // namespace

std::vector<Job> make_jobs(const std::vector<const PlannedCase*>& cases, const Plan& plan, int workers,
                           const std::function<std::int64_t(const PlannedCase&)>& processes) {
  std::vector<Job> jobs;
  for (auto first = cases.begin(); first != cases.end();) {
    const auto last =
        std::find_if(first, cases.end(), [&](const PlannedCase* planned) { return planned->group != (*first)->group; });
    std::map<std::int64_t, std::vector<const PlannedCase*>> by_processes;
    for (; first != last; ++first) by_processes[processes(**first)].push_back(*first);
    for (auto& [count, part] : by_processes) jobs.push_back(make_job(std::move(part), count, *plan.method));
  }
  if (workers == 1) return jobs;

  std::stable_sort(jobs.begin(), jobs.end(), is_longer);
  double total_s = 0;
  for (const Job& job : jobs) total_s += job.seconds;
  // Each job starts a process and makes its problem, so that whole problems are faster unless workers are idle.
  constexpr double tolerable_idleness = 1.05;
  if (total_s > 0 && end_of(jobs, workers) * workers <= tolerable_idleness * total_s) return jobs;

  constexpr int jobs_per_worker = 4;
  std::vector<Job> divided;
  for (const Job& job : jobs) {
    const std::size_t parts =
        plan.spec.timing.interleave || total_s == 0 ? 1 : parts_of(job, total_s / (jobs_per_worker * workers));
    for (Job& part : divide(job, parts, *plan.method)) divided.push_back(std::move(part));
  }
  std::stable_sort(divided.begin(), divided.end(), is_longer);
  return divided;
}

std::optional<Allocation> Occupancy::occupy(const WorkerHost& host, const Need& need, int workers,
                                            double memory_bytes) {
  Occupied& occupied = hosts_[host.name];
  if (occupied.jobs > 0 && occupied.bytes + need.bytes > memory_bytes) return std::nullopt;
  Allocation allocation{.bytes = need.bytes};
  for (std::size_t k = 0; k < host.gpus.size() && allocation.gpus.size() < static_cast<std::size_t>(need.gpus); ++k)
    if (!occupied.gpus.contains(host.gpus[k].bus_id)) allocation.gpus.push_back(static_cast<int>(k));
  if (allocation.gpus.size() < std::min(static_cast<std::size_t>(need.gpus), host.gpus.size())) return std::nullopt;

  const int all = static_cast<int>(host.cores.size());
  const int share = std::max(1, all / workers);
  const auto wanted = static_cast<std::size_t>(std::min(all, need.gpus > 0 ? std::max(share, need.cores) : need.cores));
  for (const int core : host.cores)
    if (allocation.cores.size() < wanted && !occupied.cores.contains(core)) allocation.cores.push_back(core);
  if (allocation.cores.size() < wanted) return std::nullopt;

  occupied.cores.insert(allocation.cores.begin(), allocation.cores.end());
  for (const int gpu : allocation.gpus) occupied.gpus.insert(host.gpus[gpu].bus_id);
  occupied.bytes += allocation.bytes;
  ++occupied.jobs;
  return allocation;
}

void Occupancy::release(const WorkerHost& host, const Allocation& allocation) {
  Occupied& occupied = hosts_[host.name];
  for (const int core : allocation.cores) occupied.cores.erase(core);
  for (const int gpu : allocation.gpus) occupied.gpus.erase(host.gpus[gpu].bus_id);
  occupied.bytes -= allocation.bytes;
  if (--occupied.jobs == 0) hosts_.erase(host.name);
}

bool Occupancy::has_free_core(const WorkerHost& host) const {
  const auto occupied = hosts_.find(host.name);
  return occupied == hosts_.end() ||
         std::ranges::any_of(host.cores, [&](int core) { return !occupied->second.cores.contains(core); });
}

bool Occupancy::is_free(const WorkerHost& host) const {
  return !hosts_.contains(host.name);
}

std::string to_ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[k]);
    if (last > k) text += fmt::format("-{}", numbers[last]);
    k = last + 1;
  }
  return text;
}

}  // namespace pivotlab::experiments
