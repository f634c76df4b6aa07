#include <unistd.h>
#include <experiments/engine/order.hpp>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

json to_json(const Timing& timing) {
  return {{"warmup", timing.warmup},           {"min_repeats", timing.min_repeats},
          {"max_repeats", timing.max_repeats}, {"relative_spread", timing.relative_spread},
          {"budget_s", timing.budget_s},       {"timeout_s", timing.timeout_s},
          {"interleave", timing.interleave}};
}

Timing timing_of(const json& text) {
  return {.warmup = text["warmup"],
          .min_repeats = text["min_repeats"],
          .max_repeats = text["max_repeats"],
          .relative_spread = text["relative_spread"],
          .budget_s = text["budget_s"],
          .timeout_s = text["timeout_s"],
          .interleave = text["interleave"]};
}

Value value_of(const json& text) {
  if (text.is_boolean()) return text.get<bool>();
  if (text.is_number_integer()) return text.get<std::int64_t>();
  if (text.is_number()) return text.get<double>();
  return text.get<std::string>();
}

}  // namespace

std::string to_line(const WorkOrder& order) {
  json cases = json::array();
  for (const PlannedCase* planned : order.cases)
    cases.push_back({{"key", planned->key}, {"case", json::parse(canonical_json(planned->axes))}});
  return json{{"method", order.method->name()},
              {"timing", to_json(order.timing)},
              {"cache", std::filesystem::absolute(order.cache).string()},
              {"checkpoints", std::filesystem::absolute(order.checkpoints).string()},
              {"checkpoint_s", order.checkpoint_s},
              {"cases", std::move(cases)}}
             .dump() +
         '\n';
}

ReadOrder::ReadOrder(const std::string& line) {
  const json text = json::parse(line);
  const Method& method = find_method(text["method"].get<std::string>());
  for (const json& one : text["cases"]) {
    PlannedCase planned;
    planned.key = one["key"];
    for (const auto& [axis, value] : one["case"].items()) planned.axes[axis] = value_of(value);
    planned.estimate = method.estimate(planned.axes);
    cases_.push_back(std::move(planned));
  }
  order_.method = &method;
  order_.timing = timing_of(text["timing"]);
  order_.cache = text["cache"].get<std::string>();
  order_.checkpoints = text["checkpoints"].get<std::string>();
  order_.checkpoint_s = text["checkpoint_s"];
  for (const PlannedCase& planned : cases_) order_.cases.push_back(&planned);
}

std::string read_line(int input) {
  std::string line;
  char next = 0;
  ssize_t count = 0;
  while ((count = ::read(input, &next, 1)) == 1 || (count < 0 && errno == EINTR)) {
    if (count < 0) continue;
    if (next == '\n') break;
    line += next;
  }
  return line;
}

}  // namespace pivotlab::experiments
