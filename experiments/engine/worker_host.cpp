// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/worker_host.hpp>
#include <support/files/memory.hpp>

#include <cmath>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

json to_json(const DeviceInfo& gpu) {
  return {{"name", gpu.name},
          {"compute_capability", gpu.compute_capability},
          {"multiprocessors", gpu.multiprocessors},
          {"memory_bytes", gpu.memory_bytes},
          {"driver", gpu.driver},
          {"runtime", gpu.runtime},
          {"bus_id", gpu.bus_id}};
}

DeviceInfo gpu_of(const JsonNode& node) {
  return {.name = node.at("name").text(),
          .compute_capability = node.at("compute_capability").text(),
          .multiprocessors = node.at("multiprocessors").integer(),
          .memory_bytes = static_cast<std::size_t>(node.at("memory_bytes").number()),
          .driver = node.at("driver").text(),
          .runtime = node.at("runtime").text(),
          .bus_id = node.at("bus_id").text()};
}

/// Throws InputError if version or commit differ from this program's.
void check_version(const WorkerHost& host) {
  const auto theirs = [&](const char* what) { return host.provenance.at(what).get<std::string>(); };
  if (theirs("version") == build_info().version && theirs("commit") == build_info().commit) return;
  throw InputError(
      fmt::format("--worker: {} has pivotlab {} of commit {}, this is {} of {}; install the same build there",
                  host.name, theirs("version"), theirs("commit"), build_info().version, build_info().commit));
}

}  // namespace

WorkerHost this_host(bool with_gpus) {
  WorkerHost host{.name = inspect_machine().host,
                  .environment = environment_json(),
                  .provenance = provenance_json(""),
                  .cores = usable_cores(),
                  .threads = default_threads(),
                  .available_bytes = available_memory()};
  host.provenance.erase("command");
  if (!with_gpus) return host;
  host.gpus = find_gpus().devices;
  host.why_no_gpu = find_gpus().why_none;
  if (!host.gpus.empty()) host.driver = driver_release();
  return host;
}

std::string to_line(const WorkerHost& host) {
  json gpus = json::array();
  for (const DeviceInfo& gpu : host.gpus) gpus.push_back(to_json(gpu));
  const json available = std::isfinite(host.available_bytes) ? json(host.available_bytes) : json();
  return json{{"ready",
               {{"environment", host.environment},
                {"provenance", host.provenance},
                {"cores", host.cores},
                {"threads", host.threads},
                {"available_bytes", available},
                {"gpus", std::move(gpus)},
                {"why_no_gpu", host.why_no_gpu},
                {"driver", host.driver},
                {"in_turns", host.in_turns}}}}
             .dump(-1, ' ', false, json::error_handler_t::replace) +
         '\n';
}

bool is_host(std::string_view line) {
  return line.starts_with("{\"ready\":");
}

WorkerHost read_host(std::string_view line, bool may_be_other_build) {
  constexpr std::string_view origin = "the worker's description of its machine";
  const auto document = parse_json<nlohmann::ordered_json>(line, origin);
  const JsonNode ready = JsonNode(document, origin).at("ready");
  const JsonNode environment = ready.at("environment");
  WorkerHost host{
      .name = environment.at("host").text(),
      .environment = json::parse(environment.json().dump()),
      .provenance = json::parse(ready.at("provenance").json().dump()),
      .cores = {},
      .threads = ready.at("threads").integer(),
      .available_bytes = ready.at("available_bytes").json().is_null() ? INFINITY : ready.at("available_bytes").number(),
      .gpus = {},
      .why_no_gpu = ready.at("why_no_gpu").text(),
      .driver = ready.at("driver").text(),
      .in_turns = ready.has("in_turns")};
  ready.at("cores").each_element([&](const JsonNode& core) {
    host.cores.push_back(core.integer());
    core.expect(0 <= host.cores.back() && host.cores.back() < CPU_SETSIZE, "the number of a core");
  });
  ready.at("gpus").each_element([&](const JsonNode& gpu) { host.gpus.push_back(gpu_of(gpu)); });
  ready.at("provenance").at("commit").text();
  ready.at("provenance").at("version").text();
  ready.at("cores").expect(!host.cores.empty(), "a list with a core");
  if (!may_be_other_build) check_version(host);
  return host;
}

bool wait_for_line(WorkerProcess& worker, std::string& line) {
  bool is_open = true;
  while (!worker.next_line(line)) {
    if (!is_open) return false;
    const int events = worker.has_rest() ? POLLIN | POLLOUT : POLLIN;
    pollfd poll{worker.socket(), static_cast<short>(events), 0};
    ::poll(&poll, 1, -1);
    if ((poll.revents & POLLOUT) != 0) worker.send_rest();
    if ((poll.revents & ~POLLOUT) != 0) is_open = worker.receive();
  }
  return true;
}

WorkerHost ask_worker(const std::string& command, const std::string& option, bool may_be_other_build) {
  constexpr int attempts = 3;  // one damaged node among others must not end the run
  std::string why;
  for (int k = 0; k < attempts; ++k) {
    WorkerProcess worker({command});
    try {
      // Other text, such as a banner of the remote machine, may come first.
      for (std::string line; wait_for_line(worker, line);)
        if (is_host(line)) return read_host(line, may_be_other_build);
      why = option + ": starts no worker: " + worker.wait();
    } catch (const InputError& error) {
      why = error.what();
    }
  }
  throw InputError(why);
}

}  // namespace pivotlab::experiments
