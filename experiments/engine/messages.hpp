// SPDX-License-Identifier: BSD-3-Clause
// Parses and checks the lines that a worker sends to its parent (worker.hpp lists them).
#pragma once

#include <experiments/engine/plan.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <pivotlab/status.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// One of four: the key of the case that the worker begins or resumes; the key and the report of a finished case; how
/// the process ended that solved the order; how another process killed it.
struct Message {
  std::string key = {};
  std::optional<nlohmann::json> report = {};
  std::optional<std::string> ended = {}, killed = {};
};

/// Returns the message in a line; nothing if the line is not a message about one of these cases, because the processes
/// of a command may print other text on the same stream.
std::optional<Message> read_message(std::string_view line, const std::vector<const PlannedCase*>& cases);

/// Returns the status of a case whose process has ended like this.
Status status_of_end(std::string_view how);

}  // namespace pivotlab::experiments
