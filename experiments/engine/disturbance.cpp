// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <experiments/engine/disturbance.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>

namespace pivotlab::experiments {
namespace {

using Least = std::atomic<double>;
Least own_least{std::numeric_limits<double>::infinity()};
Least* least_probe = &own_least;

double probed() {
  const double seconds = probe_core_s();
  double least = *least_probe;
  while (seconds < least && !least_probe->compare_exchange_weak(least, seconds)) continue;
  return seconds;
}

/// Adds the waits of a process's threads, and those of its children.
void add_waits(const std::string& process, std::map<pid_t, double>& waits) {
  std::error_code error;  // the process may end meanwhile
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), error);
  for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    double ran_ns = 0, waited_ns = 0;
    if (std::ifstream(thread->path() / "schedstat") >> ran_ns >> waited_ns)
      waits[std::stoi(thread->path().filename())] = 1e-9 * waited_ns;
    std::ifstream children(thread->path() / "children");
    for (std::string child; children >> child;) add_waits(child, waits);
  }
}

}  // namespace

std::map<pid_t, double> waits_for_cores() {
  std::map<pid_t, double> waits;
  add_waits("self", waits);
  return waits;
}

void share_least_probe() {
  void* memory = ::mmap(nullptr, sizeof(Least), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;  // each process knows its own
  least_probe = new (memory) Least(least_probe->load());
  constexpr int probes = 50;
  for (int k = 0; k < probes; ++k) probed();
}

void ask_for_long_slices() {
  struct {  // sched_attr of sched_setattr(2), whose header and wrapper glibc lacks before 2.41
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime_ns, deadline_ns, period_ns;
  } attributes{};
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtime_ns = 100'000'000;  // the longest slice
  (void)::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

bool Beside::disturbs(double seconds) const {
  return waited_s > most_wait * seconds || probe_s > slowed_core * *least_probe;
}

LoadWatch::LoadWatch()
    : cpu_(cpu_use()), waits_(waits_for_cores()), others_running_(experiments::others_running()), probe_s_(probed()) {}

Beside LoadWatch::end() const {
  Beside beside;
  beside.probe_s = std::min(probe_s_, probed());
  beside.others_running = std::min(others_running_, experiments::others_running());
  for (const auto& [thread, waited_s] : waits_for_cores()) {
    const auto before = waits_.find(thread);
    beside.waited_s = std::max(beside.waited_s, waited_s - (before == waits_.end() ? 0 : before->second));
  }
  const CpuUse cpu = cpu_use();
  beside.others_cpu_s = cpu.machine_s - cpu_.machine_s - (cpu.own_s - cpu_.own_s);
  return beside;
}

}  // namespace pivotlab::experiments
