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
  if (const auto turn = line.find("turn"); turn != line.end() && turn->is_string())
    return Message{turn->get<std::string>()};
  if (const auto ended = line.find("ended"); ended != line.end() && ended->is_string())
    return Message{.key = "", .ended = ended->get<std::string>()};
  const auto report = line.find("done");
  if (report == line.end() || !is_report(*report)) return std::nullopt;
  return Message{.key = report->at("key").get<std::string>(), .report = std::move(*report)};
}

}  // namespace

std::optional<Message> read_message(std::string_view line, const std::vector<const PlannedCase*>& cases) {
  if (!line.starts_with('{')) return std::nullopt;
  try {
    std::optional<Message> message = interpret(parse_json<json>(line, "the worker"));
    const auto is_it = [&](const PlannedCase* planned) { return planned->key == message->key; };
    const bool fits = message && (message->ended || std::any_of(cases.begin(), cases.end(), is_it));
    return fits ? message : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace pivotlab::experiments
