// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/record.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

std::optional<Message> interpret(json line) {
  if (!line.is_object() || line.size() != 1) return std::nullopt;
  json& content = line.begin().value();
  const std::string what = line.begin().key();
  if (what == "done" && is_report(content)) {
    auto key = content.at("key").get<std::string>();
    return Message{.key = std::move(key), .report = std::move(content)};
  }
  if (!content.is_string()) return std::nullopt;
  if (what == "turn") return Message{.key = content.get<std::string>()};
  if (what == "ended") return Message{.ended = content.get<std::string>()};
  if (what == "killed") return Message{.killed = content.get<std::string>()};
  return std::nullopt;
}

}  // namespace

std::optional<Message> read_message(std::string_view line, const std::vector<const PlannedCase*>& cases) {
  if (!line.starts_with('{')) return std::nullopt;
  try {
    std::optional<Message> message = interpret(parse_json<json>(line, "the worker"));
    const auto is_it = [&](const PlannedCase* planned) { return planned->key == message->key; };
    const bool fits = message && (message->ended || message->killed || std::any_of(cases.begin(), cases.end(), is_it));
    return fits ? message : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Status status_of_end(std::string_view how) {
  return how.ends_with(": out of memory") ? Status::out_of_memory : Status::failed;
}

}  // namespace pivotlab::experiments
