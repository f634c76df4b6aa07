// SPDX-License-Identifier: BSD-3-Clause
// The machine of a worker, as the worker describes it.
#pragma once

#include <experiments/engine/worker_process.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/device.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

struct WorkerHost {
  std::string name;            ///< of the machine
  nlohmann::json environment;  ///< section of a record, without loads and GPU
  nlohmann::json provenance;   ///< version, commit and clean
  std::vector<int> cores;      ///< numbers of the cores that the worker may use
  int threads = 1;             ///< default number of threads
  double available_bytes = 0;  ///< memory that was free when the worker started
  std::vector<DeviceInfo> gpus = {};
  std::string why_no_gpu = {};
  std::string driver = {};  ///< release of the GPUs' driver; empty if unknown
  bool in_turns = true;     ///< it takes orders `in_turns`, which earlier versions do not know
};

/// Describes this machine; looks for GPUs if `with_gpus`.
WorkerHost this_host(bool with_gpus);

/// The line {"ready": …} that a worker sends first.
std::string to_line(const WorkerHost& host);
bool is_host(std::string_view line);
/// Reads such a line. Throws InputError if it is damaged, and if version or commit of the worker differ from this
/// program's, unless it may be another build.
WorkerHost read_host(std::string_view line, bool may_be_other_build = false);

/// Waits for the next line of a worker and takes it; returns false if the worker has ended.
bool wait_for_line(WorkerProcess& worker, std::string& line);

/// Starts a worker by its command, which the option of that name gives, reads its description and ends it. Throws
/// InputError with the command's error if it starts no worker.
WorkerHost ask_worker(const std::string& command, const std::string& option = "--worker",
                      bool may_be_other_build = false);

}  // namespace pivotlab::experiments
