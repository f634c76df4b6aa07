// Parses and checks the lines that a worker sends to its parent (worker.hpp lists them).
#pragma once

#include <experiments/engine/plan.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Either the case that is being worked on from now on, or the report on a finished one.
struct Message {
  std::string key;
  std::optional<nlohmann::json> report;
};

/// The message in a line; nothing if the line is none, or not about one of these cases: what a command starts may print
/// anything on the same stream.
std::optional<Message> read_message(std::string_view line, const std::vector<const PlannedCase*>& cases);

}  // namespace pivotlab::experiments
